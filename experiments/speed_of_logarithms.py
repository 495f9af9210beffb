"""What logarithms cost, and what two branches save: three questions, measured.

    python -m experiments.speed_of_logarithms

writes `experiments/results/speed_of_logarithms.csv`, in about ten minutes on one core. Each line is a ratio
of two times:

- `formula`: 100,000 products x log x beside as many x times x; and as many impurities by entropy, and by the
  Gini index, from the same counts; in NumPy.
- `growing`: the same table with `criterion="entropy"` and with `"gini"`. The two trees are not the same, so
  `work` has the ratio of the rows that their questions had to sort, and `ratio` is the one of the times.
- `branches`: names of 3, 6 and 12 values; a tree that asks for the value (ID3), and one that asks for one of
  two groups (CART). Times of growing, and of predicting the training rows; `work` has the ratio of the
  questions that a row is asked.

Times are those of the process (`time.process_time`), so that others on the machine count little; the two are
measured in turn, `RUNS` times; `ratio` is the median of the ratios, `low` and `high` are their quartiles.
Tables are those of scikit-learn, of `data/`, and two that are drawn here with fixed seeds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time
from typing import Any
from unittest import mock

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_digits, load_iris
from sklearn.tree import DecisionTreeClassifier

import dtlib
from dtlib import CARTClassifier, ID3Classifier
from dtlib.growing import depth_first
from dtlib.measures import entropy, gini

KEPT = Path(__file__).resolve().parent / "results" / "speed_of_logarithms.csv"
RUNS, LEAST = 15, 0.1  # LEAST: seconds that one measurement takes at least
Table = tuple[Any, Any]


def made(n: int, features: int) -> Table:
    """Return numbers of which three matter, with noise."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, features))
    return X, (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(scale=0.7, size=n) > 0).astype(int)


def named(values: int, n: int = 3000, features: int = 6) -> Table:
    """Return names of so many values; each value of the first three speaks for a class or against it."""
    rng = np.random.default_rng(values)
    codes = rng.integers(values, size=(n, features))
    score = sum(rng.normal(size=values)[codes[:, f]] for f in range(3)) + rng.normal(scale=0.5, size=n)
    frame = pd.DataFrame(codes).map("v{}".format).add_prefix("x")
    return frame, np.where(score > 0, "yes", "no")


def scikit(load: Callable[..., Any]) -> Table:
    """Return a table of scikit-learn."""
    return load(return_X_y=True)


def numbers() -> Iterator[tuple[str, Table]]:
    """Yield the tables of numbers whose growth is timed."""
    for name, load in ("iris", load_iris), ("tumors", load_breast_cancer), ("digits", load_digits):
        yield name, scikit(load)
    yield "made, 10,000 x 10", made(10_000, 10)


def seconds(act: Callable[[], object]) -> float:
    """Return how long it takes, of so many times that the clock is fine enough."""
    times, start = 0, process_time()
    while (spent := process_time() - start) < LEAST or not times:
        act()
        times += 1
    return spent / times


def ratios(one: Callable[[], object], other: Callable[[], object]) -> dict[str, float]:
    """Return median and quartiles of how many times as long one takes as the other."""
    one(), other()  # what is compiled is compiled now
    found = [seconds(one) / seconds(other) for _ in range(RUNS)]
    low, middle, high = np.quantile(found, [0.25, 0.5, 0.75])
    return {"ratio": middle, "low": low, "high": high, "times": RUNS}


def sorted_rows(tree: Any) -> float:
    """Return how many rows the questions of a tree of dtlib had to look at, all together."""
    return sum(node.n for node in tree if not node.is_leaf)


def asked(tree: Any) -> float:
    """Return how many questions a training row is asked, on average."""
    return sorted_rows(tree) / tree.root.n


def formula() -> Iterator[dict[str, Any]]:
    """Time a logarithm beside a product, and the two formulas alone."""
    x = np.random.default_rng(1).uniform(size=100_000)
    found = ratios(lambda: x * np.log2(x), lambda: x * x)
    yield {"part": "formula", "table": "x log x, x times x", "engine": "NumPy"} | found
    for classes in (2, 10):
        counts = np.random.default_rng(1).integers(1, 100, size=(100_000, classes)).astype(float)
        found = ratios(lambda counts=counts: entropy(counts), lambda counts=counts: gini(counts))
        yield {"part": "formula", "table": f"{classes} classes", "engine": "NumPy"} | found


def growing() -> Iterator[dict[str, Any]]:
    """Time trees by entropy and by the Gini index."""
    dtlib.compile()

    def sklearn(X: Any, y: Any, criterion: str) -> Any:
        return DecisionTreeClassifier(criterion=criterion, random_state=0).fit(X, y)

    def compiled(X: Any, y: Any, criterion: str) -> Any:
        return CARTClassifier(criterion=criterion).fit(X, y)

    def by_numpy(X: Any, y: Any, criterion: str) -> Any:
        with mock.patch.object(depth_first, "is_ready", return_value=False):
            return compiled(X, y, criterion)

    for name, (X, y) in numbers():
        work = np.divide(*(sorted_rows(compiled(X, y, c).tree_) for c in ("entropy", "gini")))
        for engine, fit in (
            ("scikit-learn", sklearn),
            ("dtlib, compiled", compiled),
            ("dtlib, NumPy", by_numpy),
        ):
            pair = [lambda fit=fit, X=X, y=y, c=c: fit(X, y, c) for c in ("entropy", "gini")]
            found = ratios(*pair) | {"work": work}
            yield {"part": "growing", "table": name, "engine": engine} | found


def branches() -> Iterator[dict[str, Any]]:
    """Time trees with a branch for each value, and with two."""
    for values in (3, 6, 12):
        X, y = named(values)
        many, two = ID3Classifier().fit(X, y), CARTClassifier().fit(X, y)
        work = asked(many.tree_) / asked(two.tree_)
        for engine, pair in {
            "growing": (
                lambda X=X, y=y: ID3Classifier().fit(X, y),
                lambda X=X, y=y: CARTClassifier().fit(X, y),
            ),
            "predicting": (lambda X=X, m=many: m.predict(X), lambda X=X, m=two: m.predict(X)),
        }.items():
            yield {"part": "branches", "table": f"{values} values", "engine": engine, "work": work} | ratios(
                *pair
            )


def main() -> None:
    """Measure all, and keep it."""
    lines = []
    for part in (formula, growing, branches):
        for line in part():
            lines.append(line)
            print(line, file=sys.stderr, flush=True)
    order = ["part", "table", "engine", "ratio", "low", "high", "work", "times"]
    pd.DataFrame(lines)[order].round(3).to_csv(KEPT, index=False)


if __name__ == "__main__":
    main()
