import copy
import json

import numpy as np
import pandas as pd
import pytest

from dtlib import ID3Classifier, Tree, load_loan, load_watermelon


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


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: d.pop("gain"), r"KeyError\('gain'\)"),
        (lambda d: d["feature"].pop(), r"counts has shape \(14, 2\), wanted \(13, 2\)"),
        (lambda d: d["classes"].append("maybe"), r"counts has shape \(14, 2\), wanted \(14, 3\)"),
        (lambda d: d["gain"].pop(), r"gain has shape \(13,\)"),
        (lambda d: d["feature"].__setitem__(0, 9), "whole numbers from -1 to 5"),
        (lambda d: d["feature"].__setitem__(0, 0.5), "whole numbers from -1 to 5"),
        (lambda d: d["feature"].__setitem__(3, 0), "16 branches, but 13 nodes"),
        (lambda d: d["counts"].__setitem__(4, [0, -5]), "counts holds other values"),
        (lambda d: d["counts"].__setitem__(4, [0, None]), "counts holds other values"),
        (lambda d: d["counts"].__setitem__(4, [1, 5]), "do not add up"),
        (lambda d: d["gain"].__setitem__(0, None), "a gain is not finite"),
        (lambda d: d["reason"].__setitem__(0, "pure"), "an inner node has one"),
        (lambda d: d["reason"].__setitem__(0, "tired"), "data cannot be read"),
        (lambda d: d.update(criterion="chaos"), "criterion is 'chaos'"),
        (lambda d: d.update(classes=["no", "no"]), "names something twice"),
        (lambda d: d["features"][0].update(values=["a", "a", "b"]), "names something twice"),
        (lambda d: d["features"][0].pop("name"), "data cannot be read"),
    ],
)
def test_json_that_describes_no_tree_is_refused(tree, change, words):
    data = tree.to_dict()
    change(data)
    with pytest.raises(ValueError, match=words):
        Tree.from_dict(data)


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
