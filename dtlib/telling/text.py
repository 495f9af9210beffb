"""A tree in words: outline, growth, rules, surrogates, and the path of a sample (chapters 1, 4, 8 and 10)."""

import numpy as np
import pandas as pd

from dtlib.messages import say
from dtlib.tree.conditions import PathConditions, and_then
from dtlib.tree.descend import ANSWERED, MAJORITY, PART, walk
from dtlib.tree.node import surrogate_split
from dtlib.tree.tree import Tree

DEEP = 24  # levels; below, the text of a tree is indented no further


def as_text(tree: Tree) -> str:
    """Return the outline that `print` shows.

    Examples
    --------
    >>> from dtlib import CARTRegressor
    >>> from dtlib.datasets import load_regression_points
    >>> points = load_regression_points()
    >>> print(as_text(CARTRegressor(max_depth=1).fit(points.X, points.y).tree_))
    root (n 10, mean 6.618)
    ├── x ≤ 5.5 (n 5, mean 5.06) → 5.06
    └── x > 5.5 (n 5, mean 8.176) → 8.176
    """
    lines: list[str] = []
    prefix: dict[int, tuple[str, bool | None, int]] = {}
    for node in tree.preorder():
        stem, last, depth = prefix.pop(node.id, ("", None, 0))
        elbow = "" if last is None else "└── " if last else "├── "
        result = f" → {node.predicted}" if node.is_leaf else ""
        where = node.condition or say("root")
        deep = f"[{depth}] " if depth > DEEP else ""
        lines.append(f"{stem}{elbow}{deep}{where} ({node.said}){result}")
        below = stem if depth > DEEP else stem + ("" if last is None else "    " if last else "│   ")
        for child in node.children:
            prefix[child.id] = below, child.id == node.children[-1].id, depth + 1
    return "\n".join(lines)


def trace_growth(tree: Tree) -> pd.DataFrame:
    """Return the growth step by step, as `Tree.trace` says."""
    paths = conditions_of_paths(tree)
    lines = [
        {
            "path": say_path(paths[node.id]),
            "n": node.n,
            "counts" if tree.is_classifier else "summary": node.said,
            "impurity": node.impurity,
            "split": "" if node.is_leaf else str(node.split),
            "gain": tree.gain[node.id],
            "leaf": node.predicted if node.is_leaf else "",
            "reason": say(node.reason) if node.is_leaf else "",
        }
        for node in tree
    ]
    return pd.DataFrame(lines, index=pd.RangeIndex(tree.node_count, name="node"))


def as_rules(tree: Tree) -> pd.DataFrame:
    """Return the tree as if-then rules, as `Tree.rules` says."""
    lines, paths = [], conditions_of_paths(tree)
    for leaf in (node for node in tree.preorder() if node.is_leaf):
        said = say_path(paths[leaf.id]) or say("anything")
        rule = say("if {conditions} then {label}", conditions=said, label=leaf.predicted)
        lines.append(
            (rule, leaf.prediction, leaf.n, leaf.confidence if tree.is_classifier else leaf.impurity)
        )
    measured = ("class", "support", "confidence") if tree.is_classifier else ("value", "support", "impurity")
    return pd.DataFrame(lines, columns=["rule", *measured])


def conditions_of_paths(tree: Tree) -> list[PathConditions]:
    """Return for each node the conditions from the root to it."""
    paths: list[PathConditions] = [{}]
    for node in tree:
        if (split := node.split) is not None:
            paths.extend(and_then(paths[node.id], split, i) for i in range(len(node.children)))
    return paths


def say_path(path: PathConditions) -> str:
    """Say conditions that all must be fulfilled.

    Examples
    --------
    >>> from dtlib.tree.splits import Threshold
    >>> say_path(and_then({}, Threshold("age", 17.5), 0))
    'age ≤ 17.5'
    """
    return say(" and ").join(condition.text for condition in path.values())


def surrogates_of(tree: Tree, node: int) -> pd.DataFrame:
    """List the surrogates of a node, as `Tree.surrogates_of` says."""
    lines, found = [], tree._active_surrogates
    for place in found.at(node):
        split = surrogate_split(tree, int(place))
        measured = (x[place].item() for x in (found.agreement, found.adjusted, found.rows))
        lines.append((split.feature, str(split), split.conditions[0], *measured))
    return pd.DataFrame(lines, columns=["feature", "split", "first", "agreement", "adjusted", "rows"])


def path_of(tree: Tree, X: np.ndarray) -> pd.DataFrame:
    """List the nodes that a sample visits, given as the tree reads it: an array of one row."""
    found = sorted(
        (int(node), float(weight), int(by))
        for at in walk(tree, X, tree.missing)
        for node, weight, by in zip(at.node, at.weight, at.by, strict=True)
    )
    lines = []
    for node, weight, by in ((tree[i], weight, by) for i, weight, by in found):
        line = {
            "node": node.id,
            "condition": node.condition,
            "counts" if tree.is_classifier else "summary": node.said,
            "split": "" if node.is_leaf else str(node.split),
            "prediction": node.prediction,
        }
        parts = (
            {}
            if tree.missing == "error"
            else {"weight": weight, "sent_by": format_routing(tree, node.id, by)}
        )
        lines.append(line | parts)
    return pd.DataFrame(lines)


def format_routing(tree: Tree, node: int, by: int) -> str:
    """Say how a row, or a share of it, came to a node if the value tested above was missing.

    Examples
    --------
    >>> from dtlib import C45Classifier
    >>> from dtlib.datasets import load_golf
    >>> golf = load_golf()
    >>> format_routing(C45Classifier().fit(golf.X, golf.y).tree_, 1, PART)
    'part of 5/14'
    """
    if by == ANSWERED:
        return ""
    above = int(tree.parent[node])
    below = tree.n[tree.first_child[above] : tree.first_child[above] + tree.children[above]]
    if by == MAJORITY:
        return say("larger branch") if tree.n[node] == below.max() else say("branch of missing values")
    if by == PART:
        return say("part of {n}/{total}", n=f"{tree.n[node]:.6g}", total=f"{below.sum():.6g}")
    return surrogate_split(tree, by).conditions[node - int(tree.first_child[above])]
