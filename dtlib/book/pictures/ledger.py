"""Where the bits of the root go: a column for each level of a tree, what the questions remove (chapter 4)."""

from collections.abc import Iterator
from dataclasses import dataclass

from dtlib.draw.svg import (
    FONT_SIZE,
    SMALL_SIZE,
    Picture,
    commas,
    picture,
    sentences,
    small,
    style,
    tag,
    widest,
)
from dtlib.measures import entropy
from dtlib.messages import say
from dtlib.tree.node import Node
from dtlib.tree.tree import Fitted, Tree, tree_of

RIM, HEAD, BITS_HEIGHT, GAP = 12, 30, 380, 8  # px: margin; above the columns; their height; between them
LINE_HEIGHT, IN_BLOCK = 15, 8  # px that a line of words needs; left and right of it


@dataclass(frozen=True)
class Block:
    """A part of the bits: what a node holds, or what a question has removed."""

    column: int
    start: float
    bits: float
    words: str
    look: str

    @property
    def label(self) -> str:
        """What is written in the block."""
        return say("{label}: {bits:.3f}", label=self.words, bits=self.bits)


LOOKS: dict[str, dict[str, str | float]] = {
    "node": {"fill": "paper", "stroke": "line", "stroke_width": 1.5},
    "leaf": {"fill": "line", "fill_opacity": 0.25, "stroke": "line", "stroke_width": 1.5},
    "removed": {"fill": "accent", "fill_opacity": 0.25, "stroke": "accent", "stroke_width": 1.5},
}


def ledger(tree: Tree | Fitted, *, title: str = "") -> Picture:
    """Draw where the entropy of the root goes, level by level.

    The first column is the root. Beside each node stand the nodes below it, as high as the bits that they
    still hold, weighted by their shares, and in the accent what its question has removed. A leaf that still
    holds bits is gray; a node without bits has no height and is not drawn.

    Parameters
    ----------
    tree : Tree or fitted estimator
        A tree of classes, not all of one class at its root.
    title : str
        What the picture is.

    Returns
    -------
    Picture

    Raises
    ------
    ValueError
        If the tree predicts numbers or several outputs, or its root holds one class only.

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> ledger(ID3Classifier().fit(loan.X, loan.y).tree_).description.split(". ")[:2]
    ['Node 0 holds 0.971 bits', 'Of these owns_house removes 0.420, and node 1 keeps 0.551']
    """
    tree = tree_of(tree)
    if not tree.is_classifier or len(tree.outputs) > 1:
        raise ValueError("the tree predicts numbers or several outputs; the ledger is one of a single class")
    total = _held(tree.root)
    if not total:
        raise ValueError("the root holds one class only: it has no bits to be followed")
    blocks = [Block(0, 0.0, total, say("node {id}", id=0), "node"), *_below(tree.root, 0.0)]
    wide = widest((block.label for block in blocks), SMALL_SIZE) + 2 * IN_BLOCK
    columns = 1 + max(block.column for block in blocks)
    body = [drawn for block in blocks for drawn in _draw(block, wide, total)]
    for depth in range(columns):
        middle = RIM + depth * (wide + GAP) + wide / 2
        body.append(small(middle, RIM + FONT_SIZE - 4, say("level {depth}", depth=depth), fill="muted"))
    left = sum(block.bits for block in blocks if block.look == "leaf")
    words = [say("Node {id} holds {bits:.3f} bits.", id=0, bits=total), *_said(tree.root)]
    words.append(
        say("Removed in all: {gone:.3f} bits; left in the leaves: {left:.3f}.", gone=total - left, left=left)
    )
    width = 2 * RIM + columns * (wide + GAP) - GAP
    title = title or say("What the questions remove of {bits:.3f} bits", bits=total)
    return picture(title, sentences(words), width, RIM + HEAD + BITS_HEIGHT, *body)


def _held(node: Node) -> float:
    """Return the entropy of a node, times its share of the samples."""
    share = node.n / node.tree.root.n
    return share * float(entropy(node.counts)) if node.n else 0.0


def _below(node: Node, start: float) -> Iterator[Block]:
    """Yield the blocks of what is below a node, from the top; what its question removes stands first."""
    if node.is_leaf:
        return
    gone = _removed(node)
    yield Block(node.depth + 1, start, gone, str(node.feature), "removed")
    at = start + gone
    for child in node.children:
        if bits := _held(child):
            look = "leaf" if child.is_leaf else "node"
            words = say("leaf {id}", id=child.id) if child.is_leaf else say("node {id}", id=child.id)
            yield Block(child.depth, at, bits, words, look)
            yield from _below(child, at)
            at += bits


def _removed(node: Node) -> float:
    """Return how many bits the question of a node removes, of all that the root holds."""
    return _held(node) - sum(map(_held, node.children))


def _draw(block: Block, wide: float, total: float) -> list[str]:
    """Draw a block, with its label if it is high enough."""
    x, scale = RIM + block.column * (wide + GAP), BITS_HEIGHT / total
    y, high = HEAD + scale * block.start, scale * block.bits
    found = [tag("rect", x=x, y=y, width=wide, height=high, style=style(**LOOKS[block.look]))]
    if high >= LINE_HEIGHT:
        found.append(small(x + wide / 2, y + high / 2 + 5, block.label))
    return found


def _said(node: Node) -> Iterator[str]:
    """Say what each question removes and what the nodes below it keep."""
    kept = [
        say("node {id} keeps {bits:.3f}", id=kid.id, bits=_held(kid)) for kid in node.children if _held(kid)
    ]
    if not node.is_leaf:
        gone = say("{feature} removes {bits:.3f}", feature=node.feature, bits=_removed(node))
        yield (
            say("Of these {gone}, and {kept}.", gone=gone, kept=commas(kept))
            if kept
            else say("Of these {gone}, all there is.", gone=gone)
        )
    for kid in node.children:
        if not kid.is_leaf:
            yield say("Node {id} holds {bits:.3f} bits.", id=kid.id, bits=_held(kid))
            yield from _said(kid)
