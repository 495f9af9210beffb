"""CART: what each parameter means."""

from inspect import getdoc, signature

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from dtlib import CARTClassifier, CARTRegressor, Prior
from dtlib.cart import features_drawn
from dtlib.datasets import load_regression_points, load_watermelon
from dtlib.dialects import CARTDialect
from dtlib.growing import depth_first
from dtlib.measures import gini
from dtlib.prune import ComplexityParameter, CrossValidated, ReducedError
from dtlib.search import by_order

melons, points = load_watermelon("3.0"), load_regression_points()
BOTH = pytest.mark.parametrize("cls", [CARTClassifier, CARTRegressor])
LINE = pd.DataFrame({"x": np.arange(8.0)})
STEPS = [0, 0, 0, 0, 0, 0, 1, 1]  # one cut, at 5.5


def rows(tree):
    return [(str(node.split or ""), node.n) for node in tree.tree_]


def test_the_regression_points():
    tree = CARTRegressor(max_depth=1).fit(points.X, points.y).tree_
    assert str(tree.root.split) == "x ≤ 5.5?"
    left, right = points.y[points.X["x"] <= 5.5], points.y[points.X["x"] > 5.5]
    np.testing.assert_allclose(tree.summary[:, 0], [points.y.mean(), left.mean(), right.mean()])
    impurity = points.y.var(ddof=0), left.var(ddof=0), right.var(ddof=0)
    np.testing.assert_allclose(tree.impurity, impurity)
    np.testing.assert_allclose(
        tree.gain[0], impurity[0] - (len(left) * impurity[1] + len(right) * impurity[2]) / 10
    )


def test_absolute_error_predicts_medians():
    tree = CARTRegressor(criterion="absolute_error", max_depth=1).fit(points.X, points.y)
    for leaf in (1, 2):
        here = points.y[tree.apply(points.X) == leaf]
        assert tree.tree_.summary[leaf, 0] == np.median(here)
        assert tree.tree_.impurity[leaf] == pytest.approx(abs(here - np.median(here)).mean())


def test_log_loss_is_another_name_of_entropy_as_in_scikit_learn():
    X, y = np.arange(6.0)[:, None], list("aabbab")
    named = [CARTClassifier(criterion=name).fit(X, y).tree_ for name in ("log_loss", "entropy", "gini")]
    assert [tree.criterion for tree in named] == ["entropy", "entropy", "gini"]
    assert named[0] == named[1]


def test_the_best_two_groups_of_names():
    X = pd.DataFrame({"a": list("pqrs") * 6})
    y = np.array([1, 0, 1, 0] * 5 + [0, 1, 1, 0])
    tree = CARTClassifier(max_depth=1).fit(X, y).tree_
    assert tree.root.split.groups == (("p", "r"), ("q", "s"))
    one = CARTClassifier(max_depth=1, nominal="one_vs_rest").fit(X, y).tree_
    assert one.root.split.groups == (("r",), ("p", "q", "s"))
    assert tree.gain[0] > one.gain[0] > 0
    counts = np.array([[np.sum((X["a"] == v) & (y == k)) for k in (0, 1)] for v in "pqrs"])
    left = counts[[0, 2]].sum(0)
    right = counts[[1, 3]].sum(0)
    assert tree.gain[0] == pytest.approx(gini(counts.sum(0)) - (gini(left) + gini(right)) / 2)


def test_unequal_weight_moves_the_mean():
    weight = np.array([3, 1])
    tree = CARTRegressor(max_depth=0).fit([[0], [1]], [0.0, 1.0], weight)
    assert tree.predict([[0]]) == [0.25]
    assert tree.tree_.impurity.tolist() == [0.1875]


# Limits


def test_without_limits_the_leaves_are_pure():
    tree = CARTClassifier().fit(melons.X, melons.y)
    assert set(tree.tree_.reason) == {"", "pure"}
    assert tree.score(melons.X, melons.y) == 1


@pytest.mark.parametrize(
    ("limit", "reason", "nodes"),
    [
        ({"max_depth": 0}, "max_depth reached", 1),
        ({"max_depth": 1}, "pure", 3),
        ({"min_samples_split": 8}, "pure", 3),
        ({"min_samples_split": 8.5}, "less than min_samples_split", 1),
        ({"min_samples_leaf": 2}, "pure", 3),
        ({"min_samples_leaf": 4.5}, "no split leaves min_samples_leaf", 1),
        ({"min_samples_leaf": 0.25}, "pure", 3),
        ({"min_weight_fraction_leaf": 0.25}, "pure", 3),
        ({"dialect": CARTDialect(min_impurity=0.37)}, "pure", 3),
        ({"dialect": CARTDialect(min_impurity=0.375)}, "impurity not above min_impurity", 1),
        ({"min_impurity_decrease": 0.375}, "pure", 3),
        ({"min_impurity_decrease": 0.38}, "decrease below min_impurity_decrease", 1),
        ({"max_leaf_nodes": 2}, "pure", 3),
        ({"max_leaf_nodes": 1}, "max_leaf_nodes reached", 1),
    ],
)
def test_limits_stop_where_they_say(limit, reason, nodes):
    tree = CARTClassifier(**limit).fit(LINE, STEPS).tree_
    assert tree.node_count == nodes
    assert {node.reason for node in tree if node.is_leaf} == {reason}


@BOTH
@pytest.mark.parametrize("leaf", [3, 0.375])
def test_least_leaf_moves_the_cut(cls, leaf):
    parameters = {"min_weight_fraction_leaf": leaf} if leaf < 1 else {"min_samples_leaf": leaf}
    for limit in (parameters, {"min_samples_leaf": leaf}):
        tree = cls(max_depth=1, **limit).fit(LINE, STEPS)
        assert rows(tree)[0] == ("x ≤ 4.5?", 8)


def test_samples_are_weight_or_rows():
    weight = [1, 1, 1, 1, 1, 1, 4, 4]  # the branch above 5.5 has two rows of weight 8
    first = {}
    for samples in ("weight", "rows"):
        for leaf in (3, 0.3):
            tree = CARTClassifier(
                min_samples_leaf=leaf, max_depth=1, dialect=CARTDialect(samples=samples)
            ).fit(LINE, STEPS, weight)
            first[samples, leaf] = rows(tree)[0][0]
    assert first["weight", 3] == first["weight", 0.3] == "x ≤ 5.5?"
    assert first["rows", 3] == first["rows", 0.3] == "x ≤ 4.5?"


def test_least_split_in_weight_or_rows():
    weight = [0.25] * 8
    assert CARTClassifier(min_samples_split=3).fit(LINE, STEPS, weight).get_n_leaves() == 1
    of_rows = CARTClassifier(min_samples_split=3, dialect=CARTDialect(samples="rows"))
    assert of_rows.fit(LINE, STEPS, weight).get_n_leaves() == 2
    one = CARTClassifier(min_samples_split=1.0)  # which is no share
    assert one.fit(LINE, STEPS, weight).get_n_leaves() == 2


def test_a_question_that_tells_nothing_is_asked_only_on_demand():
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    assert CARTClassifier().fit(X, y).tree_.reason == ("no gain",)
    assert CARTClassifier(dialect=CARTDialect(zero_gain=True)).fit(X, y).score(X, y) == 1


def test_single_precision_parts_no_neighbors():
    X, y = [[0.5], [0.5 + 5e-8], [0.5 + 1e-3]], [0, 1, 1]
    assert CARTClassifier().fit(X, y).get_n_leaves() == 2
    single = CARTClassifier(dialect=CARTDialect(precision="single"))
    assert single.fit(X, y).score(X, y) == pytest.approx(2 / 3)
    with pytest.raises(ValueError, match="too large for a float32"):
        single.fit([[1e39], [0]], [0, 1])


def test_training_data_are_kept_on_demand(monkeypatch):
    fit = {keep: CARTClassifier(keep_data=keep).fit(melons.X, melons.y).tree_ for keep in (None, True, False)}
    assert [tree.training is None for tree in fit.values()] == [False, False, True]
    with pytest.raises(ValueError, match="keep_data=True"):
        fit[False].explain(0)
    monkeypatch.setattr("dtlib.base.KEPT", melons.X.size - 1)
    assert CARTClassifier().fit(melons.X, melons.y).tree_.training is None
    assert CARTClassifier(keep_data=True).fit(melons.X, melons.y).tree_.training is not None


@pytest.mark.parametrize(
    "parameters", [{"prune": ComplexityParameter(0.1)}, {"ccp_alpha": 0.02}, {"prune":
    CrossValidated(folds=4)}, {"prune": "validation"},
     {"prune": "pre"}, {"prune": ReducedError(cp=0.1)}],
)  # fmt: skip
@pytest.mark.parametrize("keep", [False, True])
def test_the_trees_before_pruning_keep_the_data_only_if_told_to(parameters, keep):
    model = CARTClassifier(keep_data=keep, random_state=0, **parameters).fit(melons.X, melons.y)
    trees = [model.tree_]
    while trees[-1].pruned_from is not None:
        trees.append(trees[-1].pruned_from)
    if hasattr(model, "pruning_path_"):
        trees.append(model.pruning_path_.full)
    assert len(trees) > 1
    assert [tree.training is not None for tree in trees] == [keep] * len(trees)


def test_the_log_has_a_line_for_each_level(caplog, capsys):
    with caplog.at_level("INFO", logger="dtlib"):
        CARTClassifier().fit(LINE, STEPS)
    assert caplog.messages == ["level 0: 1 nodes, 1 of them open", "level 1: 2 nodes, 0 of them open"]
    CARTClassifier().fit(LINE, STEPS)
    assert len(caplog.messages) == 2
    assert capsys.readouterr() == ("", "")


def test_work_in_small_blocks_gives_the_same_tree(monkeypatch):
    rng = np.random.default_rng(3)
    X = pd.DataFrame(rng.integers(0, 9, (300, 3)), columns=list("abc")).astype(str)
    X = X.assign(d=rng.random(300), e=rng.integers(0, 5, 300), f=rng.random(300))
    y = rng.integers(0, 3, 300)
    whole = CARTClassifier().fit(X, y).tree_
    for module in ("by_table", "by_order"):
        monkeypatch.setattr(f"dtlib.search.{module}.BLOCK", 100)
    assert CARTClassifier().fit(X, y).tree_ == whole


def test_a_table_in_blocks_is_not_cut_between_values_that_are_too_close(monkeypatch):
    """The only open node of a level is searched line by line, then the line with the best cut again."""
    monkeypatch.setattr(depth_first, "fallback_reason", lambda *_: "told so")
    monkeypatch.setattr(by_order, "BLOCK", 1)
    x = np.arange(1.0, 401.0)  # both columns have values that are too close, so both are sorted, not counted
    x[150] = np.nextafter(np.float32(x[149]), np.float32(np.inf))
    x /= 4096
    X, y = np.stack([x, x[::-1] % 0.01], axis=1).astype(np.float32), np.arange(400) >= 150
    tree = CARTClassifier.sklearn(max_depth=1).fit(X, y).tree_
    other = DecisionTreeClassifier(max_depth=1).fit(X[:, :1], y).tree_
    assert (tree.feature[0], tree.threshold[0]) == (0, other.threshold[0])


# Chance


@pytest.mark.parametrize(
    ("max_features", "drawn"),
    [
        (None, None),
        (1, 1),
        (99, 99),
        (0.5, 5),
        (0.01, 1),
        (1.0, 10),
        ("sqrt", 3),
        ("log2", 3),
        (np.int64(2), 2),
    ],
)
def test_how_many_features_are_drawn(max_features, drawn):
    assert features_drawn(max_features, 10) == drawn


@BOTH
def test_the_seed_decides_the_draws_and_nothing_else(cls):
    rng = np.random.default_rng(0)
    X, y = rng.random((60, 8)), rng.integers(0, 2, 60)
    grow = lambda **parameters: cls(**parameters).fit(X, y).tree_  # noqa: E731
    assert grow(max_features=2, random_state=5) == grow(max_features=2, random_state=np.random.RandomState(5))
    trees = {str(grow(max_features=2, random_state=seed)) for seed in range(5)}
    assert len(trees) == 5
    assert grow(random_state=1) == grow(random_state=2) == grow(max_features=8, random_state=3)
    state = np.random.RandomState(5)
    assert grow(max_features=2, random_state=state) != grow(max_features=2, random_state=state)
    assert len({str(grow(max_features=2)) for _ in range(4)}) > 1


# Classes


def test_class_weight_is_the_weight_of_its_rows():
    X, y = melons.X, melons.y
    weight = np.where(y == "yes", 3, 1)
    by_row = CARTClassifier().fit(X, y, weight).tree_
    assert CARTClassifier(class_weight={"yes": 3}).fit(X, y).tree_ == by_row
    assert CARTClassifier(class_weight={"yes": 3}).fit(X, y, weight).tree_.n[0] == 9 * 8 + 9
    balanced = CARTClassifier(class_weight="balanced").fit(X, y).tree_
    np.testing.assert_allclose(balanced.counts[0], [8.5, 8.5])


def test_class_weight_of_several_outputs():
    X, y = LINE, np.array([STEPS, [0, 1] * 4]).T
    weights = [{0: 1, 1: 2}, {0: 1, 1: 3}]
    tree = CARTClassifier(class_weight=weights).fit(X, y)
    by_row = CARTClassifier().fit(X, y, np.where(y[:, 0], 2, 1) * np.where(y[:, 1], 3, 1))
    assert tree.tree_ == by_row.tree_
    assert CARTClassifier(class_weight="balanced").fit(X, y).tree_.n[0] == pytest.approx(8)


@pytest.mark.parametrize(
    ("class_weight", "words"),
    [
        ("heavy", "class_weight is 'heavy'; wanted one of 'balanced'"),
        (3, "class_weight is 3"),
        ({0: -1}, "class_weight of 0 is -1"),
        ({0: np.nan}, "class_weight of 0 is nan"),
        ({0: 0, 1: 0}, "class_weight is zero for every row"),
    ],
)
def test_bad_class_weights_are_named(class_weight, words):
    with pytest.raises(ValueError, match=words):
        CARTClassifier(class_weight=class_weight).fit(LINE, STEPS)


def test_both_weights_may_leave_nothing():
    with pytest.raises(ValueError, match="class_weight and sample_weight together are zero"):
        CARTClassifier(class_weight={0: 0}).fit(LINE, STEPS, [1] * 6 + [0, 0])


def test_several_outputs():
    y = pd.DataFrame({"first": STEPS, "second": list("abababab")})
    tree = CARTClassifier().fit(LINE, y)
    assert [c.tolist() for c in tree.classes_] == [[0, 1], ["a", "b"]]
    assert (tree.n_classes_, tree.n_outputs_) == ([2, 2], 2)
    assert tree.predict(LINE).tolist() == y.to_numpy().tolist()
    shares = tree.predict_proba(LINE)
    assert [p.shape for p in shares] == [(8, 2), (8, 2)]
    assert [output.name for output in tree.tree_.outputs] == ["first", "second"]
    numbers = CARTRegressor().fit(LINE, np.array([STEPS, range(8)]).T)
    assert numbers.predict(LINE).tolist() == [[a, b] for a, b in zip(STEPS, range(8), strict=True)]
    assert numbers.score(LINE, np.array([STEPS, range(8)]).T) == 1


# Parameters

SOME = "wanted one of 'sqrt', 'log2', a whole number of at least 1, a number above 0 and at most 1"
WRONG = [
    ({"criterion": "Gini"}, "criterion is 'Gini'; wanted one of "),
    ({"nominal": "multiway"}, "nominal is 'multiway'; wanted one of 'subset', 'ordered', 'one_vs_rest'"),
    ({"dialect": CARTDialect(samples="both")}, "samples is 'both'; wanted one of 'weight', 'rows'"),
    ({"dialect": CARTDialect(precision=32)}, "precision is 32; wanted one of 'double', 'single'"),
    ({"max_depth": -1}, "max_depth is -1; wanted a whole number of at least 0"),
    ({"max_depth": 2.0}, r"max_depth is 2\.0; wanted a whole number"),
    ({"max_depth": True}, "max_depth is True; wanted a whole number"),
    ({"min_samples_split": -1}, "min_samples_split is -1; wanted a number of at least 0"),
    ({"min_samples_leaf": "1"}, "min_samples_leaf is '1'; wanted a number"),
    ({"min_samples_leaf": np.inf}, "min_samples_leaf is inf; wanted a number"),
    ({"min_weight_fraction_leaf": 0.6}, r"is 0\.6; wanted a number of at least 0 and at most 0\.5"),
    ({"dialect": CARTDialect(min_impurity=np.nan)}, "min_impurity is nan; wanted a number of at least 0"),
    ({"min_impurity_decrease": None}, "min_impurity_decrease is None; wanted a number of at least 0"),
    ({"max_leaf_nodes": 0}, "max_leaf_nodes is 0; wanted a whole number of at least 1"),
    ({"max_features": 0}, f"max_features is 0; {SOME}"),
    ({"max_features": 0.0}, rf"max_features is 0\.0; {SOME}"),
    ({"max_features": 1.5}, rf"max_features is 1\.5; {SOME}"),
    ({"max_features": "auto"}, f"max_features is 'auto'; {SOME}"),
    ({"max_features": []}, rf"max_features is \[\]; {SOME}"),
    ({"dialect": CARTDialect(zero_gain="yes")}, "zero_gain is 'yes'; wanted one of True, False"),
    ({"keep_data": 1}, "keep_data is 1; wanted one of None, True, False"),
    ({"dialect": "Rpart"}, "dialect is 'Rpart'; wanted one of None, 'sklearn', 'rpart', CARTDialect"),
    (
        {"prune": 0.1},
        r"prune is 0\.1; wanted one of None, 'cv', 'validation', .*, ComplexityParameter\(\.\.\.\)",
    ),
    ({"max_features": 1, "random_state": "x"}, "random_state is 'x'; wanted None"),
]


@BOTH
@pytest.mark.parametrize(("parameters", "words"), WRONG, ids=[str(parameters) for parameters, _ in WRONG])
def test_bad_parameters_are_named(cls, parameters, words):
    estimator = cls(**parameters)  # which stores them as they are
    assert {name: getattr(estimator, name) for name in parameters} == parameters
    with pytest.raises(ValueError, match=words):
        estimator.fit(LINE, STEPS)


def test_criteria_belong_to_their_estimators():
    with pytest.raises(
        ValueError, match="criterion is 'squared_error'; wanted one of 'gini', 'entropy', 'misclassification'"
    ):
        CARTClassifier(criterion="squared_error").fit(LINE, STEPS)
    with pytest.raises(
        ValueError, match="criterion is 'gini'; wanted one of 'squared_error', 'absolute_error'"
    ):
        CARTRegressor(criterion="gini").fit(LINE, STEPS)
    with pytest.raises(ValueError, match="one_vs_rest', which absolute_error does not have"):
        CARTRegressor(criterion="absolute_error", nominal="one_vs_rest").fit(LINE, STEPS)
    with pytest.raises(TypeError, match="max_deep"):
        CARTClassifier(max_deep=3)


def test_a_prior_is_a_weight_of_the_classes():
    even = CARTClassifier(class_weight=Prior([0.5, 0.5]), max_depth=1).fit(LINE, STEPS).tree_
    balanced = CARTClassifier(class_weight="balanced", max_depth=1).fit(LINE, STEPS).tree_
    np.testing.assert_allclose(even.counts, balanced.counts)
    np.testing.assert_allclose(even.counts[0], [4, 4])
    same = CARTClassifier(class_weight=Prior({0: 0.5, 1: 0.5}), max_depth=1).fit(LINE, STEPS).tree_
    assert same == even


def test_settings_nest_and_are_cloned():
    model = CARTClassifier(prune=CrossValidated(folds=4), dialect="rpart").set_params(prune__se=0)
    twin = clone(model)
    assert twin.get_params()["prune__se"] == 0
    assert twin.prune is not model.prune
    assert repr(twin) == "CARTClassifier(dialect='rpart', prune=CrossValidated(folds=4, se=0))"


def test_the_parameters_of_both_differ_in_classes_only():
    ours = {cls: signature(cls).parameters for cls in (CARTClassifier, CARTRegressor)}
    differ = set(ours[CARTClassifier].items()) ^ set(ours[CARTRegressor].items())
    assert {name for name, _ in differ} == {"class_weight", "criterion", "leaf_shares", "loss"}
    for cls, parameters in ours.items():
        documented = getdoc(cls).partition("Parameters\n")[2].partition("Attributes\n")[0]
        assert all(f"\n{name} : " in documented for name in parameters)


def test_numbers_and_weights_have_scales_that_go_together():
    for scale, weight in ((1e150, None), (1e-99, None), (1e100, 1e90), (1e-50, 1e-49), (1, 1e-99)):
        y = scale * np.array(STEPS)
        tree = CARTRegressor().fit(LINE, y, weight)
        assert tree.predict(LINE).tolist() == y.tolist()
    for scale, weight, way in ((1e140, 1e30, "divide"), (1e-90, 1e-30, "multiply"), (1, 1e-300, "multiply")):
        with pytest.raises(ValueError, match=f"scales do not go together, {way}"):
            CARTRegressor().fit(LINE, scale * np.array(STEPS), weight)


# scikit-learn's tree


@pytest.mark.parametrize("parameters", [{}, {"min_samples_leaf": 4}, {"max_leaf_nodes": 6}, {"max_depth": 3}])
def test_scikit_learns_trees(parameters):
    rng = np.random.default_rng(1)
    X, y, z, weight = rng.normal(size=(90, 1)), rng.integers(0, 3, 90), rng.normal(size=90), rng.random(90)
    ours, theirs = CARTClassifier.sklearn(**parameters), DecisionTreeClassifier(random_state=0, **parameters)
    np.testing.assert_allclose(ours.fit(X, y).predict_proba(X), theirs.fit(X, y).predict_proba(X))
    ours, theirs = CARTRegressor.sklearn(**parameters), DecisionTreeRegressor(random_state=0, **parameters)
    np.testing.assert_allclose(ours.fit(X, z, weight).predict(X), theirs.fit(X, z, weight).predict(X))
    assert ours.tree_.node_count == theirs.tree_.node_count


def test_what_sklearn_sets_can_be_set_otherwise():
    tree = CARTClassifier.sklearn(samples="weight", max_depth=2)
    assert (type(tree), tree.max_depth) == (CARTClassifier, 2)
    assert (tree.dialect.samples, tree.dialect.precision) == ("weight", "single")
    assert CARTRegressor.sklearn().dialect.zero_gain


def test_rparts_price_goes_with_its_own_pruning_only() -> None:
    assert CARTClassifier.rpart(prune="pessimistic", max_depth=2).prune == "pessimistic"
    with pytest.raises(ValueError, match="cp"):
        CARTClassifier.rpart(prune="pessimistic", cp=0.1)


@pytest.mark.parametrize(
    ("parameters", "several"),
    [({}, True), ({"dialect": "sklearn"}, True), ({"loss": [[0, 1], [1, 0]]}, False),
     ({"class_weight": Prior([0.5, 0.5])}, False), ({"dialect": CARTDialect(ties="rounding")}, False)],
)  # fmt: skip
def test_which_trees_have_several_outputs(parameters, several):
    assert CARTClassifier(**parameters).__sklearn_tags__().target_tags.multi_output is several


def test_a_dialect_may_be_named():
    X, y = np.array([[1.0], [1 + 1e-9], [2]]), [0, 1, 1]
    named, made = CARTClassifier(dialect="sklearn").fit(X, y), CARTClassifier.sklearn().fit(X, y)
    assert named.tree_.single
    assert named.tree_ == made.tree_
    assert not CARTClassifier().fit(X, y).tree_.single
