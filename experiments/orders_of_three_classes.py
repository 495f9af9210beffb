"""How often the orders by one class miss the best groups of three classes (chapter 9).

    python -m experiments.orders_of_three_classes

writes `experiments/results/orders_of_three_classes.csv`, in a few minutes on one core. A line is a seed, from
0 to 399: of 5,000 tables of five values and three classes, with counts drawn from 0 to 3, how many have no
empty value (`tables`), and in how many of them every cut of all three orders leaves a greater Gini index than
the best two groups (`misses`). Equal shares stand in the order of the table.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

KEPT = Path(__file__).resolve().parent / "results" / "orders_of_three_classes.csv"
VALUES, CLASSES, MOST, DRAWS, SEEDS = 5, 3, 3, 5000, 400


def tables_of(seed: int) -> np.ndarray:
    """Return the tables of a seed without an empty value, of shape (tables, values, classes)."""
    counts = np.random.default_rng(seed).integers(MOST + 1, size=(DRAWS, VALUES, CLASSES))
    return counts[counts.sum(2).all(1)]


def purity(counts: np.ndarray) -> np.ndarray:
    """Return the rows of each side times the sum of its squared shares; the classes are the first axis."""
    return (counts**2).sum(0) / counts.sum(0)


def misses(tables: np.ndarray) -> np.ndarray:
    """Tell of each table whether every cut of all orders by one class is worse than the best two groups.

    >>> bool(misses(np.array([[[1, 0, 0], [3, 3, 2], [1, 0, 3], [2, 0, 2], [0, 1, 1]]]))[0])
    True
    """
    counts = tables.astype(float).transpose(1, 2, 0)
    kept = np.full((2**VALUES, len(tables)), -np.inf)  # what is kept by the group with these values, as bits
    for group in list(product([False, True], repeat=VALUES))[1:-1]:
        inside = counts[list(group)].sum(0)
        kept[np.packbits(group, bitorder="little")[0]] = purity(inside) + purity(counts.sum(0) - inside)
    by_cut = np.full(len(tables), -np.inf)
    for k in range(CLASSES):
        order = (counts[:, k] / counts.sum(1)).argsort(0, kind="stable")
        cuts = (1 << order).cumsum(0)[:-1]
        by_cut = np.maximum(by_cut, np.take_along_axis(kept, cuts, 0).max(0))
    return np.asarray(by_cut < kept.max(0) - 1e-9)


def main() -> None:
    """Count the misses of every seed, and write them."""
    lines = []
    for seed in range(SEEDS):
        tables = tables_of(seed)
        lines.append({"seed": seed, "tables": len(tables), "misses": int(misses(tables).sum())})
    pd.DataFrame(lines).to_csv(KEPT, index=False)


if __name__ == "__main__":
    main()
