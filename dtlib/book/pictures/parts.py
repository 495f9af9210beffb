"""Where the parts of a row go that misses values: the tree, as far as the row comes (chapter 10)."""

from collections.abc import Collection

import pandas as pd

from dtlib.draw.layout import TREE_MARGIN, drawn_nodes, layout
from dtlib.draw.svg import (
    FONT_SIZE,
    SMALL_SIZE,
    Picture,
    class_color,
    picture,
    sentences,
    small,
    style,
    tag,
    text,
    text_width,
)
from dtlib.draw.tree import (
    BOLD,
    CARD_HEIGHT,
    CORNER,
    LEVEL_STEP,
    SHARES_ROW,
    branch_label,
    brief,
    question,
    said_node,
)
from dtlib.messages import say
from dtlib.tree.node import Node
from dtlib.tree.tree import Fitted, Tree, tree_of

PART_GAP, PART_HEIGHT = 10, CARD_HEIGHT - SHARES_ROW  # px between cards, and of a card
STRAIGHT = 34  # px above a card in which its stream runs straight down, under the label of the branch
THICK, THIN = 22, 1.5  # the stream of a whole row, and of no part of it


def parts(
    tree: Tree | Fitted,
    followed: pd.DataFrame,
    *,
    opened: Collection[int] | None = None,
    title: str | None = None,
) -> Picture:
    """Draw where the parts of a row go: streams as thick as the parts are large.

    A node has its number in a corner. One that no part reaches has a dashed rim, and nothing is drawn
    below it.

    Parameters
    ----------
    tree : Tree or fitted estimator
        Of an estimator that takes missing values.
    followed : DataFrame
        What ``estimator.explain(row)`` returns.
    opened : collection of int, optional
        Nodes whose branches are drawn, if a part of the row goes on there; by default all.
    title : str, optional
        Instead of the number of nodes in which the row ends.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If the table does not say the weights.

    Examples
    --------
    >>> from dtlib import C45Classifier
    >>> from dtlib.datasets import load_golf
    >>> golf = load_golf()
    >>> c45 = C45Classifier(max_depth=1).fit(golf.X, golf.y)
    >>> shown = parts(c45.tree_, c45.explain(golf.X.head(1).assign(outlook=None)))
    >>> shown.description.split(". ")[:2]
    ['Node 0 asks outlook', 'Node 1, outlook = sunny, no: 0.357 of the row ends here']
    """
    tree = tree_of(tree)
    if "weight" not in followed:
        raise ValueError("followed has no column 'weight'; give what estimator.explain(row) returns")
    weight = followed.groupby("node")["weight"].sum().to_dict()

    def goes_on(node: Node) -> bool:
        return any(kid.id in weight for kid in node.children)

    nodes, children = drawn_nodes(
        tree.root,
        lambda node: node.children if goes_on(node) and (opened is None or node.id in opened) else (),
    )
    labels = [brief(str(node.branch)) for node in nodes]
    heads = [
        node.predicted if node.is_leaf else question(node) if node.id in weight else "…" for node in nodes
    ]
    width = [_part_width(node, head) for node, head in zip(nodes, heads, strict=True)]
    room = [max(w, text_width(label, SMALL_SIZE) + 8) for w, label in zip(width, labels, strict=True)]
    x = layout(children, room, PART_GAP)
    top = [TREE_MARGIN + LEVEL_STEP * node.depth for node in nodes]
    part = [weight.get(node.id, 0.0) for node in nodes]
    ways = [(above, kid) for above, kids in enumerate(children) for kid in kids]
    ways.sort(key=lambda way: part[way[1]])
    body = [_stream(x[a], x[b], top[a] + PART_HEIGHT, top[b], part[b]) for a, b in ways]
    for i, node in enumerate(nodes):
        body.append(_part_card(node, x[i], top[i], width[i], heads[i], part[i]))
        body += branch_label(x[i], top[i] - 15, labels[i])
    words = [_said_part(node, weight, goes_on(node)) for node in nodes]
    ends = sum(node.id in weight and not goes_on(node) for node in nodes)
    right = max(at + half / 2 for at, half in zip(x, room, strict=True)) + TREE_MARGIN
    title = title or say("Where a row goes: leaves {ends}", ends=ends)
    return picture(title, sentences(words), right, max(top) + PART_HEIGHT + TREE_MARGIN, *body)


def _room_of_id(node: Node) -> float:
    """Return the room that the number of a node takes to the left of its words."""
    return text_width(str(node.id), SMALL_SIZE) + 4


def _part_width(node: Node, head: str) -> float:
    """Return the width of a card: of its head or its part, with the number beside them."""
    words = max(text_width(head, FONT_SIZE * BOLD), text_width("0.000", SMALL_SIZE))
    return _room_of_id(node) + words + 2 * CORNER


def _stream(above: float, below: float, start: float, end: float, part: float) -> str:
    """Draw what flows from one card to another; no stream crosses a label but its own."""
    bend = end - STRAIGHT
    middle = (start + bend) / 2
    path = (
        f"M{above:.2f} {start:.2f}C{above:.2f} {middle:.2f} {below:.2f} {middle:.2f} {below:.2f} {bend:.2f}"
        f"V{end:.2f}"
    )
    color, thick = ("accent", max(THIN, THICK * part)) if part else ("line", THIN)
    return tag("path", d=path, style=style(fill="none", stroke=color, stroke_width=f"{thick:.2f}"))


def _part_card(node: Node, x: float, top: float, width: float, head: str, part: float) -> str:
    """Draw a card: what is asked or said, and how much of the row comes."""
    tree = node.tree
    is_class = node.is_leaf and tree.is_classifier and len(tree.outputs) == 1
    own = class_color(int(tree.label[node.id])) if is_class else "ink"
    full = is_class and part > 0
    ink, rim = ("paper", own) if full else (own, "accent" if part else own)
    css = style(fill=own if full else "paper", stroke=rim, stroke_width=1.5)
    dashes = {} if part else {"stroke_dasharray": "5 4"}
    box = {
        "x": x - width / 2,
        "y": top,
        "width": width,
        "height": PART_HEIGHT,
        "rx": 12 if node.is_leaf else 5,
    }
    middle = x + _room_of_id(node) / 2
    words = [text(middle, top + (22 if part else 30), head, fill=ink, font_weight="bold")]
    faint = "paper" if full else "muted"
    words.append(small(x - width / 2 + CORNER, top + 18, str(node.id), fill=faint, text_anchor="start"))
    if part:
        words.append(small(x, top + 41, f"{part:.3f}", fill=ink))
    return tag("g", tag("rect", **box, style=css, **dashes), *words)


def _said_part(node: Node, weight: dict[int, float], goes_on: bool) -> str:
    """Say what a card shows."""
    where, feature = said_node(node), node.feature
    if node.id not in weight:
        return say("{where} is not reached.", where=where)
    if node.id == 0 and goes_on:
        return say("{where} asks {feature}.", where=where, feature=feature)
    part = f"{weight[node.id]:.3f}"
    if goes_on:
        return say("{where} asks {feature}: {part} of the row.", where=where, feature=feature, part=part)
    return say("{where} {label}: {part} of the row ends here.", where=where, label=node.predicted, part=part)
