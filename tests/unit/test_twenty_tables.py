"""What was recorded of twenty-three tables: it is whole, and what can be grown here again is what it says."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.model_selection import StratifiedKFold

from dtlib import C45Classifier, CARTClassifier
from dtlib.datasets import load_titanic, load_votes
from dtlib.prune import CrossValidated
from experiments import boosting
from experiments.tables import load

RESULTS = Path(__file__).resolve().parents[2] / "experiments" / "results"
ABOUT = pd.read_csv(RESULTS / "twenty_tables_sources.csv").set_index("table")
RECORDED = pd.read_csv(RESULTS / "twenty_tables.csv").set_index(["table", "method"])
COUNTS = RECORDED["right"].str.split(expand=True).astype(float)
SEEDS = {"oblique": 2, "j48 of dtlib": 1, "rpart of dtlib": 1}
EVERYWHERE = set(RECORDED.index.levels[1]) - {"oblique"}
SKLEARN = {"iris": load_iris, "wine": load_wine, "tumors": load_breast_cancer}
BOOSTED = pd.read_csv(RESULTS / "boosting.csv").set_index(["table", "method"])
SUMS = BOOSTED["right"].str.split(expand=True).astype(float)
AGAIN = {
    "C4.5, full": C45Classifier(),
    "C4.5 Release 8": C45Classifier.release8(),
    "CART, full": CARTClassifier(missing="surrogate"),
    "CART, 1-SE": CARTClassifier(missing="surrogate", prune=CrossValidated(folds=5, se=1), random_state=0),
    "J48": C45Classifier.j48(),
    "rpart": CARTClassifier.rpart(),
}


def test_every_table_has_every_method():
    assert len(ABOUT) == ABOUT.index.nunique() == 23
    assert ABOUT["rows"].between(50, 2000).all()
    assert not ABOUT.isna().any(axis=None)
    for table, line in ABOUT.iterrows():
        methods = set(RECORDED.loc[table].index)
        slanted = line["names"] == 0 and line["rows with gaps"] == 0
        assert methods - {"oblique"} == EVERYWHERE
        assert ("oblique" in methods) == slanted


def test_counts_are_whole_numbers_of_rows_that_were_held_out():
    held = COUNTS.xs("held out", level="method")
    for table, n in ABOUT["rows"].items():
        assert (held.loc[table].to_numpy().reshape(5, 5).sum(axis=1) == n).all()
    for (table, method), line in COUNTS.iterrows():
        there = line.dropna()
        assert len(there) == 5 * SEEDS.get(method, 5)
        assert (there % 1 == 0).all()
        assert (there <= held.loc[table, there.index]).all()


def test_whoever_learns_is_better_than_the_commonest_class_somewhere():
    """A program whose answers are read under wrong names knows less than guessing does."""
    share = COUNTS.div(COUNTS.xs("held out", level="method"), level="table").mean(axis=1).unstack("method")
    lead = share.sub(share["commonest class"], axis=0).drop(columns="commonest class")
    assert lead.min().min() > -0.08
    assert (lead.median() > 0.1).all()


def features_and_classes(table):
    if table in SKLEARN:
        data = SKLEARN[table](as_frame=True)
        return data.data, data.target.map(str)
    data = {"votes": load_votes, "titanic": load_titanic}[table]()
    return data.X, data.y.astype(str)


@pytest.mark.long
@pytest.mark.parametrize("method", AGAIN)
@pytest.mark.parametrize("table", [*SKLEARN, "votes", "titanic"])
def test_the_first_folds_are_as_many_right_again(table, method):
    X, y = features_and_classes(table)
    folds = StratifiedKFold(5, shuffle=True, random_state=0).split(np.zeros(len(y)), y)
    for k, (rows, out) in enumerate(folds):
        if k < 2:
            assert COUNTS.loc[(table, "held out"), k] == len(out)
            said = AGAIN[method].fit(X.iloc[rows], y.iloc[rows]).predict(X.iloc[out])
            assert (said == y.iloc[out]).sum() == COUNTS.loc[(table, method), k]


def leads(one, two):
    """Return the mean lead of each table, and whether a corrected resampled t test finds it sure."""
    share = COUNTS.div(COUNTS.xs("held out", level="method"), level="table")
    d = share.xs(one, level="method") - share.xs(two, level="method")
    se = d.std(axis=1, ddof=1) * (1 / 25 + 1 / 4) ** 0.5
    return d.mean(axis=1), (d.mean(axis=1).abs() > stats.t.ppf(0.975, 24) * se)


def test_full_trees_of_c45_and_cart_are_not_told_apart_and_size_does_not_matter():
    mean, sure = leads("C4.5, full", "CART, full")
    assert sure.sum() == 0
    assert abs(mean.mean()) < 0.01
    assert stats.wilcoxon(mean).pvalue > 0.1
    rho, p = stats.spearmanr(ABOUT["rows"].loc[mean.index], mean)
    assert abs(rho) < 0.2
    assert p > 0.3


def test_a_forest_is_told_apart():
    mean, sure = leads("random forest", "CART, full")
    assert sure.sum() > 10
    assert mean.mean() > 0.03
    assert stats.wilcoxon(mean).pvalue < 1e-4


def test_every_table_has_every_kind_of_boosting_on_the_first_ten_folds():
    assert set(BOOSTED.index) == {(table, method) for table in ABOUT.index for method in boosting.METHODS}
    held = COUNTS.xs("held out", level="method").iloc[:, : SUMS.shape[1]]
    assert held.shape[1] == 5 * boosting.SEEDS == 10
    for (table, _), line in SUMS.iterrows():
        assert (line % 1 == 0).all()
        assert (line <= held.loc[table]).all()


@pytest.mark.long
@pytest.mark.parametrize("method", ["boosting", "boosting, stopped"])
@pytest.mark.parametrize("table", ["iris", "wine", "votes"])
def test_boosting_has_as_many_right_again(table, method):
    X, y = load(table)
    folds = StratifiedKFold(5, shuffle=True, random_state=0).split(np.zeros(len(y)), y)
    for k, (rows, out) in enumerate(folds):
        if k < 2:
            said, _ = boosting.METHODS[method](X.iloc[rows], y.iloc[rows], X.iloc[out], 0)
            assert (said == y.iloc[out]).sum() == SUMS.loc[(table, method), k]
