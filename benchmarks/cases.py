"""What is timed: seeded tables of many kinds, and how long a fit may take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from sklearn.datasets import load_digits, load_iris

Data = tuple[np.ndarray, np.ndarray]


def continuous(n: int, d: int = 20) -> Data:
    """Return normal numbers and two classes that depend on three of them, with noise."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d), dtype=np.float32)
    return X, (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(scale=0.7, size=n) > 0).astype(np.int64)


def numbers(n: int) -> Data:
    """Return normal numbers and a number to be predicted from three of them, with noise."""
    X, _ = continuous(n)
    return X, X[:, 0] + X[:, 1] * X[:, 2] + np.random.default_rng(1).normal(size=n)


def integers(n: int) -> Data:
    """Return 20 columns of the numbers 0 to 99 and two classes."""
    rng = np.random.default_rng(2)
    X = rng.integers(0, 100, (n, 20)).astype(np.float32)
    return X, (X[:, 0] + X[:, 1] + rng.normal(scale=30, size=n) > 100).astype(np.int64)


def mixture(n: int) -> Data:
    """Return 10 numeric and 44 binary columns and 7 classes, like the forest cover data."""
    rng = np.random.default_rng(3)
    X = np.hstack([rng.normal(size=(n, 10)).round(2) * 100, rng.random((n, 44)) < 0.1]).astype(np.float32)
    score = X[:, 0] + X[:, 1] * X[:, 12] + rng.normal(scale=60, size=n)
    return X, np.digitize(score, [-100, -50, 0, 50, 100, 150])


def chain(n: int) -> Data:
    """Return one column in which the classes alternate: every split takes off one row."""
    return np.arange(n, dtype=np.float32)[:, None], np.arange(n) % 2


def iris(n: int) -> Data:
    """Return the irises, 150 rows of 4 lengths."""
    X, y = load_iris(return_X_y=True)
    return X.astype(np.float32)[:n], y[:n]


def digits(n: int) -> Data:
    """Return the digits, 1797 rows of 64 whole numbers, in 10 classes."""
    X, y = load_digits(return_X_y=True)
    return X.astype(np.float32)[:n], y[:n]


def names(n: int) -> tuple[pd.DataFrame, pd.Series]:
    """Return 20 nominal columns of 8 values and two classes, a tenth of them wrong."""
    rng = np.random.default_rng(4)
    X = rng.integers(0, 8, (n, 20))
    yes = ((X[:, 0] + X[:, 1] > 7) | (X[:, 2] == 3)) ^ (rng.random(n) < 0.1)
    frame = pd.DataFrame({f"x{f}": np.array(list("abcdefgh"))[column] for f, column in enumerate(X.T)})
    return frame, pd.Series(np.where(yes, "yes", "no"), name="y")


def noise(n: int) -> Data:
    """Return the same numbers as `continuous`, and two classes that do not depend on them."""
    return continuous(n)[0], np.random.default_rng(5).integers(0, 2, n)


def route_missing(X: np.ndarray) -> np.ndarray:
    """Return numbers of which a fifth is missing."""
    return np.where(np.random.default_rng(6).random(X.shape) < 0.2, np.float32(np.nan), X)


def cars(wrong: float) -> tuple[pd.DataFrame, pd.Series]:
    """Return 1,728 combinations of six names, and four classes by a rule, like the car data; some wrong."""
    values = [4, 4, 4, 3, 3, 3]
    price, upkeep, doors, persons, trunk, safety = X = np.indices(values).reshape(6, -1)
    cost, comfort = np.maximum(price, upkeep), persons + (trunk + doors > 2)
    grade = np.where((safety == 0) | (persons == 0), 0, np.clip(safety + comfort - cost, 0, 3))
    rng = np.random.default_rng(7)
    grade = np.where(rng.random(len(grade)) < wrong, rng.integers(0, 4, len(grade)), grade)
    text = {f"x{f}": np.array([f"value {v}" for v in range(4)])[column] for f, column in enumerate(X)}
    return pd.DataFrame(text), pd.Series(np.array(["no", "fair", "good", "best"])[grade], name="y")


@dataclass(frozen=True)
class Case:
    """A table, how deep a tree of it grows, and at most what its fit may take (scikit-learn's takes 1)."""

    name: str
    make: Callable[[int], Data]
    n: int
    depth: int | None = None
    target: float | None = None
    numeric: bool = False

    def data(self) -> Data:
        """Make the table."""
        return self.make(self.n)


CASES = [
    Case("1,000 x 20 continuous, full", continuous, 10**3, None, 1.0),
    Case("10,000 x 20 continuous, full", continuous, 10**4, None, 0.40),
    Case("100,000 x 20 continuous, depth 8", continuous, 10**5, 8, 0.25),
    Case("100,000 x 20 continuous, full", continuous, 10**5, None, 0.30),
    Case("1,000,000 x 20 continuous, depth 8", continuous, 10**6, 8, 0.25),
    Case("1,000,000 x 20 continuous, full", continuous, 10**6, None, 0.30),
    Case("100,000 x 20 integers 0-99, full", integers, 10**5, None, 0.50),
    Case("100,000 x (10 numeric + 44 binary), 7 classes, full", mixture, 10**5, None, 1.0),
    Case("100,000 x 20 continuous, regression, full", numbers, 10**5, None, 0.35, numeric=True),
]

SLOW_SPOTS = [
    Case("iris, 150 x 4, 3 classes, full", iris, 150),
    Case("digits, 1,797 x 64, 10 classes, full", digits, 1797),
    Case("chain, 1,000 x 1: each split takes off one row", chain, 1000),
]

PREDICT = Case("predict {:,} rows, full tree of 100,000", continuous, 10**5, None, 1.1)
MEMORY = Case("memory, 1,000,000 x 20 continuous, full", continuous, 10**6, None, 6.0)
DEPTHS = (1, 2, 4, 8, 16, None)  # of the picture
NOMINAL_TARGET = 0.1  # of the time of any other library that grows multiway trees
NOMINAL_ROWS = 10**5
