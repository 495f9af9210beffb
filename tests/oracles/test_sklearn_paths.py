"""Pruning paths and pruned trees against the installed scikit-learn, to 1e-10."""

from functools import cache

import numpy as np
import pytest
from sklearn import datasets
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from dtlib import CARTClassifier, CARTRegressor
from dtlib.prune import pruning_path, scales
from dtlib.table.columns import Feature
from dtlib.tree.tree import Tree
from tests.drawn import seeds

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
CASES += [drawn(seed) for seed in seeds(100)]


def as_ours(model):
    """Return scikit-learn's tree as a tree of ours, its nodes in the order of their levels."""
    theirs, order = model.tree_, [0]
    left, right = theirs.children_left.tolist(), theirs.children_right.tolist()
    for node in order:
        order += [child for child in (left[node], right[node]) if child >= 0]
    inner, n = theirs.children_left[order] >= 0, theirs.weighted_n_node_samples[order]
    numbers = not hasattr(model, "classes_")
    values = [()] * model.n_outputs_ if numbers else [tuple(model.classes_.tolist())]
    summary = theirs.value[order].reshape(len(order), -1)
    return Tree(
        features=tuple(Feature(f"x{f}", (), "numeric") for f in range(model.n_features_in_)),
        outputs=tuple(Feature(f"y{k}", v, "numeric" if numbers else "nominal") for k, v in enumerate(values)),
        criterion=model.criterion, feature=np.where(inner, theirs.feature[order], -1),
        threshold=np.where(inner, theirs.threshold[order], np.nan), n_values=np.zeros(len(order), int),
        code=np.empty(0, int), branch=np.empty(0, int),
        summary=summary if numbers else summary * n[:, None], n=n, impurity=theirs.impurity[order],
        gain=np.zeros(len(order)), stop=np.where(inner, 0, 1), single=True,
    )  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("case", range(len(CASES)))
def test_path_and_pruned_trees_of_its_own_tree(case):
    X, y, weight, criterion = CASES[case]
    _, theirs = both(X, y, weight, criterion)
    path = pruning_path(as_ours(theirs.fit(X, y, weight)), "impurity")
    ours, its = path.as_sklearn_path(), theirs.cost_complexity_pruning_path(X, y, weight)
    its_alphas, its_impurities = merged(its.ccp_alphas, its.impurities)
    alphas, impurities = merged(ours["ccp_alphas"], ours["impurities"])
    assert alphas == pytest.approx(its_alphas, abs=CLOSE)
    assert impurities == pytest.approx(its_impurities, abs=CLOSE)
    per_weight, by = path.alphas * scales(path.full)["mean"], path.full.n[0]
    assert per_weight == pytest.approx(its_alphas, abs=CLOSE)
    for alpha in [*per_weight[1:], *(per_weight[1:-1] + per_weight[2:]) / 2]:
        pruned = both(X, y, weight, criterion, ccp_alpha=alpha + 1e-12)[1].fit(X, y, weight)
        mine, its = path.tree(alpha * by), as_ours(pruned)
        for array in ("feature", "threshold", "n", "impurity", "summary"):
            assert np.array_equal(getattr(mine, array), getattr(its, array), equal_nan=True)


@cache
def grown_alike(case):
    """Return both fitted models, or None if of equal splits scikit-learn took another one."""
    X, y, weight, criterion = CASES[case]
    mine, its = (model.fit(X, y, weight) for model in both(X, y, weight, criterion))
    alike = sorted(mine.tree_.impurity.round(9)) == sorted(its.tree_.impurity.round(9))
    return (mine, its) if alike else None


@pytest.mark.parametrize("case", range(len(CASES)))
def test_path_and_pruned_trees_of_ours(case):
    X, y, weight, criterion = CASES[case]
    models = grown_alike(case)
    if models is None:
        pytest.skip("of equal splits, scikit-learn took another one")
    pairs = []
    for model in models:
        path = model.cost_complexity_pruning_path(X, y, weight)
        pairs.append(merged(path.ccp_alphas, path.impurities))
    assert pairs[0][0] == pytest.approx(pairs[1][0], abs=CLOSE)
    assert pairs[0][1] == pytest.approx(pairs[1][1], abs=CLOSE)
    for alpha in pairs[1][0][1 :: max(1, len(pairs[1][0]) // 4)]:
        pair = both(X, y, weight, criterion, ccp_alpha=alpha + 1e-12)
        mine, its = (model.fit(X, y, weight) for model in pair)
        assert sorted(mine.tree_.impurity) == pytest.approx(sorted(its.tree_.impurity), abs=CLOSE)


def test_most_trees_are_grown_alike():
    assert sum(grown_alike(case) is not None for case in range(len(CASES))) > 0.85 * len(CASES)


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
    )
    for model in (CARTClassifier.sklearn(), DecisionTreeClassifier(random_state=0)):
        assert model.fit(X, y).get_n_leaves() == 4
    path = pruning_path(CARTClassifier.sklearn().fit(X, y).tree_, "impurity")
    assert path.alphas.tolist() == pytest.approx([0, 12 / 6])  # 12 rows


@pytest.mark.parametrize("name", ["iris", "wine", "cancer"])
def test_li_hangs_alpha_is_n_times_that_of_scikit_learn(name):
    X, y = OWN[name](return_X_y=True)
    theirs = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=5, random_state=0).fit(X, y)
    tree = as_ours(theirs)
    of_books, its = pruning_path(tree, "entropy"), theirs.cost_complexity_pruning_path(X, y)
    assert of_books.alphas == pytest.approx(len(X) * merged(*its.values())[0], abs=1e-8)
    assert pruning_path(tree, "impurity").alphas == pytest.approx(of_books.alphas)
    assert of_books.alphas * scales(tree)["mean"] == pytest.approx(merged(*its.values())[0], abs=1e-10)
