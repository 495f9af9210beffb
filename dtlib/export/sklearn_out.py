"""The tree as a fitted estimator of scikit-learn; no chapter needs it.

scikit-learn's trees ask numbers only, and each of their questions has two answers. So names become places in
an order in which the names of each branch stand together, and a question of many branches becomes several.

Legend: f is the place of a feature; a target of a question is what a row comes to, a branch or STAY.

Examples
--------
>>> from dtlib import ID3Classifier
>>> from dtlib.datasets import load_golf
>>> golf = load_golf()
>>> X = golf.X[["outlook", "windy"]]
>>> ours = ID3Classifier().fit(X, golf.y)
>>> theirs = to_sklearn(ours.tree_)
>>> bool((theirs.predict(X) == ours.predict(X)).all())
True
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer, OrdinalEncoder
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, _tree
from sklearn.utils import get_tags

from dtlib.counting.criteria import CRITERIA, Criterion, criterion_of, names_read
from dtlib.export.common import EQUAL_SHARES, missing_parts
from dtlib.numbers import shown
from dtlib.table.columns import Feature, encode
from dtlib.table.other_frames import in_pandas
from dtlib.table.parameters import check_choice
from dtlib.tree.tree import Fitted, Tree, tree_of

STAY = -1  # the target of a row that ends at the node that asks
NO_QUESTION = -2  # feature and threshold of a leaf, as scikit-learn has them
Order = tuple[int, ...]  # the places of all values of a feature, each once
Reachable = dict[int, frozenset[int]]  # by feature, the places of the values that can come to a node


def to_sklearn(tree: Tree | Fitted, missing: str | None = None, unseen: str | None = None) -> Any:
    """Return a tree as a fitted estimator of scikit-learn.

    Parameters
    ----------
    tree : Tree or fitted estimator
    missing : {None, "majority"}
        Rule for missing values: that of the tree, see below; or the branch of the largest weight, for trees
        with surrogate splits, or with fractional instances in training.
    unseen : {None, "missing"}
        Rule for categories that the tree does not know: that of the tree, which refuses some, see below; or
        they count as missing values.

    Returns
    -------
    DecisionTreeClassifier, DecisionTreeRegressor or Pipeline
        The tree alone if all features are numeric. Else a pipeline, which takes frames with the columns of
        training: its step "columns" is a ColumnTransformer, its step "tree" the tree. Both are scikit-learn's
        own, and take what scikit-learn takes: frames of pandas or polars, but of a table of Arrow its
        ``to_pandas()``. Its columns have str names, ``model["columns"].feature_names_in_``: if those of
        training had other labels, give ``X.set_axis(model["columns"].feature_names_in_, axis=1)``. The
        classes are sorted.

    Raises
    ------
    ValueError
        If there is an oblique split; if the tree has fractional instances, also in training, or surrogate
        splits, and `missing` is None; if it predicts another class than that of the largest share, as it may
        with a loss.

    Notes
    -----
    **Numeric features.** scikit-learn rounds X to float32 and compares with thresholds in
    float64. So the predictions are equal for every X of float32; a float64 may be rounded over a threshold
    that lies nearer to it than the next float32, and then takes the other branch. That concerns trees whose
    thresholds are values of the data (C4.5's ``threshold="value"``, the dialect of rpart), where the value
    itself does. A tree with ``precision="single"`` predicts alike for every float64.

    **Categorical features** are encoded as integers, from 0, in an order in which the categories of each
    branch are neighbors: text by an OrdinalEncoder, other values by a FunctionTransformer. A feature whose
    splits need several orders becomes several columns. A split of k branches becomes k - 1 splits, the first
    branch on the left. Unknown categories are refused, unless the tree treats them as missing values: then
    they count as such, as with ``unseen="missing"``. Where missing values are taken and unknown categories
    refused, text is encoded by a FunctionTransformer, too. ONNX does not take that one, so
    ``unseen="missing"`` is the way there.

    **Missing values.** "majority" and a branch for missing values at each split are kept. A row that ends at
    an inner node comes to a leaf of its own, with the prediction of the node; so does an unseen category.
    scikit-learn has no tree that refuses missing numeric values: where this one does, they take the heavier
    branch, as they do there when none was missing in training. Missing categories are refused.

    A tree with fractional instances is written like that if no tested value was missing in training:
    scikit-learn's own trees learn the branch of missing values from these alone. So C4.5's tree of complete
    rows is written by default, and predicts alike for complete rows. For a missing numeric value it does not:
    here the predictions of all branches are mixed, there the heavier branch is taken. If a tested value was
    missing in training, the tree is refused, unless `missing` is "majority".

    **Predictions.** `value` has the class shares as `leaf_shares` estimates them. Shares that are equal but
    for rounding become equal, or the share of the class predicted the next float above the others.

    **What is only shown.** `n_node_samples` is the weight, rounded. The impurities of a tree of
    "misclassification" become those of Gini, and of "standard_deviation" their squares. Where a split became
    several, the added nodes have the mean of their branches; for "absolute_error" that of the node.
    scikit-learn 1.7 takes no missing values with the criterion "absolute_error": a tree that does has the
    parameter "squared_error" there.

    Examples
    --------
    >>> from dtlib import CARTClassifier
    >>> from dtlib.datasets import load_watermelon
    >>> melons = load_watermelon("3.0")
    >>> cart = CARTClassifier().fit(melons.X, melons.y)
    >>> model = to_sklearn(cart.tree_)
    >>> bool((model.predict_proba(melons.X) == cart.predict_proba(melons.X)).all())
    True
    >>> model["columns"].get_feature_names_out().tolist()
    ['density', 'sugar', 'color', 'knock', 'texture']
    """
    tree = tree_of(tree)
    plan = plan_of(sayable(tree, missing, unseen))
    model = fitted_tree(plan)
    if all(feature.kind == "numeric" for feature in tree.features):
        return model
    columns = transformer(plan)
    return Pipeline([("columns", columns), ("tree", model)])


def _nodes_in_sklearn(
    tree: Tree | Fitted, missing: str | None = None, unseen: str | None = None
) -> np.ndarray:
    """Return for each node of the tree that `to_sklearn` makes, depth first, the index of the node here.

    Parameters
    ----------
    tree, missing, unseen
        As for `to_sklearn`.

    Returns
    -------
    int ndarray of shape (nodes of scikit-learn's tree,)
        Where a split became several, or a leaf was added for rows that stay, the node of that split.

    Examples
    --------
    >>> from dtlib import CARTRegressor
    >>> from dtlib.datasets import load_regression_points
    >>> points = load_regression_points()
    >>> _nodes_in_sklearn(CARTRegressor(max_depth=2).fit(points.X, points.y).tree_)
    array([0, 1, 3, 4, 2, 5, 6])
    """
    tree = tree_of(tree)
    lines = plan_of(sayable(tree, missing, unseen)).lines
    return np.array([line.node for line in lines])


def sayable(tree: Tree, missing: str | None, unseen: str | None) -> Tree:
    """Return the tree with the rules for missing and unknown values, or raise an error."""
    check_choice("missing", missing, (None, "majority"))
    check_choice("unseen", unseen, (None, "missing"))
    if unseen == "missing":
        tree = replace(tree, unseen="missing")
    if tree.is_linear.any():
        node = int(tree.is_linear.argmax())
        raise ValueError(
            f"tree has an oblique split at node {node} ({tree[node].split}), and scikit-learn's "
            f"trees test one feature at a time: wanted a tree without such splits"
        )
    if missing == "majority":
        return replace(tree, missing="majority", surrogates=None)
    does_split = tree.surrogates is not None and len(tree.surrogates.node) > 0
    divides = tree.missing == "fractional" and tree.max_depth > 0
    if divides and not tree.saw_missing:
        return replace(tree, missing="error")  # there was nothing to divide
    cannot = {
        "divides a row whose value is missing": divides,
        "uses surrogate splits where a value is missing": tree.missing == "surrogate" and does_split,
    }
    for what in (what for what, does in cannot.items() if does):
        raise ValueError(
            f"tree {what} (missing={tree.missing!r}), which scikit-learn's trees cannot: wanted "
            f"to_sklearn(missing='majority'), with which such a row takes the branch of the largest weight"
        )
    return tree


class CutQuestion(NamedTuple):
    """A split by cuts: a row takes the first target whose cut its value does not exceed, or the last.

    `order` is that of the feature's values, of several; `missing` the place of the target of missing values.
    """

    feature: int
    order: int
    cuts: tuple[float, ...]
    targets: tuple[int, ...]
    missing: int


class Line(NamedTuple):
    """A node of scikit-learn's tree: the node of its split, and the first of its cuts; -1 is a leaf."""

    node: int
    step: int
    n: float
    impurity: float
    value: np.ndarray
    parent: int
    is_right: bool


@dataclass(frozen=True, eq=False)
class Plan:
    """The plan of the estimator: splits by node, orders of values by feature, nodes in order."""

    tree: Tree
    questions: dict[int, CutQuestion]
    orders: dict[int, list[Order]]
    lines: list[Line]


def plan_of(tree: Tree) -> Plan:
    """Return the plan of the estimator."""
    questions, orders = find_questions(tree)
    stays = {node for node, question in questions.items() if question.targets[-1] == STAY}
    value = shares_that_predict(tree, stays) if tree.is_classifier else tree.value
    return Plan(tree, questions, orders, in_lines(tree, questions, value))


def find_questions(tree: Tree) -> tuple[dict[int, CutQuestion], dict[int, list[Order]]]:
    """Return the cuts of each node, and the orders by which categories are encoded."""
    part, found = missing_parts(tree), dict[int, CutQuestion]()
    orders = dict[int, list[Order]]()
    todo: list[tuple[int, Reachable]] = [(0, {})]
    while todo:
        node, reach = todo.pop()
        if tree.feature[node] < 0:
            continue
        f, first = int(tree.feature[node]), int(tree.first_child[node])
        below = list(range(first, first + int(tree.children[node])))
        missing = target_of_missing(tree, below, part[below])
        if tree.features[f].kind == "numeric":
            found[node] = about_number(f, float(tree.threshold[node]), below, missing)
            todo += [(child, reach) for child in below]
            continue
        groups = groups_reached(tree, node, reach.get(f), missing)
        order, cuts = order_for(orders.setdefault(f, []), groups, len(tree.features[f].values))
        targets = (*below, STAY)[: len(groups)]
        found[node] = CutQuestion(f, order, cuts, targets, missing % len(targets))
        todo += [(c, reach | {f: frozenset(some)}) for c, some in zip(below, groups, strict=False)]
    if not orders and all(feature.kind != "numeric" for feature in tree.features):
        orders[0] = [tuple(range(len(tree.features[0].values)))]  # scikit-learn wants a column even so
    return found, orders


def target_of_missing(tree: Tree, below: list[int], part: np.ndarray) -> int:
    """Return the place of the branch that a missing value takes, -1 if such a row stays.

    Where the tree refuses them, it is that of the largest weight, of equals the last, as in scikit-learn.
    """
    if tree.missing == "error":
        return len(below) - 1 - int(tree.n[below][::-1].argmax())
    return int(part.argmax()) if part.any() else STAY


def about_number(f: int, threshold: float, below: list[int], missing: int) -> CutQuestion:
    """Return the split at a threshold; if rows with a missing value stay, with a target for these."""
    if missing == STAY:
        return CutQuestion(f, 0, (threshold, np.inf), (*below, STAY), 2)
    return CutQuestion(f, 0, (threshold,), tuple(below), missing)


def groups_reached(tree: Tree, node: int, reached: frozenset[int] | None, missing: int) -> list[list[int]]:
    """Return the places of the values that take each branch of a node, of those that can come to it.

    At last come those that stay, if there are any, or if missing values do.
    """
    feature = tree.features[tree.feature[node]]
    codes = sorted(range(len(feature.values)) if reached is None else reached)
    groups: list[list[int]] = [[] for _ in range(int(tree.children[node]) + 1)]
    for code in codes:
        if feature.kind == "ordered":
            branch = int(code > tree.threshold[node])
        else:
            branch = int(tree._branch_of(np.array([node]), np.array([code]))[0])
            branch = (
                missing if branch < 0 and tree.unseen == "missing" and tree.missing != "error" else branch
            )
        groups[branch].append(code)
    return groups if groups[-1] or missing == STAY else groups[:-1]


def order_for(orders: list[Order], groups: list[list[int]], V: int) -> tuple[int, tuple[float, ...]]:
    """Return which of the orders puts these groups one after the other, and the cuts between them.

    If none does, it is added; that of the values themselves is tried before.

    Examples
    --------
    >>> orders = []
    >>> order_for(orders, [[0], [1, 2]], 3), order_for(orders, [[0, 2], [1]], 3), orders
    ((0, (0.5,)), (1, (1.5,)), [(0, 1, 2), (0, 2, 1)])
    """
    group = {code: i for i, some in enumerate(groups) for code in some}
    listed = tuple(code for some in groups for code in some)
    own = (*listed, *(code for code in range(V) if code not in group))
    fits = (
        order
        for order in (*orders, tuple(range(V)), own)
        if is_sorted([group[code] for code in order if code in group])
    )
    order = next(fits)
    if order not in orders:
        orders.append(order)
    ends = [max((order.index(code) for code in some), default=-1) for some in groups[:-1]]
    return orders.index(order), tuple(end + 0.5 for end in accumulate(ends, max))


def is_sorted(numbers: list[int]) -> bool:
    """Tell whether numbers ascend."""
    return numbers == sorted(numbers)


def shares_that_predict(tree: Tree, stays: set[int]) -> np.ndarray:
    """Return the class shares of the nodes, so that the largest one is that of the class predicted.

    Shares that differ by rounding alone are made to; where others do, that is said.
    """
    value = tree.value.copy()
    ends = tree.feature < 0
    ends[list(stays)] = True
    labels = tree.label.reshape(tree.node_count, -1)
    for k, block in enumerate(tree._blocks(value)):
        row, label = np.arange(len(block)), labels[:, k]
        own, best, order = block[row, label], block.max(1), order_of_classes(tree, k)
        differs = order[block[:, order].argmax(1)] != label
        wrong = np.flatnonzero(differs & ends & (own < best * (1 - EQUAL_SHARES)))
        if len(wrong):
            node, classes = int(wrong[0]), tree.outputs[k].values
            raise ValueError(
                f"tree predicts {classes[label[node]]!r} at node {node}, where the share of "
                f"{classes[int(block[node].argmax())]!r} is larger (by a loss, or how shares are estimated); "
                f"scikit-learn predicts the class of the largest share: wanted a tree that does"
            )
        block[row[differs], label[differs]] = np.nextafter(best[differs], 2.0)
    return value


def order_of_classes(tree: Tree, k: int) -> np.ndarray:
    """Return by what the classes of an output are sorted, as scikit-learn has them."""
    order = tree.class_orders[k]
    return np.arange(len(tree.outputs[k].values)) if order is None else order


class Amounts(NamedTuple):
    """The weight, impurity, summary and prediction of some targets of a question, a line for each."""

    n: np.ndarray
    impurity: np.ndarray
    summary: np.ndarray
    value: np.ndarray


def in_lines(tree: Tree, questions: dict[int, CutQuestion], value: np.ndarray) -> list[Line]:
    """Return the nodes of scikit-learn's tree, depth first."""
    impurity = impurities_written(tree)
    lines: list[Line] = []
    todo = [Line(0, 0, float(tree.n[0]), float(impurity[0]), value[0], -1, False)]
    while todo:
        line, place = todo.pop(), len(lines)
        question = questions.get(line.node)
        if question is None or line.step < 0:
            lines.append(line._replace(step=-1))
            continue
        lines.append(line)
        below = amounts_below(tree, question, line.node, impurity, value)
        last = line.step + 2 == len(question.targets)
        for is_right in (True, False):
            step = line.step + is_right
            if is_right and not last:
                todo.append(Line(line.node, step, *joined_rest(tree, below, line, step), place, True))
                continue
            target = question.targets[step]
            node, start = (line.node, -1) if target == STAY else (target, 0)
            own = float(below.n[step]), float(below.impurity[step]), below.value[step]
            todo.append(Line(node, start, *own, place, is_right))
    return lines


def impurities_written(tree: Tree) -> np.ndarray:
    """Return the impurity of each node as scikit-learn's criterion has it."""
    own, written = criterion_of(tree.criterion), criterion_written(tree)
    if own is written:
        return tree.impurity
    if own.of_classes:
        blocks = tree._blocks(tree.summary.astype(float))
        return np.asarray(np.mean([written.unchecked(block) for block in blocks], axis=0))
    if own.measured == "deviations" and written.measured == "sums":
        return tree.impurity**2
    raise ValueError(f"criterion is {own.name!r}, whose impurities cannot be written as {written.name!r}")


def criterion_written(tree: Tree) -> Criterion:
    """Return the criterion here that scikit-learn's estimator has, or say that there is none."""
    own = criterion_of(tree.criterion)
    if own.sklearn is None:
        known = [criterion.name for criterion in CRITERIA.values() if criterion.sklearn is not None]
        raise ValueError(
            f"criterion is {own.name!r}, which scikit-learn does not have; wanted one of {known}"
        )
    return criterion_of(names_read()[own.sklearn])


def amounts_below(
    tree: Tree, question: CutQuestion, node: int, impurity: np.ndarray, value: np.ndarray
) -> Amounts:
    """Return the amounts of each target of a split; a leaf of rows that stay has the rest."""
    targets = np.array([node if target == STAY else target for target in question.targets])
    n, summary = tree.n[targets].astype(float), tree.summary[targets].astype(float)
    if question.targets[-1] == STAY:
        n[-1] -= n[:-1].sum()
        n[-1] = n[-1] if n[-1] > EQUAL_SHARES * tree.n[node] else 0.0
        if tree.is_classifier:
            summary[-1] = np.maximum(summary[-1] - summary[:-1].sum(0), 0.0) if n[-1] else 0.0
    return Amounts(n, impurity[targets], summary, value[targets])


def joined_rest(tree: Tree, below: Amounts, line: Line, step: int) -> tuple[float, float, np.ndarray]:
    """Return weight, impurity and prediction of the targets of a split from one on."""
    n = below.n[step:]
    total = float(n.sum())
    written = criterion_written(tree)
    if not total or written.measured != "sums":  # of the parts nothing is known together
        return total, line.impurity, line.value
    value = (n[:, None] * below.value[step:]).sum(0) / total
    if tree.is_classifier:
        blocks = tree._blocks(below.summary[step:].sum(0))
        return total, float(np.mean([written.unchecked(block) for block in blocks])), value
    apart = ((below.value[step:] - value) ** 2).mean(1)
    return total, float((n * (below.impurity[step:] + apart)).sum() / total), value


def fitted_tree(plan: Plan) -> DecisionTreeClassifier | DecisionTreeRegressor:
    """Return the fitted tree, to whose columns the features have become."""
    tree, names = plan.tree, names_of_columns(plan)
    kind = DecisionTreeClassifier if tree.is_classifier else DecisionTreeRegressor
    model = kind(criterion=criterion_of(tree.criterion).sklearn)
    if tree.missing != "error" and not get_tags(model).input_tags.allow_nan:
        model.criterion = (
            "squared_error"  # scikit-learn before 1.8 takes no missing values for "absolute_error"
        )
    model.n_features_in_ = model.max_features_ = len(names)
    if names != [f"x{f}" for f in range(len(names))]:  # so are columns called that had no name
        model.feature_names_in_ = np.array(names, dtype=object)
    model.n_outputs_ = len(tree.outputs)
    sizes = [max(1, len(output.values)) for output in tree.outputs]
    if tree.is_classifier:
        classes = [class_array(output)[order_of_classes(tree, k)] for k, output in enumerate(tree.outputs)]
        model.classes_ = classes if len(classes) > 1 else classes[0]
        model.n_classes_ = np.array(sizes) if len(sizes) > 1 else sizes[0]
    model.tree_ = _tree.Tree(len(names), np.array(sizes, dtype=np.intp), len(sizes))
    model.tree_.__setstate__(state_of(plan, sizes))
    return model


def class_array(output: Feature) -> np.ndarray:
    """Return the classes of an output as an array; of text as objects, which no text is too long for."""
    texts = any(isinstance(value, str) for value in output.values)
    return np.array(output.values, dtype=object if texts else None)


def state_of(plan: Plan, sizes: list[int]) -> dict[str, Any]:
    """Return the nodes in the form in which scikit-learn's tree is pickled."""
    tree, lines = plan.tree, plan.lines
    column = {key: place for place, key in enumerate(keys_of_columns(plan))}
    nodes = np.zeros(len(lines), _tree.NODE_DTYPE)
    values = np.zeros((len(lines), len(sizes), max(sizes)))
    depth = [0] * len(lines)
    for place, line in enumerate(lines):
        if line.parent >= 0:
            nodes["right_child" if line.is_right else "left_child"][line.parent] = place
            depth[place] = depth[line.parent] + 1
        row, question = nodes[place], plan.questions.get(line.node)
        row["impurity"], row["weighted_n_node_samples"] = line.impurity, line.n
        row["n_node_samples"] = round(line.n)
        for k, block in enumerate(tree._blocks(line.value)):
            values[place, k, : sizes[k]] = block[order_of_classes(tree, k)] if tree.is_classifier else block
        if line.step < 0 or question is None:
            row["left_child"] = row["right_child"] = -1
            row["feature"] = row["threshold"] = NO_QUESTION
            continue
        row["feature"] = column[question.feature, question.order]
        row["threshold"] = question.cuts[line.step]
        row["missing_go_to_left"] = question.missing == line.step
    return {"max_depth": max(depth), "node_count": len(lines), "nodes": nodes, "values": values}


def holds_text(feature: Feature) -> bool:
    """Tell whether all values of a feature are text, and there are any."""
    return bool(feature.values) and all(isinstance(value, str) for value in feature.values)


def parts_of_columns(plan: Plan) -> list[tuple[str, int, list[int]]]:
    """Return the parts of the columns: a name, which order of the values, and the features.

    Numeric features come first; then the first orders of categories, of text and of other values; then the
    second ones.
    """
    features, orders = plan.tree.features, plan.orders
    parts = [("numeric", 0, [f for f, feature in enumerate(features) if feature.kind == "numeric"])]
    for rank in range(max(map(len, orders.values()), default=0)):
        some = sorted(f for f, found in orders.items() if len(found) > rank)
        text = [f for f in some if holds_text(features[f])]
        number = "" if not rank else f" {rank + 1}"
        parts.append((f"categorical{number}", rank, text))
        parts.append((f"categorical values{number}", rank, [f for f in some if f not in text]))
    return [part for part in parts if part[2]]


def keys_of_columns(plan: Plan) -> list[tuple[int, int]]:
    """Return the feature of each column, and which order of its values."""
    return [(f, rank) for _, rank, some in parts_of_columns(plan) for f in some]


def names_of_columns(plan: Plan) -> list[str]:
    """Return the name of each column: that of its feature, with its part where a feature needs several."""
    parts, features = parts_of_columns(plan), plan.tree.features
    is_plain = all(not rank for _, rank, _ in parts)
    return [
        features[f].name if is_plain else f"{features[f].name} ({part})"
        for part, _, some in parts
        for f in some
    ]


def transformer(plan: Plan) -> ColumnTransformer:
    """Return the transformer of the columns of a frame, fitted to a frame that has all values."""
    features, parts = plan.tree.features, parts_of_columns(plan)
    has_missing = plan.tree.missing != "error"
    refuses = plan.tree.missing != "stay" and plan.tree.unseen == "stay"  # an unknown name is no missing one
    steps = []
    for part, rank, some in parts:
        names = [features[f].name for f in some]
        values = [
            [features[f].values[code] for code in plan.orders[f][rank]] if f in plan.orders else []
            for f in some
        ]
        step = "passthrough" if part == "numeric" else coder(part, names, values, has_missing, refuses)
        steps.append((part, step, names))
    is_plain = all(not rank for _, rank, _ in parts)
    naming = False if is_plain else "{feature_name} ({transformer_name})"
    columns = ColumnTransformer(steps, verbose_feature_names_out=naming).set_output(transform="pandas")
    n = max([1, *(len(feature.values) for feature in features)])
    frame = {x.name: np.resize(np.array(x.values, object), n) if x.values else np.zeros(n) for x in features}
    return columns.fit(pd.DataFrame(frame))


def coder(part: str, names: list[str], values: list[list[Any]], has_missing: bool, refuses: bool) -> Any:
    """Return the encoder of some features; if values may be missing, an unknown category may be refused."""
    if not part.startswith("categorical values") and not (has_missing and refuses):
        others = {"handle_unknown": "use_encoded_value", "unknown_value": np.nan} if has_missing else {}
        return OrdinalEncoder(categories=[np.array(some, dtype=object) for some in values], **others)
    given = {"values": dict(zip(names, values, strict=True)), "has_missing": has_missing, "refuses": refuses}
    return FunctionTransformer(places_in_order, kw_args=given, feature_names_out="one-to-one")


def places_in_order(
    X: pd.DataFrame, values: dict[str, Sequence[Any]], has_missing: bool, refuses: bool = True
) -> pd.DataFrame:
    """Return the codes of the values of some columns, given all values; NaN if missing or unknown.

    If values may not be missing, both are refused; if they may, unknown ones may be refused.

    Examples
    --------
    >>> places_in_order(pd.DataFrame({"windy": [True, False]}), {"windy": [True, False]}, False)
       windy
    0    0.0
    1    1.0
    """
    X, found = in_pandas(X), {}
    for name, some in values.items():
        code = encode(X[name], some).codes
        taken = X[name].isna().to_numpy() | (not refuses or not some)  # what nobody asks, all may hold
        wrong = (code < 0) & ~(taken & has_missing)
        if wrong.any():
            row = int(wrong.argmax())
            raise ValueError(
                f"column {name!r} holds {shown(X[name].tolist()[row])} in row {row} (counted from 0); wanted "
                f"one of {shown(list(some))}"
            )
        found[name] = np.where(code < 0, np.nan, code)
    return pd.DataFrame(found, index=X.index)
