"""What `explain` says of a candidate, computed again from the rows of the node with plain Python."""

from __future__ import annotations

import math
import re
from functools import cache

import numpy as np
import pandas as pd
import pytest

from dtlib import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier
from dtlib.counting.criteria import CRITERIA
from dtlib.datasets import load_loan, load_watermelon
from dtlib.telling.explain import amount_of, at_rows
from tests.criteria import criteria_of

MEASURES = criteria_of(CARTClassifier, CARTRegressor)


@cache
def frame() -> pd.DataFrame:
    """Make features of each kind, with equal numbers and a name that some nodes lack."""
    rng = np.random.default_rng(5)
    n = 24
    return pd.DataFrame(
        {
            "x": rng.integers(0, 6, n) / 4,
            "size": pd.Categorical(rng.choice(list("SML"), n), list("SML"), ordered=True),
            "color": rng.choice(["red", "green", "blue"], n),
            "wet": rng.choice(["no", "yes"], n),
        }
    )


def answers(criterion: str) -> pd.Series:
    """Return classes, or numbers, that depend on the features but not only on them."""
    X, rng = frame(), np.random.default_rng(1)
    score = X["x"] + (X["color"] == "red") + rng.normal(size=len(X)).round(1)
    if criterion == "poisson":
        return (score.clip(0) * 3).round()
    is_class = CRITERIA[criterion].of_classes
    return pd.cut(score, [-9, 0.7, 1.6, 9], labels=["a", "b", "c"]) if is_class else score


@cache
def grown(name: str):
    """Grow a tree, and return it with its rows, their answers and their weights."""
    criterion, *how = name.split()
    X, y, w = frame(), answers(criterion), np.ones(len(frame()))
    make = CARTClassifier if CRITERIA[criterion].of_classes else CARTRegressor
    options = {"criterion": criterion, "max_depth": 2}
    if "weights" in how:
        w = np.random.default_rng(2).integers(1, 4, len(X)) / 2
    if "rest" in how:
        options["nominal"] = "one_vs_rest"
    if "ways" in how:
        make, options, X = ID3Classifier, {}, X[["size", "color", "wet"]].astype(str)
    if "gaps" in how:
        X = X.mask(np.random.default_rng(3).random(X.shape) < 0.15)
        options["missing"] = "stay"
    if "two" in how:
        y = pd.DataFrame({"one": y, "two": y[::-1].to_numpy()})
    given = {"sample_weight": w} if "weights" in how else {}
    return make(**options).fit(X, y, **given).tree_, X, y, w


NAMES = [
    *MEASURES, *(f"{criterion} weights" for criterion in MEASURES), "gini rest", "entropy ways",
    "gini gaps", "entropy gaps weights", "squared_error gaps", "absolute_error gaps", "gini two",
    "squared_error two",
]  # fmt: skip


def impurity(criterion: str, y, w) -> float:
    """Return the impurity of some answers, of several outputs their mean."""
    if isinstance(y, pd.DataFrame):
        return sum(impurity(criterion, y[name], w) for name in y) / y.shape[1]
    y, total = list(y), sum(w)
    if CRITERIA[criterion].of_classes:
        p = [sum(b for a, b in zip(y, w, strict=True) if a == k) / total for k in {*y}]
        gini, entropy = 1 - sum(x * x for x in p), -sum(x * math.log2(x) for x in p)
        return {"gini": gini, "entropy": entropy, "misclassification": 1 - max(p)}[criterion]
    if criterion == "absolute_error":  # the least over all values, so that no median is needed
        return min(sum(b * abs(a - m) for a, b in zip(y, w, strict=True)) for m in y) / total
    mean = sum(a * b for a, b in zip(y, w, strict=True)) / total
    if criterion == "poisson":
        return sum(b * (a * math.log(a / mean) if a else 0.0) for a, b in zip(y, w, strict=True)) / total
    return sum(b * (a - mean) ** 2 for a, b in zip(y, w, strict=True)) / total


def sides(split: str, column: pd.Series) -> pd.Series:
    """Return the answer of each row to a question, as it is written."""
    question = split.removesuffix("?")
    if (found := re.fullmatch(r"(\w+) ≤ (.+)", question)) and column.dtype.kind == "f":
        return column <= float(found[2])
    if found := re.fullmatch(r"(\w+) ≤ (.+)", question):
        return column.cat.codes <= list(column.cat.categories).index(found[2])
    if found := re.fullmatch(r"(\w+) in \{(.*)\}", question):
        return column.isin(found[2].split(", "))
    if found := re.fullmatch(r"(\w+) = (.*)", question):
        return column == found[2]
    return column


def at_node(tree, X: pd.DataFrame, node: int) -> np.ndarray:
    """Return which rows come to a node: those that end there or below."""
    return np.array([node == i or node in tree[i].ancestors for i in tree.apply(X).tolist()])


def some_nodes(tree) -> list:
    """Return the root, a node below it and the last leaf."""
    return [tree[0], tree[1], tree[tree.node_count - 1]]


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_the_measures_of_each_candidate_are_those_of_its_rows(name: str) -> None:
    tree, X, y, w = grown(name)
    told = 0
    for node in some_nodes(tree):
        here = at_node(tree, X, node.id)
        for table in [tree.explain(node.id), *(tree.explain(node.id, f) for f in X)]:
            for line in table.to_dict("records"):
                known = here & X[line["feature"]].notna().to_numpy()
                share = w[known].sum() / w[here].sum()
                assert line.get("known", 1.0) == pytest.approx(share)
                if not line["split"]:
                    continue
                answer = sides(line["split"], X[line["feature"]])
                parts = [known & (answer == a).to_numpy() for a in set(answer[known])]
                weights = [w[part].sum() for part in parts]
                shares = [n / sum(weights) for n in weights]
                left = sum(
                    p * impurity(tree.criterion, y[part], w[part])
                    for p, part in zip(shares, parts, strict=True)
                )
                gain = impurity(tree.criterion, y[known], w[known]) - left
                bits = -sum(p * math.log2(p) for p in shares)
                assert line["impurity"] == pytest.approx(left, abs=1e-9)
                assert line["gain"] == pytest.approx(gain * share, abs=1e-9)
                assert line["split_information"] == pytest.approx(bits, abs=1e-9)
                if len(parts) > 1:
                    assert line["gain_ratio"] == pytest.approx(gain / bits * share, abs=1e-9)
                told += 1
                if "two" not in name:
                    branches = [part.rpartition(": ")[2] for part in line["children"].split("; ")]
                    found = [[float(n) for n in re.findall(r" (-?[\d.]+)", f" {part}")] for part in branches]
                    labels = [*y.cat.categories] if tree.is_classifier else []
                    wanted = [
                        [w[part & (y == k)].sum() for k in labels] if labels else [w[part].sum()]
                        for part in parts
                    ]
                    own = [numbers if labels else numbers[:1] for numbers in found]
                    if "≤" in line["split"]:  # yes, then no
                        assert w[known & answer.to_numpy()].sum() == pytest.approx(
                            sum(found[0]) if labels else found[0][0]
                        )
                    assert sorted(n for n in own if any(n)) == [pytest.approx(n) for n in sorted(wanted)]
    assert told > 8


def test_each_feature_of_a_c45_tree_is_told_with_the_weights_of_its_branches() -> None:
    loan, w = load_loan(), np.random.default_rng(2).integers(1, 4, 15) / 4
    table = C45Classifier().fit(loan.X, loan.y, sample_weight=w).tree_.explain(0).set_index("feature")
    for f in loan.X:
        tree = C45Classifier(max_depth=1).fit(loan.X[[f]], loan.y, sample_weight=w).tree_
        told = [f"{c.branch}: {tree._format_summary(tree.summary[c.id], c.n)}" for c in tree.root.children]
        assert table.loc[f, "children"] == "; ".join(told)
        by_hand = [
            [w[(loan.X[f] == v) & (loan.y == k)].sum() for k in ("no", "yes")]
            for v in loan.X[f].cat.categories
        ]
        assert tree.summary[1:].tolist() == by_hand


def test_no_rows_amount_to_nothing_and_no_mean() -> None:
    tree, *_ = grown("squared_error two")
    amount = amount_of(tree, at_rows(tree.grown_from, np.empty(0, int)))
    assert (amount.n, amount.impurity) == (0, 0)
    assert np.isnan(amount.summary).tolist() == [True, True]


@pytest.mark.parametrize("name", ["gini", "gini rest", "gini gaps", "entropy ways", "squared_error"])
def test_a_feature_lists_every_question_once_and_its_best_stands_for_it(name: str) -> None:
    tree, X, _, _ = grown(name)
    for node in some_nodes(tree):
        here = at_node(tree, X, node.id)
        best = tree.explain(node.id).set_index("feature")
        assert best.index.tolist() == list(X)
        assert best["chosen"].sum() == (not node.is_leaf)
        for f in X:
            column = X[f][here].dropna()
            V, values = column.nunique(), X[f].nunique()
            listed = tree.explain(node.id, f)
            if "ways" in name:
                wanted = 1
            elif f in ("x", "size"):
                wanted = max(V - 1, 0)
            elif "rest" in name:
                wanted = 0 if V < 2 else 1 if V == values == 2 else V
            else:
                wanted = 2 ** (V - 1) - 1 if V else 0
            assert len(listed) == wanted
            assert listed["split"].is_unique
            assert listed["chosen"].sum() == (node.feature == f)
            if len(listed) and best.loc[f, "split"] and node.reason != "pure":
                assert best.loc[f, "gain"] == pytest.approx(listed["gain"].max(), abs=1e-9)
                assert best.loc[f, "split"] in set(listed["split"])


@pytest.mark.parametrize("name", ["gini", "squared_error", "entropy gaps weights", "entropy ways"])
def test_a_trace_has_the_candidates_of_all_nodes_in_their_order(name: str) -> None:
    tree, *_ = grown(name)
    trace = tree.trace(candidates=True)
    assert trace.index.name == "node"
    assert trace.index.unique().tolist() == list(range(tree.node_count))
    for node in tree:
        lines, table = trace.loc[[node.id]], tree.explain(node.id)
        assert lines["feature"].tolist() == table["feature"].tolist()
        assert (lines["role"] == "split").tolist() == table["chosen"].tolist()
        assert set(lines["role"]) <= {"split", "competitor"}
        assert set(lines["n"]) == {node.n}
        assert set(lines["path"]) == {" and ".join(node.path)}
        assert lines["reason"].tolist() == table["reason"].tolist()
        assert [*lines.columns[:3]] == ["path", "n", "role"]
        assert not {"chosen", "children"} & set(lines)


def test_surrogates_follow_the_candidates_of_their_node() -> None:
    X = frame().assign(x=frame()["x"].mask(np.arange(24) % 5 == 0))
    tree = CARTClassifier(missing="surrogate", max_depth=2).fit(X, answers("gini")).tree_
    trace = tree.trace(candidates=True)
    for node in tree:
        found = tree.surrogates_of(node.id)
        lines = trace.loc[[node.id]].query("role == 'surrogate'")
        assert lines["split"].tolist() == found["split"].tolist()
        assert lines["agreement"].tolist() == found["agreement"].tolist()
        assert set(trace.loc[[node.id], "role"].tail(len(found))) <= {"surrogate"}
    assert (trace["role"] == "surrogate").any()


@pytest.mark.parametrize(
    ("estimator", "features", "node", "wanted"),
    [
        (ID3Classifier(min_gain=2.0), ["age"], 0, ["gain below min_gain"]),
        (ID3Classifier(), ["owns_house", "has_job"], 1, ["asked above", "largest gain"]),
        (CARTClassifier(min_samples_leaf=8), ["has_job"], 0, ["no split leaves min_samples_leaf"]),
        (
            CARTClassifier(min_samples_leaf=2),
            ["owns_house", "has_job"],
            1,
            ["no split leaves min_samples_leaf", "largest gain"],
        ),
        (CARTClassifier.sklearn(min_samples_leaf=2), ["owns_house"], 0, ["largest gain"]),
        (CARTClassifier.sklearn(min_samples_leaf=2), ["owns_house"], 1, ["no split leaves min_samples_leaf"]),
        (CARTClassifier.sklearn(min_samples_leaf=1), ["owns_house"], 1, ["one value only"]),
        (CARTClassifier(max_depth=1), ["owns_house", "has_job"], 1, ["one value only", "max_depth reached"]),
        (CARTClassifier(max_depth=1), ["owns_house", "has_job"], 2, ["pure", "pure"]),
    ],
)
def test_reasons_of_small_trees(estimator, features, node, wanted) -> None:
    loan = load_loan()
    tree = estimator.fit(loan.X[features], loan.y).tree_
    assert tree.explain(node)["reason"].tolist() == wanted


def test_more_names_than_are_listed_are_refused_by_their_number() -> None:
    for V, wanted in ((10, 2**9 - 1), (11, None)):  # both sides of the limit
        X = pd.DataFrame({"name": [chr(97 + k) for k in range(V)] * 2})
        tree = CARTClassifier(max_depth=1).fit(X, ["no", "yes"] * V).tree_
        if wanted:
            assert len(tree.explain(0, "name")) == wanted
            continue
        with pytest.raises(ValueError, match="feature 'name' has 11 values here; the groups of up to 10"):
            tree.explain(0, "name")


def test_a_pure_node_has_no_question_about_any_feature() -> None:
    loan = load_loan()
    tree = CARTClassifier(max_depth=1).fit(loan.X, loan.y).tree_
    (leaf,) = (node for node in tree if node.reason == "pure")
    table = tree.explain(leaf.id)
    assert set(table["split"]) == set(table["children"]) == {""}
    assert table[["impurity", "gain", "split_information", "gain_ratio"]].isna().all(axis=None)


def test_a_pure_node_of_which_nothing_is_known_has_no_question() -> None:
    """No feature is left that could be searched."""
    tree = CARTClassifier(missing="stay").fit(pd.DataFrame({"x": [np.nan, np.nan]}), ["no", "no"]).tree_
    table = tree.explain(0)
    assert table[["feature", "split", "known", "reason"]].values.tolist() == [["x", "", 0.0, "pure"]]


@pytest.mark.parametrize("name", ["gini", "squared_error", "gini gaps"])
def test_the_path_of_a_row_says_of_each_node_what_the_node_says(name: str) -> None:
    tree, X, y, _ = grown(name)
    model = (CARTClassifier if tree.is_classifier else CARTRegressor)(max_depth=2)
    model.set_params(missing=tree.missing, criterion=tree.criterion).fit(X, y)
    path = model.explain(X.iloc[:1])
    amount = "counts" if tree.is_classifier else "summary"
    last = ["weight", "sent_by"] if "gaps" in name else []
    assert path.columns.tolist() == ["node", "condition", amount, "split", "prediction", *last]
    nodes = [model.tree_[i] for i in path["node"]]
    assert path["node"].iloc[0] == 0
    assert path["node"].iloc[-1] == model.apply(X.iloc[:1])[0]
    assert path["condition"].tolist() == [node.condition for node in nodes]
    assert path[amount].tolist() == [node.said for node in nodes]
    assert path["split"].tolist() == ["" if node.is_leaf else str(node.split) for node in nodes]
    assert path["prediction"].tolist() == [node.prediction for node in nodes]


def test_where_no_feature_can_be_asked_there_is_no_average_gain() -> None:
    X = pd.DataFrame({"a": ["u", "u", "v", "v"], "one": ["same"] * 4})
    for y, leaves in ((["n", "n", "y", "y"], (1, 2)), (["n", "y", "n", "y"], ())):
        tree = C45Classifier(prune=None).fit(X, y).tree_
        assert tree.explain(0)["average_gain"].tolist() == [float(bool(leaves))] * 2
        assert all(tree.explain(leaf)["average_gain"].isna().all() for leaf in leaves)
    tree = C45Classifier(prune=None).fit(X[["one"]], ["n", "y", "n", "y"]).tree_
    assert tree.explain(0)["average_gain"].isna().all()


def test_what_gains_nothing_gains_exactly_nothing() -> None:
    X = pd.DataFrame({"x": [0.0, 1.0] * 9, "z": np.arange(18) // 2 % 3 * 1.0})
    for scale in (0.1, 1e-7, 1e9):
        y = pd.DataFrame({"y": np.repeat(np.arange(9) * scale, 2), "more": np.repeat(np.arange(9) / 7, 2)})
        for given in (y, y["y"]):
            table = CARTRegressor().fit(X, given).tree_.explain(0).set_index("feature")
            assert table["gain"]["x"] == 0 < table["gain"]["z"]


def test_a_feature_that_the_tree_lacks_is_named() -> None:
    melons = load_watermelon()
    with pytest.raises(ValueError, match="feature is 'weight'; the tree has"):
        ID3Classifier().fit(melons.X, melons.y).tree_.explain(0, "weight")


def test_of_equal_questions_the_later_split_and_the_later_column_are_told_apart() -> None:
    X = pd.DataFrame({"x": [1.0, 2, 3, 4], "z": [1.0, 2, 3, 4]})
    tree = CARTClassifier(max_depth=1).fit(X, ["a", "b", "b", "a"]).tree_
    wanted = ["largest gain", "smaller gain", "equal gain, but a later split"]
    assert tree.explain(0, "x")["reason"].tolist() == wanted
    later = "equal gain, but a later column"
    assert tree.explain(0, "z")["reason"].tolist() == [later, "smaller gain", later]


def test_only_what_is_deeper_than_24_levels_says_its_level() -> None:
    n = 28
    X, y = pd.DataFrame({"x": np.arange(n)}), [10.0**k for k in range(n)]  # each split parts off the last row
    lines = str(CARTRegressor().fit(X, y).tree_).splitlines()
    levels = [int(found[1]) for line in lines if (found := re.search(r"\[(\d+)\]", line))]
    assert sorted(levels) == [25, 25, 26, 26, 27, 27]
    depths = [len(line) - len(line.lstrip(" │├└─")) for line in lines]
    assert max(depths) == 4 * 25  # what is deeper is indented no further
