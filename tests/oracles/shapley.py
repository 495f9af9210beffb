"""Record how shap divides predictions of trees among their features (chapter 18).

    python tests/oracles/shapley.py

writes shapley.json beside this file. It needs shap 0.51.0 (MIT; only its output is kept here): S. M. Lundberg
and others, "From local explanations to global understanding with explainable AI for trees", Nature Machine
Intelligence 2 (2020). The trees are scikit-learn's, of tables whose categories are written as their codes.
What is unknown follows the shares of the training samples in the tree, or is averaged over all samples.
"""

from __future__ import annotations

import json
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.tree import DecisionTreeClassifier

from dtlib.datasets import load_loan, load_titanic

HERE = Path(__file__).parent
GAMES = ("tree_path_dependent", "interventional")
Case = tuple[pd.DataFrame, "np.ndarray | pd.Series[Any]", dict[str, Any]]


def cases() -> dict[str, Case]:
    """Return the tables, and how their trees are grown."""
    loan, titanic = load_loan(), load_titanic()
    rng = np.random.default_rng(17)
    X = pd.DataFrame(rng.normal(size=(120, 3)), columns=["a", "b", "c"])
    X["c"] += X["a"]  # the two go together
    drawn = np.where(X["a"] * X["b"] + X["c"] + rng.normal(size=120) > 0, "yes", "no")
    return {
        "loans": (loan.X, loan.y, {"criterion": "entropy"}),
        "titanic": (titanic.X[["sex", "ticket"]], titanic.y, {"max_depth": 2}),
        "drawn": (X, drawn, {"max_depth": 3, "min_samples_leaf": 10}),
    }


def divided(X: pd.DataFrame, y: Any, settings: dict[str, Any]) -> dict[str, Any]:
    """Return what each feature has of the share of yes, for up to fifteen different samples."""
    import shap

    codes = X.apply(lambda column: column if column.dtype == float else column.cat.codes)
    model = DecisionTreeClassifier(random_state=0, **settings).fit(codes, y)
    everybody = shap.maskers.Independent(codes, max_samples=len(codes))
    asked = codes.drop_duplicates().head(15)
    found: dict[str, Any] = {"rows": asked.index.tolist()}
    for game, background in zip(GAMES, (None, everybody), strict=True):
        explainer = shap.TreeExplainer(model, background, feature_perturbation=game)
        found[game] = explainer.shap_values(asked)[..., 1].round(9).tolist()
        found["mean"] = round(float(explainer.expected_value[1]), 9)
    return found


def main() -> None:
    """Ask, and write the file."""
    program = {name: metadata.version(name) for name in ("shap", "scikit-learn")}
    kept = {"program": program, "cases": {name: divided(*case) for name, case in cases().items()}}
    (HERE / "shapley.json").write_text(json.dumps(kept) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
