"""Cost-complexity pruning: worked examples, cross-validation, and what is refused."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import KFold, PredefinedSplit, RepeatedKFold, StratifiedKFold
from sklearn.utils.estimator_checks import parametrize_with_checks

from dtlib import CARTClassifier, CARTRegressor, ID3Classifier, Prior
from dtlib.datasets import load_loan, load_watermelon
from dtlib.dialects import CARTDialect, printcp
from dtlib.dialects.printcp import formatted, r_vector
from dtlib.prune import (
    ComplexityParameter,
    CrossValidated,
    HoldoutValidated,
    cp_table,
    hold_out,
    one_se_rule,
    pruning_path,
    risk,
    scales,
    weakest_links,
)
from dtlib.prune.cost_complexity import find_cuts
from dtlib.prune.cross_validation import middles
from dtlib.prune.held_out import split_held_out
from dtlib.table.columns import Column

BOTH = pytest.mark.parametrize("cls", [CARTClassifier, CARTRegressor])
melons, loan = load_watermelon("2.0"), load_loan()


def noisy(n=120, numbers=False, seed=0):
    """Return rows with one feature that matters."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    y = X[:, 0] + rng.normal(scale=0.8, size=n)
    return X, y if numbers else np.where(y > 0, "yes", "no")


def data_for(cls, **options):
    return noisy(numbers=cls is CARTRegressor, **options)


# By hand


def errors(counts):
    """Return the rows of a node that are not of its majority."""
    return sum(counts) - max(counts)


def g(node, leaves):
    """Return (C(t) - C(T_t)) / (|T_t| - 1) exactly, given the class counts."""
    return Fraction(errors(node) - sum(map(errors, leaves)), len(leaves) - 1)


def test_loan_by_hand():
    # root (6, 9): owns a house? no (6, 3): has a job? no (6, 0), yes (0, 3); yes (0, 6)
    tree = ID3Classifier().fit(loan.X, loan.y).tree_
    no_house, house, no_job, job = (6, 3), (0, 6), (6, 0), (0, 3)
    root = g((6, 9), [house, no_job, job])
    inner = g(no_house, [no_job, job])
    assert (root, inner) == (3, 3)
    links = weakest_links(tree)
    assert links["g"].tolist() == [root, inner]
    assert links["leaves"].tolist() == [3, 2]
    path = pruning_path(tree)  # both links are equally weak: they are cut at once
    assert path.alphas.tolist() == [0, 3]
    assert path.leaves.tolist() == [3, 1]
    assert path.intervals == [(0, 3), (3, np.inf)]
    assert path.steps[["node", "risk_leaf", "risk_branch", "leaves", "g"]].to_numpy().tolist() == [
        [0, 6, 0, 3, 3]
    ]


def test_loan_by_entropy_by_hand():
    # N H of (6, 9) is 14.5643 bits, of (6, 3) it is 8.2647: g is 14.5643 / 2 at the root, 8.2647 below. The
    # root is weaker than the link below it, and takes it along.
    n_h = lambda *counts: -sum(c * np.log2(c / sum(counts)) for c in counts)  # noqa: E731
    tree = ID3Classifier().fit(loan.X, loan.y).tree_
    assert weakest_links(tree, "entropy")["g"].tolist() == pytest.approx([n_h(6, 9) / 2, n_h(6, 3)])
    path = pruning_path(tree, "entropy")
    assert path.alphas.tolist() == pytest.approx([0, 7.282129296])
    assert path.cut_at[:2].tolist() == pytest.approx([7.282129296] * 2)


def test_melon_by_hand():
    # ID3 on watermelon 2.0: texture clear (2 no, 7 yes), slightly blurry (4, 1), blurry (3, 0); clear is
    # divided by root, one branch of it by color, and one of that by surface.
    tree = ID3Classifier().fit(melons.X, melons.y).tree_
    counts = {node.id: tuple(int(c) for c in node.counts) for node in tree}

    def leaves(node):
        return [counts[node.id]] if node.is_leaf else [x for child in node.children for x in leaves(child)]

    assert counts[0] == (9, 8)
    by_hand = {node.id: g(counts[node.id], leaves(node)) for node in tree if not node.is_leaf}
    assert dict(weakest_links(tree)[["node", "g"]].to_numpy()) == pytest.approx(by_hand)
    path = pruning_path(tree)
    # The first cut is the weakest of all links; the next ones are found on the tree that is left.
    left, alphas = tree, [Fraction(0)]
    while left.node_count > 1:
        counts = {node.id: tuple(int(c) for c in node.counts) for node in left}
        links = {node.id: g(counts[node.id], leaves(node)) for node in left if not node.is_leaf}
        alpha = min(links.values())
        alphas += [alpha] if alpha > alphas[-1] else []
        left = path.tree(float(alpha))
        assert left.n_leaves < len(counts)
    assert path.alphas.tolist() == pytest.approx([float(a) for a in alphas])


def test_cart_on_melons_step_by_step():
    # root (9 no, 8 yes) -> clear (2, 7) -> density <= 0.3815 (2, 0), above (0, 7)
    #                    -> others (7, 1) -> green, pale (6, 0); dark (1, 1) -> muffled (0, 1), dull (1, 0)
    data = load_watermelon("3.0")
    tree = CARTClassifier().fit(data.X, data.y).tree_
    first = {
        0: g((9, 8), [(2, 0), (0, 7), (6, 0), (0, 1), (1, 0)]),  # 8 / 4
        1: g((2, 7), [(2, 0), (0, 7)]),  # 2 / 1
        2: g((7, 1), [(6, 0), (0, 1), (1, 0)]),  # 1 / 2
        6: g((1, 1), [(0, 1), (1, 0)]),  # 1 / 1
    }
    assert first == {0: 2, 1: 2, 2: Fraction(1, 2), 6: 1}
    assert dict(weakest_links(tree)[["node", "g"]].to_numpy()) == first
    second = {0: g((9, 8), [(2, 0), (0, 7), (7, 1)]), 1: Fraction(2)}  # 7 / 2, 2 / 1
    third = g((9, 8), [(2, 7), (7, 1)])  # 5 / 1
    assert (min(second.values()), third) == (2, 5)
    path = pruning_path(tree)
    assert path.steps["node"].tolist() == [2, 1, 0]
    assert path.alphas.tolist() == [0, Fraction(1, 2), 2, 5]
    assert path.risks.tolist() == [0, 1, 3, 8]
    assert path.table()["cut"].tolist() == [(), (2,), (1,), (0,)]
    pruned = path.tree(2)
    assert pruned.pruned_from is tree
    assert pruned.steps["cut"].tolist() == [True, True, False]
    assert {pruned[i].reason for i in (1, 2)} == {"saves less than alpha per leaf"}


def test_scales():
    tree = ID3Classifier().fit(loan.X, loan.y).tree_
    for kind in ("cost", "impurity", "entropy"):
        by, alpha = scales(tree, kind), pruning_path(tree, kind).alphas[-1]
        assert by["mean"] == pytest.approx(1 / 15)
        assert alpha * by["share"] == pytest.approx(0.5)  # all of the risk for two leaves
    assert scales(CARTClassifier().fit(loan.X, ["no"] * 15).tree_)["share"] == 0


def test_a_tree_of_one_node():
    path = pruning_path(CARTClassifier().fit(loan.X, ["no"] * 15).tree_)
    assert (path.alphas.tolist(), path.leaves.tolist(), path.risks.tolist()) == ([0], [1], [0])
    assert path.tree(0).node_count == 1
    assert len(weakest_links(path.full)) == 0


def test_entropy_is_not_for_numbers():
    with pytest.raises(ValueError, match="is a regression tree"):
        risk(CARTRegressor().fit(*noisy(numbers=True)).tree_, "entropy")
    with pytest.raises(ValueError, match="kind is 'bits'"):
        pruning_path(CARTClassifier().fit(*noisy()).tree_, "bits")


@pytest.mark.parametrize("alpha", [np.nan, "1", None, True])
def test_prices_that_are_none(alpha):
    with pytest.raises(ValueError, match="wanted a number, the complexity penalty of a leaf"):
        pruning_path(CARTClassifier().fit(*noisy()).tree_).tree(alpha)


# Cross-validation, against a refit for each price


def sizes_of_folds(n):
    return KFold(5, shuffle=True, random_state=0).split(np.zeros(n))


SETTINGS = [
    {}, {"criterion": "entropy"}, {"class_weight": Prior([0.3, 0.7])}, {"loss": [[0, 1], [4, 0]]},
    {"class_weight": {"no": 2.0}}, {"min_samples_leaf": 0.03, "dialect": CARTDialect(samples="rows")},
    {"dialect": CARTDialect(precision="single")},
    {"missing": "surrogate"}, {"missing": "learned"}, {"missing": "stay"}, {"missing": "majority"},
]  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("setting", [*SETTINGS, None], ids=str)
@pytest.mark.parametrize("kind", ["cost", "impurity"])
def test_one_sweep_is_a_refit_for_each_price(setting, weighted, kind):
    cls = CARTRegressor if setting is None else CARTClassifier
    X, y = data_for(cls)
    weight = np.random.default_rng(1).integers(1, 4, len(X)).astype(float) if weighted else np.ones(len(X))
    if "missing" in (setting or {}):
        X = np.where(np.random.default_rng(2).random(X.shape) < 0.1, np.nan, X)
    model = cls(**setting or {}, prune=CrossValidated(list(sizes_of_folds(len(X))), risk=kind))
    model.fit(X, y, weight if weighted else None)
    path, loss = model.pruning_path_, np.array((setting or {}).get("loss", [[0, 1], [1, 0]]), float)
    of_row = weight.copy()  # what a row counts for growing; the classes are weighed by all rows
    if setting and {"loss", "class_weight"} & set(setting):
        of_row *= factors(model, X, y, weight, loss)
    errors, squares = np.zeros((2, len(path.alphas)))
    for train, test in sizes_of_folds(len(X)):
        plain = {k: v for k, v in (setting or {}).items() if k != "class_weight"}
        fold = cls(**plain)
        tree = fit_of(
            fold, X[train], y[train], of_row[train], weight[train], loss if "loss" in plain else None
        )
        own = pruning_path(tree, kind)
        scale = weight[train].sum() / weight.sum() if kind == "cost" else tree.n[0] / path.full.n[0]
        for k, alpha in enumerate(middles(path.alphas)):
            cost = cost_of(own.tree(alpha * scale), X[test], y[test])
            cost *= (of_row / weight)[test] / (
                1 if "loss" not in plain else loss.sum(1)[(y[test] == "yes") * 1]
            )
            errors[k] += (weight[test] * cost).sum()
            squares[k] += (weight[test] * cost**2).sum()
    deviation = np.sqrt(np.maximum(squares - errors**2 / weight.sum(), 0))
    root = risk(path.full)[0]
    table = model.cptable_.iloc[::-1]
    assert table["xerror"].to_numpy() == pytest.approx(errors / root, abs=1e-9)
    assert table["xstd"].to_numpy() == pytest.approx(deviation / root, abs=1e-7)
    assert table["nsplit"].tolist() == (path.leaves - 1).tolist()
    rel = [risk(tree)[tree.feature < 0].sum() / root for tree in path.trees]
    assert table["rel error"].to_numpy() == pytest.approx(rel, abs=1e-12)
    assert model.tree_ == path.tree(model.alpha_)
    assert model.tree_.pruned_from is path.full


def factors(model, X, y, weight, loss):
    """Return by what the weights of the classes were multiplied, from the root of the full tree."""
    root = model.pruning_path_.full.counts[0]
    share = np.array([weight[y == "no"].sum(), weight[y == "yes"].sum()])
    return (root / share)[(y == "yes") * 1]


def fit_of(fold, X, y, of_row, weight, loss):
    """Grow a tree from the rows of a fold alone, with given weights of the rows."""
    if loss is None:
        return fold.fit(X, y, of_row).tree_
    even = fold.set_params(loss=None).fit(X, y, of_row).tree_
    return even.__class__(**{**vars_of(even), "loss": loss})


def vars_of(tree):
    return {name: getattr(tree, name) for name in tree.__dataclass_fields__}


def cost_of(tree, X, y):
    """Return what each row costs where it ends, as the tree itself says."""
    node = tree.apply(X)
    if not tree.is_classifier:
        return (y - tree.value[node, 0]) ** 2
    truth, label = (y == "yes") * 1, tree.label[node]
    return (truth != label) * 1.0 if tree.loss is None else tree.loss[truth, label]


def test_names_in_folds():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({f"x{f}": rng.choice(list("abcd"), 80) for f in range(3)})
    y = np.where((X["x0"] == "a") ^ (rng.random(80) < 0.2), "yes", "no")
    folds = list(KFold(8).split(X))
    model = CARTClassifier(prune=CrossValidated(folds=folds, se=0)).fit(X, y)
    wrong = 0
    for train, test in folds:  # the largest price but infinity
        own = pruning_path(CARTClassifier().fit(X.iloc[train], y[train]).tree_)
        tree = own.tree(middles(model.pruning_path_.alphas)[0] * len(train) / 80)
        wrong += (np.array(tree.classes)[tree.label[tree.apply(X.iloc[test])]] != y[test]).sum()
    root = risk(model.pruning_path_.full)[0]
    assert model.cptable_["xerror"].iloc[-1] * root == pytest.approx(wrong)


def test_parts_of_rows_cost_in_proportion():
    X, y = noisy(60)
    X = np.where(np.random.default_rng(2).random(X.shape) < 0.1, np.nan, X)
    held = np.arange(0, 60, 3)
    model = CARTClassifier(missing="fractional", prune=HoldoutValidated(held_out=held)).fit(X, y)
    path = model.pruning_path_
    for alpha, error in zip(path.alphas, model.cptable_["xerror"][::-1], strict=True):
        tree = path.tree(alpha)
        cost = hold_out(tree, X[held], y[held])
        ends = cost.cost[tree.feature < 0].sum() + cost.staying[tree.feature >= 0].sum()
        assert error * risk(path.full)[0] / 40 == pytest.approx(ends / 20)


@BOTH
def test_a_row_tested_more_than_once(cls):
    X, y = data_for(cls)
    splitter = RepeatedKFold(n_splits=4, n_repeats=3, random_state=0)
    table = cls(prune=CrossValidated(splitter)).fit(X, y).cptable_
    assert table.equals(cls(prune=CrossValidated(list(splitter.split(X)))).fit(X, y).cptable_)
    assert 0.9 < table["xerror"].iloc[0] < 1.6


@BOTH
@pytest.mark.parametrize("times", [2, 3])
def test_the_same_folds_again_tell_nothing_new(cls, times):
    X, y = data_for(cls)
    folds = list(KFold(5, shuffle=True, random_state=0).split(X))
    once, again = (cls(prune=CrossValidated(some)).fit(X, y).cptable_ for some in (folds, folds * times))
    pd.testing.assert_frame_equal(again, once)


@BOTH
def test_choice(cls):
    X, y = data_for(cls)
    sizes = [cls(prune=CrossValidated(se=se)).fit(X, y).get_n_leaves() for se in (0, 1, 2, 1000)]
    assert all(small <= large for large, small in pairwise(sizes))
    assert sizes[-1] == 1
    model = cls(prune=CrossValidated(se=0)).fit(X, y)
    line = one_se_rule(model.cptable_, 0)
    assert model.cptable_["xerror"][line] == pytest.approx(model.cptable_["xerror"].min())
    assert model.get_n_leaves() == model.cptable_["nsplit"][line] + 1
    assert model.alpha_ == pytest.approx(model.cptable_["CP"][line] * risk(model.pruning_path_.full)[0])


@BOTH
def test_validation_rows_decide(cls):
    X, y = data_for(cls)
    held = np.arange(len(X)) % 3 == 0
    model = cls(prune=HoldoutValidated(held, se=0)).fit(X, y)
    full = cls().fit(X[~held], y[~held]).tree_
    path = pruning_path(full)
    costs = []
    for tree in path.trees:
        costs.append(hold_out(tree, X[held], y[held]).cost[tree.feature < 0].sum())
    best = len(costs) - 1 - int(np.argmin(np.round(costs[::-1], 9)))
    assert model.tree_ == path.trees[best]
    assert model.tree_.training.codes.shape[1] == (~held).sum()


@BOTH
def test_a_fold_grows_the_tree_of_its_rows(cls, monkeypatch):
    from dtlib.prune import cross_validation

    X, y = data_for(cls)
    X[:, 1] = X[:, 1].round(1)
    grown, original = [], cross_validation.pruning_path
    monkeypatch.setattr(cross_validation, "pruning_path", lambda *a: grown.append(a[0]) or original(*a))
    folds = list(sizes_of_folds(len(X)))
    cls(prune=CrossValidated(folds)).fit(X, y)
    for tree, (train, _) in zip(grown, folds, strict=True):
        assert tree == cls().fit(X[train], y[train]).tree_


def test_a_class_that_a_fold_does_not_have():
    X, y = noisy()
    y = np.where(np.arange(len(y)) < 3, "rare", y)
    folds = PredefinedSplit(np.minimum(np.arange(len(y)) // 30, 3))
    model = CARTClassifier(prune=CrossValidated(folds)).fit(X, y)
    assert model.classes_.tolist() == ["no", "rare", "yes"]
    assert np.isfinite(model.cptable_.to_numpy()).all()


@BOTH
def test_numbers_of_folds_and_splitters(cls):
    X, y = data_for(cls)
    given = {CARTClassifier: StratifiedKFold, CARTRegressor: KFold}[cls]
    number, splitter = (cls(prune=CrossValidated(folds)).fit(X, y).cptable_ for folds in (5, given(5)))
    assert number.equals(splitter)
    model = clone(cls(prune=CrossValidated(given(3))))
    assert model.fit(X, y).pruning_path_.alphas[0] == 0


@BOTH
def test_the_table_ends_at_cp(cls):
    X, y = data_for(cls)
    table = cls(prune=CrossValidated(cp=0.02)).fit(X, y).cptable_
    assert table["CP"].iloc[-1] == pytest.approx(0.02)
    assert table["nsplit"].iloc[-1] + 1 == cls(prune=ComplexityParameter(0.02)).fit(X, y).get_n_leaves()
    path = pruning_path(cls().fit(X, y).tree_)
    assert cp_table(path, least=np.inf)["nsplit"].tolist() == [0]


def test_the_table_is_that_of_a_path():
    tree = CARTClassifier().fit(*data_for(CARTClassifier)).tree_
    with pytest.raises(TypeError, match=r"path is a Tree; wanted what pruning_path\(tree\) returns"):
        cp_table(tree)


@pytest.mark.parametrize(("y", "prices"), [("aaabbb", [1, -1 / 3]), ("aaabaa", [0, -1])])
def test_below_a_price_of_nothing_the_table_has_the_whole_tree(y, prices):
    """The split of the second tree saves no error, so that the root alone is the best from 0 on."""
    path = pruning_path(CARTClassifier(max_depth=1).fit(np.arange(6.0)[:, None], list(y)).tree_)
    table = cp_table(path, least=-1.0)
    assert table["nsplit"].tolist() == [0, 1]
    assert table["CP"].tolist() == pytest.approx(prices)
    assert path.has_free_cuts == (prices[0] == 0)


@BOTH
def test_what_is_printed_of_a_table_is_said_of_the_tree_that_it_ends_with(cls):
    """The second column is asked below the first, where it saves little."""
    every = np.arange(12)
    X, y = (
        pd.DataFrame({"x": every // 6, "z": every % 6 // 5}),
        np.array([*[0] * 5, 1, *[9] * 6]),
    )
    heads = {
        CARTClassifier: ("Classification", "6/12 = 0.5"),
        CARTRegressor: ("Regression", "234.92/12 = 19.576"),
    }
    kind, root = heads[cls]
    for cp, asked in ((0.5, "[1] x"), (None, "[1] x z")):
        model = cls(prune=CrossValidated([(every[::2], every[1::2])], cp=cp)).fit(X, y)
        head = ["", f"{kind} tree:", "Variables actually used in tree construction:", asked, ""]
        assert printcp(model).splitlines()[:9] == [*head, f"Root node error: {root}", "", "n= 12", ""]


NOT_FOR_DRAWS = {
    "check_sample_weight_equivalence_on_dense_data": "a row that is there twice is not drawn as one is"
}


def failing(model):
    """Say which of scikit-learn's checks must fail: folds and draws take rows, whatever they weigh.

    Of the numbers of this check, any folds leave the root alone.
    """
    is_stump = isinstance(model, CARTRegressor) and isinstance(model.prune, CrossValidated)
    return {} if model.prune is None or is_stump else NOT_FOR_DRAWS


@pytest.mark.long
@parametrize_with_checks(
    [
        cls(**parameters)
        for cls in (CARTClassifier, CARTRegressor)
        for parameters in (
            {"ccp_alpha": 0.01}, {"prune": CrossValidated(3)}, {"prune": "validation", "random_state": 0},
        )
    ],
    expected_failed_checks=failing,
)  # fmt: skip
def test_scikit_learns_checks(estimator, check):
    check(estimator)


# What is refused


WRONG = [
    ({"ccp_alpha": -0.1}, "ccp_alpha is -0.1"), ({"ccp_alpha": np.nan}, "ccp_alpha is nan"),
    ({"prune": "yes"}, "prune is 'yes'"), ({"prune": CrossValidated(risk="entropy")}, "risk is 'entropy'"),
    ({"prune": CrossValidated(se=-1)}, "se is -1"), ({"prune": CrossValidated(1)}, "folds is 1"),
    ({"prune": CrossValidated(2.5)}, "folds is 2.5"), ({"prune": CrossValidated(1000)}, "folds is 1000"),
    ({"ccp_alpha": 0.1, "prune": ComplexityParameter(0.1)}, "both say how far to prune"),
    ({"ccp_alpha": 0.1, "prune": "cv"}, "both say how far to prune"),
    ({"prune": CrossValidated([([0, 1], [1, 2])])}, "row 1 both in train and in test"),
    ({"prune": CrossValidated([([0, 1], [500])])}, "row positions from 500"),
    ({"prune": CrossValidated([([], [1])])}, "wanted positions of rows"),
    ({"prune": CrossValidated([([0.5], [1])])}, "wanted positions of rows"),
    ({"prune": CrossValidated([])}, "no row to test with"),
    ({"prune": HoldoutValidated(1.0)}, "held_out is 1.0"),
    ({"prune": HoldoutValidated(0)}, "held_out is 0"),
    ({"prune": HoldoutValidated([])}, "leaves no row held out of 120 samples"),
    ({"prune": HoldoutValidated([1, 1])}, "names row 1 2 times"),
    ({"prune": HoldoutValidated([1, 500])}, "has row position 500, but the positions are 0 to 119"),
    ({"prune": HoldoutValidated([0.5, 1.5])}, "wanted a list of positions"),
    ({"prune": HoldoutValidated([True, False])}, "is a mask of 2 rows, but there are 120"),
    ({"prune": HoldoutValidated(np.ones(120, bool))}, "leaves no row to grow from of 120 samples"),
]  # fmt: skip


@pytest.mark.parametrize(("parameters", "message"), WRONG, ids=str)
@BOTH
def test_what_is_refused(cls, parameters, message):
    model = cls(**parameters)
    with pytest.raises(ValueError, match=message):
        model.fit(*data_for(cls))
    with pytest.raises(NotFittedError):
        model.predict([[0.0] * 4])


@pytest.mark.parametrize(
    "parameters", [{}, {"prune": ComplexityParameter(0.01)}, {"ccp_alpha": 0.1}, {"prune": "reduced_error"}]
)
def test_models_without_a_table_are_not_printed(parameters):
    model = CARTClassifier(**parameters)
    for some in (model, clone(model).fit(*noisy())):
        with pytest.raises(ValueError, match=r"has no table of subtrees: wanted .* prune='cv'"):
            printcp(some)


def test_more_folds_than_a_class_has_rows():
    X, y = noisy(16)
    with pytest.raises(ValueError, match="no class has more than"):
        CARTClassifier(prune=CrossValidated(folds=16)).fit(X, y)


@BOTH
def test_rows_without_weight(cls):
    X, y = data_for(cls)
    weight = (np.arange(len(X)) >= 60).astype(float)
    halves = [(np.arange(60), np.arange(60, 120)), (np.arange(60, 120), np.arange(60))]
    with pytest.raises(ValueError, match=r"fold 0 .* nothing to grow from"):
        cls(prune=CrossValidated(halves)).fit(X, y, weight)
    with pytest.raises(ValueError, match="no row to test with"):
        cls(prune=CrossValidated(halves[1:])).fit(X, y, weight)
    with pytest.raises(ValueError, match="only rows that weigh nothing"):
        cls(prune=HoldoutValidated(np.arange(60))).fit(X, y, weight)


@pytest.mark.parametrize("unit", [1e-300, 1e-12, 1e12, 1e299])
def test_the_unit_of_the_weights_does_not_matter(unit):
    """To what is chosen; standard errors shrink with the root of the number of rows."""
    X, y = noisy()
    model = CARTClassifier(prune=CrossValidated(se=0))
    one, other = (clone(model).fit(X, y, np.full(len(X), w)) for w in (1.0, unit))
    assert one.tree_.n_leaves == other.tree_.n_leaves > 1
    root = np.sqrt(unit)
    np.testing.assert_allclose(other.cptable_.assign(xstd=other.cptable_["xstd"] * root), one.cptable_)


# Rows held out, and R's numbers


def test_rows_are_drawn_of_each_class():
    y = Column("y", ("no", "yes"), np.repeat([0, 1], [80, 20]))
    grow, held = split_held_out(0.25, [y], 0)
    assert np.bincount(y.codes[held]).tolist() == [20, 5]
    assert sorted([*grow, *held]) == list(range(100))
    again = split_held_out(0.25, [y], 0)[1]
    assert held.tolist() == again.tolist() != split_held_out(0.25, [y], 1)[1].tolist()


def test_a_class_with_one_row_is_drawn_as_it_comes():
    y = Column("y", ("no", "yes"), np.array([0] * 9 + [1]))
    assert len(split_held_out(0.3, [y], 0)[1]) == 3
    with pytest.raises(ValueError, match="no row to grow from of 1 sample"):
        split_held_out(0.3, [Column("y", ("no",), np.array([0]))])


@pytest.mark.parametrize(
    ("numbers", "digits", "said"),
    [
        ([1, 0.5], 5, ["1.0", "0.5"]),
        ([0.1764706, 0.01], 5, ["0.17647", "0.01000"]),
        ([0, 1, 12], 5, ["0", "1", "12"]),
        ([-1, 0.25], 3, ["-1.00", "0.25"]),
        ([1e-20, 1], 5, ["1e-20", "1e+00"]),
        ([10000], 5, ["10000"]),
        ([100000], 5, ["1e+05"]),
        ([120000], 5, ["120000"]),
        ([123456], 3, ["123456"]),
        ([0.001], 5, ["0.001"]),
        ([0.0001], 5, ["1e-04"]),
        ([-0.0001], 5, ["-1e-04"]),
        ([0.00012], 5, ["0.00012"]),
        ([0.000012], 5, ["1.2e-05"]),
        ([-1.5, 12], 5, ["-1.5", "12.0"]),
        ([0.000012345, 100], 3, ["1.23e-05", "1.00e+02"]),
        ([1.5e100], 5, ["1.5e+100"]),
        ([1e100], 94, [f"{1e100:.93e}"]),  # 100 characters, and 101 with all its digits
        ([1e100], 95, [f"{1e100:.0f}"]),
    ],
)
def test_numbers_as_r_writes_them(numbers, digits, said):
    assert formatted(numbers, digits) == said


@pytest.mark.parametrize("number", [1, 9, 10, 11, 100, 101])
@pytest.mark.parametrize("wide", [3, 5, 37, 38, 39, 90])
def test_names_fill_the_lines_as_r_fills_them(number, wide):
    """Of 80 columns; each line begins with the number of its first name, in brackets of one width."""
    names = [str(k).rjust(wide, "v") for k in range(number)]
    lines, mark = r_vector(names), len(str(number)) + 2
    assert [name for line in lines for name in line[mark:].split()] == names
    first = 1
    for k, line in enumerate(lines):
        assert line[:mark] == f"[{first}]".rjust(mark)
        here = len(line[mark:].split())
        assert line[mark:] == "".join(f" {name}" for name in names[first - 1 : first - 1 + here])
        assert len(line) <= 80 or here == 1
        assert k == len(lines) - 1 or mark + (here + 1) * (wide + 1) > 80
        first += here
    assert r_vector([]) == ["character(0)"]


@BOTH
def test_folds_name_rows_from_the_first_to_the_last(cls):
    X, y = data_for(cls)
    n, every = len(X), np.arange(len(X))
    for row in (0, n - 1):
        rest = np.delete(every, row)
        fold, mask = (rest, [row]), (every != row, every == row)
        one, other = (cls(prune=CrossValidated([pair])).fit(X, y) for pair in (fold, mask))
        pd.testing.assert_frame_equal(one.cptable_, other.cptable_)
    for row in (-1, n):
        with pytest.raises(
            ValueError, match=f"folds has row positions from {row} to {row}; they are 0 to {n - 1}"
        ):
            cls(prune=CrossValidated([(every[:50], [row])])).fit(X, y)
    with pytest.raises(
        ValueError, match=f"folds has row positions from -2 to {n + 3}; they are 0 to {n - 1}"
    ):
        cls(prune=CrossValidated([(every[:50], [60, n + 3, -2])])).fit(X, y)
    for bad in ([[1, 2]], 3, [], [True, False]):
        with pytest.raises(ValueError, match="wanted positions of rows"):
            cls(prune=CrossValidated([(every[:50], bad)])).fit(X, y)


@BOTH
def test_there_are_ten_folds_unless_told_otherwise(cls):
    X, y = data_for(cls)
    assert CrossValidated().folds == 10
    one, other = (cls(prune=way, random_state=0).fit(X, y) for way in ("cv", CrossValidated(folds=10)))
    pd.testing.assert_frame_equal(one.cptable_, other.cptable_)


@BOTH
def test_a_leaf_has_no_cut(cls):
    tree = cls().fit(*data_for(cls)).tree_
    cuts, leaf = find_cuts(tree, risk(tree, "impurity")), tree.feature < 0
    assert (cuts.alpha[leaf] == -np.inf).all()
    assert not cuts.rise[leaf].any()
    assert not cuts.lost[leaf].any()


@pytest.mark.long
@BOTH
def test_what_is_cut_at_an_alpha_is_a_leaf_of_its_subtree_and_no_longer_where_one_above_is(cls):
    """At the very alphas of the path, and between them."""
    path = pruning_path(cls().fit(*data_for(cls)).tree_)
    alphas = np.asarray(path.alphas)
    for alpha in [*alphas, *(alphas[:-1] + alphas[1:]) / 2]:
        cut, full = path.nodes_cut(alpha), path.full
        above = {int(node): set(full[int(node)].ancestors) for node in cut}
        assert all(not others & set(cut.tolist()) for others in above.values())
        leaves = np.flatnonzero(full.feature < 0)
        under = [sum(int(node) in full[int(leaf)].ancestors for leaf in leaves) for node in cut]
        gone = sum(number - 1 for number in under)
        assert path.tree(alpha).n_leaves == full.n_leaves - gone


def test_as_many_folds_as_the_largest_class_has_rows_and_as_there_are_rows():
    X = np.arange(8.0)[:, None]
    assert CARTClassifier(prune=CrossValidated(folds=4)).fit(X, list("aaaabbbb")).cptable_ is not None
    with pytest.raises(ValueError, match="folds is 5, but no class has more than 4 rows"):
        CARTClassifier(prune=CrossValidated(folds=5)).fit(X, list("aaaabbbb"))
    assert CARTRegressor(prune=CrossValidated(folds=8)).fit(X, np.arange(8.0)).cptable_ is not None
    with pytest.raises(ValueError, match="folds is 9, but n_samples = 8"):
        CARTRegressor(prune=CrossValidated(folds=9)).fit(X, np.arange(8.0))
