"""The widget of the price per leaf: a tree, its pruning path, what its subtrees cost (chapters 13 and 14).

- ``price:melons``: ID3's tree of the melons with its risk in bits, and the loss of each subtree as a line.
- ``price:tumors``: CART's tree of the tumors with its errors, and what cross-validation says of each subtree.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedKFold

from dtlib import CARTClassifier, ID3Classifier, draw
from dtlib.datasets import load_watermelon
from dtlib.draw.tree import question
from dtlib.prune import CrossValidated, one_se_rule, pruning_path
from dtlib.prune.cross_validation import middles
from dtlib.prune.loss import sums_below
from touchable import price_words as words
from touchable.arguments import check
from touchable.price_words import loss_in_bits, many, wrong
from touchable.tree_pictures import numbered, small

if TYPE_CHECKING:
    import pandas as pd

    from dtlib.prune import PruningPath
    from dtlib.tree.node import Node

GRID = np.arange(43) / 10  # bits: prices between the corners, as far as the picture of the lines goes
SAME = 1e-9  # numbers this close are equal


def data(name: str) -> dict[str, Any]:
    """Return what the widget shows of a data set.

    >>> [tree["leaves"] for tree in data("melons")["trees"]]
    [9, 6, 4, 1]
    """
    known = {"melons": melons, "tumors": tumors}
    check(name, known, "data set")
    return known[name]()


def melons() -> dict[str, Any]:
    """Return the tree of the melons, its path in bits, and all its subtrees: leaves and risk."""
    table = load_watermelon()
    full = ID3Classifier().fit(table.X, table.y).tree_
    path = pruning_path(full, "entropy")
    notes = {i: f"{bits:.3f} bits" for i, bits in enumerate(path.risk)}
    nodes, trees = nodes_of(path), trees_of(path, "bit")
    for tree in trees:
        tree["notes"] = {t: f"next: {words.bits(tree['links'][t][-1])}" for t in tree["weakest"]}
    for node in nodes:
        if node["asks"] and node["leaf"] is not None:
            node["words"] = f"{node['says']}, from {words.bits(trees[node['leaf']]['from'])}"
    return {
        "svg": numbered(draw.tree(full, notes=notes).svg),
        "nodes": nodes,
        "trees": trees,
        "prices": [
            step(at, k, many(words.bits(at), "bit"), loss_in_bits(trees[k], full.n_leaves, at))
            for at, k in prices(path, GRID)
        ],
        "lines": sorted(subtrees(full.root, path.risk)),
    }


def tumors() -> dict[str, Any]:
    """Return the tree of the tumors, its path in errors, and what its subtrees cost on held-out tumors."""
    table = load_breast_cancer(as_frame=True)
    X, y = table.data, table.target_names[table.target]
    folds = list(StratifiedKFold(10, shuffle=True, random_state=0).split(X, y))
    model = CARTClassifier(prune=CrossValidated(folds=folds, se=1)).fit(X, y)
    path, held = model.pruning_path_, costs(model.cptable_, model.pruning_path_)
    nodes, trees = nodes_of(path), trees_of(path, "tumor")
    for tree in trees:
        tree["notes"] = {t: words.brief(link[-1]) for t, link in tree["links"].items()}
    for node in nodes:
        node["words"] = words.errors(node["risk"])
    most, asked = path.full.n_leaves, standing(path, float(path.alphas[held["chosen"]]))
    return {
        "svg": small(path.full, asked.tolist()),
        "nodes": nodes,
        "trees": trees,
        "prices": [
            step(at, k, many(words.errors(at), "tumor"), wrong(trees[k], most, len(y), held, k))
            for at, k in prices(path, middles(path.alphas)[:-1])
        ],
        "cv": held,
        "key": "In a question: its g. In a leaf: its tumors on the wrong side. Left is yes.",
    }


def prices(path: PruningPath, between: np.ndarray) -> list[tuple[float, int]]:
    """Return the prices that can be chosen, those of the path and others, each with its tree's number."""
    chosen = np.append(path.alphas, [x for x in between if np.abs(path.alphas - x).min() > SAME])
    return [(price, path.index(price)) for price in np.sort(chosen).tolist()]


def step(at: float, k: int, words: str, said: str) -> dict[str, Any]:
    """Return what belongs to one place of the slider: a price, the number of its tree, and words for both."""
    return {"at": at, "k": k, "words": words, "said": said}


def nodes_of(path: PruningPath) -> list[dict[str, Any]]:
    """Return of each node what it asks and would say, and with which tree it becomes a leaf and is gone."""
    nodes = []
    for node, leaf, gone in zip(path.full, path.leaf_from.tolist(), path.gone_from.tolist(), strict=True):
        label = int(path.full.label[node.id])
        nodes.append(
            {
                "asks": None if node.is_leaf else question(node),
                "says": str(path.full.classes[label]),
                "color": label,
                "risk": float(path.risk[node.id]),
                "leaf": 0 if node.is_leaf else path.index(leaf) if leaf < gone else None,
                "gone": path.index(gone) if np.isfinite(gone) else None,
            }
        )
    return nodes


def trees_of(path: PruningPath, unit: str) -> list[dict[str, Any]]:
    """Return the nested trees, with a sentence on what goes next."""
    trees = [tree_at(path, alpha) for alpha in path.alphas.tolist()]
    for tree in trees:
        tree["next"] = words.goes_next(tree, lambda t: question(path.full[t]), unit)
    return trees


def tree_at(path: PruningPath, alpha: float) -> dict[str, Any]:
    """Return one tree of a path: what it costs, its questions, and which of them are the weakest links.

    The numbers of a question are C(t), C(T_t), the number of leaves of T_t, and g.
    """
    inner = standing(path, alpha)
    leaf = (path.leaf_from <= alpha) & (alpha < path.gone_from)
    below = sums_below(path.full, np.where(leaf, path.risk, 0.0))
    leaves = sums_below(path.full, leaf.astype(int))
    g = (path.risk - below)[inner] / (leaves[inner] - 1)
    links = zip(*(x.tolist() for x in (path.risk[inner], below[inner], leaves[inner], g)), strict=True)
    return {
        "from": alpha,
        "leaves": int(leaf.sum()),
        "risk": float(path.risk[leaf].sum()),
        "links": dict(zip(inner.tolist(), links, strict=True)),
        "weakest": inner[g <= g.min() + SAME].tolist() if len(g) else [],
    }


def standing(path: PruningPath, alpha: float) -> np.ndarray:
    """Return the nodes that still ask their question at a price.

    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> standing(pruning_path(ID3Classifier().fit(loan.X, loan.y).tree_, "entropy"), 7.0)
    array([0, 1])
    """
    return np.flatnonzero(path.cut_at > alpha)  # False for a leaf, which has no such price


def costs(table: pd.DataFrame, path: PruningPath) -> dict[str, Any]:
    """Return a table of held-out costs, from the full tree on, and which of its trees are chosen."""
    lines = table[::-1]
    least, chosen = (int(lines.index.get_loc(one_se_rule(table, se))) for se in (0, 1))
    names = {"train": "rel error", "held": "xerror", "se": "xstd"}
    return {name: lines[column].tolist() for name, column in names.items()} | {
        "wrong": np.rint(lines["xerror"] * path.risk[0]).astype(int).tolist(),
        "limit": float(lines["xerror"].iloc[least] + lines["xstd"].iloc[least]),
        "least": least,
        "chosen": chosen,
    }


def subtrees(node: Node, cost: np.ndarray) -> list[tuple[int, float]]:
    """List leaves and risk of all subtrees of a small tree.

    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> subtrees(ID3Classifier().fit(loan.X, loan.y).tree_.root, np.array([6.0, 3.0, 0.0, 0.0, 0.0]))
    [(1, 6.0), (2, 3.0), (3, 0.0)]
    """
    found = [(1, float(cost[node.id]))]
    if not node.is_leaf:
        for parts in product(*(subtrees(child, cost) for child in node.children)):
            found.append((sum(n for n, _ in parts), sum(c for _, c in parts)))
    return found
