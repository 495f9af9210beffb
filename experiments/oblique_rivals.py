"""Oblique trees beside what else adds features: a fitted line (chapter 22).

    python -m experiments.oblique_rivals

writes `experiments/results/oblique_rivals.csv`, in about ten minutes on one core. Five models: CART and the
oblique tree, each grown out and each pruned at the price of the smallest five-fold estimate, and logistic
regression as scikit-learn has it, with standardized features. A line of the file is a table, a division and a
model: the share of the tested rows that is right, and the leaves.

Irises, wines and tumors are those of scikit-learn, in five times five stratified folds with the seeds 0 to 4.
Two worlds are made anew for each of 20 seeds: 400 rows to grow from and 5000 to test, one label in ten
flipped. In `one line` five numbers from -1 to 1 count, and the class says whether their sum is above 0; in
`four lines` the class says whether two numbers lie in a square that stands on its corner, the sum of their
absolute values below 1. Models, tables, worlds and seeds were fixed before it ran.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from dtlib import CARTClassifier, ObliqueTreeClassifier, Tree
from dtlib.prune import pruning_path
from experiments.choosing_the_price import active_surrogates, errors_at

KEPT = Path(__file__).resolve().parent / "results" / "oblique_rivals.csv"
REPEATS, FOLDS, SEEDS = 5, 5, 20
TABLES = {"irises": load_iris, "wines": load_wine, "tumors": load_breast_cancer}
Part = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def answers(A: np.ndarray, a: np.ndarray, seed: int) -> Iterator[tuple[str, Any, float]]:
    """Yield what is compared, fitted: its name, itself, and its leaves."""
    for name, model in ("CART", CARTClassifier()), ("oblique", ObliqueTreeClassifier(random_state=seed)):
        model.fit(A, a)
        yield name, model, model.get_n_leaves()
        model.tree_ = pruned(model, A, a, seed)
        yield f"{name}, pruned", model, model.get_n_leaves()
    line = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    yield "logistic regression", line.fit(A, a), np.nan


def pruned(model: Any, A: np.ndarray, a: np.ndarray, seed: int) -> Tree:
    """Return the tree of a model, pruned at the price of the smallest five-fold estimate."""
    path = pruning_path(model.tree_)
    prices, wrong = active_surrogates(path.alphas)["geometric"], np.zeros(len(path.alphas))
    for train, test in StratifiedKFold(FOLDS, shuffle=True, random_state=seed).split(A, a):
        part = pruning_path(clone(model).fit(A[train], a[train]).tree_)
        wrong += errors_at(part, A[test], a[test], prices * len(train) / len(a))
    return path.tree(path.alphas[np.flatnonzero(wrong == wrong.min())[-1]])


def divisions(name: str) -> Iterator[tuple[int, Part]]:
    """Yield the divisions of a table, each with its seed."""
    X, y = TABLES[name](return_X_y=True)
    for seed in range(REPEATS):
        for train, test in StratifiedKFold(FOLDS, shuffle=True, random_state=seed).split(X, y):
            yield seed, (X[train], y[train], X[test], y[test])


def worlds(name: str) -> Iterator[tuple[int, Part]]:
    """Yield the tables of a world, each with its seed."""
    for seed in range(SEEDS):
        rng = np.random.default_rng([15, seed])
        X = rng.uniform(-1, 1, (5400, 5 if name == "one line" else 2))
        rule = X.sum(axis=1) > 0 if name == "one line" else np.abs(X).sum(axis=1) < 1
        y = np.where(rule ^ (rng.random(len(X)) < 0.1), "yes", "no")
        yield seed, (X[:400], y[:400], X[400:], y[400:])


def main() -> None:
    lines: list[dict[str, object]] = []
    for name in ("one line", "four lines", *TABLES):
        every = divisions(name) if name in TABLES else worlds(name)
        for k, (seed, (A, a, B, b)) in enumerate(every):
            for method, model, leaves in answers(A, a, seed):
                right = round(float(model.score(B, b)), 4)
                line = {"table": name, "division": k, "model": method, "right": right, "leaves": leaves}
                lines.append(line)
        sys.stderr.write(f"{name}\n")
        pd.DataFrame(lines).to_csv(KEPT, index=False)


if __name__ == "__main__":
    main()
