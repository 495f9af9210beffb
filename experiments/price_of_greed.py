"""What greed costs: greedy and best trees of the same questions and the same depth, on rows held out.

    python -m experiments.price_of_greed

writes three files to `experiments/results/`, in some twenty minutes on one core (with Numba). Names of files
behind the command write these alone.

- `price_of_greed.csv`: for each table, fold and depth, the errors of each tree on the training rows and on
  the held-out rows, and its leaves. The folds are those of five times five-fold cross-validation,
  stratified, with the seeds 0 to 4.
- `price_of_greed_tuned.csv`: the same folds. Five inner folds of the training rows choose the depth of each
  tree ("chosen, price 0"), or its depth and its price of a leaf, `ccp_alpha`, which both count in errors
  ("chosen"). The thresholds are found in the rows that an inner fold grows from. Of settings with equally few
  errors the one with the fewest levels is taken, and of these the one with the highest price.
- `stopped_by_the_clock.csv`: what is found, and what is proved, in so many seconds.

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
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
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
PRICES = 0.02, 0.01, 0.005, 0  # of a leaf, as a share of the rows
CHOSEN = {"chosen, price 0": [(depth, 0) for depth in DEPTHS], "chosen": [*product(DEPTHS, PRICES)]}
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


def priced(depth: int, price: float) -> dict[str, Any]:
    """Return the two learners that are tuned, unfitted."""
    return {
        "Gini": CARTClassifier(max_depth=depth, ccp_alpha=price, keep_data=False),
        "best": OptimalTreeClassifier(max_depth=depth, ccp_alpha=price, keep_data=False),
    }


def inner_errors(X: pd.DataFrame, y: np.ndarray, train: np.ndarray, seed: int) -> Counter:
    """Return how often each learner errs in the inner folds, by its name and its depth and price."""
    wrong: Counter = Counter()
    for parts in StratifiedKFold(FOLDS, shuffle=True, random_state=seed).split(train, y[train]):
        grown, judged = (train[part] for part in parts)
        Z = questions(filled(X, grown), grown)
        for setting in product(DEPTHS, PRICES):
            for name, model in priced(*setting).items():
                said = model.fit(Z[grown], y[grown]).predict(Z[judged])
                wrong[name, setting] += int((said != y[judged]).sum())
    return wrong


def tuned_folds_of(X: pd.DataFrame, y: np.ndarray) -> Iterator[dict[str, Any]]:
    """Yield a line for each fold and each way to choose."""
    for repeat in range(REPEATS):
        parts = StratifiedKFold(FOLDS, shuffle=True, random_state=repeat)
        for fold, (train, test) in enumerate(parts.split(X, y)):
            Z, wrong = questions(filled(X, train), train), inner_errors(X, y, train, repeat)
            for way, settings in CHOSEN.items():
                line = {"repeat": repeat, "fold": fold, "train": len(train), "test": len(test), "depth": way}
                for name in ("Gini", "best"):
                    taken = min(settings, key=lambda setting, name=name: wrong[name, setting])
                    line |= {f"{name} depth": taken[0], f"{name} price": taken[1]}
                    model = priced(*taken)[name].fit(Z[train], y[train])
                    line |= errors(name, model, Z, y, train, test)
                yield line
        sys.stderr.write(f" {repeat + 1}")


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


def of_all_tables(folds: Callable[[pd.DataFrame, np.ndarray], Iterator[dict[str, Any]]]) -> pd.DataFrame:
    """Return the lines of all tables."""
    lines = []
    for name in TABLES:
        X, y = load(name)
        sys.stderr.write(f"\n{name}, repeats:")
        lines += [{"table": name, **line} for line in folds(X, y.to_numpy())]
    return pd.DataFrame(lines)


FILES = {
    "price_of_greed": lambda: of_all_tables(folds_of),
    "price_of_greed_tuned": lambda: of_all_tables(tuned_folds_of),
    "stopped_by_the_clock": lambda: pd.DataFrame(stopped()).round(4),
}


def main() -> None:
    """Write the files that are named, or all."""
    for name in sys.argv[1:] or FILES:
        FILES[name]().to_csv(RESULTS / f"{name}.csv", index=False)


if __name__ == "__main__":
    main()
