"""What a greedy tree does not see, rare classes, and several outputs (chapters 16 and 20)."""

import numpy as np
import pytest
from sklearn.datasets import load_digits, make_classification
from sklearn.ensemble import BaggingClassifier
from sklearn.metrics import balanced_accuracy_score, recall_score
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_predict
from sklearn.multioutput import MultiOutputClassifier, MultiOutputRegressor
from sklearn.tree import DecisionTreeClassifier

from dtlib import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier, Prior
from dtlib.dialects import CARTDialect
from dtlib.measures import entropy, gini

CORNERS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
ODD = CORNERS[:, 0] ^ CORNERS[:, 1]


def standard_score(a, b):
    """Return how many standard errors the mean of a is above that of b, pair by pair."""
    d = np.asarray(a, float) - np.asarray(b, float)
    return d.mean() / (d.std(ddof=1) / np.sqrt(len(d)))


# XOR


def test_no_first_question_tells_anything_of_xor():
    for impurity in (entropy, gini):
        whole = impurity(np.bincount(ODD))
        for x in CORNERS.T:
            assert whole == np.mean([impurity(np.bincount(ODD[x == v], minlength=2)) for v in (0, 1)])
    for tree in (CARTClassifier(), CARTClassifier(criterion="entropy"), ID3Classifier(), C45Classifier()):
        found = tree.fit(CORNERS, ODD).tree_
        assert found.node_count == 1
        assert found.explain(0)["gain"].tolist() == [0, 0]


@pytest.mark.parametrize("copies", [1, 25])
def test_four_leaves_are_xor(copies):
    X, y = CORNERS.repeat(copies, axis=0), ODD.repeat(copies)
    tree = CARTClassifier(dialect=CARTDialect(zero_gain=True)).fit(X, y)
    assert (tree.get_n_leaves(), tree.get_depth(), tree.score(X, y)) == (4, 2, 1)
    assert tree.tree_.gain[:3].tolist() == [0, 0.5, 0.5]  # the first question only prepares the others
    assert CARTClassifier().fit(X, y).score(X, y) == 0.5


def test_a_draw_of_rows_breaks_the_balance_of_xor():
    X, y = CORNERS.repeat(25, axis=0), ODD.repeat(25)
    bag = BaggingClassifier(CARTClassifier(), 25, random_state=0).fit(X, y)
    assert bag.score(X, y) == 1
    assert sum(tree.score(X, y) == 1 for tree in bag.estimators_) > 20  # unless a draw is balanced itself


def noisy_xor(n, seed, columns=4, wrong=0.05):
    """Return numbers from -1 to 1, and whether just one of the first two is positive, a few wrong."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (n, columns))
    y = (X[:, 0] > 0) ^ (X[:, 1] > 0)
    return X, (y ^ (rng.random(n) < wrong)).astype(int)


def look_ahead(X, y, cuts=15):
    """Return the first question (column, threshold) after which one more on each side lowers Gini most."""
    found, shares = [], np.linspace(0, 1, cuts + 2)[1:-1]
    for f, t in ((f, t) for f, x in enumerate(X.T) for t in np.quantile(x, shares)):
        sides = (X[:, f] <= t, X[:, f] > t)
        trees = [CARTClassifier(max_depth=1, keep_data=False).fit(X[s], y[s]).tree_ for s in sides]
        found.append((sum(tree.n[0] * (tree.impurity[0] - tree.gain[0]) for tree in trees), f, t))
    return min(found)[1:]


def two_questions(X, y, XT):
    """Return the column of the question that looks ahead, and what it and one more on each side predict."""
    f, t = look_ahead(X, y)
    predicted = np.empty(len(XT), int)
    for a, b in ((X[:, f] <= t, XT[:, f] <= t), (X[:, f] > t, XT[:, f] > t)):
        predicted[b] = CARTClassifier(max_depth=1).fit(X[a], y[a]).predict(XT[b])
    return f, predicted


@pytest.mark.long
def test_who_finds_xor_among_columns_that_mean_nothing():
    right = {name: [] for name in ("greedy", "four leaves", "ahead", "bag")}
    for seed in range(5):
        X, y = noisy_xor(200, seed)
        XT, yT = noisy_xor(2000, 1000 + seed, wrong=0)
        column, ahead = two_questions(X, y, XT)
        assert column in (0, 1)
        bag = BaggingClassifier(CARTClassifier(keep_data=False), 25, random_state=0)
        right["greedy"].append(CARTClassifier().fit(X, y).score(XT, yT))
        right["four leaves"].append(CARTClassifier(max_depth=2).fit(X, y).score(XT, yT))
        right["ahead"].append((ahead == yT).mean())
        right["bag"].append(bag.fit(X, y).score(XT, yT))
    assert np.mean(right["ahead"]) > 0.95
    assert np.mean(right["bag"]) > 0.93
    assert np.mean(right["four leaves"]) < 0.8
    assert standard_score(right["ahead"], right["four leaves"]) > 2
    assert np.mean(right["greedy"]) < np.mean(right["bag"])


# A rare class


def rare(rows=2000):
    return make_classification(
        rows, 8, n_informative=4, weights=[0.95], flip_y=0.02, class_sep=0.8, random_state=0
    )


def test_weights_find_more_of_a_rare_class_in_a_small_tree():
    X, y = rare()
    cv = StratifiedKFold(10, shuffle=True, random_state=0)
    plain, balanced, prior = (
        cross_val_predict(CARTClassifier(max_depth=3, class_weight=weight), X, y, cv=cv)
        for weight in (None, "balanced", Prior([0.5, 0.5]))
    )
    few = y == 1
    assert standard_score(balanced[few], plain[few]) > 5  # recall
    assert recall_score(y, plain) < 0.2 < 0.5 < recall_score(y, balanced)
    assert balanced_accuracy_score(y, balanced) > balanced_accuracy_score(y, plain) + 0.1
    assert standard_score(balanced == y, plain == y) < -5  # what it costs
    assert (balanced == prior).all()


def test_weights_do_not_help_a_tree_whose_leaves_are_pure():
    X, y = rare()
    cv = StratifiedKFold(10, shuffle=True, random_state=0)
    plain, balanced = (
        cross_val_predict(CARTClassifier(class_weight=weight), X, y, cv=cv) for weight in (None, "balanced")
    )
    assert standard_score(balanced[y == 1], plain[y == 1]) < 1


def test_a_class_of_weight_k_is_its_rows_k_times():
    X, y = rare(400)
    times = np.where(y == 1, 4, 1)
    weighted = CARTClassifier(class_weight={1: 4}, min_samples_leaf=10).fit(X, y)
    by_row = CARTClassifier(min_samples_leaf=10).fit(X, y, times)
    repeated = CARTClassifier(min_samples_leaf=10).fit(X.repeat(times, axis=0), y.repeat(times))
    assert weighted.tree_ == by_row.tree_
    assert str(weighted.tree_) == str(repeated.tree_)
    assert weighted.tree_.n.tolist() == repeated.tree_.n.tolist()


@pytest.mark.parametrize("depth", [1, 3])
def test_balanced_is_scikit_learns(depth):
    X, y = rare()
    ours = CARTClassifier.sklearn(max_depth=depth, class_weight="balanced").fit(X, y)
    theirs = DecisionTreeClassifier(max_depth=depth, class_weight="balanced", random_state=0).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X))
    assert ours.tree_.value.shape[0] == theirs.tree_.node_count
    of_class = ours.tree_.summary[0]
    assert of_class[0] == pytest.approx(of_class[1])


# Several outputs


def curve(x):
    return np.column_stack([np.sin(x), np.cos(x)])


def test_outputs_that_go_together_share_a_tree():
    errors = {"one": [], "each": []}
    tree = CARTRegressor(min_samples_leaf=5, keep_data=False)
    for seed in range(10):
        rng = np.random.default_rng(seed)
        x, xt = 6.3 * rng.random((200, 1)), 6.3 * rng.random((1000, 1))
        y = curve(x[:, 0]) + rng.normal(0, 0.3, (200, 2))
        for name, model in (("one", tree), ("each", MultiOutputRegressor(tree))):
            errors[name].append(((model.fit(x, y).predict(xt) - curve(xt[:, 0])) ** 2).mean())
    assert standard_score(errors["one"], errors["each"]) < -3
    assert np.mean(errors["one"]) < 0.9 * np.mean(errors["each"])


def test_two_facts_about_a_digit_are_better_told_by_one_tree():
    X, digit = load_digits(return_X_y=True)
    Y = np.column_stack([digit % 2, digit >= 5]).astype(int)
    cv, tree = KFold(5, shuffle=True, random_state=1), CARTClassifier(keep_data=False)
    one, each = (
        (cross_val_predict(model, X, Y, cv=cv) == Y).all(axis=1)
        for model in (tree, MultiOutputClassifier(tree))
    )
    assert standard_score(one, each) > 3
    assert one.mean() > each.mean() + 0.03


@pytest.mark.parametrize("k", [2, 5])
def test_outputs_that_have_nothing_to_do_with_each_other(k):
    X = np.indices([2] * k).reshape(k, -1).T
    one, each = CARTClassifier().fit(X, X), MultiOutputClassifier(CARTClassifier()).fit(X, X)
    assert one.get_n_leaves() == 2**k
    assert sum(tree.get_n_leaves() for tree in each.estimators_) == 2 * k
    assert (one.predict(X) == X).all()
    assert (each.predict(X) == X).all()


def test_the_unit_of_an_output_decides_what_is_asked():
    rng = np.random.default_rng(0)
    X = rng.random((200, 2))
    Y = X + rng.normal(0, 0.1, X.shape)
    for scale, feature in (([100, 1], 0), ([1, 100], 1)):
        tree = CARTRegressor(max_depth=2).fit(X, Y * scale).tree_
        assert set(tree.feature[:3]) == {feature}
    both = CARTRegressor(max_depth=2).fit(X, Y / Y.std(0)).tree_
    assert set(both.feature[:3]) == {0, 1}
