"""Trees of rates against R's rpart with method="poisson": splits, surrogates, rates, deviances, cp tables."""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import PredefinedSplit
from test_rpart import (
    CLOSE,
    HERE,
    MISSING,
    cut_of,
    estimator,
    in_kinds,
    left_branch,
    listed,
    read,
    same_surrogates,
    splits_of,
    where_trained,
)

from dtlib import CARTRegressor
from dtlib.growing.training_rows import training_parts
from dtlib.prune import CrossValidated, risk

RUNS = read("rpart_poisson.json.gz")


def load(run):
    """Return the rows that rpart uses: features, events, weights, exposures."""
    if run["data"] == "drawn":
        table = pd.DataFrame(run["table"])
    else:
        names = dict.fromkeys(run["xlevels"], str)
        file = HERE / "data" / f"{run['data']}.csv"
        table = pd.read_csv(file, na_values=MISSING, keep_default_na=False, dtype=names).assign(one=1)
        table = table.iloc[run["taken"]].reset_index(drop=True)
    kept = table[run["features"]].notna().any(axis=1) | (run["weights"] is not None)
    weight = None if run["weights"] is None else np.asarray(run["weights"])[kept]
    time, events = (table.loc[kept, name].to_numpy(float) for name in run["target"])
    return in_kinds(run, table[kept]), events, weight, time


def fit(run, **changed):
    """Return the estimator of a run, fitted."""
    shrink = run["parms"][0] if isinstance(run["parms"], list) else run["parms"]["shrink"]
    options = {"criterion": "poisson", "shrinkage": shrink} | changed
    return estimator(run | {"method": "anova"}, **options).fit(*load(run))


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run["name"])
def test_tree(run):
    model = fit(run)
    tree, cost, of_node = model.tree_, 2 * risk(model), splits_of(run)
    place = {line["node"]: i for i, line in enumerate(run["frame"])}
    number, todo = {}, [(1, 0)]
    while todo:
        heap, node = todo.pop()
        i = place.pop(heap)
        line, number[node] = run["frame"][i], i + 1
        assert len(training_parts(tree, node)[0]) == line["n"]
        assert cost[node] == pytest.approx(line["dev"], **CLOSE)
        assert tree.value[node, 0] == pytest.approx(line["yval"], **CLOSE)
        if heap not in of_node:
            assert tree[node].is_leaf
            continue
        primary, competitors, surrogates = of_node[heap]
        assert tree[node].feature == primary["var"]
        left = left_branch(run, tree[node].split, primary)
        same_candidates(run, tree, node, [primary, *competitors])
        same_surrogates(run, tree, node, left, surrogates)
        first = int(tree.first_child[node])
        todo += [(2 * heap, first + left), (2 * heap + 1, first + 1 - left)]
    assert not place
    X = load(run)[0]
    assert where_trained(tree, number) == run["where_train"]
    assert [number[node] for node in model.apply(X)] == run["where_predict"]


def same_candidates(run, tree, node, theirs):
    """Compare the question and its competitors: how much they lower the deviance, and by which threshold."""
    table = tree.explain(node).set_index("feature")
    improve, place = table["gain"].fillna(0) * 2 * tree.n[node], [f.name for f in tree.features]
    rows = training_parts(tree, node)[0]
    for line in theirs:
        assert improve[line["var"]] == pytest.approx(line["improve"], **CLOSE)
        assert (tree.training.codes[place.index(line["var"]), rows] >= 0).sum() == line["count"]
        if line["ncat"] < 2:
            assert cut_of(table["split"][line["var"]]) == pytest.approx(line["index"], **CLOSE)
    best = listed(improve[improve > 1e-9], 1 + run["control"]["maxcompete"])
    assert [line["improve"] for line in theirs] == pytest.approx(best, **CLOSE)


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run["name"])
def test_table_of_cross_validation(run):
    folds = PredefinedSplit(np.array(run["groups"]) - 1)
    table, theirs = fit(run, prune=CrossValidated(folds=folds)).cptable_, pd.DataFrame(run["cptable"])
    assert table["nsplit"].tolist() == theirs["nsplit"].tolist()
    assert table.to_numpy() == pytest.approx(theirs.to_numpy(float), **CLOSE, nan_ok=True)


@pytest.mark.parametrize("run", RUNS[-10:], ids=lambda run: run["name"])
def test_exposure_is_a_weight_of_a_rate(run):
    """But for what counts rows by weight: surrogates, and the standard error."""
    X, events, weight, time = load(run)
    ours = CARTRegressor(criterion="poisson", missing="learned").fit(X, events, weight, exposure=time)
    weighed = CARTRegressor(criterion="poisson", missing="learned").fit(
        X, events / time, time if weight is None else weight * time
    )
    assert str(ours.tree_) == str(weighed.tree_)
