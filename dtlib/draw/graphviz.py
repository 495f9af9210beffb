"""The tree as Graphviz source, which the program ``dot`` renders."""

import re
from typing import TYPE_CHECKING

import numpy as np

from dtlib.draw.svg import LIGHT, class_color
from dtlib.draw.tree import NUMBER_COLOR, brief, opacity, question, shades
from dtlib.messages import say
from dtlib.tree.node import Node
from dtlib.tree.tree import Fitted, Tree, tree_of

if TYPE_CHECKING:
    import graphviz


def to_graphviz(tree: Tree | Fitted) -> "graphviz.Source":
    """Write a tree in the language of Graphviz.

    Parameters
    ----------
    tree : Tree or fitted estimator
        The tree.

    Returns
    -------
    graphviz.Source
        Its ``source`` is the text; rendering it, or showing it in a notebook, needs the program ``dot``.

    Raises
    ------
    ImportError
        If the package graphviz is not installed.

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> print(to_graphviz(ID3Classifier().fit(loan.X, loan.y).tree_).source.splitlines()[3])
    \t0 [label="owns_house?\\nno 6, yes 9"]
    """
    tree = tree_of(tree)
    try:
        import graphviz
    except ImportError as error:
        raise ImportError("to_graphviz needs the package graphviz: pip install graphviz") from error
    font = {"fontname": "sans-serif", "fontcolor": LIGHT["ink"]}
    graph = graphviz.Digraph(node_attr={"shape": "box", **font}, edge_attr={"color": LIGHT["line"], **font})
    tints = shades(tree)
    for node in tree:
        head = node.predicted if node.is_leaf else question(node)
        words = graphviz.escape(_without_entities(f"{head}\n{node.said if node.n else say('no sample')}"))
        graph.node(str(node.id), words.replace("\n", "\\n"), **_look(node, tints))
        for child in node.children:
            words = graphviz.escape(_without_entities(brief(child.branch)))
            graph.edge(str(node.id), str(child.id), words)
    return graphviz.Source(graph.source)


def _without_entities(words: str) -> str:
    """Return a text in which Graphviz finds no entity of HTML, such as ``&lt;``."""
    return re.sub(r"&(?=#?\w+;)", "&amp;", words)


def _look(node: Node, tints: np.ndarray | None) -> dict[str, str]:
    """Return the color of a leaf; one without samples is dashed."""
    if not node.is_leaf:
        return {}
    if tints is not None:
        fill = mixed(LIGHT[NUMBER_COLOR], opacity(tints[node.id]))
        return {"style": "rounded,filled", "color": LIGHT[NUMBER_COLOR], "fillcolor": fill}
    if len(node.tree.outputs) > 1:
        return {"style": "rounded" if node.n else "rounded,dashed"}
    color = LIGHT[class_color(int(node.tree.label[node.id]))]
    if not node.n:
        return {"style": "rounded,dashed", "color": color, "fontcolor": color}
    return {"style": "rounded,filled", "color": color, "fillcolor": color, "fontcolor": LIGHT["paper"]}


def mixed(color: str, opacity: float) -> str:
    """Return what a color looks like on white paper.

    Examples
    --------
    >>> mixed("#000000", 0.25)
    '#bfbfbf'
    """
    parts = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{round(255 + (part - 255) * opacity):02x}" for part in parts)
