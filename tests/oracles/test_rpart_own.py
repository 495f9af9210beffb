"""The trees of rpart's own tests, and their tables of cross-validation: what is the same, and what is not.

Every tree is. `DIFFERS` says which tables are not, and why (README.md): with rpart's slips put in, they are.
"""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import PredefinedSplit
from test_rpart import HERE, MISSING, compare, estimator, read, used
from test_rpart_pruning import CLOSE, SLIPPING, apart

from dtlib.prune import CrossValidated

RUNS = read("rpart_own.json.gz")
DIFFERS = {
    "priors": ["transposed"], "testall_4": ["undo"], "testall_6": ["undo"],
    "treble4_1": ["transposed"], "treble4_1b": ["transposed"],
    "treble4_2": ["transposed", "undo"], "treble4_2b": ["transposed", "undo"],
}  # fmt: skip


def load(run):
    """Return the rows that rpart uses: features, target, weights."""
    names = [*run["xlevels"], *([run["target"]] if run["ylevels"] else [])]
    file = HERE / "data" / f"{run['data']}.csv"
    table = pd.read_csv(file, na_values=MISSING, keep_default_na=False, dtype=dict.fromkeys(names, str))
    X, y, weight = used(run, table.iloc[run["taken"]].reset_index(drop=True))
    return X, y.map(places(run)) if run["ylevels"] else y, weight


def places(run):
    """Return a name for each class that sorts as R's levels do."""
    return {level: f"{place} {level}" for place, level in enumerate(run["ylevels"])}


def cross_validated(run):
    X, y, weight = load(run)
    folds = PredefinedSplit(np.array(run["groups"]) - 1)
    return estimator(run, prune=CrossValidated(folds=folds)).fit(X, y, weight)


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run["name"])
def test_tree(run):
    levels = run["ylevels"] and [*places(run).values()]
    compare(run | {"ylevels": levels}, *load(run))


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run["name"])
def test_table(run, monkeypatch):
    slips = DIFFERS.get(run["name"], [])
    assert (apart(run, cross_validated(run).cptable_) > 1e-5) == bool(slips)
    for slip in slips:
        monkeypatch.setattr(*SLIPPING[slip])
    assert apart(run, cross_validated(run).cptable_) < 2 * CLOSE
