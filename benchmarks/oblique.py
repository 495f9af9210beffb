"""Oblique trees beside axis-parallel ones and other libraries: accuracy, leaves, seconds."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from statistics import median
from typing import Any
from unittest import mock

import numpy as np
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.model_selection import RepeatedStratifiedKFold

import dtlib
from dtlib import CARTClassifier, ObliqueTreeClassifier
from dtlib.jit import has_numba
from dtlib.oblique import cutting

ROWS = 600  # of the tables that are made
FOLDS = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)


def diagonal(d: int) -> tuple[np.ndarray, np.ndarray]:
    """Return points on both sides of a diagonal."""
    X = np.random.default_rng(0).uniform(-1, 1, (ROWS, d))
    return X, (X.sum(1) > 0).astype(int)


def rotated_xor() -> tuple[np.ndarray, np.ndarray]:
    """Return XOR, turned by 45 degrees."""
    X = np.random.default_rng(0).uniform(-1, 1, (ROWS, 2))
    return X, ((X[:, 0] + X[:, 1]) * (X[:, 0] - X[:, 1]) > 0).astype(int)


def stripes() -> tuple[np.ndarray, np.ndarray]:
    """Return oblique stripes, every second one of the other class."""
    X = np.random.default_rng(0).uniform(-1, 1, (ROWS, 2))
    return X, np.floor(2 * X @ [0.6, 0.8]).astype(int) % 2


TABLES: dict[str, Callable[[], tuple[np.ndarray, np.ndarray]]] = {
    "iris, 150 x 4": lambda: load_iris(return_X_y=True),
    "wine, 178 x 13": lambda: load_wine(return_X_y=True),
    "breast cancer, 569 x 30": lambda: load_breast_cancer(return_X_y=True),
    f"diagonal, {ROWS} x 2": lambda: diagonal(2),
    f"diagonal, {ROWS} x 4": lambda: diagonal(4),
    f"rotated XOR, {ROWS} x 2": rotated_xor,
    f"oblique stripes, {ROWS} x 2": stripes,
}


def treeple() -> Any:
    """Return treeple's oblique tree, which tries random sparse sums."""
    from treeple.tree import ObliqueDecisionTreeClassifier

    return ObliqueDecisionTreeClassifier(random_state=0)


def obliquetree() -> Any:
    """Return obliquetree's tree, which tries sums of two features."""
    from obliquetree import Classifier

    return Classifier(random_state=0)


@dataclass(frozen=True)
class Grower:
    """A library's tree with its own defaults, grown until its nodes are pure."""

    name: str
    make: Callable[[], Any]
    package: str = "dtlib"

    def is_installed(self) -> bool:
        """Whether it can run here."""
        return find_spec(self.package) is not None


GROWERS = [
    Grower("CART", CARTClassifier),
    Grower("oblique", lambda: ObliqueTreeClassifier(random_state=0)),
    Grower("treeple", treeple, "treeple"),
    Grower("obliquetree", obliquetree, "obliquetree"),
]


def leaves(model: Any, X: np.ndarray) -> int:
    """Return in how many leaves the training rows end: all leaves of such trees have some."""
    X = X.astype(np.float32) if type(model).__module__.startswith("treeple") else X
    return len(np.unique(model.apply(X)))


def validated(grower: Grower, X: np.ndarray, y: np.ndarray) -> str:
    """Cross-validate a tree; write its accuracy with the deviation over the folds, leaves and seconds."""
    right, size, seconds = [], [], []
    for train, test in FOLDS.split(X, y):
        start = time.perf_counter()
        model = grower.make()
        model.fit(X[train], y[train])
        seconds.append(time.perf_counter() - start)
        right.append(100 * float(np.mean(model.predict(X[test]) == y[test])))
        size.append(leaves(model, X[train]))
    return f"{np.mean(right):.1f} ± {np.std(right):.1f} ({np.mean(size):.1f}; {np.mean(seconds):.3f})"


LARGE = {
    "1,000 x 10": (1_000, 10, {}),
    "10,000 x 10": (10_000, 10, {}),
    "10,000 x 10, entropy": (10_000, 10, {"criterion": "entropy"}),
    "10,000 x 10, 3 classes": (10_000, 10, {"classes": 3}),
}
DEPTH, ROUNDS = 4, 3


def grown_in(compiled: bool, X: np.ndarray, y: np.ndarray, criterion: str) -> float:
    """Grow a tree with or without compiled code; return the seconds of a processor that this took."""
    estimator = ObliqueTreeClassifier(criterion=criterion, max_depth=DEPTH, random_state=0)
    with mock.patch.object(cutting, "is_ready", return_value=compiled):
        start = time.process_time()
        estimator.fit(X, y)
        return time.process_time() - start


def both_ways() -> str:
    """Time how lines are cut: by sorting with NumPy, and compiled."""
    lines = ["| noisy sums, depth 4 | NumPy, seconds | compiled, of that |", "| --- | ---: | ---: |"]
    for name, (n, d, how) in LARGE.items():
        rng, classes = np.random.default_rng(0), how.get("classes", 2)
        X = rng.normal(size=(n, d))
        total = X @ rng.normal(size=d) + rng.normal(size=n)
        y = np.digitize(total, np.quantile(total, np.arange(1, classes) / classes))
        given = X, y, how.get("criterion", "gini")
        grown_in(True, X[:50], y[:50], given[2])  # compiles
        pairs = [(grown_in(False, *given), grown_in(True, *given)) for _ in range(ROUNDS)]
        share = median(compiled / by_numpy for by_numpy, compiled in pairs)
        lines.append(f"| {name} | {median(by_numpy for by_numpy, _ in pairs):.2f} | {share:.3f} |")
    return "\n".join(lines)


def oblique_section() -> str:
    """Write the section of oblique trees."""
    titles = [f"{g.name}{'' if g.is_installed() else ' (not installed)'}" for g in GROWERS]
    lines = [["", *titles], ["---"] + ["---:"] * len(titles)]
    for name, make in TABLES.items():
        X, y = make()
        lines.append([name, *(validated(g, X, y) if g.is_installed() else "-" for g in GROWERS)])
    said = (
        "Accuracy in percent, the mean and the deviation over 2 x 5 folds, the same for all; in brackets the "
        "leaves and the seconds of a fit. No tree is pruned; other libraries have their own defaults."
    )
    text = "\n".join([said, "", *("| " + " | ".join(line) + " |" for line in lines)])
    if not has_numba():
        return text
    return f"{text}\n\nSeconds of the processor, one thread; the trees are the same.\n\n{both_ways()}"


if __name__ == "__main__":
    if has_numba():
        dtlib.compile()
    print(oblique_section())
