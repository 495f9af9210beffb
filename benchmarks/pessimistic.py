"""How long pessimistic pruning takes beside growing the tree that it prunes."""

from __future__ import annotations

import time
from collections.abc import Callable

from cases import Data, chain, continuous, noise, route_missing

import dtlib
from dtlib import C45Classifier
from dtlib.jit import has_numba
from dtlib.prune import pessimistic

MOST = 1.0  # times the seconds of growing
ROWS = 96_000  # noise then has 20,000 leaves


def holed(n: int) -> Data:
    """Return the numbers of `continuous`, a fifth of them missing."""
    X, y = continuous(n)
    return route_missing(X), y


TABLES: dict[str, tuple[Callable[[int], Data], int]] = {
    "numbers that say something": (continuous, ROWS),
    "noise": (noise, ROWS),
    "a fifth missing": (holed, ROWS // 20),
    "a chain of questions": (chain, ROWS // 100),
}


def seconds(make: Callable[[int], Data], n: int) -> tuple[float, float, int, int]:
    """Return the seconds of growing and of pruning, and the leaves before and after."""
    X, y = make(n)
    start = time.perf_counter()
    tree = C45Classifier(min_samples_leaf=1, keep_data=True).fit(X, y).tree_
    grown = time.perf_counter()
    small = pessimistic(tree)
    return grown - start, time.perf_counter() - grown, tree.n_leaves, small.n_leaves


def pruning_section(rows: int = 10**6) -> str:
    """Write the seconds as a table, for at most so many rows."""
    lines = [
        "| | rows | grown, seconds | pruned, seconds | leaves | of them left | at most | pruned / grown |"
    ]
    lines.append("| --- |" + " ---: |" * 7)
    for name, (make, n) in TABLES.items():
        n = min(n, rows)
        grown, pruned, leaves, left = seconds(make, n)
        cells = [name, f"{n:,}", f"{grown:.2f}", f"{pruned:.2f}", f"{leaves:,}", f"{left:,}", f"{MOST:.2f}"]
        lines.append("| " + " | ".join([*cells, f"**{pruned / grown:.2f}**"]) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    if has_numba():
        dtlib.compile()
    print(pruning_section())
