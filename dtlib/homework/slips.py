"""The slips that lead to a wrong number: each computes what a person would get who makes it.

A slip is tried where it can happen: in the quantity itself, or in those before it that are not part of the
answer. What it makes is compared with what was answered, to the digits answered.

Examples
--------
>>> from dtlib.datasets import load_loan
>>> from dtlib.homework.worked import worked
>>> known = worked(load_loan().frame, "approved").computation
>>> Q = next(Q for Q in known.quantities if Q.name == "H(D)")
>>> [round(float(slip.value), 3) for slip in slips_of(Wrong(known, Q, 3, {})) if slip.kind == WRONG_BASE]
[0.673, 0.292]
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, combinations, permutations
from typing import NamedTuple

from dtlib.homework.expressions import (
    UNITY,
    Exact,
    Expression,
    Given,
    Quotient,
    Reckoning,
    Share,
    Times,
    Total,
    base_factor,
    plain_number,
    plus,
    product_of,
    to_digits,
)
from dtlib.homework.quantities import (
    IN_BITS,
    IN_UNITS,
    SPREADS,
    Computation,
    Counts,
    Quantity,
    distances_of,
    impurity_terms,
    known,
    mean_of_target,
    median_of_target,
    spread_terms,
    squares_of,
    with_weights,
)
from dtlib.messages import say

RIGHT, FOLLOWS, ROUNDED_EARLY, TRUNCATED = "right", "follows from before", "rounded too early", "truncated"
SIGN, POINT, ONE_MINUS, WRONG_BASE = "sign", "decimal point", "one minus", "wrong base"
SWAPPED, NO_WEIGHTS, MISSED, WRONG_TOTAL = "swapped", "weights forgotten", "missed", "wrong total"
WRONG_BRANCH, CARRIED = "wrong branch", "carried on"
OTHER, WEIGHTED, MISCOUNTED, UNEXPLAINED = "wrong quantity", "already weighted", "miscounted", "unexplained"
IMPURITIES = {"entropy", "gini", "misclassification", "split information"}


class Slip(NamedTuple):
    """A slip: its kind, what it is in words, what it makes of the quantity; whether it may be cut off too."""

    kind: str
    says: str
    value: Exact
    loose: bool = False


@dataclass(frozen=True)
class Wrong:
    """A wrong quantity: the computation, the quantity, the digits answered, the answers before it."""

    computation: Computation
    Q: Quantity
    digits: int
    given: Mapping[str, Exact]

    @property
    def right(self) -> Exact:
        """What the quantity is."""
        return self.computation.values[self.Q.name]

    @property
    def hidden(self) -> list[Quantity]:
        """The quantity, and those before it that are not part of the answer, the nearest first."""
        above = self.computation.above(self.Q.name).values()
        return [P for P in reversed(above) if P.name == self.Q.name or P.name not in self.given]

    @property
    def fixed(self) -> dict[str, Exact]:
        """What the answers before it are, exactly."""
        return {name: self.computation.values[name] for name in self.given}


Change = Callable[[Quantity], Expression | None]


def slips_of(case: Wrong) -> Iterator[Slip]:
    """Yield the slips, the most likely first."""
    yield from roundings(case)
    yield from of_the_digits(case)
    yield from of_the_spread(case)
    yield from bases(case)
    yield from mixed_up(case)
    yield from of_the_weights(case)
    yield from of_the_totals(case)
    yield from of_the_form(case)
    yield from miscounts(case)
    yield from wrong_branches(case)
    yield from carried_on(case)


def roundings(case: Wrong) -> Iterator[Slip]:
    """Yield what comes out of numbers that were rounded on the way, and of the result cut off."""
    d, again = case.digits, case.computation.again
    if case.Q.inputs:
        how = Reckoning(digits={"known": d})
        before = {name: to_digits(again(name, case.fixed, how=how), d) for name in case.Q.inputs}
        listed = say(", ").join(f"{name} = {x}" for name, x in before.items())
        value = again(case.Q.name, case.fixed, how=how)
        yield Slip(ROUNDED_EARLY, say("rounded too early: {list}", list=listed), value)
    if case.Q.kind in IMPURITIES or any(P.kind in IMPURITIES for P in case.hidden):
        for what, said in (
            ("term", say("rounded too early: the terms of the sum, decimals kept: {digits}", digits=d)),
            ("share", say("rounded too early: the shares, decimals kept: {digits}", digits=d)),
            ("log", say("rounded too early: the logarithms, decimals kept: {digits}", digits=d)),
        ):
            how = Reckoning(digits={"known": d, what: d})
            yield Slip(ROUNDED_EARLY, said, again(case.Q.name, case.fixed, how=how))
        if d > 1:
            how = Reckoning(digits={"log": d - 1})
            said = say("rounded too early: the logarithms, decimals kept: {digits}", digits=d - 1)
            yield Slip(ROUNDED_EARLY, said, again(case.Q.name, case.fixed, how=how))
    cut = Fraction(to_digits(case.right, d, cut=True))
    yield Slip(TRUNCATED, say("truncated, not rounded"), cut)


def of_the_digits(case: Wrong) -> Iterator[Slip]:
    """Yield the number with a lost sign or a shifted decimal point, and what is missing from 1."""
    right = case.right
    yield Slip(SIGN, say("the sign is wrong"), product_of(Fraction(-1), right))
    for power in (1, -1, 2, -2):
        value = product_of(right, Fraction(10) ** power)
        yield Slip(POINT, say("the decimal point is shifted, or a zero lost"), value)
    if case.Q.kind in IN_UNITS:
        return  # a share that is missing from 1 is one of rows
    if case.Q.kind in ("gini", "misclassification"):
        said = say("the shares were not taken from 1")
        yield Slip(ONE_MINUS, said, plus(UNITY, product_of(Fraction(-1), right)))
    elif case.Q.kind.startswith(("branches of", "gain")) or case.Q.kind in IMPURITIES:
        yield Slip(ONE_MINUS, say("1 minus what is right"), plus(UNITY, product_of(Fraction(-1), right)))
    if case.Q.kind.startswith("gain of"):
        part = case.computation.values[case.Q.inputs[1]]
        said = say("{whole} was taken for 1", whole=case.Q.inputs[0])
        yield Slip(ONE_MINUS, said, plus(UNITY, product_of(Fraction(-1), part)))


def bases(case: Wrong) -> Iterator[Slip]:
    """Yield what other logarithms give."""
    if case.Q.kind not in IN_BITS and case.Q.kind != "best":
        return
    K = len(case.Q.parts) if case.Q.kind in IMPURITIES else 0
    said = say("natural logarithms, so nats and not bits")
    listed = [(None, said), (Fraction(10), say("logarithms to base 10"))]
    if K > 2:
        listed.append((Fraction(K), say("logarithms to base {base}", base=K)))
    for base, words in listed:
        yield Slip(WRONG_BASE, words, product_of(case.right, base_factor(base)))


def mixed_up(case: Wrong) -> Iterator[Slip]:
    """Yield other quantities that may have been written down instead: all are of the same node."""
    Q = case.Q
    here = [P for P in case.computation.quantities if P.at.node == Q.at.node and P.name != Q.name]
    yield from written_for_it(case, [P for P in here if same_topic(P, Q) and P.kind == Q.kind], SWAPPED)
    yield from written_for_it(case, [*other_kinds(here, Q)], OTHER)
    if Q.kind == "gain ratio":
        yield from over_the_whole(case, next(P for P in here if not P.at.topic))
    if Q.kind not in IMPURITIES:
        alike = [P for P in here if P.kind == Q.kind and not same_topic(P, Q)]
        yield from written_for_it(case, alike, SWAPPED)


def same_topic(P: Quantity, Q: Quantity) -> bool:
    """Tell whether two quantities are of the same feature, or both of the node itself."""
    return P.at.topic == Q.at.topic


def other_kinds(here: Sequence[Quantity], Q: Quantity) -> Iterator[Quantity]:
    """Yield what else is computed of the feature of a quantity, and of its node."""
    yield from (P for P in here if same_topic(P, Q) and P.kind != Q.kind)
    if Q.at.topic:
        yield from (P for P in here if not P.at.topic)


def written_for_it(case: Wrong, others: Sequence[Quantity], kind: str) -> Iterator[Slip]:
    """Yield quantities that were written down for another one."""
    for P in others:
        if kind == SWAPPED:
            said = say("swapped: this is {name}", name=P.name)
        else:
            said = say("another quantity: this is {name}", name=P.name)
        yield Slip(kind, said, case.computation.values[P.name], loose=True)


def over_the_whole(case: Wrong, whole: Quantity) -> Iterator[Slip]:
    """Yield a gain divided by the impurity of its node, and not by the split information."""
    values = case.computation.values
    if values[whole.name]:
        gain, under = (Given(Fraction(values[name])) for name in (case.Q.inputs[0], whole.name))
        said = say("divided by {name}", name=whole.name)
        yield Slip(WRONG_TOTAL, said, Quotient(gain, under).value(Reckoning()))


def of_the_weights(case: Wrong) -> Iterator[Slip]:
    """Yield what comes out if the weights of branches are forgotten, or one branch or class is missed."""
    yield from changed(
        case, NO_WEIGHTS, say("the weights of the branches forgotten: a plain mean"), plain_mean
    )
    yield from changed(case, NO_WEIGHTS, say("the weights of the branches forgotten: a plain sum"), plain_sum)
    if case.Q.kind in ("entropy", "gini", "misclassification", *SPREADS) and case.Q.at.topic:
        n = case.Q.size
        N = whole_of(case)
        if n != N:
            share = f"{plain_number(n)}/{plain_number(N)}"
            said = say("already multiplied by its weight, {share}", share=share)
            yield Slip(WEIGHTED, said, product_of(case.right, n / N), loose=True)
    for P in case.hidden:
        if P.kind.startswith("branches of"):
            for name in P.inputs:
                if case.computation.values[name]:
                    said = say("{name} was left out", name=name)
                    yield from changed(case, MISSED, said, less_a_branch(name), P)
            for i, j in combinations(range(len(P.parts)), 2):
                if P.parts[i] != P.parts[j] and len(P.parts) <= 3:
                    said = say("swapped: the weights of {a} and {b}", a=P.inputs[i], b=P.inputs[j])
                    yield from changed(case, SWAPPED, said, exchanged(i, j), P)
    if case.Q.kind in IMPURITIES and sum(n > 0 for n in case.Q.parts) > 1:
        for k, (n, label) in enumerate(zip(case.Q.parts, case.Q.labels, strict=True)):
            if n:
                said = say("the term of {label} was left out", label=label)
                yield from changed(case, MISSED, said, less_a_class(k), case.Q)


def whole_of(case: Wrong) -> Fraction:
    """Return the weight of the node to which a quantity belongs."""
    own = [P for P in case.computation.quantities if P.at.node == case.Q.at.node and not P.at.topic]
    return own[0].size


def of_the_totals(case: Wrong) -> Iterator[Slip]:
    """Yield what comes out if shares are taken of the wrong total."""
    own = next(P for P in case.computation.quantities if not P.at.topic)
    totals = {own.size: own.at.D}
    if case.Q.at.node:
        totals[whole_of(case)] = case.Q.at.D
    for N, D in totals.items():
        said = say("shares of the wrong total: of all {n} rows of {D}", n=plain_number(N), D=D)
        yield from changed(case, WRONG_TOTAL, said, of_total(N))
    if case.Q.kind in IMPURITIES and case.Q.at.topic:
        same = [P for P in case.computation.quantities if P.kind == case.Q.kind and P.at == case.Q.at]
        for N in {sum(P.parts, Fraction(0)) for P in same} - {sum(case.Q.parts, Fraction(0))}:
            if max(case.Q.parts) <= N:
                said = say("shares of the wrong total: of {n} rows", n=plain_number(N))
                yield from changed(case, WRONG_TOTAL, said, of_total(N), case.Q)


def of_the_form(case: Wrong) -> Iterator[Slip]:
    """Yield what a wrong formula gives: a fraction upside down, distances for squares, a mean for a sum."""
    Q, values = case.Q, case.computation.values
    if Q.kind == "gain ratio" and values[Q.inputs[0]]:
        said = say("upside down: {a} was divided by {b}", a=Q.inputs[1], b=Q.inputs[0])
        inverse = Quotient(known_of(case, Q.inputs[1]), known_of(case, Q.inputs[0]))
        yield Slip(OTHER, said, inverse.value(Reckoning(values)))
    if Q.kind == "average":
        total, count = average_parts(Q.expression)
        said = say("the sum of the gains, not their mean")
        yield Slip(NO_WEIGHTS, said, total.value(Reckoning(values)))
        for m in (count - 1, count + 1):
            if m > 0:
                said = say("divided by {wrong} and not by {right}", wrong=m, right=count)
                value = Quotient(total, Given(Fraction(m))).value(Reckoning(values))
                yield Slip(WRONG_TOTAL, said, value)
    if Q.kind in ("squares", "mean"):
        yield from of_the_numbers(case)
    if Q.kind in ("distances", "median"):
        yield from of_the_middle(case)


def average_parts(what: Expression) -> tuple[Expression, int]:
    """Return the sum of an average, and how many it is of."""
    assert isinstance(what, Quotient)
    assert isinstance(what.under, Given)
    return what.over, int(what.under.number)


def known_of(case: Wrong, name: str) -> Expression:
    """Return a quantity of the computation as a part of an expression."""
    return known(next(P for P in case.computation.quantities if P.name == name))


def of_the_numbers(case: Wrong) -> Iterator[Slip]:
    """Yield the slips of means and squares: another divisor, the median, distances, squares about 0."""
    Q, right = case.Q, case.right
    numbers = sorted(Q.parts)
    n = len(numbers)
    if Q.kind == "mean":
        for m in (n - 1, n + 1):
            if m > 0:
                said = say("divided by {wrong} and not by {right}", wrong=m, right=n)
                yield Slip(WRONG_TOTAL, said, product_of(right, Fraction(n, m)))
        middle = (numbers[(n - 1) // 2] + numbers[n // 2]) / 2
        yield Slip(OTHER, say("the median, not the mean"), middle)
        for y in sorted(set(numbers)) if n > 1 else []:
            left = (sum(numbers, Fraction(0)) - y) / (n - 1)
            yield Slip(MISSED, say("{number} was left out", number=plain_number(y)), left)
    elif Q.kind == "squares" and n > 1:
        yield Slip(OTHER, say("the mean of the squares, not their sum"), product_of(right, Fraction(1, n)))
        yield Slip(OTHER, say("the sum of the squares by n - 1"), product_of(right, Fraction(1, n - 1)))
        mean = Fraction(sum(numbers, Fraction(0)), n)
        far = sum((abs(y - mean) for y in numbers), Fraction(0))
        yield Slip(OTHER, say("the sum of the distances, not of their squares"), far)
        yield Slip(
            OTHER,
            say("the squares about 0, not about the mean"),
            sum((y * y for y in numbers), Fraction(0)),
        )
        for y in sorted(set(numbers)):
            said = say("{number} was left out", number=plain_number(y))
            yield Slip(MISSED, said, plus(right, -((y - mean) ** 2)))


def of_the_middle(case: Wrong) -> Iterator[Slip]:
    """Yield the slips of medians and distances: the mean, numbers not sorted, squares, their mean."""
    Q, n = case.Q, len(case.Q.parts)
    mean = Fraction(sum(Q.parts, Fraction(0)), n)
    if Q.kind == "median":
        yield Slip(OTHER, say("the mean, not the median"), mean)
        unsorted = (Q.parts[(n - 1) // 2] + Q.parts[n // 2]) / 2
        yield Slip(OTHER, say("the middle one as they stand, not sorted"), unsorted)
        for y in sorted(Q.parts)[(n - 1) // 2 : n // 2 + 1]:
            yield Slip(OTHER, say("one of the two in the middle, not their mean"), y)
        return
    squares = sum(((y - mean) ** 2 for y in Q.parts), Fraction(0))
    yield Slip(OTHER, say("the mean of the distances, not their sum"), product_of(case.right, Fraction(1, n)))
    about_mean = sum((abs(y - mean) for y in Q.parts), Fraction(0))
    yield Slip(OTHER, say("the distances from the mean, not from the median"), about_mean)
    yield Slip(OTHER, say("the sum of the squares, not of the distances"), squares)


def of_the_spread(case: Wrong) -> Iterator[Slip]:
    """Yield what comes out if squares are divided by n - 1, or if the root is not taken."""
    if not any(P.kind in SPREADS for P in case.hidden):
        return
    for kind, said, measure, less in (
        (WRONG_TOTAL, say("the squares divided by n - 1 and not by n"), "", 1),
        (OTHER, say("the variance, not the standard deviation"), "variance", 0),
        (OTHER, say("the standard deviation, not the variance"), "standard deviation", 0),
    ):
        yield from changed(case, kind, said, other_spread(case, measure, less))


def other_spread(case: Wrong, measure: str, less: int) -> Change:
    """Compute another spread, if that is one, or divide the squares by less than n."""

    def change(Q: Quantity) -> Expression | None:
        if Q.kind not in SPREADS or Q.kind == measure:
            return None
        squares = next(P for P in case.computation.quantities if P.name == Q.inputs[0])
        return spread_terms(measure or Q.kind, squares, max(1, len(Q.parts) - less))

    return change


def miscounts(case: Wrong) -> Iterator[Slip]:
    """Yield what comes out if one row is counted for another class, or one too many or too few."""
    Q = case.Q
    if Q.kind not in ("entropy", "gini", "misclassification"):
        return
    for i, j in ((i, j) for i in range(len(Q.parts)) for j in range(len(Q.parts)) if i != j):
        counts = list(Q.parts)
        counts[i], counts[j] = counts[i] - 1, counts[j] + 1
        if min(counts) >= 0:
            what = impurity_terms(Q.kind, counts, [sum(counts, Fraction(0))] * len(counts))
            told = ", ".join(f"{k} {plain_number(n)}" for k, n in zip(Q.labels, counts, strict=True))
            yield Slip(MISCOUNTED, say("miscounted: {counts}", counts=told), what.value(Reckoning()))


def wrong_branches(case: Wrong) -> Iterator[Slip]:
    """Yield what comes out if one row is counted in another branch of the question."""
    Q, named = case.Q, {P.name: P for P in case.computation.quantities}
    left = next((P for P in case.hidden if P.kind.startswith(("branches of", "sum of"))), None)
    if not Q.at.topic:
        return
    if Q.kind == "split information":
        for i, j in permutations(range(len(Q.parts)), 2):
            if Q.parts[i] >= 1:
                what = entropy_of_sizes(shifted(shifted(Q.parts, i, -1), j, 1))
                said = say(
                    "a row counted in the wrong branch: one of {a} in {b}", a=Q.labels[i], b=Q.labels[j]
                )
                yield Slip(WRONG_BRANCH, said, what.value(Reckoning()))
    elif left is not None:
        yield from rows_moved(case, left, [named[name] for name in left.inputs])
    elif Q.kind in (*IMPURITIES, "mean", "median", "squares", "distances", *SPREADS):
        alike = [P for P in named.values() if P.at == Q.at and P.kind == Q.kind]
        yield from row_too_few_or_many(case, alike)


def rows_moved(case: Wrong, left: Quantity, branches: Sequence[Quantity]) -> Iterator[Slip]:
    """Yield what a question leaves, gains or is worth if a row is counted in another of its branches."""
    bits = next((P for P in case.hidden if P.kind == "split information" and P.parts == left.parts), None)
    for i, j in permutations(range(len(branches)), 2):
        for row, less, more in moves(branches[i], branches[j]):
            parts = [{i: less, j: more}.get(k, P.parts) for k, P in enumerate(branches)]
            instead = dict[str, Expression]()
            for P, own in zip(branches, parts, strict=True):
                instead |= made_of(case, P, own)
            sizes = tuple(size_of(P, own) for P, own in zip(branches, parts, strict=True))
            if left.parts:
                shares = [Share(n, sum(sizes, Fraction(0))) for n in sizes]
                instead[left.name] = with_weights(branches, shares)
            if bits is not None:
                instead[bits.name] = entropy_of_sizes(sizes)
            a, b = (branches[k].name.partition("|")[2][:-1] for k in (i, j))
            said = say("a row counted in the wrong branch: one {row} of {a} in {b}", row=row, a=a, b=b)
            yield Slip(WRONG_BRANCH, said, case.computation.again(case.Q.name, case.fixed, instead))


def row_too_few_or_many(case: Wrong, alike: Sequence[Quantity]) -> Iterator[Slip]:
    """Yield what comes out of a branch if it lacks a row, or has one of the others."""
    Q = case.Q
    for P in alike:
        if P.name != Q.name:
            found = [(say("one {row} is missing here", row=row), less) for row, less, _ in moves(Q, P)]
            found += [(say("one {row} is too many here", row=row), more) for row, _, more in moves(P, Q)]
            for what, parts in found:
                said = say("a row counted in the wrong branch: {row}", row=what)
                value = case.computation.again(Q.name, case.fixed, made_of(case, Q, parts))
                yield Slip(WRONG_BRANCH, said, value)


def moves(a: Quantity, b: Quantity) -> Iterator[tuple[str, Counts, Counts]]:
    """Yield which row may go from a branch to another, and the counts or numbers of both afterwards."""
    if a.size <= 1:
        return
    for k, label in enumerate(a.labels):
        if a.parts[k] >= 1:
            yield label, shifted(a.parts, k, -1), shifted(b.parts, k, 1)
    for y in () if a.labels else sorted(set(a.parts)):
        k = a.parts.index(y)
        yield plain_number(y), a.parts[:k] + a.parts[k + 1 :], (*b.parts, y)


def shifted(counts: Counts, k: int, by: int) -> Counts:
    """Return counts, one of them with so many more.

    Examples
    --------
    >>> [int(n) for n in shifted((Fraction(2), Fraction(3)), 1, -1)]
    [2, 2]
    """
    return tuple(n + by * (i == k) for i, n in enumerate(counts))


def size_of(P: Quantity, parts: Counts) -> Fraction:
    """Return the weight of the rows of a branch with other counts or numbers."""
    return replace(P, parts=parts).size


def entropy_of_sizes(sizes: Counts) -> Expression:
    """Return the split information of branches of these sizes."""
    return impurity_terms("entropy", sizes, [sum(sizes, Fraction(0))] * len(sizes))


def made_of(case: Wrong, P: Quantity, parts: Counts) -> dict[str, Expression]:
    """Return the expressions of a branch, and of what it is computed from, of other counts or numbers."""
    found, before = dict[str, Expression](), case.computation.above(P.name)
    for R in before.values():
        if R.kind in ("entropy", "gini", "misclassification"):
            found[R.name] = impurity_terms(R.kind, parts, [sum(parts, Fraction(0))] * len(parts))
        elif R.kind in SPREADS:
            found[R.name] = spread_terms(R.kind, before[R.inputs[0]], len(parts))
        elif R.kind in ("mean", "median"):
            found[R.name] = CENTERS[R.kind](R.at, "", parts).expression
        else:
            found[R.name] = ABOUT[R.kind](R.at, "", parts, before[R.inputs[0]]).expression
    return found


CENTERS = {"mean": mean_of_target, "median": median_of_target}
ABOUT = {"squares": squares_of, "distances": distances_of}


def carried_on(case: Wrong) -> Iterator[Slip]:
    """Yield what comes out of a slip in a line before that is not part of the answer."""
    for P in case.hidden:
        if P.name == case.Q.name:
            continue
        before = Wrong(case.computation, P, case.digits, case.given)
        for slip in chain.from_iterable(
            way(before) for way in (of_the_digits, bases, of_the_form, miscounts)
        ):
            rounded = to_digits(slip.value, case.digits)
            said = say(
                "carried on from a wrong line, {name} = {value}: {slip}",
                name=P.name, value=f"{rounded:f}", slip=slip.says,
            )  # fmt: skip
            for wrong in (slip.value, Fraction(rounded)):
                yield Slip(CARRIED, said, case.computation.again(case.Q.name, {**case.fixed, P.name: wrong}))


def changed(
    case: Wrong, kind: str, said: str, change: Change, only: Quantity | None = None
) -> Iterator[Slip]:
    """Yield what a change of the expressions that are not part of the answer makes of the quantity."""
    places = case.hidden if only is None else [only]
    instead = {P.name: found for P in places if (found := change(P)) is not None}
    if instead:
        where = next(reversed(instead)) if case.Q.name not in instead else ""
        words = say("{slip} (in {name})", slip=said, name=where) if where else said
        yield Slip(kind, words, case.computation.again(case.Q.name, case.fixed, instead))


def branch_terms(Q: Quantity) -> list[tuple[Fraction, Expression]] | None:
    """Return the sizes of the branches whose mean a quantity is, and the branches."""
    if not Q.kind.startswith("branches of") or not isinstance(Q.expression, Total):
        return None
    parts = [term.factors[1] for _, term in Q.expression.terms if isinstance(term, Times)]
    return list(zip(Q.parts, parts, strict=True))


def plain_mean(Q: Quantity) -> Expression | None:
    """Give each branch the same weight."""
    terms = branch_terms(Q)
    if terms is None or len({n for n, _ in terms}) == 1:
        return None
    return Quotient(Total(tuple((1, x) for _, x in terms)), Given(Fraction(len(terms))))


def plain_sum(Q: Quantity) -> Expression | None:
    """Give each branch the weight 1."""
    terms = branch_terms(Q)
    return None if terms is None or len(terms) < 2 else Total(tuple((1, x) for _, x in terms))


def less_a_branch(name: str) -> Change:
    """Leave a branch out of a sum."""

    def change(Q: Quantity) -> Expression | None:
        assert isinstance(Q.expression, Total)
        terms = zip(Q.expression.terms, Q.inputs, strict=True)
        kept = tuple(term for term, of in terms if of != name)
        return Total(kept) if kept else Given(Fraction(0))

    return change


def exchanged(i: int, j: int) -> Change:
    """Exchange the weights of two branches."""

    def change(Q: Quantity) -> Expression | None:
        terms = branch_terms(Q)
        assert terms is not None
        sizes = [n for n, _ in terms]
        sizes[i], sizes[j] = sizes[j], sizes[i]
        N = sum(sizes, Fraction(0))
        pairs = zip(sizes, terms, strict=True)
        return Total(tuple((1, Times((Share(n, N), x))) for n, (_, x) in pairs))

    return change


def less_a_class(k: int) -> Change:
    """Leave the term of a class out."""

    def change(Q: Quantity) -> Expression | None:
        assert isinstance(Q.expression, Total)
        offset = len(Q.expression.terms) - sum(n > 0 for n in Q.parts)
        place = offset + sum(n > 0 for n in Q.parts[:k])
        if Q.kind == "misclassification":
            return None
        kept = tuple(term for i, term in enumerate(Q.expression.terms) if i != place)
        return Total(kept)

    return change


def of_total(N: Fraction) -> Change:
    """Take the shares of another total."""

    def change(Q: Quantity) -> Expression | None:
        total = sum(Q.parts, Fraction(0))
        if Q.kind in IMPURITIES and total != N:
            kind = "entropy" if Q.kind == "split information" else Q.kind
            return impurity_terms(kind, Q.parts, [N] * len(Q.parts))
        terms = branch_terms(Q)
        if terms is not None and total != N:
            return Total(tuple((1, Times((Share(n, N), x))) for n, x in terms))
        return None

    return change
