"""Both engines of dtlib beside scikit-learn: NumPy level by level, and what Numba compiles depth first."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from cases import Data, continuous, digits, integers, iris, mixture, numbers
from joblib import parallel_config
from peers import level_by_level
from report import number, ratios, table, verdict
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from dtlib import CARTClassifier, CARTRegressor, ForestClassifier

ENGINES = "Two engines"
PAGE = Path(__file__).parents[1] / "experiments" / "results" / "speed.csv"  # for the page "Why it is fast"
WHOLE = 10**6  # rows of a full run
SKLEARN, NUMPY, COMPILED, TWO = "scikit-learn", "NumPy", "compiled", "two threads"
Fit = Callable[[], Any]


def many_classes(n: int) -> Data:
    """Return 10 columns and 30 classes by two of them."""
    X, _ = continuous(n, 10)
    noisy = X[:, :2] + np.random.default_rng(2).normal(scale=0.3, size=(n, 2))
    return X, np.digitize(noisy[:, 0], np.linspace(-2, 2, 5)) * 5 + np.digitize(
        noisy[:, 1], [-1, -0.3, 0.3, 1]
    )


def binary(n: int) -> Data:
    """Return 20 columns of 0 and 1."""
    X, y = continuous(n)
    return (X > 0).astype(np.float32), y


def weighted(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the usual table, and weights that are parts of 1."""
    return *continuous(n), np.random.default_rng(3).random(n)


def two_outputs(n: int) -> Data:
    """Return two answers of two classes each."""
    X, y = continuous(n)
    return X, np.stack([y, (X[:, 3] > X[:, 4]).astype(int)], axis=1)


def tenth_missing(n: int) -> Data:
    """Return the usual table with a tenth of the values missing."""
    X, y = continuous(n)
    return np.where(np.random.default_rng(6).random(X.shape) < 0.1, np.float32(np.nan), X), y


def cancer(n: int) -> Data:
    """Return the 569 tumors, 30 measures of each."""
    X, y = load_breast_cancer(return_X_y=True)
    return X.astype(np.float32), y


@dataclass(frozen=True)
class Trial:
    """A table, estimators for it, and at most what a fit may take beside scikit-learn's."""

    name: str
    make: Callable[[int], tuple[np.ndarray, ...]]
    n: int
    target: float
    settings: dict[str, Any] | None = None
    numeric: bool = False
    forest: int = 0
    on_two: float = 0.0  # at most on two threads; not timed if 0

    def fits(self) -> dict[str, Fit]:
        """Return what is timed."""
        data, settings = self.make(self.n), self.settings or {}
        own = {key: value for key, value in settings.items() if key != "missing"}
        theirs = (DecisionTreeRegressor if self.numeric else DecisionTreeClassifier)(random_state=0, **own)
        mine = (CARTRegressor if self.numeric else CARTClassifier).sklearn
        ours = mine(random_state=0, keep_data=False, **settings)
        if self.forest:
            theirs = RandomForestClassifier(self.forest, random_state=0)
            ours = ForestClassifier(ours, self.forest, random_state=0)
        fits = {
            SKLEARN: partial(theirs.fit, *data), NUMPY: partial(level_by_level, partial(ours.fit, *data)),
            COMPILED: partial(ours.fit, *data),
        }  # fmt: skip
        return fits | ({TWO: partial(on_two_threads, ours, data)} if self.on_two else {})


def on_two_threads(estimator: Any, data: tuple[np.ndarray, ...]) -> Any:
    """Fit with two threads."""
    with parallel_config(n_jobs=2):
        return estimator.fit(*data)


SOME = {"max_features": "sqrt"}
TRIALS = [
    Trial("iris, 150 x 4, 3 classes", iris, 150, 0.9),
    Trial("breast cancer, 569 x 30", cancer, 569, 0.4),
    Trial("digits, 1,797 x 64, 10 classes", digits, 1797, 0.5),
    Trial("1,000 x 20", continuous, 10**3, 0.20),
    Trial("10,000 x 20", continuous, 10**4, 0.10),
    Trial("100,000 x 20", continuous, 10**5, 0.07, on_two=0.05),
    Trial("1,000,000 x 20, depth 8", continuous, 10**6, 0.06, {"max_depth": 8}, on_two=0.035),
    Trial("1,000,000 x 20", continuous, 10**6, 0.06, on_two=0.035),
    Trial("100,000 x 20, integers 0-99", integers, 10**5, 0.20),
    Trial("100,000 x (10 numeric + 44 binary), 7 classes", mixture, 10**5, 0.33),
    Trial("100,000 x 20, regression", numbers, 10**5, 0.11, numeric=True),
    Trial("20,000 x 10, 30 classes", many_classes, 20_000, 0.4),
    Trial("20,000 x 20, binary", binary, 20_000, 0.4),
    Trial("20,000 x 20, weights", weighted, 20_000, 0.15),
    Trial("20,000 x 20, two outputs", two_outputs, 20_000, 0.15),
    Trial("20,000 x 20, entropy", continuous, 20_000, 0.15, {"criterion": "entropy"}),
    Trial("2,000 x 500", partial(continuous, d=500), 2_000, 0.15),
    Trial('20,000 x 20, max_features="sqrt"', continuous, 20_000, 0.5, SOME),
    Trial("5,000 x 20, absolute error", numbers, 5_000, 0.8, {"criterion": "absolute_error"}, numeric=True),
    Trial("20,000 x 20, a tenth missing", tenth_missing, 20_000, 0.4, {"missing": "majority"}),
    Trial("forest of 50, 10,000 x 20", continuous, 10**4, 0.35, SOME, forest=50),
]  # fmt: skip


def engines_section(take_turns: Callable[[dict[str, Fit]], tuple], rows: int) -> str:
    """Time both engines, and write their section."""
    lines, on_two = [], []
    measured = [["table", "rows", "at most", "target", "compiled", "NumPy", "scikit-learn, seconds"]]
    for trial in TRIALS:
        if trial.n > rows:
            continue
        fits = trial.fits()
        fits[COMPILED]()
        timings, _ = take_turns(fits)
        by_numpy, compiled = (median(ratios(timings, name, SKLEARN)) for name in (NUMPY, COMPILED))
        reached = verdict(compiled, trial.target)
        cells = [f"{trial.target:.2f}", f"**{number(compiled)}**", reached]
        seconds = number(median(timings[SKLEARN].seconds))
        lines.append([trial.name, *cells, number(by_numpy), str(len(timings[SKLEARN].seconds)), seconds])
        times = number(compiled), number(by_numpy), seconds
        measured.append([trial.name, str(trial.n), number(trial.target), reached, *times])
        print(f"{trial.name}: {compiled:.3f} {by_numpy:.3f}", flush=True)
        if trial.on_two:
            two = median(ratios(timings, TWO, SKLEARN))
            on_two.append(
                [trial.name, f"{trial.on_two:.3f}", f"**{number(two)}**", verdict(two, trial.on_two)]
            )
            print(f"on two threads: {two:.3f}", flush=True)
    if rows >= WHOLE:
        with PAGE.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(measured)
    head = ["", "at most", "compiled", "", "NumPy", "rounds", "scikit-learn, seconds"]
    said = (
        "Time divided by scikit-learn's, one thread, full trees unless said, with the rules of its trees "
        "(`CARTClassifier.sklearn`). Both engines grow the same tree. A forest, `ForestClassifier` of these "
        "trees, is timed beside `RandomForestClassifier`."
    )
    threads = table(["on two threads, `joblib.parallel_config(n_jobs=2)`", "at most", "compiled", ""], on_two)
    return f"{said}\n\n{table(head, lines)}\n\n{threads}"
