"""Boosting on the twenty-three tables of chapter 23, on the same folds (chapter 17).

    python -m experiments.boosting

writes `experiments/results/boosting.csv`, in the form of `twenty_tables.csv`: for each of ten folds, those of
the seeds 0 and 1, how many held-out rows a method has right. It needs `lightgbm` and `xgboost`
(experiments/requirements.txt), and took half an hour on one busy core.

The settings were fixed before anything was grown: 100 rounds at the rate 0.1, everything else as the program
has it, and one more that stops by itself, at the rate 0.05, when a tenth of its rows held out has not become
better for ten rounds. XGBoost starts from the rate 0.3; here it has 0.1, as the others do. Six pairs were
planned: boosting against the pruned tree and against the forest, both other programs against the forest, the
one that stops against the one that does not, and XGBoost against scikit-learn. Rows are read as the forest of
chapter 23 reads them: a column of 0 and 1 for each name, gaps of numbers left as they are.
"""

from __future__ import annotations

import sys
import warnings
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier

from experiments.tables import SOURCES, load
from experiments.twenty_tables import BUILD, KEPT, Answers, Method, Rows, as_numbers, folds_of, judged, kept

SEEDS = 2
HERE = {"learning_rate": 0.1, "max_iter": 100, "early_stopping": False}
STOPS = {"learning_rate": 0.05, "max_iter": 1000, "early_stopping": True}
ELSEWHERE = {"learning_rate": 0.1, "n_estimators": 100, "n_jobs": 1}


def learned(model: Any, A: Rows, c: pd.Series, T: Rows) -> Answers:
    """Fit a model to classes as numbers, and ask it; the leaves of its many trees are not counted."""
    rows, asked = as_numbers(A, T)
    classes, codes = np.unique(c, return_inverse=True)
    said = model.fit(rows.to_numpy(), codes).predict(asked.to_numpy())
    return classes[said.astype(int)], np.nan


def lightgbm(A: Rows, c: pd.Series, T: Rows, seed: int) -> Answers:
    """LightGBM."""
    from lightgbm import LGBMClassifier

    return learned(LGBMClassifier(random_state=seed, verbose=-1, **ELSEWHERE), A, c, T)


def xgboost(A: Rows, c: pd.Series, T: Rows, seed: int) -> Answers:
    """XGBoost."""
    from xgboost import XGBClassifier

    return learned(XGBClassifier(random_state=seed, **ELSEWHERE), A, c, T)


def histograms(A: Rows, c: pd.Series, T: Rows, seed: int, **settings: Any) -> Answers:
    """scikit-learn."""
    return learned(HistGradientBoostingClassifier(random_state=seed, **settings), A, c, T)


METHODS: dict[str, Method] = {
    "boosting": partial(histograms, **HERE),
    "boosting, stopped": partial(histograms, **STOPS),
    "LightGBM": lightgbm,
    "XGBoost": xgboost,
}


def lines_of(table: str) -> list[dict[str, object]]:
    """Run all methods on a table, and return its lines."""
    X, y = load(table)
    fold, lines = folds_of(y), []
    for name, method in METHODS.items():
        again = partial(judged, method, X, y)
        runs = [line for r in range(SEEDS)
                for line in kept(f"{table} {name} {r}", partial(again, fold.iloc[:, r], r))]  # fmt: skip
        lines.append({"table": table, "method": name, "right": " ".join(str(right) for right, _ in runs)})
    return lines


def main() -> None:
    """Run everything, and write what the chapter reads."""
    warnings.filterwarnings("ignore")
    BUILD.mkdir(parents=True, exist_ok=True)
    names = sys.argv[1:] or SOURCES  # some tables, to see how long they take
    lines = pd.DataFrame([line for name in names for line in lines_of(name)])
    if not sys.argv[1:]:
        lines.to_csv(KEPT / "boosting.csv", index=False)


if __name__ == "__main__":
    main()
