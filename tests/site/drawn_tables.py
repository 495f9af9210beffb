"""Drawn tables, and what the library finds in them: the script of the widgets is held to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone

from dtlib import C45Classifier, CARTClassifier, ID3Classifier
from dtlib.tree.splits import Split, Threshold

PROGRAMS = {
    "ID3": ID3Classifier(),
    "C4.5": C45Classifier(max_depth=1),
    "CART": CARTClassifier(max_depth=1, missing="majority"),
}


@dataclass(frozen=True)
class Drawn:
    """A table with classes and weights of its rows."""

    X: pd.DataFrame
    y: np.ndarray
    weight: np.ndarray

    def takes(self, program: str) -> bool:
        """Whether a program reads it: ID3 reads neither numbers nor gaps."""
        return program != "ID3" or not (self.X.isna().any(axis=None) or any(map(is_number, self.X.items())))

    def in_script(self) -> dict[str, Any]:
        """Return the table as the script has it, and its rows with their weights."""
        columns = [in_script(name, column) for name, column in self.X.items()]
        rows = [[i, w] for i, w in enumerate(self.weight.tolist())]
        table = {"columns": columns, "y": self.y.tolist(), "K": int(self.y.max()) + 1}
        return {"table": table | {"least": self.weight.min()}, "rows": rows}


def is_number(named: tuple[Any, pd.Series]) -> bool:
    """Whether a column has numbers."""
    return named[1].dtype != "category"


def in_script(name: str, column: pd.Series) -> dict[str, Any]:
    """Return a column as the script has it: null where a value is missing."""
    if is_number((name, column)):
        return {"name": name, "numbers": [None if np.isnan(x) else x for x in column.tolist()]}
    codes = [None if code < 0 else code for code in column.cat.codes.tolist()]
    return {"name": name, "names": column.cat.categories.tolist(), "codes": codes}


def draw_table(random: np.random.Generator) -> Drawn:
    """Draw a table: names or numbers, with gaps or without, whole weights or parts."""
    n, K = int(random.integers(2, 25)), int(random.integers(2, 4))
    kinds = random.choice(
        ["names", "numbers"], int(random.integers(1, 5)), p=random.choice([[1, 0], [0.6, 0.4]])
    )
    gaps = random.choice([0, 0, 0.15])
    columns = {f"x{f}": draw_column(random, kind, n, gaps) for f, kind in enumerate(kinds)}
    y = random.permutation(np.r_[np.arange(K), random.integers(0, K, max(0, n - K))][:n])
    weight = random.choice([np.ones(n), random.integers(1, 9, n) / 4])
    return Drawn(pd.DataFrame(columns), np.unique(y, return_inverse=True)[1], weight)


def draw_column(random: np.random.Generator, kind: str, n: int, gaps: float) -> pd.Series:
    """Draw a column of a few names or of numbers that often are equal; something of it is always known."""
    missing = random.random(n) < gaps
    missing[random.integers(n)] = False
    if kind == "numbers":
        return pd.Series(random.integers(0, 12, n) / 8).mask(missing)
    names = [f"v{i}" for i in range(int(random.integers(1, 6)))]
    codes = np.where(missing, -1, random.integers(0, len(names), n))
    return pd.Series(pd.Categorical.from_codes(codes, names))


def of_library(drawn: Drawn, program: str) -> dict[str, Any]:
    """Return the best split of each feature and which one is asked, by the library."""
    tree = clone(PROGRAMS[program]).fit(drawn.X, drawn.y, sample_weight=drawn.weight).tree_
    asked = tree.root.split
    names = drawn.X.columns.tolist()
    return {
        "lines": tree.explain(0).to_dict("records"),
        "feature": -1 if asked is None else names.index(asked.feature),
        "split": None if asked is None else as_script(asked, drawn.X),
    }


def as_script(split: Split, X: pd.DataFrame) -> dict[str, Any]:
    """Return a split as the script has it."""
    f = X.columns.get_loc(split.feature)
    if isinstance(split, Threshold):
        return {"f": f, "threshold": split.threshold, "groups": None}
    code = {name: i for i, name in enumerate(X[split.feature].cat.categories)}
    return {"f": f, "groups": [[code[name] for name in group] for group in split.groups]}
