"""Optimal trees beside pystreed: the seconds of both engines, on the same columns of 0 and 1."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from statistics import median
from typing import Any
from unittest import mock

import numpy as np
from report import number, table, verdict
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

import dtlib
from dtlib import OptimalTreeClassifier
from dtlib.jit import has_numba
from dtlib.optimal import best_tree
from dtlib.search.listed import few_cuts

OPTIMAL = "Optimal trees"
PYSTREED, BY_NUMPY, BY_NUMBA = "pystreed", "NumPy", "compiled"
TARGET, ROUNDS = 10.0, 5  # at most so many times pystreed's time
DEPTHS = (2, 3, 4)
Fit = Callable[[], Any]


def in_questions(X: np.ndarray, most: int) -> np.ndarray:
    """Return a column of 0 and 1 for each of a few thresholds."""
    columns = []
    for x in X.T:
        values, count = np.unique(x, return_counts=True)
        columns += [x <= values[k] for k in few_cuts(count, most)]
    return np.array(columns).T.astype(int)


def drawn(n: int, d: int, classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Return columns of 0 and 1, and classes that depend on five of them."""
    rng = np.random.default_rng(n)
    X = (rng.random((n, d)) < rng.uniform(0.1, 0.9, d)).astype(int)
    hidden = X[:, 0] + 2 * X[:, 1] * X[:, 2] + (X[:, 3] ^ X[:, 4])
    return X, (hidden + rng.integers(0, 3, n)) % classes


def few(load: Callable[..., Any], most: int = 3, every: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Return a table of scikit-learn with a few thresholds of each column, or of each second one."""
    X, y = load(return_X_y=True)
    return in_questions(X[:, ::every], most), y


MADE: dict[str, Callable[[], tuple[np.ndarray, np.ndarray]]] = {
    "iris": partial(few, load_iris),
    "wine": partial(few, load_wine),
    "breast cancer": partial(few, load_breast_cancer, 1),
    "digits, 10 classes": partial(few, load_digits, 1, every=2),
    "drawn, 3 classes": partial(drawn, 1000, 30, 3),
    "drawn, 2 classes": partial(drawn, 300, 60, 2),
    "drawn, 4 classes": partial(drawn, 5000, 20, 4),
}


def of_engine(compiled: bool, model: OptimalTreeClassifier, X: np.ndarray, y: np.ndarray) -> Any:
    """Fit by one of the engines."""
    with mock.patch.object(best_tree, "is_ready", return_value=compiled):
        return model.fit(X, y)


def calls(X: np.ndarray, y: np.ndarray, depth: int) -> dict[str, Fit]:
    """Return what is timed."""
    found: dict[str, Fit] = {}
    if find_spec(PYSTREED):
        from pystreed import STreeDClassifier

        found[PYSTREED] = partial(STreeDClassifier("accuracy", max_depth=depth).fit, X, y)
    model = OptimalTreeClassifier(max_depth=depth, keep_data=False)
    found[BY_NUMPY] = partial(of_engine, False, model, X.astype(float), y)
    if has_numba():
        found[BY_NUMBA] = partial(of_engine, True, model, X.astype(float), y)
    return found


def processor_seconds(call: Fit) -> float:
    """Return the seconds of the processor that a call takes."""
    gc.collect()
    start = time.process_time()
    call()
    return time.process_time() - start


def in_turns(fits: dict[str, Fit], X: np.ndarray, y: np.ndarray) -> tuple[dict[str, list[float]], set[int]]:
    """Return the seconds of each in some rounds, and the errors of their trees."""
    seconds: dict[str, list[float]] = {name: [] for name in fits}
    errors = {int((call().predict(X) != y).sum()) for call in fits.values()}  # compiles
    for turn in range(ROUNDS):
        for name in list(fits)[:: 1 if turn % 2 else -1]:
            seconds[name].append(processor_seconds(fits[name]))
    return seconds, errors


def optimal_section() -> str:
    """Time optimal trees, and write their section."""
    lines = []
    for name, make in MADE.items():
        X, y = make()
        for depth in DEPTHS:
            seconds, errors = in_turns(calls(X, y, depth), X, y)
            assert len(errors) == 1, (name, depth, errors)
            cells = [f"{name}, {X.shape[0]:,} x {X.shape[1]}", str(depth), str(*errors)]
            if PYSTREED not in seconds:
                lines.append([*cells, "not installed", *[""] * 4])
                continue
            theirs, mine = seconds[PYSTREED], {}
            for engine in seconds.keys() - {PYSTREED}:
                mine[engine] = median(a / b for a, b in zip(seconds[engine], theirs, strict=True))
            compiled = mine.get(BY_NUMBA, mine[BY_NUMPY])
            ours = [
                f"{TARGET:.0f}",
                f"**{number(compiled)}**",
                verdict(compiled, TARGET),
                number(mine[BY_NUMPY]),
            ]
            lines.append([*cells, *ours, f"{median(theirs):.4f}"])
            print(*lines[-1], flush=True)
    head = ["", "levels", "errors", "at most", "compiled", "", "NumPy", "pystreed, seconds"]
    said = (
        "Seconds of the processor divided by those of pystreed (STreeD in C++), one thread, the median of "
        f"{ROUNDS} rounds, the same columns of 0 and 1. All find trees with as few errors, and prove it; of "
        "such trees, dtlib also finds one with the fewest leaves, which takes longer where no row is wrong."
    )
    return f"{said}\n\n{table(head, lines)}"


if __name__ == "__main__":
    if has_numba():
        dtlib.compile()
    print(optimal_section())
