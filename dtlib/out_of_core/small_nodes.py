"""Finishing small nodes in memory: their rows are fetched once (chapter 25).

The deeper a tree, the smaller its nodes, and each level reads all rows again. A node grows as it would in any
other tree, so its rows alone grow the same branch.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from dtlib.growing.by_score import grow_each
from dtlib.out_of_core.streams import FetchedRows, Stream
from dtlib.search.rules import Rules
from dtlib.table.coded import code_all
from dtlib.table.columns import Column
from dtlib.table.training import Training
from dtlib.tree.edit import grafted
from dtlib.tree.tree import Tree

FETCHED_CELLS = 1 << 25  # cells of the rows that are in memory at once


def finish_small(
    tree: Tree, small: Sequence[int], tested: Tree, source: Stream, rules: Rules, column: Column
) -> Tree:
    """Return a tree whose small leaves are grown on, each from its own rows.

    Parameters
    ----------
    tree : Tree
    small : sequence of int
        Leaves, level by level.
    tested : Tree
        The same tree, in the form that the source reads.
    source : Stream
    rules : Rules
        Rules under which a node grows as it would in any other tree.
    column : Column
        Each label once.

    Examples
    --------
    >>> from dtlib import CARTClassifier
    >>> from dtlib.datasets import load_watermelon
    >>> from dtlib.out_of_core import Batches, grow_from
    >>> melons = load_watermelon("3.0")
    >>> source = Batches([melons.frame.head(5), melons.frame.tail(12)], "good")
    >>> tree = grow_from(source, CARTClassifier(), rows_in_memory=9).tree_
    >>> tree == CARTClassifier().fit(melons.X, melons.y).tree_, source.passes
    (True, 3)
    """
    level = tree.depth
    branches = dict[int, Tree]()
    for nodes in portions(small, tree):
        rows = source.rows_at(tested, nodes)
        for depth in np.unique(level[nodes]).tolist():
            here = [k for k, node in enumerate(nodes) if level[node] == depth]
            deepest = None if rules.max_depth is None else rules.max_depth - depth
            own = replace(rules, max_depth=deepest, max_leaf_nodes=None)
            data, root = training_at(rows, here, tested, column)
            grown = grow_each(data, own, len(here), root)
            branches |= {nodes[k]: one for k, one in zip(here, grown, strict=True)}
    return grafted(tree, branches)


def portions(nodes: Sequence[int], tree: Tree) -> Iterator[list[int]]:
    """Yield the nodes in portions whose rows fit into memory."""
    some, cells = list[int](), 0
    for node in nodes:
        more = int(tree.n[node]) * len(tree.features)
        if some and cells + more > FETCHED_CELLS:
            yield some
            some, cells = [], 0
        some.append(node)
        cells += more
    if some:
        yield some


def training_at(
    rows: FetchedRows, here: list[int], tree: Tree, column: Column
) -> tuple[Training, np.ndarray]:
    """Return the rows of some of the nodes as training data, and the node of each (index among these)."""
    number = np.full(int(rows.node.max(initial=0)) + 1, -1)
    number[here] = np.arange(len(here))
    order = np.argsort(number[rows.node], kind="stable")
    order = order[np.count_nonzero(number[rows.node] < 0) :]
    kinds = [feature.kind for feature in tree.features]
    width = np.float32 if tree.single else np.float64
    numbers = {f: x[order].astype(width) for f, x in rows.values.items() if kinds[f] == "numeric"}
    names = {f: x[order] for f, x in rows.values.items() if kinds[f] != "numeric"}
    root, target = number[rows.node[order]], replace(column, codes=rows.label[order])
    coded = code_all(numbers, (len(kinds), len(order)), names, missing=True)
    lines = {f: line[np.argsort(root[line], kind="stable")] for f, line in coded.order.items()}
    return Training(tree.features, replace(coded, order=lines), (target,)), root
