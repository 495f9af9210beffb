"""The smallest set that has an element of each of some sets (chapter 24).

Which values of a row suffice for its answer is such a question: one feature at least must be kept of each set
of features that could turn the answer together (Reiter, 1987) [1]_. It is NP-hard, for a decision tree, too
[2]_, so the search has a budget; a set of which no element can be left out is found in any case.

References
----------
.. [1] R. Reiter, "A theory of diagnosis from first principles", Artificial Intelligence 32 (1987) 57-95.
.. [2] P. Barceló, M. Monet, J. Pérez, B. Subercaseaux, "Model interpretability through the lens of
   computational complexity", NeurIPS 33 (2020).
"""

from collections import Counter
from collections.abc import Sequence

STEPS = 20_000  # of the search

Sets = Sequence[frozenset[int]]


class OutOfSteps(Exception):
    """The search has no steps left."""


class Budget:
    """The number of steps that a search may still take.

    Examples
    --------
    >>> budget = Budget(1)
    >>> budget.spend()
    >>> budget.left
    0
    """

    def __init__(self, steps: int) -> None:
        self.left = steps

    def spend(self) -> None:
        """Take a step; raise `OutOfSteps` if none is left."""
        if not self.left:
            raise OutOfSteps
        self.left -= 1


def smallest_hitting_set(sets: Sets, steps: int = STEPS) -> tuple[frozenset[int], bool]:
    """Return the smallest set with an element of each of some sets, and whether that is proved.

    Parameters
    ----------
    sets : sequence of frozenset of int
        None of them is empty.
    steps : int
        After so many steps of the search, a set is returned that may not be the smallest, of which no element
        can be left out.

    Returns
    -------
    hitting_set : frozenset of int
        Of several, the one whose smallest element is the smallest, then the second smallest, and so on.
    is_smallest : bool

    Examples
    --------
    >>> sets = [frozenset({0, 1}), frozenset({1, 2}), frozenset({2, 3})]
    >>> smallest_hitting_set(sets)
    (frozenset({0, 2}), True)
    >>> smallest_hitting_set(sets, steps=0)
    (frozenset({1, 2}), False)
    """
    budget = Budget(steps)
    try:
        size = disjoint(sets)
        while not can_hit(sets, size, budget):
            size += 1
        found: set[int] = set()
        for element in sorted(frozenset().union(*sets)):
            rest = [one for one in sets if element not in one]
            if len(rest) < len(sets) and can_hit(rest, size - len(found) - 1, budget):
                found.add(element)
                sets = rest
        return frozenset(found), True
    except OutOfSteps:
        return irredundant(sets), False


def disjoint(sets: Sets) -> int:
    """Return how many of some sets, the smaller ones first, share no element, so that each needs its own.

    Examples
    --------
    >>> disjoint([frozenset({0, 1}), frozenset({1, 2}), frozenset({2, 3})])
    2
    """
    met: set[int] = set()
    number = 0
    for one in sorted(sets, key=len):
        if met.isdisjoint(one):
            met |= one
            number += 1
    return number


def can_hit(sets: Sets, size: int, budget: Budget) -> bool:
    """Tell whether some set of at most `size` elements has an element of each of some sets.

    Examples
    --------
    >>> can_hit([frozenset({0, 1}), frozenset({2})], 1, Budget(10))
    False
    """
    budget.spend()
    if not sets:
        return True
    if disjoint(sets) > size:
        return False
    how_often = Counter(element for one in sets for element in one)
    smallest = min(sets, key=lambda one: (len(one), sorted(one)))
    tried: set[int] = set()
    for element in sorted(smallest, key=lambda element: (-how_often[element], element)):
        rest = [one - tried for one in sets if element not in one]  # sets with those tried are searched
        if all(rest) and can_hit(rest, size - 1, budget):
            return True
        tried.add(element)
    return False


def irredundant(sets: Sets) -> frozenset[int]:
    """Return a set with an element of each of some sets, of which no element can be left out.

    Examples
    --------
    >>> irredundant([frozenset({0, 1}), frozenset({1, 2}), frozenset({3})])
    frozenset({1, 3})
    """
    found: set[int] = set()
    rest = list(sets)
    while rest:
        how_often = Counter(element for one in rest for element in one)
        found.add(max(sorted(how_often), key=how_often.__getitem__))
        rest = [one for one in rest if found.isdisjoint(one)]
    for element in sorted(found):
        if all(not one.isdisjoint(found - {element}) for one in sets):
            found.discard(element)
    return frozenset(found)
