"""Does it pay to make up samples between those of a rare class (SMOTE): thirteen tables and two made worlds.

    python -m experiments.interpolated_samples

writes `experiments/results/interpolated_samples.csv`, in about a minute on one core. The tables are all of
`experiments.tables` that hold numbers only, without gaps; rare is the class with the fewest rows, of equally
frequent ones the first in the alphabet. The folds are those of five times five-fold cross-validation,
stratified, with the seeds 0 to 4; of each world of `experiments.leaf_shares` 20 tables are drawn. Three ways
treat both classes alike: no weights, and the threshold at the share of the rare class; balanced weights, and
the majority; samples made up until both classes are equally many (Chawla and others, 2002), and the majority.
A sample is made up inside the training part, between a rare one and one of its five nearest rare neighbors,
each feature divided by its standard deviation. A miss costs as many false alarms as there are others to a
rare one, so that saying always the same costs 1. A column is the cost or the AUC of a way at a size.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold
from sklearn.neighbors import NearestNeighbors

from dtlib import CARTClassifier
from experiments.leaf_shares import FRESH, ROWS, WORLDS, drawn
from experiments.tables import SOURCES, load

KEPT = Path(__file__).resolve().parent / "results" / "interpolated_samples.csv"
REPEATS, FOLDS, DRAWS, NEIGHBORS = 5, 5, 20, 5
SIZES: dict[str, dict[str, int]] = {"no limit": {}, "10 rows in a leaf": {"min_samples_leaf": 10}}
Rows = tuple[np.ndarray, np.ndarray]


def interpolated(X: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> Rows:
    """Return the rows with made-up rare ones added, until both classes are equally many."""
    rare, missing = X[y], (~y).sum() - y.sum()
    scale = np.where(X.std(axis=0) > 0, X.std(axis=0), 1)
    near = NearestNeighbors(n_neighbors=NEIGHBORS + 1).fit(rare / scale)
    at = near.kneighbors(rare / scale, return_distance=False)[:, 1:]  # without the row itself
    one = rng.integers(len(rare), size=missing)
    other = at[one, rng.integers(NEIGHBORS, size=missing)]
    made = rare[one] + rng.random((missing, 1)) * (rare[other] - rare[one])
    return np.vstack([X, made]), np.r_[y, np.ones(missing, bool)]


def tables() -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Yield the name of each table of numbers without gaps, its features, and which rows are rare."""
    for name in SOURCES:
        X, classes = load(name)
        if X.select_dtypes("category").empty and not X.isna().any().any():
            yield name, X.to_numpy(), (classes == classes.value_counts().sort_index().idxmin()).to_numpy()


def parts() -> Iterator[tuple[dict[str, Any], Rows, Rows]]:
    """Yield what a fold is called, the rows to grow from, and those to judge by."""
    for name, X, y in tables():
        for repeat in range(REPEATS):
            folds = StratifiedKFold(FOLDS, shuffle=True, random_state=repeat)
            for fold, (train, test) in enumerate(folds.split(X, y)):
                head = {"table": name, "draw": repeat, "fold": fold, "train": len(train), "test": len(test)}
                yield head | {"rare": int(y.sum())}, (X[train], y[train]), (X[test], y[test])
    for name in WORLDS:
        for seed in range(DRAWS):
            x, y, _ = drawn(name, ROWS, seed)
            head = {"table": name, "draw": seed, "fold": 0, "train": ROWS, "test": FRESH}
            yield head | {"rare": int(y.sum())}, (x, y), drawn(name, FRESH, 1000 + seed)[:2]


def lines() -> Iterator[dict[str, Any]]:
    """Yield a line for each fold."""
    for head, (X, y), (Z, z) in parts():
        c, rng = (~y).sum() / y.sum(), np.random.default_rng(head["draw"])
        ways = {
            "threshold": (X, y, 1.0, 1 / (1 + c)),
            "weights": (X, y, c, 1 / 2),
            "made up": (*interpolated(X, y, rng), 1.0, 1 / 2),
        }
        for (size, limits), (way, (A, a, w, border)) in (
            (one, two) for one in SIZES.items() for two in ways.items()
        ):
            tree = CARTClassifier(class_weight={False: 1.0, True: w}, keep_data=False, **limits)
            p = tree.fit(A, a).predict_proba(Z)[:, 1]
            cost = np.where(z, c * (p <= border + 1e-9), p > border + 1e-9).mean() / (1 - z.mean())
            head |= {f"{size}, {way}, cost": cost, f"{size}, {way}, auc": roc_auc_score(z, p)}
        yield head


if __name__ == "__main__":
    pd.DataFrame(lines()).round(4).to_csv(KEPT, index=False)
