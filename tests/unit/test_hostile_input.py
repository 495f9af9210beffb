"""What cannot be used is refused in the library's own words: the argument, what came, and what was wanted."""

from __future__ import annotations

import enum
import re
import warnings
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from traceback import extract_tb
from types import TracebackType
from typing import Any

import numpy as np
import pandas as pd
import pytest

import dtlib
from dtlib import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ForestClassifier,
    ForestRegressor,
    ID3Classifier,
    ObliqueTreeClassifier,
    Tree,
    contingency,
    draw,
    export,
    measures,
)
from dtlib.book import checks, pictures
from dtlib.datasets import load_loan, load_watermelon
from dtlib.prune import (
    CrossValidated,
    HoldoutValidated,
    ReducedError,
    added_errors,
    pessimistic,
    pre_prune,
    pruning_path,
    reduced_error,
)

HOUSE = Path(dtlib.__file__).parent
HUGE = 10**400  # an int that no float comes near
TABLES = (
    "joint_entropy", "conditional_entropy", "information_gain", "split_information", "gain_ratio",
    "conditional_gini", "impurity_decrease",
)  # fmt: skip
NO_CATEGORY = "cannot be used as a category|columns are not: a"
COUNTS = ("entropy", "gini", "classification_error")
NUMBERS = ("variance", "squared_error", "median", "absolute_error")
EVERY = (
    ID3Classifier, C45Classifier, CARTClassifier, CARTRegressor, ObliqueTreeClassifier, ForestClassifier,
    ForestRegressor,
)  # fmt: skip
X, Y = np.arange(16.0).reshape(8, 2), np.array([0, 1] * 4)
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    MATRIX = np.matrix(X)  # NumPy advises against it
RECORDS = np.zeros(8, dtype=[("a", float)])
Call = tuple[str, Callable[[], Any], type[Exception], str]


class Color(enum.Enum):
    RED = 1
    BLUE = 2


#: No numbers, and what is said of each.
NO_NUMBERS: dict[str, tuple[Any, str]] = {
    "text": (["a", "b"], "text"),
    "digits": (["1", "2"], "text"),
    "bytes": ([b"1", b"2"], "text"),
    "ragged": ([[1, 2], [3]], "inhomogeneous"),
    "dict": ({"a": 1}, "dict"),
    "set": ({1, 2}, "set"),
    "generator": (iter([1, 2]), "iterator"),
    "huge": ([HUGE, 1], "too large"),
    "complex": (np.array([1j, 2]), "complex"),
    "complex objects": ([1j, object()], "complex"),
    "dates": (np.array(["2020", "2021"], "M8[D]"), "dates"),
    "spans": (np.array([1, 2], "m8[s]"), "spans of time"),
    "records": (RECORDS, "records"),
    "function": (len, "builtin"),
}


def words(name: str, came: str, wanted: str) -> str:
    """Return a pattern for an error that names an argument, what came, and what was wanted."""
    return rf"^{name} .*{came}.*wanted .*{wanted}|^{name} .*wanted .*{wanted}.*{came}"


def of_measures() -> list[Call]:
    """List calls of measures."""
    calls: list[Call] = []
    for what, (given, said) in NO_NUMBERS.items():
        for names, argument in ((COUNTS, "counts"), (TABLES, "table"), (NUMBERS, "y")):
            wanted = "numbers" if argument == "y" else "counts of shape"
            for name in names:
                f = getattr(measures, name)
                calls.append(
                    (f"{name} {what}", lambda f=f, g=given: f(g), ValueError, words(argument, said, wanted))
                )
        for name in NUMBERS:
            f = getattr(measures, name)
            pattern = words("weight", said, "weights of the shape of y")
            calls.append((f"{name} weight {what}", lambda f=f, g=given: f([1.0, 2], g), ValueError, pattern))
    two = [[1, 2], [3, 4]]
    return [
        *calls,
        ("median of nothing", lambda: measures.median([]), ValueError, r"^y is \[\]; wanted .*N at least 1"),
        (
            "variance of text", lambda: measures.variance(["a"]), ValueError,
            r"^y is \['a'\]; wanted an array \(\.\.\., N\) of finite numbers",
        ),
        (
            "error of nothing",
            lambda: measures.absolute_error([]), ValueError,
            r"^y is \[\]; wanted .*at least 1",
        ),
        (
            "three weights",
            lambda: measures.variance([1, 2], [1, 2, 3]), ValueError,
            r"^weight has shape \(3,\)",
        ),
        (
            "no function",
            lambda: measures.impurity_decrease(two, "gini"), TypeError,
            "^impurity is 'gini'; wanted",
        ),
        (
            "no measure", lambda: measures.impurity_decrease(two, lambda n: "a"), ValueError,
            r"^impurity\(counts\) is 'a'; wanted a function",
        ),
        (
            "one number", lambda: measures.impurity_decrease(two, lambda n: 0.5), ValueError,
            r"^impurity returns shape \(\) for counts",
        ),
        (
            "no row",
            lambda: measures.gini_split(two, "a"), ValueError,
            "^value_index is 'a'; the table has rows",
        ),
    ]  # fmt: skip


def of_estimators() -> list[Call]:
    """List calls of `fit` and `predict`."""
    calls: list[Call] = []
    for make in EVERY:
        for given in ("abc", {"a": [1]}, iter([[1, 2]]), 3, {1, 2}):
            calls.append(
                (f"{make.__name__} X {given!r}", lambda m=make, g=given: m().fit(g, Y), TypeError,
                 "^X is .*; wanted a DataFrame, or an array of numbers")
            )  # fmt: skip
        for given, said in (
            ([[1, 2], [3]], "inhomogeneous"),
            (RECORDS, r"shape \(8,\)"),
            (X[:, :0], "0 feature"),
        ):
            calls.append(
                (
                    f"{make.__name__} X {said}",
                    lambda m=make, g=given: m().fit(g, Y),
                    ValueError,
                    f"^X .*{said}",
                )
            )
        big = np.array([[HUGE, 1]] * 8, dtype=object)
        frame = pd.DataFrame({"a": [len, abs] * 4})
        enums = pd.DataFrame({"a": [Color.RED, Color.BLUE] * 4})
        calls += [
            (
                f"{make.__name__} X huge",
                lambda m=make, g=big: m().fit(g, Y), TypeError,
                "^X is an array of obj.*too large",
            ),
            (
                f"{make.__name__} functions",
                lambda m=make, g=frame: m().fit(g, Y), TypeError,
                NO_CATEGORY,
            ),
            (f"{make.__name__} enums", lambda m=make, g=enums: m().fit(g, Y), TypeError, NO_CATEGORY),
            (
                f"{make.__name__} matrix",
                lambda m=make: m().fit(MATRIX, Y), TypeError,
                "^X holds a matrix; wanted",
            ),
            (
                f"{make.__name__} whole", lambda m=make: m().fit([[2**70]] * 8, Y), ValueError,
                r"^X holds 1180591620717411303424; beyond 2\*\*53",
            ),
            (
                f"{make.__name__} weight", lambda m=make: m().fit(X, Y, [HUGE] * 8), ValueError,
                "^sample_weight is .*; wanted real numbers.*too large",
            ),
            (
                f"{make.__name__} weights", lambda m=make: m().fit(X, Y, [[1], [1, 2]]), ValueError,
                "^sample_weight is .*; wanted real numbers.*inhomogeneous",
            ),
            (
                f"{make.__name__} records", lambda m=make: m().fit(X, RECORDS), TypeError,
                "^y is .*; wanted one class or number for each row .*records",
            ),
        ]  # fmt: skip
    for y in (np.arange(8) * 1j, [{1: 2}] * 8, [b"a", b"b"] * 4, [HUGE] + [1] * 7, np.arange(8) + 0.5):
        calls.append(
            (f"classes {y!r:.20}", lambda y=y: CARTClassifier().fit(X, y), (TypeError, ValueError),
             r"(^| )y (is .*; wanted classes|is of type dict, which is neither|mixes)")
        )  # fmt: skip
    spans = np.arange(8).astype("m8")
    return [
        *calls,
        ("spans", lambda: CARTClassifier().fit(X, spans), TypeError, "^y is .*; wanted one class or number"),
        ("spans to predict", lambda: CARTRegressor().fit(X, spans), TypeError, "^y is .*; wanted one class"),
        (
            "huge y",
            lambda: CARTRegressor().fit(X, [HUGE] + [1] * 7), ValueError,
            "^y holds no real numbers .*large",
        ),
        ("complex y", lambda: CARTRegressor().fit(X, X[:, 0] * 1j), ValueError, "^y holds no real .*complex"),
        (
            "class weight",
            lambda: CARTClassifier(class_weight={7: 1}).fit(X, Y), ValueError,
            "^class_weight is .*wanted",
        ),
        (
            "weights",
            lambda: CARTClassifier(class_weight={0: "a"}).fit(X, Y), ValueError,
            "^class_weight is .*wanted",
        ),
        (
            "listed",
            lambda: CARTClassifier(class_weight=[1]).fit(X, Y), (TypeError, ValueError),
            "^class_weight is",
        ),
        ("predict", lambda: CARTClassifier().fit(X, Y).predict("abc"), TypeError, "^X is 'abc'; wanted"),
    ]  # fmt: skip


def of_parameters() -> list[Call]:
    """List calls with parameters and settings that cannot be used."""
    oblique = ObliqueTreeClassifier
    cart = CARTClassifier

    def pruned(way: Any) -> Any:
        return cart(prune=way).fit(X, Y)

    return [
        (
            "jumps",
            lambda: oblique(jumps=10**30).fit(X, Y), ValueError,
            "^jumps is 1000.*; wanted .* at most 1000000",
        ),
        (
            "restarts",
            lambda: oblique(restarts=10**30).fit(X, Y), ValueError,
            "^restarts is 10.*wanted .* at most 1000000",
        ),
        (
            "seed",
            lambda: oblique(random_state="abc").fit(X, Y), ValueError,
            "^random_state is 'abc'; wanted None",
        ),
        (
            "seeds",
            lambda: cart(random_state=-1).fit(X, Y), ValueError,
            r"^random_state is -1; wanted .*2\*\*32",
        ),
        ("huge", lambda: cart(ccp_alpha=HUGE).fit(X, Y), ValueError, "^ccp_alpha is 1000.*; wanted a number"),
        (
            "folds",
            lambda: pruned(CrossValidated(folds={"A": 1})), ValueError,
            "^folds is .*A.*; wanted a number of folds",
        ),
        (
            "fold",
            lambda: pruned(CrossValidated(folds="abc")), ValueError,
            "^folds is 'abc'; wanted a number of folds",
        ),
        (
            "places",
            lambda: pruned(CrossValidated(folds=[([0, 1], [999])])), ValueError,
            "^folds has row positions from 999",
        ),
        (
            "held",
            lambda: pruned(HoldoutValidated(held_out=[([0, 1], [999])])), ValueError,
            "^held_out is .*; wanted a share",
        ),
        (
            "ragged",
            lambda: pruned(ReducedError(held_out=[[1], [2, 3]])), ValueError,
            "^held_out is .*; wanted a share",
        ),
    ]  # fmt: skip


def of_trees() -> list[Call]:
    """List calls of what prunes, reads, writes and draws trees."""
    loan = load_loan()
    tree = ID3Classifier().fit(loan.X, loan.y).tree_
    numbers = CARTClassifier().fit(X, Y).tree_
    path, data = pruning_path(tree), tree.to_dict()
    calls: list[Call] = [
        (f"{f.__name__} {given!r:.9}", lambda f=f, g=given: f(g), TypeError, "^tree is a .*; wanted a Tree")
        for f in (export.to_python, export.to_sql, export.to_dict, draw.tree, pruning_path, pessimistic)
        for given in (C45Classifier, "abc", None)
    ]
    for f in (reduced_error, pre_prune):
        for given in ("abc", {"a": 1}, [[HUGE, 1]], [["a", "b"]]):
            calls.append(
                (
                    f"{f.__name__} {given!r:.9}",
                    lambda f=f, g=given: f(numbers, g, Y),
                    ValueError,
                    "^X is .*; wanted a D",
                )
            )
    for given in ("abc", b"abc", {"a": 1}, [HUGE]):
        calls.append(
            (
                f"e {given!r:.9}",
                lambda g=given: added_errors(g, 5),
                ValueError,
                "^e is .*; wanted numbers of errors",
            )
        )
        calls.append(
            (
                f"n {given!r:.9}",
                lambda g=given: added_errors(1, g),
                ValueError,
                "^n is .*; wanted numbers of rows",
            )
        )
    for text in ("", "[", b"\xff\xfe\x00", '{"format": ' + "9" * 9999 + "}", "[" * 100000, '{"a":' * 100000):
        calls.append(
            (f"text {text[:9]!r}", lambda t=text: Tree.from_json(t), ValueError, "^text is .*; wanted JSON")
        )
    for key in ("criterion", "features", "surrogates", "normals"):
        for given in (np.arange(3), pd.DataFrame(), HUGE):
            bad = data | {key: given}
            calls.append(
                (
                    f"{key} {given!r:.9}",
                    lambda b=bad: Tree.from_dict(b),
                    ValueError,
                    "^data (cannot be read|describe)",
                )
            )
    return [
        *calls,
        ("path", lambda: path.tree("abc"), ValueError, "^alpha is 'abc'; wanted a number"),
        (
            "huge",
            lambda: Tree.from_dict(data | {"normals": [[HUGE] * 4] * tree.node_count}),
            ValueError,
            "^data cannot be read .*too large",
        ),
        ("no text", lambda: Tree.from_json(3), TypeError, "^text is 3; wanted JSON"),
        ("array", lambda: Tree.from_dict(data | {"format": X}), ValueError, "^format is .*wanted"),
        ("apply", lambda: numbers.apply("abc"), TypeError, "^X is 'abc'; wanted a DataFrame"),
        ("table", lambda: tree.to_sql(3), TypeError, "^table is 3; wanted text"),
        ("n and e", lambda: added_errors([1, 2], [1, 2, 3]), ValueError, r"^n has shape \(3,\)"),
        ("version", lambda: load_watermelon(["2.0"]), ValueError, r"^version is \['2.0'\]; there are"),
        ("column", lambda: contingency(loan.frame, ["a"], "approved"), KeyError, "no column"),
        ("line", lambda: checks.parse(3), TypeError, "^line is 3; wanted text"),
        ("folder", lambda: checks.collect(3), TypeError, "^folder is 3; wanted the folder"),
    ]  # fmt: skip


def of_pictures() -> list[Call]:
    """List calls of what draws."""
    loan, two = load_loan(), [[2, 1], [1, 2]]
    tree = ID3Classifier().fit(loan.X, loan.y).tree_
    calls: list[Call] = []
    for f in (pictures.venn, pictures.chain):
        for names in (("X", "X"), ("X",), "XY", None, (1, 2), [["a"], "b"]):
            calls.append(
                (
                    f"{f.__name__} {names}",
                    lambda f=f, n=names: f(two, names=n),
                    ValueError,
                    "^names is .*; wanted two",
                )
            )
        for what in ("text", "ragged", "huge", "complex"):
            given = NO_NUMBERS[what][0]
            calls.append(
                (
                    f"{f.__name__} {what}",
                    lambda f=f, g=given: f(g),
                    ValueError,
                    "^table is .*; wanted one table",
                )
            )
    return [
        *calls,
        ("bars", lambda: draw.bars(["a"], ["b"]), ValueError, "^values is .*; wanted a number for each bar"),
        ("labels", lambda: draw.bars(3, [1]), TypeError, "^labels is 3; wanted entries"),
        (
            "digits",
            lambda: draw.bars(["a"], [1], digits=-1), ValueError,
            "^digits is -1; wanted a whole number",
        ),
        ("colors", lambda: draw.bars(["a"], [1], colors=3), TypeError, "^colors is 3; wanted a sequence"),
        ("axis", lambda: draw.bars(["a"], [1], axis=3), TypeError, "^axis is 3; wanted text"),
        ("curves", lambda: draw.lines([1]), TypeError, r"^curves is \[1\]; wanted a mapping"),
        ("curve", lambda: draw.lines({"a": 3}), TypeError, r"^curve 'a' is 3; wanted \(x, y\)"),
        (
            "x",
            lambda: draw.lines({"a": (["b"], [1])}), ValueError,
            "^x of curve 'a' is .*; wanted real numbers",
        ),
        ("marks", lambda: draw.lines({"a": ([1], [1])}, marks=[3]), ValueError, "^marks has 3; wanted"),
        (
            "far",
            lambda: draw.curve([1, 2], [1e308, -1e308]), ValueError,
            r"^curve 'y' has points .*beyond ±1e\+150",
        ),
        ("candidates", lambda: draw.gains(3), TypeError, "^candidates is 3; wanted what tree.explain"),
        ("depth", lambda: draw.tree(tree, depth="a"), TypeError, "^depth is 'a'; wanted a whole number"),
        ("title", lambda: draw.tree(tree, title=3), TypeError, "^title is 3; wanted text"),
        ("notes", lambda: draw.tree(tree, notes=3), TypeError, "^notes is 3; wanted a mapping"),
        ("cut", lambda: draw.tree(tree, cut=3), TypeError, "^cut is 3; wanted a list or set"),
        ("path", lambda: draw.tree(tree).save(3), TypeError, "^path is 3; wanted the name of a file"),
        (
            "frame", lambda: draw.partition(tree, 3, "approved", x="age", y="credit"), TypeError,
            "^frame is 3; wanted a DataFrame",
        ),
        (
            "plane", lambda: draw.partition(tree, loan.frame, "approved", x=["a"], y="credit"), TypeError,
            "^x is .*; wanted text",
        ),
        ("counts", lambda: pictures.two_draws(["a"]), ValueError, "^counts is .*; wanted the class counts"),
        ("share", lambda: pictures.entropy_curve(["a"]), ValueError, "^marks is 'a'; wanted shares"),
        (
            "surprise",
            lambda: pictures.surprise_curve(["a"]), ValueError,
            "^marks is .*; wanted probabilities",
        ),
        ("tangents", lambda: pictures.tangents("a"), TypeError, "^at is 'a'; wanted a sequence"),
        ("cuts", lambda: pictures.cuts(["a"], [0]), ValueError, "^values is .*; wanted finite numbers"),
        ("arches", lambda: pictures.arches(3), TypeError, "^classes is 3; wanted a sequence"),
    ]  # fmt: skip


CALLS = [*of_measures(), *of_estimators(), *of_parameters(), *of_trees(), *of_pictures()]


def last_place(trace: TracebackType | None) -> Path:
    """Return the file in which an error was raised."""
    return Path(extract_tb(trace)[-1].filename)


@pytest.mark.parametrize(
    ("call", "error", "pattern"),
    [call[1:] for call in CALLS],
    ids=[re.sub(" at 0x[0-9a-f]+", "", c[0]) for c in CALLS],
)
def test_what_cannot_be_used_is_refused_by_name(
    call: Callable[[], Any], error: type[Exception], pattern: str
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(error, match=re.compile(pattern, re.DOTALL)) as caught:
            call()
    assert HOUSE in last_place(caught.tb).parents, "it ends in another library"
    assert len(str(caught.value)) < 1000


NEAR = np.array([[1e308, -1e308], [-1e308, 1e308]] * 4)


@pytest.mark.parametrize("kind", ["f2", ">f8", ">i4", ">f4", "O", "?", "g"])
@pytest.mark.parametrize("make", [ID3Classifier, C45Classifier, CARTClassifier])
def test_arrays_of_every_kind_of_number_grow_the_same_tree(make: Any, kind: str) -> None:
    small = X % 2 if kind == "?" else X
    wanted = make().fit(small, Y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = make().fit(small.astype(kind), Y)
    assert found.tree_ == wanted.tree_
    np.testing.assert_array_equal(found.predict(small.astype(kind)), wanted.predict(small))


@pytest.mark.parametrize("make", [ID3Classifier, C45Classifier, C45Classifier.j48, CARTClassifier])
@pytest.mark.parametrize("as_frame", [False, True])
def test_cells_of_1e308_grow_a_tree_without_a_warning(make: Any, as_frame: bool) -> None:
    if make is ID3Classifier and as_frame:
        pytest.skip("it takes names")
    given = pd.DataFrame(NEAR, columns=["a", "b"]) if as_frame else NEAR
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert make().fit(given, Y).predict(given).tolist() == Y.tolist()


@pytest.mark.parametrize("make", EVERY[1:])
def test_infinite_numbers_are_named_by_row_and_column(make: Any) -> None:
    bad = X.copy()
    bad[3, 1] = -np.inf
    words = r"^X is -inf in row 3, column 1 \(counted from 0\); wanted finite numbers: leave .*, or limit"
    fitted = make().fit(X, Y)
    kinds = (
        bad,
        bad.tolist(),
        pd.DataFrame(bad),
        *(bad.astype(kind) for kind in ("O", "f4", "f2", "g", ">f8")),
    )
    for given in kinds:
        for call in (fitted.predict, lambda g: make().fit(g, Y)):
            with pytest.raises(ValueError, match=words):
                call(given)
    for labels, name in ((["a", "b"], "b"), ([10, 20], "20")):
        frame = pd.DataFrame(bad, columns=labels)
        with pytest.raises(
            ValueError, match=rf"^column '{name}' is -inf in row 3 \(counted from 0\); wanted"
        ):
            make().fit(frame, Y)
    assert make().fit(np.clip(bad, -1e100, 1e100), Y).n_features_in_ == 2


@pytest.mark.parametrize("make", [C45Classifier, CARTRegressor])
def test_an_infinite_number_is_named_where_others_may_be_missing(make: Any) -> None:
    bad = X.copy()
    bad[1, 0], bad[3, 1] = np.nan, np.inf
    with pytest.raises(ValueError, match=r"^X is inf in row 3, column 1 "):
        make(missing="majority").fit(bad, Y)
    if make is CARTRegressor:
        with pytest.raises(ValueError, match=r"^X is missing \(NaN\) in row 1, column 0 "):
            make().fit(bad, Y)


@pytest.mark.parametrize("values", [[len] * 8, [Color.RED] * 8, [object()] * 8, [1j] * 8])
def test_a_single_value_without_an_order_is_no_name_either(values: list[Any]) -> None:
    frame = pd.DataFrame({"a": pd.Series(values, dtype=object)})
    for make in (ID3Classifier, C45Classifier, CARTClassifier, CARTRegressor, ForestClassifier):
        with pytest.raises(
            TypeError, match=r"^column 'a' cannot be used as a category .*: convert it to str$"
        ):
            make().fit(frame, Y)


def test_numbers_of_every_kind_are_measured() -> None:
    whole = measures.entropy([1, 3])
    for given in (
        [Decimal(1), Decimal(3)],
        np.array([1, 3], ">i4"),
        np.array([1, 3], "g"),
        pd.Series([1, 3]),
    ):
        assert measures.entropy(given) == whole
    assert measures.gini(MATRIX).shape == (8,)
    assert measures.variance([], []) == measures.squared_error([]) == 0
