"""What leaves say of a rare class, and what is decided by it: nine tables and two made worlds.

    python -m experiments.leaf_shares

writes `experiments/results/leaf_shares.csv`, in about ten minutes on one core. Each table has two classes;
the rarer one is *rare*, of three growers the rarest, of ten digits the eight. Of nine measured tables the
folds are those of ten times five-fold cross-validation, stratified, with the seeds 0 to 9. Of each made world
50 tables of 400 rows are drawn, with the seeds 0 to 49, and 2,000 fresh rows to test on; as their true
chances are known, the distance of a share from the truth is measured, too. Trees are grown in three sizes,
with and without weights that make both classes count the same. A miss costs as many false alarms as there are
others to a rare one, so that saying always the same costs the same whichever class it is: that cost is 1
here. The column `rare` says how many rows are rare, of the whole table, or of the 400 drawn ones of a made
world. The hearts are without the hospital, zeros of cholesterol and pressure are gaps, as in chapter 24.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold

from dtlib import CARTClassifier
from experiments.tables import load

KEPT = Path(__file__).resolve().parent / "results" / "leaf_shares.csv"
REPEATS, FOLDS, DRAWS, ROWS, FRESH = 10, 5, 50, 400, 2000
MEASURED = {
    "eights": ("digits", "is_8"), "wines": ("wine", "is_2"), "tumors": ("tumors", "is_0"),
    "irises": ("iris", "is_1"),
    "votes": ("votes", "is_republican"), "titanic": ("titanic", "is_yes"), "hearts": ("hearts", "is_clear"),
    "spines": ("spines", "is_present"), "prostates": ("prostates", "is_worse"),
}  # fmt: skip
SIZES = {
    "no limit": {},
    "10 rows in a leaf": {"min_samples_leaf": 10},
    "depth 3": {"max_depth": 3},
}
ESTIMATES = {"share": 0.0, "Laplace": 0.0, "m = 2": 2.0, "m = 5": 5.0, "m = 10": 10.0, "m = 20": 20.0}


def logistic(x: np.ndarray) -> np.ndarray:
    """Return the chance whose logarithm of the odds is x."""
    return 1 / (1 + np.exp(-x))


def slope(x: np.ndarray) -> np.ndarray:
    """Return the chances of a world where five numbers add up: one row in eight or so is rare."""
    return logistic(6 * x[:, :5].mean(1) - 5.5)


def island(x: np.ndarray) -> np.ndarray:
    """Return the chances of a world with a corner in which a class that is rare elsewhere is common."""
    return np.where((x[:, 0] > 0.6) & (x[:, 1] > 0.6), 0.6, 0.04)


WORLDS = {"a slope": slope, "an island": island}


def drawn(world: str, n: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw n rows of a made world: eight numbers each, whether it is rare, and the chance that it is."""
    rng = np.random.default_rng(seed)
    x = rng.random((n, 8))
    p = WORLDS[world](x)
    return x, rng.random(n) < p, p


def counts_at(model: CARTClassifier, X: Any, weight: float) -> tuple[np.ndarray, np.ndarray, float]:
    """Return of each row how many rows its leaf was grown from, how many rare ones, and the whole share."""
    summary = model.tree_.summary / np.array([1.0, weight])
    at = summary[model.apply(X)]
    return at.sum(1), at[:, 1], summary[0, 1] / summary[0].sum()


def said(model: CARTClassifier, X: Any, weight: float) -> Iterator[tuple[str, np.ndarray]]:
    """Yield the name of each estimate, and the chance of a rare class that it says of each row."""
    n, k, whole = counts_at(model, X, weight)
    if weight != 1:
        yield "weighted share", k * weight / (k * weight + n - k)
    for name, m in ESTIMATES.items():
        yield name, (k + 1) / (n + 2) if name == "Laplace" else (k + m * whole) / (n + m)


def judged(p: np.ndarray, rare: np.ndarray, c: float, truth: np.ndarray | None) -> dict[str, float]:
    """Return what chances are worth: errors, scores, and the cost of what they decide."""
    given = np.where(rare, p, 1 - p)  # to the class that came
    surprise = -np.log2(given, out=np.full(len(p), -np.inf), where=given > 0)
    warned = p > 1 / (1 + c) + 1e-9
    unwarned = 1 - rare.mean() if truth is None else c * truth.mean()
    cost = np.where(rare, c * ~warned, warned).mean() / unwarned
    return {
        "mean": p.mean(), "brier": ((p - rare) ** 2).mean(), "log loss": surprise.mean(),
        "impossible": np.isinf(surprise).mean(), "auc": roc_auc_score(rare, p), "cost": cost,
        "off": np.nan if truth is None else ((p - truth) ** 2).mean(),
    }  # fmt: skip


def lines_of(train: tuple, test: tuple, truth: np.ndarray | None = None) -> Iterator[dict[str, Any]]:
    """Yield a line for each size, weight and estimate."""
    (X, y), (Z, z) = train, test
    c = float((~y).sum() / y.sum())
    for size, limits in SIZES.items():
        for grown, weight in {"no weight": 1.0, "balanced": c}.items():
            model = CARTClassifier(
                class_weight={False: 1.0, True: weight}, missing="surrogate", keep_data=False, **limits
            ).fit(X, y)
            for name, p in said(model, Z, weight):
                line = {"size": size, "grown": grown, "estimate": name, "leaves": model.get_n_leaves()}
                yield line | judged(p, z, c, truth)


def of_table(name: str) -> Iterator[dict[str, Any]]:
    """Yield the lines of all folds of a measured table."""
    called, rare = MEASURED[name]
    X, classes = load(called)
    y = (classes == rare).to_numpy()
    for repeat in range(REPEATS):
        parts = StratifiedKFold(FOLDS, shuffle=True, random_state=repeat)
        for fold, (train, test) in enumerate(parts.split(X, y)):
            head = {"table": name, "draw": repeat, "fold": fold, "train": len(train), "test": len(test)}
            head["rare"] = int(y.sum())
            for line in lines_of((X.iloc[train], y[train]), (X.iloc[test], y[test])):
                yield head | line


def of_world(name: str) -> Iterator[dict[str, Any]]:
    """Yield the lines of all tables of a made world."""
    for seed in range(DRAWS):
        x, y, _ = drawn(name, ROWS, seed)
        fresh, z, p = drawn(name, FRESH, 1000 + seed)
        head = {"table": name, "draw": seed, "fold": 0, "train": ROWS, "test": FRESH, "rare": int(y.sum())}
        for line in lines_of((x, y), (fresh, z), p):
            yield head | line


def wide(found: pd.DataFrame) -> pd.DataFrame:
    """Return a line for each fold, and a column for each measure of what the chapter compares."""
    kept = found[found["estimate"].isin(["share", "Laplace", "m = 5", "weighted share"])]
    kept = kept[(kept["grown"] == "no weight") | kept["estimate"].isin(["share", "weighted share"])]
    fold = ["table", "draw", "fold", "train", "test", "rare"]
    columns = kept.pivot_table(
        index=fold, columns=["size", "grown", "estimate"], values=["brier", "auc", "cost"], sort=False
    )
    columns.columns = [", ".join([*rest, measure]) for measure, *rest in columns.columns]
    return columns.round(4).reset_index()


def main(names: list[str]) -> None:
    """Grow everything that is named, and write the file."""
    lines: list[dict[str, Any]] = []
    for name in names or [*MEASURED, *WORLDS]:
        sys.stderr.write(f"{name}\n")
        lines += of_world(name) if name in WORLDS else of_table(name)
    found = pd.DataFrame(lines)
    if names:
        sys.stdout.write(found.groupby(["table", "size", "grown", "estimate"]).mean().round(4).to_string())
    else:
        wide(found).to_csv(KEPT, index=False)


if __name__ == "__main__":
    main(sys.argv[1:])
