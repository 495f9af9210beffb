"""A tree, a bag and a random forest on the same folds of four measured tables.

    python -m experiments.forests

writes `experiments/results/forests.csv`, in about five minutes on one core: for each table and fold, the
share of held-out rows that each has right. The tables are those of scikit-learn with numbers alone; the folds
are those of ten times five-fold cross-validation, stratified, with the seeds 0 to 9. Bag and forest have 100
trees of scikit-learn each, and differ in the features that are drawn at each node: all, or the root of their
number.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import StratifiedKFold

from dtlib import CARTClassifier

KEPT = Path(__file__).resolve().parent / "results" / "forests.csv"
REPEATS, FOLDS, TREES = 10, 5, 100
TABLES = {"irises": load_iris, "wines": load_wine, "tumors": load_breast_cancer, "digits": load_digits}


def models(seed: int) -> dict[str, Any]:
    """Return what is compared, unfitted."""
    return {
        "tree": CARTClassifier(keep_data=False),
        "bag": RandomForestClassifier(TREES, max_features=None, random_state=seed),
        "forest": RandomForestClassifier(TREES, max_features="sqrt", random_state=seed),
    }


def folds_of(X: np.ndarray, y: np.ndarray) -> Iterator[dict[str, Any]]:
    """Yield a line for each fold: its sizes, and what each model has right."""
    for repeat in range(REPEATS):
        parts = StratifiedKFold(FOLDS, shuffle=True, random_state=repeat)
        for fold, (train, test) in enumerate(parts.split(X, y)):
            line: dict[str, Any] = {"repeat": repeat, "fold": fold, "train": len(train), "test": len(test)}
            for name, model in models(repeat).items():
                line[name] = model.fit(X[train], y[train]).score(X[test], y[test])
            yield line


def main() -> None:
    """Fit everything, and write the file."""
    lines = []
    for name, read in TABLES.items():
        sys.stderr.write(f"{name}\n")
        lines += [{"table": name, **line} for line in folds_of(*read(return_X_y=True))]
    pd.DataFrame(lines).round(4).to_csv(KEPT, index=False)


if __name__ == "__main__":
    main()
