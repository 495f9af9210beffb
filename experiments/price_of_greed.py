"""What greed costs: greedy and best trees of the same questions and the same depth, on rows held out.

    python -m experiments.price_of_greed

writes `experiments/results/price_of_greed.csv`, in some eight minutes on one core: for each table, fold and
depth, the errors of each tree on the training rows and on the held-out rows, and its leaves. The folds are
those of five times five-fold cross-validation, stratified, with the seeds 0 to 4. Then it writes
`experiments/results/stopped_by_the_clock.csv`: what is found, and what is proved, in so many seconds (with
Numba).

The tables are those of `experiments.tables` that need neither Weka nor mlbench, but for the digits, whose ten
classes do not fit into the leaves of so small a tree. All trees but those of "all cuts" are asked columns of
0 and 1: whether a number is at most one of four thresholds, the fifths of the training rows; whether a name
is one of the values that they have. A gap in a column of numbers is the median of the training rows, and
whether there is one can be asked; a gap among names is a name. "as many leaves" is grown best first, to any
depth, until it has as many leaves as the best tree.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold

from dtlib import CARTClassifier, OptimalTreeClassifier
from experiments.tables import load

RESULTS = Path(__file__).resolve().parent / "results"
TABLES = "iris", "wine", "tumors", "votes", "titanic", "hearts", "spines", "prostates"
REPEATS, FOLDS, DEPTHS, CUTS = 5, 5, (1, 2, 3), 4
LIMITS = 0, 1, 3, 10, None  # seconds


def filled(X: pd.DataFrame, train: np.ndarray) -> pd.DataFrame:
    """Return a table without gaps: names get one more name, numbers the median of the training rows."""
    columns = {}
    for name in X:
        x = X[name]
        if isinstance(x.dtype, pd.CategoricalDtype):
            columns[name] = x.astype(object).where(x.notna(), "gap")
            continue
        columns[name] = x.fillna(x.iloc[train].median())
        if x.isna().any():
            columns[f"{name} is a gap"] = x.isna().astype(float)
    return pd.DataFrame(columns)


def questions(X: pd.DataFrame, train: np.ndarray, cuts: int = CUTS) -> np.ndarray:
    """Return the answers, 0 or 1, to all questions that training rows answer in both ways."""
    found = []
    for name in X:
        x = X[name].iloc[train]
        if x.dtype == object:
            found += [X[name] == value for value in sorted(x.unique())]
            continue
        shares = np.arange(1, cuts + 1) / (cuts + 1)
        found += [X[name] <= cut for cut in np.unique(np.quantile(x, shares, method="lower"))]
    Z = np.column_stack(found).astype(float)
    return Z[:, np.ptp(Z[train], axis=0) > 0]


def models(depth: int) -> dict[str, Any]:
    """Return what is compared, unfitted."""
    return {
        "Gini": CARTClassifier(max_depth=depth, keep_data=False),
        "entropy": CARTClassifier(max_depth=depth, criterion="entropy", keep_data=False),
        "best": OptimalTreeClassifier(max_depth=depth, keep_data=False),
    }


def folds_of(X: pd.DataFrame, y: np.ndarray) -> Iterator[dict[str, Any]]:
    """Yield a line for each fold and depth."""
    for repeat in range(REPEATS):
        parts = StratifiedKFold(FOLDS, shuffle=True, random_state=repeat)
        for fold, (train, test) in enumerate(parts.split(X, y)):
            whole = filled(X, train)
            Z = questions(whole, train)
            for depth in DEPTHS:
                line = {
                    "repeat": repeat, "fold": fold, "train": len(train), "test": len(test),
                    "questions": Z.shape[1], "depth": depth,
                }  # fmt: skip
                line["commonest"] = int((y[test] != pd.Series(y[train]).mode()[0]).sum())
                for name, model in models(depth).items():
                    line |= errors(name, model.fit(Z[train], y[train]), Z, y, train, test)
                leaves = line["best leaves"]
                free = CARTClassifier(max_leaf_nodes=max(leaves, 2), keep_data=False)
                line |= errors("as many leaves", free.fit(Z[train], y[train]), Z, y, train, test)
                fine = CARTClassifier(max_depth=depth, nominal="one_vs_rest", keep_data=False)
                line |= errors("all cuts", fine.fit(whole.iloc[train], y[train]), whole, y, train, test)
                yield line
        sys.stderr.write(f" {repeat + 1}")


def errors(
    name: str, model: Any, X: Any, y: np.ndarray, train: np.ndarray, test: np.ndarray
) -> dict[str, int]:
    """Return what a fitted tree gets wrong, and its leaves."""
    rows = X.iloc if hasattr(X, "iloc") else X
    found = {f"{name} {part}": int((model.predict(rows[at]) != y[at]).sum())
             for part, at in (("train", train), ("test", test))}  # fmt: skip
    return found | {f"{name} leaves": model.get_n_leaves()}


def stopped() -> Iterator[dict[str, Any]]:
    """Yield what a search of five levels has found and proved of the hearts, after some seconds."""
    X, y = load("hearts")
    every = np.arange(len(y))
    Z = questions(filled(X, every), every)
    for limit in LIMITS:
        model = OptimalTreeClassifier(max_depth=5, time_limit=limit, keep_data=False)
        start = time.process_time()
        model.fit(Z, y)
        yield {
            "limit": "none" if limit is None else limit, "seconds": round(time.process_time() - start),
            "rows": len(y), "questions": Z.shape[1], "errors": int((model.predict(Z) != y).sum()),
            "objective": model.objective_, "lower bound": model.lower_bound_, "optimal": model.is_optimal_,
        }  # fmt: skip


def main() -> None:
    """Fit everything, and write the files."""
    lines = []
    for name in TABLES:
        X, y = load(name)
        sys.stderr.write(f"\n{name}, repeats:")
        lines += [{"table": name, **line} for line in folds_of(X, y.to_numpy())]
        pd.DataFrame(lines).to_csv(RESULTS / "price_of_greed.csv", index=False)
    pd.DataFrame(stopped()).round(4).to_csv(RESULTS / "stopped_by_the_clock.csv", index=False)


if __name__ == "__main__":
    main()
