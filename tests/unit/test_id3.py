import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score

from dtlib import ID3Classifier, plain
from dtlib.datasets import load_golf, load_loan, load_watermelon


@pytest.fixture
def melons():
    return load_watermelon()


@pytest.fixture
def melon_tree(melons):
    return ID3Classifier().fit(melons.X, melons.y).tree_


def test_the_loan_tree():
    loan = load_loan()
    tree = ID3Classifier().fit(loan.X, loan.y).tree_
    assert [node.feature for node in tree] == ["owns_house", "has_job", None, None, None]
    assert [node.prediction for node in tree if node.is_leaf] == ["yes", "no", "yes"]


def test_the_melon_tree(melon_tree):
    leaves = {" and ".join(leaf.path): (leaf.prediction, leaf.n) for leaf in melon_tree if leaf.is_leaf}
    clear, curly = "texture = clear", "stem = slightly curled"
    assert leaves == {
        f"{clear} and stem = curled": ("yes", 5),
        f"{clear} and {curly} and color = green": ("yes", 1),
        f"{clear} and {curly} and color = dark and touch = hard and smooth": ("yes", 1),
        f"{clear} and {curly} and color = dark and touch = soft and sticky": ("no", 1),
        f"{clear} and {curly} and color = pale": ("yes", 0),
        f"{clear} and stem = stiff": ("no", 1),
        "texture = slightly blurry and touch = hard and smooth": ("no", 4),
        "texture = slightly blurry and touch = soft and sticky": ("yes", 1),
        "texture = blurry": ("no", 3),
    }


def test_the_empty_branch_answers_with_its_parents_majority(melons, melon_tree):
    (empty,) = [leaf for leaf in melon_tree if leaf.reason == "empty branch"]
    assert empty.condition == "color = pale"
    assert empty.prediction == "yes"
    assert empty.parent.counts.tolist() == [1, 2]
    pale = melons.X.iloc[[5]].assign(color="pale")
    id3 = ID3Classifier().fit(melons.X, melons.y)
    assert id3.predict(pale) == ["yes"]
    np.testing.assert_allclose(id3.predict_proba(pale), [[1 / 3, 2 / 3]])


def test_three_features_tie_inside_clear_and_the_first_column_wins(melon_tree):
    table = melon_tree.explain(1).set_index("feature")
    assert table["gain"].round(3).to_dict() == {
        "color": 0.043,
        "stem": 0.458,
        "knock": 0.331,
        "texture": 0.0,
        "navel": 0.458,
        "touch": 0.458,
    }
    assert table.index[table["chosen"]].tolist() == ["stem"]
    assert table["reason"].to_dict() == {
        "color": "smaller gain",
        "stem": "largest gain",
        "knock": "smaller gain",
        "texture": "asked above",
        "navel": "equal gain, but a later column",
        "touch": "equal gain, but a later column",
    }


def test_a_tie_follows_the_columns(melons):
    tree = ID3Classifier().fit(melons.X[["touch", "navel", "stem", "texture"]], melons.y).tree_
    assert tree[1].feature == "touch"


@given(st.integers(0, 10**6), st.integers(2, 40))
def test_the_order_of_the_rows_does_not_matter(seed, n):
    rng = np.random.default_rng(seed)
    X, y = pd.DataFrame(rng.integers(0, 3, (n, 4)), columns=list("abcd")).astype(str), rng.integers(0, 2, n)
    order = rng.permutation(n)
    assert ID3Classifier().fit(X, y).tree_ == ID3Classifier().fit(X.iloc[order], y[order]).tree_


@given(st.integers(0, 10**6), st.integers(2, 30))
def test_weight_two_is_the_row_twice_and_weight_zero_no_row(seed, n):
    rng = np.random.default_rng(seed)
    X, y = pd.DataFrame(rng.integers(0, 3, (n, 3)), columns=list("abc")).astype("str"), rng.integers(0, 3, n)
    w = rng.integers(0, 4, n)
    w[0] = 1
    twice = np.repeat(np.arange(n), w)
    assert ID3Classifier().fit(X, y, w).tree_ == ID3Classifier().fit(X.iloc[twice], y[twice]).tree_


def test_threshold(melons):
    root_gain = ID3Classifier().fit(melons.X, melons.y).tree_.gain[0]
    assert ID3Classifier(min_gain=root_gain).fit(melons.X, melons.y).tree_.node_count > 1
    stump = ID3Classifier(min_gain=root_gain + 1e-6).fit(melons.X, melons.y).tree_
    assert (stump.node_count, stump.reason) == (1, ("gain below min_gain",))
    assert stump.root.prediction == "no"


def test_no_gain_no_question():
    xor = pd.DataFrame({"a": list("0011"), "b": list("0101")})
    tree = ID3Classifier().fit(xor, ["no", "yes", "yes", "no"]).tree_
    assert (tree.node_count, tree.reason) == (1, ("no gain",))


def test_equal_rows_of_different_class_end_in_one_leaf():
    tree = ID3Classifier().fit(pd.DataFrame({"a": ["u", "u", "v"]}), ["no", "yes", "yes"]).tree_
    assert tree.reason == ("", "no feature left", "pure")
    assert tree[1].prediction == "no"


def test_one_class_is_one_leaf():
    id3 = ID3Classifier().fit(pd.DataFrame({"a": ["u", "v"]}), ["yes", "yes"])
    assert id3.tree_.reason == ("pure",)
    assert id3.predict(pd.DataFrame({"a": ["w"]})) == ["yes"]


def test_a_value_never_seen_stops_at_the_node_that_asks(melons):
    id3 = ID3Classifier().fit(melons.X, melons.y)
    strange = melons.X.iloc[[0]].astype(str).assign(texture="velvet")
    assert id3.apply(strange).tolist() == [0]
    assert id3.predict(strange) == ["no"]


@pytest.mark.long
def test_columns_of_many_values_are_counted_as_those_of_few():
    rng = np.random.default_rng(3)
    X = pd.DataFrame({name: pd.Categorical(rng.integers(0, 6, 60), range(700)) for name in "abc"})
    y = pd.Series(rng.integers(0, 3, 60))
    own = plain.grow(X.assign(y=y), list(X), "y", plain.choose_id3)
    assert plain.rules(own) == list(ID3Classifier().fit(X, y).tree_.rules()["rule"])


def test_it_is_an_estimator(melons):
    id3 = ID3Classifier(min_gain=0.1)
    assert clone(id3).get_params() == id3.get_params()
    assert clone(id3).min_gain == 0.1
    assert cross_val_score(id3, melons.X, melons.y, cv=3).shape == (3,)
    search = GridSearchCV(id3, {"min_gain": [0.0, 0.3]}, cv=3).fit(melons.X, melons.y)
    assert search.best_params_["min_gain"] in (0.0, 0.3)


def test_a_pickled_tree_predicts_but_carries_no_data(melons):
    id3 = ID3Classifier().fit(melons.X, melons.y)
    again = pickle.loads(pickle.dumps(id3))
    assert again.tree_ == id3.tree_
    assert (again.predict(melons.X) == id3.predict(melons.X)).all()
    with pytest.raises(ValueError, match="no training data"):
        again.tree_.explain(0)


def test_explain_a_sample(melons):
    path = ID3Classifier().fit(melons.X, melons.y).explain(melons.X.iloc[[7]])
    assert path["condition"].tolist() == [
        "",
        "texture = clear",
        "stem = slightly curled",
        "color = dark",
        "touch = hard and smooth",
    ]
    assert path["prediction"].tolist()[-1] == "yes"


loan_X, loan_y = load_loan().X, load_loan().y


@pytest.mark.parametrize(
    ("X", "y", "options", "error", "words"),
    [
        (load_golf().X, load_golf().y, {}, TypeError, "temperature, humidity.*CARTClassifier"),
        (loan_X.to_numpy().astype(str), loan_y, {}, TypeError, "is an array of text .*Give a DataFrame"),
        (loan_X.iloc[:0], loan_y[:0], {}, ValueError, r"shape \(0, 4\)"),
        (loan_X[[]], loan_y, {}, ValueError, r"shape \(15, 0\)"),
        (loan_X, loan_y[:3], {}, ValueError, "3 entries, but X has 15 rows"),
        (load_watermelon("2.0a").X, load_watermelon("2.0a").y, {}, ValueError, "color, stem, knock, texture"),
        (loan_X, [None, *loan_y[1:]], {}, ValueError, "y is missing in 1 row, which is row 0 "),
        (loan_X, np.linspace(0, 1, 15), {}, ValueError, "Unknown label type"),
        (
            pd.concat([loan_X, loan_X["age"]], axis=1),
            loan_y,
            {},
            ValueError,
            r"several columns called \['age'\]",
        ),
        (loan_X, ["yes", np.nan] * 7 + ["no"], {}, ValueError, "y is missing in 7 rows, the first is row 1 "),
        (loan_X, ["yes", 1] * 7 + ["no"], {}, TypeError, "y mixes classes of types int, str"),
        (loan_X.rename(columns={"age": 0}), loan_y, {}, TypeError, "columns called .*, and 0, which is not"),
        (loan_X.assign(age=pd.Categorical([1, "1", 2] * 5)), loan_y, {}, TypeError, "types int, str"),
        (loan_X, loan_y, {"min_gain": -1}, ValueError, "min_gain is -1"),
        (loan_X, loan_y, {"min_gain": "much"}, ValueError, "min_gain is 'much'"),
        (loan_X, loan_y, {"min_gain": np.nan}, ValueError, "min_gain is nan"),
        (
            loan_X.assign(age=pd.Timestamp("2020-01-01")),
            loan_y,
            {},
            TypeError,
            "needs categorical features, but these columns are not: age",
        ),
    ],
)
def test_bad_input_is_named(X, y, options, error, words):
    with pytest.raises(error, match=words):
        ID3Classifier(**options).fit(X, y)


@pytest.mark.parametrize(
    ("weight", "words"),
    [
        ([1, 2], "there are 15 rows"),
        ([-1] * 15, "not negative"),
        ([np.inf] * 15, "finite"),
        ([0] * 15, "zero for"),
    ],
)
def test_bad_weights_are_named(weight, words):
    with pytest.raises(ValueError, match=words):
        ID3Classifier().fit(loan_X, loan_y, weight)


@pytest.mark.parametrize(
    ("y", "kind"),
    [
        (pd.array([1, 2, 1], dtype="Int64"), "i"),
        (pd.array([True, False, True], dtype="boolean"), "b"),
        (pd.Categorical([2, 1, 2], [2, 1]), "i"),
        ([3, 4, 4], "i"),
        (np.array([[0], [1], [1]]).ravel(), "i"),
        (pd.Series(["a", "b", "b"], index=[7, 8, 9]), "O"),
    ],
)
def test_classes_keep_their_type(y, kind):
    id3 = ID3Classifier().fit(pd.DataFrame({"a": ["u", "v", "w"]}), y)
    assert id3.classes_.dtype.kind == kind
    assert id3.predict(pd.DataFrame({"a": ["u", "v", "w"]})).tolist() == list(y)


def test_nothing_works_before_fit():
    for method in ("predict", "predict_proba", "apply", "explain"):
        with pytest.raises(NotFittedError, match="not fitted yet"):
            getattr(ID3Classifier(), method)(loan_X.head(1))


def test_predict_wants_the_columns_of_fit():
    id3 = ID3Classifier().fit(loan_X, loan_y)
    with pytest.raises(ValueError, match="feature names"):
        id3.predict(loan_X[loan_X.columns[::-1]])
    with pytest.raises(ValueError, match="missing values"):
        id3.predict(loan_X.astype(object).where(loan_X != "young"))
    with pytest.raises(ValueError, match="give one"):
        id3.explain(loan_X)


def test_fractions_of_an_array_are_names_of_their_own():
    model = ID3Classifier().fit(np.array([[0.25], [0.75], [0.25]]), [0, 1, 0])
    assert model.tree_.node_count == 3
    assert model.predict(np.array([[0.75], [0.25]])).tolist() == [1, 0]
