"""How many nodes a search for the best tree looks at, with and without what spares it work (chapter 21)."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dtlib.optimal.best_tree import set_of

Bounded = dict[tuple[int, int], tuple[int, bool]]  # of rows and levels: errors at least, and whether exactly


class Spared(NamedTuple):
    """What spares a search work: each may be left out.

    Parameters
    ----------
    memory : bool
        What is known of some rows is not searched again.
    limit : bool
        A side is given up when the other one has used up what a better tree may cost.
    pairs : bool
        The last two levels are solved by counts of pairs.
    similar : bool
        A question is left out if one that parts nearly the same rows was too bad.
    """

    memory: bool = True
    limit: bool = True
    pairs: bool = True
    similar: bool = True


def errors_by_pairs(asked: pd.DataFrame, y: ArrayLike) -> np.ndarray:
    """Return the fewest errors of a tree of two levels that asks each question first, by counts of pairs.

    Parameters
    ----------
    asked : DataFrame of bool, a column for each question
        Which rows say yes.
    y : array-like
        The classes.

    Returns
    -------
    int ndarray, one for each question

    Examples
    --------
    >>> asked = pd.DataFrame({"a": [True, True, False, False], "b": [True, False, True, False]})
    >>> errors_by_pairs(asked, ["even", "odd", "odd", "even"]).tolist()
    [0, 0]
    """
    yes, classes, corners = asked.to_numpy(np.float32), np.asarray(y), []
    for k in np.unique(classes):
        own = yes[classes == k]
        both, first = own.T @ own, own.sum(axis=0)[:, None]
        corners.append([both, first - both, first.T - both, len(own) - first - first.T + both])
    wrong = np.sum(corners, axis=0) - np.max(corners, axis=0)
    return (wrong[:2].sum(axis=0).min(axis=1) + wrong[2:].sum(axis=0).min(axis=1)).astype(int)


def visited(asked: pd.DataFrame, y: ArrayLike, depth: int, spared: Spared | None = None) -> tuple[int, int]:
    """Search for the fewest errors of a tree, and count the nodes at which there was something to do.

    Parameters
    ----------
    asked : DataFrame of bool, a column for each question
        Which rows say yes.
    y : array-like
        The classes.
    depth : int
        Levels of questions.
    spared : Spared, optional
        What spares work; default: everything.

    Returns
    -------
    errors, nodes : int

    Examples
    --------
    >>> asked = pd.DataFrame({"a": [True, True, False, False], "b": [True, False, True, False]})
    >>> visited(asked, ["even", "odd", "odd", "even"], 2)
    (0, 1)
    >>> visited(asked, ["even", "odd", "odd", "even"], 2, Spared(limit=False, pairs=False))
    (0, 7)
    """
    search = _Search(asked, np.asarray(y), spared or Spared())
    return search.best(search.every, depth, len(asked) + 1), search.nodes


class _Search:
    """A search by the recurrence (21.2), without a price."""

    def __init__(self, asked: pd.DataFrame, y: np.ndarray, spared: Spared):
        self.asked, self.y, self.spared = asked, y, spared
        self.yes = [set_of(column) for column in asked.to_numpy(bool).T]
        self.classes = [set_of(y == k) for k in np.unique(y)]
        self.every, self.nodes, self.known = (1 << len(y)) - 1, 0, Bounded()

    def best(self, some: int, depth: int, limit: int) -> int:
        """Return the fewest errors if they are below the limit; else how many there are at least."""
        limit = limit if self.spared.limit else len(self.y) + 1
        least, is_exact = self.known.get((some, depth), (0, False))
        if self.spared.memory and (is_exact or least >= limit):
            return least
        self.nodes += 1
        errors = some.bit_count() - max((some & k).bit_count() for k in self.classes)
        if depth == 2 and errors and self.spared.pairs:
            rows = np.array([some >> i & 1 for i in range(len(self.y))], bool)
            errors = min(errors, int(errors_by_pairs(self.asked[rows], self.y[rows]).min(initial=errors)))
        elif depth and errors:
            errors = min(errors, min(self.asking(some, depth, min(errors, limit)), default=errors))
        is_exact = errors < limit or not self.spared.limit
        self.known[some, depth] = errors, is_exact
        return errors

    def asking(self, some: int, depth: int, limit: int) -> Iterator[int]:
        """Yield how many errors there are at least after each first question; exactly, if below the limit."""
        bounds = [0] * len(self.yes)
        for q, yes in enumerate(self.yes):
            if bounds[q] >= limit and self.spared.similar:
                yield bounds[q]
                continue
            one, other = some & yes, some & ~yes
            if not one or not other:
                continue
            errors = self.best(one, depth - 1, limit)
            if errors < limit or not self.spared.limit:
                errors += self.best(other, depth - 1, limit - errors)
            limit = min(limit, errors)
            yield errors
            if self.spared.similar:
                for r, unlike in enumerate(self.yes):
                    moved = ((yes ^ unlike) & some).bit_count()
                    bounds[r] = max(bounds[r], errors - min(moved, some.bit_count() - moved))
