"""The tree as Graphviz source, for those who have the program ``dot``."""

from __future__ import annotations

from typing import Any

from dtlib.draw.svg import LIGHT, class_color
from dtlib.words import say


def to_graphviz(tree: Any) -> Any:
    """Write a tree in the language of Graphviz.

    Parameters
    ----------
    tree : Tree
        The tree.

    Returns
    -------
    graphviz.Source
        Its ``source`` is the text; to render it, or to show it in a notebook, needs the program ``dot``.

    Raises
    ------
    ImportError
        If the package graphviz is not installed.

    Examples
    --------
    >>> from dtlib import ID3Classifier, load_loan
    >>> loan = load_loan()
    >>> print(to_graphviz(ID3Classifier().fit(loan.X, loan.y).tree_).source.splitlines()[3])
    \t0 [label="owns_house?\\nno 6, yes 9"]
    """
    try:
        import graphviz
    except ImportError as error:
        raise ImportError("to_graphviz needs graphviz: pip install 'trees-by-counting[draw]'") from error
    font = {"fontname": "sans-serif", "fontcolor": LIGHT["ink"]}
    graph = graphviz.Digraph(node_attr={"shape": "box", **font}, edge_attr={"color": LIGHT["line"], **font})
    for node in tree:
        head = str(node.prediction if node.is_leaf else node.split)
        counts = tree.say_counts(node.counts) if node.n else say("no sample")
        words = graphviz.escape(f"{head}\n{counts}")
        graph.node(str(node.id), words.replace("\n", "\\n"), **_look(node, tree))
        for child in node.children:
            graph.edge(str(node.id), str(child.id), graphviz.escape(str(child.branch)))
    return graphviz.Source(graph.source)


def _look(node: Any, tree: Any) -> dict[str, str]:
    """Return the color of a leaf; one without samples is dashed."""
    if not node.is_leaf:
        return {}
    color = LIGHT[class_color(list(tree.classes).index(node.prediction))]
    if not node.n:
        return {"style": "rounded,dashed", "color": color, "fontcolor": color}
    return {"style": "rounded,filled", "color": color, "fillcolor": color, "fontcolor": LIGHT["paper"]}
