"""C4.5: worked numbers, each parameter, missing values, bad input."""

import sqlite3
from contextlib import closing

import numpy as np
import pandas as pd
import pytest

from dtlib import C45Classifier, Tree
from dtlib.datasets import load_golf, load_loan, load_watermelon
from dtlib.dialects import C45Dialect
from dtlib.messages import use_language
from tests.private import subclass_with

golf, loan, melons, both = load_golf(), load_loan(), load_watermelon(), load_watermelon("3.0")
HOLES = load_watermelon("2.0a")
NAN = float("nan")


def fit(data, **parameters):
    return C45Classifier(**parameters).fit(data.X, data.y)


def column(data, name, **parameters):
    """Return a column of the root's candidates by feature."""
    return fit(data, **parameters).tree_.explain(0).set_index("feature")[name]


# Worked numbers.


def test_gain_ratios_of_the_loans():
    ratio = column(loan, "gain_ratio").round(3)
    assert ratio.to_dict() == {"age": 0.052, "has_job": 0.352, "owns_house": 0.433, "credit": 0.232}
    assert fit(loan).tree_.root.feature == "owns_house"


def test_gain_ratios_of_the_melons():
    ratio = column(melons, "gain_ratio").round(3)
    assert ratio.tolist() == [0.068, 0.102, 0.106, 0.263, 0.187, 0.007]


def test_gains_of_golf():
    gain = column(golf, "gain").round(3)
    assert (gain["outlook"], gain["windy"]) == (0.247, 0.048)


def test_thresholds_of_the_melons():
    root = fit(both).tree_.explain(0).set_index("feature")
    assert root.loc["density", "split"] == "density ≤ 0.3815?"
    assert root.loc["sugar", "split"] == "sugar ≤ 0.126?"
    assert root.loc[["density", "sugar"], "gain"].round(3).tolist() == [0.262, 0.349]


def test_the_melons_with_holes():
    root = fit(HOLES).tree_.explain(0).set_index("feature")
    assert root["gain"].round(3).tolist() == [0.252, 0.171, 0.145, 0.424, 0.289, 0.006]
    assert root["known"].mul(17).round(9).tolist() == [14, 15, 15, 15, 15, 15]
    node = fit(HOLES).tree_.root
    assert node.feature == "texture"
    assert [child.n for child in node.children] == pytest.approx([17 * 7 / 15, 17 * 5 / 15, 17 * 3 / 15])
    row = fit(HOLES).explain(HOLES.X.iloc[[7]])
    assert row.loc[row["condition"].str.startswith("texture"), "weight"].tolist() == pytest.approx(
        [7 / 15, 5 / 15, 3 / 15]
    )


def test_a_gain_counts_by_the_share_known():
    x, y = [*"aaaabbbbb", None], list("nnnnyyyyyy")
    found = fit_frame({"x": x}, y).tree_.explain(0)
    whole = fit_frame({"x": x[:-1]}, y[:-1]).tree_.explain(0)
    assert found["gain"][0] == pytest.approx(0.9 * whole["gain"][0])
    assert found["known"][0] == pytest.approx(0.9)


def test_a_sample_goes_down_by_the_counts_of_the_branches():
    x = ["a"] * 2 + ["b"] * 3 + ["c"] * 4 + [None]
    tree = fit_frame({"x": x}, list("nnyyynnnny"))
    parts = tree.explain(pd.DataFrame({"x": [None]}))
    assert parts["weight"].tolist()[1:] == pytest.approx([2 / 9, 3 / 9, 4 / 9])
    assert [child.n for child in tree.tree_.root.children] == pytest.approx([2 + 2 / 9, 3 + 3 / 9, 4 + 4 / 9])


def fit_frame(columns, y, **parameters):
    return C45Classifier(**parameters).fit(pd.DataFrame(columns), y)


# Parameters.


def test_the_average_gain_keeps_small_splits_out():
    table = fit(golf).tree_.explain(0).set_index("feature")
    assert table["gain_ratio"].idxmax() == "temperature"
    assert table.loc["temperature", "reason"] == "gain below the average"
    assert table["average_gain"].iloc[0] == pytest.approx(table["gain"].mean())
    assert fit(golf).tree_.root.feature == "outlook"
    assert fit(golf, average_gain=False).tree_.root.feature == "temperature"


def test_the_slack_lets_gains_below_the_average_pass():
    dialect = subclass_with(C45Dialect, average_slack=0.03)()
    assert fit(golf, dialect=dialect).tree_.root.feature == "temperature"


def test_choosing_by_gain():
    tree = fit(both, criterion="gain").tree_
    assert tree.root.feature == "texture"
    assert tree.explain(0).set_index("feature").loc["sugar", "reason"] == "smaller gain"


def test_the_minimum_holds_for_two_branches_and_the_node():
    tree = fit(golf, min_samples_leaf=3).tree_
    for node in tree:
        if not node.is_leaf:
            assert sorted(child.n for child in node.children)[-2] >= 3
            assert node.n >= 6
    assert {node.reason for node in tree if node.is_leaf} >= {"less than min_samples_split"}


def test_the_numeric_minimum():
    x = np.arange(100.0)
    y = np.where(x < 2, "a", "b")
    assert fit_frame({"x": x}, y).tree_.threshold[0] == 1.5
    dialect = subclass_with(C45Dialect, numeric_minimum=True)()
    tree = fit_frame({"x": x}, y, dialect=dialect, max_depth=1).tree_
    assert tree.threshold[0] == 4.5  # a tenth of 100 / 2 classes
    x = np.arange(1000.0)
    y = np.where(x < 2, "a", "b")
    tree = fit_frame({"x": x}, y, dialect=dialect, max_depth=1).tree_
    assert tree.threshold[0] == 24.5  # at most 25


def test_the_charge():
    with_charge = fit(golf, mdl_correction=True).tree_.explain(0).set_index("feature")
    without = fit(golf).tree_.explain(0).set_index("feature")
    for name, distinct in (("temperature", 12), ("humidity", 10)):
        assert golf.X[name].nunique() == distinct
        assert with_charge.loc[name, "charge"] == pytest.approx(np.log2(distinct - 1) / 14)
    lower = without["gain"] - with_charge["charge"]
    np.testing.assert_allclose(with_charge["gain"].dropna(), lower[with_charge["gain"].notna()])


def test_a_threshold_may_be_a_value_of_the_training_data():
    frame = pd.DataFrame({"a": list("uuuvv"), "x": [1.0, 2.0, 8.0, 4.0, 9.0]})
    tree = (
        C45Classifier(criterion="gain", dialect=C45Dialect(threshold="value"))
        .fit(frame.assign(a="u"), list("nnyny"))
        .tree_
    )
    assert tree.threshold[0] == 4.0
    frame = pd.DataFrame({"a": list("uuuuvvv"), "x": [1.0, 2.0, 8.0, 9.0, 4.9, 4.9, 4.9]})
    y = list("nnyyzzz")
    assert C45Classifier().fit(frame, y).tree_.threshold.tolist()[1] == 5.0
    assert C45Classifier(dialect=C45Dialect(threshold="value")).fit(frame, y).tree_.threshold[1] == 4.9


def test_numbers_too_close_are_not_parted():
    x, y = [1.0, 1.000009, 2.0, 2.0], list("nyyy")
    assert fit_frame({"x": x}, y).tree_.threshold[0] < 1.00001
    assert fit_frame({"x": x}, y, dialect=C45Dialect(gap=1e-5)).tree_.threshold[0] > 1.4


def test_many_values_are_left_out_of_the_average():
    X = golf.X.assign(id=[f"r{i}" for i in range(14)])
    plain = C45Classifier().fit(X, golf.y).tree_.explain(0)
    some = C45Classifier(dialect=C45Dialect(many_values=0.3)).fit(X, golf.y).tree_.explain(0)
    assert plain["average_gain"][0] == pytest.approx(plain["gain"].mean())
    assert some["average_gain"][0] == pytest.approx(some["gain"][:4].mean())
    alone = C45Classifier(dialect=C45Dialect(many_values=0.3)).fit(X[["id"]], golf.y).tree_
    assert alone.node_count == 15


def test_samples_of_many_values_are_weight_or_rows():
    """Of 14 rows that weigh 28, 0.3 times as many are 8.4 by weight and 4.2 by rows: a name has 7 values."""
    X = golf.X.assign(id=[f"r{i // 2}" for i in range(14)])
    for samples, number in (("weight", 5), ("rows", 4)):
        model = C45Classifier(dialect=C45Dialect(samples=samples, many_values=0.3))
        table = model.fit(X, golf.y, 2).tree_.explain(0)
        assert table["average_gain"][0] == pytest.approx(table["gain"][:number].mean())
    release8 = C45Classifier.release8(prune=None).fit(X, golf.y, 2).tree_.explain(0)
    j48 = C45Classifier.j48(prune=None).fit(X, golf.y, 2).tree_.explain(0)
    assert release8["average_gain"][0] > j48["average_gain"][0]


@pytest.mark.parametrize(
    ("x", "weight", "least", "by_weight", "by_rows"),
    [
        ([1, 2], [2, 2], 2, True, False),  # two rows know it, four are needed: J48 -M 2 grows one leaf
        ([1, 2], [2, 2], 1, True, True),
        ([1, 1, 2], [2, 2, 2], 2, True, False),
        ([1, 2, 2, 2], [2, 2, 2, 2], 2, True, True),  # not two rows on either side, but four in all
        ([1, NAN, 2, 2], [2, 2, 2, 2], 2, True, False),  # three know it
        ([1, 2, 2, 2], [1.5, 1, 1, 1], 2, False, False),  # either side needs its weight in any case
    ],
)
def test_samples_that_know_a_number_are_weight_or_rows(x, weight, least, by_weight, by_rows):
    y = ["a" if value == 1 else "b" for value in x]
    for samples, splits in (("weight", by_weight), ("rows", by_rows)):
        model = C45Classifier(min_samples_leaf=least, dialect=C45Dialect(samples=samples))
        tree = model.fit(pd.DataFrame({"x": x}), y, weight).tree_
        assert (tree.node_count > 1) == splits
        if not splits:
            assert tree.explain(0)["reason"].tolist() == ["no split leaves min_samples_leaf"]
    for model, splits in ((C45Classifier.release8, by_weight), (C45Classifier.j48, by_rows)):
        tree = model(prune=None, min_samples_leaf=least).fit(pd.DataFrame({"x": x}), y, weight).tree_
        assert (tree.node_count > 1) == splits


@pytest.mark.parametrize(
    ("samples", "least", "asks"), [("weight", 3.5, "x"), ("rows", 3.5, ""), ("rows", 3, "x")]
)
def test_parts_of_rows_are_rows_that_know_a_number(samples, least, asks):
    """To each name come parts of six rows, 1.25 each: they weigh 7.5."""
    X = pd.DataFrame({"name": ["a"] * 4 + ["b"] * 4 + [None] * 6, "x": [NAN] * 8 + [1.0, 1, 1, 2, 2, 2]})
    model = C45Classifier(min_samples_leaf=least, average_gain=False, dialect=C45Dialect(samples=samples))
    tree = model.fit(X, list("ppppqqqqrrrsss"), [4] * 8 + [2.5] * 6).tree_
    assert tree.root.feature == "name"
    assert [child.feature or "" for child in tree.root.children] == [asks, asks]


def test_splits_that_tell_little():
    x = ["a"] * 99 + ["b"]
    y = ["n"] * 99 + ["y"]
    assert fit_frame({"x": x}, y).tree_.node_count == 3
    tree = fit_frame({"x": x}, y, dialect=subclass_with(C45Dialect, min_split_information=0.1)()).tree_
    assert tree.node_count == 1
    assert tree.explain(0)["reason"][0] == "too little split information"


def test_a_tolerance_makes_near_gains_equal():
    a, b = ["u"] * 50 + ["v"] * 50, ["u"] * 51 + ["v"] * 49
    y = ["n"] * 52 + ["y"] * 48
    assert fit_frame({"a": a, "b": b}, y).tree_.root.feature == "b"
    near = subclass_with(C45Dialect, tolerance=0.2)()
    assert fit_frame({"a": a, "b": b}, y, dialect=near, criterion="gain").tree_.root.feature == "a"


def test_questions_without_gain():
    X, y = {"a": list("uvuv"), "b": list("uuvv")}, list("nyyn")
    assert fit_frame(X, y).tree_.reason == ("no gain",)
    tree = fit_frame(X, y, dialect=C45Dialect(zero_gain=True)).tree_
    assert tree.node_count == 7
    dialect = C45Dialect(zero_gain=True, collapse="bottom_up")
    assert fit_frame(X, y, min_samples_leaf=1, dialect=dialect).tree_.node_count == 7


def test_collapse():
    x, y = list("aaabbb"), list("nnynny")
    X = {"x": x, "z": [1, 2, 3, 1, 2, 2]}
    grown = fit_frame(X, y, max_depth=1)
    assert grown.tree_.node_count == 3
    X, y = {"z": [1, 1, 1, 2, 2, 2]}, list("nnynnn")
    assert fit_frame(X, y).tree_.node_count == 3
    for way in ("bottom_up", "top_down"):
        tree = fit_frame(X, y, dialect=C45Dialect(collapse=way)).tree_
        assert tree.reason == ("no fewer errors below",)
        assert tree.explain(0)["reason"].tolist() == ["no fewer errors below"]


def test_laplace():
    tree = fit(golf, leaf_shares="laplace")
    leaf = tree.tree_[int(tree.apply(golf.X.head(1))[0])]
    np.testing.assert_allclose(tree.predict_proba(golf.X.head(1))[0], (leaf.counts + 1) / (leaf.n + 2))


def test_of_equal_thresholds_the_lowest():
    tree = fit_frame({"x": [1.0, 2.0, 3.0]}, list("aba")).tree_
    assert tree.threshold[0] == 1.5
    assert tree.explain(0, "x")["reason"].tolist() == ["largest gain ratio", "equal gain, but a later split"]


def test_numbers_may_be_asked_again_and_names_not():
    x = np.arange(9.0)
    tree = fit_frame({"x": x}, list("aaabbbaaa")).tree_
    assert tree.max_depth == 2
    node = fit(melons).tree_.root.children[0]
    table = node.tree.explain(node.id).set_index("feature")
    assert table.loc["texture", "reason"] == "asked above"


# Missing values.


@pytest.mark.parametrize("missing", ["fractional", "majority"])
@pytest.mark.parametrize("make", [C45Classifier, C45Classifier.release8, C45Classifier.j48])
def test_without_missing_values_nothing_changes(make, missing):
    for data in (golf, loan, melons, both):
        tree = make(missing=missing).fit(data.X, data.y).tree_
        assert tree == make(missing="error").fit(data.X, data.y).tree_


@pytest.mark.parametrize(
    "estimator",
    [C45Classifier(), C45Classifier.release8(collapse=None), C45Classifier.j48(collapse=None)],
    ids=["book", "release8", "j48"],
)
def test_the_parts_of_all_rows_sum_to_their_weight(estimator):
    tree = estimator.fit(HOLES.X, HOLES.y).tree_
    for node in tree:
        if not node.is_leaf:
            np.testing.assert_allclose(sum(child.counts for child in node.children), node.counts, atol=1e-9)


@pytest.mark.parametrize("make", [C45Classifier, C45Classifier.release8, C45Classifier.j48])
def test_a_row_without_any_value_gets_the_shares_of_the_root(make):
    for data in (HOLES, golf):
        tree = make().fit(data.X, data.y)
        row = data.X.head(1).assign(**dict.fromkeys(data.X.columns, None))
        counts = tree.tree_.root.counts
        np.testing.assert_allclose(tree.predict_proba(row)[0], counts / counts.sum(), atol=1e-9)


def test_parts_that_weigh_less_than_two_rows_are_not_parted():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(100, 5)), rng.choice(list("no"), 100)
    X[rng.random(X.shape) < 0.3] = NAN
    for weight, least in ((1.0, 2.0), (5.0, 2.0), (0.25, 0.5)):
        tree = C45Classifier().fit(X, y, weight).tree_
        assert tree.n[tree.feature >= 0].min() >= least - 1e-9
        mixed = (tree.feature < 0) & (tree.counts.min(1) > 1e-9)
        assert (tree.n[mixed] < least).any()


def test_majority_sends_rows_to_the_largest_branch():
    tree = fit(HOLES, missing="majority")
    sizes = [child.n for child in tree.tree_.root.children]
    assert sizes == [9, 5, 3]  # seven known, and the two melons whose texture is missing
    row = HOLES.X.head(1).assign(texture=None)
    assert tree.explain(row)["condition"][1] == "texture = clear"
    assert tree.explain(row)["weight"].tolist() == [1.0] * len(tree.explain(row))
    assert tree.tree_[int(tree.apply(row)[0])].is_leaf
    first = fit_frame({"x": ["b", "a", None]}, list("yny"), missing="majority").tree_
    assert [child.n for child in first.root.children] == [2, 1]  # of equals the first


def test_fractional_rows_end_where_the_value_is_asked():
    tree = fit(golf)
    row = golf.X.head(1).assign(outlook=None)
    assert tree.apply(row).tolist() == [0]
    assert tree.decision_path(row).toarray().tolist()[0][:2] == [1, 0]


def test_missing_values_in_every_type():
    y = list("nnyyny")
    names = [None, "a", "b", "b", "a", "b"]
    trees = [
        fit_frame({"x": pd.Series(names, dtype=dtype)}, y).tree_ for dtype in (object, "string", "category")
    ]
    assert trees[0] == trees[1] == trees[2]
    numbers = [None, 1, 2, 2, 1, 3]
    dtypes = float, "Int64", "Float32"
    trees = [fit_frame({"x": pd.Series(numbers, dtype=dtype)}, y).tree_ for dtype in dtypes]
    assert trees[0] == trees[1] == trees[2]
    array = C45Classifier().fit(np.array(numbers, float)[:, None], y)
    assert (array.tree_.threshold[0], array.tree_.n.tolist()) == (trees[0].threshold[0], trees[0].n.tolist())
    assert array.predict_proba([[NAN]])[0].tolist() == pytest.approx([0.5, 0.5])
    bools = pd.Series([None, True, False, False, True, False], dtype="boolean")
    assert fit_frame({"x": bools}, y).tree_.node_count == 3


def test_names_unseen_in_training():
    row = golf.X.head(1).assign(outlook="snowy")
    stay, missing = fit(golf), fit(golf, dialect=C45Dialect(unseen="missing"))
    np.testing.assert_allclose(stay.predict_proba(row), [[5 / 14, 9 / 14]])
    np.testing.assert_allclose(missing.predict_proba(row), missing.predict_proba(row.assign(outlook=None)))
    assert stay.apply(row).tolist() == [0]


def test_a_column_without_any_value():
    X = golf.X.assign(empty=None, none=NAN)
    tree = C45Classifier().fit(X, golf.y).tree_
    table = tree.explain(0).set_index("feature")
    assert table.loc[["empty", "none"], "reason"].tolist() == ["no known value"] * 2
    assert tree.n.tolist() == fit(golf).tree_.n.tolist()
    alone = C45Classifier().fit(X[["empty", "none"]], golf.y)
    assert alone.tree_.node_count == 1
    np.testing.assert_allclose(alone.predict_proba(X[["empty", "none"]].head(1)), [[5 / 14, 9 / 14]])


def test_a_column_missing_altogether_when_predicting():
    tree = fit(golf)
    for empty in (None, NAN, pd.NA):
        X = golf.X.assign(outlook=empty, humidity=NAN)
        assert tree.predict_proba(X).sum(1) == pytest.approx(np.ones(14))
    with pytest.raises(ValueError, match="outlook"):
        tree.predict(golf.X.drop(columns="outlook"))


def test_one_known_value():
    for x in ([None, None, "a"], [NAN, NAN, 1.0]):
        tree = fit_frame({"x": x}, list("nny")).tree_
        assert tree.node_count == 1
        assert tree.explain(0)["reason"].tolist() == ["one value only"]


@pytest.mark.filterwarnings("ignore:most categories of these columns occur in one row only")
def test_ten_thousand_names():
    names = [f"n{i}" for i in range(10_000)]
    X = pd.DataFrame({"id": [*names[:-2], None, None], "z": np.arange(10_000) % 7.0})
    y = np.where(np.arange(10_000) % 7 < 3, "n", "y")
    tree = C45Classifier(dialect=C45Dialect(many_values=0.3)).fit(X, y)
    assert tree.tree_.root.feature == "z"
    categorical_surrogate = C45Classifier().fit(X[["id"]], y)
    assert categorical_surrogate.tree_.node_count == 1 + 9_998
    assert (categorical_surrogate.predict(X[["id"]].head(100)) == y[:100]).all()
    assert categorical_surrogate.predict_proba(X[["id"]].tail(2)).sum(1) == pytest.approx([1, 1])


def test_weights():
    weight = np.arange(17) % 3
    rows = np.repeat(np.arange(17), weight)
    weighted = C45Classifier().fit(HOLES.X, HOLES.y, sample_weight=weight)
    repeated = C45Classifier().fit(HOLES.X.iloc[rows], HOLES.y.iloc[rows])
    assert weighted.tree_ == repeated.tree_
    with pytest.raises(ValueError, match="zero for every row"):
        C45Classifier().fit(HOLES.X, HOLES.y, sample_weight=np.zeros(17))


def test_missing_values_may_be_refused():
    with pytest.raises(ValueError, match="missing values in categorical features: color"):
        fit(HOLES, missing="error")
    with pytest.raises(ValueError, match="temperature"):
        C45Classifier(missing="error").fit(golf.X.assign(temperature=NAN), golf.y)
    with pytest.raises(ValueError, match="outlook"):
        fit(golf, missing="error").predict(golf.X.assign(outlook=None))
    with pytest.raises(ValueError, match="NaN"):
        C45Classifier(missing="error").fit([[NAN], [1.0]], [0, 1])


@pytest.mark.parametrize(
    ("X", "y", "match"),
    [
        (golf.X, [None] * 14, "y is missing in 14 rows"),
        (golf.X, [*golf.y[:-1], None], "y is missing in 1 row, which is row 13 "),
        (golf.X.assign(humidity=np.inf), golf.y, "humidity"),
        (golf.X, np.stack([golf.y, golf.y], axis=1), "y has 2 outputs"),
    ],
)
def test_bad_data(X, y, match):
    with pytest.raises(ValueError, match=match):
        C45Classifier().fit(X, y)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("criterion", "gini"), ("average_gain", "yes"), ("min_samples_leaf", -1), ("mdl_correction", None),
        ("max_depth", 1.5), ("missing", "surrogate"), ("leaf_shares", "m"), ("keep_data", "x"),
        ("group_values", "subset"), ("dialect", "J48"), ("prune", "cv"),
    ],
)  # fmt: skip
def test_bad_parameters(name, value):
    with pytest.raises(ValueError, match=f"{name} is"):
        C45Classifier(**{name: value}).fit(golf.X, golf.y)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("samples", "cells"), ("threshold", "mean"), ("values_of", "held"), ("gap", -1), ("gap", NAN),
        ("gap", np.inf), ("gap", "a"), ("many_values", -0.1), ("zero_gain", 3), ("zero_gain", 2),
        ("collapse", "up"), ("unseen", "x"), ("precision", "half"),
    ],
)  # fmt: skip
def test_bad_settings_of_a_dialect(name, value):
    with pytest.raises(ValueError, match=f"{name} is"):
        C45Classifier(dialect=C45Dialect(**{name: value})).fit(golf.X, golf.y)


# The grown tree.


@pytest.mark.parametrize("data", [golf, HOLES, both], ids=["golf", "holes", "melons"])
def test_text_rules_and_json(data):
    tree = fit(data).tree_
    assert Tree.from_json(tree.to_json()) == tree
    assert tree.rules()["support"].sum() == pytest.approx(len(data.y))
    assert len(str(tree).splitlines()) == tree.node_count
    assert "svg" in str(tree._repr_mimebundle_())
    assert len(tree.trace()) == tree.node_count


def test_every_node_of_a_tree_is_explained():
    for make in (C45Classifier, C45Classifier.release8, C45Classifier.j48):
        tree = make().fit(HOLES.X, HOLES.y).tree_
        for node in tree:
            table = tree.explain(node.id)
            assert (table["reason"] != "").all()
            assert table["chosen"].sum() == (not node.is_leaf)
            if not node.is_leaf:
                assert table.loc[table["chosen"], "feature"].item() == node.feature
                gain = table.loc[table["chosen"], ["gain", "charge"]].sum(axis=1).item()
                assert gain == pytest.approx(tree.gain[node.id], abs=1e-9)


def test_all_thresholds_of_a_feature():
    tree = fit(both).tree_
    table = tree.explain(0, "sugar")
    assert len(table) == both.X["sugar"].nunique() - 1
    assert table["gain"].max() == pytest.approx(0.349, abs=1e-3)
    assert table["chosen"].sum() == 1
    assert len(tree.explain(0, "color")) == 1


def test_the_reasons_in_chinese():
    use_language("zh")
    try:
        assert "增益比最大" in fit(golf).tree_.explain(0)["reason"].tolist()
    finally:
        use_language("en")


def test_the_order_of_rows_does_not_matter():
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(17)
        for make in (C45Classifier, C45Classifier.release8, C45Classifier.j48):
            one, other = make().fit(HOLES.X, HOLES.y), make().fit(HOLES.X.iloc[order], HOLES.y.iloc[order])
            assert one.tree_ == other.tree_


# Groups of values.

# Days that are good, bad or neither.
DAYS = pd.DataFrame(
    {"day": np.repeat(np.array(["rain", "snow", "sun", "wind", "fog", "haze"]), [3, 2, 4, 2, 4, 2])}
)
KIND = np.repeat(np.array([*"nyw"]), [5, 6, 6])
MIXED = pd.DataFrame({"day": np.repeat(np.array(["rain", "snow", "sun", "fog", "haze"]), [3, 2, 6, 6, 3])})
LABEL = np.array([*"nnnnnyyyyyynnnnyynny"])


def grouped(how="merge", **parameters):
    return C45Classifier(group_values=how, **parameters).fit(DAYS.astype(object), KIND)


def test_values_of_one_class_are_one_group():
    steps = grouped().tree_.explain(0, "day")
    assert [len(x.split(";")) for x in steps["children"]] == [6, 3]
    assert (
        steps["children"][1]
        == "fog, haze: n 0, w 6, y 0; rain, snow: n 5, w 0, y 0; sun, wind: n 0, w 0, y 6"
    )
    assert steps["reason"].tolist() == ["merged further", "largest gain ratio"]
    assert steps["gain"].tolist() == pytest.approx([steps["gain"][0]] * 2)  # nothing is lost
    assert steps["split_information"][1] == pytest.approx(
        -sum(p * np.log2(p) for p in (5 / 17, 6 / 17, 6 / 17))
    )
    assert steps["gain_ratio"][1] == pytest.approx(1)  # so there is nothing to win by a further merge


def test_each_merge_raises_the_gain_ratio():
    tree = C45Classifier(group_values="merge").fit(MIXED.astype(object), LABEL).tree_
    steps = tree.explain(0, "day")
    assert steps["split"].tolist() == ["day?", "day?", "day?", "day in {fog, haze, rain, snow}?"]
    assert steps["gain_ratio"].is_monotonic_increasing
    assert (steps["gain"].diff()[1:] < 1e-12).all()
    p = np.array([6, 14]) / 20
    gain = _entropy([11, 9]) - 0.7 * _entropy([11, 3])
    assert steps["gain"].iloc[-1] == pytest.approx(gain)
    assert steps["gain_ratio"].iloc[-1] == pytest.approx(gain / _entropy(p))


def _entropy(counts):
    p = np.array(counts) / np.sum(counts)
    return -(p * np.log2(p)).sum()


def test_of_equal_merges_the_last_is_taken():
    x = np.repeat(np.array([*"abcd"], object), 3)
    y = np.array([*"nnynnynnyyyw"])  # any two of a, b, c
    steps = fit_frame({"x": x}, y, group_values="merge").tree_.explain(0, "x")
    assert steps["children"][1].startswith("a: n 2, w 0, y 1; b, c: n 4, w 0, y 2; d: ")


def test_merging_by_gain_ends_with_two_groups():
    assert len(grouped(criterion="gain").tree_.root.children) == 2
    assert len(grouped().tree_.root.children) == 3


def test_one_value_and_the_rest():
    tree = grouped("one_vs_rest").tree_
    table = tree.explain(0, "day")
    assert len(table) == 6
    assert table.loc[table["chosen"], "gain_ratio"].item() == pytest.approx(table["gain_ratio"].max())
    assert [len(group) for group in tree.root.split.groups] == [1, 5]
    assert table["split"].tolist()[:2] == ["day = fog?", "day = haze?"]
    asked = [node.feature for node in tree if not node.is_leaf]
    assert asked == ["day"] * len(asked)
    assert len(asked) > 1  # asked again


def test_a_large_group_is_not_merged_away():
    x = np.repeat(np.array([*"abc"], object), [15, 3, 3])
    y = [*"n" * 10, *"y" * 5, *"nny", *"yyy"]  # a and b are alike
    tree = fit_frame({"x": x}, y, group_values="merge", min_samples_leaf=5).tree_
    assert str(tree.root.split) == "x = a?"
    assert fit_frame({"x": x}, y, group_values="merge").tree_.root.split.groups == (("a", "b"), ("c",))
    assert fit_frame({"x": x}, y, min_samples_leaf=5).tree_.node_count == 1  # only a has enough rows


def test_two_values_are_not_grouped():
    for how in ("merge", "one_vs_rest"):
        for data in (loan, golf):
            X = data.X.loc[:, data.X.nunique() == 2]
            tree = C45Classifier(group_values=how).fit(X, data.y).tree_
            assert tree == C45Classifier().fit(X, data.y).tree_


def test_values_without_rows_have_the_last_branch():
    tree = C45Classifier(group_values="merge").fit(both.X[["color"]], both.y).tree_
    below = tree.root.children[0]
    assert tree.root.split.groups == (("green", "dark"), ("pale",))
    assert below.split.branches == ("green", "dark", "pale")  # asked again
    assert (below.children[2].n, below.children[2].reason) == (0, "empty branch")
    assert tree.explain(below.id)["split_information"].item() == pytest.approx(1)


def test_all_features_count_in_the_average_of_s():
    assert C45Classifier.release8().dialect.many_values == 0.3
    assert C45Classifier.release8(group_values="merge").dialect.many_values is None
    assert C45Classifier.release8(group_values="merge", many_values=0.5).dialect.many_values == 0.5
    assert C45Classifier.j48(group_values="one_vs_rest").dialect.many_values == 0.3


@pytest.mark.parametrize("how", ["merge", "one_vs_rest"])
def test_groups_in_text_rules_pictures_and_code(how):
    estimator = grouped(how)
    tree = estimator.tree_
    assert Tree.from_json(tree.to_json()) == tree
    assert len(str(tree).splitlines()) == tree.node_count
    functions = {}
    exec(tree.to_python(), functions)
    days = sorted(set(DAYS["day"]))
    said = [functions["predict"]({"day": day}) for day in days]
    assert said == estimator.predict(pd.DataFrame({"day": days})).tolist()
    rules = tree.rules()
    assert rules["support"].sum() == 17
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE TABLE days (day TEXT)")
        database.executemany("INSERT INTO days VALUES (?)", [(day,) for day in days])
        answers = database.execute(tree.to_sql("days")).fetchall()
    assert [label for _, label in answers] == said
    picture = tree._repr_mimebundle_()["image/svg+xml"]
    if how == "merge":
        assert ">day?<" in picture
        assert ">fog, haze<" in picture
        assert rules["rule"][1] == "if day in {rain, snow} then n"
        assert str(tree).splitlines()[1] == "├── day in {fog, haze} (n 0, w 6, y 0) → w"
        assert '{"fog": 1, "haze": 1, None: ' in tree.to_python()
        assert "\"day\" IN ('fog', 'haze')" in tree.to_sql()


@pytest.mark.parametrize("how", ["merge", "one_vs_rest"])
def test_missing_values_go_to_all_groups(how):
    X = pd.DataFrame({"day": [*DAYS["day"], None, None]})
    estimator = C45Classifier(group_values=how).fit(X, [*KIND, "n", "y"])
    root = estimator.tree_.root
    shares = np.array([child.n for child in root.children]) / 19
    table = estimator.tree_.explain(0)
    known = table["known"][0]
    assert known == pytest.approx(17 / 19)
    parts = [*(shares * known), 1 - known]
    assert table["split_information"][0] == pytest.approx(-sum(p * np.log2(p) for p in parts))
    assert estimator.predict_proba(X.tail(1)).sum() == pytest.approx(1)


@pytest.mark.parametrize("order", ["top_down", "bottom_up"])
@pytest.mark.parametrize(("saved", "nodes"), [(0.0005, 1), (0.0009, 1), (0.0011, 3), (0.0019, 3), (0.5, 3)])
def test_a_subtree_must_save_a_thousandth_of_a_row(order, saved, nodes):
    """So little weighs the row that a leaf would get wrong."""
    model = C45Classifier(dialect=C45Dialect(collapse=order))
    tree = model.fit(pd.DataFrame({"x": [0.0, 1.0]}), ["a", "b"], sample_weight=[1, saved]).tree_
    assert tree.node_count == nodes
