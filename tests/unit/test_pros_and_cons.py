"""The advantages and drawbacks of trees, each decided by an experiment of its own (chapter 23)."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier

from dtlib import C45Classifier, CARTClassifier, CARTRegressor, ID3Classifier
from dtlib.datasets import load_loan, load_regression_points, load_watermelon
from dtlib.dialects import CARTDialect
from dtlib.prune import CrossValidated

pytestmark = pytest.mark.long

TUMORS = load_breast_cancer(as_frame=True)
KIND = pd.Series(TUMORS.target_names[TUMORS.target])


def surely_above_zero(leads):
    """Tell whether a mean of independent draws is more than three standard errors above 0."""
    leads = np.asarray(leads, float)
    return leads.mean() > 3 * leads.std(ddof=1) / len(leads) ** 0.5


# Advantages


def conditions(rule):
    """Return the conditions of a rule, "if a ≤ 1 and b > 2 then c"."""
    return rule.removeprefix("if ").split(" then ")[0].split(" and ")


def meets(X, condition):
    """Tell which rows meet a condition on a number."""
    name, sign, value = condition.rsplit(" ", 2)
    compare = {"≤": np.less_equal, ">": np.greater, "<": np.less, "≥": np.greater_equal}[sign]
    return compare(X[name], float(value))


def test_every_answer_has_one_rule_and_a_small_tree_has_few():
    tree = CARTClassifier.rpart().fit(TUMORS.data, KIND)
    rules, leaf = tree.tree_.rules(), tree.apply(TUMORS.data)
    assert len(rules) == tree.get_n_leaves() < 10
    held = pd.DataFrame({i: np.logical_and.reduce([meets(TUMORS.data, c) for c in conditions(rule)])
                         for i, rule in enumerate(rules["rule"])})  # fmt: skip
    assert (held.sum(axis=1) == 1).all()  # exclusive, and nothing left out
    said = rules["rule"].str.split(" then ").str[1].to_numpy()[held.to_numpy().argmax(axis=1)]
    assert (said == tree.predict(TUMORS.data)).all()
    assert (pd.Series(leaf).groupby(held.to_numpy().argmax(axis=1)).nunique() == 1).all()


def test_a_full_tree_of_the_digits_has_more_rules_than_anybody_reads():
    digits = load_digits(as_frame=True)
    tree = CARTClassifier().fit(digits.data, digits.target).tree_
    assert len(tree.rules()) == tree.n_leaves > 100
    assert tree.max_depth > 10


@pytest.mark.parametrize("f", [lambda x: 1000 * x, np.log1p, lambda x: x**3])
def test_units_change_no_training_row_but_bent_ones_may_change_a_fresh_one(f):
    changed = 0
    for seed in range(10):
        half = np.random.default_rng(seed).permutation(569) < 285
        A, T = TUMORS.data[half], TUMORS.data[~half]
        one, two = (CARTClassifier().fit(Z, KIND[half]) for Z in (A, f(A)))
        assert (one.apply(A) == two.apply(f(A))).all()
        changed += (one.predict(T) != two.predict(f(T))).sum()
    bent = not np.isclose(f(np.array([2.0])), 2 * f(np.array([1.0])))[0]
    assert changed <= 10 * bent  # of 2840


def test_c45_and_surrogates_take_gaps_and_id3_refuses_them():
    melons = load_watermelon("2.0a")
    assert melons.X.isna().any().any()
    for tree in (C45Classifier(), CARTClassifier(missing="surrogate")):
        said = tree.fit(melons.X, melons.y).predict(melons.X)
        assert (said == melons.y).mean() > 0.9
    for tree in (ID3Classifier(), CARTClassifier()):
        with pytest.raises(ValueError, match="missing"):
            tree.fit(melons.X, melons.y)


def test_names_and_numbers_stand_in_one_tree_of_c45_and_of_cart():
    melons = load_watermelon("3.0")
    numbers = set(melons.X.select_dtypes("number"))
    for tree in (C45Classifier(), CARTClassifier()):
        asked = {node.feature for node in tree.fit(melons.X, melons.y).tree_} - {None}
        assert asked & numbers
        assert asked - numbers
    for tree in (ID3Classifier(), DecisionTreeClassifier()):
        with pytest.raises((TypeError, ValueError)):
            tree.fit(melons.X, melons.y)


def test_cart_alone_predicts_several_outputs_in_one_smaller_tree():
    flowers = load_iris(as_frame=True)
    rest = flowers.data.drop(columns="petal length (cm)")
    both = np.column_stack([flowers.target, flowers.data["petal length (cm)"] > 5])
    joint = CARTClassifier().fit(rest, both)
    assert joint.predict(rest).shape == both.shape
    assert (joint.predict(rest) == both).mean() > 0.99
    alone = [CARTClassifier().fit(rest, b).get_n_leaves() for b in both.T]
    assert max(alone) <= joint.get_n_leaves() < sum(alone)
    melons = load_watermelon()
    for tree in (ID3Classifier(), C45Classifier()):
        with pytest.raises(ValueError, match="2 outputs"):
            tree.fit(melons.X[["color"]], melons.X[["stem", "touch"]])


@cache
def of_shuffled_classes():
    """Return right shares, on training and on fresh rows, and leaves, of full and of pruned trees."""
    found = []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        half, y = rng.permutation(569) < 285, pd.Series(rng.permutation(KIND))
        X = TUMORS.data.iloc[:, :6]
        for prune in (None, CrossValidated(folds=5)):
            tree = CARTClassifier(prune=prune, random_state=seed).fit(X[half], y[half])
            found.append([tree.score(X[half], y[half]), tree.score(X[~half], y[~half]), tree.get_n_leaves()])
    return np.array(found).reshape(8, 2, 3)


def test_a_full_tree_learns_classes_by_heart_that_were_shuffled():
    training, fresh, leaves = of_shuffled_classes()[:, 0].T
    assert (training == 1).all()
    assert (leaves > 40).all()
    commonest = 357 / 569
    assert surely_above_zero(commonest - fresh)


def test_cross_validation_finds_that_shuffled_classes_say_nothing():
    full, pruned = of_shuffled_classes().transpose(1, 2, 0)
    assert (pruned[2] == 1).sum() >= 6
    assert surely_above_zero(pruned[1] - full[1])


def test_a_wild_value_in_x_changes_nothing_and_one_in_y_takes_the_first_cut():
    wild = TUMORS.data.copy()
    for name in wild:
        wild.loc[wild[name].idxmax(), name] *= 1000
    assert str(CARTClassifier().fit(wild, KIND).tree_) == str(CARTClassifier().fit(TUMORS.data, KIND).tree_)
    points = load_regression_points()
    pulled = points.y.copy()
    pulled.iloc[-1] *= 1000
    calm, pulled = (CARTRegressor(max_depth=1).fit(points.X, y).tree_ for y in (points.y, pulled))
    assert [calm[1].n, calm[2].n, pulled[1].n, pulled[2].n] == [5, 5, 9, 1]


# Drawbacks


def roots_without_one(X, y):
    """Return the first question of each tree that one row did not see."""
    return [str(CARTClassifier(max_depth=1).fit(X.drop(i), y.drop(i)).tree_.root.split) for i in X.index]


def test_a_tree_is_nervous_where_questions_are_close():
    loan, wine = load_loan(), load_wine(as_frame=True)
    of_loans = pd.Series(roots_without_one(loan.X, loan.y)).value_counts(normalize=True)
    of_wines = pd.Series(roots_without_one(wine.data, wine.target)).value_counts(normalize=True)
    assert of_loans.iloc[0] < 0.7  # two questions are close
    assert 0.95 < of_wines.iloc[0] < 1


def fewest_leaves(X, y):
    """Return the leaves of a smallest tree that is always right, by trying every question everywhere."""
    if not np.ptp(y):
        return 1
    return min(
        fewest_leaves(X[s], y[s]) + fewest_leaves(X[~s], y[~s])
        for s in (X[:, j] == 1 for j in range(X.shape[1]) if np.ptp(X[:, j]))
    )


def test_greed_often_misses_the_smallest_tree_and_never_beats_it():
    cube, greedy = np.indices((2, 2, 2)).reshape(3, -1).T, CARTClassifier(dialect=CARTDialect(zero_gain=True))
    too_many = []
    for number in range(1, 255):  # all classes of eight corners but the pure ones
        y = (number >> np.arange(8)) & 1
        tree = greedy.fit(cube, y)
        assert tree.score(cube, y) == 1
        too_many.append(tree.get_n_leaves() - fewest_leaves(cube, y))
    too_many = np.array(too_many)
    assert too_many.min() == 0
    assert 0 < (too_many > 0).mean() < 0.5


def clouds(n, share, rng):
    """Draw two measurements of two classes that overlap; the second class is rare."""
    y = (np.arange(n) < share * n).astype(int)
    return rng.normal(size=(n, 2)) + 1.5 * y[:, None], y


def test_a_rare_class_is_overlooked_and_weights_move_the_border():
    found = []
    for seed in range(30):
        rng = np.random.default_rng(seed)
        (X, y), (T, t) = clouds(220, 1 / 11, rng), clouds(4000, 1 / 2, rng)
        trees = (CARTClassifier(max_depth=2, class_weight=w).fit(X, y) for w in (None, "balanced"))
        found.append([[(tree.predict(T)[t == k] == k).mean() for k in (1, 0)] for tree in trees])
    (rare, usual), (rare_weighed, usual_weighed) = np.transpose(found, (1, 2, 0))
    assert rare.mean() < 0.6 < 0.9 < usual.mean()
    assert surely_above_zero(rare_weighed - rare)
    assert surely_above_zero(usual - usual_weighed)


# Small samples C4.5, large samples CART?


def waves(n, rng):
    """Draw 21 noisy measurements of mixtures of two of three triangles (Breiman and others, 1984)."""
    c, u = rng.integers(3, size=n), rng.random((n, 1))
    base = np.maximum(6 - abs(np.arange(21) - np.array([[6], [14], [10]])), 0)
    return u * base[[0, 0, 1]][c] + (1 - u) * base[[1, 2, 2]][c] + rng.normal(size=(n, 21)), c


def leads(one, two, n, seeds):
    """Return how much more of fresh waves one tree has right than another, of the same n waves."""
    found = []
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        (X, y), (T, t) = waves(n, rng), waves(1000, rng)
        found.append(one().fit(X, y).score(T, t) - two().fit(X, y).score(T, t))
    return np.array(found)


def test_full_c45_is_not_ahead_on_small_samples_nor_full_cart_on_large_ones():
    small, large = (leads(C45Classifier, CARTClassifier, n, seeds) for n, seeds in ((20, 30), (500, 10)))
    assert not surely_above_zero(small)
    assert not surely_above_zero(-large)
    assert abs(small.mean()) < 0.04  # and a lead of that size would have been seen:
    assert 3 * small.std(ddof=1) / len(small) ** 0.5 < 0.05
    assert abs(large.mean()) < 0.02
    assert 3 * large.std(ddof=1) / len(large) ** 0.5 < 0.03


def test_the_lead_of_j48_on_small_samples_is_made_by_the_options_of_rpart():
    rpart = leads(C45Classifier.j48, lambda: CARTClassifier.rpart(missing="error"), 20, 30)
    eased = leads(
        C45Classifier.j48,
        lambda: CARTClassifier.rpart(missing="error", min_samples_split=4, min_samples_leaf=2), 20, 30,
    )  # fmt: skip
    assert surely_above_zero(rpart)
    assert not surely_above_zero(eased)
    assert surely_above_zero(rpart - eased)
