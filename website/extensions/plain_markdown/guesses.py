"""Guesses: a reader answers before the book does, and hears which slip gives a wrong number.

A cell tagged ``guess`` begins ``**Guess first.**`` and ends with the answer, folded as ``Show me``. The
metadata ``guess`` say what is right, in one of two ways:

- ``{"of": "gain(owns_house)", "table": "loan"}``: a quantity of `dtlib.homework`, which knows its slips;
- ``{"answer": "0.737", "is": "-log2(9/15)", "slips": {"1.667": ["15/9", "That is 1/p."]}}``: typed, each
  number with an expression, which the test of the chapter computes (tests/claims/).

Of both a page gets the same data. A question without a number has choices, as in a quiz.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import dtlib.datasets
from dtlib.homework import check_answer
from dtlib.homework.answers import near_numbers, slip_numbers
from dtlib.homework.written import Written
from plain_markdown.embedded import widget_box

START = "**Guess first.** "
SHOW_ME = "<details><summary>Show me</summary>"
FOLDED = re.compile(rf"(?s)(?P<asked>.+?)\n\n{SHOW_ME}\n\n(?P<answer>.+?)\n\n</details>")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
DIGITS = 4  # decimals to which a number of the library is compared
EXACT_DIGITS = 3  # decimals to which a whole number is compared
WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
COMPUTED, TYPED = {"of", "table"}, {"answer", "is"}
WAYS = '{"of": "gain(owns_house)", "table": "loan"} or {"answer": "0.737", "is": "-log2(9/15)"}'


class Known(NamedTuple):
    """What a page knows of a guess.

    `right` is compared to `digits` decimals, `says` is how it is written; `slips` are numbers, written to
    several decimals, with the sentence about the slip that gives them.
    """

    right: float
    digits: int
    says: str
    slips: list[tuple[list[str], str]]

    def is_said(self, text: str) -> bool:
        """Tell whether a text has the right number, rounded or exactly.

        >>> known = Known(0.41997, 4, "0.4200 to four digits", [])
        >>> known.is_said("$0.971 - 0.551 = 0.420$"), known.is_said("0.42"), known.is_said("0.41 or 0.4")
        (True, True, False)
        """
        found = [written(x) for x in re.findall(r"\d+(?:\.\d+)?", text)]
        size = Fraction(f"{abs(self.right)}")
        return any(x.number == size or (x.fits(size) and figures(x.text) > 1) for x in found)


def guess(text: str, declared: Any) -> str:
    """Frame a guess: the question, the place of the field with its data, and the folded answer.

    >>> declared = {"answer": "0.50", "is": "1 / 2"}
    >>> page = guess(f"{START}How much?\\n\\n{SHOW_ME}\\n\\n0.50\\n\\n</details>", declared)
    >>> print(re.sub("<script.*</script>", "", page))
    <div class="guess">
    <BLANKLINE>
    **Guess first.** How much?
    <BLANKLINE>
    <div class="touch no-print" data-touch="guess" hidden></div>
    <BLANKLINE>
    <details class="show-me"><summary>Show me</summary>
    <BLANKLINE>
    0.50
    <BLANKLINE>
    </details>
    <BLANKLINE>
    </div>
    """
    text = text.strip()
    if not text.startswith(START):
        raise ValueError(f"the guess starts with {text[:30]!r}, expected '{START}How many bits ...?'")
    if "<summary>☐ " in text:
        if declared is not None:
            raise ValueError("the guess has choices, and its metadata `guess` a number; one of them goes")
        return f'<div class="guess">\n\n{text}\n\n</div>'
    match = FOLDED.fullmatch(text)
    if match is None:
        wanted = f"'{SHOW_ME}', a blank line, the answer, a blank line and '</details>', or with choices"
        raise ValueError(f"the guess ends with {text[-30:]!r}, expected it to end with {wanted}")
    known = read(declared)
    if not known.is_said(match["answer"]):
        raise ValueError(f"the folded answer of the guess does not say what is right, {known.says}")
    box = widget_box("guess", known._asdict())
    fold = f'<details class="show-me"><summary>Show me</summary>\n\n{match["answer"]}\n\n</details>'
    return f'<div class="guess">\n\n{match["asked"]}\n\n{box}\n\n{fold}\n\n</div>'


def read(declared: Any) -> Known:
    """Read the metadata of a guess, or say what is wrong with them."""
    keys = set(declared) if isinstance(declared, dict) else None
    if keys is not None and COMPUTED <= keys <= COMPUTED | {"method"}:
        return computed(declared["of"], declared["table"], declared.get("method", "id3"))
    if keys is not None and TYPED <= keys <= TYPED | {"slips"}:
        return typed(declared["answer"], declared.get("slips", {}))
    came = "no metadata `guess`" if declared is None else f"the metadata {declared!r}"
    raise ValueError(f"the guess has {came}, expected {WAYS}, maybe with a method or slips")


@cache
def computed(name: str, table: str, method: str) -> Known:
    """Return what `dtlib.homework` knows of a quantity.

    >>> computed("gain(owns_house)", "loan", "id3").says
    '0.4200 to four digits'
    """
    loader, _, version = table.partition(" ")
    if f"load_{loader}" not in dtlib.datasets.__all__:
        known = (name.removeprefix("load_") for name in dtlib.datasets.__all__ if name.startswith("load_"))
        raise ValueError(f"the guess has the table {table!r}; there are {', '.join(known)}")
    data = getattr(dtlib.datasets, f"load_{loader}")(*[version] if version else [])
    (found,) = check_answer({name: f"{0:.{DIGITS}f}"}, data.frame, data.target, method=method).findings
    slips: dict[str, list[str]] = {}
    for digits in worth_comparing(found.value, DIGITS):
        for slip in slip_numbers(name, data.frame, data.target, digits=digits, method=method):
            slips.setdefault(sentence(slip.explanation), []).append(slip.given)
    says = said(Decimal(found.expected), is_exact=Decimal(found.expected) == Decimal(repr(found.value)))
    return Known(float(f"{found.value:.12g}"), DIGITS, says, [(x, words) for words, x in slips.items()])


def typed(answer: str, slips: dict[str, list[str]]) -> Known:
    """Return what is typed of a number; slips need as many decimals as the answer, to be told from it.

    >>> typed("0.737", {"1.667": ["15/9", "That is 1/p."]}).slips
    [(['1.7', '1.67', '1.667'], 'That is 1/p.')]
    >>> typed("3", {})
    Known(right=3.0, digits=3, says='3', slips=[])
    """
    for number in (answer, *slips):
        if not isinstance(number, str) or not NUMBER.fullmatch(number):
            raise ValueError(f"the guess has the number {number!r}, expected digits in quotes, as '0.737'")
        if decimals(number) != decimals(answer):
            raise ValueError(
                f"the slip {number!r} of the guess needs as many decimals as the answer {answer!r}"
            )
    right = written(answer)
    for number, told in slips.items():
        if (
            not isinstance(told, list)
            or list(map(type, told)) != [str, str]
            or not told[1].endswith((".", "?"))
        ):
            raise ValueError(
                f"the slip {number!r} of the guess has {told!r}, expected ['15/9', 'That is 1/p.']"
            )
        if written(number).number == right.number:
            raise ValueError(f"the slip {number!r} of the guess is the right answer")
    numbers = [(rounded(number, right), told[1]) for number, told in slips.items()]
    says = said(Decimal(answer), is_exact=not decimals(answer))
    return Known(float(answer), right.digits, says, numbers)


def rounded(number: str, right: Written) -> list[str]:
    """Write a number to each number of decimals that is compared, but not as what is right, too.

    >>> rounded("0.745", written("0.737")), rounded("15", written("12"))
    (['0.75', '0.745'], ['15', '15.0', '15.00', '15.000'])
    """
    exact, found = written(number).number, []
    for digits in worth_comparing(float(exact), right.digits):
        for x in sorted(near_numbers([exact], digits)):
            near = Written(f"{x:f}", Fraction(x), digits)
            if near.fits(exact) and not near.fits(right.number):
                found.append(near.text)
    return found


def worth_comparing(value: float, most: int) -> list[int]:
    """Return the numbers of decimals to which a value is compared: from two, or from its second figure on.

    >>> worth_comparing(0.42, 4), worth_comparing(27, 3), worth_comparing(0, 3)
    ([2, 3, 4], [0, 1, 2, 3], [2, 3])
    """
    return [digits for digits in range(most + 1) if digits > 1 or abs(value) * 10**digits >= 10]


def written(number: str) -> Written:
    """Read a number as it is typed; a whole number is exact.

    >>> written("0.737").digits, written("3").digits
    (3, 3)
    """
    return Written(number, Fraction(number), decimals(number) or EXACT_DIGITS)


def decimals(number: str) -> int:
    """Return how many digits a number has after its point.

    >>> decimals("0.970"), decimals("3")
    (3, 0)
    """
    return len(number.partition(".")[2])


def figures(number: str) -> int:
    """Return how many digits of a number count: those after leading zeros.

    >>> figures("0.970"), figures("0.05"), figures("27")
    (3, 1, 2)
    """
    return len(number.replace(".", "").lstrip("-0"))


def said(number: Decimal, is_exact: bool) -> str:
    """Write a number for a reader, and to how many digits it is rounded unless it is exact.

    >>> said(Decimal("-0.5000"), True), said(Decimal("0.7370"), False), said(Decimal("10"), True)
    ('−0.5', '0.7370 to four digits', '10')
    """
    text = f"{number:f}".replace("-", "−")
    if is_exact:
        return text.rstrip("0").rstrip(".") if "." in text else text
    digits = decimals(text)
    return f"{text} to {WORDS[digits]} digit{'s' * (digits > 1)}"


def sentence(explanation: str) -> str:
    """Make a sentence of what the library says of a slip; names of quantities keep their letters.

    >>> sentence("the sign is wrong"), sentence("gain(age) was left out"), sentence("swapped: this is H(D)")
    ('The sign is wrong.', 'gain(age) was left out.', 'Swapped: this is H(D).')
    """
    return re.sub(r"^[a-z]+(?=[ ,:])", lambda word: word[0].capitalize(), explanation) + "."
