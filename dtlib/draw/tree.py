"""A tree as a flowchart: a tidy layout (Reingold and Tilford, 1981), and the cards, edges and words on it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from operator import index
from typing import Any

import numpy as np

from dtlib.draw.svg import (
    SIZE,
    SMALL,
    Picture,
    class_color,
    number,
    picture,
    spans,
    style,
    tag,
    text,
    text_width,
)
from dtlib.messages import say
from dtlib.tree.splits import Hyperplane, Subset, Threshold

GAP, PAD, MARGIN = 18, 12, 10  # between neighbors, inside a card, around the tree
ROW, BAR, LEVEL = 64, 14, 122  # height of a card, of the bar in it, from one level to the next
LINE = 32  # height of the bar and the counts of each further output
NOTE = 20  # height of a line added to a card
BOLD = 1.08  # how much wider bold letters are
LONG = 40  # letters of the label of a branch
FAINT, STRONG = 0.06, 0.55  # opacity for the smallest and the largest number: ink can be read on both
GONE = 0.35  # opacity of what is cut off
TINT = "class-1"  # the color of numbers


@dataclass(frozen=True)
class Card:
    """What is drawn of a node, its left upper corner still at the origin."""

    width: float
    height: float
    inside: list[str]
    branch: str
    words: str
    gone: bool

    @property
    def room(self) -> float:
        """Width, with the label of the branch above."""
        return max(self.width, text_width(self.branch, SMALL) + 8)


def tree(
    tree: Any,
    *,
    highlight: int | None = None,
    depth: int | None = None,
    notes: Mapping[int, str] | None = None,
    cut: Collection[int] = (),
    title: str | None = None,
) -> Picture:
    """Draw a tree from the root down.

    Inner nodes ask a question, branches carry the answers, leaves have the color of their class; of numbers,
    the larger the stronger. A leaf without samples has a dashed rim. Long answers are shortened; the
    description has them in full.

    Parameters
    ----------
    tree : Tree
        The tree.
    highlight : int, optional
        Number of a node; the path to it is accented.
    depth : int, optional
        Draw the first levels only: 0 draws the root, 1 its children too.
    notes : mapping of int to str, optional
        A line to be added to the cards of some nodes, by their numbers.
    cut : collection of int
        Nodes below which the tree is cut: a bar marks each of them, and what is below is faded.
    title : str, optional
        Instead of the number of nodes, leaves and levels.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If the node to highlight, a node with a note or a node to cut at is not drawn, or the depth is
        negative.
    TypeError
        If one of them is no integer.

    Examples
    --------
    >>> from dtlib import ID3Classifier, load_loan
    >>> loan = load_loan()
    >>> picture = tree(ID3Classifier().fit(loan.X, loan.y).tree_, depth=1)
    >>> picture.title
    'Tree of depth 2: nodes 5, leaves 3, drawn to depth 1'
    >>> picture.description.split(". ")[:2]
    ['Node 0 asks owns_house: no 6, yes 9', 'Node 1, owns_house = no, not drawn further: no 6, yes 3']
    """
    highlight, depth = (None if number is None else index(number) for number in (highlight, depth))
    if depth is not None and depth < 0:
        raise ValueError(f"depth is {depth}; give the number of levels to draw below the root, 0 or more")
    nodes, level, children = _visible(tree, depth)
    path, notes, gone = _path(children, highlight), notes or {}, _below(children, cut)
    _check_drawn("notes", notes, nodes)
    is_open = [where == depth and not node.is_leaf for node, where in zip(nodes, level, strict=True)]
    tints = shades(tree)
    cards = [
        _card(node, tree, is_open[i], i in path, tints, notes.get(i, ""), gone=i in gone)
        for i, node in enumerate(nodes)
    ]
    x = layout(children, [card.room for card in cards])
    edges = [(above, kid) for above, kids in enumerate(children) for kid in kids]
    edges.sort(key=lambda edge: edge[1] in path)  # the accented ones on top
    step = row_height(tree) + LEVEL - ROW + (NOTE if notes else 0)
    top = [MARGIN + step * where for where in level]
    bottom = [at + card.height for at, card in zip(top, cards, strict=True)]
    body = [
        _edge(x[above], x[kid], bottom[above], top[kid], kid in path, gone=kid in gone)
        for above, kid in edges
    ]
    body += [_placed(card, *at) for card, *at in zip(cards, x, top, strict=True)]
    body += [_bar_across(x[i], bottom[i]) for i in sorted(cut)]
    words = [card.words for card in cards] + _scale(tree)
    if path:
        words.append(say("Highlighted: the path to node {id}.", id=highlight))
    if cut:
        words.append(say("Cut below: {nodes}.", nodes=say(", ").join(map(str, sorted(cut)))))
    width = max(at + card.room / 2 for at, card in zip(x, cards, strict=True)) + MARGIN
    return picture(title or _title(tree, depth), say(" ").join(words), width, max(bottom) + MARGIN, *body)


def _below(children: list[range], cut: Collection[int]) -> set[int]:
    """Return the nodes below those at which the tree is cut."""
    _check_drawn("cut", cut, children)
    gone: set[int] = set()
    for i, kids in enumerate(children):  # a parent comes before its children
        if i in cut or i in gone:
            gone.update(kids)
    return gone


def _check_drawn(name: str, numbers: Collection[int], nodes: Sequence[Any]) -> None:
    if lost := [i for i in numbers if not 0 <= index(i) < len(nodes)]:
        raise ValueError(f"{name} has {lost[0]}; the nodes drawn are 0 to {len(nodes) - 1}")


def _bar_across(x: float, bottom: float) -> str:
    """Draw the bar that cuts off what is below a node."""
    return tag("path", d=f"M{x - 20:.2f} {bottom + 8}h40", style=style(stroke="accent", stroke_width=5))


def _title(tree: Any, depth: int | None) -> str:
    size = {"nodes": tree.node_count, "leaves": tree.n_leaves, "depth": tree.max_depth}
    title = say("Tree of depth {depth}: nodes {nodes}, leaves {leaves}", **size)
    cut = depth is not None and depth < tree.max_depth
    return say("{tree}, drawn to depth {drawn}", tree=title, drawn=depth) if cut else title


def _visible(tree: Any, depth: int | None) -> tuple[list[Any], list[int], list[range]]:
    """Return the nodes to be drawn, level by level, their levels and the places of their children."""
    nodes, level, children = [tree.root], [0], []
    for node in nodes:  # grows while it is walked
        here = level[len(children)]
        kids = () if here == depth else node.children
        children.append(range(len(nodes), len(nodes) + len(kids)))
        nodes += kids
        level += [here + 1] * len(kids)
    return nodes, level, children


def _path(children: list[range], node: int | None) -> set[int]:
    """Return the nodes from the root to a node."""
    if node is None:
        return set()
    if not 0 <= node < len(children):
        raise ValueError(f"highlight is {node}; the nodes drawn are 0 to {len(children) - 1}")
    above = {kid: i for i, kids in enumerate(children) for kid in kids}
    path = {node}
    while node in above:
        node = above[node]
        path.add(node)
    return path


def row_height(tree: Any) -> float:
    """Return the height of the card of an inner node."""
    return ROW + LINE * (len(tree.outputs) - 1) if tree.is_classifier else ROW - BAR


def shades(tree: Any) -> np.ndarray | None:
    """Place the (first) number of each node between the smallest leaf, 0, and the largest, 1.

    Examples
    --------
    >>> from dtlib import CARTRegressor, load_regression_points
    >>> points = load_regression_points()
    >>> shades(CARTRegressor(max_depth=2).fit(points.X, points.y).tree_)[3:].round(2).tolist()
    [0.0, 0.22, 0.7, 1.0]
    """
    if tree.is_classifier:
        return None
    low, high = _range(tree)
    return (tree.value[:, 0] - low) / (high - low) if high > low else np.full(tree.node_count, 0.5)


def _range(tree: Any) -> tuple[float, float]:
    values = tree.value[tree.feature < 0, 0]
    return values.min().item(), values.max().item()


def _scale(tree: Any) -> list[str]:
    """Say what the colors of numbers mean."""
    if tree.is_classifier or tree.node_count == 1:
        return []
    low, high = (f"{x:.6g}" for x in _range(tree))
    if len(tree.outputs) == 1:
        scale = "The larger the value of a leaf, the stronger its color: from {low} to {high}."
        return [say(scale, low=low, high=high)]
    scale = "The larger the value of a leaf ({name}), the stronger its color: from {low} to {high}."
    return [say(scale, name=tree.outputs[0].name, low=low, high=high)]


def question(node: Any) -> str:
    """Say the question of a node as briefly as its branches allow: for groups of names, they say the rest.

    Of a long weighted sum, the first terms.
    """
    split = node.split
    if isinstance(split, Hyperplane):
        return split.brief(LONG)
    return say("{feature}?", feature=node.feature) if isinstance(split, Subset) else str(split)


def brief(label: str) -> str:
    """Shorten a long label.

    Examples
    --------
    >>> brief("red, green")
    'red, green'
    >>> brief("Alabama, Alaska, Arizona, Arkansas, California")
    'Alabama, Alaska, Arizona, Arkansas…'
    """
    return label if len(label) <= LONG else label[: LONG - 1].rsplit(", ", 1)[0] + "…"


Shares = list[tuple[str, float, str]]  # of each class that occurs: palette name, weight, words


def rounded(n: float) -> str:
    """Write a weight with two decimals at most, or one digit if it is less than 0.005.

    Examples
    --------
    >>> [rounded(n) for n in (9.0, 249.66, 3.74764, 0.0231814, 0.0012)]
    ['9', '249.66', '3.75', '0.02', '0.001']
    """
    return f"{round(n, 2):.8g}" if n >= 0.005 else f"{n:.1g}"


def _shares(node: Any, tree: Any) -> list[Shares]:
    """Return the shares of the classes of each output."""
    blocks = tree.blocks(node.summary) if tree.is_classifier else []
    return [
        [(class_color(k), n, f"{output.values[k]} {rounded(n)}") for k, n in enumerate(counts) if n > 0]
        for output, counts in zip(tree.outputs, blocks, strict=False)
    ]


def _notes(node: Any, tree: Any, full: bool) -> list[list[tuple[str, str]]]:
    """Return what is written under the head of a card, one line for each output: palette names and words."""
    if not tree.is_classifier:
        n, means = node.said.split(", ", 1)
        return [[("ink", n)] if node.is_leaf else [("ink", n), ("muted", means)]]
    if not node.n:
        return [[("muted", say("no sample"))]]
    notes = [[("paper" if full else fill, words) for fill, _, words in line] for line in _shares(node, tree)]
    if len(notes) > 1:
        notes = [[("muted", output.name), *note] for output, note in zip(tree.outputs, notes, strict=True)]
    return notes


def _card(
    node: Any, tree: Any, is_open: bool, accent: bool, tints: np.ndarray | None, added: str, *, gone: bool
) -> Card:
    """Draw a node: what is asked or said, a bar of the shares of the classes, their counts, a note."""
    single = tree.is_classifier and len(tree.outputs) == 1
    own = class_color(int(tree.label[node.id])) if single else "ink" if tree.is_classifier else TINT
    full = single and node.is_leaf and node.n > 0  # filled with its color; all other cards are paper
    head = "…" if is_open else node.predicted if node.is_leaf else question(node)
    shares, notes = _shares(node, tree), _notes(node, tree, full)
    bars = [line for line in shares if len(line) > 1 or not single]
    widths = [text_width(" · ".join(words for _, words in note), SMALL) for note in notes]
    width = max(text_width(head, SIZE * BOLD), *widths, text_width(added, SMALL), 40) + 2 * PAD
    height = ROW + LINE * (len(bars) - 1) if bars and node.n else ROW - BAR
    rim = "accent" if accent else own if node.is_leaf else "line"
    css = style(fill=own if full else "paper", stroke=rim, stroke_width=4 if accent else 1.5)
    box = {"width": width, "height": height + (NOTE if added else 0), "rx": 12 if node.is_leaf else 5}
    dashes = {"stroke_dasharray": "5 4"} if is_open or not node.n else {}
    inside = [tag("rect", **box, style=css, **dashes)]
    if tints is not None and node.is_leaf:
        opacity = number(FAINT + (STRONG - FAINT) * tints[node.id])
        inside.append(tag("rect", **box, style=style(fill=TINT, fill_opacity=opacity)))
    color = "paper" if full else own if node.is_leaf and single else "ink"
    inside.append(text(width / 2, 22, head, fill=color, font_weight="bold"))
    for i, note in enumerate(notes):
        base = height - 12 - LINE * (len(notes) - 1 - i)
        inside.append(spans(width / 2, base, note, font_size=f"{SMALL}px"))
    for i, line in enumerate(bars if node.n else []):
        parts = [(fill, n / node.n) for fill, n, _ in line]
        inside += _bar(parts, width - 2 * PAD, "paper" if full else "none", 31 + LINE * i)
    if added:
        inside.append(text(width / 2, height + 8, added, fill=color, font_size=f"{SMALL}px"))
    words = _words(node, tree, is_open) + (say(" {note}.", note=added) if added else "")
    return Card(width, box["height"], inside, brief(str(node.branch)), words, gone)


def _bar(shares: list[tuple[str, float]], width: float, rim: str, y: float) -> list[str]:
    """Draw the share of each class, side by side."""
    bar, x = [], PAD
    for fill, share in shares:
        bar.append(tag("rect", x=x, y=y, width=share * width, height=7, style=style(fill=fill, stroke=rim)))
        x += share * width
    return bar


def _edge(above: float, below: float, start: float, end: float, accent: bool, *, gone: bool) -> str:
    """Draw an edge down, sideways and down again, round at its corners."""
    bend, step = start + 16, min(8, abs(below - above) / 2)
    turn = step if below > above else -step
    path = (
        f"M{above:.2f} {start}V{bend - step:.2f}Q{above:.2f} {bend} {above + turn:.2f} {bend}"
        f"H{below - turn:.2f}Q{below:.2f} {bend} {below:.2f} {bend + step:.2f}V{end}"
    )
    css = style(fill="none", stroke="accent" if accent else "line", stroke_width=4 if accent else 1.5)
    return tag("path", d=path, style=css, **_faded(gone))


def _faded(gone: bool) -> dict[str, str]:
    return {"opacity": number(GONE)} if gone else {}


def _placed(card: Card, x: float, top: float) -> str:
    """Put a card, and the label of the branch above it, into the tree."""
    label = []
    if card.branch:
        width = text_width(card.branch, SMALL)
        back = tag(
            "rect", x=(card.width - width) / 2, y=-27, width=width, height=18, style=style(fill="paper")
        )
        label = [back, text(card.width / 2, -13, card.branch, font_size=f"{SMALL}px")]
    at = f"translate({x - card.width / 2:.2f} {top})"
    return tag("g", *card.inside, *label, transform=at, **_faded(card.gone))


def _words(node: Any, tree: Any, is_open: bool) -> str:
    """Say what a card shows."""
    where = say("Node {id}", id=node.id) + (
        say(", {condition},", condition=node.condition) if node.condition else ""
    )
    if is_open:
        return say("{where} not drawn further: {counts}.", where=where, counts=node.said)
    if not node.is_leaf:
        asked = node.split.conditions[0] if isinstance(node.split, Threshold | Hyperplane) else node.feature
        return say("{where} asks {feature}: {counts}.", where=where, feature=asked, counts=node.said)
    label = node.predicted
    if not tree.is_classifier:
        return say("{where} leaf of value {label}: {counts}.", where=where, label=label, counts=node.said)
    if not node.n:
        return say("{where} leaf of class {label}: no sample.", where=where, label=label)
    return say("{where} leaf of class {label}: {counts}.", where=where, label=label, counts=node.said)


Contour = tuple[list[float], float]  # the edge of a subtree on each level, deepest first; a shift to be added


def layout(children: Sequence[Sequence[int]], width: Sequence[float], gap: float = GAP) -> list[float]:
    """Place the nodes of a tree: children under their parent, subtrees as close as they can be, no overlap.

    Subtrees are put together along their contours. Each is packed to the left and to the right; the mean of
    both spreads small subtrees evenly between large ones.

    Parameters
    ----------
    children : sequence of sequences of int
        Children of each node, left to right; they come after their parent, the root is node 0.
    width : sequence of float
        Width of each node.
    gap : float
        Least distance between neighbors.

    Returns
    -------
    list of float
        Middle of each node; the leftmost node starts at `MARGIN`.

    References
    ----------
    A. J. Kennedy, Drawing trees, Journal of Functional Programming 6(3), 1996.

    Examples
    --------
    >>> layout([[1, 2], [], []], [10, 10, 10], gap=4)
    [22.0, 15.0, 29.0]
    """
    left: list[Contour] = [([], 0.0)] * len(children)
    right = list(left)
    x = [0.0] * len(children)  # first from the parent, in the end from the picture's edge
    for i in reversed(range(len(children))):
        kids = children[i]
        for kid, at in zip(
            kids, _spread([left[k] for k in kids], [right[k] for k in kids], gap), strict=True
        ):
            x[kid] = at
        for side, order, edge in ((left, kids, -width[i] / 2), (right, kids[::-1], width[i] / 2)):
            side[i] = _merge([(side[k][0], side[k][1] + x[k]) for k in order])
            side[i][0].append(edge - side[i][1])
    for i, kids in enumerate(children):
        for kid in kids:
            x[kid] += x[i]
    start = MARGIN - min(at - w / 2 for at, w in zip(x, width, strict=True))
    return [at + start for at in x]


def _spread(left: list[Contour], right: list[Contour], gap: float) -> list[float]:
    """Place siblings so that the first and the last are equally far from 0."""
    n = len(left)
    apart = {(i, j): _distance(right[i], left[j]) + gap for j in range(n) for i in range(j)}
    packed = [0.0] * n
    for j in range(1, n):
        packed[j] = max(packed[i] + apart[i, j] for i in range(j))
    other = list(packed)
    for i in reversed(range(n - 1)):
        other[i] = min(other[j] - apart[i, j] for j in range(i + 1, n))
    return [(a + b - packed[-1] - other[0]) / 2 for a, b in zip(packed, other, strict=True)]


def _distance(right: Contour, left: Contour) -> float:
    """Return how far apart two subtrees must be not to overlap on any level that both have."""
    levels = zip(reversed(right[0]), reversed(left[0]), strict=False)
    return max(a - b for a, b in levels) + right[1] - left[1]


def _merge(contours: list[Contour]) -> Contour:
    """Join contours: the first that reaches a level counts there. Takes as long as the shorter one is."""
    edges, shift = contours[0] if contours else ([], 0.0)
    for longer, other in contours[1:]:
        if len(longer) > len(edges):
            longer[-len(edges) :] = [edge + shift - other for edge in edges]
            edges, shift = longer, other
    return edges, shift
