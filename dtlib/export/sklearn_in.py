"""A fitted tree of scikit-learn, read as a `Tree`.

Legend: n is the number of nodes, d that of features; shares are those of the classes at each node.

Examples
--------
>>> from sklearn.datasets import load_iris
>>> from sklearn.tree import DecisionTreeClassifier
>>> from dtlib import Tree
>>> theirs = DecisionTreeClassifier(max_depth=2, random_state=0).fit(*load_iris(return_X_y=True))
>>> from_sklearn(Tree, theirs, feature_names=["sl", "sw", "pl", "pw"]).rules()["rule"].tolist()[0]
'if pw ≤ 0.8000000119 then 0'
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import is_classifier
from sklearn.ensemble import (
    BaggingClassifier,
    BaggingRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.tree import BaseDecisionTree, _tree
from sklearn.utils.validation import check_is_fitted

from dtlib.counting.criteria import names_read
from dtlib.export.common import EQUAL_SHARES
from dtlib.numbers import shown
from dtlib.search.surrogates import no_surrogates
from dtlib.table.columns import Feature, python_values
from dtlib.table.neighbors import close_to
from dtlib.table.parameters import check_text, checked_sequence, whole_number
from dtlib.table.training import Sides
from dtlib.tree.reasons import AS_READ, PURE, code_of
from dtlib.tree.splits import LARGEST_SINGLE
from dtlib.tree.tree import BEYOND_SINGLE, Tree

FORESTS = (
    RandomForestClassifier, RandomForestRegressor, ExtraTreesClassifier, ExtraTreesRegressor,
    BaggingClassifier, BaggingRegressor,
)  # fmt: skip
INSIDE = ("best_estimator_", "estimator_", "regressor_")  # where models of scikit-learn keep one of others
PURE_READ = 2.2e-16  # scikit-learn splits nodes above it
# how many floats beside the weight of a node another one is tried, near ones first
NEAR_STEPS = sorted({s * k << m for s in (1, -1) for k in range(16) for m in range(20)}, key=abs)


class Read(NamedTuple):
    """A tree of scikit-learn, with the names, columns and classes of each output that its forest knows."""

    tree: BaseDecisionTree
    features: tuple[Feature, ...]
    columns: np.ndarray
    classes: list[np.ndarray]


def from_sklearn(
    cls: type[Tree], model: Any, index: int | None = None, feature_names: Sequence[str] | None = None
) -> Tree:
    """Read a fitted tree of scikit-learn, see `Tree.from_sklearn`.

    Parameters
    ----------
    cls : type
        `Tree`.
    model, index, feature_names
        As for `Tree.from_sklearn`.

    Returns
    -------
    Tree

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> from dtlib.datasets import load_regression_points
    >>> points = load_regression_points()
    >>> print(from_sklearn(Tree, DecisionTreeRegressor(max_depth=1).fit(points.X, points.y)))
    root (n 10, mean 6.618)
    ├── x ≤ 5.5 (n 5, mean 5.06) → 5.06
    └── x > 5.5 (n 5, mean 8.176) → 8.176
    """
    found = read_model(model, index, feature_names)
    state = found.tree.tree_.__getstate__()
    order = level_order(state["nodes"]["left_child"], state["nodes"]["right_child"])
    nodes, value = state["nodes"][order], state["values"][order]
    check_amounts(nodes["weighted_n_node_samples"], value)
    inner, weight = nodes["left_child"] >= 0, nodes["weighted_n_node_samples"].copy()
    if is_classifier(found.tree):
        summary, weight = class_weights_read(value, [len(some) for some in found.classes], weight)
    else:
        summary = value[:, :, 0].copy()
    none, places = np.zeros(len(nodes), np.intp), np.empty(0, np.intp)
    feature = np.where(inner, found.columns[np.maximum(nodes["feature"], 0)], -1)
    threshold = np.where(inner, np.minimum(nodes["threshold"], LARGEST_SINGLE), np.nan)
    tree = cls(
        found.features,
        outputs_read(found.classes),
        criterion_read(found.tree.criterion),
        feature=feature, threshold=threshold, n_values=none, code=places, branch=places, summary=summary,
        n=weight, impurity=nodes["impurity"].copy(), gain=np.zeros(len(nodes)),
        stop=np.where(inner, 0, np.where(nodes["impurity"] <= PURE_READ, code_of(PURE), code_of(AS_READ))),
        single=True, neighbors=close_to(feature, threshold, singles_beside(threshold)),
    )  # fmt: skip
    if found.tree.__sklearn_tags__().input_tags.allow_nan:
        default = np.where(inner, 1 - nodes["missing_go_to_left"].astype(np.intp), -1)
        surrogates = no_surrogates(default)
        tree = replace(tree, missing="learned", surrogates=surrogates)
    return replace(tree, gain=gains_read(tree))


def singles_beside(threshold: np.ndarray) -> Sides:
    """Return the float32 values beside thresholds, as the values of training were rounded to float32.

    scikit-learn keeps no values of training. Its thresholds lie between two of them, not at one.

    Examples
    --------
    >>> low, high = singles_beside(np.array([1.0, 1 + 2**-24]))
    >>> ((low - 1) * 2**24).tolist(), ((high - 1) * 2**24).tolist()
    ([-1.0, 0.0], [2.0, 2.0])
    """
    with np.errstate(over="ignore"):
        single = threshold.astype(np.float32)
        low = np.where(single < threshold, single, np.nextafter(single, np.float32(-np.inf)))
        high = np.where(single > threshold, single, np.nextafter(single, np.float32(np.inf)))
    return Sides(*(np.clip(x.astype(float), -BEYOND_SINGLE, BEYOND_SINGLE) for x in (low, high)))


def read_model(model: Any, index: int | None, feature_names: Sequence[str] | None) -> Read:
    """Return the tree that is meant, with what its forest knows; raise an error if there is none."""
    tree, columns = model, None
    if isinstance(model, FORESTS):
        check_is_fitted(model)
        size = len(model.estimators_)
        check_model(model.estimators_[0], "model.estimators_[0]")
        if index is None:
            raise ValueError(
                f"index is None, but model is a forest of {size} trees; wanted the number of one, 0 to "
                f"{size - 1}"
            )
        index = whole_number("index", index)
        if not 0 <= index < size:
            raise ValueError(f"index is {index}; wanted the number of a tree, 0 to {size - 1}")
        tree = model.estimators_[index]
        columns = getattr(model, "estimators_features_", {index: None})[index]
    check_model(tree)
    if tree is model and index is not None:
        raise ValueError(f"index is {shown(index)}, but model is {say_model(model)}: wanted None")
    d = model.n_features_in_
    columns = np.arange(d) if columns is None else np.asarray(columns)
    classes = [np.empty(0)] * tree.n_outputs_
    if is_classifier(tree):
        classes = per_output(tree.classes_)
        if tree is not model:  # the trees of a forest know classes by their numbers
            categorical = per_output(model.classes_)
            classes = [a[b.astype(np.intp)] for a, b in zip(categorical, classes, strict=True)]
    return Read(tree, features_read(model, d, feature_names), columns, classes)


def say_model(model: Any) -> str:
    """Describe the type of a model.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> say_model("tree"), say_model(DecisionTreeRegressor)
    ('a str', 'the class DecisionTreeRegressor')
    """
    if isinstance(model, type):
        return f"the class {model.__name__}"
    name = type(model).__name__
    return f"{'an' if name[0] in 'AEIOUaeiou' else 'a'} {name}"


def check_model(model: Any, place: str = "model") -> None:
    """Raise an error if a model is no fitted tree of scikit-learn; it says where one may be.

    Examples
    --------
    >>> check_model("tree")
    Traceback (most recent call last):
    TypeError: model is a str; wanted a fitted decision tree of scikit-learn, or a forest and an index
    """
    if isinstance(model, BaseDecisionTree):
        check_is_fitted(model)
        return
    where = ""
    if isinstance(model, Tree) or isinstance(getattr(model, "tree_", None), Tree):
        where = ": this is a tree of dtlib already, as is `tree_` of its estimators"
    elif isinstance(model, _tree.Tree):
        where = ": it knows no names of classes, so give the estimator whose `tree_` it is"
    elif inside := place_of_tree(model):
        where = f": there is one in {place}{inside}"
    wanted = "a fitted decision tree of scikit-learn, or a forest and an index"
    raise TypeError(f"{place} is {say_model(model)}; wanted {wanted}{where}")


def place_of_tree(model: Any) -> str:
    """Return the path in another model to its first tree or forest, "" if it is none of the usual ones.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> place_of_tree(make_pipeline(DecisionTreeRegressor())), place_of_tree("tree")
    ('[-1]', '')
    """
    place = ""
    while not isinstance(model, (BaseDecisionTree, *FORESTS)):
        if hasattr(model, "steps"):
            model, place = model[-1], f"{place}[-1]"
        elif isinstance(members := getattr(model, "estimators_", None), np.ndarray):
            model, place = members[0, 0], f"{place}.estimators_[0, 0]"
        elif members:
            model, place = members[0], f"{place}.estimators_[0]"
        elif categorical := next((name for name in INSIDE if hasattr(model, name)), ""):
            model, place = getattr(model, categorical), f"{place}.{categorical}"
        else:
            return ""
    return place


def per_output(classes: Any) -> list[np.ndarray]:
    """Return the classes of each output; of one output, scikit-learn keeps no list."""
    return [np.asarray(some) for some in classes] if isinstance(classes, list) else [np.asarray(classes)]


def features_read(model: Any, d: int, names: Sequence[str] | None) -> tuple[Feature, ...]:
    """Return the features under the names given, those of the frame of training, or x0, x1, ..."""
    if names is None:
        names = getattr(model, "feature_names_in_", [f"x{f}" for f in range(d)])
    else:
        names = list(checked_sequence("feature_names", names))
        for name in names:
            check_text(feature_names=name)
    if len(names) != d or len({*names}) < d:
        raise ValueError(f"feature_names is {shown(list(names))}; wanted {d} different names")
    return tuple(Feature(str(name), (), "numeric") for name in names)


def outputs_read(classes: list[np.ndarray]) -> tuple[Feature, ...]:
    """Return the outputs, whose names scikit-learn does not keep: y, or y0, y1, ..."""
    names = ["y"] if len(classes) == 1 else [f"y{k}" for k in range(len(classes))]
    return tuple(
        Feature(name, tuple(python_values(some.tolist())), "nominal" if len(some) else "numeric")
        for name, some in zip(names, classes, strict=True)
    )


def criterion_read(criterion: Any) -> str:
    """Return the name of the criterion of the impurities.

    Examples
    --------
    >>> criterion_read("log_loss"), criterion_read("friedman_mse")
    ('entropy', 'squared_error')
    """
    known = names_read()
    if not isinstance(criterion, str) or criterion not in known:
        raise ValueError(f"criterion is {shown(criterion)}; wanted one of {list(known)}")
    return known[criterion]


def check_amounts(weight: np.ndarray, value: np.ndarray) -> None:
    """Raise an error if a node has no weight, or a value that is not finite."""
    if (weight == 0).any():
        raise ValueError(
            "model has a node of weight 0, which no training row came to, as to_sklearn() adds for rows that "
            "stay at a question; wanted a tree without one (keep a tree of dtlib by its to_json())"
        )
    wrong = ~(np.isfinite(weight) & (weight > 0) & np.isfinite(value).all(axis=(1, 2)))
    if wrong.any():
        node = int(wrong.argmax())
        raise ValueError(
            f"model has a node of weight {weight[node]} with the values {value[node].tolist()}; wanted a "
            f"tree grown from weights above 0"
        )


def level_order(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return scikit-learn's indices of the nodes level by level, given both children of each, -1 at a leaf.

    Examples
    --------
    >>> level_order(np.array([1, 2, -1, -1, -1]), np.array([4, 3, -1, -1, -1]))
    array([0, 1, 4, 2, 3])
    """

    def levels() -> Iterator[np.ndarray]:
        level = np.zeros(1, np.intp)
        while len(level):
            yield level
            does_split = level[left[level] >= 0]
            level = np.stack([left[does_split], right[does_split]], axis=1).ravel()

    return np.concatenate(list(levels()))


def class_weights_read(
    value: np.ndarray, sizes: list[int], weight: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the weight of each class and of each node, whose quotients are the shares to the last bit.

    Parameters
    ----------
    value : ndarray of shape (n, outputs, classes)
        The shares; behind the classes of an output, zeros.
    sizes : list of int
        The number of classes of each output.
    weight : ndarray of shape (n,)

    Returns
    -------
    summary : ndarray of shape (n, width)
    weight : ndarray of shape (n,)
        As given; the next float for which there are such weights where there are none, as after shares were
        clipped to be monotonic.
    """
    shares = np.concatenate([value[:, k, :size] for k, size in enumerate(sizes)], axis=1)
    if (shares < 0).any() or not np.allclose(shares.sum(1), len(sizes)):
        raise ValueError(
            "model has values that are no class shares; wanted a tree of scikit-learn 1.3 or later"
        )
    weight, rows = weight.astype(float), np.arange(len(shares))
    summary = weights_with_shares(shares, weight[:, None])
    for step in NEAR_STEPS:
        near = weight[rows] + step * np.spacing(weight[rows])
        found = weights_with_shares(shares[rows], near[:, None])
        good = (found / near[:, None] == shares[rows]).all(1)
        summary[rows[good]], weight[rows[good]] = found[good], near[good]
        rows = rows[~good]
        if not len(rows):
            break
    start = 0
    for size in sizes:
        prefer_largest(summary[:, start : start + size], shares[:, start : start + size])
        start += size
    return summary, weight


def weights_with_shares(share: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Return weights that, divided by that of their node, are these shares, if any are; whole ones first.

    Of all floats, the one nearest to the product comes nearest to the share when it is divided: if another
    gives the share, so does this one.

    Examples
    --------
    >>> share = np.array([1 / 49, 48 / 49])
    >>> (share * 49).tolist(), weights_with_shares(share, np.array([49.0])).tolist()
    ([0.9999999999999999, 48.0], [1.0, 48.0])
    """
    product = share * weight
    whole = np.rint(product)
    return np.where(whole / weight == share, whole, product)


def prefer_largest(weights: np.ndarray, shares: np.ndarray) -> None:
    """Let the class of the largest share win where another is as large but for rounding.

    In `dtlib` these two are equal, and the first one is predicted; scikit-learn predicts the one that
    rounding has left larger.
    """
    best, row = shares.argmax(1), np.arange(len(shares))
    first = (shares >= shares.max(1, keepdims=True) * (1 - EQUAL_SHARES)).argmax(1)
    rounded = np.flatnonzero(first != best)
    weights[row[rounded], best[rounded]] *= 1 + 2 * EQUAL_SHARES


def gains_read(tree: Tree) -> np.ndarray:
    """Return the decrease of impurity by each split."""
    gain = np.zeros(tree.node_count)
    does_split = np.flatnonzero(tree.feature >= 0)
    both = tree.first_child[does_split][:, None] + [0, 1]
    share = tree.n[both] / tree.n[both].sum(1, keepdims=True)
    gain[does_split] = np.maximum(tree.impurity[does_split] - (share * tree.impurity[both]).sum(1), 0.0)
    return gain
