"""Takes the TeX of a formula apart: into numbers, names, commands and signs, each with its place."""

from __future__ import annotations

import re
from dataclasses import dataclass

GREEK = [
    "alpha",
    "beta",
    "gamma",
    "delta",
    "varepsilon",
    "lambda",
    "mu",
    "nu",
    "phi",
    "pi",
    "rho",
    "sigma",
    "varphi",
    "ell",
    "Delta",
]
UNITS = {"bits", "bit", "nats", "shannons", "errors", "and", "so", "or"}
TWO_LETTERS = ("CF",)  # one symbol, as the page of the symbols says
RELATIONS = {
    "=": "=",
    "<": "<",
    ">": ">",
    r"\le": "≤",
    r"\ge": "≥",
    r"\ne": "≠",
    r"\approx": "≈",
    r"\to": "→",
    r"\in": "∈",
    r"\notin": "∉",
}
PARTS = (
    ("row", r"\\\\(?:\[[^\]]*\])?"),
    ("layout", r"\\(?:begin|end|tag)\{[^}]*\}|\{\}|\\[,;:! ]|(?m:^[ \t]*>)|[\s&∎]"),
    ("layout", r"\\(?:left|right|[bB]igg?[lr]?|textstyle|displaystyle)(?![A-Za-z])"),
    ("gap", r"\\q?quad(?![A-Za-z])"),
    ("words", r"\\(?:text|mathrm|operatorname|mathcal)\{(?:[^{}\\]|\\[_%])*\}"),
    ("number", r"\d+(?:\.\d+)?"),
    ("name", r"\\(?:" + "|".join(GREEK) + r")(?![A-Za-z])|" + "|".join(TWO_LETTERS) + r"|[A-Za-z]"),
    ("relation", r"\\(?:le|ge|ne|approx|to|in|notin)(?![A-Za-z])|[=<>]"),
    ("command", r"\\[A-Za-z]+|\\[{}|%]"),
    ("sign", r"."),
)
TOKEN = re.compile("|".join(f"({pattern})" for _, pattern in PARTS), re.DOTALL)


class Unreadable(ValueError):
    """A formula says something that the grammar has no word for."""


@dataclass(frozen=True)
class Token:
    """One piece of TeX: what it is, what it says, and from where to where it goes in the text."""

    kind: str
    text: str
    start: int
    end: int


def tokens(tex: str) -> list[Token]:
    r"""Return the pieces of a formula that mean something; spaces, sizes and alignment do not.

    Examples
    --------
    >>> [token.text for token in tokens(r"\bar d &= \tfrac12 \log_2 N_{ik} \text{ bits.}")]
    ['\\bar', 'd', '=', '\\tfrac', '12', '\\log', '_', '2', 'N', '_', '{', 'i', 'k', '}']
    >>> tokens(r"\mathcal{A}")[0].text, tokens(r"\mathrm{IV}")[0].text, tokens(r"\alpha")[0].text
    ('cal A', 'IV', 'alpha')
    """
    found = []
    for m in TOKEN.finditer(tex):
        kind = PARTS[(m.lastindex or 1) - 1][0]
        if kind == "words":
            kind, text = words(m[0])
        else:
            text = m[0].removeprefix("\\") if kind == "name" else RELATIONS.get(m[0], m[0])
        if kind != "layout":
            found.append(Token(kind, text, m.start(), m.end()))
    return found


def words(tex: str) -> tuple[str, str]:
    r"""Return the kind and the name of what is set upright: a name, the rest of a sentence, or a unit.

    Examples
    --------
    >>> words(r"\text{Gini}"), words(r"\text{ bits.}"), words(r"\mathrm{e}"), words(r"\text{mean of }")
    (('name', 'Gini'), ('layout', 'bits'), ('name', 'euler'), ('of', 'mean of'))
    """
    command, _, text = tex[1:-1].partition("{")
    text = text.replace("\\", "").strip().rstrip(".,").strip()
    if text in UNITS or not text:
        return "layout", text
    if text.endswith(" of"):
        return "of", text
    return "name", {"mathcal": f"cal {text}", "mathrm": "euler" if text == "e" else text}.get(command, text)
