"""How the letters of numbered formulas get their values: the form of it, and what many chapters share.

A scene is a generator of meanings, one dictionary for each draw; `says` names the formulas that hold in it.
The left side of a definition is what the library computes, and no scene computes what its formula says. Some
keys are no letters:

- "value" is what a formula without a second side is compared with, by the relation "by";
- "decides" is what the library does exactly where an inequality holds;
- "nearly" and "close" say how far off ≈ and = may be, "tight" how near a bound is, "reached" that it is.

Each bound must be reached in some draw and missed in another, so that a looser one is noticed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from tests.book.formulas.evaluate import Meanings, Unknown

Scene = Callable[[np.random.Generator], Iterator[Meanings]]
SCENES: dict[str, Scene] = {}


def says(*numbers: str) -> Callable[[Scene], Scene]:
    """Let some formulas be computed in a scene."""

    def told(scene: Scene) -> Scene:
        assert not SCENES.keys() & set(numbers), numbers
        SCENES.update(dict.fromkeys(numbers, scene))
        return scene

    return told


def draws_of(number: str) -> list[Meanings]:
    """Return the draws of a formula, the same ones every time."""
    return list(SCENES[number](np.random.default_rng(int(number.replace(".", "")))))


def at(numbers: Any, first: int = 1) -> Callable[..., Any]:
    """Return a function of one or more indices that count from 1; there is nothing beyond the ends.

    Examples
    --------
    >>> at([[3, 4]])(1, 2)
    4
    """

    def look(*places: int) -> Any:
        x = np.asarray(numbers)
        for i in places:
            if not 0 <= i - first < len(x):
                raise Unknown(f"the place {i}")
            x = x[i - first]
        return x.item() if isinstance(x, np.generic) else x

    return look


def given(result: Any, *arguments: Any) -> Callable[..., Any]:
    """Return a function that knows one answer, and to no other question.

    Examples
    --------
    >>> given(0.4, "D", "A")("D", "A")
    0.4
    """

    def answer(*said: Any) -> Any:
        pairs = zip(said, arguments, strict=True)
        if not all(a is b or (np.ndim(a) == np.ndim(b) == 0 and a == b) for a, b in pairs):
            raise Unknown("other arguments")
        return result

    return answer


def below(numbers: Sequence[Any]) -> range:
    """Return the indices of a list, from 1.

    Examples
    --------
    >>> list(below("abc"))
    [1, 2, 3]
    """
    return range(1, len(numbers) + 1)


def table(rng: np.random.Generator, V: int, K: int) -> np.ndarray:
    """Draw a table of counts, in which every value and every class occurs."""
    while True:
        n = rng.integers(0, 12, (V, K))
        if n.sum(0).all() and n.sum(1).all():
            return n


def shares(rng: np.random.Generator, K: int) -> np.ndarray:
    """Draw shares that sum to 1, none of them 0."""
    return rng.dirichlet(np.ones(K)) * 0.9 + 0.1 / K
