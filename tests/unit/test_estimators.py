"""What all three estimators have in common: scikit-learn's conventions, kinds of input, bad input."""

import pickle
from time import perf_counter

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone, is_regressor
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import BaggingClassifier
from sklearn.exceptions import DataConversionWarning, NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks

from dtlib import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ID3Classifier,
    ID3Regressor,
    ObliqueTreeClassifier,
    OptimalTreeClassifier,
)
from dtlib.datasets import load_golf, load_loan, load_regression_points, load_watermelon
from dtlib.prune import (
    ComplexityParameter,
    CrossValidated,
    HoldoutValidated,
    Pessimistic,
    PrePruned,
    ReducedError,
)

melons, points, loan = load_watermelon("3.0"), load_regression_points(), load_loan()
ALL = [CARTClassifier(), CARTRegressor(), ID3Classifier(), C45Classifier(missing="error")]
CART = [CARTClassifier(), CARTRegressor()]
names_of = pytest.mark.parametrize("tree", ALL, ids=lambda tree: type(tree).__name__)
cart_of = pytest.mark.parametrize("tree", CART, ids=lambda tree: type(tree).__name__)

n = 12
NAMES = pd.DataFrame({"a": list("uvw") * 4, "b": list("xxyyzz") * 2})
MIXED = NAMES.assign(p=np.linspace(0, 1, n) ** 2, q=np.arange(n) % 5)


def data(tree):
    """Return a frame and a target that the estimator can read."""
    X = NAMES if isinstance(tree, ID3Classifier) else MIXED
    return X, np.arange(n) / 2 if isinstance(tree, CARTRegressor) else np.array(list("nnonoonooonn"))


@parametrize_with_checks(
    [
        *ALL,
        CARTClassifier.sklearn(),
        CARTRegressor.sklearn(),
        CARTRegressor(criterion="absolute_error"),
        CARTClassifier(criterion="entropy", nominal="one_vs_rest"),
        CARTClassifier(max_features=1, random_state=0),
        CARTRegressor(max_features="sqrt", random_state=0),
        C45Classifier.release8(),
        C45Classifier.j48(),
        C45Classifier(missing="majority"),
        C45Classifier(),
        CARTClassifier.rpart(ties="first", samples="weight"),  # rounding may choose by the order of the rows
        CARTRegressor.rpart(ties="first", samples="weight"),
        CARTClassifier(missing="fractional", prune=ComplexityParameter(0.01)),
        CARTRegressor(missing="majority"),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@names_of
def test_attributes_of_a_fitted_tree(tree):
    X, y = data(tree)
    tree = clone(tree).fit(X, y)
    assert (tree.get_depth(), tree.get_n_leaves()) == (tree.tree_.max_depth, tree.tree_.n_leaves)
    assert tree.n_outputs_ == 1
    assert tree.n_features_in_ == X.shape[1]
    assert tree.feature_names_in_.tolist() == X.columns.tolist()
    assert tree.feature_importances_.sum() == pytest.approx(1)
    path, end = tree.decision_path(X), tree.apply(X)
    assert path.shape == (n, tree.tree_.node_count)
    assert (tree.tree_.depth[end] + 1 == path.sum(1).A1).all()
    assert path[np.arange(n), end].all()
    tags = get_tags(tree)
    assert tags.input_tags.categorical == isinstance(tree, ID3Classifier)
    assert tags.target_tags.multi_output != isinstance(tree, ID3Classifier | C45Classifier)
    assert not tags.input_tags.allow_nan
    assert not tags.input_tags.sparse
    if not isinstance(tree, CARTRegressor):
        assert (tree.classes_.tolist(), tree.n_classes_) == (["n", "o"], 2)
        with np.errstate(divide="ignore"):
            assert (tree.predict_log_proba(X) == np.log(tree.predict_proba(X))).all()
        assert (tree.classes_[tree.predict_proba(X).argmax(1)] == tree.predict(X)).all()


WITH_NUMBERS = pd.DataFrame({"a": [1.0, 2, 3, 4], "b": [1.0, 1, 2, 2]})


@pytest.mark.parametrize("tree", [
    *ALL, ID3Regressor(), ObliqueTreeClassifier(random_state=0), OptimalTreeClassifier(),
    CARTClassifier(prune="cv", random_state=0),
], ids=lambda tree: type(tree).__name__)  # fmt: skip
def test_what_scikit_learns_trees_have_when_they_are_fitted(tree):
    X = WITH_NUMBERS.astype("category") if isinstance(tree, ID3Classifier | ID3Regressor) else WITH_NUMBERS
    theirs = DecisionTreeRegressor if is_regressor(tree) else DecisionTreeClassifier
    X, y = pd.concat([X] * 5), [0, 1, 1, 0] * 5
    of_theirs, of_ours = ([*dir(model.fit(X, y))] for model in (theirs(), clone(tree)))
    assert {name for name in of_theirs if name.endswith("_") and name[0] != "_"} <= set(of_ours)
    assert clone(tree).fit(X, y).max_features_ == 2


@cart_of
@pytest.mark.parametrize("considered", [None, 1, 2, 9, 0.01, 0.6, 1.0, "sqrt", "log2"])
def test_max_features_is_what_scikit_learn_makes_of_it(tree, considered):
    X, y = np.arange(20.0).reshape(4, 5), [0, 1, 1, 0]
    fitted = clone(tree).set_params(max_features=considered, random_state=0).fit(X, y)
    theirs = DecisionTreeRegressor if is_regressor(tree) else DecisionTreeClassifier
    assert fitted.max_features_ == theirs(max_features=considered).fit(X, y).max_features_


@names_of
@pytest.mark.parametrize(
    "method", ["predict", "apply", "decision_path", "explain", "get_depth", "get_n_leaves"]
)
def test_nothing_works_before_fit(tree, method):
    arguments = () if method.startswith("get") else (NAMES,)
    with pytest.raises(NotFittedError, match="not fitted yet"):
        getattr(clone(tree), method)(*arguments)
    assert not hasattr(tree, "feature_importances_")


@names_of
def test_cloned_pickled_and_explained(tree):
    X, y = data(tree)
    tree = clone(tree).fit(X, y)
    again = pickle.loads(pickle.dumps(tree))
    assert again.tree_ == tree.tree_
    assert (again.predict(X) == tree.predict(X)).all()
    assert not hasattr(clone(tree), "tree_")
    assert tree.explain(X.head(1))["node"].tolist()[-1] == tree.apply(X)[0]
    with pytest.raises(ValueError, match="X has 12 rows; give one"):
        tree.explain(X)


@cart_of
def test_in_a_pipeline_with_frames_inside(tree):
    X, y = data(tree)
    numbers = make_column_selector(dtype_include=np.number)
    scaled = make_column_transformer((StandardScaler(), numbers), remainder="passthrough")
    pipe = make_pipeline(scaled.set_output(transform="pandas"), clone(tree)).fit(X, y)
    assert pipe[-1].feature_names_in_.tolist() == [
        "standardscaler__p",
        "standardscaler__q",
        "remainder__a",
        "remainder__b",
    ]
    assert (pipe.predict(X) == clone(tree).fit(X, y).predict(X)).all()


def test_in_searches_and_ensembles():
    X, y = melons.X[["density", "sugar"]], melons.y
    assert cross_val_score(CARTClassifier(), melons.X, y, cv=3).shape == (3,)
    assert cross_val_score(CARTRegressor(), points.X, points.y, cv=3).shape == (3,)
    dialects = {"dialect": [None, "sklearn"], "prune": [ComplexityParameter(0.1), CrossValidated(folds=3)]}
    search = GridSearchCV(CARTClassifier(), {"max_depth": np.array([1, 2])} | dialects, cv=3)
    assert search.fit(melons.X, y).best_params_["max_depth"] in (1, 2)
    bag = BaggingClassifier(CARTClassifier(max_features=1), n_estimators=5, random_state=0).fit(
        X.to_numpy(), y
    )
    assert bag.score(X.to_numpy(), y) > 0.7


@names_of
def test_a_row_of_weight_two_is_the_row_twice(tree):
    X, y = data(tree)
    X = X.assign(a=X["a"].astype("category"))
    weight = np.arange(n) % 3
    twice = np.repeat(np.arange(n), weight)
    weighted, repeated = clone(tree).fit(X, y, weight), clone(tree).fit(X.iloc[twice], y[twice])
    assert str(weighted.tree_) == str(repeated.tree_)
    assert weighted.tree_.n.tolist() == repeated.tree_.n.tolist()
    np.testing.assert_allclose(weighted.tree_.gain, repeated.tree_.gain, rtol=1e-12)
    assert clone(tree).fit(X, y, 2).tree_ == clone(tree).fit(X, y, np.full(n, 2)).tree_


# Kinds of input.

NUMBERS = pd.DataFrame({"p": [3, 1, 2, 1, 3, 2, 0, 1, 3, 2, 0, 1], "q": [1, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 0]})
DTYPES = ["int8", "uint16", "int64", "float16", "float32", "float64", "Int64", "Float32", "Float64"]


@cart_of
@pytest.mark.parametrize("dtype", DTYPES)
def test_numbers_of_every_type_give_the_same_tree(tree, dtype):
    y = data(tree)[1]
    plain = clone(tree).fit(NUMBERS, y)
    typed = clone(tree).fit(NUMBERS.astype(dtype), y)
    assert typed.tree_ == plain.tree_
    assert (typed.predict(NUMBERS) == plain.predict(NUMBERS.astype(dtype))).all()


@names_of
@pytest.mark.parametrize("dtype", ["object", "str", "string", "category"])
def test_names_of_every_type_give_the_same_tree(tree, dtype):
    y = data(tree)[1]
    plain = clone(tree).fit(NAMES, y)
    typed = clone(tree).fit(NAMES.astype(dtype), y)
    assert typed.tree_ == plain.tree_
    assert (typed.predict(NAMES) == plain.predict(NAMES.astype(dtype))).all()


@names_of
@pytest.mark.parametrize("dtype", ["bool", "boolean", "category"])
def test_true_and_false_are_names(tree, dtype):
    y = data(tree)[1]
    X = pd.DataFrame({"t": np.arange(n) > 6}).astype(dtype)
    assert clone(tree).fit(X, y).tree_.features[0].values == (False, True)


@cart_of
def test_ordered_categories_are_cut_in_their_order(tree):
    sizes = pd.CategoricalDtype(["S", "M", "L", "XL"], ordered=True)
    X = pd.DataFrame({"size": pd.Series(["L", "S", "M", "XL"] * 3, dtype=sizes)})
    y = np.where(X["size"] <= "M", 1, 0)
    found = clone(tree).fit(X, y).tree_
    assert str(found.root.split) == "size ≤ M?"
    assert found.node_count == 3
    assert clone(tree).fit(X, y).predict(X.astype(str)).tolist() == y.tolist()


@cart_of
def test_arrays_of_every_shape_in_memory(tree):
    y, x = data(tree)[1], NUMBERS.to_numpy()
    plain = clone(tree).fit(x, y).tree_
    frozen = x.astype(float)
    frozen.setflags(write=False)
    for X in (
        np.asfortranarray(x),
        frozen,
        x.tolist(),
        x.astype(object),
        x.astype("f4"),
        np.repeat(x, 2, 1)[:, ::2],
    ):
        assert clone(tree).fit(X, y).tree_ == plain
    bools = x > 1
    assert clone(tree).fit(bools, y).tree_ == clone(tree).fit(bools.astype(int), y).tree_


@cart_of
def test_an_array_predicts_what_a_frame_does_and_back(tree):
    y, x = data(tree)[1], NUMBERS.to_numpy()
    of_frame, of_array = clone(tree).fit(NUMBERS, y), clone(tree).fit(x, y)
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        assert (of_frame.predict(x) == of_frame.predict(NUMBERS)).all()
    with pytest.warns(UserWarning, match="was fitted without feature names"):
        assert (of_array.predict(NUMBERS) == of_array.predict(x)).all()
    assert (of_array.predict(pd.DataFrame(x)) == of_array.predict(x)).all()  # no names of text: an array


def test_codes_of_names_for_id3():
    x, y = NUMBERS.to_numpy(), list("no") * 6
    tree = ID3Classifier().fit(x, y)
    assert tree.tree_.features[0].values == (0, 1, 2, 3)
    assert str(tree.tree_.root.split) == "x0?"
    same = NUMBERS.set_axis(["x0", "x1"], axis=1).astype("category")
    assert ID3Classifier().fit(same, y).tree_ == ID3Classifier().fit(x.astype(float), y).tree_ == tree.tree_
    with pytest.warns(UserWarning, match="was fitted without feature names"):
        assert (tree.predict(same) == tree.predict(x)).all()
    with pytest.raises(TypeError, match=r"but these columns are not: p, q.*such as CARTClassifier"):
        ID3Classifier().fit(NUMBERS, y)
    with (
        pytest.warns(UserWarning, match="does not have valid feature names"),
        pytest.raises(
            TypeError, match=r"features \['a', 'b'\] of the tree are categorical: pass a DataFrame"
        ),
    ):
        ID3Classifier().fit(NAMES, y).predict(x)


@names_of
def test_categories_may_come_in_another_order_or_number(tree):
    X, y = data(tree)
    tree = clone(tree).fit(X.assign(a=X["a"].astype("category")), y)
    wanted = tree.predict(X)
    for values in ("wvu", "uvwz"):
        assert (tree.predict(X.assign(a=pd.Categorical(X["a"], list(values)))) == wanted).all()
    few = X[X["a"] == "u"]
    assert (tree.predict(few.assign(a=pd.Categorical(few["a"]))) == wanted[X["a"] == "u"]).all()


@names_of
def test_a_name_never_seen_ends_where_it_is_asked(tree):
    X, y = pd.DataFrame({"a": list("uvw") * 4, "b": list("xxy") * 4}), np.array([0, 1, 1] * 3 + [0, 1, 0])
    tree = clone(tree).fit(X, y)
    assert tree.tree_.root.feature == "a"
    strange = pd.DataFrame({"a": ["new"], "b": ["x"]})
    assert tree.apply(strange).tolist() == [0]
    assert tree.predict(strange).tolist() == [y.mean() if isinstance(tree, CARTRegressor) else 1]
    for known in (X["a"].astype("category"), pd.Categorical(X["a"], list("uvwz"))):
        again = clone(tree).fit(X.assign(a=known), y)
        assert again.apply(strange).tolist() == [0]


# Small and large data.


@names_of
def test_one_row_and_one_class_are_a_leaf(tree):
    X, y = data(tree)
    for rows, target in ((slice(0, 1), y[:1]), (slice(0, n), np.repeat(y[:1], n))):
        alone = clone(tree).fit(X[rows], target)
        assert (alone.tree_.node_count, alone.tree_.reason) == (1, ("pure",))
        assert alone.predict(X).tolist() == [y[0]] * n
        assert alone.feature_importances_.tolist() == [0] * X.shape[1]


@pytest.mark.parametrize("K", [2, 5])
def test_ten_thousand_names(K):
    rng = np.random.default_rng(K)
    X = pd.DataFrame({"a": rng.integers(0, 10_000, 20_000).astype(str)})
    y = rng.integers(0, K, 20_000)
    start = perf_counter()
    cart = CARTClassifier(max_depth=4).fit(X, y)
    id3 = ID3Classifier().fit(X, y)
    assert perf_counter() - start < 20  # about 0.1 s; a search of all groups would not end
    assert id3.tree_.node_count == X["a"].nunique() + 1
    assert cart.score(X, y) > (y == np.bincount(y).argmax()).mean() + 0.1


# Bad input.

FRAMES = [
    (lambda X: X.iloc[:0], ValueError, r"X has shape \(0, \d\); at least one row"),
    (lambda X: X[[]], ValueError, r"X has shape \(12, 0\); at least one row and one column"),
    (lambda X: pd.concat([X, X["a"]], axis=1), ValueError, r"several columns called \['a'\]: rename"),
    (lambda X: X.rename(columns={"a": 0}), TypeError, r"is text, and 0, .*: X.columns = list\(map\(str, X"),
    (lambda X: X.assign(a=[None, "u"] * 6), ValueError, "missing values.* a.*fillna"),
    (lambda X: X.assign(a=pd.array([pd.NA, "u"] * 6, dtype="string")), ValueError, "missing values.* a"),
    (lambda X: X.assign(a=pd.Categorical(["u", np.nan] * 6)), ValueError, "missing values.* a"),
    (lambda X: X.assign(a=pd.array([None, True] * 6, dtype="boolean")), ValueError, "missing values.* a"),
    (lambda X: X.assign(a=[1, "u"] * 6), TypeError, "column 'a' mixes values of types int, str"),
    (lambda X: X.assign(a=[[1]] * n), TypeError, "column 'a' cannot be used as a category .*unhashable"),
    (lambda X: X.assign(z=pd.Timestamp("2020-01-01")), TypeError, "z"),
    (lambda X: X.assign(z=pd.Timedelta(1)), TypeError, "z"),
    (lambda X: X.assign(z=1j), TypeError, "z"),
    (lambda X: X.assign(z=pd.arrays.SparseArray([0.0, 1] * 6)), TypeError, "z"),
    (lambda X: pd.DataFrame.sparse.from_spmatrix(sparse.eye_array(n)), TypeError, "Sparse data"),
    (lambda X: sparse.csr_array(np.eye(n)), TypeError, r"X is sparse; .*X\.toarray\(\)"),
    (lambda X: None, ValueError, "X is None; wanted a DataFrame"),
    (lambda X: X["a"], ValueError, "X is one column; wanted a DataFrame"),
    (lambda X: np.arange(n), ValueError, r"X has shape \(12,\); wanted a DataFrame.* Reshape your data"),
    (lambda X: np.zeros((n, 2, 2)), ValueError, r"X has shape \(12, 2, 2\); wanted a DataFrame"),
    (lambda X: np.zeros((0, 2)), ValueError, "0 sample"),
    (lambda X: np.zeros((n, 0)), ValueError, "0 feature"),
    (lambda X: X[["a", "b"]].to_numpy().astype("U1"), TypeError, "X is an array of text .*Give a DataFrame"),
    (lambda X: np.full((n, 1), "2020", "M8[D]"), TypeError, "X is an array of dates"),
    (lambda X: np.full((n, 1), pd.Timestamp(0)), TypeError, "objects that are not all numbers .*Timestamp"),
    (lambda X: np.full((n, 1), 1j), ValueError, "Complex data not supported"),
    (lambda X: np.full((n, 1), 2**60), ValueError, r"X holds 1152921504606846976; beyond 2\*\*53"),
    (lambda X: np.full((n, 1), np.nan), ValueError, r"X is missing \(NaN\) in row 0, column 0"),
    (lambda X: np.full((n, 1), None), ValueError, r"X is missing \(NaN\) in row 0, column 0"),
    (lambda X: np.full((n, 1), -np.inf), ValueError, r"X is -inf in row 0, column 0 .*\.clip"),
]


@names_of
@pytest.mark.parametrize(("spoil", "error", "words"), FRAMES, ids=[words for _, _, words in FRAMES])
def test_bad_X_is_named_and_leaves_the_estimator_unfitted(tree, spoil, error, words):
    X, y = data(tree)
    tree = clone(tree).fit(X, y)
    with pytest.raises(error, match=words):
        tree.fit(spoil(X), y)
    with pytest.raises(NotFittedError):
        tree.predict(X)
    assert tree.fit(X, y).tree_.node_count > 1


@cart_of
@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        ([1.0, np.nan] * 6, "column 'z' is missing in row 1"),
        (pd.array([pd.NA, 1] * 6, dtype="Int64"), "column 'z' is missing in row 0"),
        (np.inf, "column 'z' is inf in row 0"),
        (2**60, "column 'z' holds 1152921504606846976; beyond"),
    ],
)
def test_bad_numbers_are_named(tree, numbers, words):
    X, y = data(tree)
    with pytest.raises(ValueError, match=words):
        clone(tree).fit(X.assign(z=numbers), y)


TARGETS = [
    (None, ValueError, "requires y to be passed, but the target y is None"),
    ([1] * 3, ValueError, "y has 3 entries, but X has 12 rows"),
    ([], ValueError, "y has 0 entries, but X has 12 rows"),
    (5, ValueError, r"y is 5; wanted shape \(12,\)"),
    (np.zeros((n, 1, 1)), ValueError, r"y has shape \(12, 1, 1\)"),
    (np.zeros((n, 0)), ValueError, r"y has shape \(12, 0\)"),
    ([np.nan] * n, ValueError, "y is missing"),
    (pd.array([pd.NA] + [1] * 11, dtype="Int64"), ValueError, "y is missing"),
    ([np.inf] * n, ValueError, "inf"),
    ([1j] * n, ValueError, "omplex"),
    (sparse.csr_array(np.ones((n, 1))), TypeError, r"y is sparse; .*toarray\(\)"),
]


@names_of
@pytest.mark.parametrize(("y", "error", "words"), TARGETS, ids=[words for _, _, words in TARGETS])
def test_bad_y_is_named(tree, y, error, words):
    with pytest.raises(error, match=words):
        clone(tree).fit(data(tree)[0], y)


@pytest.mark.parametrize("tree", [CARTClassifier(), ID3Classifier()])
def test_numbers_and_mixtures_are_no_classes(tree):
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        tree.fit(NAMES, np.linspace(0, 1, n))
    with pytest.raises(TypeError, match="y mixes classes of types int, str"):
        tree.fit(NAMES, ["a", 1] * 6)


@pytest.mark.parametrize("tree", [CARTClassifier(), ID3Classifier(), C45Classifier()])
def test_texts_of_numpy_are_texts(tree):
    y = [*np.array(["no", "yes"] * 5), "no", "yes"]
    X = pd.DataFrame({"a": [*np.array(["u", "v"] * 5), "u", "v"]})
    tree = clone(tree).fit(X, y)
    assert tree.classes_.tolist() == ["no", "yes"]
    assert repr(tree.tree_.features[0].values) == "('u', 'v')"
    assert (tree.predict(X) == y).all()


@pytest.mark.parametrize(
    ("y", "words"),
    [
        (list("no") * 6, "y holds no real numbers .*use a classifier"),
        (["a", 1] * 6, "y holds no real numbers"),
        (np.full(n, -1e200), r"y holds -1e\+200; beyond"),
        (np.linspace(0, 1e-200, n), "y holds 1e-200 and nothing larger"),
        ([1, np.nan] * 6, r"y is missing \(NaN\) in row 1"),
        ([1, -np.inf] * 6, "y is -inf in row 1"),
    ],
)
def test_bad_numbers_to_predict_are_named(y, words):
    with pytest.raises(ValueError, match=words):
        CARTRegressor().fit(MIXED, y)


@names_of
def test_a_column_vector_is_one_output(tree):
    X, y = data(tree)
    plain = clone(tree).fit(X, y)
    with pytest.warns(DataConversionWarning, match="column-vector y"):
        assert clone(tree).fit(X, y[:, None]).tree_ == plain.tree_
    assert (clone(tree).fit(X, pd.DataFrame({"y": y})).predict(X) == plain.predict(X)).all()


@names_of
@pytest.mark.parametrize(
    ("weight", "words"),
    [
        ([1], "there are 12 rows"),
        (np.ones((n, 1)), r"shape \(12, 1\)"),
        ([-1] * n, r"sample_weight\[0\] is -1"),
        (-1, r"sample_weight\[0\] is -1"),
        ([np.nan] * n, r"sample_weight is missing \(NaN\) in row 0"),
        ([np.inf] * n, r"sample_weight\[0\] is inf"),
        ([0] * n, "zero for every row"),
        ([1e308] * n, "infinite sum"),
        (["a"] * n, "sample_weight is .*; wanted real numbers.*this is text"),
    ],
)
def test_bad_weights_are_named(tree, weight, words):
    X, y = data(tree)
    with pytest.raises(ValueError, match=words):
        clone(tree).fit(X, y, weight)


@names_of
@pytest.mark.parametrize(
    ("spoil", "error", "words"),
    [
        (lambda X: X[X.columns[::-1]], ValueError, "must be in the same order"),
        (lambda X: X.drop(columns="a"), ValueError, "seen at fit time, yet now missing"),
        (lambda X: X.assign(z="s"), ValueError, "unseen at fit time"),
        (lambda X: X.iloc[:0], ValueError, r"X has shape \(0, "),
        (lambda X: X.assign(a=None), ValueError, "missing values.* a"),
        (lambda X: X.assign(a=1), TypeError, "categor"),
        (lambda X: pd.concat([X, X["a"]], axis=1), ValueError, r"several columns called \['a'\]"),
        (lambda X: X["a"], ValueError, "X is one column; wanted a DataFrame"),
    ],
)
def test_bad_X_to_predict_is_named(tree, spoil, error, words):
    X, y = data(tree)
    tree = clone(tree).fit(X, y)
    for method in (tree.predict, tree.apply, tree.decision_path):
        with pytest.raises(error, match=words):
            method(spoil(X))


@cart_of
def test_numbers_stay_numbers(tree):
    X, y = data(tree)
    tree = clone(tree).fit(X, y)
    with pytest.raises(TypeError, match=r"column 'q' was numeric in training.*is categorical"):
        tree.predict(X.assign(q="s"))
    with (
        pytest.warns(UserWarning, match="does not have valid feature names"),
        pytest.raises(
            TypeError, match=r"features \['a', 'b'\] of the tree are categorical: pass a DataFrame"
        ),
    ):
        tree.predict(np.zeros((1, 4)))


@names_of
@pytest.mark.parametrize("interrupt", [KeyboardInterrupt, MemoryError])
def test_an_interrupted_fit_is_no_fit(tree, interrupt, monkeypatch):
    X, y = data(tree)
    tree = clone(tree).fit(X, y)
    before = tree.tree_

    def stop(*arguments):
        raise interrupt

    with monkeypatch.context() as patch:
        patch.setattr("dtlib.growing.by_score.ByScore.decide", stop)
        patch.setattr("dtlib.growing.by_ratio.ByRatio.decide", stop)
        for estimator in (tree, clone(tree)):
            with pytest.raises(interrupt):
                estimator.fit(X, y)
            assert not hasattr(estimator, "tree_")
            assert not hasattr(estimator, "feature_importances_")
            with pytest.raises(NotFittedError):
                estimator.predict(X)
    assert tree.fit(X, y).tree_ == before


#: What of `dtlib.prune.pruners` each way of pruning calls after its tree was grown.
BY_ROWS = [({"prune": ReducedError()}, ["cut_errors"]), ({"prune": PrePruned()}, ["keep_helpful"])]
BY_PRICE = [
    ({"prune": CrossValidated(folds=2)}, ["pruning_path", "cross_validated", "cp_table"]),
    ({"prune": HoldoutValidated()}, ["pruning_path", "held_out_curve", "cp_table"]),
    ({"prune": ComplexityParameter(0.1)}, ["best_subtree"]),
    ({"ccp_alpha": 0.1}, ["pruning_path"]),
]
BY_ESTIMATE = [({"prune": Pessimistic(raising=raising)}, ["pessimistic"]) for raising in (True, False)]
MISSING_POLICIES = [
    (ID3Classifier(), BY_ROWS),
    (C45Classifier(), BY_ROWS + BY_ESTIMATE),
    (CARTClassifier(), BY_ROWS + BY_PRICE),
    (CARTRegressor(), BY_ROWS + BY_PRICE),
]
PRUNED = [
    pytest.param(tree, parameters, function, id=f"{type(tree).__name__}-{parameters}-{function}")
    for tree, ways in MISSING_POLICIES
    for parameters, functions in ways
    for function in functions
]


@pytest.mark.parametrize(("tree", "parameters", "function"), PRUNED)
def test_a_fit_interrupted_while_it_prunes_is_no_fit(tree, parameters, function, monkeypatch):
    """The tree was grown, but it is not the one that was asked for; nor is that of the fit before."""
    X, y = data(tree)
    fitted = clone(tree).fit(X, y).set_params(**parameters, random_state=0)
    reached = []

    def stop(*arguments):
        reached.append(function)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(f"dtlib.prune.pruners.{function}", stop)
        for estimator in (fitted, clone(fitted)):
            with pytest.raises(KeyboardInterrupt):
                estimator.fit(X, y)
            assert not {"tree_", "n_outputs_", "pruning_path_", "cptable_", "alpha_"} & set(vars(estimator))
            with pytest.raises(NotFittedError):
                estimator.predict(X)
    assert reached == [function] * 2
    assert fitted.fit(X, y).tree_ == clone(fitted).fit(X, y).tree_


# Presets: what is said twice, and what follows from what is given


@pytest.mark.parametrize(
    ("make", "given", "named"),
    [
        (CARTClassifier.rpart, {"prune": ComplexityParameter(0.05), "cp": -1}, "cp and prune"),
        (
            CARTClassifier.rpart,
            {"class_weight": "balanced", "prior": {"a": 0.5, "b": 0.5}},
            "prior and class_weight",
        ),
        (CARTClassifier.rpart, {"missing": "majority", "max_surrogates": 3}, "max_surrogates and missing"),
        (CARTClassifier.sklearn, {"dialect": "rpart", "samples": "rows"}, "samples and dialect"),
        (C45Classifier.j48, {"dialect": "j48", "gap": 1}, "gap and dialect"),
        (C45Classifier.j48, {"prune": Pessimistic(), "confidence": 0.01}, "confidence and prune"),
        (C45Classifier.release8, {"prune": None, "confidence": 0.01}, "confidence and prune"),
    ],
)
def test_a_preset_refuses_what_is_said_twice(make, given, named):
    with pytest.raises(ValueError, match=f"^{named} are given"):
        make(**given)


def test_rpart_prunes_nothing_if_told_so():
    golf = load_golf()
    grown = {"min_samples_split": 2, "min_samples_leaf": 1}
    whole = CARTClassifier.rpart(**grown, cp=-1).fit(golf.X, golf.y)
    assert (
        CARTClassifier.rpart(**grown, prune=None).fit(golf.X, golf.y).get_n_leaves() == whole.get_n_leaves()
    )
    assert CARTClassifier.rpart(**grown, prune=None, cp=0.9).fit(golf.X, golf.y).get_n_leaves() == 1


def test_a_share_of_the_samples_stays_one_in_rpart():
    assert CARTClassifier.rpart(min_samples_split=0.3).min_samples_leaf == pytest.approx(0.1)
    assert CARTClassifier.rpart(min_samples_leaf=0.4).min_samples_split == 0.4
    assert CARTClassifier.rpart(min_samples_leaf=3).min_samples_split == 9
    golf = load_golf()
    with pytest.raises(ValueError, match="min_samples_leaf is 'a'"):
        CARTClassifier.rpart(min_samples_leaf="a").fit(golf.X, golf.y)


@pytest.mark.parametrize("parameters", [{"prune__folds": 5}, {"dialect__samples": "rows"}])
@pytest.mark.parametrize("held", [{}, {"prune": "cv", "dialect": "rpart"}])
def test_settings_of_what_has_none(held, parameters):
    head = next(iter(parameters)).partition("__")[0]
    with pytest.raises(ValueError, match=f"^{head} is {held.get(head)!r}, which has no"):
        CARTClassifier(**held).set_params(**parameters)
