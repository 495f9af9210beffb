"""What the widget of the price per leaf says: numbers with the digits of the chapter, in sentences."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

Link = tuple[float, float, int, float]  # of a question: C(t), C(T_t), the number of leaves of T_t, and g

T = "<msub><mi>T</mi><mi>t</mi></msub>"
C = '<mi>C</mi><mo stretchy="false">(</mo>{}<mo stretchy="false">)</mo>'
G = C.format("<mi>t</mi>").replace("C", "g", 1) + "<mo>=</mo>"
BAR = '<mo stretchy="false">|</mo>'


def bits(x: float) -> str:
    """Write bits as chapter 13 does.

    >>> bits(2.0614765)
    '2.061'
    """
    return f"{x:.3f}"


def errors(x: float) -> str:
    """Write errors as chapter 14 does.

    >>> errors(2 / 3), errors(14.0)
    ('0.6667', '14')
    """
    return f"{round(x, 4):g}"


def brief(g: float) -> str:
    """Write g so that it fits into a small box.

    >>> [brief(g) for g in (2 / 3, 1.5, 17.25, 168.0)]
    ['0.67', '1.5', '17.25', '168']
    """
    return f"{round(g, 2):g}"


def many(n: str, one: str, more: str = "") -> str:
    """Say how many of something there are.

    >>> many("1", "leaf", "leaves"), many("0.5", "tumor")
    ('1 leaf', '0.5 tumors')
    """
    return f"{n} {one if n == '1' else more or one + 's'}"


def equals(shown: float, exact: float, write: Callable[[float], str]) -> str:
    """Return an equals sign, or that of rounding where the rounded numbers beside it give another result.

    >>> equals(2.755 + 6 * 2.0, 14.7549, bits), equals(2.755 + 6 * 0.918, 8.26466, bits)
    ('=', '≈')
    """
    return "=" if write(shown) == write(exact) else "≈"


def formula(link: Link, write: Callable[[float], str], name: str = "") -> str:
    """Write g(t) with the numbers put in, as MathML; the name is what stands before it.

    >>> formula((5.0, 4.0, 2, 1.0), errors).endswith("<mo>=</mo><mn>1</mn></math>")
    True
    """
    alone, below, leaves, g = link
    letters = over(f"{C.format('<mi>t</mi>')}<mo>−</mo>{C.format(T)}", f"{BAR}{T}{BAR}<mo>−</mo><mn>1</mn>")
    numbers = over(
        f"<mn>{write(alone)}</mn><mo>−</mo><mn>{write(below)}</mn>",
        f"<mn>{leaves}</mn><mo>−</mo><mn>1</mn>",
    )
    sign = equals((float(write(alone)) - float(write(below))) / (leaves - 1), g, write)
    return f"<math>{name}{letters}<mo>=</mo>{numbers}<mo>{sign}</mo><mn>{write(g)}</mn></math>"


def over(top: str, bottom: str) -> str:
    """Return a fraction."""
    return f"<mfrac><mrow>{top}</mrow><mrow>{bottom}</mrow></mfrac>"


def loss_in_bits(tree: dict[str, Any], most: int, price: float) -> str:
    """Say how many leaves are worth a price, and what the tree then costs."""
    leaves, risk = tree["leaves"], tree["risk"]
    loss = risk + leaves * price
    sign = equals(float(bits(risk)) + leaves * float(bits(price)), loss, bits)
    worth = "is worth its" if leaves == 1 else "are worth their"
    return (
        f"<strong>{leaves} of {most} leaves</strong> {worth} price. Risk and price together, {bits(risk)} + "
        f"{leaves} · {bits(price)} {sign} {bits(loss)} bits, are the least loss of all subtrees."
    )


def wrong(tree: dict[str, Any], most: int, samples: int, held: dict[str, Any], k: int) -> str:
    """Say how many leaves are left, what they get wrong, and what that means for the choice.

    What a reader shall find stands in marked parts: the page leaves them out until the answer is shown.
    """
    least = held["wrong"][held["least"]]
    verdict = {
        held["least"]: "That is the least. 0-SE takes this tree: it adds no standard error.",
        held["chosen"]: (
            f"This is the smallest tree below {held['limit']:.4f}, the least plus one standard error: "
            "1-SE takes it."
        ),
    }.get(k, f"That is {held['wrong'][k] - least} more than the least.")
    left = "is left" if tree["leaves"] == 1 else "are left"
    return (
        f"<strong>{tree['leaves']} of {most} leaves</strong> {left}. Of {samples} tumors, "
        f"<strong>{errors(tree['risk'])}</strong> are on the wrong side in training"
        f'<span class="price-out">, <strong>{held["wrong"][k]}</strong> when held out</span>.'
        f'<span class="price-verdict"> {verdict}</span>'
    )


def goes_next(tree: dict[str, Any], asks: Callable[[int], str], unit: str) -> str:
    """Say which question goes next, and at which price."""
    write = bits if unit == "bit" else errors
    if not tree["weakest"]:
        return f"Nothing is left to cut: from {many(write(tree['from']), unit)} on, the root is alone."
    first, *others = tree["weakest"]
    question, link = f"<strong>{escape(asks(first))}</strong>", tree["links"][first]
    if unit == "bit":
        return f"Next to go: {question} It saves {formula(link, write)} bits for each leaf."
    worth = formula(link, write, G)
    if not others:
        return f"Weakest link, with a rim: {question} {worth}"
    more = f"{len(others)} more. All have the same g; for the first,"
    return f"Weakest links, with a rim: {question} and {more} {worth}"
