"""Forests: dtlib's, beside scikit-learn's, and its bagging around trees of both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Any

import numpy as np
from cases import Data, continuous, iris
from report import number, ratios, table, verdict
from sklearn.ensemble import BaggingClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from dtlib import CARTClassifier, ForestClassifier

FORESTS = {
    "dtlib": lambda trees, threads: ForestClassifier(n_estimators=trees, n_jobs=threads, random_state=0),
    "bagging, dtlib's tree": lambda trees, threads: BaggingClassifier(
        CARTClassifier(max_features="sqrt", keep_data=False), trees, n_jobs=threads, random_state=0
    ),
    "bagging, scikit-learn's tree": lambda trees, threads: BaggingClassifier(
        DecisionTreeClassifier(max_features="sqrt"), trees, n_jobs=threads, random_state=0
    ),
    "RandomForestClassifier": lambda trees, threads: RandomForestClassifier(
        trees, n_jobs=threads, random_state=0
    ),
}
OURS, *OTHERS, THEIRS = FORESTS


@dataclass(frozen=True)
class Woods:
    """A table of which every second row is held out, and how many trees are grown."""

    name: str
    make: Callable[[int], Data]
    rows: int
    trees: int
    target: float | None = None  # at most what a fit takes beside RandomForestClassifier


WOODS = [
    Woods("irises, 75 x 4", iris, 150, 100),
    Woods("1,000 x 20 continuous", continuous, 2 * 10**3, 50),
    Woods("10,000 x 20 continuous", continuous, 2 * 10**4, 20, 0.35),
    Woods("100,000 x 20 continuous", continuous, 2 * 10**5, 10, 0.25),
]


def section(take_turns: Callable[..., Any]) -> str:
    """Time forests, and write their section."""
    lines = [line for some in WOODS for line in rows_of(some, take_turns, 1)]
    lines += [line for some in WOODS if some.target for line in rows_of(some, take_turns, 2)]
    head = ["", "threads", "beside", "rounds", "dtlib, seconds", "at most", "fit", ""]
    head += ["predict", "dtlib, right", "right"]
    said = (
        "`ForestClassifier` beside scikit-learn's forest, and beside its bagging of trees that draw as many "
        'features at each node (`max_features="sqrt"`). *Fit* and *predict* are dtlib\'s time divided by the '
        "other's; *right* is the share of the held-out rows that are predicted, with another seed 0.01 more "
        "or less."
    )
    return f"{said}\n\n{table(head, lines)}"


def rows_of(some: Woods, take_turns: Callable[..., Any], threads: int) -> list[list[str]]:
    """Time the fits and predictions of all forests; write a line for each but ours."""
    others = [*OTHERS, THEIRS] if threads == 1 else [THEIRS]
    X, y = some.make(some.rows)
    A, B, a, b = X[::2], X[1::2], y[::2], y[1::2]
    fits = {name: partial(FORESTS[name](some.trees, threads).fit, A, a) for name in (OURS, *others)}
    fitting, models = take_turns(fits)
    answers = {name: partial(model.predict, B) for name, model in models.items()}
    predicting, found = take_turns(answers)
    right = {name: f"{np.mean(predicted == b):.3f}" for name, predicted in found.items()}
    lines = []
    for other in others:
        fit, predict = (median(ratios(times, OURS, other)) for times in (fitting, predicting))
        rounds, seconds = str(len(fitting[other].seconds)), median(fitting[OURS].seconds)
        target = some.target if other == THEIRS else None
        limit = "" if target is None else f"{target:.2f}"
        cells = [str(threads), other, rounds, number(seconds), limit, number(fit), verdict(fit, target)]
        shares = [number(predict), right[OURS], right[other]]
        lines.append([f"{some.name}, {some.trees} trees", *cells, *shares])
    return lines
