"""Numbers that ten digits do not tell apart, in every form in which a tree is shown."""

# ruff: noqa: RUF001  (Chinese has its own signs)

import json
import pickle

import numpy as np
import pandas as pd
import pytest

from dtlib import C45Classifier, CARTClassifier, CARTRegressor, ObliqueTreeClassifier, Tree, draw, plain
from dtlib.dialects import C45Dialect, CARTDialect
from dtlib.growing import by_score
from dtlib.homework import worked
from dtlib.messages import use_language
from dtlib.numbers import format_number, say_apart
from dtlib.prune import pessimistic
from dtlib.search.rules import BySurrogates
from dtlib.tree.splits import Hyperplane, Threshold, say_limit
from tests.private import subclass_with

BIG = 1e12 + np.arange(4.0)
DATES = 1.7e12 + 20 * np.arange(4.0)
TINY = 1 + 1e-11 * np.arange(4)
SAID = {
    "big": (BIG, ["1000000000000.5", "1000000000001.5", "1000000000002.5"]),
    "dates": (DATES, ["1700000000010", "1700000000030", "1700000000050"]),
    "tiny": (TINY, ["1.000000000005", "1.000000000015", "1.000000000025"]),
}
STRICT = subclass_with(CARTDialect, strict=True)()


def column(x, name="x"):
    return pd.DataFrame({name: x})


@pytest.mark.parametrize(("x", "numbers"), SAID.values(), ids=SAID)
def test_every_form_says_what_tells_the_thresholds_apart(x, numbers):
    tree = CARTClassifier().fit(column(x), list("abab")).tree_
    asked = [f"x ≤ {number}" for number in numbers]
    rules = "; ".join(tree.rules()["rule"])
    source, picture = tree.to_graphviz().source, draw.tree(tree)
    for condition in asked:
        assert rules.count(condition) == str(tree).count(f"{condition} (") == 1
        assert source.count(f'"{condition}?') == 1
        assert f">{condition}?<" in picture.svg
        assert f", {condition}, leaf" in picture.description
    assert tree.explain(0, "x")["split"].tolist() == [f"{condition}?" for condition in asked]
    assert tree.trace()["split"].tolist()[0] in tree.explain()["split"].tolist()
    assert {node.split.said[1] for node in tree if not node.is_leaf} == {*numbers}
    frame = column(x).assign(y=list("abab"))
    own = plain.grow(frame, ["x"], "y", plain.choose_cart)
    assert plain.rules(own) == tree.rules()["rule"].tolist()
    page = worked(frame, "y", method="cart", depth=None)
    assert f"x, cut at {', '.join(numbers)}:" in str(page)
    assert page.choices["choice"] in [f"x≤{number}" for number in numbers]


def test_a_path_says_the_same():
    model = CARTClassifier().fit(column(BIG), list("abab"))
    path = model.explain(column(BIG[1:2]))
    assert path["condition"].tolist()[1:] == model.tree_[model.apply(column(BIG[1:2]))[0]].path
    assert all("00000000" in condition for condition in path["condition"][1:])


def strict_tree(**options):
    X, y = column([1.0, 3, 5, 7]), [0, 1, 1, 0]
    return CARTClassifier(dialect=STRICT, **options).fit(X, y).tree_


def test_a_strict_question_is_said_so_in_every_form():
    """The threshold is the float next below 2, and 2 takes the other branch."""
    tree = strict_tree()
    assert tree[tree.apply(column([2.0]))[0]].path == ["x ≥ 2", "x < 6"]
    assert tree.rules()["rule"].tolist() == [
        "if x < 2 then 0", "if x ≥ 2 and x < 6 then 1", "if x ≥ 6 then 0",
    ]  # fmt: skip
    assert "├── x < 2 (" in str(tree)
    assert "└── x ≥ 2 (" in str(tree)
    assert '0 [label="x < 2?' in tree.to_graphviz().source
    assert ">x &lt; 2?<" in draw.tree(tree).svg
    assert "asks x < 2" in draw.tree(tree).description
    assert tree.explain(0, "x")["split"].tolist() == ["x < 2?", "x < 4?", "x < 6?"]
    assert tree[2].condition == "x ≥ 2"
    try:
        use_language("zh")
        assert str(tree.root.split) == "x < 2？"
        assert [node.condition for node in tree[0].children] == ["x < 2", "x ≥ 2"]
    finally:
        use_language("en")


def test_names_in_an_order_are_never_strict():
    sizes = pd.Categorical(["S", "M", "L"], ["S", "M", "L"], ordered=True)
    tree = CARTClassifier(dialect=STRICT).fit(column(sizes), [0, 1, 1]).tree_
    assert tree.root.split.conditions == ("x ≤ S", "x > S")


@pytest.mark.parametrize(
    ("x", "said"),
    [
        ([np.nextafter(2, 0), 2], "x < 2?"),
        ([2, np.nextafter(2, 3)], "x ≤ 2?"),
        ([0.3, 0.1 + 0.2], "x ≤ 0.3?"),
        ([np.nextafter(1e12, 0), 1e12], "x < 1e+12?"),
    ],
)
def test_between_floats_that_follow_each_other(x, said):
    assert str(CARTClassifier().fit(column(x), [0, 1]).tree_.root.split) == said


def test_thresholds_of_different_nodes_are_told_apart():
    """Each is far from the values of its node, and the ten digits of both are the same."""
    X = pd.DataFrame({"g": [0, 0, 1, 1], "x": [1, 5 + 1e-10, 2, 4]})
    tree = CARTClassifier().fit(X, list("abcd")).tree_
    assert tree.neighbors is None
    assert [str(node.split) for node in tree][1:3] == ["x ≤ 3.0000000001?", "x ≤ 3?"]


def test_thresholds_that_differ_by_rounding_look_alike():
    """Unless values of the data lie as near: then each is told, by the shorter one of two floats."""
    X = pd.DataFrame({"g": [0, 0, 1, 1], "x": [0.1, 0.7, 0.3, 0.5]})
    tree = CARTClassifier().fit(X, list("abcd")).tree_
    assert tree.threshold[1:3].tolist() == [np.nextafter(0.4, 0), 0.4]
    assert [str(node.split) for node in tree][1:3] == ["x ≤ 0.4?"] * 2
    X["x"] = [np.nextafter(0.4, 0), 0.4, 0.4, np.nextafter(0.4, 1)]
    tree = CARTClassifier().fit(X, list("abcd")).tree_
    assert [str(node.split) for node in tree][1:3] == ["x < 0.4?", "x ≤ 0.4?"]


GROWN = {
    "numbers": CARTClassifier(),
    "strict": CARTClassifier(dialect=STRICT),
    "surrogates": CARTClassifier(missing="surrogate"),
    "C4.5": C45Classifier(min_samples_leaf=1, prune=None),
    "values": C45Classifier(min_samples_leaf=1, prune=None, dialect=C45Dialect(threshold="value")),
    "numbers to predict": CARTRegressor(),
}


@pytest.mark.parametrize("model", GROWN.values(), ids=GROWN)
def test_a_tree_says_the_same_without_its_training_data(model):
    X = pd.DataFrame({"x": np.repeat(DATES, 3), "z": np.tile(TINY, 3)})
    y = np.array([1.0, 0, 1] * 2 + [0, 1, 0] * 2)
    model.fit(X, y if isinstance(model, CARTRegressor) else y.astype(int))
    said = str(model.tree_)
    assert "1700000" in said
    for other in (pickle.loads(pickle.dumps(model)).tree_, Tree.from_json(model.tree_.to_json())):
        assert other.training is None
        assert str(other) == said
    y = y if isinstance(model, CARTRegressor) else y.astype(int)
    assert str(model.set_params(keep_data=False).fit(X, y).tree_) == said


@pytest.mark.parametrize("model", [CARTClassifier(), C45Classifier.j48(), CARTClassifier.sklearn()])
def test_an_ordinary_tree_has_nothing_to_note(model):
    rng = np.random.default_rng(0)
    X = pd.DataFrame(
        {"a": rng.integers(0, 99, 60) / 10, "b": rng.normal(size=60), "c": rng.integers(0, 9, 60)}
    )
    tree = model.fit(X, rng.integers(0, 2, 60)).tree_
    assert tree.neighbors is None
    assert not tree.strict
    assert all(f"{node.split.threshold:.10g}" == node.split.said[1] for node in tree if not node.is_leaf)


@pytest.mark.parametrize(
    ("part", "value", "flaw"),
    [
        ("strict", "yes", "strict is 'yes', wanted True or False"),
        ("neighbors", [[0, 1.0]], "neighbors has shape (1, 2), wanted (1, 4)"),
        ("neighbors", [[0, 1.0, float("inf"), 2.0]], "neighbors holds other values than finite numbers"),
    ],
)
def test_flaws_of_what_is_noted(part, value, flaw):
    data = strict_tree().to_dict() | {part: value}
    with pytest.raises(ValueError, match="data describe no tree: ") as error:
        Tree.from_dict(data)
    assert flaw in str(error.value)


def test_thresholds_are_told_apart_without_the_values_beside_them():
    data = json.loads(CARTClassifier().fit(column(BIG), list("abab")).tree_.to_json())
    assert data["neighbors"]
    asked = [node.split.said[1] for node in Tree.from_dict(data | {"neighbors": None}) if not node.is_leaf]
    assert sorted(asked) == ["1000000000000", "1000000000001.5", "1000000000002.5"]


def test_surrogates_say_numbers_in_the_same_way():
    X = pd.DataFrame({"x": np.repeat([1.0, 2], 4), "z": np.repeat(BIG[:2], 4)})
    model = CARTClassifier(missing=BySurrogates(), dialect=STRICT).fit(X, [0] * 4 + [1] * 4)
    (line,) = model.tree_.surrogates_of(0).to_dict("records")
    assert line["first"] == "z < 1000000000000.5"
    assert model.explain(X.head(1).assign(x=np.nan))["sent_by"].tolist()[1] == "z < 1000000000000.5"


def test_a_branch_that_is_raised_has_other_values_beside_its_threshold():
    """Rows of the other branch come to it, two of them between the threshold and its ten digits."""
    few, many = 2.0, 4 + 2e-11
    X = pd.DataFrame({
        "g": [2, 2, 3, 3, 3, 0, 3, 0, 2, 0, 0, 3, 2],
        "x": [many, many, few, many, many, 3 + 1.5e-11, few, 4, few, few, 3 + 5e-12, many, many],
    })  # fmt: skip
    whole = C45Classifier(prune=None, min_samples_leaf=1).fit(X, [0, 1, 0, 1, 1, 1, 0] + [1] * 6).tree_
    assert str(whole[2].split) == "x ≤ 3?"
    raised = pessimistic(whole)
    assert str(raised.root.split) == "x ≤ 3.00000000001?"
    assert (X["x"] <= 3.00000000001).equals(X["x"] <= raised.threshold[0])


@pytest.mark.parametrize("by_level", [False, True])
def test_both_engines_note_the_same(by_level, monkeypatch):
    if by_level:
        monkeypatch.setattr(by_score.depth_first, "fallback_reason", lambda *_: "told so")
    tree = CARTClassifier().fit(DATES[:, None], [0, 1, 0, 1]).tree_
    line = [0, DATES[0] + 10, DATES[0], DATES[1]]
    assert line in tree.neighbors.tolist()


def test_weighted_sums_have_all_digits_where_ten_send_a_row_elsewhere():
    rng = np.random.default_rng(1)
    X = pd.DataFrame({"a": rng.integers(0, 9, 60) * 1e-11 + 5, "b": rng.integers(0, 9, 60) * 1e-11 + 7})
    y = ((X["a"] - 5) * 3 + (X["b"] - 7) > 13e-11).astype(int)
    tree = ObliqueTreeClassifier(simplify=False).fit(X, y).tree_
    assert tree.is_linear[0]
    split = tree.root.split
    assert split.exact
    assert float(split.conditions[0].rpartition(" ")[2]) == split.threshold
    assert [float(term.split()[-2]) for term in split.terms if " " in term.lstrip("-+ ")]
    assert pickle.loads(pickle.dumps(tree)).root.split.conditions == split.conditions
    assert str(Hyperplane(("a", "b"), (1.0, 1 / 3), 0.1)) == "a + 0.3333333333 b ≤ 0.1?"


@pytest.mark.parametrize(
    ("values", "limit"),
    [
        ([0.6, 0.7, 0.9, 0.95], "0.7"),
        ([0.1, 8886.6, 9e3, 1e4], "8886.6"),
        ([0.1, 0.3, 0.9, 1.0], "0.300000011921"),
    ],
)
def test_what_is_said_of_a_value_misleads_neither_it_nor_its_float32(values, limit):
    """In float32, 0.7 is below 0.7 and 0.3 is above 0.3: what is said is no less than either."""
    tree = C45Classifier.release8(prune=None, min_samples_leaf=1).fit(column(values), list("ppqq")).tree_
    assert [node.condition for node in tree] == ["", f"x ≤ {limit}", f"x > {limit}"]
    assert (tree.apply(column(values)) == np.where(np.array(values) <= float(limit), 1, 2)).all()
    assert str(Tree.from_json(tree.to_json())) == str(tree)


def test_predictions_that_differ_look_different():
    X, y = column([1.0, 2, 3, 4]), [1e12 + 1, 1e12 + 2, 5.0, 5.000001]
    tree = CARTRegressor().fit(X, y).tree_
    ends = [rule.rpartition(" ")[2] for rule in tree.rules()["rule"]]
    assert ends == ["1000000000001", "1000000000002", "5", "5.000001"]
    assert "(n 1, mean 1000000000001) → 1000000000001" in str(tree)
    picture = draw.tree(tree)
    assert ">1000000000002<" in picture.svg
    assert "from 5 to 1000000000002." in picture.description
    own = plain.grow(X.assign(y=y), ["x"], "y", plain.choose_regression)
    assert plain.rules(own) == tree.rules()["rule"].tolist()
    assert str(Tree.from_json(tree.to_json())) == str(tree)


def test_predictions_that_differ_by_rounding_look_alike():
    tree = CARTRegressor().fit(column([1.0, 2, 3]), [0.3, 7, 0.1 + 0.2]).tree_
    assert [node.predicted for node in tree if node.is_leaf] == ["0.3", "7", "0.3"]


def test_weights_of_classes_that_differ_look_different():
    tree = CARTClassifier(max_depth=0).fit([[0], [1]], ["no", "yes"], sample_weight=[1000001, 1000000]).tree_
    assert tree.root.said == "no 1000001, yes 1000000"


def test_numbers_that_are_beside_each_other():
    assert format_number(1e12 + 0.5, 1e12, 1e12 + 1) == "1000000000000.5"
    assert format_number(0.1, 0.1, 0.1) == "0.1"
    assert format_number(1.7976931348623157e308) == "1.79769313486e+308"  # with ten digits, it is infinite
    assert format_number(2.5e300 + 1e285, 2.5e300) == "2.500000000000001e+300"
    assert say_apart([3.0, 1.0, 3.0]) == ["3", "1", "3"]
    assert say_apart([]) == []
    assert say_limit(2.5) == str(Threshold("x", 2.5)).removeprefix("x ").removesuffix("?")
