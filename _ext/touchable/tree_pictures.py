"""The pictures of trees: which part of one belongs to which node.

`dtlib.draw.tree` writes what it draws in words, a sentence for each node, and the cards of the nodes as groups
in the same order.
"""

from __future__ import annotations

import re

CARD = re.compile(r'<g transform="translate\(')
DESCRIPTION = re.compile(r"<desc>(?P<words>.*?)</desc>", re.DOTALL)
SENTENCE = re.compile(r"(?:^|(?<=\. ))Node (?P<node>\d+)")


def node_numbers(svg: str) -> list[int]:
    """Return the numbers of the nodes that a picture of a tree shows, in the order of its cards.

    >>> from dtlib import ID3Classifier, draw, load_loan
    >>> loan = load_loan()
    >>> node_numbers(draw.tree(ID3Classifier().fit(loan.X, loan.y).tree_).svg)
    [0, 1, 2, 3, 4]
    """
    words = DESCRIPTION.search(svg)
    return [int(match["node"]) for match in SENTENCE.finditer(words["words"])] if words else []


def numbered(svg: str) -> str:
    """Write the number of its node into each card of a picture of a tree, as ``data-node``.

    >>> from dtlib import ID3Classifier, draw, load_loan
    >>> loan = load_loan()
    >>> numbered(draw.tree(ID3Classifier().fit(loan.X, loan.y).tree_).svg).count("data-node=")
    5
    """
    nodes = node_numbers(svg)
    if len(CARD.findall(svg)) != len(nodes):
        raise ValueError(f"the picture has {len(CARD.findall(svg))} cards, and tells of {len(nodes)} nodes")
    each = iter(nodes)
    return CARD.sub(lambda match: f'<g data-node="{next(each)}" transform="translate(', svg)
