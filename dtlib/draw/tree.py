"""A tree as a flowchart: the cards of its nodes, their texts, the edges between them (all chapters)."""

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dtlib.draw.layout import TREE_MARGIN, drawn_nodes, layout
from dtlib.draw.marked import Marked, marked_by
from dtlib.draw.svg import (
    FONT_SIZE,
    LIGHT,
    SMALL_SIZE,
    Picture,
    class_color,
    commas,
    number,
    picture,
    sentences,
    small,
    spans,
    style,
    tag,
    text,
    text_width,
    widest,
)
from dtlib.messages import say
from dtlib.numbers import shown
from dtlib.table.parameters import check_choice, check_text, whole_number
from dtlib.telling.why import Why
from dtlib.tree.node import Node
from dtlib.tree.splits import Hyperplane, Subset, Threshold
from dtlib.tree.tree import Fitted, Tree, tree_of

CARD_PAD, CARD_HEIGHT, LEVEL_STEP = 12, 64, 122  # px inside a card, of a card, from one level to the next
CORNER = 6  # px on either side of the number in the corner of a card
SHARES_ROW, OUTPUT_ROW, NOTE_ROW = 14, 32, 20  # of that: the bar of shares; of each further output; of a note
BOLD = 1.08  # how much wider bold letters are
LONG_LABEL = 40  # letters of the label of a branch
FAINT, STRONG = 0.06, 0.55  # opacity for the smallest and the largest number: ink can be read on both
CUT_OFF = 0.35  # opacity of what is cut off
NUMBER_COLOR = "class-1"

Shares = list[tuple[str, float, str]]  # of each class that occurs: palette name, weight, words


@dataclass(frozen=True)
class Added:
    """Additions to the cards: a note below, the index of the node in a corner, other counts."""

    note: str
    corner: str
    held: Node

    @property
    def pad(self) -> float:
        """The room to the left and to the right of the head of the card."""
        return text_width(self.corner, SMALL_SIZE) + 2 * CORNER if self.corner else CARD_PAD


@dataclass(frozen=True, eq=False)
class Look:
    """Settings of a drawing: the depth, the nodes that are accented or faded, the colors.

    `loose` has the accented nodes whose branch is not needed for the answer.
    In regression, `tints` has a number from 0 to 1 for each node; else `paint` has the palette name of each
    class.
    """

    depth: int | None
    path: set[int]
    loose: set[int]
    gone: set[int]
    tints: np.ndarray | None
    paint: list[list[str]]


@dataclass(frozen=True, eq=False)
class Face:
    """The content of the card of a node, and its colors."""

    node: Node
    added: Added
    look: Look

    @property
    def held(self) -> Node:
        """The node with the counts that are shown."""
        return self.added.held

    @property
    def is_open(self) -> bool:
        """Whether the tree goes on below, and is not drawn there."""
        return self.node.depth == self.look.depth and not self.node.is_leaf

    @property
    def has_color(self) -> bool:
        """Whether a class has a color here: that of the one output."""
        return self.node.tree.is_classifier and len(self.node.tree.outputs) == 1

    @property
    def is_full(self) -> bool:
        """Whether the card is filled with the color of its class; all others are paper."""
        return self.has_color and self.node.is_leaf and self.held.n > 0

    @property
    def own(self) -> str:
        """The color of the prediction."""
        if self.has_color:
            return self.look.paint[0][self.node.tree.label[self.node.id]]
        return "ink" if self.node.tree.is_classifier else NUMBER_COLOR

    @property
    def ink(self) -> str:
        """The color of the head and of the note."""
        return "paper" if self.is_full else self.own if self.node.is_leaf and self.has_color else "ink"

    @property
    def head(self) -> str:
        """The split as a question, or the prediction."""
        return "…" if self.is_open else self.node.predicted if self.node.is_leaf else question(self.node)

    @cached_property
    def shares(self) -> list[Shares]:
        """The shares of the classes of each output."""
        return _class_shares(self.held, self.look.paint)

    @property
    def bars(self) -> list[Shares]:
        """The shares that are drawn as bars; a single class of a single output needs none."""
        return [line for line in self.shares if self.held.n and (len(line) > 1 or not self.has_color)]

    @cached_property
    def notes(self) -> list[list[tuple[str, str]]]:
        """The lines below the head."""
        return _notes(self.held, self.shares, self.is_full)

    @cached_property
    def width(self) -> float:
        """The width of the card, which has room for all its texts."""
        written = [self.added.note, *(" · ".join(words for _, words in note) for note in self.notes)]
        head = text_width(self.head, FONT_SIZE * BOLD) + 2 * max(CARD_PAD, self.added.pad)
        return max(head, max(widest(written, SMALL_SIZE), 40) + 2 * CARD_PAD)

    @property
    def height(self) -> int:
        """Height of the card, without its note."""
        return card_height(len(self.bars))


@dataclass(frozen=True)
class Card:
    """The elements of a card, its upper left corner still at the origin."""

    width: float
    height: float
    inside: list[str]
    branch: str
    words: str
    gone: bool

    @property
    def room(self) -> float:
        """Width, with the label of the branch above."""
        return max(self.width, text_width(self.branch, SMALL_SIZE) + 8)


@dataclass(frozen=True)
class Places:
    """Positions of the cards: the middle of each, its upper and its lower edge."""

    x: Sequence[float]
    top: Sequence[float]
    bottom: Sequence[float]

    def size(self, cards: Sequence[Card]) -> tuple[float, float]:
        """Return the width and the height of the picture."""
        width = max(at + card.room / 2 for at, card in zip(self.x, cards, strict=True))
        return width + TREE_MARGIN, max(self.bottom) + TREE_MARGIN


def tree(
    tree: Tree | Fitted,
    *,
    highlight: int | Why | None = None,
    depth: int | None = None,
    notes: Mapping[int, str] | None = None,
    cut: Collection[int] = (),
    colors: Mapping[Any, str] | None = None,
    numbers: bool = False,
    counts: ArrayLike | None = None,
    title: str | None = None,
) -> Picture:
    """Draw a tree from the root down.

    Inner nodes show their split as a question, branches the answers, leaves the color of their class; in
    regression, the larger the value, the stronger the color. A leaf without samples has a dashed rim. Long
    answers are shortened; the description has them in full.

    Parameters
    ----------
    tree : Tree or fitted estimator
        The tree.
    highlight : int or Why, optional
        Index of a node; the path to it is accented. Or why a row has its answer, as `explain` returns it in
        `why`: the path of the row is accented, dashed where it tests a feature that is not needed for the
        answer, and a note says which of the nearest changes lead to another leaf.
    depth : int, optional
        Draw the first levels only: 0 draws the root, 1 its children too.
    notes : mapping of int to str, optional
        A line to be added to the cards of some nodes, by their indices.
    cut : collection of int
        Nodes below which the tree is cut: a bar marks each of them, and what is below is faded.
    colors : mapping of class to palette name, optional
        Such as ``{"republican": "class-0"}``, for classes that are not to have the color of their position.
    numbers : bool, default False
        Whether each card has the index of its node in a corner, for texts that refer to "node 5".
    counts : array-like of shape (nodes, classes), optional
        Counts of each class that the cards show, instead of the weights by which the tree was grown: where a
        loss or class weights changed these, or for held-out rows. The predictions of the leaves stay.
    title : str, optional
        Instead of the number of nodes, leaves and levels.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If the node to highlight, a node with a note or a node to cut at is not drawn, or the answer is that
        of another tree; if the depth is negative, a color is not in the palette or of a class that the tree
        has not, or the counts are not those of its nodes and classes.
    TypeError
        If one of them is no integer.

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> picture = tree(ID3Classifier().fit(loan.X, loan.y).tree_, depth=1)
    >>> picture.title
    'Tree of depth 2: nodes 5, leaves 3, drawn to depth 1'
    >>> picture.description.split(". ")[:2]
    ['Node 0 asks owns_house: no 6, yes 9', 'Node 1, owns_house = no, not drawn further: no 6, yes 3']
    """
    tree = tree_of(tree)
    _check_arguments(tree, notes, colors, cut, numbers, title)
    depth, notes = _checked_depth(depth), notes or {}
    nodes, children = drawn_nodes(tree.root, lambda node: () if node.depth == depth else node.children)
    marked = marked_by(highlight, tree)
    path = _path_to(marked.node, nodes)
    notes = {i: note for i, note in marked.notes.items() if i < len(nodes)} | dict(notes)
    _check_drawn("cut", cut, nodes)
    _check_drawn("notes", notes, nodes)
    gone = {node.id for node in nodes if cut and not set(cut).isdisjoint(node.ancestors)}
    look = Look(depth, path, marked.loose, gone, shades(tree), class_colors(tree, colors or {}))
    held = tree if counts is None else _holding(tree, counts)
    added = [Added(notes.get(node.id, ""), str(node.id) * numbers, held[node.id]) for node in nodes]
    cards = [_card(Face(node, more, look)) for node, more in zip(nodes, added, strict=True)]
    places = _arranged(nodes, children, cards, bool(notes))
    words = [card.words for card in cards] + _said_scale(tree) + _said_marks(marked, cut)
    body = [*_edges(children, places, look), *_all_placed(cards, places), *_cut_marks(places, cut)]
    return picture(title or _title(tree, depth), sentences(words), *places.size(cards), *body)


def _checked_depth(depth: int | None) -> int | None:
    """Return how many levels are drawn below the root, None for all; raise an error if that is no depth."""
    depth = None if depth is None else whole_number("depth", depth)
    if depth is not None and depth < 0:
        raise ValueError(f"depth is {depth}; give the number of levels to draw below the root, 0 or more")
    return depth


def _arranged(
    nodes: Sequence[Node], children: Sequence[Sequence[int]], cards: Sequence[Card], has_notes: bool
) -> Places:
    """Place the cards: one level below the other, each card above the middle of its children."""
    tree = nodes[0].tree
    step = LEVEL_STEP - CARD_HEIGHT + card_height(len(tree.outputs) if tree.is_classifier else 0)
    step += NOTE_ROW if has_notes else 0
    top = [TREE_MARGIN + step * node.depth for node in nodes]
    bottom = [at + card.height for at, card in zip(top, cards, strict=True)]
    return Places(layout(children, [card.room for card in cards]), top, bottom)


def _edges(children: Sequence[Sequence[int]], places: Places, look: Look) -> list[str]:
    """Draw the edges, the accented ones on top."""
    edges = [(above, kid) for above, kids in enumerate(children) for kid in kids]
    edges.sort(key=lambda edge: edge[1] in look.path)
    x, top, bottom = places.x, places.top, places.bottom
    marks = look.path, look.loose, look.gone
    return [
        _edge(x[above], x[kid], bottom[above], top[kid], *(kid in some for some in marks))
        for above, kid in edges
    ]


def _all_placed(cards: Sequence[Card], places: Places) -> list[str]:
    """Draw all cards at their positions in the tree."""
    return [_placed(card, x, top) for card, x, top in zip(cards, places.x, places.top, strict=True)]


def _cut_marks(places: Places, cut: Collection[int]) -> list[str]:
    """Draw a bar below each node at which the tree is cut."""
    bar, x, bottom = style(stroke="accent", stroke_width=5), places.x, places.bottom
    return [tag("path", d=f"M{x[i] - 20:.2f} {bottom[i] + 8}h40", style=bar) for i in sorted(cut)]


def _said_marks(marked: Marked, cut: Collection[int]) -> list[str]:
    """Describe the accented path, and where the tree is cut."""
    path = [] if marked.node is None else [say("Highlighted: the path to node {id}.", id=marked.node)]
    return path + list(marked.said) + ([say("Cut below: {nodes}.", nodes=commas(sorted(cut)))] if cut else [])


def _check_arguments(
    tree: Tree, notes: object, colors: object, cut: object, numbers: object, title: object
) -> None:
    """Raise an error that names the argument of a wrong type."""
    check_choice("numbers", numbers, (True, False))
    if isinstance(cut, np.ndarray | pd.Series | pd.DataFrame) or not isinstance(cut, Collection):
        raise TypeError(f"cut is {shown(cut)}; wanted a list or set of numbers of nodes")
    for name, given in (("notes", notes), ("colors", colors)):
        if given is not None and not isinstance(given, Mapping):
            raise TypeError(f"{name} is {shown(given)}; wanted a mapping, such as a dict")
    if title is not None:
        check_text(title=title)


def _holding(tree: Tree, counts: ArrayLike) -> Tree:
    """Return a tree with other counts at its nodes; raise an error if they do not fit the tree."""
    wanted = (tree.node_count, len(tree.classes) if tree.is_classifier and len(tree.outputs) == 1 else 0)
    held = np.asarray(counts, float)
    if held.shape != wanted or not (np.isfinite(held) & (held >= 0)).all():
        raise ValueError(
            f"counts is of shape {held.shape}; wanted numbers of at least 0, of each node and each class of "
            f"a tree with one output of classes, here {wanted}"
        )
    return replace(tree, summary=held, n=held.sum(1))


def _path_to(node: int | None, nodes: Sequence[Node]) -> set[int]:
    """Return the nodes from the root to a node."""
    if node is None:
        return set()
    if not 0 <= node < len(nodes):
        raise ValueError(f"highlight is {node}; the nodes drawn are 0 to {len(nodes) - 1}")
    return {*nodes[node].ancestors, node}


def _check_drawn(name: str, numbers: Collection[int], nodes: Sequence[Node]) -> None:
    """Raise an error if a node is not drawn; those that are drawn have the indices 0, 1, and so on."""
    if lost := [i for i in numbers if not 0 <= whole_number(f"an entry of {name}", i) < len(nodes)]:
        raise ValueError(f"{name} has {lost[0]}; the nodes drawn are 0 to {len(nodes) - 1}")


def _title(tree: Tree, depth: int | None) -> str:
    size = {"nodes": tree.node_count, "leaves": tree.n_leaves, "depth": tree.max_depth}
    title = say("Tree of depth {depth}: nodes {nodes}, leaves {leaves}", **size)
    cut = depth is not None and depth < tree.max_depth
    return say("{tree}, drawn to depth {drawn}", tree=title, drawn=depth) if cut else title


def card_height(bars: int) -> int:
    """Return the height of a card, without its note, given the number of bars of shares."""
    return CARD_HEIGHT + (OUTPUT_ROW * (bars - 1) if bars else -SHARES_ROW)


def shades(tree: Tree) -> np.ndarray | None:
    """Scale the value (of the first output) of each node: 0 is that of the smallest leaf, 1 of the largest.

    Examples
    --------
    >>> from dtlib import CARTRegressor
    >>> from dtlib.datasets import load_regression_points
    >>> points = load_regression_points()
    >>> shades(CARTRegressor(max_depth=2).fit(points.X, points.y).tree_)[3:].round(2).tolist()
    [0.0, 0.22, 0.7, 1.0]
    """
    if tree.is_classifier:
        return None
    low, high = _leaf_range(tree)
    return (tree.value[:, 0] - low) / (high - low) if high > low else np.full(tree.node_count, 0.5)


def _leaf_range(tree: Tree) -> tuple[float, float]:
    values = tree.value[tree.feature < 0, 0]
    return values.min().item(), values.max().item()


def _said_scale(tree: Tree) -> list[str]:
    """Describe the color scale of the predicted values."""
    if tree.is_classifier or tree.node_count == 1:
        return []
    low, high = map(tree.say_prediction, _leaf_range(tree))
    if len(tree.outputs) == 1:
        return [
            say("The larger the value of a leaf, the stronger its color: from {low} to {high}.",
                low=low, high=high)
        ]  # fmt: skip
    return [
        say("The larger the value of a leaf ({name}), the stronger its color: from {low} to {high}.",
            name=tree.outputs[0].name, low=low, high=high)
    ]  # fmt: skip


def question(node: Node) -> str:
    """Write the split of a node as a question; if it has groups of categories, the branches list them.

    Of a long oblique split, the first terms are written.
    """
    split = node.split
    if isinstance(split, Hyperplane):
        return split.brief(LONG_LABEL)
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
    return label if len(label) <= LONG_LABEL else label[: LONG_LABEL - 1].rsplit(", ", 1)[0] + "…"


def rounded(n: float) -> str:
    """Write a weight with two decimals at most, or one digit if it is less than 0.005.

    Examples
    --------
    >>> [rounded(n) for n in (9.0, 249.66, 3.74764, 0.0231814, 0.0012)]
    ['9', '249.66', '3.75', '0.02', '0.001']
    """
    return f"{round(n, 2):.8g}" if n >= 0.005 else f"{n:.1g}"


def class_colors(tree: Tree, colors: Mapping[Any, str]) -> list[list[str]]:
    """Return the palette name of each class of each output: that of its position, unless another is given.

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> loan = ID3Classifier().fit(load_loan().X, load_loan().y).tree_
    >>> class_colors(loan, {}), class_colors(loan, {"no": "class-1", "yes": "class-0"})
    ([['class-0', 'class-1']], [['class-1', 'class-0']])
    """
    classes = [output.values for output in tree.outputs] if tree.is_classifier else []
    if strange := [name for name in colors if not any(name in values for values in classes)]:
        raise ValueError(f"colors has {strange[0]!r}, which is no class of the tree")
    if strange := [name for name in colors.values() if name not in LIGHT]:
        raise ValueError(f"colors has {strange[0]!r}; the palette has {', '.join(LIGHT)}")
    return [[colors.get(name, class_color(k)) for k, name in enumerate(values)] for values in classes]


def _class_shares(node: Node, paint: list[list[str]]) -> list[Shares]:
    """Return the shares of the classes of each output."""
    tree = node.tree
    blocks = tree._blocks(node.summary) if tree.is_classifier else []
    return [
        [(paint[i][k], n, f"{output.values[k]} {rounded(n)}") for k, n in enumerate(counts) if n > 0]
        for i, (output, counts) in enumerate(zip(tree.outputs, blocks, strict=False))
    ]


def _notes(node: Node, shares: list[Shares], full: bool) -> list[list[tuple[str, str]]]:
    """Return the lines below the head of a card, one for each output: palette names and texts."""
    if not node.tree.is_classifier:
        n, means = node.said.split(", ", 1)
        return [[("ink", n)] if node.is_leaf else [("ink", n), ("muted", means)]]
    if not node.n:
        return [[("muted", say("no sample"))]]
    notes = [[("paper" if full else fill, words) for fill, _, words in line] for line in shares]
    if len(notes) == 1:
        return notes
    return [[("muted", output.name), *note] for output, note in zip(node.tree.outputs, notes, strict=True)]


def _card(face: Face) -> Card:
    """Draw a node: its split or its prediction, a bar of class shares, the counts, a note."""
    said = say(" {note}.", note=face.added.note) if face.added.note else ""
    return Card(
        width=face.width,
        height=face.height + (NOTE_ROW if face.added.note else 0),
        inside=[*_paper(face), *_head(face), *_lines(face)],
        branch=brief(str(face.node.branch)),
        words=_said_card(face.node, face.held, face.is_open) + said,
        gone=face.node.id in face.look.gone,
    )


def _paper(face: Face) -> list[str]:
    """Draw the background and the rim of a card; in regression, the tint of a leaf on top of them."""
    node, tints, accent = face.node, face.look.tints, face.node.id in face.look.path
    box = {
        "width": face.width,
        "height": face.height + (NOTE_ROW if face.added.note else 0),
        "rx": 12 if node.is_leaf else 5,
    }
    rim = "accent" if accent else face.own if node.is_leaf else "line"
    css = style(fill=face.own if face.is_full else "paper", stroke=rim, stroke_width=4 if accent else 1.5)
    dashes = {"stroke_dasharray": "5 4"} if face.is_open or not face.held.n else {}
    paper = [tag("rect", **box, style=css, **dashes)]
    if tints is not None and node.is_leaf:
        tint = style(fill=NUMBER_COLOR, fill_opacity=number(opacity(tints[node.id])))
        paper.append(tag("rect", **box, style=tint))
    return paper


def _head(face: Face) -> list[str]:
    """Write the split or the prediction of a card, and the index in its corner."""
    head = [text(face.width / 2, 22, face.head, fill=face.ink, font_weight="bold")]
    if face.added.corner:
        faint = "paper" if face.is_full else "muted" if face.look.tints is None else "ink"
        head.append(small(CORNER, 18, face.added.corner, fill=faint, text_anchor="start"))
    return head


def _lines(face: Face) -> list[str]:
    """Draw the content below the head of a card: the counts of its rows, bars of shares, its note."""
    middle, base = face.width / 2, face.height - 12 - OUTPUT_ROW * (len(face.notes) - 1)
    lines = [spans(middle, base + OUTPUT_ROW * i, note) for i, note in enumerate(face.notes)]
    rim = "paper" if face.is_full else "none"
    for i, shares in enumerate(face.bars):
        lines += _bar(shares, face.held.n, face.width, 31 + OUTPUT_ROW * i, rim)
    if face.added.note:
        lines.append(small(middle, face.height + 8, face.added.note, fill=face.ink))
    return lines


def opacity(tint: float) -> float:
    """Return the opacity of a predicted value, scaled from 0 to 1 as by `shades`.

    Examples
    --------
    >>> [round(opacity(tint), 3) for tint in (0, 0.5, 1)]
    [0.06, 0.305, 0.55]
    """
    return FAINT + (STRONG - FAINT) * tint


def _bar(shares: Shares, n: float, width: float, y: float, rim: str) -> list[str]:
    """Draw the shares of the classes in the weight of a card, side by side."""
    widths = [weight / n * (width - 2 * CARD_PAD) for _, weight, _ in shares]
    starts = itertools.accumulate(widths, initial=float(CARD_PAD))
    return [
        tag("rect", x=x, y=y, width=wide, height=7, style=style(fill=fill, stroke=rim))
        for (fill, _, _), wide, x in zip(shares, widths, starts, strict=False)
    ]


def _edge(above: float, below: float, start: float, end: float, accent: bool, loose: bool, gone: bool) -> str:
    """Draw an edge down, sideways and down again, round at its corners."""
    bend, step = start + 16, min(8, abs(below - above) / 2)
    turn = step if below > above else -step
    path = (
        f"M{above:.2f} {start}V{bend - step:.2f}Q{above:.2f} {bend} {above + turn:.2f} {bend}"
        f"H{below - turn:.2f}Q{below:.2f} {bend} {below:.2f} {bend + step:.2f}V{end}"
    )
    css = style(fill="none", stroke="accent" if accent else "line", stroke_width=4 if accent else 1.5)
    dashes = {"stroke_dasharray": "9 6"} if loose else {}
    return tag("path", d=path, style=css, **dashes, **_faded(gone))


def _faded(gone: bool) -> dict[str, str]:
    return {"opacity": number(CUT_OFF)} if gone else {}


def _placed(card: Card, x: float, top: float) -> str:
    """Draw a card, and the label of the branch above it, at its position in the tree."""
    at = f"translate({x - card.width / 2:.2f} {top})"
    label = branch_label(card.width / 2, -13, card.branch)
    return tag("g", *card.inside, *label, transform=at, **_faded(card.gone))


def branch_label(x: float, y: float, words: str) -> list[str]:
    """Write the label of a branch on paper, the middle of its baseline at a point; nothing for the root."""
    if not words:
        return []
    width = text_width(words, SMALL_SIZE)
    back = tag("rect", x=x - width / 2, y=y - 14, width=width, height=18, style=style(fill="paper"))
    return [back, small(x, y, words)]


def _said_card(node: Node, held: Node, is_open: bool) -> str:
    """Describe a card."""
    where, counts, label = said_node(node), held.said, node.predicted
    if is_open:
        return say("{where} not drawn further: {counts}.", where=where, counts=counts)
    if not node.is_leaf:
        tested = node.split.conditions[0] if isinstance(node.split, Threshold | Hyperplane) else node.feature
        return say("{where} asks {feature}: {counts}.", where=where, feature=tested, counts=counts)
    if not node.tree.is_classifier:
        return say("{where} leaf of value {label}: {counts}.", where=where, label=label, counts=counts)
    if not held.n:
        return say("{where} leaf of class {label}: no sample.", where=where, label=label)
    return say("{where} leaf of class {label}: {counts}.", where=where, label=label, counts=counts)


def said_node(node: Node) -> str:
    """Name a node by its index and the condition of its branch."""
    where = say(", {condition},", condition=node.condition) if node.condition else ""
    return say("Node {id}", id=node.id) + where
