"""A tree in words: its outline, its growth step by step, its rules, its surrogates (chapters 4 and 7)."""

import pandas as pd

from dtlib.messages import say
from dtlib.tree.node import surrogate_split
from dtlib.tree.tree import Tree

DEEP = 24  # levels; below, the text of a tree is indented no further


def as_text(tree: Tree) -> str:
    """Return the outline that `print` shows.

    Examples
    --------
    >>> from dtlib import CARTRegressor, load_regression_points
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
    conditions = [node.condition for node in tree]
    lines = [
        {
            "path": say(" and ").join(conditions[i] for i in (*node.ancestors, node.id) if i),
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
    lines, conditions = [], [node.condition for node in tree]
    for leaf in (node for node in tree.preorder() if node.is_leaf):
        path = [conditions[i] for i in (*leaf.ancestors, leaf.id) if i]
        said = say(" and ").join(path) or say("anything")
        rule = say("if {conditions} then {label}", conditions=said, label=leaf.predicted)
        sure = leaf.confidence if tree.is_classifier else leaf.impurity
        lines.append((rule, leaf.prediction, leaf.n, sure))
    measured = ("class", "support", "confidence") if tree.is_classifier else ("value", "support", "impurity")
    return pd.DataFrame(lines, columns=["rule", *measured])


def surrogates_of(tree: Tree, node: int) -> pd.DataFrame:
    """List the surrogates of a node, as `Tree.surrogates_of` says."""
    lines, found = [], tree.stand_ins
    for place in found.at(node):
        split = surrogate_split(tree, int(place))
        measured = (x[place].item() for x in (found.agreement, found.adjusted, found.rows))
        lines.append((split.feature, str(split), split.conditions[0], *measured))
    return pd.DataFrame(lines, columns=["feature", "split", "first", "agreement", "adjusted", "rows"])
