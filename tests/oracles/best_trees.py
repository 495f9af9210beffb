"""Record how many errors the best trees make that pystreed finds.

    python tests/oracles/best_trees.py

writes best_trees.json.gz beside this file. It needs pystreed 1.4.0 (MIT licence): J. van der Linden, M. de
Weerdt, E. Demirović, "Necessary and sufficient conditions for optimal decision trees using dynamic
programming", NeurIPS 2023. Both programs are given the same columns of 0 and 1.

Of each table, depth and price it is asked in four ways, and the tree that costs least is kept: it says of
each that it is optimal, but some are not, as another way finds a better one. "by default" is what the tree
costs, without its first leaf, that it finds with its own settings.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from importlib import metadata
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

from dtlib.datasets import (
    load_customers,
    load_golf,
    load_heart,
    load_loan,
    load_titanic,
    load_votes,
    load_watermelon,
)

HERE = Path(__file__).parent
DEPTHS = (1, 2, 3, 4)
PRICES = (0.0, 1 / 64)  # of a question, as a share of the rows
WAYS_TO_ASK = (
    {}, {"use_terminal_solver": False}, {"use_lower_bound": False}, {"use_dataset_caching": False},
)  # fmt: skip
COLUMNS = 18  # at most: without Numba, four levels of more take long
DRAWN = (
    (20, 5, 2), (40, 8, 2), (60, 10, 3), (80, 12, 2), (100, 14, 4), (120, 9, 2), (150, 18, 3), (200, 15, 2),
    (250, 12, 5), (300, 10, 2), (400, 16, 2), (500, 14, 3), (700, 11, 2),
)  # fmt: skip


def ones(columns: dict[str, np.ndarray]) -> np.ndarray:
    """Return the columns of 0 and 1 that are distinct, each the first of its kind, not too many of them."""
    found: dict[bytes, np.ndarray] = {}
    for x in columns.values():
        if 0 < x.sum() < len(x):
            found.setdefault(x.astype(bool).tobytes(), x)
    kept = list(found.values())
    return np.stack(kept[:: max(1, -(-len(kept) // COLUMNS))][:COLUMNS], axis=1).astype(int)


def of_frame(X: pd.DataFrame) -> np.ndarray:
    """Return names as a column for each, numbers as columns for three thresholds; what is missing is none."""
    columns = {}
    for name in X:
        x = X[name]
        if pd.api.types.is_numeric_dtype(x) and not pd.api.types.is_bool_dtype(x):
            for cut in np.quantile(x.dropna(), [0.25, 0.5, 0.75], method="lower"):
                columns[f"{name} <= {cut}"] = (x <= cut).to_numpy()
        else:
            for value in sorted(map(str, x.dropna().unique())):
                columns[f"{name} = {value}"] = (x.astype(str) == value).to_numpy()
    return ones(columns)


def drawn(seed: int, n: int, d: int, classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Return columns of 0 and 1, and classes that depend on some of them."""
    rng = np.random.default_rng(seed)
    X = (rng.integers(0, 100, (n, d)) < rng.integers(10, 90, d)).astype(int)
    hidden = X[:, 0] + 2 * (X[:, 1] & X[:, 2]) + (X[:, 3] ^ X[:, 4])
    return X, (hidden + (rng.integers(0, 4, n) == 0) * rng.integers(0, classes, n)) % classes


def binary_tables() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return columns of 0 and 1 and classes as numbers, of each table."""
    found = {}
    for name, load in {
        "customers": load_customers, "golf": load_golf, "heart": load_heart, "loan": load_loan,
        "titanic": load_titanic, "votes": load_votes, "watermelon": load_watermelon,
    }.items():  # fmt: skip
        data = load()
        found[name] = of_frame(data.X), np.unique(data.y.astype(str), return_inverse=True)[1]
    for name, load in {
        "iris": load_iris, "wine": load_wine, "cancer": load_breast_cancer, "digits": load_digits,
    }.items():  # fmt: skip
        data = load(as_frame=True)
        found[name] = of_frame(data.data), data.target.to_numpy()
    return found | {f"drawn {k}": drawn(k, *size) for k, size in enumerate(DRAWN)}


def fingerprint(X: np.ndarray, y: np.ndarray) -> str:
    """Return what tells whether a table is the one recorded."""
    return hashlib.sha256(X.astype(np.int8).tobytes() + y.astype(np.int8).tobytes()).hexdigest()[:16]


def record(X: np.ndarray, y: np.ndarray) -> list[dict[str, float]]:
    """Return the errors and the questions of the best trees of each depth, at each price."""
    from pystreed import STreeDClassifier

    runs = []
    for price in PRICES:
        task = "cost-complex-accuracy" if price else "accuracy"
        for depth in DEPTHS:
            found = []
            for options in WAYS_TO_ASK:
                model = STreeDClassifier(
                    task, max_depth=depth, cost_complexity=price, time_limit=600, **options
                )
                model.fit(X, y)
                assert model.fit_result.is_optimal()
                errors, questions = int((model.predict(X) != y).sum()), int(model.fit_result.tree_nodes())
                found.append((errors / len(y) + price * questions, errors, questions))
            _, errors, questions = min(found)
            run = {"depth": depth, "price": price, "errors": errors, "questions": questions}
            runs.append(run | {"by default": found[0][0]})
    return runs


def main() -> None:
    """Write the file."""
    tables = {
        name: {"fingerprint": fingerprint(X, y), "runs": record(X, y)}
        for name, (X, y) in binary_tables().items()
    }
    said = {"pystreed": metadata.version("pystreed"), "tables": tables}
    with (HERE / "best_trees.json.gz").open("wb") as file:
        file.write(gzip.compress(json.dumps(said, indent=1).encode(), mtime=0))


if __name__ == "__main__":
    main()
