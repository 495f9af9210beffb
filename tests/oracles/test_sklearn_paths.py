"""Pruning paths and pruned trees against the installed scikit-learn, to 1e-10."""

import numpy as np
import pytest
from sklearn import datasets
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from dtlib import CARTClassifier, CARTRegressor
from dtlib.prune import pruning_path, scales

CLOSE = 1e-10
OWN = {
    "iris": datasets.load_iris, "wine": datasets.load_wine, "cancer": datasets.load_breast_cancer,
    "diabetes": datasets.load_diabetes, "linnerud": datasets.load_linnerud,
}  # fmt: skip


def own(name, criterion):
    X, y = OWN[name](return_X_y=True)
    return X, y, None, criterion


def drawn(seed):
    """Return random rows; columns of normal numbers, so that no two splits are equal."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(20, 200)), int(rng.integers(2, 6))
    X = rng.normal(size=(n, d)).astype(np.float32)
    weight = [None, rng.random(n) + 0.1, rng.integers(1, 5, n).astype(float)][seed % 3]
    y = X[:, 0] + rng.normal(size=n)
    if seed % 4 == 0:
        return X, y, weight, "squared_error"
    return X, np.digitize(y, [-1, 0.5]), weight, "entropy" if seed % 4 == 1 else "gini"


def both(X, y, weight, criterion, **parameters):
    """Return our estimator and scikit-learn's, with nodes of at least 5 rows, where ties are rare."""
    numbers = criterion == "squared_error"
    ours, theirs = (
        (CARTRegressor, DecisionTreeRegressor) if numbers else (CARTClassifier, DecisionTreeClassifier)
    )
    settings = {"criterion": criterion, "min_samples_leaf": 5} | parameters
    return ours.sklearn(**settings), theirs(random_state=0, **settings)


def merged(alphas, impurities):
    """Return the last of the entries whose alphas are equal."""
    last = np.append(np.diff(alphas) > CLOSE, True)
    return alphas[last], impurities[last]


CASES = [own(name, "gini") for name in ("iris", "wine", "cancer")]
CASES += [own(name, "entropy") for name in ("iris", "wine", "cancer")]
CASES += [own(name, "squared_error") for name in ("diabetes", "linnerud")]
CASES += [drawn(seed) for seed in range(100)]


@pytest.mark.parametrize("case", range(len(CASES)))
def test_path_and_pruned_trees(case):
    X, y, weight, criterion = CASES[case]
    ours, theirs = both(X, y, weight, criterion)
    full = ours.fit(X, y, weight), theirs.fit(X, y, weight)
    if len(full[0].tree_) != full[1].tree_.node_count:
        pytest.fail("the full trees differ")
    mine, its = (model.cost_complexity_pruning_path(X, y, weight) for model in full)
    its_alphas, its_impurities = merged(its.ccp_alphas, its.impurities)
    alphas, impurities = merged(mine.ccp_alphas, mine.impurities)
    assert alphas == pytest.approx(its_alphas, abs=CLOSE)
    assert impurities == pytest.approx(its_impurities, abs=CLOSE)
    if len(its.ccp_alphas) == len(mine.ccp_alphas):
        assert mine.impurities == pytest.approx(its.impurities, abs=CLOSE)
    for alpha in {*its_alphas[:: max(1, len(its_alphas) // 5)], *(its_alphas[1:2] * 1.5)}:
        pair = both(X, y, weight, criterion, ccp_alpha=max(alpha + 1e-13, 0))
        mine, its = (model.fit(X, y, weight) for model in pair)
        assert len(mine.tree_) == its.tree_.node_count
        assert mine.predict(X) == pytest.approx(its.predict(X), abs=1e-9)
        assert sorted(mine.tree_.impurity) == pytest.approx(sorted(its.tree_.impurity), abs=CLOSE)


def test_the_price_is_cut_where_it_equals_an_alpha():
    X, y = datasets.load_breast_cancer(return_X_y=True)
    path = CARTClassifier.sklearn().cost_complexity_pruning_path(X, y)
    for alpha in path.ccp_alphas[1:]:
        sizes = [CARTClassifier.sklearn(ccp_alpha=a).fit(X, y).get_n_leaves() for a in (alpha * 0.999, alpha)]
        assert sizes[1] < sizes[0]


def test_zero_cuts_nothing_not_even_what_saves_nothing():
    X, y = (
        np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]] * 3),
        [0, 1, 1, 0] * 3,
    )  # exclusive or: the first split gains 0
    for model in (CARTClassifier.sklearn(), DecisionTreeClassifier(random_state=0)):
        assert model.fit(X, y).get_n_leaves() == 4
    path = pruning_path(CARTClassifier.sklearn().fit(X, y).tree_, "impurity")
    assert path.alphas.tolist() == pytest.approx([0, 1 / 6])


@pytest.mark.parametrize("name", ["iris", "wine", "cancer"])
def test_li_hangs_alpha_is_n_times_that_of_scikit_learn(name):
    X, y = OWN[name](return_X_y=True)
    model = CARTClassifier.sklearn(criterion="entropy").fit(X, y)
    theirs = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=5, random_state=0)
    model = CARTClassifier.sklearn(criterion="entropy", min_samples_leaf=5).fit(X, y)
    of_books = pruning_path(model.tree_, "entropy")
    its = np.unique(theirs.cost_complexity_pruning_path(X, y).ccp_alphas.round(12))
    assert of_books.alphas == pytest.approx(len(X) * its, abs=1e-8)
    by = scales(model.tree_, "impurity")
    assert pruning_path(model.tree_, "impurity").alphas * by["sum"] == pytest.approx(of_books.alphas)
    assert of_books.alphas[-1] * scales(model.tree_, "entropy")["share"] <= 1
