"""Importances with surrogates against R's rpart: its `variable.importance`, feature by feature."""

import math

import numpy as np
import pytest
from test_rpart import CLOSE, RUNS, estimator, load

from dtlib.importance import decrease_importances, surrogate_importances

RECORDED = [run for run in RUNS if "importance" in run]


def test_every_run_of_the_script_says_importances():
    assert len(RECORDED) == 175
    several = [run for run in RECORDED if run["importance"] and len(run["importance"]) > 1]
    assert len(several) > 150
    assert {run["method"] for run in RECORDED} == {"class", "anova"}


@pytest.mark.parametrize("run", RECORDED, ids=lambda run: run["name"])
def test_variable_importance(run):
    X, y, weight = load(run)
    tree = estimator(run).fit(X, y, weight).tree_
    unit = math.log(2) if tree.criterion == "entropy" else 1  # there in nats
    ours = surrogate_importances(tree, normalize=False) * unit
    theirs = run["importance"] or {}
    assert ours == pytest.approx(np.array([theirs.get(name, 0.0) for name in X]), **CLOSE)
    shares = surrogate_importances(tree)
    assert shares == pytest.approx(ours / ours.sum(), abs=1e-12)
    assert (ours >= decrease_importances(tree, normalize=False) * unit - 1e-12).all()
