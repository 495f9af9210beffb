"""What held-out rows cost, and how sure that is: against the mean of what each row costs, one by one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import KFold, RepeatedKFold, ShuffleSplit

from dtlib import CARTClassifier, CARTRegressor
from dtlib.growing.by_score import grow_by_score
from dtlib.prune import CrossValidated, HoldoutValidated, losses_per_row, one_se_rule, pruning_path
from dtlib.prune.cross_validation import alphas_of, middles, some_rows
from dtlib.tree.descend import ends
from dtlib.tree.tree import Tree
from tests.drawn import examples

N = 30
CLOSE = {"rel": 1e-9, "abs": 1e-9}


@st.composite
def tasks(draw: st.DrawFn) -> dict[str, Any]:
    """Draw a table that noise spoils, holes, whole weights and what errors cost."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    X = rng.integers(0, 5, (N, 3)) * 1.0
    missing = draw(st.sampled_from(["error", "error", "fractional", "stay"]))
    if missing != "error":
        X[rng.random(X.shape) < 0.15] = np.nan
    K = draw(st.integers(2, 3))
    y = (np.nan_to_num(X[:, 0]) > 2).astype(int) + (K == 3) * (rng.random(N) < 0.3)
    y = np.where(rng.random(N) < 0.2, np.arange(N) % K, y)
    y[:K] = np.arange(K)  # each class is there
    kind = draw(st.sampled_from(["loss", "loss", "even", "numbers"]))
    loss = rng.choice([0.5, 1, 2, 7, 20], (K, K)) * (1 - np.eye(K))
    return {
        "X": X, "y": y * 1.5 if kind == "numbers" else y, "missing": missing,
        "weight": rng.integers(1, 4, N) if draw(st.booleans()) else np.ones(N, int),
        "loss": loss if kind == "loss" else None,
        "make": CARTRegressor if kind == "numbers" else CARTClassifier,
    }  # fmt: skip


def model_of(task: dict[str, Any], **given: Any) -> CARTClassifier | CARTRegressor:
    """Return an estimator for a task, not fitted."""
    loss = {} if task["loss"] is None else {"loss": task["loss"]}
    return task["make"](max_depth=3, missing=task["missing"], **loss, **given)


def costs_of(task: dict[str, Any], tree: Tree, rows: np.ndarray) -> np.ndarray:
    """Return what each row costs where it ends, or where its parts end."""
    row, node, share = ends(tree, task["X"][rows], tree.missing)
    truth = task["y"][rows][row]
    if task["make"] is CARTRegressor:
        cost = (truth - tree.value[node, 0]) ** 2
    elif task["loss"] is None:
        cost = (truth != tree.label[node]) * 1.0
    else:
        cost = task["loss"][truth, tree.label[node]]
    return np.bincount(row, share * cost, len(rows))


def mean_and_error(cost: np.ndarray, weight: np.ndarray) -> tuple[float, float]:
    """Return the mean of some costs and its standard error; a row of weight two is there twice."""
    each = np.repeat(cost, weight)
    return float(each.mean()), float(each.std() / np.sqrt(len(each)))


@examples(60)
@given(tasks())
def test_rows_held_out(task):
    held = np.arange(0, N, 3) + 2
    model = model_of(task, prune=HoldoutValidated(held_out=held)).fit(task["X"], task["y"], task["weight"])
    table, path = losses_per_row(model), model.pruning_path_
    if not path.risk[0] > 0:
        assert table["held_out"].isna().all()
        return
    for line, alpha in zip(table.itertuples(), alphas_of(path)[::-1], strict=True):
        tree = path.tree(alpha)
        mean, error = mean_and_error(costs_of(task, tree, held), task["weight"][held])
        assert (line.leaves, line.held_out) == pytest.approx((tree.n_leaves, mean), **CLOSE)
        assert line.standard_error == pytest.approx(error, abs=1e-7)  # the root of a rounded difference
        grown = np.setdiff1d(np.arange(N), held)
        mean, _ = mean_and_error(costs_of(task, tree, grown), task["weight"][grown])
        if task["missing"] == "error":
            assert line.training == pytest.approx(mean, **CLOSE)
    follows_the_rule(table, model)


def follows_the_rule(table: pd.DataFrame, model: CARTClassifier | CARTRegressor) -> None:
    """Compare the line that was chosen with the smallest tree within one standard error of the best."""
    least = (table["held_out"] <= table["held_out"].min() + 1e-9 * table["held_out"].max()).idxmax()
    limit = table.loc[least, ["held_out", "standard_error"]].sum()
    within = table["held_out"] <= limit + 1e-9 * table["held_out"].max()
    chosen = table.index[table["chosen"]].tolist()
    assert chosen == [within.idxmax()] == [one_se_rule(model.cptable_)]


@pytest.mark.long
@examples(40)
@given(tasks(), st.sampled_from(["once", "often", "by lot"]))
def test_rows_of_folds(task, how):
    """Of a row tested several times, the mean is one number, and the rows are what varies."""
    splitter = {
        "once": KFold(4, shuffle=True, random_state=0),
        "often": RepeatedKFold(n_splits=3, n_repeats=3, random_state=0),
        "by lot": ShuffleSplit(5, test_size=0.4, random_state=1),
    }[how]
    X, y, weight = task["X"], task["y"], task["weight"]
    folds = list(splitter.split(X))
    model = model_of(task, prune=CrossValidated(folds=folds)).fit(X, y, weight)
    path, table = model.pruning_path_, losses_per_row(model)
    if not path.risk[0] > 0:
        return
    full, alphas = path.full, middles(alphas_of(path))[::-1]
    cost, times = np.zeros((len(alphas), N)), np.zeros(N)
    for train, test in folds:
        fold = grow_by_score(some_rows(full.training, train), full.grown_by)
        fold, share = replace(fold, loss=full.loss), weight[train].sum() / weight.sum()
        times[test] += 1
        for k, alpha in enumerate(alphas):
            cost[k, test] += costs_of(task, pruning_path(fold).tree(alpha * share), test)
    mean = (cost @ weight) / (weight @ times)
    apart = cost - mean[:, None] * times
    error = np.sqrt((apart**2) @ weight) / (weight @ times)
    assert table["held_out"].to_numpy() == pytest.approx(mean, **CLOSE)
    assert table["standard_error"].to_numpy() == pytest.approx(error, abs=1e-7)
    if how == "once":
        both = [mean_and_error(one, weight) for one in cost]
        assert np.stack([mean, error], axis=1) == pytest.approx(np.array(both), abs=1e-7)


@examples(30)
@given(tasks(), st.sampled_from([0.01, 3.0, 250.0]))
def test_the_unit_of_the_loss_is_that_of_the_means(task, unit):
    """Ten times the loss is ten times the mean and its error; the rule takes the same tree."""
    if task["loss"] is None:
        return
    tables = []
    for factor in (1.0, unit):
        given = task | {"loss": task["loss"] * factor}
        model = model_of(given, prune=CrossValidated(folds=KFold(3))).fit(
            task["X"], task["y"], task["weight"]
        )
        tables.append(losses_per_row(model))
    names = ["training", "held_out", "standard_error"]
    assert tables[1][names].to_numpy() == pytest.approx(tables[0][names].to_numpy() * unit, **CLOSE)
    assert tables[1]["chosen"].tolist() == tables[0]["chosen"].tolist()


@examples(30)
@given(tasks())
def test_each_row_many_times_is_no_more_rows(task):
    """The folds three times over: the mean and its error stay as they are."""
    folds = list(KFold(3).split(task["X"]))
    once, thrice = (
        losses_per_row(
            model_of(task, prune=CrossValidated(folds=folds * k)).fit(task["X"], task["y"], task["weight"])
        )
        for k in (1, 3)
    )
    names = ["held_out", "standard_error"]
    assert thrice[names].to_numpy() == pytest.approx(once[names].to_numpy(), rel=1e-9, abs=1e-7, nan_ok=True)
