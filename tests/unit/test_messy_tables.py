"""Tables as they are downloaded: gaps, text, numbers, names; and frames in scikit-learn's tools."""

import re
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import make_column_transformer
from sklearn.ensemble import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    BaggingClassifier,
    BaggingRegressor,
    StackingClassifier,
    VotingClassifier,
)
from sklearn.feature_selection import RFE, SequentialFeatureSelector
from sklearn.model_selection import GridSearchCV, TunedThresholdClassifierCV, cross_val_score
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.multioutput import ClassifierChain, MultiOutputClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from dtlib import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, frame_like
from dtlib.datasets import load_loan
from tests.needs import needed

n = 120
rng = np.random.default_rng(0)
SEX = rng.choice(["male", "female"], n)
SHIP = pd.DataFrame(
    {
        "Pclass": rng.integers(1, 4, n),
        "Name": [f"Name {k}, {'Mr' if sex == 'male' else 'Mrs'}." for k, sex in enumerate(SEX)],
        "Sex": SEX,
        "Age": np.where(rng.random(n) < 0.2, np.nan, rng.normal(30, 12, n).round(1)),
        "Ticket": [f"PC {k}" if k % 3 else str(k) for k in rng.integers(0, 1000, n)],
        "Fare": rng.gamma(2, 15, n).round(2),
        "Cabin": [f"C{k}" if gap > 0.7 else None for k, gap in enumerate(rng.random(n))],
        "Embarked": np.where(rng.random(n) < 0.05, np.nan, rng.choice(np.array(list("SCQ"), object), n)),
    }
)
SURVIVED = pd.Series(((SEX == "female") ^ (rng.random(n) < 0.2)).astype(int), name="Survived")
SHARED = SHIP.drop(columns=["Name", "Ticket", "Cabin"])
KNOWN = SHARED.dropna()
SAVED = SURVIVED[KNOWN.index]
CART = CARTClassifier(missing="learned", max_depth=4)
NAMES = r"occur in one row only: Name, Ticket, Cabin\."


# One parameter, which the error names.

AS_READ = {
    "pandas": lambda X: X,
    "objects": lambda X: X.astype(dict.fromkeys(("Sex", "Embarked"), object)),
    "categories": lambda X: X.astype({"Sex": "category", "Embarked": "category"}),
    "nullable": lambda X: X.convert_dtypes(),
    "Arrow in pandas": lambda X: needed("pyarrow") and X.convert_dtypes(dtype_backend="pyarrow"),
    "polars": lambda X: needed("polars").from_pandas(X),
    "pyarrow": lambda X: needed("pyarrow").Table.from_pandas(X),
}


@pytest.mark.parametrize("as_read", AS_READ.values(), ids=AS_READ)
def test_a_table_as_downloaded_is_fitted_with_the_parameter_that_the_error_names(as_read):
    X = as_read(SHIP)
    with pytest.raises(ValueError, match="missing values in categorical features: Cabin, Embarked") as said:
        CARTClassifier(max_depth=4).fit(X, SURVIVED)
    (value,) = re.findall(r'CART takes them with missing="(\w+)"', str(said.value))
    tree = CARTClassifier(max_depth=4, missing=value)
    with pytest.warns(UserWarning, match=NAMES):
        tree.fit(X, SURVIVED)
    assert tree.predict(X).shape == (n,)
    assert tree.tree_.missing == "learned"
    whole = clone(tree).fit(SHARED, SURVIVED).tree_
    assert clone(tree).fit(as_read(SHARED), SURVIVED).tree_ == whole
    (value,) = re.findall(r'C4.5 with missing="(\w+)"', str(said.value))
    assert C45Classifier(missing=value).fit(as_read(SHARED), SURVIVED).tree_.saw_missing


@pytest.mark.parametrize("X", [SHIP[["Age", "Fare"]], SHIP[["Age", "Fare"]].to_numpy()])
def test_gaps_among_numbers_name_the_parameter_too(X):
    for tree, y in ((CARTClassifier(), SURVIVED), (CARTRegressor(), SHIP["Fare"])):
        with pytest.raises(
            ValueError, match=r'is missing.* in row \d+.* CART takes them with missing="learned"'
        ):
            tree.fit(X, y)
        tree.set_params(missing="learned").fit(X, y)


def test_infinity_is_named_by_row_and_column():
    endless = SHARED.assign(Fare=SHARED["Fare"].where(SHARED.index != 7, np.inf))
    with pytest.raises(ValueError, match=r"^column 'Fare' is inf in row 7 \(counted from 0\)"):
        CART.fit(endless, SURVIVED)
    with pytest.raises(ValueError, match=r"^X is inf in row 7, column 1 \(counted from 0\)"):
        CART.fit(endless[["Age", "Fare"]].to_numpy(), SURVIVED)
    with pytest.raises(ValueError, match=r"^column 'x3' is inf in row 7 \(counted from 0\)"):
        CART.fit(endless.to_numpy(), SURVIVED)
    with pytest.raises(ValueError, match=r"^y is inf in row 7 \(counted from 0\)"):
        CARTRegressor(missing="learned").fit(SHARED, endless["Fare"])
    with pytest.raises(ValueError, match=r"^sample_weight\[7\] is inf"):
        CART.fit(SHARED, SURVIVED, endless["Fare"])


def test_what_is_masked_is_missing():
    masked = np.ma.masked_invalid(SHARED[["Age", "Fare"]].to_numpy())
    plain = clone(CART).fit(SHARED[["Age", "Fare"]].to_numpy(), SURVIVED)
    assert clone(CART).fit(masked, SURVIVED).tree_ == plain.tree_
    with pytest.raises(ValueError, match=r"^y is missing in 1 row, which is row 7 "):
        CART.fit(masked, np.ma.array(SURVIVED, mask=np.arange(n) == 7))
    with pytest.raises(ValueError, match=r"^sample_weight is missing \(NaN\) in row 7 "):
        CART.fit(masked, SURVIVED, np.ma.array(np.ones(n), mask=np.arange(n) == 7))


def test_dates_are_refused_by_name():
    dated = SHARED.assign(Boarded=pd.date_range("1912-04-10", periods=n))
    for X in (dated, dated.to_numpy()):
        with pytest.raises(TypeError, match=r"^column '(Boarded|x5)' is of type datetime64.*\.dt\.year"):
            CART.fit(X, SURVIVED)


# Categories of one row each.


@pytest.mark.parametrize("tree", [CART, C45Classifier(), CARTRegressor(missing="learned", max_depth=2)])
def test_names_are_warned_of(tree):
    with pytest.warns(UserWarning, match=NAMES):
        clone(tree).fit(SHIP, SURVIVED)


def test_only_categories_of_many_rows_each_are_left_alone():
    def warned(column):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            CARTClassifier().fit(pd.DataFrame({"c": column}), np.arange(len(column)) % 2)
        return len(said)

    texts = np.array([f"n{k}" for k in range(60)])
    assert warned(texts[:29]) == 0
    assert warned(texts[:30]) == 1
    assert warned(np.repeat(texts, 2)) == 0
    assert warned(np.append(texts, texts[:30])) == 0  # one half in one row
    assert warned(np.append(texts, texts[:29])) == 1
    assert warned(pd.Categorical(texts[:29], texts)) == 0  # categories that no row has
    assert warned(pd.Categorical(texts, texts, ordered=True)) == 0
    assert warned(np.arange(60.0)) == 0
    assert warned(np.arange(60.0).astype(object)) == 1


# Frames in scikit-learn's tools, without frame_like.

TOOLS = {
    "bagging": BaggingClassifier(CART, 5, random_state=0),
    "bagging of some columns": BaggingClassifier(CART, 5, max_features=0.5, random_state=0),
    "voting": VotingClassifier([("cart", CART), ("c45", C45Classifier())]),
    "stacking": StackingClassifier([("cart", CART), ("c45", C45Classifier())], CART),
    "calibration": CalibratedClassifierCV(CART, cv=3),
    "grid": GridSearchCV(CART, {"max_depth": [1, 3]}, cv=3),
    "threshold": TunedThresholdClassifierCV(CART, cv=3),
    "one against the rest": OneVsRestClassifier(CART),
    "pipeline": make_pipeline(CART),
    "transformed": make_pipeline(
        make_column_transformer((StandardScaler(), ["Age", "Fare"]), remainder="passthrough"), CART
    ),
    "transformed to frames": make_pipeline(
        make_column_transformer(
            (StandardScaler(), ["Age", "Fare"]), remainder="passthrough"
        ).set_output(transform="pandas"), CART,
    ),
}  # fmt: skip


@pytest.mark.parametrize("tool", TOOLS.values(), ids=TOOLS)
def test_tools_take_frames_with_categories_and_gaps(tool):
    tool = clone(tool).fit(SHARED, SURVIVED)
    assert tool.score(SHARED, SURVIVED) > 0.75
    assert (tool.predict(SHARED.head(1)) == tool.predict(SHARED)[:1]).all()


def test_a_fit_on_an_array_of_objects_is_that_on_the_frame():
    plain, array = clone(CART).fit(SHARED, SURVIVED), clone(CART).fit(SHARED.to_numpy(object), SURVIVED)
    assert [f.kind for f in array.tree_.features] == [f.kind for f in plain.tree_.features]
    assert array.tree_.feature.tolist() == plain.tree_.feature.tolist()
    assert (array.predict_proba(SHARED.to_numpy(object)) == plain.predict_proba(SHARED)).all()
    assert not hasattr(array, "feature_names_in_")
    assert array.n_features_in_ == SHARED.shape[1]
    with pytest.raises(ValueError, match="X has 4 features, but CARTClassifier is expecting 5 features"):
        array.predict(SHARED.to_numpy(object)[:, 1:])


def test_bagged_trees_are_those_of_the_frames_rows_but_for_names():
    bag = TOOLS["bagging"].fit(SHARED, SURVIVED)
    for tree, rows in zip(bag.estimators_, bag.estimators_samples_, strict=True):
        alone = clone(tree).fit(SHARED.iloc[rows], SURVIVED.iloc[rows])
        assert tree.tree_.feature.tolist() == alone.tree_.feature.tolist()
        assert (tree.predict_proba(SHARED.to_numpy(object)) == alone.predict_proba(SHARED)).all()


def test_searches_by_rows_and_several_outputs_take_frames():
    assert cross_val_score(CART, SHARED, SURVIVED, cv=3, error_score="raise").shape == (3,)
    both = np.stack([SURVIVED, SHIP["Pclass"] > 1], axis=1)
    assert MultiOutputClassifier(CART).fit(SHARED, both).predict(SHARED).shape == (n, 2)


@pytest.mark.parametrize("tool", [AdaBoostClassifier(CART, n_estimators=3)])
def test_adaboost_takes_categories_but_refuses_gaps_itself(tool):
    assert clone(tool).fit(KNOWN, SAVED).score(KNOWN, SAVED) > 0.8
    with pytest.raises(ValueError, match=r"^Input contains NaN"):
        clone(tool).fit(SHARED, SURVIVED)


def test_regressors_take_frames_with_categories():
    tree = CARTRegressor(missing="learned", max_depth=3)
    X = SHARED.drop(columns="Fare")
    bag = BaggingRegressor(tree, 3, random_state=0).fit(X, SHARED["Fare"])
    assert bag.predict(X).shape == (n,)
    known = X.dropna()
    fares = SHARED["Fare"][known.index]
    boosted = AdaBoostRegressor(tree, n_estimators=3, random_state=0).fit(known, fares)
    assert boosted.score(known, fares) > 0


@pytest.mark.parametrize(
    "tool",
    [RFE(CART), SequentialFeatureSelector(CART, cv=3), OneVsOneClassifier(CART), ClassifierChain(CART)],
)
def test_tools_that_make_numbers_of_a_frame_refuse_text_before_the_tree_sees_it(tool):
    """Their validate_data has the default dtype="numeric"; if one of these passes, say so in the docs."""
    y = np.stack([SAVED, SAVED], axis=1) if isinstance(tool, ClassifierChain) else SAVED
    with pytest.raises(ValueError, match=r"could not convert string to float: '(fe)?male'"):
        tool.fit(KNOWN, y)


def test_id3_reads_each_number_of_an_array_as_a_category():
    loan = load_loan()
    assert (
        BaggingClassifier(ID3Classifier(), 5, random_state=0).fit(loan.X, loan.y).score(loan.X, loan.y) > 0.8
    )
    X = np.array([["a", 1], ["b", 1], ["a", 2], ["b", 2]], dtype=object)
    tree = ID3Classifier().fit(X, list("nnyy"))
    assert [feature.values for feature in tree.tree_.features] == [("a", "b"), (1, 2)]
    assert tree.predict(X).tolist() == list("nnyy")


def test_what_an_array_loses_comes_back_by_frame_like():
    sizes = pd.Categorical(["S", "L", "M"] * 40, ["S", "M", "L"], ordered=True)
    X = SHARED.assign(size=sizes, code=pd.Categorical(SHARED["Pclass"]))
    kinds = {}
    for name, tree in {"plain": CART, "like": make_pipeline(frame_like(X), CART)}.items():
        first = BaggingClassifier(tree, 2, random_state=0).fit(X, SURVIVED).estimators_[0]
        features = (first if name == "plain" else first[-1]).tree_.features
        kinds[name] = [(feature.name, feature.kind) for feature in features[-2:]]
    assert kinds == {
        "plain": [("x5", "nominal"), ("x6", "numeric")], "like": [("size", "ordered"), ("code", "nominal")],
    }  # fmt: skip


# Arrays of objects.

MIXED = np.array(
    [["a", 1, True, None], ["b", None, False, None], [None, 3, None, None], ["a", 4.5, True, None]], object
)


def test_columns_of_an_array_of_objects_have_the_types_of_their_entries():
    tree = CARTClassifier(missing="learned").fit(MIXED, list("nyyn"))
    assert [feature.kind for feature in tree.tree_.features] == ["nominal", "numeric", "nominal", "nominal"]
    assert [feature.values for feature in tree.tree_.features] == [("a", "b"), (), (False, True), ()]
    assert tree.predict(MIXED).tolist() == list("nyyn")
    lost = np.full((2, 4), None)  # no text is left, and what was never known comes
    lost[1, 3] = 7
    assert tree.predict(lost).tolist() == tree.predict(lost[[0, 0]]).tolist()
    assert tree.predict(np.where(MIXED == "a", "new", MIXED)).shape == (4,)


@pytest.mark.parametrize(
    ("entry", "error", "words"),
    [
        (2, TypeError, "column 'x0' mixes values of types int, str"),
        ({}, TypeError, r"column 'x0' cannot be used as a category .*unhashable"),
        (pd.Timestamp(0), TypeError, "column 'x0' mixes values of types Timestamp, str"),
        (None, ValueError, "missing values in categorical features: x0.*in row 0"),
    ],
)
def test_other_arrays_of_objects_are_refused(entry, error, words):
    X = np.array([["a", 1], ["b", 2], ["a", 3]], dtype=object)
    tree = CARTClassifier().fit(X, list("nyn"))
    X[0, 0] = entry
    with pytest.raises(error, match=words):
        tree.fit(X, list("nyn"))
    X[0] = "a", 2**53 + 1
    with pytest.raises(ValueError, match=r"^X holds 9007199254740993; beyond"):
        tree.fit(X, list("nyn"))


def test_lists_of_text_and_numbers_are_refused_as_numpy_makes_text_of_all():
    with pytest.raises(TypeError, match=r"NumPy makes text of numbers.*numpy.array\(X, dtype=object\)"):
        CARTClassifier().fit([["a", 1], ["b", 2]], list("ny"))
