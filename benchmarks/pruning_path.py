"""Choosing the price of a leaf: cross-validation over the whole pruning path, and scikit-learn's way.

scikit-learn lists the alphas of a path, but to judge them it grows and prunes a tree for each fold and each
alpha. Here each fold is grown once. Both judge the same alphas with the same folds. The errors must be those
of growing again with dtlib, one by one; scikit-learn's differ a little, as of equal splits it takes one by
chance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from statistics import median
from typing import Any

import numpy as np
from cases import Data, continuous
from report import number, table, verdict
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from dtlib import CARTClassifier
from dtlib.prune import CrossValidated, risk, scales
from dtlib.prune.cross_validation import middles

PRUNING = "Choosing alpha"
FOLDS = StratifiedKFold(10)
CHECKED = 15  # alphas at which trees are grown again


@dataclass(frozen=True)
class SplitCandidate:
    """A table, and how many times as fast as scikit-learn's way the choice should be."""

    n: int
    target: float

    def data(self) -> Data:
        """Make the table."""
        return continuous(self.n)


CHOICES = [SplitCandidate(1000, 80), SplitCandidate(3000, 300)]


def by_path(X: np.ndarray, y: np.ndarray) -> CARTClassifier:
    """Choose with dtlib."""
    return CARTClassifier(prune=CrossValidated(risk="impurity", folds=FOLDS, se=0)).fit(X, y)


def by_refits(grow: Callable[[float], Any], X: np.ndarray, y: np.ndarray, alphas: np.ndarray) -> np.ndarray:
    """Grow a tree for each fold and alpha; return the share of errors at each alpha."""
    wrong = np.zeros(len(alphas))
    for train, test in FOLDS.split(X, y):
        for k, alpha in enumerate(alphas):
            wrong[k] += (grow(alpha).fit(X[train], y[train]).predict(X[test]) != y[test]).sum()
    return wrong / len(y)


def with_sklearn(alpha: float) -> DecisionTreeClassifier:
    """Return scikit-learn's tree at a price."""
    return DecisionTreeClassifier(random_state=0, ccp_alpha=alpha)


def with_dtlib(alpha: float) -> CARTClassifier:
    """Return dtlib's tree at a price."""
    return CARTClassifier(ccp_alpha=alpha)


def judged(model: CARTClassifier) -> tuple[np.ndarray, np.ndarray]:
    """Return the alphas that were judged, and the share of errors at each of them."""
    path = model.pruning_path_
    alphas = middles(path.alphas)
    alphas[-1] = 10 * path.alphas[-1]  # the root alone
    alphas *= scales(path.full)["mean"]  # as scikit-learn has them
    unit = risk(path.full)[0] / path.full.n[0]
    return alphas, model.cptable_["xerror"].to_numpy()[::-1] * unit


def time_choice(choice: SplitCandidate, take_turns: Callable, effort: Any) -> list[str]:
    """Time both ways, compare their errors, and write a line."""
    X, y = choice.data()
    alphas, errors = judged(by_path(X, y))
    some = np.unique(np.linspace(1, len(alphas) - 1, min(len(alphas), CHECKED)).astype(int))
    np.testing.assert_allclose(errors[some], by_refits(with_dtlib, X, y, alphas[some]), atol=1e-12)
    calls = {"dtlib": partial(by_path, X, y), "scikit-learn": partial(by_refits, with_sklearn, X, y, alphas)}
    timings, results = take_turns(calls, effort, once=["scikit-learn"])
    apart = np.abs(results["scikit-learn"] - errors).max()
    its, mine = median(timings["scikit-learn"].seconds), median(timings["dtlib"].seconds)
    met = verdict(-its / mine, -choice.target)
    seconds = [f"{number(1000 * mine)} ms", number(its)]
    end = [f"{choice.target:.0f}", f"**{number(its / mine)}**", met, f"{apart:.3f}"]
    return [f"{choice.n:,} x 20 continuous", str(len(alphas)), *seconds, *end]


def time_pruning(take_turns: Callable, effort: Any) -> str:
    """Time the choice of alpha, and write its section."""
    by_path(*continuous(200))
    few = replace(effort, least=5, seconds=effort.seconds / 5)
    lines = [time_choice(choice, take_turns, few) for choice in CHOICES if choice.n <= effort.rows / 100]
    said = (
        "By 10-fold cross-validation over the whole pruning path, full trees. scikit-learn's time is that of "
        "a tree for each fold and alpha, once. *Apart*: by how much the shares of errors differ at most."
    )
    head = ["", "alphas", "dtlib", "scikit-learn, seconds", "at least", "times as fast", "", "apart"]
    return f"{said}\n\n{table(head, lines)}"
