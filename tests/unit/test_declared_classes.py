"""Classes without rows: a categorical y declares them, and every classifier counts them as programs do."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from dtlib import (
    C45Classifier,
    CARTClassifier,
    ID3Classifier,
    ObliqueTreeClassifier,
    OptimalTreeClassifier,
    Prior,
    Tree,
)
from dtlib.out_of_core import Arrow, Batches, grow_from
from dtlib.table.reading import class_targets

X = pd.DataFrame({"x": [1.0, 2, 3, 4]})
LABELS = ["c", "a", "c", "a"]
DECLARED = ["c", "b", "a"]
ALL = [
    CARTClassifier(),
    CARTClassifier.sklearn(random_state=0),
    CARTClassifier.rpart(min_samples_split=2),
    C45Classifier(),
    C45Classifier.release8(),
    C45Classifier.j48(),
    ID3Classifier(),
    ObliqueTreeClassifier(random_state=0),
    OptimalTreeClassifier(),
]
every_classifier = pytest.mark.parametrize("model", ALL, ids=[f"{k}_{m}"[:20] for k, m in enumerate(ALL)])


def table(model, n=40, seed=0):
    """Return columns that a classifier can read, and two classes that depend on them."""
    rng = np.random.default_rng(seed)
    numbers = pd.DataFrame(
        {"x": rng.integers(0, 6, n).astype(float), "z": rng.integers(0, 4, n).astype(float)}
    )
    y = np.where(numbers["x"] + rng.normal(size=n) > 2, "c", "a")
    if isinstance(model, ID3Classifier):
        return numbers.astype(str), y
    if isinstance(model, ObliqueTreeClassifier):
        return numbers, y
    return numbers.assign(name=rng.choice(list("pqrst"), n)), y


@every_classifier
@pytest.mark.parametrize("ordered", [False, True])
def test_a_category_declares_classes_without_rows(model, ordered: bool) -> None:
    features, labels = table(model)
    y = pd.Series(pd.Categorical(labels, DECLARED, ordered=ordered))
    for given in (y, y.to_frame("class"), y.array):
        fitted = clone(model).fit(features, given)
        assert fitted.classes_.tolist() == ["a", "b", "c"]
        assert fitted.n_classes_ == 3
        shares = fitted.predict_proba(features)
        assert shares.shape == (40, 3)
        assert not shares[:, 1].any()
        assert set(fitted.predict(features)) == {"a", "c"}
        assert sorted(fitted.tree_.classes) == ["a", "b", "c"]
        assert Tree.from_json(fitted.tree_.to_json()) == fitted.tree_


def without(tree: Tree, name: str) -> np.ndarray:
    """Return the weights of the classes of each node, in alphabetical order, but for one class."""
    order = sorted(k for k in range(len(tree.classes)) if tree.classes[k] != name)
    return tree.counts[:, sorted(order, key=lambda k: tree.classes[k])]


@pytest.mark.parametrize("model", [m for m in ALL if getattr(m, "dialect", None) is None], ids=repr)
@pytest.mark.parametrize("seed", range(4))
def test_a_class_without_rows_changes_no_split(model, seed: int) -> None:
    """But in dialects: that of rpart tries all groups of names then, that of J48 has other minima."""
    features, labels = table(model, 60, seed)
    plain = clone(model).fit(features, labels)
    more = clone(model).fit(features, pd.Categorical(labels, ["a", "b", "c"]))
    for name in ("feature", "threshold", "code", "branch", "gain", "impurity", "n"):
        np.testing.assert_array_equal(getattr(plain.tree_, name), getattr(more.tree_, name), err_msg=name)
    assert plain.tree_.counts.tolist() == without(more.tree_, "b").tolist()
    assert plain.predict(features).tolist() == more.predict(features).tolist()


def test_nor_does_it_where_the_best_two_groups_of_two_classes_are_a_cut_of_an_order() -> None:
    """With a third class that has rows, all groups would be tried, and another of equal ones taken."""
    rng = np.random.default_rng(0)
    for _ in range(30):
        features = pd.DataFrame({"x": rng.choice(list("pqrstuv"), 12)})
        labels = rng.choice(["a", "c"], 12)
        plain = CARTClassifier().fit(features, labels).tree_
        more = CARTClassifier().fit(features, pd.Categorical(labels, DECLARED)).tree_
        assert plain.branch.tolist() == more.branch.tolist()
        assert plain.gain.tolist() == more.gain.tolist()


@pytest.mark.parametrize("sample", [1, 2])
def test_of_several_outputs_each_declares_its_own(sample: int) -> None:
    y = pd.DataFrame({"p": pd.Categorical(LABELS, DECLARED), "q": LABELS})
    model = CARTClassifier(max_depth=0, leaf_shares="laplace").fit(X, y, [sample] * 4)
    assert [classes.tolist() for classes in model.classes_] == [["a", "b", "c"], ["a", "c"]]
    assert model.n_classes_ == [3, 2]
    n = 4 * sample
    p, q = model.predict_proba(X.head(1))
    np.testing.assert_allclose(p, [[(n / 2 + 1) / (n + 3), 1 / (n + 3), (n / 2 + 1) / (n + 3)]])
    np.testing.assert_allclose(q, [[0.5, 0.5]])


@every_classifier
def test_shares_by_laplace_count_a_class_without_rows(model) -> None:
    features, labels = table(model)
    model = clone(model).set_params(leaf_shares="laplace")
    more = model.fit(features, pd.Categorical(labels, DECLARED))
    end = more.apply(features)
    n = more.tree_.n[end]
    np.testing.assert_allclose(more.predict_proba(features)[:, 1], 1 / (n + 3), rtol=0, atol=1e-12)


def test_the_minimum_of_a_threshold_is_shared_by_all_declared_classes() -> None:
    """A tenth of 60 rows is 3 for two classes, and 2 for three: then a cut after two rows is allowed."""
    x = pd.DataFrame({"x": np.arange(60.0)})
    labels = np.where(np.arange(60) < 2, "a", "c")
    grow = C45Classifier.j48(prune=None, mdl_correction=False).fit
    assert grow(x, labels).tree_.threshold[0] != 1
    assert grow(x, pd.Categorical(labels, DECLARED)).tree_.threshold[0] == 1


@pytest.mark.parametrize(
    "model", [C45Classifier(leaf_shares="laplace"), ID3Classifier(leaf_shares="laplace")]
)
def test_a_declared_class_whose_rows_weigh_nothing_is_one_without_rows(model) -> None:
    y = pd.Series(pd.Categorical([*LABELS, "b"], DECLARED))
    few = X.astype(str) if isinstance(model, ID3Classifier) else X
    rows = pd.concat([few, few.head(1)], ignore_index=True)
    weighed = clone(model).fit(rows, y, [1, 1, 1, 1, 0])
    left_out = clone(model).fit(few, y.head(4))
    assert weighed.classes_.tolist() == left_out.classes_.tolist()
    assert weighed.tree_ == left_out.tree_


def test_whole_numbers_and_truth_values_may_be_declared_too() -> None:
    for model in (C45Classifier(max_depth=0), CARTClassifier(max_depth=0)):
        model.fit(X, pd.Categorical([3, 1, 3, 1], [1, 2, 3]))
        assert model.classes_.tolist() == [1, 2, 3]
        assert model.classes_.dtype.kind == "i"
        model.fit(X, pd.Categorical([True] * 4, [True, False]))
        assert model.classes_.tolist() == [False, True]
        assert model.classes_.dtype.kind == "b"


def test_what_a_category_declares_is_kept_with_its_order() -> None:
    (column,) = class_targets(pd.Categorical(LABELS, DECLARED), 4)
    assert column.values.tolist() == ["a", "b", "c"]
    assert (column.codes.tolist(), column.declared, column.unused) == ([2, 0, 2, 0], ("c", "b", "a"), (1,))
    (column,) = class_targets(LABELS, 4)
    assert (column.declared, column.unused) == (None, ())


def test_a_category_with_classes_of_several_types_is_refused() -> None:
    with pytest.raises(TypeError, match="y mixes classes of types int, str"):
        CARTClassifier().fit(X, pd.Categorical(LABELS, [*DECLARED, 1]))


def test_weights_and_priors_of_classes_without_rows_need_not_be_given_and_may() -> None:
    y = pd.Categorical(LABELS, DECLARED)
    for weights in ({"a": 3, "c": 1}, {"a": 3, "b": 7, "c": 1}, {"a": 3, "b": 7}, {"a": 3}):
        model = CARTClassifier(max_depth=0, class_weight=weights).fit(X, y)
        assert model.tree_.counts.tolist() == [[6, 0, 2]]
    for prior in ({"a": 0.75, "c": 0.25}, {"a": 0.75, "b": 0, "c": 0.25}):
        model = CARTClassifier(max_depth=0, class_weight=Prior(prior)).fit(X, y)
        assert model.tree_.counts.tolist() == [[3, 0, 1]]
    balanced = CARTClassifier(max_depth=0, class_weight="balanced").fit(X, y)
    assert balanced.tree_.counts.tolist() == [[2, 0, 2]]
    both = pd.DataFrame({"p": y, "q": y})
    model = CARTClassifier(max_depth=0, class_weight=[{"a": 3, "b": 7}, {"c": 2}]).fit(X, both)
    assert model.tree_.summary.tolist() == [[6, 0, 4, 6, 0, 4]]
    with pytest.raises(
        ValueError, match=r"prior is .*'b': 0.5.*, but the classes weigh .*: give \['b'\] a prior of 0$"
    ):
        CARTClassifier(class_weight=Prior({"a": 0.25, "b": 0.5, "c": 0.25})).fit(X, y)
    with pytest.raises(ValueError, match=r"prior is for .*, but the classes are \['a', 'b', 'c'\]"):
        CARTClassifier(class_weight=Prior({"a": 1.0})).fit(X, y)


def test_a_class_without_rows_is_predicted_where_it_costs_least() -> None:
    """So does rpart: a class of its own may stand for "ask somebody"."""
    loss = [[0, 0.3, 1], [1, 0, 1], [1, 0.3, 0]]
    for model in (CARTClassifier(max_depth=0, loss=loss), OptimalTreeClassifier(max_depth=0, loss=loss)):
        assert model.fit(X, pd.Categorical(LABELS, ["a", "b", "c"])).predict(X.head(1)).tolist() == ["b"]


@pytest.mark.parametrize("model", [
    CARTClassifier(), ID3Classifier(), C45Classifier(leaf_shares="laplace"),
    CARTClassifier(class_weight="balanced"), CARTClassifier(class_weight=Prior({"a": 0.25, "c": 0.75})),
    CARTClassifier(class_weight={"a": 2, "c": 3}), CARTClassifier(class_weight={"a": 2, "b": 3}),
], ids=repr)  # fmt: skip
def test_from_counts_the_tree_has_the_same_classes(model) -> None:
    features, labels = table(model)
    frame = features.assign(y=pd.Categorical(labels, DECLARED))
    fitted = clone(model).fit(features, frame["y"])
    counted = grow_from(Batches([frame[:25], frame[25:]], "y"), model)
    assert counted.classes_.tolist() == ["a", "b", "c"]
    assert counted.tree_ == fitted.tree_
    assert counted.tree_.gain.tolist() == fitted.tree_.gain.tolist()
    if model.get_params().get("class_weight") == {"a": 2, "b": 3}:
        return  # a weight for a class that is not declared is refused
    mixed = [frame[:25], frame[25:].assign(y=frame["y"][25:].cat.remove_unused_categories())]
    assert grow_from(Batches(mixed, "y"), model).classes_.tolist() == ["a", "c"]  # as pandas joins them


def test_from_arrow_an_ordered_dictionary_declares_classes() -> None:
    arrow = pytest.importorskip("pyarrow")
    codes = arrow.array([0, 2, 0, 2], arrow.int8())
    for ordered, wanted in ((True, ["a", "b", "c"]), (False, ["a", "c"])):
        y = arrow.DictionaryArray.from_arrays(codes, arrow.array(DECLARED), ordered=ordered)
        rows = arrow.table({"x": X["x"].to_numpy(), "y": y})
        grown = grow_from(Arrow(rows, "y"), CARTClassifier())
        assert grown.classes_.tolist() == wanted
        assert CARTClassifier().fit(X, rows["y"]).classes_.tolist() == wanted
        assert grown.tree_ == CARTClassifier().fit(rows.select(["x"]), rows["y"]).tree_
        in_pandas = rows.to_pandas(types_mapper=pd.ArrowDtype)["y"]
        assert CARTClassifier().fit(X, in_pandas).classes_.tolist() == wanted


UNSORTED = pd.Categorical(["yes", "no", "yes", "no"], ["yes", "no"])
BY_NAME = pd.DataFrame([[0, 5], [1, 0]], index=["yes", "no"], columns=["yes", "no"])


def prior_of(prior, preset=CARTClassifier):
    """Return a classifier of a single node with priors."""
    return preset(max_depth=0, class_weight=Prior(prior))


@pytest.mark.parametrize("preset", [CARTClassifier, CARTClassifier.rpart])
@pytest.mark.parametrize(
    "prior", [{"yes": 0.9, "no": 0.1}, pd.Series({"yes": 0.9, "no": 0.1}), pd.Series({"no": 0.1, "yes": 0.9})]
)
def test_priors_go_by_name_whatever_the_order(prior, preset) -> None:
    model = prior_of(prior, preset).fit(X, UNSORTED)
    assert model.classes_.tolist() == ["no", "yes"]
    np.testing.assert_allclose(model.predict_proba(X.head(1)), [[0.1, 0.9]])


@pytest.mark.parametrize("preset", [CARTClassifier, CARTClassifier.rpart])
def test_priors_by_position_are_refused_where_another_order_is_declared(preset) -> None:
    with pytest.raises(ValueError, match=r"prior is given by position, but y declares .* \['yes', 'no'\]"):
        prior_of([0.9, 0.1], preset).fit(X, UNSORTED)
    with pytest.raises(
        ValueError, match=r"name each class, as in {'yes': 0.9, 'no': 0.1} if that is the order"
    ):
        prior_of([0.9, 0.1], preset).fit(X, UNSORTED)
    for y in (pd.Categorical(UNSORTED, ["no", "yes"]), list(UNSORTED)):
        np.testing.assert_allclose(prior_of([0.9, 0.1], preset).fit(X, y).predict_proba(X[:1]), [[0.9, 0.1]])
    with pytest.raises(ValueError, match=r"prior has several entries for \['no'\]"):
        prior_of(pd.Series([0.5, 0.25, 0.25], ["yes", "no", "no"]), preset).fit(X, UNSORTED)


@pytest.mark.parametrize("model", [
    CARTClassifier(max_depth=0), CARTClassifier.rpart(max_depth=0), OptimalTreeClassifier(max_depth=0),
], ids=["CART", "rpart", "optimal"])  # fmt: skip
def test_losses_go_by_name_and_are_refused_by_position(model) -> None:
    for loss in (BY_NAME, BY_NAME.iloc[::-1], BY_NAME.iloc[:, ::-1]):
        assert model.set_params(loss=loss).fit(X, UNSORTED).predict(X.head(1)).tolist() == ["yes"]
        assert model.set_params(loss=loss.T).fit(X, UNSORTED).predict(X.head(1)).tolist() == ["no"]
    with pytest.raises(
        ValueError, match="loss is given by position, but y declares its classes in the order"
    ):
        model.set_params(loss=[[0, 5], [1, 0]]).fit(X, UNSORTED)
    assert model.fit(X, list(UNSORTED)).predict(X.head(1)).tolist() == ["no"]
    with pytest.raises(ValueError, match=r"loss is a DataFrame with the columns \['yes', 'maybe'\]"):
        model.set_params(loss=BY_NAME.rename(columns={"no": "maybe"})).fit(X, UNSORTED)
    with pytest.raises(TypeError, match=r"loss is {.*}; wanted an array, or a DataFrame"):
        model.set_params(loss=BY_NAME.to_dict()).fit(X, UNSORTED)


@pytest.mark.parametrize("prior", [{"yes": 0.9, "no": 0.1}, [0.9, 0.1]], ids=["by name", "by position"])
def test_from_counts_positions_are_refused_too(prior) -> None:
    frame = X.assign(y=UNSORTED)
    for model in (
        prior_of(prior),
        CARTClassifier.rpart(max_depth=0, prior=prior, missing="error", ties="first"),
    ):
        if isinstance(prior, list):
            with pytest.raises(ValueError, match="prior is given by position"):
                grow_from(Batches([frame], "y"), model)
        else:
            grown = grow_from(Batches([frame], "y"), model)
            np.testing.assert_allclose(grown.predict_proba(X.head(1)), [[0.1, 0.9]])


@pytest.mark.parametrize("preset", [
    CARTClassifier.rpart(min_samples_split=2, min_samples_leaf=1, missing="error", cp=0, ties="first"),
    C45Classifier.j48(prune=None, missing="error"), C45Classifier.release8(prune=None, missing="error"),
], ids=["rpart", "J48", "Release 8"])  # fmt: skip
def test_the_tree_of_a_preset_gives_its_answer_wherever_it_goes(preset) -> None:
    told = 0
    for order in permutations(range(3)):
        frame = pd.DataFrame({"p": np.repeat([float(k) for k in order], 4)})
        y = pd.Series(pd.Categorical(["yes", "no", "no", "yes"] + ["other"] * 8, ["yes", "other", "no"]))
        model = preset.fit(frame, y)
        said, shares = model.predict(frame).tolist(), model.predict_proba(frame)
        told += said != model.classes_[shares.argmax(1)].tolist()
        assert model.tree_.classes == ("yes", "other", "no")
        exported = model.tree_.to_sklearn()
        assert exported.classes_.tolist() == model.classes_.tolist()
        assert exported.predict(frame).tolist() == said
        np.testing.assert_allclose(exported.predict_proba(frame), shares, rtol=1e-15)
        scope: dict = {}
        exec(model.tree_.to_python(), scope)
        assert [scope["predict"](row) for row in frame.to_dict("records")] == said
        assert (Tree.from_json(model.tree_.to_json()).label == model.tree_.label).all()
        counted = grow_from(Batches([frame.assign(y=y)], "y"), preset)
        assert counted.tree_ == model.tree_
        assert counted.predict(frame).tolist() == said
    assert told == 6
