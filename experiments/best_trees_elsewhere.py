"""Do three programs find trees that cost the same? Ours, STreeD and GOSDT, on the same columns of 0 and 1.

    python -m experiments.best_trees_elsewhere

writes two files to `experiments/results/`, in some minutes. Names of files behind the command write these
alone.

- `best_trees_elsewhere.csv`: for each table of `tests/oracles/best_trees.py` with two classes, and two, three
  and four levels, what the best tree of each program costs: the share of the rows that it gets wrong, and
  1/64 for each leaf. STreeD (`pystreed`) is asked with its own settings, and says its errors and questions.
  GOSDT says what its tree costs. Both say whether it is optimal.
- `one_table_elsewhere.csv`: the table of three classes, "drawn 6", on which STreeD calls a tree of four
  levels optimal and finds a cheaper one if it is asked without its lower bound; with each of the ways to ask
  of `tests/oracles/best_trees.py`, and ours. It needs no GOSDT.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from dtlib import OptimalTreeClassifier
from tests.oracles.best_trees import WAYS_TO_ASK, binary_tables

RESULTS = Path(__file__).resolve().parent / "results"
PRICE, DEPTHS, SECONDS = 1 / 64, (2, 3, 4), 60


def of_streed(X: np.ndarray, y: np.ndarray, depth: int, **options: bool) -> tuple[float, bool]:
    """Return what the tree of STreeD costs, and whether it says that none costs less."""
    from pystreed import STreeDClassifier

    model = STreeDClassifier(
        "cost-complex-accuracy", max_depth=depth, cost_complexity=PRICE, time_limit=SECONDS, **options
    )
    model.fit(X, y)
    leaves = int(model.fit_result.tree_nodes()) + 1
    return float((model.predict(X) != y).mean()) + PRICE * leaves, bool(model.fit_result.is_optimal())


def of_gosdt(X: np.ndarray, y: np.ndarray, depth: int) -> tuple[float, bool]:
    """Return what the tree of GOSDT costs, and whether it says that none costs less."""
    from gosdt import GOSDTClassifier, Status

    model = GOSDTClassifier(
        regularization=PRICE, depth_budget=depth, time_limit=SECONDS, allow_small_reg=True
    )
    found = model.fit(pd.DataFrame(X), y).result_
    return float(found.upperbound), found.status == Status.CONVERGED


def of_ours(X: np.ndarray, y: np.ndarray, depth: int) -> tuple[float, bool]:
    """Return what our tree costs, and whether it is proved that none costs less."""
    model = OptimalTreeClassifier(max_depth=depth, ccp_alpha=PRICE).fit(X, y)
    return model.objective_, model.is_optimal_


PROGRAMS = {"dtlib": of_ours, "STreeD": of_streed, "GOSDT": of_gosdt}


def lines() -> Iterator[dict[str, Any]]:
    """Yield what each program finds, table by table."""
    for name, (X, y) in binary_tables().items():
        if len(np.unique(y)) > 2:
            continue
        for depth in DEPTHS:
            line = {"table": name, "rows": len(y), "questions": X.shape[1], "depth": depth}
            for program, find in PROGRAMS.items():
                cost, is_optimal = find(X, y, depth)
                line |= {program: cost, f"{program} says optimal": is_optimal}
            yield line


def compared() -> pd.DataFrame:
    """Return what the programs find on all tables, with the versions in the last columns."""
    said = {name: metadata.version(name) for name in ("pystreed", "gosdt")}
    return pd.DataFrame(lines()).assign(**said)


def asked_otherwise(table: str = "drawn 6", depth: int = 4) -> pd.DataFrame:
    """Return what STreeD finds on one table if it is asked in several ways, and what is found here."""
    X, y = binary_tables()[table]
    asked = {", ".join(options) or "nothing": of_streed(X, y, depth, **options) for options in WAYS_TO_ASK}
    found = [("STreeD", off, *answer) for off, answer in asked.items()]
    found.append(("dtlib", "nothing", *of_ours(X, y, depth)))
    about = {"table": table, "rows": len(y), "questions": X.shape[1], "depth": depth}
    program = pd.DataFrame(found, columns=["program", "switched off", "cost", "says optimal"])
    return pd.DataFrame(about, program.index).join(program).assign(pystreed=metadata.version("pystreed"))


FILES: dict[str, Callable[[], pd.DataFrame]] = {
    "best_trees_elsewhere": compared,
    "one_table_elsewhere": asked_otherwise,
}


def main() -> None:
    """Write the files that are named, or all."""
    for name in sys.argv[1:] or FILES:
        FILES[name]().round(6).to_csv(RESULTS / f"{name}.csv", index=False)


if __name__ == "__main__":
    main()
