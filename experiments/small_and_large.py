"""C4.5 or CART, on few samples and on many: duels in four made worlds, all samples drawn anew for each.

    python -m experiments.small_and_large

writes `experiments/results/small_and_large.csv`, in about ten minutes on one core: for each world and size,
the mean lead of C4.5 over CART in points of a hundred on 2,000 fresh samples, pruned and whole, its standard
error over 100 duels, and how many leaves the pruned trees have. No two duels share a sample, so the standard
error needs no correction. Both trees are pruned in their own way: C4.5 by its confidence bound, CART by
five-fold cross-validation, without the 1-SE rule.

The worlds: waves (Breiman and others, 1984); a sum with a product in it, which a tree can only approximate;
boxes with edges along the axes, where one class in ten is wrong; and the seven lights of a digit, one in ten
wrong, with seven useless ones (after the same book).
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import numpy as np
import pandas as pd

from dtlib import C45Classifier, CARTClassifier
from dtlib.prune import CrossValidated

KEPT = Path(__file__).resolve().parent / "results" / "small_and_large.csv"
SIZES, DUELS, TESTED = (50, 200, 800), 100, 2000
LIGHTS = 119, 18, 93, 91, 58, 107, 111, 82, 127, 123  # of each digit, as bits
Samples = tuple[np.ndarray, np.ndarray]


def waves(n: int, rng: np.random.Generator) -> Samples:
    """Return mixtures of two of three triangles, and noise."""
    triangles = np.maximum(6 - np.abs(np.arange(21) - np.array([[6], [14], [10]])), 0)
    y, u = rng.integers(3, size=n), rng.random((n, 1))
    X = u * triangles[y] + (1 - u) * triangles[(y + 1) % 3]
    return X + rng.normal(size=X.shape), y


def product(n: int, rng: np.random.Generator) -> Samples:
    """Return ten numbers, the class by the sum of one and the product of two others."""
    X = rng.normal(size=(n, 10))
    return X, (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(scale=0.7, size=n) > 0).astype(int)


def boxes(n: int, rng: np.random.Generator) -> Samples:
    """Return eight numbers, the class by three questions, one in ten wrong."""
    X = rng.random((n, 8))
    inside = (X[:, 0] > 0.5) & (X[:, 1] > 0.3) | (X[:, 2] > 0.8)
    return X, (inside ^ (rng.random(n) < 0.1)).astype(int)


def lights(n: int, rng: np.random.Generator) -> Samples:
    """Return the seven lights of a digit, each wrong once in ten, and seven that know nothing."""
    on, y = np.array([list(map(int, f"{light:07b}")) for light in LIGHTS]), rng.integers(10, size=n)
    seen = on[y] ^ (rng.random((n, 7)) < 0.1)
    return np.hstack([seen, rng.integers(2, size=(n, 7))]).astype(float), y


def duel(train: Samples, test: Samples) -> list[float]:
    """Return by how many points C4.5 is ahead, pruned and whole, and the leaves of the pruned trees."""
    pruned = C45Classifier(prune="pessimistic"), CARTClassifier(prune=CrossValidated(folds=5, se=0))
    whole = C45Classifier(), CARTClassifier()
    right = [100 * model.fit(*train).score(*test) for model in (*pruned, *whole)]
    return [right[0] - right[1], right[2] - right[3], *(model.get_n_leaves() for model in pruned)]


def main() -> None:
    """Let them duel, and keep it."""
    warnings.filterwarnings("ignore", "The least populated class")  # of the lights, in small samples
    rows = []
    for world in (waves, product, boxes, lights):
        for n in SIZES:
            rng = np.random.default_rng([15, n])
            found = np.array([duel(world(n, rng), world(TESTED, rng)) for _ in range(DUELS)])
            error = found.std(axis=0, ddof=1) / DUELS**0.5
            pairs = np.stack([found.mean(axis=0), error], axis=1)[:2]
            rows.append((world.__name__, n, *pairs.ravel(), *found[:, 2:].mean(axis=0)))
            print(*rows[-1], file=sys.stderr, flush=True)
    names = ["C4.5 leads", "standard error", "whole trees", "their error", "leaves of C4.5", "leaves of CART"]
    pd.DataFrame(rows, columns=["world", "samples", *names]).round(3).to_csv(KEPT, index=False)


if __name__ == "__main__":
    main()
