"""What a tree shows, read back as conditions on numbers, sends every training row where the tree does.

The numbers of a table are huge, tiny, nearly equal, negative, whole, dates, or neighbors among the floats.
Rows without a missing value and of some weight count: conditions alone do not say where the others go.
"""

import operator
import pickle
import re
from collections import Counter, defaultdict
from html import unescape
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier

from dtlib import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ObliqueTreeClassifier,
    OptimalTreeClassifier,
    Tree,
    draw,
)
from dtlib.dialects import CARTDialect
from dtlib.growing import by_score
from dtlib.numbers import format_number, say_apart
from dtlib.out_of_core import grow_from
from dtlib.out_of_core.batches import Batches
from dtlib.tree.digits import SAME_BUT_FOR_ROUNDING
from dtlib.tree.node import surrogate_split
from dtlib.tree.splits import Threshold
from tests.drawn import examples
from tests.private import subclass_with

SIZES = ("S", "M", "L", "XL")
SPREADS = {
    "huge": lambda rng, n: 10.0 ** rng.choice([12, 15, 30]) * (1 + rng.integers(0, 9, n) * 1e-13),
    "tiny": lambda rng, n: rng.choice([5e-324, 1e-310, 1e-12]) * rng.integers(0, 9, n),
    "near": lambda rng, n: 1 + rng.integers(0, 9, n) * rng.choice([1e-11, 1e-10, 3e-10, 2.0**-30]),
    "floats": lambda rng, n: 2 + rng.integers(-4, 5, n) * 2.0**-52,
    "mixed": lambda rng, n: rng.choice([1, 2, 3, 4], n) + rng.choice([0, 1e-11, 1e-10, 0.5], n),
    "negative": lambda rng, n: -1e9 - rng.integers(0, 9, n) / 8,
    "whole": lambda rng, n: rng.integers(-9, 10, n).astype(float),
    "seconds": lambda rng, n: 1.7e9 + rng.integers(0, 30, n),
    "milliseconds": lambda rng, n: 1.7e12 + 20.0 * rng.integers(0, 30, n),
    "any": lambda rng, n: rng.normal(size=n),
    "tenths": lambda rng, n: rng.integers(0, 30, n) / 10,
}
STRICT = subclass_with(CARTDialect, strict=True)()
STRICT_SKLEARN = type(STRICT)(**CARTClassifier.sklearn().dialect.get_params())
CLASSIFIERS = [
    CARTClassifier(),
    CARTClassifier(criterion="entropy", max_leaf_nodes=5),
    CARTClassifier(dialect=STRICT),
    CARTClassifier(ccp_alpha=0.02),
    CARTClassifier(missing="majority"),
    CARTClassifier(missing="surrogate"),
    CARTClassifier.sklearn(),
    CARTClassifier.rpart(min_samples_split=2, cp=0),
    CARTClassifier(**CARTClassifier.sklearn().get_params(deep=False) | {"dialect": STRICT_SKLEARN}),
    C45Classifier(),
    C45Classifier(prune=None),
    C45Classifier.release8(),
    C45Classifier.j48(),
]
REGRESSORS = [
    CARTRegressor(),
    CARTRegressor(criterion="absolute_error"),
    CARTRegressor.rpart(min_samples_split=2, cp=0),
    CARTRegressor.sklearn(),
]
COMPARE = {"≤": operator.le, "<": operator.lt, ">": operator.gt, "≥": operator.ge}
CONDITION = re.compile(r"(?P<asked>.+?) (?P<sign>[≤<>≥=]|in) (?P<bound>.+)")
TERM = re.compile(r"(?P<sign>[-+]?) ?(?P<size>[\d.]\S* )?(?P<name>x\d)")
SIDE = {"≤": "below", "<": "below", ">": "above", "≥": "above"}


@st.composite
def tables(draw, names=True, most=3):
    """Return a table of numbers, maybe with names, and a target of classes and one of numbers."""
    rng, n = np.random.default_rng(draw(st.integers(0, 2**32))), draw(st.sampled_from([4, 9, 20, 40]))
    kinds = draw(st.lists(st.sampled_from(list(SPREADS)), min_size=1, max_size=most))
    X = pd.DataFrame({f"x{f}": SPREADS[kind](rng, n) for f, kind in enumerate(kinds)})
    if names and draw(st.booleans()):
        sizes = pd.Categorical(rng.choice(SIZES, n), SIZES, ordered=True)
        X = X.assign(size=sizes, color=pd.Categorical(rng.choice(["red", "green", "blue"], n)))
    step = X["x0"].rank().to_numpy() // draw(st.sampled_from([1, 2, 5]))  # so that some are asked one by one
    y = np.where(rng.random(n) < draw(st.sampled_from([0, 0.2])), rng.integers(0, 3, n), step % 2)
    y[:2] = 0, 1
    return X, y.astype(int), rng.choice([1e12, 1.0]) + rng.integers(0, 5, n)


def route_missing(X, rng):
    """Return a table with some missing values."""
    return X.where(rng.random(X.shape) > 0.1)


def columns_of(X, single):
    """Return the columns of a table, numbers as the tree reads them."""
    found = {name: np.array(column.tolist()) for name, column in X.items()}
    return {
        name: x.astype(np.float32).astype(float) if single and x.dtype == float else x
        for name, x in found.items()
    }


def sides(condition, columns):
    """Return which rows fulfil a condition; of one after "not", which do not."""
    if condition.startswith("not "):
        return ~sides(condition.removeprefix("not "), columns)
    if condition.endswith((" is known", " is missing")):
        return ~pd.isna(columns[condition.rpartition(" is ")[0]]) ^ condition.endswith("missing")
    condition = condition.replace(" (or missing)", "")  # where it is asked, no value is missing
    asked, sign, bound = CONDITION.fullmatch(condition).group("asked", "sign", "bound")
    if sign in ("=", "in"):
        return np.isin(columns[asked], bound.strip("{}").split(", "))
    if asked == "size":
        return COMPARE[sign](np.array([SIZES.index(x) for x in columns["size"]]), SIZES.index(bound))
    total = 0.0
    for term in TERM.finditer(asked):
        size = float(term["size"] or 1) * (-1 if term["sign"] == "-" else 1)
        total = total + size * columns[term["name"]]
    return COMPARE[sign](total, float(bound))


def sent_by(paths, columns, n):
    """Return the place of the path of which each row fulfils all conditions; there must be one."""
    known = {c: sides(c, columns) for path in paths for c in path}
    fulfilled = np.array([np.all([np.ones(n, bool), *(known[c] for c in path)], axis=0) for path in paths])
    assert (fulfilled.sum(0) == 1).all()
    return fulfilled.argmax(0)


def rules_of(tree):
    """Return the conditions of each leaf, as the rules say them."""
    ifs = (rule.removeprefix("if ").rpartition(" then ")[0] for rule in tree.rules()["rule"])
    return [[] if conditions == "anything" else conditions.split(" and ") for conditions in ifs]


def outline_of(tree):
    """Return the same as the outline says them."""
    found, above = [], []
    for line in str(tree).splitlines():
        depth, words = len(re.match(r"[│├└─ ]*", line)[0]) // 4, line.lstrip("│├└─ ")
        if deep := re.match(r"\[(\d+)\] ", words):
            depth, words = int(deep[1]), words[deep.end() :]
        above[depth:] = [re.sub(r" \([^()]*\)( → .*)?$", "", words)]
        if "→" in words:
            found.append(above[1:])
    return found


def graph_of(tree):
    """Return the same as Graphviz is told them: a question in each node, an answer at each edge."""
    source = tree.to_graphviz().source
    label = {
        int(i): words.split("\\n")[0] for i, words in re.findall(r'^\t(\d+) \[label="(.*?)"', source, re.M)
    }
    edges = re.findall(r'^\t(\d+) -> (\d+) \[label="?(.*?)"?\]', source, re.M)
    above = {int(below): (int(node), answer) for node, below, answer in edges}

    def condition(node, answer):
        question = label[node].removesuffix("?")
        if answer == "yes":
            return question
        if answer == "no":
            return f"not {question}"
        if answer in ("known", "missing"):
            return f"{tree[node].feature} is {answer}"
        return f"{tree[node].feature} in {{{answer}}}"

    def path(node):
        return [*path(above[node][0]), condition(*above[node])] if node in above else []

    return [path(leaf.id) for leaf in tree.preorder() if leaf.is_leaf]


def picture_of(tree):
    """Return the conditions of each leaf, as the description of the picture says them."""
    words = unescape(draw.tree(tree).description)
    found = re.findall(r"Node (\d+)(?:, (.*?),)? (?:asks|leaf)", words)
    said = {int(node): condition for node, condition in found}
    leaves = [leaf for leaf in tree.preorder() if leaf.is_leaf]
    return [[said[i] for i in (*leaf.ancestors, leaf.id) if i] for leaf in leaves]


def bounded(condition):
    """Return what a condition bounds, and on which side; of whether a value is known, what it says."""
    if condition.endswith((" is known", " is missing")):
        return tuple(condition.split(" is "))
    found = CONDITION.fullmatch(condition)
    return found["asked"], SIDE.get(found["sign"])


def check_rows(tree, X):
    """Require that what is said sends the rows where the tree does."""
    leaves, columns = [leaf for leaf in tree.preorder() if leaf.is_leaf], columns_of(X, tree.single)
    where, numbers = tree.apply(X).tolist(), np.array([leaf.id for leaf in leaves])
    assert {*where} <= {*numbers}
    ways = [rules_of(tree), outline_of(tree), picture_of(tree)]
    if not tree.is_linear.any():  # of long sums, it says the first terms
        ways.append(graph_of(tree))
    for paths in ways:
        assert numbers[sent_by(paths, columns, len(X))].tolist() == where
    assert [leaf.path for leaf in leaves] == ways[0]
    for path in ways[0]:
        bounds = [bounded(condition) for condition in path]
        assert len({*bounds}) == len(bounds), path


def asked_of_numbers(tree):
    """Return the questions about numbers, those of surrogates included."""
    splits = [node.split for node in tree]
    if tree.surrogates is not None:
        splits += [surrogate_split(tree, place) for place in range(len(tree.surrogates.node))]
    return [split for split in splits if isinstance(split, Threshold) and not split.values]


def check_thresholds(tree):
    """Require that different thresholds of a feature are said differently, and in their order.

    Those are not that differ by rounding alone, if no value of the training data is as near.
    """
    of = {}
    noted = set() if tree.neighbors is None else set(tree.neighbors[:, 1])
    for split in asked_of_numbers(tree):
        assert of.setdefault((split.feature, split.threshold), split.said) == split.said
    for (one, said), (other, also) in pairwise(sorted(of.items())):
        if one[0] != other[0] or float(said[1]) < float(also[1]) or (said[0], also[0]) == ("<", "≤"):
            continue
        assert said == also
        assert other[1] - one[1] <= SAME_BUT_FOR_ROUNDING * abs(other[1])
        assert noted.isdisjoint({one[1], other[1]})


def check_kept(tree):
    """Require that the tree says the same after it was stored."""
    for other in (pickle.loads(pickle.dumps(tree)), Tree.from_json(tree.to_json())):
        assert str(other) == str(tree)


def check_explained(tree, X):
    """Require that the cuts listed at a node part its rows as counted, and that the tree's own is there."""
    node = next((node for node in tree if isinstance(node.split, Threshold) and not node.split.values), None)
    if node is None:
        return
    listed = tree.explain(node.id, node.feature)
    assert listed["split"].is_unique
    assert listed.loc[listed["chosen"], "split"].tolist() in ([str(node.split)], [])
    if tree.is_classifier and X.notna().all(axis=None):
        there = np.flatnonzero(tree.decision_path(X)[:, [node.id]].toarray().ravel())
        columns = columns_of(X.iloc[there], tree.single)
        for split, children in zip(listed["split"], listed["children"], strict=True):
            first = sides(split.removesuffix("?"), columns)
            assert first.sum() == pytest.approx(weight_of(children.split(";")[0])), split


def meant_by(split, tree):
    """Return the number that a question means."""
    return np.nextafter(split.threshold, np.inf) if tree.strict else split.threshold


def check_short(tree, X):
    """Require ten digits where they tell a threshold from the others and from the values beside it."""
    paths, asked = tree.decision_path(X).toarray().astype(bool), defaultdict(set)
    nodes = [node for node in tree if isinstance(node.split, Threshold) and not node.split.values]
    splits = asked_of_numbers(tree)
    for split in splits:
        asked[split.feature, f"{meant_by(split, tree):.10g}"].add(split.threshold)
    columns, times = columns_of(X, tree.single), Counter((split.feature, split.threshold) for split in splits)
    for node in nodes:
        split, x = node.split, columns[node.feature][paths[:, node.id]]
        meant = meant_by(split, tree)
        ten, low, high = f"{meant:.10g}", x[x <= split.threshold].max(), x[x > split.threshold].min()
        is_alone = times[split.feature, split.threshold] == len(asked[node.feature, ten]) == 1
        if is_alone and (low < float(ten) < high or float(ten) == meant):
            assert split.said == ("<" if tree.strict else "≤", ten)


def weight_of(said):
    """Return the weight that a branch has, as `explain` says it."""
    return sum(float(count) for count in re.findall(r"\d (\S+?)(?:,|$)", said.partition(": ")[2]))


def all_is_said(tree, X, weight=None):
    """Check all of it, for the rows that count."""
    rows = X.notna().all(axis=1).to_numpy() & (np.ones(len(X)) if weight is None else weight > 0).astype(bool)
    check_thresholds(tree)
    check_kept(tree)
    if rows.any():
        check_rows(tree, X[rows])


TASKS = tables(), st.sampled_from([*CLASSIFIERS, *REGRESSORS]), st.integers(0, 9), st.booleans()


def check_a_fit(table, model, seed, weighted):
    """Grow a tree, maybe with weights or missing values, and check all that it says."""
    (X, y, z), rng = table, np.random.default_rng(seed)
    has_missing_values = model.missing != "error" and seed % 2 == 1
    X = route_missing(X, rng) if has_missing_values else X
    weight = np.append([1.0, 1.0], rng.choice([0.0, 1.0, 2.5], len(X) - 2)) if weighted else None
    target = z if isinstance(model, CARTRegressor) else y
    tree = clone(model).fit(X, target, sample_weight=weight).tree_
    all_is_said(tree, X, weight)
    if weight is None:
        check_explained(tree, X)
        if not has_missing_values and isinstance(model, CARTClassifier | CARTRegressor):
            check_short(tree, X)
    kept = clone(model).set_params(keep_data=False).fit(X, target, sample_weight=weight).tree_
    assert str(kept) == str(tree)


@examples(40)
@given(*TASKS)
def test_what_is_shown_sends_rows_where_the_tree_does(table, model, seed, weighted):
    check_a_fit(table, model, seed, weighted)


@pytest.mark.long
@examples(200)
@given(*TASKS)
def test_what_is_shown_of_many_tables(table, model, seed, weighted):
    check_a_fit(table, model, seed, weighted)


@examples(20)
@given(tables(names=False), st.sampled_from([*CLASSIFIERS[:3], CARTClassifier.sklearn(), *REGRESSORS[:2]]))
def test_both_engines_say_the_same(table, model):
    X, y, z = table
    target = z if isinstance(model, CARTRegressor) else y
    one = clone(model).fit(X, target).tree_
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(by_score.depth_first, "fallback_reason", lambda *_: "told so")
        assert str(clone(model).fit(X, target).tree_) == str(one)


OF_SOURCES = [
    CARTClassifier(), CARTClassifier(dialect=STRICT), CARTClassifier.sklearn(),
    CARTClassifier(missing="majority"), C45Classifier(), C45Classifier.j48(raising=False), CARTRegressor(),
]  # fmt: skip


@examples(10)
@given(tables(most=2), st.sampled_from(OF_SOURCES), st.sampled_from([0, 0, 5]))
def test_a_tree_from_counts_says_what_the_tree_from_rows_says(table, model, in_memory):
    X, y, z = table
    frame = X.assign(y=z if isinstance(model, CARTRegressor) else y)
    in_memory *= not isinstance(model, C45Classifier)
    tree = grow_from(
        Batches([frame[k::3] for k in range(3)], "y"), clone(model), rows_in_memory=in_memory
    ).tree_
    all_is_said(tree, X)
    assert str(tree) == str(clone(model).fit(X, frame["y"]).tree_)


@examples(10)
@given(tables(names=False, most=2), st.sampled_from([CARTClassifier(), CARTRegressor()]), st.integers(2, 6))
def test_a_tree_from_bins_says_the_ends_of_intervals(table, model, bins):
    X, y, z = table
    frame = X.assign(y=z if isinstance(model, CARTRegressor) else y)
    all_is_said(grow_from(Batches([frame[::2], frame[1::2]], "y"), clone(model), bins=bins).tree_, X)


@examples(20)
@given(tables(names=False), st.integers(0, 9))
def test_a_tree_read_from_scikit_learn(table, seed):
    X, y, z = table
    X = X[[name for name in X if np.abs(X[name]).max() < 1e38]]
    if X.empty:
        return
    kind = [DecisionTreeClassifier, ExtraTreeClassifier, DecisionTreeRegressor][seed % 3]
    theirs = kind(random_state=seed).fit(X, z if kind is DecisionTreeRegressor else y)
    all_is_said(Tree.from_sklearn(theirs), X)


@examples(10)
@given(tables(names=False, most=2))
def test_an_oblique_tree(table):
    X, y, _ = table
    X = X[[name for name in X if np.abs(X[name]).max() < 1e100]].assign(x9=np.arange(len(X)) % 7)
    all_is_said(ObliqueTreeClassifier(restarts=2).fit(X, y).tree_, X)


@examples(20)
@given(tables(most=2))
def test_an_optimal_tree(table):
    X, y, _ = table
    all_is_said(OptimalTreeClassifier(max_depth=2).fit(X, y).tree_, X)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1), st.integers(1, 12))
def test_numbers_are_told_apart_in_their_order(numbers, digits):
    said = dict(zip(numbers, say_apart(numbers, digits=digits), strict=True))
    read = [float(said[x]) for x in sorted({*numbers})]
    assert read == sorted({*read})
    if len({f"{x:.{digits}g}" for x in numbers}) == len({*numbers}):
        assert [*said.values()] == [f"{x:.{digits}g}" for x in said]


@given(st.lists(st.floats(-1e300, 1e300), min_size=3, max_size=3, unique=True))
def test_a_number_is_told_from_those_beside_it(numbers):
    low, x, high = sorted(numbers)
    assert low < float(format_number(x, low, high)) < high
    if low < float(f"{x:.10g}") < high:
        assert format_number(x, low, high) == f"{x:.10g}"
