"""Answers to a homework, checked number by number: what first goes wrong, and by which slip.

Examples
--------
>>> from dtlib.datasets import load_watermelon
>>> melons = load_watermelon()
>>> print(check_answer({"H(D)": "0.998", "gain(color)": "0.109"}, melons.frame, "good"))
First wrong: gain(color) = 0.109, but 0.108 is right: rounded too early: H(D) = 0.998.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pandas as pd
from numpy.typing import ArrayLike

from dtlib.homework.expressions import Exact, decimal_of, divided_by, product_of, to_digits
from dtlib.homework.methods import BY_FEATURE, IMPURITIES, OF_A_FEATURE, NodeWork
from dtlib.homework.quantities import SPREADS, Computation, Quantity
from dtlib.homework.sentences import choice_of, equal_choices, worths
from dtlib.homework.slips import (
    FOLLOWS,
    OTHER,
    POINT,
    RIGHT,
    ROUNDED_EARLY,
    UNEXPLAINED,
    Slip,
    Wrong,
    slips_of,
)
from dtlib.homework.worked import choice_name, work_out
from dtlib.homework.written import (
    EXACT_DIGITS,
    MOST_FIGURES,
    NamesByHand,
    Written,
    read_written,
    unknown,
)
from dtlib.messages import say

LEAF = "leaf"
#: Kinds of quantities by the largest of which one may choose, and how that is said.
BY_WHAT = {
    ("gain ratio",): "the largest gain ratio, whatever the gain",
    tuple(OF_A_FEATURE): "the largest gain",
    (
        *(f"branches of {measure}" for measure in (*IMPURITIES, *SPREADS)),
        "sum of squares",
        "sum of distances",
    ): ("what is left, the largest instead of the smallest"),
    ("split information",): "the largest split information",
}
BY_CHANCE = Fraction(1, 10)  # an explanation that more wrong numbers than this would have is none


@dataclass(frozen=True)
class Finding:
    """What was found of one answer.

    Attributes
    ----------
    name : str
        The quantity, as the answer calls it.
    given : str
        The answer, as written.
    expected : str
        The right one, to the digits of the answer; for a choice, what the tree asks.
    value : float
        The right number; NaN for a choice.
    slip : str
        "right", or the kind of the slip: "rounded too early", "truncated", "sign", "decimal point",
        "one minus", "wrong base", "swapped", "weights forgotten", "missed", "wrong total", "wrong quantity",
        "already weighted", "miscounted", "wrong branch", "carried on" (from a wrong line that is no answer),
        "follows from before" (from a wrong answer) or "unexplained".
    explanation : str
        The slip in words. Empty if the answer is right, unless it is a choice as good as the tree's.
    """

    name: str
    given: str
    expected: str
    value: float
    slip: str
    explanation: str

    @property
    def is_right(self) -> bool:
        """Whether the answer is right."""
        return self.slip == RIGHT

    def __str__(self) -> str:
        if self.is_right and self.explanation:
            return say(
                "{name} = {given} is right: {why}.", name=self.name, given=self.given, why=self.explanation
            )
        if self.is_right:
            return say("{name} = {given} is right.", name=self.name, given=self.given)
        return say(
            "{name} = {given}, but {expected} is right: {why}.",
            name=self.name, given=self.given, expected=self.expected, why=self.explanation,
        )  # fmt: skip


@dataclass(frozen=True)
class CheckedAnswer:
    """What was found of an answer, in the order of the computation.

    Attributes
    ----------
    findings : tuple of Finding
        One for each number and choice of the answer.
    """

    findings: tuple[Finding, ...]

    @property
    def is_right(self) -> bool:
        """Whether everything is right."""
        return self.first_wrong is None

    @property
    def first_wrong(self) -> Finding | None:
        """What first goes wrong, if anything does."""
        return next((found for found in self.findings if not found.is_right), None)

    def to_frame(self) -> pd.DataFrame:
        """Return a row for each answer: name, given, expected, slip, explanation."""
        names = ["name", "given", "expected", "slip", "explanation"]
        rows = [[getattr(found, name) for name in names] for found in self.findings]
        return pd.DataFrame(rows, columns=names)

    def __str__(self) -> str:
        wrong = [found for found in self.findings if not found.is_right]
        if not wrong:
            said = say("All right: {names}.", names=say(", ").join(x.name for x in self.findings))
            return "\n".join([said, *(str(found) for found in self.findings if found.explanation)])
        return "\n".join([say("First wrong: {finding}", finding=wrong[0]), *map(str, wrong[1:])])


def check_answer(
    answer: Mapping[str, Any] | pd.Series,
    frame: pd.DataFrame,
    target: str,
    *,
    method: Any = "id3",
    depth: int | None = 0,
    weight: ArrayLike | None = None,
) -> CheckedAnswer:
    """Say of the numbers of a homework which first goes wrong, and which slip explains it.

    A number is right if it is the exact one rounded to the digits written; halfway between two, both are.
    A slip is named if it gives the wrong number to all its digits, and if fewer than a tenth of all wrong
    numbers with so few digits would have found an explanation as near. Else the number is unexplained.

    Parameters
    ----------
    answer : mapping or Series
        Numbers by the names that `worked` prints, as in ``{"H(D)": "0.971", "gain(age)": "0.083"}``; `names`
        of its result lists them, and a key that is one of them means that one. A string keeps its zeros,
        ``"0.420"``; ``"4/9"`` is exact. A number below 10 without decimals is taken to be exact. The key
        "choice" has the feature or question that is asked, "choice(D1)" that of node 1; one that is as good
        as the tree's is right, too. Where only one can be meant, spaces and capitals do not count, nor how a
        letter with an accent is stored; ``<=`` is ``≤``, ``>=`` is ``≥``, ``IG(age)``, ``SDR(age)``,
        ``decrease(age)`` and ``g(D, age)`` are ``gain(age)``, ``ratio(age)`` is ``gain ratio(age)``,
        ``Entropy(D)`` is ``H(D)``, ``Gini(D|age)`` and ``Gini_age(D)`` are ``Gini(D, age)``, and a feature
        stands for its only two-way question.
    frame, target, method, depth, weight
        As for `worked`.

    Returns
    -------
    CheckedAnswer
        Prints what is wrong, in the order of the computation, or that all is right.

    Raises
    ------
    TypeError
        If `answer` is no mapping, or an answer is no number.
    ValueError
        If `answer` is empty; if a quantity has another name, the error says the nearest; if a number cannot
        be read; or as `worked` says.

    Examples
    --------
    >>> from dtlib.datasets import load_golf
    >>> from dtlib.homework import check_answer
    >>> golf = load_golf()
    >>> found = check_answer({"H(D)": "0.940", "gain(windy)": "0.48"}, golf.frame, "play", method="c45")
    >>> print(found)
    First wrong: gain(windy) = 0.48, but 0.048 is right: the decimal point is shifted, or a zero lost.
    >>> found.first_wrong.slip
    'decimal point'
    """
    if not isinstance(answer, Mapping | pd.Series):
        raise TypeError(f"answer is of type {type(answer).__name__}; give a mapping of names to numbers")
    if not len(answer):
        raise ValueError("answer is empty; wanted at least one number, as in {'H(D)': '0.971'}")
    _, works = work_out(frame, target, method, depth, weight)
    computation = Computation.joined([work.computation for work in works])
    choices = {choice_name(work.bench.node.id): work for work in works}
    found, keys = dict[str, Any](), dict[str, str]()
    for (key, given), name in zip(dict(answer).items(), meant(answer, works), strict=True):
        if name in found:
            raise ValueError(f"answer has {name!r} twice")
        found[name], keys[name] = given, key
    written = (replace(x, name=keys[x.name]) for x in findings(found, computation, choices))
    return CheckedAnswer(tuple(written))


def meant(keys: Iterable[object], works: Sequence[NodeWork]) -> Iterator[str]:
    """Yield the quantity or choice that each key of an answer means, or say that there is none."""
    numbers = [Q.name for work in works for Q in work.computation.quantities]
    names = dict.fromkeys([*numbers, *(choice_name(work.bench.node.id) for work in works)])
    known = NamesByHand(list(names), [pair for work in works for pair in work.other_names])
    for key in keys:
        name = known.get(key) if isinstance(key, str) else None
        if name is None:
            raise ValueError(unknown(key, names))
        yield name


def slip_numbers(
    name: str,
    frame: pd.DataFrame,
    target: str,
    *,
    digits: int = 3,
    method: Any = "id3",
    depth: int | None = 0,
) -> tuple[Finding, ...]:
    """Return the wrong numbers that a slip explains, as `check_answer` finds them in an answer of one number.

    Parameters
    ----------
    name : str
        The quantity, by a name that `check_answer` reads.
    frame, target, method, depth
        As for `worked`.
    digits : int of at least 0, default 3
        The decimals with which a number is written down.

    Returns
    -------
    tuple of Finding
        One for each number, those of the likeliest slips first.

    Raises
    ------
    TypeError
        As for `worked`.
    ValueError
        If there is no quantity of this name, or as `worked` says.

    Examples
    --------
    >>> from dtlib.datasets import load_loan
    >>> found = slip_numbers("gain(owns_house)", load_loan().frame, "approved")
    >>> print(next(x for x in found if x.slip == "wrong base"))
    gain(owns_house) = 0.291, but 0.420 is right: natural logarithms, so nats and not bits.
    """
    _, works = work_out(frame, target, method, depth, None)
    computation = Computation.joined([work.computation for work in works])
    (name,) = meant([name], works)
    Q = next((Q for Q in computation.quantities if Q.name == name), None)
    if Q is None:
        raise ValueError(f"{name!r} is a choice; wanted the name of a number, as 'H(D)'")
    slips = list(likely_slips(Wrong(computation, Q, digits, {})))
    numbers = near_numbers((slip.value for slip in slips), digits)
    written = (Written(f"{x:f}", Fraction(x), digits) for x in numbers)
    exact = computation.values[name]
    found = (finding(Q, x, exact, *first_slip(x, exact, slips)) for x in written if not x.fits(exact))
    return tuple(x for x in found if x.slip != UNEXPLAINED)


def near_numbers(values: Iterable[Exact], digits: int) -> Iterator[Decimal]:
    """Yield the numbers of so many decimals just below and above each value, none of them twice.

    Examples
    --------
    >>> [str(x) for x in near_numbers([Fraction(1, 16), Fraction(1, 3)], 3)]
    ['0.062', '0.061', '0.063', '0.333', '0.332', '0.334']
    """
    unit, seen = Decimal(1).scaleb(-digits), set[Decimal]()
    for value in values:
        cut = to_digits(value, digits, cut=True)
        for number in (cut, cut - unit, cut + unit):
            if number not in seen:
                seen.add(number)
                yield number


def findings(
    answer: Mapping[str, Any], computation: Computation, choices: Mapping[str, NodeWork]
) -> Iterator[Finding]:
    """Yield what is found of each answer, in the order of the computation."""
    numbers = {name: read_written(name, x) for name, x in answer.items() if name not in choices}
    wrong = {name for name, x in numbers.items() if not x.fits(computation.values[name])}
    own = {name: x.number for name, x in numbers.items()}
    for node_name, work in choices.items():
        for Q in work.computation.quantities:
            if Q.name in numbers:
                yield finding_of(Q, numbers, wrong, computation)
        if node_name in answer:
            yield finding_of_choice(node_name, answer[node_name], work, own)


def finding_of(
    Q: Quantity, numbers: Mapping[str, Written], wrong: set[str], computation: Computation
) -> Finding:
    """Return what is found of a number."""
    written, exact = numbers[Q.name], computation.values[Q.name]
    slip, why = RIGHT, ""
    if Q.name in wrong:
        slip, why = consequence(Q, numbers, wrong, computation) or explanation(Q, numbers, computation)
    return finding(Q, written, exact, slip, why)


def finding(Q: Quantity, written: Written, exact: Exact, slip: str, why: str) -> Finding:
    """Return what is found of a number, with the right one to as many digits."""
    digits = max(written.digits, EXACT_DIGITS)
    expected = f"{to_digits(exact, digits if digits < MOST_FIGURES else EXACT_DIGITS):f}"
    return Finding(Q.name, written.text, expected, float(decimal_of(exact)), slip, why)


def consequence(
    Q: Quantity, numbers: Mapping[str, Written], wrong: set[str], computation: Computation
) -> tuple[str, str] | None:
    """Return how a number follows from those answered before it, if it does: wrong ones, or rounded ones."""
    before = [P.name for P in computation.above(Q.name).values() if P.name != Q.name and P.name in numbers]
    if not before:
        return None
    own = {name: numbers[name].number for name in before}
    value, more = computation.again(Q.name, own), Fraction(0)
    at_fault = [name for name in before if name in wrong]
    if not at_fault:
        listed = say(", ").join(f"{name} = {numbers[name].text}" for name in before)
        fits = numbers[Q.name].fits(value)
        return (ROUNDED_EARLY, say("rounded too early: {list}", list=listed)) if fits else None
    for name in at_fault:
        moved = computation.again(Q.name, own | {name: own[name] + numbers[name].half})
        more += abs(Fraction(decimal_of(moved)) - Fraction(decimal_of(value)))
    if not numbers[Q.name].fits(value, min(more, numbers[Q.name].half * 4)):
        return None
    if value == computation.again(Q.name, {name: x for name, x in own.items() if name not in wrong}):
        return None
    listed = say(", ").join(f"{name} = {numbers[name].text}" for name in at_fault)
    return FOLLOWS, say("it follows from what was wrong before, {list}", list=listed)


def explanation(Q: Quantity, numbers: Mapping[str, Written], computation: Computation) -> tuple[str, str]:
    """Return the first slip that gives a wrong number, unless so many would have been tried by chance."""
    written = numbers[Q.name]
    given = {name: x.number for name, x in numbers.items() if name != Q.name}
    slips = likely_slips(Wrong(computation, Q, written.digits, given))
    return first_slip(written, computation.values[Q.name], slips)


def first_slip(written: Written, exact: Exact, slips: Iterable[Slip]) -> tuple[str, str]:
    """Return the first of some slips that gives a number."""
    for slip in slips:
        found = written.fits(slip.value) or (slip.loose and written.is_cut(slip.value))
        if found and (slip.kind != POINT or keeps_its_digits(written, slip.value, exact)):
            return slip.kind, slip.says
    return UNEXPLAINED, say("no slip known here explains it")


def likely_slips(case: Wrong) -> Iterator[Slip]:
    """Yield the slips, as long as they give so few numbers that one of them is hardly met by chance."""
    tried: set[Decimal] = {to_digits(case.right, case.digits)}
    room = BY_CHANCE * max(Fraction(1), abs(Fraction(decimal_of(case.right)))) * Fraction(10) ** case.digits
    for slip in slips_of(case):
        tried.add(to_digits(slip.value, case.digits))
        if len(tried) - 1 > room:
            return
        yield slip


def keeps_its_digits(written: Written, moved: Exact, exact: Exact) -> bool:
    """Tell whether a number with its decimal point moved back is right to as many digits as it has now."""
    if not moved:
        return False
    back = product_of(written.number, divided_by(exact, moved))
    return abs(decimal_of(back) - decimal_of(exact)) <= decimal_of(written.half)


def finding_of_choice(name: str, given: Any, work: NodeWork, own: Mapping[str, Fraction]) -> Finding:
    """Return what is found of a choice: right, or by what it was chosen."""
    if not isinstance(given, str):
        raise TypeError(
            f"answer[{name!r}] is {given!r}; wanted the feature or question that is asked, as text"
        )
    topics, right = NamesByHand(may_be_chosen(work), work.other_topics), choice_of(work.bench)
    right = LEAF if right is None else right
    read = (topics.get(words) for words in (given, given.strip().removesuffix("?")))
    chosen = next((topic for topic in read if topic is not None), None)
    if chosen is None:
        raise ValueError(f"answer[{name!r}] is {given!r}; wanted one of {', '.join(may_be_chosen(work))}")
    slip, why = RIGHT, ""
    if chosen != right and chosen in equal_choices(work):
        why = say("as good as {right}, which the tree takes", right=right)
    elif chosen != right:
        slip, why = UNEXPLAINED, say("no slip known here explains it")
        if best_by(work, own) == chosen:
            slip, why = FOLLOWS, say("it follows from what was answered before")
        else:
            for kinds, said in BY_WHAT.items():
                if slip == UNEXPLAINED and topic_of_largest(work, kinds) == chosen:
                    slip, why = OTHER, say("chosen by {what}", what=say(said))
    return Finding(name, given, right, math.nan, slip, why)


def may_be_chosen(work: NodeWork) -> list[str]:
    """List what may be answered to the question of what is asked."""
    once = work.bench.method in BY_FEATURE
    asked = [x for t in work.topics for x in ([t.feature] if once else [q.label for q in t.questions])]
    return [*asked, LEAF]


def best_by(work: NodeWork, own: Mapping[str, Fraction]) -> str | None:
    """Return what would be asked if the answers were right: the first of the best."""
    sign = -1 if work.bench.method == "regression" else 1
    best, found = None, None
    for Q in worths(work):
        value = own[Q.name] if Q.name in own else work.computation.again(Q.name, own)
        worth = decimal_of(value) * sign
        if best is None or worth > best:
            best, found = worth, Q.at.topic
    return found


def topic_of_largest(work: NodeWork, kinds: tuple[str, ...]) -> str | None:
    """Return what would be asked if a quantity of these kinds were to be the largest, over all features."""
    found = [
        Q
        for topic in work.topics
        for Q in topic.quantities
        if Q.kind in kinds and Q.at.topic in may_be_chosen(work)
    ]
    values = work.computation.values
    return max(found, key=lambda Q: decimal_of(values[Q.name])).at.topic if found else None
