"""What one setting of a tree buys, and what many trees do: five tables, the same folds for every model.

    python -m experiments.practice

writes `experiments/results/practice.csv`, in about ten minutes on two cores: for each table and fold, the
share of held-out rows that each model has right, and the leaves of each single tree. The folds are those of
ten times five-fold cross-validation, stratified, with the seeds 0 to 9. Tumors and wines are those of
scikit-learn; votes, titanic and heart lie in `data/`, where their sources and licenses are listed. Of the
hearts the hospital is left out, and zeros of cholesterol and pressure are gaps, as in chapter 24.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from dtlib import CARTClassifier
from dtlib.datasets import load_heart, load_titanic, load_votes
from dtlib.prune import CrossValidated

KEPT = Path(__file__).resolve().parent / "results" / "practice.csv"
REPEATS, FOLDS = 10, 5
NAMES = make_column_selector(dtype_include=["category", "object", "string"])
NUMBERS = make_column_selector(dtype_include="number")


def hearts() -> tuple[pd.DataFrame, pd.Series]:
    """Return the patients as chapter 24 cleans them, and whether a vessel is narrowed."""
    frame = load_heart().frame.drop_duplicates().reset_index(drop=True)
    known = {name: frame[name].replace(0, np.nan) for name in ("cholesterol", "pressure")}
    narrowed = pd.Series(np.where(frame["disease"] > 0, "narrowed", "clear"))
    return frame.assign(**known).drop(columns=["hospital", "disease"]), narrowed


def tables() -> Iterator[tuple[str, pd.DataFrame, pd.Series]]:
    """Yield the name, the features and the classes of each table."""
    for name, load in ("tumors", load_breast_cancer), ("wines", load_wine):
        loaded = load(as_frame=True)
        yield name, loaded.data, loaded.target
    for name, read in ("votes", load_votes), ("titanic", load_titanic):
        dataset = read()
        yield name, dataset.X, dataset.y
    yield "hearts", *hearts()


def prepared(model: Any) -> Any:
    """Return a pipeline that fills gaps, flags them, and makes a column of each name, before a model."""
    names = make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder(handle_unknown="ignore"))
    numbers = make_pipeline(SimpleImputer(add_indicator=True), StandardScaler())
    return make_pipeline(make_column_transformer((names, NAMES), (numbers, NUMBERS)), model)


def models(seed: int) -> dict[str, Any]:
    """Return what is compared, unfitted."""
    tree = CARTClassifier(missing="surrogate")
    return {
        "one question": clone(tree).set_params(max_depth=1),
        "no limit": tree,
        "at least 5 rows in a leaf": clone(tree).set_params(min_samples_leaf=5),
        "entropy, no limit": clone(tree).set_params(criterion="entropy"),
        "depth 3": clone(tree).set_params(max_depth=3),
        "pruned, least error": clone(tree).set_params(prune=CrossValidated(folds=5, se=0)),
        "pruned, 1-SE": clone(tree).set_params(prune=CrossValidated(folds=5, se=1)),
        "logistic regression": prepared(LogisticRegression(max_iter=1000)),
        "random forest": prepared(RandomForestClassifier(200, random_state=seed)),
        "boosting": HistGradientBoostingClassifier(
            categorical_features="from_dtype", learning_rate=0.05, early_stopping=True, random_state=seed
        ),
    }


def folds_of(X: pd.DataFrame, y: pd.Series, say: Callable[[str], Any]) -> Iterator[dict[str, Any]]:
    """Yield a line for each fold: its sizes, what each model has right, and the leaves of each tree."""
    for repeat in range(REPEATS):
        parts = StratifiedKFold(FOLDS, shuffle=True, random_state=repeat)
        for fold, (train, test) in enumerate(parts.split(X, y)):
            line: dict[str, Any] = {"repeat": repeat, "fold": fold, "train": len(train), "test": len(test)}
            line["commonest class"] = (y.iloc[test] == y.iloc[train].mode()[0]).mean()
            for name, model in models(repeat).items():
                model.fit(X.iloc[train], y.iloc[train])
                line[name] = model.score(X.iloc[test], y.iloc[test])
                if hasattr(model, "get_n_leaves"):
                    line[f"leaves: {name}"] = model.get_n_leaves()
            yield line
        say(f" {repeat + 1}")


def main() -> None:
    """Fit everything, and write the file."""
    lines = []
    for name, X, y in tables():
        sys.stderr.write(f"\n{name}, repeats:")
        lines += [{"table": name, **line} for line in folds_of(X, y, sys.stderr.write)]
    pd.DataFrame(lines).round(4).to_csv(KEPT, index=False)


if __name__ == "__main__":
    main()
