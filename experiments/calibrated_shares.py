"""Do shares come true after Platt scaling or isotonic regression: nine tables and two made worlds.

    python -m experiments.calibrated_shares

writes `experiments/results/calibrated_shares.csv`, in about four minutes on one core. Tables, rare classes
and worlds are those of `experiments.leaf_shares`; the folds are those of five times five-fold
cross-validation, stratified, with the seeds 0 to 4, and of each world 20 tables are drawn. Two trees are
grown on each training part: one without a limit, which says Laplace's shares, and one with at least 10 rows
in a leaf. Five inner folds give each training row the share of a tree that has not seen it. From these shares
Platt's sigmoid and the isotonic steps are learned, and applied to the tree of the whole training part: what
`CalibratedClassifierCV(ensemble=False)` does. Beside them stands a forest of 100 trees of scikit-learn, for
which names are numbered. A line of the file is a fold; a column is the Brier score or the AUC of a model.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from dtlib import CARTClassifier
from experiments.leaf_shares import FRESH, MEASURED, ROWS, WORLDS, drawn
from experiments.tables import load

KEPT = Path(__file__).resolve().parent / "results" / "calibrated_shares.csv"
REPEATS, FOLDS, DRAWS = 5, 5, 20
TREES: dict[str, dict[str, Any]] = {
    "whole, Laplace": {"leaf_shares": "laplace"},
    "10 rows in a leaf": {"min_samples_leaf": 10},
}


def platt(share: np.ndarray, rare: np.ndarray, new: np.ndarray) -> np.ndarray:
    """Return the chances that Platt's sigmoid makes of new shares: fitted to shares and softened classes."""
    ones = rare.sum()
    target = np.where(rare, (ones + 1) / (ones + 2), 1 / (len(rare) - ones + 2))
    both = np.r_[share, share][:, None], np.repeat([1, 0], len(rare))
    sigmoid = LogisticRegression(C=np.inf).fit(*both, sample_weight=np.r_[target, 1 - target])
    return sigmoid.predict_proba(new[:, None])[:, 1]


def isotonic(share: np.ndarray, rare: np.ndarray, new: np.ndarray) -> np.ndarray:
    """Return the chances that isotonic regression makes of new shares."""
    return IsotonicRegression(out_of_bounds="clip").fit(share, rare).predict(new)


def said(X: pd.DataFrame, y: np.ndarray, Z: pd.DataFrame) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the name of each model grown from X, and the chances that it says of Z."""
    inner = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    for name, parameters in TREES.items():
        tree = CARTClassifier(missing="surrogate", keep_data=False, **parameters)
        unseen = cross_val_predict(tree, X, y, cv=inner, method="predict_proba")[:, 1]
        new = tree.fit(X, y).predict_proba(Z)[:, 1]
        yield name, new
        yield f"{name}, Platt", platt(unseen, y, new)
        yield f"{name}, isotonic", isotonic(unseen, y, new)
    coded = [A.assign(**{c: A[c].cat.codes for c in A.select_dtypes("category")}) for A in (X, Z)]
    forest = RandomForestClassifier(random_state=0).fit(coded[0], y)
    yield "forest", forest.predict_proba(coded[1])[:, 1]


def parts() -> Iterator[tuple[dict[str, Any], tuple]]:
    """Yield what a fold is called, and its rows: those to grow from, and those to judge by."""
    for name, (called, rare) in MEASURED.items():
        X, classes = load(called)
        y = (classes == rare).to_numpy()
        for repeat in range(REPEATS):
            folds = StratifiedKFold(FOLDS, shuffle=True, random_state=repeat)
            for fold, (train, test) in enumerate(folds.split(X, y)):
                head = {"table": name, "draw": repeat, "fold": fold, "train": len(train), "test": len(test)}
                yield head, (X.iloc[train], y[train], X.iloc[test], y[test])
    for name in WORLDS:
        for seed in range(DRAWS):
            (x, y, _), (z, rare, _) = drawn(name, ROWS, seed), drawn(name, FRESH, 1000 + seed)
            head = {"table": name, "draw": seed, "fold": 0, "train": ROWS, "test": FRESH}
            yield head, (pd.DataFrame(x), y, pd.DataFrame(z), rare)


def lines() -> Iterator[dict[str, Any]]:
    """Yield a line for each fold."""
    for head, (X, y, Z, z) in parts():
        for name, p in said(X, y, Z):
            head |= {f"{name}, brier": ((p - z) ** 2).mean(), f"{name}, auc": roc_auc_score(z, p)}
        yield head


if __name__ == "__main__":
    pd.DataFrame(lines()).round(4).to_csv(KEPT, index=False)
