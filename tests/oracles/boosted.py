"""Record what XGBoost grows for the ten points, the melons and four samples in a row (chapter 17).

    python tests/oracles/boosted.py

writes boosted.json beside this file. It needs xgboost 3.2.0 (Apache-2.0; only its output is kept here): T.
Chen, C. Guestrin, "XGBoost: A Scalable Tree Boosting System", KDD 2016. All trees are grown exactly, and a
leaf may be as light as it likes, so that only the two prices decide.
"""

from __future__ import annotations

import json
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from dtlib.datasets import load_regression_points, load_watermelon

HERE = Path(__file__).parent
PLAIN = {"tree_method": "exact", "min_child_weight": 0}
LAMBDAS, GAMMAS = (0.0, 1.0), (0.0, 0.8, 0.9, 1.6, 1.7, 2.5)


def first_tree(X: pd.DataFrame, y: np.ndarray, lam: float, gamma: float) -> list[dict[str, Any]]:
    """Return the nodes of one tree of depth 2: the question's gain, or what the leaf says, and the rows."""
    from xgboost import XGBRegressor

    settings = {"n_estimators": 1, "learning_rate": 1.0, "max_depth": 2, "reg_lambda": lam, "gamma": gamma}
    model = XGBRegressor(base_score=float(y.mean()), **settings, **PLAIN).fit(X, y)
    nodes = model.get_booster().trees_to_dataframe()
    return [{"leaf": line.Feature == "Leaf", "gain": float(line.Gain), "rows": float(line.Cover)}
            for line in nodes.itertuples()]  # fmt: skip


def main() -> None:
    """Ask, and write the file."""
    from xgboost import XGBClassifier

    points, melons = load_regression_points(), load_watermelon("3.0")
    tables = {
        "points": (points.X, points.y.to_numpy()),
        "bump": (pd.DataFrame({"x": [1, 2, 3, 4]}), np.array([0.0, 2.0, 0.0, 0.0]) + 0.5),
    }
    trees = [
        {"table": name, "lambda": lam, "gamma": gamma, "nodes": first_tree(X, y, lam, gamma)}
        for name, (X, y) in tables.items()
        for lam in LAMBDAS
        for gamma in GAMMAS
    ]
    plane, good = melons.X[["density", "sugar"]], (melons.y == "yes").astype(int).to_numpy()
    margins = {}
    for depth in (1, 2):
        settings = {"n_estimators": 5, "learning_rate": 0.5, "max_depth": depth, "reg_lambda": 0.0}
        model = XGBClassifier(base_score=good.mean(), **settings, **PLAIN).fit(plane, good)
        margins[str(depth)] = model.predict(plane, output_margin=True).astype(float).round(6).tolist()
    kept = {"program": f"xgboost {metadata.version('xgboost')}", "trees": trees, "melons": margins}
    (HERE / "boosted.json").write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
