import copy
import json
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest

from dtlib import CARTClassifier, CARTRegressor, ID3Classifier, ObliqueTreeClassifier, Tree
from dtlib.datasets import load_loan, load_watermelon
from dtlib.messages import catalogue
from dtlib.tree.conditions import say_conditions
from dtlib.tree.edit import collapse
from dtlib.tree.reasons import PURE, REASONS
from dtlib.tree.splits import Subset, Threshold


@pytest.fixture
def tree():
    melons = load_watermelon()
    return ID3Classifier().fit(melons.X, melons.y).tree_


def test_shape(tree):
    assert (tree.node_count, len(tree), tree.n_leaves, tree.max_depth) == (14, 14, 9, 4)
    assert repr(tree) == "<Tree: 14 nodes, 9 leaves, depth 4>"
    assert [node.id for node in tree] == list(range(14))
    with pytest.raises(IndexError, match="0 to 13"):
        tree[14]


def test_every_node_knows_its_place(tree):
    for node in tree:
        assert len(node.path) == node.depth
        for i, child in enumerate(node.children):
            assert child.parent.id == node.id
            assert child.branch == str(node.split.values[i])
            assert child.ancestors == (*node.ancestors, node.id)
        if node.children:
            np.testing.assert_array_equal(sum(child.counts for child in node.children), node.counts)


def test_a_notebook_shows_the_first_levels_of_a_large_tree(tree):
    assert tree._repr_mimebundle_()["text/plain"].startswith("Picture: Tree of depth 4: nodes 14, leaves 9. ")
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.integers(0, 9, (500, 6)), columns=list("abcdef")).astype(str)
    large = ID3Classifier().fit(X, rng.integers(0, 2, 500)).tree_
    assert large.node_count > 500
    assert ", drawn to depth 2." in large._repr_mimebundle_()["text/plain"]


def test_text(tree):
    lines = str(tree).splitlines()
    assert len(lines) == tree.node_count
    assert lines[0] == "root (no 9, yes 8)"
    assert "│   │   └── color = pale (no 0, yes 0) → yes" in lines
    assert lines[-1] == "└── texture = blurry (no 3, yes 0) → no"


def test_rules_exclude_each_other_and_leave_nothing_out(tree):
    melons = load_watermelon()
    rules = tree.rules()
    assert len(rules) == tree.n_leaves
    assert rules["support"].sum() == 17
    conditions = rules["rule"].str.extract("^if (.*) then")[0].str.split(" and (?=[a-z]+ = )")
    holds = pd.DataFrame(
        [[all(row[c.split(" = ")[0]] == c.split(" = ")[1] for c in rule) for rule in conditions]
         for _, row in melons.X.iterrows()]
    )  # fmt: skip
    assert (holds.sum(axis=1) == 1).all()
    assert (holds.sum() == rules["support"]).all()
    assert (rules["class"].to_numpy()[holds.to_numpy().argmax(1)] == melons.y).all()
    assert rules["confidence"].isna().sum() == 1


def test_rules_answer_every_possible_melon_as_the_tree_does(tree):
    X, y = load_watermelon().X, load_watermelon().y
    every = pd.DataFrame(product(*(X[name].unique() for name in X)), columns=X.columns)
    conditions = tree.rules()["rule"].str.extract("^if (.*) then")[0].str.split(" and (?=[a-z]+ = )")
    holds = np.array(
        [np.all([every[c.split(" = ")[0]] == c.split(" = ")[1] for c in rule], axis=0) for rule in conditions]
    )
    assert len(every) == 486
    assert (holds.sum(axis=0) == 1).all()
    said = tree.rules()["class"].to_numpy()[holds.argmax(axis=0)]
    assert (said == ID3Classifier().fit(X, y).predict(every)).all()


def test_a_mixed_leaf_says_its_majority_and_of_equals_the_first_class():
    X = pd.DataFrame({"a": ["u", "u", "u", "v", "v"]})
    tree = ID3Classifier().fit(X, ["yes", "yes", "no", "yes", "no"]).tree_
    rules = tree.rules()
    assert rules["class"].tolist() == ["yes", "no"]
    assert rules["support"].tolist() == [3, 2]
    assert rules["confidence"].tolist() == pytest.approx([2 / 3, 1 / 2])


def test_a_single_leaf_has_one_rule():
    tree = ID3Classifier().fit(pd.DataFrame({"a": ["u"]}), ["yes"]).tree_
    assert tree.rules()["rule"].tolist() == ["if anything then yes"]
    assert str(tree) == "root (yes 1) → yes"


def test_rules_of_numbers(sizes):
    rules = sizes.rules()
    assert rules.columns.tolist() == ["rule", "value", "support", "impurity"]
    assert rules["rule"].tolist() == [
        "if size ≤ S then 10",
        "if size ≤ M and size > S then 20",
        "if size > M and x ≤ 3.5 then 35",
        "if size > M and x > 3.5 then 36",
    ]
    assert rules["value"].tolist() == [10.0, 20.0, 35.0, 36.0]
    assert rules["impurity"].tolist() == [0.0] * 4


def test_rules_say_each_bound_once():
    tree = CARTRegressor().fit(np.arange(1.0, 5)[:, None], [8.0, 4, 2, 1]).tree_
    assert [node.condition for node in tree] == [
        "", "x0 ≤ 1.5", "x0 > 1.5", "x0 ≤ 2.5", "x0 > 2.5", "x0 ≤ 3.5", "x0 > 3.5",
    ]  # fmt: skip
    assert tree.rules()["rule"].tolist() == [
        "if x0 ≤ 1.5 then 8",
        "if x0 > 1.5 and x0 ≤ 2.5 then 4",
        "if x0 > 2.5 and x0 ≤ 3.5 then 2",
        "if x0 > 3.5 then 1",
    ]
    assert tree.trace()["path"].tolist() == [" and ".join(node.path) for node in tree]


def test_rules_say_the_narrowest_group_of_a_categorical_feature():
    X = pd.DataFrame({"c": list("abcd")})
    tree = CARTRegressor().fit(X, [1.0, 2, 4, 8]).tree_
    assert [node.condition for node in tree] == [
        "",
        "c in {a, b, c}",
        "c = d",
        "c in {a, b}",
        "c = c",
        "c = a",
        "c = b",
    ]
    assert tree.rules()["rule"].tolist() == [
        f"if c = {name} then {y}" for name, y in zip("abcd", (1, 2, 4, 8), strict=True)
    ]
    assert tree[3].path == ["c in {a, b}"]


def test_what_no_row_can_fulfil_is_said_whole():
    split = Subset("c", (("a",), ("b",)))
    assert say_conditions([(split, 0), (split, 1), (split, 0)]) == ["c = a", "c = b"]
    cut = Threshold("x", 2)
    assert say_conditions([(cut, 0), (cut, 1)]) == ["x ≤ 2", "x > 2"]
    assert say_conditions([(cut, 0), (Threshold("x", 3), 0)]) == ["x ≤ 2"]
    assert say_conditions([(cut, 0), (replace(cut, threshold=1, is_reversed=True), 1)]) == ["x ≤ 1"]


def test_text_and_trace_of_numbers(sizes):
    lines = str(sizes).splitlines()
    assert lines[:2] == ["root (n 4, mean 25.25)", "├── size ≤ M (n 2, mean 15)"]
    assert lines[-1] == "    └── x > 3.5 (n 1, mean 36) → 36"
    trace = sizes.trace()
    assert trace["split"].tolist()[:4] == ["size ≤ M?", "size ≤ S?", "x ≤ 3.5?", ""]
    assert trace["leaf"].tolist()[3:] == ["10", "20", "35", "36"]
    assert trace["path"][6] == "size > M and x > 3.5"
    assert (trace["gain"] * trace["n"]).sum() == pytest.approx(trace["impurity"][0] * 4)


def test_several_outputs_say_their_names():
    X = pd.DataFrame({"x": [1.0, 2.0]})
    tree = CARTClassifier().fit(X, pd.DataFrame({"a": ["no", "yes"], "b": ["u", "v"]})).tree_
    assert str(tree).splitlines()[0] == "root (a: no 1, yes 1; b: u 1, v 1)"
    assert tree.rules()["rule"][1] == "if x > 1.5 then yes, v"
    assert tree.rules()["class"][1] == ("yes", "v")
    for ask in (lambda: tree.classes, lambda: tree.root.counts):
        with pytest.raises(
            AttributeError, match=r"a tree of several outputs has `outputs` instead.*`summary`"
        ):
            ask()
    numbers = CARTRegressor().fit(X, [1, 2]).tree_
    with pytest.raises(AttributeError, match="a regression tree has `summary` instead"):
        _ = numbers.classes


def test_the_text_of_a_deep_tree_is_indented_so_far_and_then_says_its_depth():
    tree = CARTClassifier().fit(np.arange(60.0)[:, None], np.arange(60) % 2).tree_
    lines = str(tree).splitlines()
    assert len(lines) == 119
    assert max(len(line) - len(line.lstrip("│├└─ ")) for line in lines) == 100
    assert lines[-1].strip() == "└── [59] x0 > 58.5 (0 0, 1 1) → 1"


def test_trace(tree):
    trace = tree.trace()
    assert trace.index.name == "node"
    assert trace["split"].tolist()[:4] == ["texture?", "stem?", "touch?", ""]
    assert trace["reason"].value_counts().to_dict() == {"": 5, "pure": 8, "empty branch": 1}
    assert trace["gain"].round(3).tolist()[:3] == [0.381, 0.458, 0.722]
    assert trace["path"][3] == "texture = blurry"


def test_explain_adds_up(tree):
    for node in tree:
        table = tree.explain(node.id)
        assert table["feature"].tolist() == [f.name for f in tree.features]
        assert table["chosen"].sum() == (not node.is_leaf)
        np.testing.assert_allclose(table["impurity"] + table["gain"], node.impurity, atol=1e-12)
        if not node.is_leaf:
            chosen = table[table["chosen"]].iloc[0]
            assert chosen["gain"] == pytest.approx(tree.gain[node.id])
            assert chosen["feature"] == node.feature
            assert chosen["gain"] >= table["gain"].max() - 1e-12
        else:
            assert set(table["reason"]) <= {"pure", "empty branch"}


def test_explain_uses_the_weights():
    loan = load_loan()
    weight = np.arange(15.0)
    tree = ID3Classifier().fit(loan.X, loan.y, weight).tree_
    assert tree.explain(0)["children"][2] == "no: no 30, yes 27; yes: no 0, yes 48"
    assert tree.root.n == weight.sum()


def test_json_round_trip_is_exact(tree):
    text = tree.to_json()
    again = Tree.from_json(text)
    assert again == tree
    assert again.to_json() == text
    assert str(again) == str(tree)
    assert again.rules().equals(tree.rules())
    assert again.apply(load_watermelon().X).tolist() == tree.apply(load_watermelon().X).tolist()
    assert again != ID3Classifier().fit(load_loan().X, load_loan().y).tree_
    json.loads(text, parse_constant=pytest.fail)


def test_json_keeps_the_types_of_values_and_fractions_of_weights():
    X = pd.DataFrame({"a": pd.Categorical([1, 2, 2]), "b": [True, False, True]})
    tree = ID3Classifier().fit(X, [0, 1, 0], [0.1, 0.2, 0.3]).tree_
    again = Tree.from_json(tree.to_json())
    assert again == tree
    assert again.features[0].values == (1, 2)
    assert again.features[1].values == (False, True)
    assert again.counts.tolist() == tree.counts.tolist()


def test_json_refuses_what_it_cannot_hold():
    X = pd.DataFrame({"a": pd.Categorical([pd.Timestamp("2020-01-01"), pd.Timestamp("2021-01-01")])})
    tree = ID3Classifier().fit(X, ["no", "yes"]).tree_
    with pytest.raises(TypeError, match=r"value of 'a' .* is a Timestamp"):
        tree.to_json()


def test_json_of_another_kind_is_refused(tree):
    with pytest.raises(ValueError, match="format is None"):
        Tree.from_dict({})
    with pytest.raises(ValueError, match=r"format is \[\]"):
        Tree.from_json("[]")


def put(name, place, value):
    """Return a change of one entry of a part."""
    return lambda data: data[name].__setitem__(place, value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: d.pop("gain"), r"KeyError\('gain'\)"),
        (lambda d: d.update(gain=5), "5 is no list"),
        (lambda d: d.update(gain="0.1"), "'0.1' is no list"),
        (lambda d: d["feature"].pop(), r"summary has shape \(14, 2\), wanted \(13, 2\)"),
        (lambda d: d["outputs"][0]["values"].append("maybe"), r"shape \(14, 2\), wanted \(14, 3\)"),
        (lambda d: d["gain"].pop(), r"gain has shape \(13,\)"),
        (lambda d: d["n"].pop(), r"n has shape \(13,\)"),
        (lambda d: d["impurity"].append(0.0), r"impurity has shape \(15,\)"),
        (lambda d: d["threshold"].pop(), r"threshold has shape \(13,\)"),
        (lambda d: d["reason"].pop(), r"reason has shape \(13,\)"),
        (lambda d: d["n_values"].pop(), r"n_values has shape \(13,\)"),
        (lambda d: d["branch"].pop(), r"branch has shape \(12,\), wanted \(13,\)"),
        (lambda d: d["code"].append(0), r"code has shape \(14,\), wanted \(13,\)"),
        (lambda d: d["summary"][0].pop(), "data cannot be read"),
        (put("feature", 0, 9), "feature holds other values than whole numbers from -1 to 5"),
        (put("feature", 0, -2), "feature holds other values than whole numbers from -1 to 5"),
        (put("feature", 0, 0.5), "feature holds other values than whole numbers from -1 to 5"),
        (put("feature", 0, "0"), "feature holds other values than whole numbers from -1 to 5"),
        (put("feature", 3, 0), "n_values is not positive where and only where"),
        (put("feature", 0, -1), "n_values is not positive where and only where"),
        (put("n_values", 0, -3), "n_values is not positive where and only where"),
        (put("n_values", 0, 0.5), "n_values is not positive where and only where"),
        (put("code", 0, 1), "positions of categories, ascending"),
        (put("code", 2, 3), "positions of categories, ascending"),
        (put("code", 0, -1), "code holds other values than whole numbers"),
        (put("branch", 0, -1), "branch holds other values than whole numbers"),
        (put("branch", 0, 0.5), "branch holds other values than whole numbers"),
        (put("branch", 2, 3), "branches of node 0 are not 0, 1"),
        (put("branch", 2, 1), "its questions have 12 branches, but 13 nodes"),
        (lambda d: d["branch"].__setitem__(slice(0, 3), [0, 0, 0]), "branches of node 0 are not 0, 1"),
        (put("threshold", 0, 0.5), "threshold is not finite where and only where"),
        (put("threshold", 5, 0.5), "threshold is not finite where and only where"),
        (put("threshold", 0, "0.5"), "threshold is not finite where and only where"),
        (put("summary", 4, [0, -5]), "summary holds other values than finite numbers, 0 or more"),
        (put("summary", 4, [0, None]), "summary holds other values than finite numbers, 0 or more"),
        (put("summary", 4, [1, 5]), "summary of a node does not add up to its n"),
        (put("summary", 4, [1, 4]), "summary of some children do not add up"),
        (put("n", 4, 6), "n of some children do not add up"),
        (put("n", 4, -5), "n holds other values than finite numbers, 0 or more"),
        (put("gain", 0, None), "gain holds other values than finite numbers"),
        (put("gain", 0, float("nan")), "gain holds other values than finite numbers"),
        (put("gain", 3, 0.5), "a leaf has a gain"),
        (put("impurity", 0, "1"), "impurity holds other values than finite numbers"),
        (put("reason", 0, "pure"), "or an inner node has one"),
        (put("reason", 3, ""), "a leaf has no reason"),
        (put("reason", 0, "tired"), "data cannot be read"),
        (lambda d: d.update(criterion="chaos"), "criterion is 'chaos'"),
        (lambda d: d.update(criterion="squared_error"), "'squared_error' needs outputs that are numeric"),
        (lambda d: d.update(outputs=[]), "needs outputs that are nominal"),
        (lambda d: d["outputs"][0].update(values=[]), "the output 'class' has no class"),
        (lambda d: d["outputs"][0].update(values=["no", "no"]), "names something twice"),
        (lambda d: d["outputs"].append(d["outputs"][0]), "names something twice"),
        (lambda d: d["features"].append(d["features"][0]), "names something twice"),
        (lambda d: d["features"][0].update(values=["a", "a", "b"]), "names something twice"),
        (lambda d: d["features"][0].update(kind="wild"), "the kind of 'color' is 'wild'"),
        (lambda d: d["features"][0].update(kind="numeric"), "'color' is numeric, but categories are listed"),
        (lambda d: d["features"][0].update(values=[["a"], "b", "c"]), "data cannot be read"),
        (lambda d: d["features"][0].update(name=7), "a name is 7, wanted text"),
        (lambda d: d["features"][0].pop("name"), "data cannot be read"),
    ],
)
def test_json_that_describes_no_tree_is_refused(tree, change, words):
    data = tree.to_dict()
    change(data)
    with pytest.raises(ValueError, match=words):
        Tree.from_dict(data)


@pytest.fixture
def sizes():
    """An ordered feature, then a number."""
    order = pd.Categorical(["S", "M", "L", "L"], ["S", "M", "L"], ordered=True)
    X = pd.DataFrame({"size": order, "x": [1.0, 2.0, 3.0, 4.0]})
    return CARTRegressor().fit(X, [10.0, 20.0, 35.0, 36.0]).tree_


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (put("threshold", 0, None), "threshold is not finite where and only where"),
        (put("threshold", 0, float("inf")), "threshold is not finite where and only where"),
        (put("threshold", 0, 2.0), "does not lie between two positions"),
        (put("threshold", 0, -0.5), "does not lie between two positions"),
        (put("summary", 0, [float("inf")]), "summary holds other values than finite numbers;"),
        (put("n", 1, 3), "n of some children do not add up"),
        (lambda d: d.update(n=[0] * 7), "n is 0 at the root"),
        (lambda d: d.update(criterion="gini"), "'gini' needs outputs that are nominal"),
        (lambda d: d["features"][0].update(kind="nominal"), "threshold is not finite where and only where"),
    ],
)
def test_json_of_numbers_that_describes_no_tree_is_refused(sizes, change, words):
    data = sizes.to_dict()
    assert [data["features"][f]["kind"] for f in data["feature"][:3]] == ["ordered"] * 2 + ["numeric"]
    change(data)
    with pytest.raises(ValueError, match=words):
        Tree.from_dict(data)


def test_json_of_a_node_above_itself_is_refused(sizes):
    """As many branches as nodes, but the root is a leaf."""
    data = sizes.to_dict()
    for name in ("feature", "threshold", "gain", "reason"):
        data[name] = data[name][::-1]
    with pytest.raises(ValueError, match="a node is above itself"):
        Tree.from_dict(data)


def test_json_of_no_node_is_refused(sizes):
    arrays = ("feature", "threshold", "n_values", "code", "branch", "n", "impurity", "gain", "reason")
    data = sizes.to_dict() | {name: [] for name in arrays}
    with pytest.raises(ValueError, match=r"summary has shape \(7, 1\), wanted \(0, 1\)"):
        Tree.from_dict(data)


@pytest.mark.parametrize("reason", REASONS[1:])
def test_every_reason_has_a_translation(reason):
    assert reason in catalogue("zh")


def test_a_tree_does_not_change(tree):
    with pytest.raises(ValueError, match="read-only"):
        tree.counts[0] = 0
    assert copy.deepcopy(tree) is tree
    assert copy.copy(tree) is tree
    assert hash(Tree.from_json(tree.to_json())) == hash(tree)
    assert len({*tree, *tree}) == len(tree)


def test_apply_wants_the_columns_of_the_tree(tree):
    with pytest.raises(ValueError, match=r"X lacks the columns \['touch'\]"):
        tree.apply(load_watermelon().X.drop(columns="touch"))


def test_to_graphviz(tree):
    assert tree.to_graphviz().source.startswith("digraph")


def test_a_loaded_tree_says_that_it_cannot_explain(tree):
    with pytest.raises(ValueError, match="no training data"):
        Tree.from_json(tree.to_json()).explain(0)


@pytest.mark.parametrize("weight", [1.0, 0.01, 1000.0])
def test_only_a_node_without_rows_answers_as_its_parent_does(weight):
    melons = load_watermelon()
    tree = ID3Classifier().fit(melons.X, melons.y, sample_weight=np.full(len(melons.y), weight)).tree_
    assert (tree.n == 0).any()
    for node in tree:
        counts = (node if node.n else node.parent).counts
        assert tree.value[node.id] == pytest.approx(counts / counts.sum())
        assert node.prediction == tree.classes[counts.argmax()]


def test_the_first_child_of_a_leaf_is_none():
    melons = load_watermelon()
    tree = ID3Classifier().fit(melons.X, melons.y).tree_
    assert tree.first_child.tolist() == [node.children[0].id if node.children else -1 for node in tree]


def test_importances_are_shares_of_the_decrease_weighted_by_the_rows():
    """Also of weighted sums: the decrease is divided by how far each feature moves the sum."""
    X, y = np.random.default_rng(0).normal(size=(60, 3)), np.arange(60) % 2
    y = (X[:, 0] + X[:, 1] > 0).astype(int) ^ (np.arange(60) % 7 == 0)
    for model in (CARTClassifier(), ObliqueTreeClassifier(random_state=0)):
        tree, wanted = model.fit(X, y).tree_, np.zeros(3)
        for node in range(tree.node_count):
            amount = tree.gain[node] * tree.n[node]
            if tree.normals is not None and tree.normals[node].any():
                reach = np.abs(tree.normals[node]) * np.ptp(X, axis=0)
                wanted += amount * reach / reach.sum()
            elif tree.feature[node] >= 0:
                wanted[tree.feature[node]] += amount
        np.testing.assert_allclose(tree.importances, wanted / wanted.sum(), rtol=1e-9)


def test_the_limit_of_a_threshold_is_the_last_number_that_is_rounded_to_no_more():
    """Of thresholds beyond float32, too, which are rounded to infinity."""
    tree = CARTClassifier.sklearn().fit([[1.0], [2.0]], [0, 1]).tree_
    for threshold in (1.5, 0.1, -0.1, 3e38):
        (limit,) = tree._limit(np.array([threshold]))
        with np.errstate(over="ignore"):
            here, next_one = (float(np.float32(x)) for x in (limit, np.nextafter(limit, np.inf)))
        assert here <= threshold < next_one
    above, below = tree._limit(np.array([1e300, -1e300]))
    assert below <= -np.finfo(np.float32).max < np.finfo(np.float32).max <= above


def test_what_is_cut_off_forgets_what_pruned_it_before():
    pruned = CARTClassifier(ccp_alpha=0.01).fit(np.arange(8.0)[:, None], [0, 0, 1, 0, 1, 1, 0, 1]).tree_
    again = collapse(pruned, np.array([0]), PURE)
    assert pruned.steps is not None or pruned.pruned_from is not None
    assert again.steps is None
    assert again.pruned_from is None
