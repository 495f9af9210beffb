"""What held-out rows cost by a loss, against R: what rpart predicts, and the mean of what each row costs."""

import numpy as np
import pytest
from sklearn.model_selection import PredefinedSplit
from test_rpart import estimator, load, read

from dtlib.prune import CrossValidated, losses_per_row, one_se_rule

CLOSE = 2e-8  # nine digits were recorded
RUNS = read("rpart_losses.json.gz")


@pytest.fixture(scope="module")
def fitted():
    """Return what fits the estimator of a run, once."""
    known = {}

    def fit(run):
        if run["name"] not in known:
            X, y, weight = load(run)
            folds = PredefinedSplit(np.arange(len(X)) % 10)
            known[run["name"]] = estimator(run, prune=CrossValidated(folds=folds)).fit(X, y, weight)
        return known[run["name"]]

    return fit


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run["name"])
def test_mean_loss_and_its_standard_error(run, fitted):
    table = losses_per_row(fitted(run))
    assert (table["leaves"] - 1).tolist() == [line["nsplit"] for line in run["cptable"]]
    assert table["held_out"].to_numpy() == pytest.approx(np.array(run["mean_cost"]), abs=CLOSE)
    assert table["standard_error"].to_numpy() == pytest.approx(np.array(run["standard_error"]), abs=CLOSE)


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run["name"])
def test_the_rule_is_that_of_the_means(run, fitted):
    """The smallest tree whose mean is no more than one standard error above the least mean."""
    mean, error = np.array(run["mean_cost"]), np.array(run["standard_error"])
    best = int(np.flatnonzero(mean <= mean.min() + CLOSE)[0])
    line = int(np.flatnonzero(mean <= mean[best] + error[best] + CLOSE)[0])
    model = fitted(run)
    assert one_se_rule(model.cptable_) - 1 == line
    assert losses_per_row(model)["chosen"].to_numpy().nonzero()[0].tolist() == [line]


@pytest.mark.parametrize(("name", "root"), [("vote_10_1", 10), ("vote_1_10", 10), ("kyphosis_1_2", 0.5)])
def test_rparts_own_table_is_that_of_another_loss(name, root):
    """The root alone costs 1 by definition; there ten times as much, or half (rpart's issues 65 and 74)."""
    (run,) = (run for run in RUNS if run["name"] == f"{name}_split20")
    assert run["cptable"][0]["rel error"] == 1
    assert run["cptable"][0]["xerror"] == pytest.approx(root)
