"""Computes the numbered formulas in all draws of their scenes, and says what is wrong with them."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

from tests.book.formulas import tables, trees  # noqa: F401  (they fill SCENES)
from tests.book.formulas.displays import displays
from tests.book.formulas.evaluate import Compared, Meanings, compare
from tests.book.formulas.scenes import SCENES, draws_of

# What a formula raises that says what cannot be: a letter without a meaning, a place that is not there.
NOT_COMPUTED = (LookupError, ArithmeticError, TypeError, ValueError, AttributeError, Warning)
NOT_RUN: dict[str, str] = {}


@cache
def draws(number: str) -> tuple[Meanings, ...]:
    """Return the draws of a formula, made once."""
    return tuple(draws_of(number))


def wrong(number: str, tex: str | None = None) -> list[str]:
    """List what is wrong with a numbered formula, or with another TeX in its place."""
    tex = displays()[number] if tex is None else tex
    reached, decided = defaultdict(set), set()
    for meanings in draws(number):
        try:
            found = compare(tex, meanings)
        except NOT_COMPUTED as error:
            return [f"cannot be computed: {type(error).__name__}: {error}"]
        if not found:
            return ["nothing is compared"]
        for one in found:
            if "decides" in meanings and one.relation in "<>≤≥":
                decided.add((one.holds, meanings["decides"]))
                if one.holds != meanings["decides"]:
                    return [
                        f"{one.left} {one.relation} {one.right} is {one.holds}, the library says otherwise"
                    ]
            elif not one.holds:
                return [f"{one.left} {one.relation} {one.right} does not hold"]
            elif one.relation in "≤≥":
                reached[one.place].add(one.equal)
                if not near(one, meanings):
                    return [f"{one.left} {one.relation} {one.right}, but should be nearer"]
    loose = [f"the bound at {place} is never reached" for place, seen in reached.items() if True not in seen]
    loose += [
        f"the bound at {place} is always reached" for place, seen in reached.items() if False not in seen
    ]
    return loose + (["it decides nothing"] if len(decided) == 1 else [])


def gap(one: Compared) -> float:
    """Return how far apart two sides are, as a share of the smaller."""
    return abs(one.left - one.right) / max(min(abs(one.left), abs(one.right)), 1e-300)


def near(one: Compared, meanings: Meanings) -> bool:
    """Tell whether a bound is as near as a draw says that it is."""
    if "tight" in meanings and not gap(one) <= meanings["tight"]:
        return False
    return one.equal or "reached" not in meanings


def unbound() -> list[str]:
    """Return the numbered formulas without a scene."""
    return [number for number in displays() if number not in SCENES]
