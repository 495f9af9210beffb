"""Which price stands for an interval, and how many standard errors? Chapter 14 reads what this measures.

Cross-validation leaves two things to a convention: the price at which the tree of a fold is pruned, for the
interval from alpha_k to alpha_(k+1), and how many standard errors above the least held-out risk are allowed.
Here both are varied on made tables, where any number of fresh rows judges what was chosen:

- prices: the lower end, the geometric mean, the arithmetic mean, and the upper end of the interval;
- rules: 0, 1 and 2 standard errors.

Five worlds. Three have a rule that a small tree can say: the corner of chapter 12 (3 leaves, 200 rows),
and the four leaves in five numbers of chapter 13 (100 and 400 rows), each with one label in five flipped. Two
have none: the sum of five numbers against its middle, one label in ten flipped (400 rows), and the waves of
Breiman et al. (1984), section 2.6: 21 noisy heights of a mixture of two of three triangles (300 rows, as
theirs). Ten stratified folds, drawn anew for each table. Each table has a seed of its own, 0 to 499, so means
over tables have ordinary standard errors. Worlds, prices, rules and seeds were fixed before it ran.

    python -m experiments.choosing_the_price             # writes experiments/results/choosing_the_price.csv

takes some ten minutes on one idle core. A line of the CSV is a world, a price and a rule: the mean number of
leaves, the mean share of 5000 fresh rows that are wrong, the mean of that less the share of the custom
(geometric mean, 1-SE) with its standard error over the tables, in how many tables it was better and worse
than the custom, and what the best subtree of the path would have reached.
"""

import argparse
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold

from dtlib import CARTClassifier
from dtlib.prune import one_se_rule, pruning_path
from dtlib.prune.cost_complexity import PruningPath
from dtlib.prune.cross_validation import Held, held_out_curve

OUT = Path(__file__).parent / "results" / "choosing_the_price.csv"
FRESH, FOLDS = 5000, 10
PRICES, RULES = ("lower end", "geometric", "arithmetic", "upper end"), (0, 1, 2)
CUSTOM = ("geometric", 1)
Table = tuple[np.ndarray, np.ndarray]


def flipped(X: np.ndarray, rule: np.ndarray, q: float, rng: np.random.Generator) -> Table:
    """Return the points, and the rule with some labels turned around."""
    return X, (rule ^ (rng.random(len(X)) < q)).astype(int)


def corner(n: int, rng: np.random.Generator) -> Table:
    X = rng.random((n, 2))
    return flipped(X, (X[:, 0] > 0.4) & (X[:, 1] > 0.3), 0.2, rng)


def four_leaves(n: int, rng: np.random.Generator) -> Table:
    X = rng.random((n, 5))
    return flipped(X, np.where(X[:, 0] > 0.5, X[:, 1] > 0.3, X[:, 2] > 0.7), 0.2, rng)


def a_sum(n: int, rng: np.random.Generator) -> Table:
    X = rng.random((n, 5))
    return flipped(X, X.sum(1) > 2.5, 0.1, rng)


def waves(n: int, rng: np.random.Generator) -> Table:
    """Draw the waves of Breiman et al. (1984): pairs of three triangles, mixed, and noise of variance 1."""
    at = np.arange(1, 22)
    triangle = np.maximum(6 - np.abs(at - np.array([[11], [15], [7]])), 0)
    y = rng.integers(0, 3, n)
    first, second = np.array([0, 0, 1])[y], np.array([1, 2, 2])[y]
    u = rng.random((n, 1))
    return u * triangle[first] + (1 - u) * triangle[second] + rng.normal(size=(n, 21)), y


WORLDS = {
    "corner, 200": (corner, 200),
    "four leaves, 100": (four_leaves, 100),
    "four leaves, 400": (four_leaves, 400),
    "a sum, 400": (a_sum, 400),
    "waves, 300": (waves, 300),
}


def active_surrogates(alphas: np.ndarray) -> dict[str, np.ndarray]:
    """Return the price that stands for each interval, by each convention; for the last one it is infinite."""
    low, high = alphas[:-1], alphas[1:]
    each = (low, np.sqrt(low * high), (low + high) / 2, high * (1 - 1e-6))
    return {name: np.append(price, np.inf) for name, price in zip(PRICES, each, strict=True)}


def errors_at(path: PruningPath, X: np.ndarray, y: np.ndarray, prices: np.ndarray) -> np.ndarray:
    """Return how many rows are wrong at each of some prices, in any order."""
    ones, order = np.ones(len(y)), np.argsort(prices, kind="stable")
    place = np.searchsorted(path.full.classes, y)  # of the class among those of this tree
    held = Held(np.arange(len(y)), X, place[:, None], ones, ones)
    found = np.empty(len(prices))
    found[order] = held_out_curve(path, held, prices[order]).cost
    return found


def one_table(world: str, seed: int) -> Iterator[tuple[str, int, int, float, float]]:
    """Yield for each price and rule the leaves of what is chosen, and its share of wrong fresh rows."""
    draw, n = WORLDS[world]
    rng = np.random.default_rng([13, seed])
    X, y = draw(n, rng)
    fresh = draw(FRESH, rng)
    path = pruning_path(CARTClassifier(keep_data=False).fit(X, y).tree_)
    prices = active_surrogates(path.alphas)
    together = np.concatenate([*prices.values()])
    wrong = np.zeros(len(together))
    for train, test in StratifiedKFold(FOLDS, shuffle=True, random_state=seed).split(X, y):
        part = pruning_path(CARTClassifier(keep_data=False).fit(X[train], y[train]).tree_)
        wrong += errors_at(part, X[test], y[test], together * len(train) / n)
    true = errors_at(path, *fresh, path.alphas) / FRESH
    for price, E in zip(PRICES, np.split(wrong, len(PRICES)), strict=True):
        lines = pd.DataFrame({"xerror": E, "xstd": np.sqrt(E * (1 - E / n))})[::-1]
        for se in RULES:
            k = one_se_rule(lines, se)
            yield price, se, int(path.leaves[k]), float(true[k]), float(true.min())


def measured(world: str, seeds: range) -> pd.DataFrame:
    """Return the lines of one world."""
    runs = np.array([[line[2:] for line in one_table(world, seed)] for seed in seeds])
    ways = [*product(PRICES, RULES)]
    custom = runs[:, ways.index(CUSTOM), 1]
    lines = []
    for i, (price, se) in enumerate(ways):
        leaves, error, best = runs[:, i].T
        less = error - custom
        lines.append(
            {
                **{"world": world, "price": price, "se rule": se, "tables": len(seeds)},
                **{"leaves": leaves.mean(), "error": error.mean(), "minus custom": less.mean()},
                **{"se": less.std(ddof=1) / len(seeds) ** 0.5, "better": int((less < 0).sum())},
                **{"worse": int((less > 0).sum()), "best possible": best.mean()},
            }
        )
    return pd.DataFrame(lines).round(5)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure which convention chooses the better subtree.")
    parser.add_argument("--tables", type=int, default=500, help="how many tables of each world")
    parser.add_argument("--out", type=Path, default=OUT)
    given = parser.parse_args()
    lines = []
    for world in WORLDS:
        began = time.perf_counter()
        lines.append(measured(world, range(given.tables)))
        print(f"{world}: {time.perf_counter() - began:.0f} s", flush=True)
    pd.concat(lines).to_csv(given.out, index=False)


if __name__ == "__main__":
    main()
