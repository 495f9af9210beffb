"""The pictures of trees: which part of one belongs to which node, and a small one for many leaves.

`dtlib.draw.tree` writes what it draws in words, a sentence for each node, and the cards of the nodes as
groups in the same order. An edge ends in the middle of the upper rim of the card that it leads to.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from dtlib.draw.layout import TREE_MARGIN, drawn_nodes, layout
from dtlib.draw.svg import SMALL_SIZE, class_color, number, style, tag, text, widest
from dtlib.draw.tree import question

if TYPE_CHECKING:
    from collections.abc import Collection

    from dtlib.tree.node import Node
    from dtlib.tree.tree import Tree

CARD = re.compile(r'<g transform="translate\((?P<x>\S+) (?P<y>\S+)\)"[^>]*><rect width="(?P<width>[^"]+)"')
EDGE = re.compile(r'<path d="M[^"]*Q(?P<x>\S+) [^"]*V(?P<y>[^"]+)"')
DESCRIPTION = re.compile(r"<desc>(?P<words>.*?)</desc>", re.DOTALL)
SENTENCE = re.compile(r"(?:^|(?<=\. ))Node (?P<node>\d+)")
NEAR = 0.05  # px: coordinates are written with two decimals

BOX, BOX_HEIGHT, ASKED_HEIGHT = 27, 20, 38  # px of a small node, and of one with its question
GAP, DROP = 5, 22  # px between two nodes, and from one level to the next


def node_numbers(svg: str) -> list[int]:
    """Return the numbers of the nodes that a picture of a tree shows, in the order of its cards.

    >>> from dtlib import ID3Classifier, draw
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> node_numbers(draw.tree(ID3Classifier().fit(loan.X, loan.y).tree_).svg)
    [0, 1, 2, 3, 4]
    """
    words = DESCRIPTION.search(svg)
    return [int(match["node"]) for match in SENTENCE.finditer(words["words"])] if words else []


def numbered(svg: str) -> str:
    """Write the number of its node into each card of a picture of a tree, as ``data-node``.

    Into each edge goes the number of the node that it leads to, as ``data-edge``.

    >>> from dtlib import ID3Classifier, draw
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> svg = numbered(draw.tree(ID3Classifier().fit(loan.X, loan.y).tree_).svg)
    >>> re.findall("data-[a-z]+=.[0-9]+", svg)[:5]
    ['data-edge="1', 'data-edge="2', 'data-edge="3', 'data-edge="4', 'data-node="0']
    """
    nodes, cards = node_numbers(svg), list(CARD.finditer(svg))
    if len(cards) != len(nodes):
        raise ValueError(f"the picture has {len(cards)} cards, and tells of {len(nodes)} nodes")
    tops = [
        (node, float(card["x"]) + float(card["width"]) / 2, float(card["y"]))
        for node, card in zip(nodes, cards, strict=True)
    ]
    each = iter(nodes)
    svg = CARD.sub(lambda card: card[0].replace("<g", f'<g data-node="{next(each)}"', 1), svg)
    return EDGE.sub(lambda edge: edge[0].replace("<path", f'<path data-edge="{_below(edge, tops)}"', 1), svg)


def _below(edge: re.Match[str], tops: list[tuple[int, float, float]]) -> int:
    """Return the node to whose card an edge leads."""
    x, y = float(edge["x"]), float(edge["y"])
    return next(node for node, at, top in tops if abs(at - x) < NEAR and abs(top - y) < NEAR)


def small(tree: Tree, asked: Collection[int]) -> str:
    """Draw a tree of many leaves so that it can be seen whole: nodes are boxes, few of them with a question.

    Cards and edges have the numbers of their nodes, as in a picture that is `numbered`. The last line of each
    box is empty: there is room for a short number.

    Parameters
    ----------
    tree : Tree
        A classification tree.
    asked : collection of int
        The nodes that say their question.

    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> svg = small(ID3Classifier().fit(loan.X, loan.y).tree_, [0])
    >>> re.findall(">([^<>]*)</text>", svg)
    ['owns_house?', '', '', '', '', '']
    """
    nodes, children = drawn_nodes(tree.root, lambda node: node.children)
    lines = [[question(node)] if node.id in asked else [] for node in nodes]
    widths = [max(BOX, widest(line, SMALL_SIZE) + 14) for line in lines]
    heights = [ASKED_HEIGHT if line else BOX_HEIGHT for line in lines]
    x, tops = layout(children, widths, GAP), _tops(nodes, heights)
    edges = [
        _edge(x[above], tops[nodes[above].depth] + heights[above], x[kid], tops[nodes[kid].depth], kid)
        for above, kids in enumerate(children)
        for kid in kids
    ]
    boxes = [
        _box(node, at, tops[node.depth], (wide, high), line)
        for node, at, wide, high, line in zip(nodes, x, widths, heights, lines, strict=True)
    ]
    width = max(at + wide / 2 for at, wide in zip(x, widths, strict=True)) + TREE_MARGIN
    height = tops[-1] - DROP + TREE_MARGIN
    view = f"0 0 {number(width)} {number(height)}"
    return tag("svg", *edges, *boxes, role="img", viewBox=view, width=width, height=height)


def _tops(nodes: list[Node], heights: list[int]) -> list[float]:
    """Return where each level begins, and where the next one would."""
    tops = [float(TREE_MARGIN)]
    for depth in range(nodes[-1].depth + 1):
        level = (high for node, high in zip(nodes, heights, strict=True) if node.depth == depth)
        tops.append(tops[-1] + max(level) + DROP)
    return tops


def _edge(above: float, start: float, below: float, end: float, kid: int) -> str:
    css = style(fill="none", stroke="line", stroke_width=1.5)
    d = f"M{above:.1f} {start:g}V{end - DROP / 2:g}H{below:.1f}V{end:g}"
    return tag("path", data_edge=str(kid), d=d, style=css)


def _box(node: Node, x: float, top: float, size: tuple[float, float], asked: list[str]) -> str:
    """Draw one node: a leaf in the color of its class, a question on paper."""
    (width, height), own = size, class_color(int(node.tree.label[node.id]))
    fill, rim, ink, rx = (own, own, "paper", 7) if node.is_leaf else ("paper", "line", "ink", 4)
    rect = tag(
        "rect", width=width, height=height, rx=rx, style=style(fill=fill, stroke=rim, stroke_width=1.5)
    )
    words = [text(width / 2, 15, line, fill=ink, font_size=f"{SMALL_SIZE}px") for line in asked]
    empty = text(width / 2, height - 5.5, "", fill=ink, font_size="12px")
    at = f"translate({number(x - width / 2)} {number(top)})"
    return tag("g", rect, *words, empty, data_node=str(node.id), transform=at)
