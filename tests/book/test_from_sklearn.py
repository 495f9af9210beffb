"""The page for those who come from scikit-learn says what is so: its code runs, its tables are compared."""

from __future__ import annotations

import inspect
import pickle
import re
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, plot_tree
from sklearn.utils._param_validation import StrOptions

from dtlib import CARTClassifier, CARTRegressor, draw
from dtlib.datasets import load_watermelon
from tests.book.from_sklearn import CODE, PAGE, blocks, run, section, table
from tests.book.test_structure import slug

PAIRS = ((DecisionTreeClassifier, CARTClassifier), (DecisionTreeRegressor, CARTRegressor))
LEARNED = re.compile(r"^(\w+_) : ", re.MULTILINE)
PARAMETERS = {CODE.fullmatch(name)[1]: cells for name, *cells in table("parameter | default")}
MELONS = load_watermelon("3.0")
FLOWERS = load_iris(as_frame=True)
X, SPECIES = FLOWERS.data, FLOWERS.target_names[FLOWERS.target]


def of(cls: type) -> dict[str, Any]:
    """Return the parameters of an estimator with their defaults."""
    return {name: p.default for name, p in inspect.signature(cls).parameters.items()}


def test_the_code_runs_and_prints_what_stands_below_it(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    _, said = run()
    assert said == [printed for _, printed in blocks()]
    assert all(said)
    assert (tmp_path / "tree.svg").exists()


def test_there_are_ten_recipes() -> None:
    heads = re.findall(r"^###? (.+)$", PAGE, re.MULTILINE)
    assert heads.index("Other tools") - heads.index("Ten recipes") - 1 == 10
    recipes = heads[heads.index("Ten recipes") + 1 :]
    numbered = re.findall(r"\[recipe (\d+)\]\(#([\w-]+)\)", PAGE)
    assert len(numbered) == 3
    assert [recipes[k].partition(". ")[0] for k in range(10)] == [str(k + 1) for k in range(10)]
    assert [slug(recipes[int(number) - 1]) for number, _ in numbered] == [anchor for _, anchor in numbered]


# Parameters


def test_each_parameter_has_a_line_in_the_order_of_scikit_learn() -> None:
    assert [*PARAMETERS] == [*of(DecisionTreeClassifier)]
    assert {*of(DecisionTreeRegressor)} <= {*PARAMETERS}


@pytest.mark.parametrize("name", PARAMETERS)
def test_defaults_are_those_of_the_signatures(name: str) -> None:
    """A parameter that comes to be here wants its default in place of the word that it is missing."""
    there, parts, here = PARAMETERS[name][0].removesuffix(" here").partition(" there, ")
    for said, column in ((there, 0), (here if parts else there, 1)):
        found = [of(pair[column]) for pair in PAIRS if name in of(pair[0])]
        defaults = [repr(one[name]) for one in found if name in one]
        assert CODE.findall(said) == list(dict.fromkeys(defaults)), name
        assert (said == "missing") == (not defaults), name


@pytest.mark.parametrize("name", PARAMETERS)
def test_words_that_are_missing_are_said(name: str) -> None:
    """Each word that scikit-learn takes is taken here, or stands behind "missing:" in the line."""
    missing = set()
    for there, here in PAIRS:
        options = [x for x in there._parameter_constraints.get(name, ()) if isinstance(x, StrOptions)]
        words = {word for option in options for word in option.options}
        known = [x for x in here._declared.get(name, ()) if isinstance(x, str)]
        if name == "class_weight":  # a word among things of other types, which `_declared` leaves to `fit`
            known += [w for w in words if here(class_weight=w).fit(X, SPECIES) is not None]
        missing |= words - {*known} if name in of(here) else set()
    said = PARAMETERS[name][1].partition("missing: ")[2]
    assert {word.strip('"') for word in CODE.findall(said)} == missing


def test_parameters_that_are_only_here() -> None:
    rows = [CODE.fullmatch(name)[1] for name, _ in table("parameter | what it sets")]
    own = [name for name in of(CARTClassifier) if name not in of(DecisionTreeClassifier)]
    assert rows == own
    assert {name for name in of(CARTRegressor) if name not in of(DecisionTreeRegressor)} <= {*own}


@cache
def drawn(seed: int, n: int = 300) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    """Return numbers without ties, classes and targets."""
    rng = np.random.default_rng(seed)
    numbers = pd.DataFrame(rng.normal(size=(n, 4)).astype(np.float32).astype(float), columns=list("abcd"))
    signal = numbers["a"] + numbers["b"] ** 2 + rng.normal(size=n)
    return numbers, (signal > 1).to_numpy().astype(int) + (signal > 2), signal.to_numpy()


SETTINGS: list[dict[str, Any]] = [
    {"max_depth": 3, "min_samples_leaf": 9},
    {"min_samples_split": 40, "min_samples_leaf": 9},
    {"min_samples_leaf": 20},
    {"min_samples_leaf": 0.1},
    {"min_weight_fraction_leaf": 0.1},
    {"max_leaf_nodes": 7},
    {"min_impurity_decrease": 0.01},
    {"ccp_alpha": 0.01},
    {"class_weight": "balanced", "max_depth": 4},
    {"class_weight": {0: 1, 1: 5, 2: 1}, "max_depth": 4},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_where_nothing_differs_the_tree_is_the_same(settings: dict[str, Any]) -> None:
    numbers, classes, targets = drawn(0)
    for (there, here), y in zip(PAIRS, (classes, targets), strict=True):
        if {*settings} <= {*of(there)}:
            theirs = there(**settings, random_state=0).fit(numbers, y)
            ours = here.sklearn(**settings).fit(numbers, y)
            np.testing.assert_allclose(ours.predict(numbers), theirs.predict(numbers))
            assert ours.get_n_leaves() == theirs.get_n_leaves()


def test_what_differs_by_default() -> None:
    """A root alone, weights in place of rows, ties, and a split that gains nothing."""
    assert CARTClassifier(max_depth=0).fit(X, SPECIES).get_n_leaves() == 1
    assert CARTClassifier(max_leaf_nodes=1).fit(X, SPECIES).get_n_leaves() == 1
    numbers, classes, _ = drawn(1)
    heavy = np.full(len(classes), 0.1)  # 300 samples weigh 30
    assert CARTClassifier(min_samples_split=40).fit(numbers, classes, heavy).get_n_leaves() == 1
    assert CARTClassifier.sklearn(min_samples_split=40).fit(numbers, classes, heavy).get_n_leaves() > 1
    assert CARTClassifier(min_samples_split=1.0).fit(X, SPECIES).get_depth() > 1
    assert DecisionTreeClassifier(min_samples_split=1.0).fit(X, SPECIES).get_depth() == 1
    trees = {CARTClassifier(random_state=seed).fit(X, SPECIES).tree_.to_json() for seed in range(5)}
    assert len(trees) == 1
    cross = pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]})
    assert CARTClassifier().fit(cross, [0, 1, 1, 0]).get_n_leaves() == 1
    assert CARTClassifier.sklearn().fit(cross, [0, 1, 1, 0]).get_n_leaves() == 4
    assert DecisionTreeClassifier().fit(cross, [0, 1, 1, 0]).get_n_leaves() == 4


def test_monotone_and_random_splits_are_still_missing() -> None:
    """Where these come, their lines say what differs, and this test goes."""
    for name in ("splitter", "monotonic_cst"):
        assert PARAMETERS[name][0].endswith("missing here") == (name not in of(CARTClassifier))


# What fit learns


@pytest.mark.parametrize(("there", "here"), PAIRS)
def test_what_scikit_learn_lists_is_said_and_the_same(there: type, here: type) -> None:
    listed = LEARNED.findall(inspect.getdoc(there).partition("Attributes\n---")[2])
    said = {*CODE.findall(section("What fit learns"))}
    assert len(listed) >= 6
    assert {*listed} <= said
    numbers, classes, targets = drawn(2)
    y = classes if "classes_" in listed else targets
    theirs = there(max_depth=2, min_samples_leaf=40, random_state=0).fit(numbers, y)
    ours = here.sklearn(max_depth=2, min_samples_leaf=40).fit(numbers, y)
    shares = "feature_importances_"
    np.testing.assert_allclose(getattr(ours, shares), getattr(theirs, shares))
    for name in {*listed} - {"tree_", shares}:
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name))


@pytest.mark.parametrize(("there", "here"), PAIRS)
def test_each_public_method_is_here(there: type, here: type) -> None:
    methods = [name for name in dir(there) if not name.startswith("_") and callable(getattr(there, name))]
    assert len(methods) > 10
    assert [name for name in methods if not callable(getattr(here, name, None))] == []


def test_the_arrays_of_the_tree_are_where_the_table_says() -> None:
    rows = {tuple(CODE.findall(there)): here for there, here in table("in `tree_` there")}
    numbers, classes, _ = drawn(3)
    ours = CARTClassifier.sklearn(max_depth=3).fit(numbers, classes)
    theirs, tree = ours.to_sklearn().tree_, ours.tree_
    assert all(hasattr(theirs, name) for names in rows for name in names)
    same, links, *_ = rows
    place = {0: 0}  # of scikit-learn's nodes, by number
    for node, (left, right) in enumerate(zip(theirs.children_left, theirs.children_right, strict=True)):
        if left >= 0:
            place[left], place[right] = (int(tree.first_child[place[node]]) + i for i in (0, 1))
    assert links == ("children_left", "children_right")
    order = [place[node] for node in range(theirs.node_count)]
    assert order != sorted(order), "the numbers are the same, too"
    for name in same:
        there, here = getattr(theirs, name), getattr(tree, name)
        assert np.array_equal(there, here[order] if np.ndim(here) else here), name
    leaf = theirs.children_left < 0
    assert (theirs.feature[leaf] == -2).all()
    assert (tree.feature[order][leaf] == -1).all()
    assert np.array_equal(theirs.feature[~leaf], tree.feature[order][~leaf])
    assert np.array_equal(theirs.threshold[~leaf], tree.threshold[order][~leaf])
    assert np.isnan(tree.threshold[order][leaf]).all()
    assert np.array_equal(theirs.weighted_n_node_samples, tree.n[order])
    assert np.array_equal(theirs.value[:, 0], tree.value[order])
    missing = [name for names, here in rows.items() if here == "missing" for name in names]
    assert missing == ["n_node_samples"]
    assert not any(hasattr(tree, name) for name in missing)


# Messages


GAPS = MELONS.X.assign(density=MELONS.X["density"].mask(MELONS.X["density"] > 0.7))
NAMELESS = MELONS.X.assign(color=MELONS.X["color"].mask(MELONS.X["color"] == "dark"))
GROWN = CARTClassifier().fit(MELONS.X, MELONS.y)


def unwarned(function: Callable[[Any], Any], given: Any) -> Any:
    """Call a function; a warning that comes before the error is none here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(given)


#: What is done by whoever reads a message, and by what message it is found.
RAISED: dict[str, Callable[[], Any]] = {
    "is missing in row": lambda: CARTClassifier().fit(GAPS, MELONS.y),
    "missing values in categorical": lambda: CARTClassifier().fit(NAMELESS, MELONS.y),
    "is inf": lambda: CARTClassifier().fit(X.replace(5.1, np.inf), SPECIES),
    "an array of text": lambda: CARTClassifier().fit(MELONS.X.to_numpy(str), MELONS.y),
    "a numeric array": lambda: unwarned(GROWN.predict, np.zeros((1, 8))),
    "X is sparse": lambda: CARTClassifier().fit(sparse.csr_matrix(X), SPECIES),
    "unexpected keyword": lambda: CARTClassifier(presort=True),
    "criterion is": lambda: CARTRegressor(criterion="friedman_mse").fit(X, FLOWERS.target),
    "y is": lambda: CARTClassifier().fit(X, X.iloc[:, 0]),
    "'decision_tree' parameter": lambda: plot_tree(GROWN),
    "children_left": lambda: GROWN.tree_.children_left,
    "DecisionTreeClassifier": lambda: draw.tree(DecisionTreeClassifier().fit(X, SPECIES)),
    "divides a row": lambda: CARTClassifier(missing="fractional").fit(GAPS, MELONS.y).to_sklearn(),
    "no training data": lambda: pickle.loads(pickle.dumps(GROWN)).tree_.explain(0),
}


def pattern(message: str) -> str:
    """Return a pattern for a message of the page, in which dots stand for names and numbers."""
    return ".+?".join(re.escape(part) for part in CODE.fullmatch(message)[1].split("..."))


def test_each_message_is_tried() -> None:
    found = {words: [said for said, _ in table("it says") if words in said] for words in RAISED}
    assert {words: len(said) for words, said in found.items()} == dict.fromkeys(RAISED, 1)
    assert len(table("it says")) == len(RAISED)


@pytest.mark.parametrize("words", RAISED)
def test_a_message_comes_as_it_is_said(words: str) -> None:
    [message] = [said for said, _ in table("it says") if words in said]
    with pytest.raises(Exception, match=pattern(message)):
        RAISED[words]()


def test_the_ways_out_lead_out() -> None:
    assert CARTClassifier(missing="learned").fit(GAPS, MELONS.y).predict(GAPS).shape == (17,)
    assert CARTClassifier(missing="learned").fit(NAMELESS, MELONS.y).predict(NAMELESS).shape == (17,)
    assert CARTClassifier(missing="fractional").fit(GAPS, MELONS.y).to_sklearn(missing="majority")
    assert GROWN.to_sklearn()["tree"].tree_.children_left[0] == 1
    assert CARTRegressor().fit(X, X.iloc[:, 0]).score(X, X.iloc[:, 0]) == 1
    assert len(plot_tree_boxes()) > 1


def plot_tree_boxes() -> list[Any]:
    """Draw a tree of ours by scikit-learn."""
    pytest.importorskip("matplotlib").use("Agg")
    return plot_tree(GROWN.to_sklearn()["tree"])
