"""What was recorded of greedy and best trees: it is whole, and what can be grown here is what it says."""

import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import StratifiedKFold

from experiments.best_trees_elsewhere import DEPTHS as LEVELS
from experiments.best_trees_elsewhere import of_ours
from experiments.price_of_greed import (
    CHOSEN,
    DEPTHS,
    FOLDS,
    REPEATS,
    TABLES,
    errors,
    filled,
    models,
    questions,
    tuned_folds_of,
)
from experiments.tables import load
from tests.oracles.best_trees import binary_tables

RESULTS = Path(__file__).resolve().parents[2] / "experiments" / "results"
RECORDED = pd.read_csv(RESULTS / "price_of_greed.csv").set_index(["table", "repeat", "fold", "depth"])
TUNED = pd.read_csv(RESULTS / "price_of_greed_tuned.csv").set_index(["table", "repeat", "fold", "depth"])
ELSEWHERE = pd.read_csv(RESULTS / "best_trees_elsewhere.csv")
ONE = pd.read_csv(RESULTS / "one_table_elsewhere.csv")
CLOCK = pd.read_csv(RESULTS / "stopped_by_the_clock.csv")


def test_every_table_has_every_fold():
    assert set(RECORDED.index.levels[0]) == set(TABLES)
    assert len(RECORDED) == len(TABLES) * REPEATS * FOLDS * len(DEPTHS)
    assert not RECORDED.index.has_duplicates
    assert not RECORDED.isna().any(axis=None)


def test_every_table_has_every_fold_of_the_tuned_trees():
    assert set(TUNED.index.levels[0]) == set(TABLES)
    assert len(TUNED) == len(TABLES) * REPEATS * FOLDS * len(CHOSEN)
    assert not TUNED.index.has_duplicates
    assert not TUNED.isna().any(axis=None)


@pytest.mark.parametrize("name", ["Gini", "best"])
def test_a_tuned_tree_has_a_depth_and_a_price_that_were_offered(name):
    for way, settings in CHOSEN.items():
        taken = TUNED.xs(way, level="depth")[[f"{name} depth", f"{name} price"]]
        assert set(taken.itertuples(index=False, name=None)) <= set(settings)
        assert taken.nunique().tolist() == [len(set(offered)) for offered in zip(*settings, strict=True)]


def test_a_tuned_tree_without_a_price_is_that_of_its_depth():
    for (table, repeat, fold), line in TUNED.xs("chosen, price 0", level="depth").iterrows():
        for name in ("Gini", "best"):
            kept = [f"{name} {part}" for part in ("train", "test", "leaves")]
            of_depth = RECORDED.loc[(table, repeat, fold, int(line[f"{name} depth"]))]
            assert line[kept].tolist() == of_depth[kept].tolist()


def test_no_tree_of_the_same_questions_is_better_in_training():
    for rival in ("Gini", "entropy"):
        assert (RECORDED["best train"] <= RECORDED[f"{rival} train"]).all()
    assert (RECORDED["best leaves"] <= 2.0 ** RECORDED.index.get_level_values("depth")).all()


@pytest.mark.parametrize("table", ["iris", "wine", "votes", "titanic"])
def test_a_fold_is_what_is_found_again(table):
    X, y = load(table)
    y = y.to_numpy()
    train, test = next(StratifiedKFold(FOLDS, shuffle=True, random_state=0).split(X, y))
    Z = questions(filled(X, train), train)
    for depth in (1, 2):
        line = RECORDED.loc[(table, 0, 0, depth)]
        assert line["questions"] == Z.shape[1]
        for name, model in models(depth).items():
            found = errors(name, model.fit(Z[train], y[train]), Z, y, train, test)
            assert line[list(found)].to_dict() == found


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed, which has the table spines")
def test_a_tuned_fold_is_what_is_found_again():
    X, y = load("spines")
    for line, _ in zip(tuned_folds_of(X, y.to_numpy()), CHOSEN, strict=False):
        found = pd.Series({name: line.pop(name) for name in ("repeat", "fold", "depth")})
        assert TUNED.loc[("spines", *found)].to_dict() == line


def test_the_programs_were_asked_of_every_table_with_two_classes():
    tables = {name: (X, y) for name, (X, y) in binary_tables().items() if len(np.unique(y)) == 2}
    assert len(ELSEWHERE) == len(tables) * len(LEVELS)
    for line in ELSEWHERE.itertuples():
        cost, is_optimal = of_ours(*tables[line.table], line.depth)
        assert is_optimal
        assert max(abs(cost - found) for found in (line.dtlib, line.STreeD, line.GOSDT)) < 1e-5


def test_one_program_calls_a_tree_optimal_and_finds_a_cheaper_one_if_asked_otherwise():
    X, y = binary_tables()[ONE["table"][0]]
    assert (ONE["rows"] == len(y)).all()
    assert (ONE["questions"] == X.shape[1]).all()
    cost, is_optimal = of_ours(X, y, ONE["depth"][0])
    costs = ONE.set_index(["program", "switched off"])["cost"]
    assert is_optimal
    assert ONE["says optimal"].all()
    assert costs["dtlib", "nothing"] == pytest.approx(cost, abs=1e-6)
    assert costs["STreeD", "use_lower_bound"] == pytest.approx(cost, abs=1e-6)
    assert costs["STreeD", "nothing"] > cost + 0.004


def test_with_more_time_no_worse_tree_is_found_and_the_bound_falls_nowhere():
    assert CLOCK["errors"].is_monotonic_decreasing
    assert CLOCK["lower bound"].is_monotonic_increasing
    assert CLOCK["optimal"].tolist() == [False] * (len(CLOCK) - 1) + [True]
    assert (CLOCK["lower bound"] <= CLOCK["objective"]).all()
