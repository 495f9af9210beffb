"""Where the parts of a row go that misses values: the tree, as far as the row comes (chapter 7)."""

from __future__ import annotations

from typing import Any

import pandas as pd

from dtlib.draw.svg import SIZE, SMALL, Picture, class_color, picture, style, tag, text, text_width
from dtlib.draw.tree import BOLD, LEVEL, MARGIN, ROW, brief, layout, question
from dtlib.messages import say

GAP, PAD, HEIGHT = 10, 7, ROW - 14  # between neighbors, inside a card, of a card
THICK, THIN = 22, 1.5  # the stream of a whole row, and of no part of it


def parts(tree: Any, followed: pd.DataFrame, *, title: str | None = None) -> Picture:
    """Draw where the parts of a row go: streams as thick as the parts are large.

    Nodes that no part reaches have a dashed rim, and nothing is drawn below them.

    Parameters
    ----------
    tree : Tree
        Of an estimator that takes missing values.
    followed : DataFrame
        What ``estimator.explain(row)`` returns.
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
    >>> from dtlib import C45Classifier, load_golf
    >>> golf = load_golf()
    >>> c45 = C45Classifier(max_depth=1).fit(golf.X, golf.y)
    >>> shown = parts(c45.tree_, c45.explain(golf.X.head(1).assign(outlook=None)))
    >>> shown.description.split(". ")[:2]
    ['Node 0 asks outlook', 'Node 1, outlook = sunny, no: 0.357 of the row ends here']
    """
    if "weight" not in followed:
        raise ValueError("followed has no column 'weight'; give what estimator.explain(row) returns")
    weight = followed.groupby("node")["weight"].sum().to_dict()
    nodes, level, children = [tree.root], [0], []
    for node in nodes:  # grows while it is walked
        kids = [kid for kid in node.children if any(other.id in weight for other in node.children)]
        children.append(range(len(nodes), len(nodes) + len(kids)))
        nodes += kids
        level += [level[len(children) - 1] + 1] * len(kids)
    heads = [_head(node, weight) for node in nodes]
    labels = [brief(str(node.branch)) for node in nodes]
    width = [max(text_width(head, SIZE * BOLD), text_width("0.000", SMALL)) + 2 * PAD for head in heads]
    room = [max(w, text_width(label, SMALL) + 8) for w, label in zip(width, labels, strict=True)]
    x = layout(children, room, GAP)
    top = [MARGIN + LEVEL * where for where in level]
    streams, cards, ends = [], [], 0
    for i, node in enumerate(nodes):
        for kid in children[i]:
            part = weight.get(nodes[kid].id, 0.0)
            streams.append((part, _stream(x[i], x[kid], top[i] + HEIGHT, top[kid], part)))
        label = _label(x[i], top[i], labels[i])
        cards += [_card(node, tree, x[i], top[i], width[i], heads[i], weight), *label]
        ends += node.id in weight and not children[i]
    streams.sort(key=lambda stream: stream[0])
    words = [_words(node, weight, bool(children[i])) for i, node in enumerate(nodes)]
    right = max(at + half / 2 for at, half in zip(x, room, strict=True)) + MARGIN
    title = title or say("Where a row goes: leaves {ends}", ends=ends)
    body = [stream for _, stream in streams] + cards
    return picture(title, say(" ").join(words), right, max(top) + HEIGHT + MARGIN, *body)


def _head(node: Any, weight: dict[int, float]) -> str:
    """Say what a card asks or answers."""
    if node.is_leaf:
        return node.predicted
    return question(node) if node.id in weight else "…"


def _stream(above: float, below: float, start: float, end: float, part: float) -> str:
    """Draw what flows from one card to another."""
    middle = (start + end) / 2
    path = f"M{above:.2f} {start:.2f}C{above:.2f} {middle:.2f} {below:.2f} {middle:.2f} {below:.2f} {end:.2f}"
    color, thick = ("accent", max(THIN, THICK * part)) if part else ("line", THIN)
    return tag("path", d=path, style=style(fill="none", stroke=color, stroke_width=f"{thick:.2f}"))


def _label(x: float, top: float, words: str) -> list[str]:
    """Write the name of a branch above its card."""
    if not words:
        return []
    width = text_width(words, SMALL)
    back = tag("rect", x=x - width / 2, y=top - 29, width=width, height=18, style=style(fill="paper"))
    return [back, text(x, top - 15, words, font_size=f"{SMALL}px")]


def _card(
    node: Any, tree: Any, x: float, top: float, width: float, head: str, weight: dict[int, float]
) -> str:
    """Draw a card: what is asked or said, and how much of the row comes."""
    part = weight.get(node.id, 0.0)
    single = tree.is_classifier and len(tree.outputs) == 1
    own = class_color(int(tree.label[node.id])) if single and node.is_leaf else "ink"
    full = node.is_leaf and single and part > 0
    css = style(
        fill=own if full else "paper", stroke="accent" if part and not full else own, stroke_width=1.5
    )
    dashes = {} if part else {"stroke_dasharray": "5 4"}
    box = {"x": x - width / 2, "y": top, "width": width, "height": HEIGHT, "rx": 12 if node.is_leaf else 5}
    ink = "paper" if full else own
    inside = [tag("rect", **box, style=css, **dashes)]
    inside.append(text(x, top + (22 if part else 30), head, fill=ink, font_weight="bold"))
    if part:
        inside.append(text(x, top + 41, f"{part:.3f}", fill=ink, font_size=f"{SMALL}px"))
    return tag("g", *inside)


def _words(node: Any, weight: dict[int, float], goes_on: bool) -> str:
    """Say what a card shows."""
    where = say("Node {id}", id=node.id) + (
        say(", {condition},", condition=node.condition) if node.condition else ""
    )
    if node.id not in weight:
        return say("{where} is not reached.", where=where)
    part = f"{weight[node.id]:.3f}"
    if node.id == 0 and goes_on:
        return say("{where} asks {feature}.", where=where, feature=node.feature)
    if goes_on:
        return say("{where} asks {feature}: {part} of the row.", where=where, feature=node.feature, part=part)
    return say("{where} {label}: {part} of the row ends here.", where=where, label=node.predicted, part=part)
