"""Forests: scikit-learn's bagging around trees of dtlib, beside its own forest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Any

import numpy as np
from cases import Data, continuous, iris
from report import number, ratios, table
from sklearn.ensemble import BaggingClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from dtlib import CARTClassifier

FORESTS = {
    "bagging, dtlib": lambda trees: BaggingClassifier(
        CARTClassifier(max_features="sqrt", keep_data=False), trees, random_state=0
    ),
    "bagging, scikit-learn's tree": lambda trees: BaggingClassifier(
        DecisionTreeClassifier(max_features="sqrt"), trees, random_state=0
    ),
    "RandomForestClassifier": lambda trees: RandomForestClassifier(trees, random_state=0),
}
OURS, *OTHERS = FORESTS


@dataclass(frozen=True)
class Woods:
    """A table of which every second row is held out, and how many trees are grown."""

    name: str
    make: Callable[[int], Data]
    rows: int
    trees: int


WOODS = [
    Woods("irises, 75 x 4", iris, 150, 100),
    Woods("1,000 x 20 continuous", continuous, 2 * 10**3, 50),
    Woods("10,000 x 20 continuous", continuous, 2 * 10**4, 20),
]


def section(take_turns: Callable[..., Any]) -> str:
    """Time forests, and write their section."""
    lines = [line for some in WOODS for line in rows_of(some, take_turns)]
    head = ["", "beside", "rounds", "dtlib, seconds", "fit", "predict", "dtlib, right", "right"]
    said = (
        'Each node draws the root of the number of columns (`max_features="sqrt"`); one worker. '
        "*Fit* and *predict* are dtlib's time divided by the other's; *right* is the share of the held-out "
        "rows that are predicted, with another seed 0.01 more or less. dtlib searches all columns and leaves "
        "those not drawn out afterwards, so its trees of many rows lose the lead they have when all columns "
        "count; small trees cost mostly calls."
    )
    return f"{said}\n\n{table(head, lines)}"


def rows_of(some: Woods, take_turns: Callable[..., Any]) -> list[list[str]]:
    """Time the fits and predictions of all forests; write a line for each of scikit-learn's."""
    X, y = some.make(some.rows)
    A, B, a, b = X[::2], X[1::2], y[::2], y[1::2]
    fits = {name: partial(make(some.trees).fit, A, a) for name, make in FORESTS.items()}
    fitting, models = take_turns(fits)
    answers = {name: partial(model.predict, B) for name, model in models.items()}
    predicting, found = take_turns(answers)
    right = {name: f"{np.mean(predicted == b):.3f}" for name, predicted in found.items()}
    lines = []
    for other in OTHERS:
        fit, predict = (median(ratios(times, OURS, other)) for times in (fitting, predicting))
        rounds, seconds = str(len(fitting[other].seconds)), median(fitting[OURS].seconds)
        cells = [other, rounds, number(seconds), number(fit), number(predict), right[OURS]]
        lines.append([f"{some.name}, {some.trees} trees", *cells, right[other]])
    return lines
