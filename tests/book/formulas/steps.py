"""Finds the formulas without a number, and gives a meaning to letters that only they have.

Most steps of a derivation have the letters of a numbered formula, and are computed in its scene. What is left
is computed where letters are free: any numbers that are as the text before the formula wants them.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from scipy.stats import binom

from dtlib import CARTClassifier
from dtlib.measures import entropy
from dtlib.prune import scales
from tests.book.arithmetic import MATH, equations
from tests.book.formulas.evaluate import Meanings, compare
from tests.book.formulas.run import NOT_COMPUTED, draws
from tests.book.formulas.scenes import at, below
from tests.book.formulas.trees import points
from tests.book.notebooks import NUMBERED, TAG, load, without_code

STEPS = Path(__file__).with_suffix(".tsv")
FREE: dict[str, Callable[[Generator], Iterator[Meanings]]] = {}
ABOUT_BOUNDS = ("value", "by", "decides", "reached", "tight")  # what a scene says of its numbered formula


class Step(NamedTuple):
    """A line of the table: where the formula stands, whose letters it has, and its TeX on one line."""

    chapter: str
    cell: str
    like: str
    tex: str


def stored() -> list[Step]:
    """Read the table."""
    with STEPS.open(encoding="utf-8", newline="") as file:
        return [Step(**row) for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]


@cache
def unnumbered() -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the formulas without a number, by chapter and cell, on one line; displays begin with `$$`."""
    found = {}
    for path in NUMBERED:
        for cell in load(path).markdown:
            text = re.sub(r"(?m)^> ?", "", without_code(cell.source))
            shown = [m for m in MATH.finditer(text) if not TAG.search(m[0])]
            found[path.stem[:2], cell.id] = tuple(
                ("$$" if m[1] else "") + " ".join((m[1] or m[2]).split()) for m in shown
            )
    return found


def wrong_step(like: str, tex: str) -> list[str]:
    """List what does not hold of a formula, with the letters of a numbered one or with free ones."""
    compared = 0
    for meanings in FREE[like](np.random.default_rng(1)) if like in FREE else draws(like):
        letters = {name: known for name, known in meanings.items() if name not in ABOUT_BOUNDS}
        try:
            found = compare(tex.removeprefix("$$"), letters)
        except NOT_COMPUTED as error:
            return [f"cannot be computed: {type(error).__name__}: {error}"]
        if wrong := [f"{one.left} {one.relation} {one.right}" for one in found if not one.holds]:
            return wrong
        compared += len(found)
    return [] if compared else ["nothing is compared"]


def of_letters(tex: str) -> bool:
    """Tell whether no sides of a formula are numbers, which are compared wherever they stand."""
    return not any(equations(f"${tex.removeprefix('$$')}$"))


def free(scene: Callable[[Generator], Iterator[Meanings]]) -> Callable[[Generator], Iterator[Meanings]]:
    """Let formulas be computed in a scene, by its name."""
    FREE[scene.__name__] = scene
    return scene


@free
def powers_of_two(rng: Generator) -> Iterator[Meanings]:
    """Chapter 2: p is a power of one half, whose exponent lies between fractions or whole numbers."""
    for x in (1.0, 2.0, *rng.uniform(1, 9, 8)):
        n = int(rng.integers(2, 9))
        yield {"x": x, "p": 2.0**-x, "n": n, "m": int(x * n)}


@free
def whole_part(rng: Generator) -> Iterator[Meanings]:
    """Chapter 2: n is the whole part of x."""
    for x in (1.0, *rng.uniform(1, 9, 8)):
        yield {"x": x, "n": int(x)}


@free
def small_step(rng: Generator) -> Iterator[Meanings]:
    """Chapter 2: a step h from x, which is the share k of x, and some base."""
    for _ in range(5):
        x, k = rng.uniform(0.1, 5, 2)
        yield {"x": x, "k": k, "h": x * k, "b": rng.uniform(1.5, 9)}


@free
def rows_of_shares(rng: Generator) -> Iterator[Meanings]:
    """Chapter 2: the two variables, and the shares within a row of their table."""
    for known in draws("2.9"):
        x, y = known["each x"], known["each y"]
        rows = np.array([[known["p(.,.)"](i, j) for j in y] for i in x])
        within = at((rows / rows.sum(1, keepdims=True)).T)
        yield {**known, "p(.|.)": within}


@free
def group_of_a_run(rng: Generator) -> Iterator[Meanings]:
    """Chapter 6: n samples, c of other classes than the run's, x of its own."""
    for c, x, S in rng.integers(1, 20, (5, 3)).tolist():
        yield {"c": c, "x": x, "n": c + x, "S": S}


@free
def mixed_shares(rng: Generator) -> Iterator[Meanings]:
    """Chapter 7: the shares m lie between p and q."""
    for _ in range(5):
        p, q = rng.dirichlet(np.ones(3), 2)
        part = rng.random()
        mean = part * p + (1 - part) * q
        yield {"lambda": part, "p_.": at(p), "q_.": at(q), "m_.": at(mean), "each k": below(p)}


@free
def one_prediction(rng: Generator) -> Iterator[Meanings]:
    """Chapter 11: a prediction p where the curve has f(x), and the noise e."""
    for p, f, e, x in rng.normal(0, 3, (5, 4)):
        yield {"p": p, "e": e, "x": x, "f(.)": lambda x, f=f: f}


@free
def share_of_ones(rng: Generator) -> Iterator[Meanings]:
    """Chapter 11: the share of ones among zeros and ones."""
    for n in range(1, 8):
        ones = np.arange(9) < n
        yield {"p": n / 9, "Var": ones.var().item()}


@free
def guesses(rng: Generator) -> Iterator[Meanings]:
    """Chapter 16: what B trees say, and a mean that they may have."""
    for B in (1, 2, 5):
        said = rng.normal(3, 1, B)
        yield {"B": B, "T_.": at(said), "mu": rng.normal(), "each a": below(said), "each b": below(said)}


@free
def mean_of_throws(rng: Generator) -> Iterator[Meanings]:
    """Chapter 12: all throws of n dice, their means, and the spread s of one die."""
    for n in (1, 2, 3):
        means = np.stack(np.meshgrid(*[np.arange(1, 7)] * n)).mean(0)
        yield {"n": n, "s": float(np.arange(1, 7).std()), "se": float(means.std())}


@free
def own_mean(rng: Generator) -> Iterator[Meanings]:
    """Chapter 12: some throws of a die, and the mean of these throws alone."""
    for n in (2, 5, 9):
        x = rng.integers(1, 7, n)
        yield {"n": n, "x_.": at(x), "bar x": x.mean(), "each i": below(x)}


@free
def shared_samples(rng: Generator) -> Iterator[Meanings]:
    """Chapter 12: numbers that share some variance; v is that of their mean, s^2 what they show."""
    for J, m, n in ((2, 1, 2), (10, 30, 70), (20, 171, 398)):
        rho, sigma = m / (n + m), float(rng.uniform(0.5, 2))
        together = sigma**2 * (rho * np.ones((J, J)) + (1 - rho) * np.eye(J))
        v = together.mean()
        s = ((np.trace(together) - J * v) / (J - 1)) ** 0.5
        yield {"J": J, "m": m, "n": n, "rho": rho, "sigma": sigma, "s": s, "v": v}


@free
def tosses(rng: Generator) -> Iterator[Meanings]:
    """Chapter 13: the chance of j among N tosses of a coin of the chance k / N, for j below k."""
    for N, k in ((5, 2), (7, 6), (12, 3)):
        chance = binom.pmf(np.arange(N + 1), N, k / N)
        for j in range(k):
            yield {
                **{"N": N, "k": k, "q": k / N, "H": entropy([k, N - k]), "j": j, "each j": range(N + 1)},
                "P_.": at(chance, 0),
            }


@free
def fold_prices(rng: Generator) -> Iterator[Meanings]:
    """Chapter 14: a price per sample is the same for the tree of a fold, its sum is over fewer samples."""
    X, y = points(rng, 60)
    full = CARTClassifier().fit(X, y).tree_
    for n in (len(X) // 2, len(X) - 3):
        fold = CARTClassifier().fit(X[:n], y[:n]).tree_
        mean = [scales(tree)["mean"] for tree in (full, fold)]
        beta = float(rng.uniform(0.5, 4))
        yield {
            **{"n": n, "N": len(X), "beta": beta, "beta'": beta * mean[0] / mean[1]},
        }


@free
def complete_square(rng: Generator) -> Iterator[Meanings]:
    """Chapter 17: what a leaf says, whatever it is, and its sums."""
    for U, V, lam, c in rng.uniform(0.2, 3, (5, 4)):
        yield {"U": U, "V": V, "lambda": lam, "c": c}
