"""Missing values in CART: choosing, sending down, predicting; surrogates, priors, losses, cp."""

from dataclasses import fields

import numpy as np
import pandas as pd
import pytest

from dtlib import BySurrogates, C45Classifier, CARTClassifier, CARTRegressor, Prior
from dtlib.datasets import load_golf, load_loan, load_watermelon
from dtlib.dialects import C45Dialect, CARTDialect
from dtlib.growing.missing import PART_BITS, divided, route_missing, weight_quantum
from dtlib.growing.nodes import Routed
from dtlib.growing.training_rows import training_parts
from dtlib.prune import ComplexityParameter, best_subtree, risk
from dtlib.search.surrogates import Known, Surrogates, right_children
from dtlib.table.reading import class_targets
from dtlib.table.training import read_training
from tests.criteria import criteria_of
from tests.private import subclass_with

NAN = float("nan")
MISSING_POLICIES = ("stay", "majority", "fractional", "surrogate")
HOLES, melons, loan, golf = load_watermelon("2.0a"), load_watermelon(), load_loan(), load_golf()
NUMBER = HOLES.y.map({"yes": 1.0, "no": 0.0})
# x and z part the rows alike; of the last row x is missing
TWINS = pd.DataFrame(
    {"x": [1.0, 2, 3, 7, 8, 9, NAN], "z": [10.0, 20, 30, 70, 80, 90, 85], "c": list("ppqqrrr")}
)
SIDES = list("nnnyyyy")


def fit(missing, **parameters):
    return CARTClassifier(missing=missing, **parameters).fit(HOLES.X, HOLES.y)


# Choosing.


@pytest.mark.parametrize("missing", MISSING_POLICIES)
def test_a_gain_counts_by_the_share_that_is_known(missing):
    """Texture of 15 melons is known: its decrease among them, times 15/17."""
    root = fit(missing, criterion="entropy").tree_.explain(0).set_index("feature")
    known = HOLES.X["texture"].notna()
    X, y = HOLES.X.loc[known, ["texture"]], HOLES.y[known]
    alone = CARTClassifier(criterion="entropy", max_depth=1).fit(X, y).tree_
    assert root.loc["texture", "known"] == pytest.approx(15 / 17)
    assert root.loc["texture", "gain"] == pytest.approx(alone.gain[0] * 15 / 17, abs=1e-12)
    assert root.loc["touch", "known"] == pytest.approx(15 / 17)


@pytest.mark.parametrize("missing", MISSING_POLICIES)
@pytest.mark.parametrize("criterion", criteria_of(CARTRegressor))
def test_numbers_are_chosen_by_the_rows_that_know(missing, criterion):
    X = pd.DataFrame({"a": [1.0, 2, NAN, 4], "b": [NAN, NAN, 1, 2]})
    tree = CARTRegressor(missing=missing, criterion=criterion, max_depth=1).fit(X, [1.0, 1, 10, 10]).tree_
    assert tree.root.feature == "a"
    assert tree.threshold[0] == 3
    deviance = (10 * np.log(10 / 4) + 2 * np.log(1 / 4)) / 3
    own = {"squared_error": 18.0, "absolute_error": 3.0, "poisson": deviance}[
        criterion
    ]  # of the three known rows
    table = tree.explain(0).set_index("feature")
    assert table.loc["a", "gain"] == pytest.approx(own * 3 / 4)
    assert tree.gain[0] == pytest.approx(own * 3 / 4)


# Sending down.


def test_parts_of_a_row_go_to_both_branches():
    X = pd.DataFrame({"x": [1.0, 1, 1, 2, NAN]})
    tree = CARTClassifier(missing="fractional").fit(X, list("aaabb")).tree_
    assert tree.n.tolist() == [5, 3.75, 1.25]
    assert tree.counts.tolist() == [[3, 2], [3, 0.75], [0, 1.25]]


def test_whole_rows_go_to_the_larger_branch_or_stay():
    X = pd.DataFrame({"x": [1.0, 1, 1, 2, NAN]})
    larger = CARTClassifier(missing="majority").fit(X, list("aaabb")).tree_
    assert larger.n.tolist() == [5, 4, 1]
    stay = CARTClassifier(missing="stay").fit(X, list("aaabb")).tree_
    assert stay.n.tolist() == [5, 3, 1]
    assert stay.counts[0].tolist() == [3, 2]


def test_surrogates_may_be_listed_though_rows_stay():
    X = TWINS.assign(x=TWINS["x"].where(TWINS["x"] != 8))
    used = CARTClassifier(missing="surrogate").fit(X, SIDES)
    listed = CARTClassifier(missing=BySurrogates(use_surrogates=False)).fit(X, SIDES)
    pd.testing.assert_frame_equal(listed.tree_.surrogates_of(0), used.tree_.surrogates_of(0))
    gone = X.head(1).assign(**{used.tree_.root.feature: np.nan})
    assert used.apply(gone).tolist() != [0]
    assert listed.apply(gone).tolist() == [0]
    assert (
        CARTClassifier(missing=BySurrogates(max_surrogates=0, use_surrogates=False))
        .fit(X, SIDES)
        .tree_.surrogates
        is None
    )


def test_a_surrogate_sends_the_row():
    X = pd.DataFrame({"z": TWINS["z"].where(TWINS["z"] != 80), "x": TWINS["x"]})
    est = CARTClassifier(missing="surrogate").fit(X, SIDES)
    assert est.tree_.root.feature == "z"
    table = est.tree_.surrogates_of(0)
    # of the six rows whose z is known, x sends five alike; the majority would send three
    assert table.loc[0, ["feature", "rows"]].tolist() == ["x", 1]
    assert table.loc[0, ["agreement", "adjusted"]].tolist() == pytest.approx([5 / 6, 2 / 3])
    new = pd.DataFrame({"z": [NAN, NAN], "x": [8.0, 1.0]})
    assert est.explain(new.head(1))["sent_by"].tolist() == ["", "x > 5"]
    assert est.predict(new).tolist() == ["y", "n"]


@pytest.mark.parametrize(("more", "adjusted"), [(1, []), (2, [2e-10])])
def test_a_surrogate_is_worth_more_than_the_tolerance(more, adjusted):
    """It sends by so much more weight alike than the larger side, of 1e10 that it could: 1e-10 is none."""
    X = pd.DataFrame({"x": [0, 1, 0, 1, 1], "z": [0, 0, 1, 1, 1]})
    left, every, half = 10**10, 2**51, 2**50
    weight = [more + 2, 2, left - more - 2, half, every - left - 2 - half]
    tree = CARTClassifier(missing="surrogate").fit(X, list("nynyy"), sample_weight=weight).tree_
    assert tree.root.feature == "x"
    assert tree.surrogates.adjusted.tolist() == adjusted


def test_where_no_surrogate_knows_the_larger_branch_takes_the_row_or_it_stays():
    nothing = pd.DataFrame({"x": [NAN], "z": [NAN], "c": [None]})
    larger = CARTClassifier(missing="surrogate").fit(TWINS, SIDES)
    assert larger.explain(nothing)["sent_by"].tolist() == ["", "larger branch"]
    assert larger.predict(nothing).tolist() == ["y"]
    stay = CARTClassifier(missing=BySurrogates(fallback="stay")).fit(TWINS, SIDES)
    assert stay.apply(nothing).tolist() == [0]
    assert stay.predict_proba(nothing)[0].tolist() == [3 / 7, 4 / 7]


@pytest.mark.parametrize("missing", MISSING_POLICIES)
def test_weights_add_up_at_every_node(missing):
    for cls, y in ((CARTClassifier, HOLES.y), (CARTRegressor, NUMBER)):
        tree = cls(missing=missing).fit(HOLES.X, y).tree_
        for node in tree:
            _, weight = training_parts(tree, node.id)
            assert weight.sum() == pytest.approx(node.n)
            if not node.is_leaf and missing != "stay":
                assert sum(child.n for child in node.children) == pytest.approx(node.n)


# Predicting.


def test_a_row_of_which_all_is_missing_gets_the_shares_of_the_root():
    nothing = pd.DataFrame({name: [None] for name in HOLES.X})
    est = fit("fractional")
    assert est.predict_proba(nothing)[0] == pytest.approx([9 / 17, 8 / 17])
    assert est.predict(nothing).tolist() == ["no"]
    numbers = CARTRegressor(missing="fractional").fit(HOLES.X, NUMBER)
    assert numbers.predict(nothing) == pytest.approx([8 / 17])
    assert fit("stay").predict_proba(nothing)[0] == pytest.approx([9 / 17, 8 / 17])


def test_a_part_is_predicted_by_each_branch():
    X = pd.DataFrame({"x": [1.0, 1, 1, 2], "other": [1.0, 1, 1, 1]})
    numbers = CARTRegressor(missing="fractional").fit(X, [0.0, 0, 0, 8])
    assert numbers.predict(pd.DataFrame({"x": [NAN, 1], "other": [NAN, NAN]})).tolist() == [2, 0]
    both = CARTRegressor(missing="fractional").fit(X, np.array([[0.0, 0, 0, 8], [4.0, 4, 4, 0]]).T)
    assert both.predict(pd.DataFrame({"x": [NAN], "other": [1.0]})).tolist() == [[2, 3]]
    path = numbers.explain(pd.DataFrame({"x": [NAN], "other": [1.0]}))
    assert path["weight"].tolist() == [1, 0.75, 0.25]
    assert path["sent_by"].tolist() == ["", "part of 3/4", "part of 1/4"]


def test_a_feature_that_is_not_asked_may_be_missing():
    for missing in MISSING_POLICIES:
        est = CARTClassifier(missing=missing).fit(loan.X, loan.y)
        X = loan.X.assign(age=None, credit=None)
        assert (est.predict(X) == est.predict(loan.X)).all()


@pytest.mark.parametrize("make", [CARTClassifier, CARTRegressor, C45Classifier])
def test_that_a_value_is_missing_is_asked_by_no_way_but_may_be_a_column(make):
    """As the docstrings, chapter 10, the questions and README.md say; who changes that changes them."""
    x, y = pd.DataFrame({"x": [NAN] * 4 + [1.0, 2, 3, 4]}), np.repeat([0, 1], 4)
    for missing in ("majority", "fractional") if make is C45Classifier else MISSING_POLICIES:
        assert make(missing=missing).fit(x, y).tree_.node_count == 1
        told = x.assign(x_missing=x["x"].isna())
        assert make(missing=missing).fit(told, y).predict(told).tolist() == y.tolist()


def test_a_name_that_no_row_had_stays_or_is_missing():
    X, y = pd.DataFrame({"c": list("ppqqrr"), "z": [1.0, 1, 2, 2, 3, 3]}), list("nnyyyy")
    new = pd.DataFrame({"c": ["s", "s"], "z": [1.0, 3.0]})
    assert CARTClassifier(missing="surrogate").fit(X, y).apply(new).tolist() == [0, 0]
    est = CARTClassifier(missing="surrogate", dialect=CARTDialect(unseen="missing")).fit(X, y)
    assert est.tree_.root.feature == "c"
    assert est.apply(new).tolist() == [1, 2]
    est = CARTClassifier(missing="fractional", dialect=CARTDialect(unseen="missing")).fit(X, y)
    assert est.predict_proba(new).tolist() == [[1 / 3, 2 / 3]] * 2


def test_rows_without_holes_are_not_refused_where_an_unknown_name_would_be_missing():
    model = C45Classifier(missing="error", dialect=C45Dialect(unseen="missing")).fit(golf.X, golf.y)
    assert model.predict(golf.X).tolist() == list(golf.y)
    with pytest.raises(ValueError, match="missing value"):
        model.tree_.apply(np.full((1, 4), NAN))


def test_arrays_and_frames_with_holes_are_the_same():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(90, 4)), rng.integers(0, 3, 90)
    X[rng.random(X.shape) < 0.2] = NAN
    frame = pd.DataFrame(X, columns=["x0", "x1", "x2", "x3"])
    for missing in MISSING_POLICIES:
        ours = CARTClassifier(missing=missing, max_depth=5).fit(X, y)
        assert ours.tree_ == CARTClassifier(missing=missing, max_depth=5).fit(frame, y).tree_
        assert (
            ours.predict_proba(X)
            == CARTClassifier(missing=missing, max_depth=5).fit(frame, y).predict_proba(frame)
        ).all()


# Surrogates.


def test_a_surrogate_may_stand_upside_down():
    X = TWINS[["z"]].assign(down=-TWINS["z"], flat=1.0)
    table = CARTClassifier(missing="surrogate").fit(X, SIDES).tree_.surrogates_of(0)
    assert table["feature"].tolist() == ["down"]
    assert table["first"].tolist() == ["down > -50"]


def test_surrogates_of_names_need_two_rows_each_way_or_as_in_rpart_two_that_differ():
    X = pd.DataFrame(
        {"x": np.arange(12.0), "alike": list("pppppp") + list("qqqqqq"), "one": list("p" * 11 + "q")}
    )
    y = list("n" * 6 + "y" * 6)
    table = CARTClassifier(missing="surrogate").fit(X, y).tree_.surrogates_of(0)
    assert table[["feature", "agreement"]].to_numpy().tolist() == [["alike", 1.0]]
    missing = subclass_with(BySurrogates, categorical_rule="disagree")()
    slip = CARTClassifier(missing=missing).fit(X, y).tree_.surrogates_of(0)
    assert slip["feature"].tolist() == ["one"]


@pytest.mark.parametrize(("left", "right"), [("n", "y"), ("y", "n"), (1.0, 2.0), (2.0, 1.0)])
@pytest.mark.parametrize("rule", ["each_way", "disagree"])
def test_a_name_that_says_nothing_goes_right_or_as_in_rpart_to_the_larger_mean(left, right, rule):
    """Of t, two rows go left and two right; so do five of all rows and five."""
    X = pd.DataFrame({"x": np.arange(10.0), "c": list("pppttttqqq")})
    make = CARTRegressor if isinstance(left, float) else CARTClassifier
    missing = subclass_with(BySurrogates, categorical_rule=rule)()
    surrogates = make(missing=missing).fit(X, [left] * 5 + [right] * 5).tree_.surrogates
    assert surrogates.code.tolist() == [0, 1, 2]
    tied = 1 if rule == "each_way" else int(left < right)
    assert dict(zip("pqt", surrogates.branch.tolist(), strict=True)) == {"p": 0, "t": tied, "q": 1}


def test_names_that_are_declared_and_do_not_occur_change_no_surrogate():
    rng = np.random.default_rng(4)
    x = rng.integers(0, 8, 60)
    names = np.array([f"v{k:04}" for k in range(6000)])
    codes = {name: np.where(rng.random(60) < 0.2, rng.integers(0, 8, 60), x) for name in ("a", "o")}
    found = []
    for categories in (names[:8], names):
        columns = {f: pd.Categorical(names[k], categories, ordered=f == "o") for f, k in codes.items()}
        model = CARTClassifier(missing="surrogate", max_depth=3).fit(
            pd.DataFrame({"x": x, **columns}), x // 3
        )
        found.append(model.tree_.surrogates)
    few, many = found
    assert len(few.node) > 3
    for field in fields(few):
        np.testing.assert_array_equal(getattr(many, field.name), getattr(few, field.name))


def test_surrogates_are_whole_numbers_but_for_thresholds_and_shares():
    for X in (TWINS, TWINS[["x"]], TWINS[["c"]]):
        s = CARTClassifier(missing="surrogate").fit(X, SIDES).tree_.surrogates
        kinds = {field.name: getattr(s, field.name).dtype.kind for field in fields(s)}
        assert {name for name, kind in kinds.items() if kind == "f"} == {"threshold", "agreement", "adjusted"}
        assert set(kinds.values()) == {"f", "i"}


def test_at_most_so_many_surrogates_are_kept():
    X = pd.DataFrame({f"x{k}": np.arange(12.0) for k in range(8)})
    y = list("n" * 6 + "y" * 6)
    for most in (0, 1, 5):
        est = CARTClassifier(missing=BySurrogates(max_surrogates=most)).fit(X, y)
        assert est.tree_.surrogates_of(0)["feature"].tolist() == [f"x{k}" for k in range(1, most + 1)]


def test_a_tree_without_surrogates_says_so():
    with pytest.raises(ValueError, match=r"CARTClassifier.missing='surrogate'. looks for them"):
        CARTClassifier().fit(loan.X, loan.y).tree_.surrogates_of(0)


# Priors, losses, cp.


def test_priors_weigh_the_classes():
    est = CARTClassifier(class_weight=Prior({"no": 0.5, "yes": 0.5})).fit(loan.X, loan.y)
    assert est.tree_.value[0] == pytest.approx([0.5, 0.5])
    assert est.tree_.n[0] == pytest.approx(15)
    heavy = CARTClassifier(class_weight={"no": 15 / 12, "yes": 15 / 18}).fit(loan.X, loan.y)
    assert est.tree_ == heavy.tree_


def test_a_loss_predicts_what_costs_least_and_keeps_the_shares():
    X, y = pd.DataFrame({"x": [0.0] * 5}), list("nnnny")
    est = CARTClassifier(loss=[[0, 1], [5, 0]]).fit(X, y)
    assert est.predict(X.head(1)).tolist() == ["y"]  # 4/5 times 1 against 1/5 times 5 is equal: "n" is first
    assert est.predict_proba(X.head(1))[0] == pytest.approx([4 / 5, 1 / 5])


def test_cp_cuts_off_what_does_not_pay():
    full = CARTClassifier(missing="majority").fit(melons.X, melons.y).tree_
    for cp in (-1, 0.0, 0.1, 0.3, 1.0):
        est = CARTClassifier(missing="majority", prune=ComplexityParameter(cp)).fit(melons.X, melons.y)
        assert est.tree_ == best_subtree(full, cp * risk(full)[0])
    assert est.tree_.node_count == 1
    assert est.tree_.reason == ("saves less than cp",)
    assert (
        CARTClassifier(prune=ComplexityParameter(-1)).fit(melons.X, melons.y).tree_.n_leaves == full.n_leaves
    )


def test_pruned_trees_keep_the_surrogates_of_what_is_left():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(200, 4))
    y = (X[:, 0] + 0.5 * rng.normal(size=200) > 0).astype(int)
    X[rng.random(X.shape) < 0.1] = NAN
    full = CARTClassifier(missing="surrogate").fit(X, y)
    cut = CARTClassifier(missing="surrogate", prune=ComplexityParameter(0.02)).fit(X, y)
    assert 1 < cut.tree_.node_count < full.tree_.node_count
    for node in cut.tree_:
        if not node.is_leaf:
            same = next(n for n in full.tree_ if n.path == node.path)
            pd.testing.assert_frame_equal(cut.tree_.surrogates_of(node.id), full.tree_.surrogates_of(same.id))
    share = (cut.predict(X) == y).mean()
    assert share > 0.75


# Bad input.


@pytest.mark.parametrize("missing", MISSING_POLICIES)
def test_columns_and_rows_without_any_value(missing):
    X = pd.DataFrame({"none": [NAN] * 6, "x": [1.0, 2, 3, 4, 5, NAN], "names": [None] * 5 + ["p"]})
    est = CARTClassifier(missing=missing).fit(X, list("nnnyyy"))
    assert est.tree_.root.feature == "x"
    assert est.predict(X).tolist()[:5] == list("nnnyy")
    known = est.tree_.explain(0).set_index("feature")["known"]
    assert known.round(3).tolist() == [0, 0.833, 0.167]


@pytest.mark.parametrize("missing", MISSING_POLICIES)
def test_a_column_that_is_missing_altogether_at_predict(missing):
    est = CARTClassifier(missing=missing).fit(golf.X, golf.y)
    gone = golf.X.assign(**{est.tree_.root.feature: None})
    assert est.predict_proba(gone).sum(1) == pytest.approx(np.ones(14))


def test_missing_targets_and_weights_of_zero_are_refused():
    with pytest.raises(ValueError, match="y is missing in 1 row, which is row 0 "):
        CARTClassifier(missing="surrogate").fit(loan.X, [None, *loan.y[1:]])
    with pytest.raises(ValueError, match="y is missing"):
        CARTRegressor(missing="surrogate").fit(loan.X, [NAN] * 15)
    with pytest.raises(ValueError, match="zero for every row"):
        CARTClassifier(missing="surrogate").fit(loan.X, loan.y, np.zeros(15))


@pytest.mark.parametrize("missing", MISSING_POLICIES)
def test_ten_thousand_names_with_holes(missing):
    n = 20_000
    names = pd.Series(np.arange(n) % 10_000).astype(str).where(np.arange(n) % 7 > 0)
    X = pd.DataFrame({"id": names, "x": np.arange(n, dtype=float)})
    est = CARTClassifier(missing=missing, max_depth=3).fit(X, np.arange(n) // 5000 % 2)
    assert est.score(X, np.arange(n) // 5000 % 2) > 0.7


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        ({"missing": "mean"}, "missing is 'mean'; wanted one of 'error', 'stay'"),
        ({"dialect": CARTDialect(unseen="error")}, "unseen is 'error'"),
        ({"missing": BySurrogates(max_surrogates=-1)}, "max_surrogates is -1"),
        ({"prune": ComplexityParameter(-2)}, "cp is -2; wanted a number of at least -1"),
        (
            {"class_weight": Prior([0.2, 0.2])},
            r"prior is \[0.2, 0.2\]; wanted numbers of at least 0 with the sum 1",
        ),
        ({"class_weight": Prior([1.0])}, r"prior has shape \(1,\); wanted \(2,\)"),
        ({"class_weight": Prior({"no": 1.0})}, r"prior is for \['no'\], but the classes are \['no', 'yes'\]"),
        ({"loss": [[0, 1]]}, r"loss has shape \(1, 2\); wanted \(2, 2\)"),
        ({"loss": [[1, 1], [1, 0]]}, "0 on the diagonal"),
        ({"loss": [[0, 0], [1, 0]]}, "wanted a cost above 0 in each row"),
        (
            {"dialect": CARTDialect(ties="rounding"), "criterion": "misclassification"},
            "criterion is 'misclassification': wanted ties='first'",
        ),
    ],
)
def test_bad_parameters_are_named(parameters, said):
    with pytest.raises(ValueError, match=said):
        CARTClassifier(**parameters).fit(loan.X, loan.y)


def test_a_row_goes_the_same_way_whatever_rows_are_beside_it():
    """Below the root, negative numbers stand in on one side, and names on the other."""
    z, side = np.tile(np.arange(-20.0, 20.0), 2), np.repeat(["l", "r"], 40)
    left, cut = side == "l", np.where(z < -5, "no", "yes")
    y = np.where(left, cut, np.char.add("r", cut))
    X = pd.DataFrame({"side": side, "x": z, "z": np.where(left, z, NAN), "c": np.where(left, None, cut)})
    model = CARTClassifier(missing="surrogate").fit(X, y)
    assert [model.tree_.surrogates_of(i)["feature"][0] for i in (1, 2)] == ["z", "c"]
    rows = X.iloc[[3, 43]].assign(x=NAN)
    assert model.predict(rows).tolist() == ["no", "rno"]
    assert [model.predict(rows.iloc[[i]])[0] for i in (0, 1)] == ["no", "rno"]


# How rows are sent, told by the functions that send them.


def test_rows_of_the_larger_branch_stay_whole():
    """Only where rows may be in parts have they weights of their own."""
    asked = Routed(np.arange(4), np.zeros(4, int), np.array([0, 0, 1, -1]), *np.array([[0], [2], [0]]))
    data = read_training(HOLES.X[:4], class_targets(HOLES.y[:4], 4), missing=True)
    whole = route_missing(data, asked, "majority", 2.0**-40)
    assert whole.weight is None
    assert whole.branch.tolist() == [0, 0, 1, 0]
    parts = route_missing(data, asked, "fractional", 2.0**-40)
    np.testing.assert_allclose(parts.weight, [1, 1, 1, 2 / 3, 1 / 3], atol=1e-11)


def test_the_parts_of_a_row_follow_one_another():
    n = 1000
    node, hole = np.zeros(n, int), np.arange(n) % 3 == 2
    branch = np.where(hole, -1, np.arange(n) % 3)
    row, found, weight = divided(node, branch, np.ones(n), np.array([2]), "fractional")
    assert (np.diff(row) >= 0).all()
    assert found[hole[row]].tolist() == [0, 1] * int(hole.sum())
    np.testing.assert_array_equal(np.bincount(row, weight), 1)


def by_names(codes, branches):
    """Return a surrogate of node 0 that sends the names at some places each to a branch."""
    one, share, size = np.zeros(1, int), np.ones(1), np.array([len(codes)])
    codes, branches = np.array(codes), np.array(branches)
    nan, none = np.full(1, NAN), np.full(1, -1)
    return Surrogates(one, one, nan, one, share, share, one, size, codes, branches, none)


@pytest.mark.parametrize("place", [2, 3, 9])
def test_a_surrogate_of_names_sends_no_name_that_it_does_not_know(place):
    values = np.array([0.0, 1.0, place, NAN])
    branch, by = by_names([0, 1], [0, 1]).send(np.zeros(4, int), lambda _, rows: values[rows])
    assert (branch.tolist(), by.tolist()) == ([0, 1, -1, -1], [0, 0, -1, -1])
    branch, _ = by_names([1], [1]).send(np.zeros(4, int), lambda _, rows: values[rows])
    assert branch.tolist() == [-1, 1, -1, -1]


def test_no_row_is_sent_nowhere():
    branch, by = by_names([0, 1], [0, 1]).send(np.empty(0, int), lambda _, rows: np.empty(len(rows)))
    assert (len(branch), len(by)) == (0, 0)


@pytest.mark.parametrize("power", [-3, 0, 1, 20])
def test_the_parts_of_all_rows_are_fewer_than_their_sum_can_tell(power):
    """Also where the weight of all is a power of two, or a little more or less."""
    for total in np.ldexp([1 - 1e-12, 1, 1 + 1e-12, 1.5], power):
        for more in (1, 1 + 5e-10):  # what rounding may add
            assert 2 ** (PART_BITS - 2) <= total * more / weight_quantum(total) < 2**PART_BITS


@pytest.mark.parametrize(
    ("weight", "right"),
    [([1, 1, 1, 1], 0), ([1, 3, 1, 1], 0), ([3, 1, 1, 1], 1), ([1, 1, 3, 1], 0), ([1, 1, 1, 3], 1)],
)
def test_the_right_side_has_the_larger_mean_of_the_weighted_classes(weight, right):
    """Both branches have a row of each class: of equal means the first one is the right side."""
    data = read_training(HOLES.X[:4], class_targets(list("nyny"), 4), np.array(weight, float), missing=True)
    sent = Known(np.arange(4), np.zeros(4, int), np.array([0, 0, 1, 1]), np.ones(4))
    assert right_children(data, sent, 1).tolist() == [right]


def test_a_side_that_weighs_nothing_has_no_mean_and_is_not_the_right_one():
    data = read_training(HOLES.X[:4], class_targets(HOLES.y[:4], 4), np.array([1.0, 1, 0, 0]), missing=True)
    sent = Known(np.arange(4), np.zeros(4, int), np.array([0, 0, 1, 1]), np.ones(4))
    assert right_children(data, sent, 1).tolist() == [0]


@pytest.mark.parametrize("prune", ["cv", "reduced_error", "validation", None])
def test_a_numeric_feature_that_is_missing_in_every_row_is_no_obstacle(prune):
    """As in a fold of a small table: nothing is known of it, so no split tests it."""
    x = np.arange(20.0)
    X, y = np.column_stack([np.full(20, np.nan), x]), np.where(x < 10, "a", "b")
    for missing in ("majority", "surrogate"):
        tree = CARTClassifier(missing=missing, prune=prune, random_state=0).fit(X, y).tree_
        assert [node.feature for node in tree if not node.is_leaf] == ["x1"]


def test_features_are_drawn_below_a_split_that_divides_rows_too():
    """Of two columns that are alike, the first would always win."""
    rng = np.random.default_rng(0)
    x = np.where(np.arange(200) % 7, rng.normal(size=200), np.nan)
    model = CARTClassifier(missing="fractional", max_features=1, max_depth=5, random_state=0)
    tree = model.fit(np.column_stack([x, x]), rng.integers(0, 2, 200)).tree_
    assert set(tree.feature[1:]) == {-1, 0, 1}
