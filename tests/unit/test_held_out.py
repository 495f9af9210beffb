"""Rows held out: which, and what the estimators do with them."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.utils.estimator_checks import parametrize_with_checks

from dtlib import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier
from dtlib.datasets import load_watermelon
from dtlib.dialects import C45Dialect, CARTDialect
from dtlib.prune import PrePruned, ReducedError, hold_out, pre_prune, reduced_error
from dtlib.prune.held_out import split_held_out
from dtlib.table.columns import Column
from dtlib.tree import reasons
from tests.unit.test_reduced_error import GROWN, HELD

melons, mixed = load_watermelon(), load_watermelon("3.0")
rng = np.random.default_rng(3)
NAMES = pd.DataFrame({c: rng.choice(list("uvw"), 90).astype(object) for c in "abc"})
MIXED = NAMES.assign(p=rng.normal(size=90).round(1), q=rng.integers(0, 5, 90))
LABEL = np.where((NAMES["a"] == "u") ^ (rng.random(90) < 0.2), "yes", "no").astype(object)
LABEL[(MIXED["q"] == 4).to_numpy()] = "maybe"
y = Column("y", np.array(["a", "b", "c"]), np.arange(30) % 3)

# What tells an estimator with pruning from one without: the one, and the rows it reads.
ESTIMATORS = {"ID3": (ID3Classifier, NAMES), "C45": (C45Classifier, MIXED)}
of_each = pytest.mark.parametrize("name", ESTIMATORS)
BY_HELD_OUT = {ReducedError: reduced_error, PrePruned: pre_prune}
by_each = pytest.mark.parametrize("way", BY_HELD_OUT)


def test_positions_and_masks_name_the_same_rows():
    mask = np.zeros(30, bool)
    mask[[4, 7, 20]] = True
    for held_out in ([20, 4, 7], np.array([4, 7, 20], np.uint8), mask, mask.tolist(), pd.Series(mask)):
        grown, held = split_held_out(held_out, [y])
        assert held.tolist() == [4, 7, 20]
        assert sorted([*grown, *held]) == list(range(30))


@pytest.mark.parametrize("share", [0.1, 0.3, 1 / 3, 0.9, np.float32(0.5)])
def test_a_share_is_drawn_from_each_class_as_scikit_learn_does(share):
    grown, held = split_held_out(share, [y], random_state=4)
    wanted = train_test_split(np.arange(30), test_size=float(share), random_state=4, stratify=y.codes)
    assert grown.tolist() == sorted(wanted[0])
    assert held.tolist() == sorted(wanted[1])
    number = np.bincount(y.codes[held])
    assert number.max() - number.min() <= 1
    assert len(held) == np.ceil(30 * float(share))


def test_the_seed_decides():
    draws = [split_held_out(0.3, [y], seed)[1].tolist() for seed in (0, 0, 1)]
    assert draws[0] == draws[1] != draws[2]
    state = np.random.RandomState(0)
    assert split_held_out(0.3, [y], state)[1].tolist() == draws[0]


@pytest.mark.parametrize(
    ("codes", "share"),
    [([0, 1, 1, 1, 1, 1], 0.4), ([0, 0, 1, 1, 2, 2, 3, 3], 0.3)],
    ids=["a class of one row", "fewer rows held out than classes"],
)
def test_where_classes_cannot_be_drawn_alike_all_rows_are_drawn_from(codes, share):
    column = Column("y", np.arange(4), np.array(codes))
    wanted = train_test_split(np.arange(len(codes)), test_size=share, random_state=0)
    assert split_held_out(share, [column], 0)[1].tolist() == sorted(wanted[1])


def test_numbers_and_several_outputs_are_drawn_from_all_rows():
    numbers = Column("y", np.arange(30.0), np.arange(30), "numeric")
    wanted = sorted(train_test_split(np.arange(30), test_size=0.3, random_state=0)[1])
    for targets in ([numbers], [y, y]):
        assert split_held_out(0.3, targets, 0)[1].tolist() == wanted


def test_rows_without_weight_are_in_neither_part():
    weight = np.ones(30)
    weight[:10] = 0
    grown, held = split_held_out(0.3, [y], 0, weight)
    assert len(held) == 6
    assert sorted([*grown, *held]) == list(range(10, 30))
    assert split_held_out([9, 10], [y], 0, weight)[1].tolist() == [10]


@pytest.mark.parametrize(
    ("held_out", "said"),
    [
        (0, "held_out is 0; wanted a share of the rows between 0 and 1, the positions of rows, or a mask"),
        (1.0, "held_out is 1.0; wanted a share"),
        (-0.2, "held_out is -0.2; wanted a share"),
        (float("nan"), "held_out is nan; wanted a share"),
        (True, "held_out is True; wanted a share"),
        ("half", "held_out is 'half'; wanted a share"),
        (None, "held_out is None; wanted a share"),
        ([30], "held_out has row position 30, but the positions are 0 to 29"),
        ([-1], "held_out has row position -1, but the positions are 0 to 29"),
        ([3, 5, 3], "held_out names row 3 2 times: name it once"),
        ([0.5, 0.2], r"held_out is an array of shape \(2,\) and type float64; wanted a list of positions"),
        ([[1, 2]], r"held_out is an array of shape \(1, 2\)"),
        ([True, False], "held_out is a mask of 2 rows, but there are 30: one entry per row"),
        ([], "held_out leaves no row held out of 30 samples; both parts need one"),
        ([False] * 30, "held_out leaves no row held out"),
        (range(30), "held_out leaves no row to grow from of 30 samples; both parts need one"),
        ([True] * 30, "held_out leaves no row to grow from"),
    ],
)
def test_what_names_no_rows(held_out, said):
    with pytest.raises(ValueError, match=said):
        split_held_out(held_out, [y])


def test_a_part_that_would_be_empty():
    with pytest.raises(ValueError, match="no row to grow from of 1 sample; both parts need one"):
        split_held_out(0.3, [Column("y", np.array(["a"]), np.array([0]))])
    weight = np.eye(30)[4]
    with pytest.raises(
        ValueError, match="no row held out of 30 samples, 29 of them of weight 0; both parts need one"
    ):
        split_held_out([1, 2], [y], weight=weight)


@pytest.mark.parametrize("estimator", [ID3Classifier, C45Classifier, CARTClassifier])
@by_each
def test_nothing_held_out_cannot_prune(estimator, way):
    with pytest.raises(ValueError, match="held_out is None; wanted a share"):
        estimator(prune=way(held_out=None)).fit(NAMES, LABEL)
    assert estimator().fit(NAMES, LABEL).tree_.pruned_from is None  # not asked for


@of_each
@by_each
def test_an_estimator_grows_from_the_others_and_prunes_by_these(name, way):
    make, X = ESTIMATORS[name]
    held = np.flatnonzero(np.arange(90) % 3 == 1)
    grown = np.setdiff1d(np.arange(90), held)
    weight = np.arange(90) % 4 + 0.5
    for w in (None, weight):
        here, there = (None, None) if w is None else (w[grown], w[held])
        full = make().fit(X.iloc[grown], LABEL[grown], here).tree_
        wanted = BY_HELD_OUT[way](full, X.iloc[held], LABEL[held], there)
        est = make(prune=way(held)).fit(X, LABEL, w)
        assert est.tree_.pruned_from == full
        assert est.tree_ == wanted != full
        pd.testing.assert_frame_equal(est.tree_.steps, wanted.steps)
        assert est.predict(X.head(9)).tolist() == est.classes_[wanted.label[wanted.apply(X.head(9))]].tolist()
        assert est.tree_.explain(0)["chosen"].any()
        assert est.tree_.pruned_from.explain(0)["chosen"].any()


@of_each
@by_each
def test_a_share_drawn_by_an_estimator(name, way):
    make, X = ESTIMATORS[name]
    codes = np.unique(LABEL, return_inverse=True)[1]
    held = split_held_out(0.4, [Column("y", np.unique(LABEL), codes)], 5)[1]
    drawn = make(prune=way(0.4), random_state=5).fit(X, LABEL).tree_
    assert drawn == make(prune=way(held)).fit(X, LABEL).tree_
    assert drawn == make(prune=way(0.4), random_state=5).fit(X, LABEL).tree_


@of_each
def test_rows_without_weight_decide_nothing(name):
    make, X = ESTIMATORS[name]
    weight = (np.arange(90) % 5 > 0) * 1.0
    counts = np.flatnonzero(weight)
    mask = np.arange(90) % 3 == 0
    with_zeros = make(prune=ReducedError(mask)).fit(X, LABEL, weight)
    without = make(prune=ReducedError(mask[counts])).fit(X.iloc[counts], LABEL[counts])
    assert with_zeros.tree_ == without.tree_
    drawn = make(prune="pre", random_state=0).fit(X, LABEL, weight).tree_
    assert drawn == make(prune="pre", random_state=0).fit(X.iloc[counts], LABEL[counts]).tree_


@of_each
def test_a_row_of_weight_two_is_the_row_twice_in_both_parts(name):
    make, X = ESTIMATORS[name]
    times = np.arange(90) % 3
    often = np.repeat(np.arange(90), times)
    mask = np.arange(90) % 4 == 2
    for way in BY_HELD_OUT:
        weighed = make(prune=way(mask)).fit(X, LABEL, times)
        repeated = make(prune=way(mask[often])).fit(X.iloc[often], LABEL[often])
        assert weighed.tree_ == repeated.tree_


@of_each
def test_classes_that_are_only_held_out_are_classes(name):
    make, X = ESTIMATORS[name]
    est = make(prune=ReducedError(LABEL == "maybe")).fit(X, LABEL)
    assert est.classes_.tolist() == ["maybe", "no", "yes"]
    assert est.predict_proba(X)[:, 0].max() == 0
    assert est.tree_.counts[:, 0].max() == 0


def test_names_and_missing_values_that_growing_has_not_seen():
    X = MIXED.copy()
    X.loc[80:, "a"] = "new"
    X.loc[::7, "p"] = np.nan
    for unseen in ("stay", "missing"):
        est = C45Classifier(
            prune=ReducedError(held_out=range(60, 90)), dialect=C45Dialect(unseen=unseen)
        ).fit(X, LABEL)
        full = C45Classifier(dialect=C45Dialect(unseen=unseen)).fit(X[:60], LABEL[:60]).tree_
        assert est.tree_ == reduced_error(full, X[60:], LABEL[60:])
        assert "new" not in est.tree_.features[0].values


@pytest.mark.parametrize("way", [ReducedError, PrePruned])
def test_values_may_be_those_of_rows_held_out_too(way):
    """A threshold is the largest number up to the midpoint, a name has a branch for each value of any row."""
    X = pd.DataFrame({"x": [1.0, 1, 1, 4, 4, 4, 2, 4], "n": list("pqppqpqr")})
    y, held = list("aaabbbab"), [6, 7]
    for values_of, threshold, branches in (("grown", 1, 2), ("all", 2, 3)):
        dialect = C45Dialect(threshold="value", values_of=values_of)
        est = C45Classifier(prune=way(held_out=held), dialect=dialect).fit(X, y)
        assert est.tree_.pruned_from.threshold[0] == threshold
        assert len(est.fit(X[["n"]], list("abaababb")).tree_.features[0].values) == branches
    j48 = C45Classifier.j48(prune=way(held_out=held)).fit(X, y).tree_.pruned_from
    assert j48.threshold[0] == 2


def test_rows_held_out_may_be_samples_of_many_values():
    """0.3 times 6 samples are 1.8, 0.3 times 8 are 2.4: only with those held out has the name few values."""
    X = pd.DataFrame({"x": [1.0, 1, 1, 4, 4, 4, 2, 4], "n": list("pqppqpqp")})
    y, held = list("aaabbbab"), [6, 7]
    for samples, weight in (("rows", [5, 5, 5, 5, 5, 5, 1, 1]), ("weight", None)):
        for values_of, few in (("grown", 1), ("all", 2)):
            dialect = C45Dialect(samples=samples, many_values=0.3, values_of=values_of)
            est = C45Classifier(prune=ReducedError(held_out=held), dialect=dialect).fit(X, y, weight)
            table = est.tree_.pruned_from.explain(0)
            assert table["average_gain"][0] == pytest.approx(table["gain"][:few].mean())


def test_rows_of_weight_0_are_neither_held_out_nor_give_they_values():
    X = pd.DataFrame({"x": [1.0, 1, 3, 1, 4, 4, 4, 2, 2.4, 4]})
    y, weight = list("aaaabbbaab"), [1, 1, 0, 1, 1, 1, 1, 1, 0, 1]
    dialect = C45Dialect(threshold="value", values_of="all")
    est = C45Classifier(prune=ReducedError(held_out=[2, 7, 8, 9]), dialect=dialect).fit(X, y, weight)
    assert est.tree_.pruned_from.threshold[0] == 2
    assert est.tree_.pruned_from.counts[0].tolist() == [3, 3]


def test_an_array_of_codes():
    X = np.unique(NAMES.to_numpy().astype(str), return_inverse=True)[1].reshape(90, 3).astype(float)
    est = ID3Classifier(prune=PrePruned(held_out=range(30))).fit(X, LABEL)
    assert est.tree_.pruned_from == ID3Classifier().fit(X[30:], LABEL[30:]).tree_
    assert est.predict(X).shape == (90,)
    numbers = C45Classifier(missing="error", prune=PrePruned(held_out=range(30))).fit(X, LABEL)
    assert numbers.tree_.pruned_from == C45Classifier(missing="error").fit(X[30:], LABEL[30:]).tree_
    assert numbers.predict(X).shape == (90,)


def test_the_melons_with_the_columns_in_the_order_of_the_file():
    """Other ties, another tree: seven melons still decide what the ten have grown."""
    est = ID3Classifier(prune=PrePruned(held_out=HELD)).fit(melons.X, melons.y)
    full = ID3Classifier().fit(melons.X.iloc[GROWN], melons.y.iloc[GROWN]).tree_
    assert est.tree_ == pre_prune(full, melons.X.iloc[HELD], melons.y.iloc[HELD])


@of_each
def test_parameters_are_checked_by_fit_and_survive_clone(name):
    make, X = ESTIMATORS[name]
    est = make(prune="cut", random_state=3)
    assert clone(est).get_params() == est.get_params()
    with pytest.raises(ValueError, match="prune is 'cut'; wanted one of None, "):
        est.fit(X, LABEL)
    assert not hasattr(est, "tree_")
    with pytest.raises(ValueError, match="held_out has row position 90"):
        est.set_params(prune=PrePruned([90])).fit(X, LABEL)
    assert not hasattr(est, "tree_")
    mask = np.arange(90) > 60
    assert clone(make(prune=PrePruned(mask))).fit(X, LABEL).tree_.pruned_from is not None


def test_grid_search_over_prunings():
    grid = [
        {"prune": [None, "reduced_error"]},
        {"prune": [ReducedError(), PrePruned()], "prune__held_out": [0.2, 0.4]},
    ]
    search = GridSearchCV(ID3Classifier(random_state=0), grid, cv=3).fit(NAMES, LABEL)
    assert len(search.cv_results_["params"]) == 6
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


# A row of weight 2 is drawn as one row, so that it is on one side; two rows may be on both.
DRAWN = {"check_sample_weight_equivalence_on_dense_data": "rows are drawn, not weights"}


@pytest.mark.long
@parametrize_with_checks(
    [
        ID3Classifier(prune="reduced_error", random_state=0),
        ID3Classifier(prune="pre", random_state=0),
        C45Classifier(prune="reduced_error", random_state=0),
        C45Classifier(prune="pre", missing="error", random_state=0),
    ],
    expected_failed_checks=lambda estimator: DRAWN,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_costs_at_a_node_are_those_of_predicting_there():
    tree = CARTClassifier(max_depth=3).fit(MIXED[["p", "q"]], LABEL).tree_
    held = hold_out(tree, MIXED[["p", "q"]].to_numpy(), LABEL)
    ends = tree.apply(MIXED[["p", "q"]])
    for node in tree:
        here = [i for i in range(90) if node.id in (*tree[ends[i]].ancestors, ends[i])]
        assert held.n[node.id] == len(here) == node.n
        assert held.cost[node.id] == (LABEL[here] != node.prediction).sum()
    assert held.staying.sum() == (tree.label[ends] != np.unique(LABEL, return_inverse=True)[1]).sum()


def test_on_its_own_rows_a_tree_costs_its_risk():
    est = CARTRegressor(max_depth=3).fit(MIXED[["p"]], MIXED["q"])
    held = hold_out(est.tree_, MIXED[["p"]], MIXED["q"])
    np.testing.assert_allclose(held.cost, est.tree_.n * est.tree_.impurity, atol=1e-9)
    assert reasons.HELD_OUT in reasons.REASONS


def test_a_tree_of_single_precision_reads_rows_as_its_estimator_does():
    x = np.array([1, 1 + 2.0**-23, 1 + 2.0**-22])[[0, 1, 1, 2]][:, None]
    est = CARTClassifier(missing="surrogate", dialect=CARTDialect(precision="single")).fit(x, list("nnyy"))
    between = np.array([[1 + 2.0**-24 * 1.01], [1.0]])
    wrong = (est.predict(between) != "n").sum()
    assert hold_out(est.tree_, between, list("nn")).staying.sum() == wrong


def test_rows_that_the_tree_cannot_read():
    tree = CARTClassifier().fit(MIXED[["p", "q"]], LABEL).tree_
    with pytest.raises(ValueError, match=r"X has shape \(90, 1\); wanted at least one row of 2 features"):
        hold_out(tree, MIXED[["p"]].to_numpy(), LABEL)
    with pytest.raises(ValueError, match="X has a missing value in row 0, column 0 "):
        hold_out(tree, np.full((1, 2), np.nan), ["no"])
    with pytest.raises(ValueError, match="y has 2 outputs; the tree has 1"):
        hold_out(tree, np.zeros((1, 2)), [["no", "yes"]])
    assert hold_out(tree, np.zeros((1, 2)), ["other"]).cost.tolist()[0] == 1


@pytest.mark.parametrize("way", BY_HELD_OUT)
def test_held_out_rows_may_be_an_array_of_any_numbers(way):
    X, labels = rng.integers(0, 5, (60, 3)), np.arange(60) % 2
    tree = CARTClassifier().fit(X[:40].astype(float), labels[:40]).tree_
    wanted = BY_HELD_OUT[way](tree, X[40:].astype(float), labels[40:])
    for held in (X[40:], X[40:].astype(object), X[40:].tolist()):
        assert BY_HELD_OUT[way](tree, held, labels[40:]) == wanted


@pytest.mark.parametrize("way", BY_HELD_OUT)
def test_one_missing_value_among_the_held_out_rows_is_refused(way):
    X, labels = rng.integers(0, 5, (60, 3)).astype(float), np.arange(60) % 2
    tree, held = CARTClassifier().fit(X[:40], labels[:40]).tree_, X[40:].copy()
    held[7, 1] = np.nan
    with pytest.raises(ValueError, match="X has a missing value in row 7, column 1 "):
        BY_HELD_OUT[way](tree, held, labels[40:])
