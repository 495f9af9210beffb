"""What a picture of a tree tells: its nodes, and who stands below whom.

`dtlib.draw.tree` says each node in a sentence of the description: its condition, question or class, counts.
Who hangs below whom is read from the lines between the cards. Both, and the counts on the cards, must
agree; else the picture is `Unclear`, and nothing is said about it.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from itertools import pairwise
from math import isclose
from typing import TYPE_CHECKING

from dtlib.draw.tree import rounded
from dtlib.tree.splits import BEYOND
from touchable.tree_pictures import DESCRIPTION, SENTENCE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

CARD = '<g transform="translate('  # a card begins
NUMBER = r"\d+(?:\.\d+)?(?:e[+-]\d+)?"
TOLD = re.compile(
    r"Node (?P<number>\d+)(?:, (?P<condition>.+?),)? "
    r"(?:asks (?P<question>.+?)|leaf of class (?P<leaf>.+?)|not drawn further): "
    rf"(?:no sample|(?P<counts>.+? {NUMBER}(?:, .+? {NUMBER})*?))\.(?= |$)",
    re.DOTALL,
)
COUNT = re.compile(rf"(?P<name>.+?) (?P<count>{NUMBER})(?:, |$)", re.DOTALL)
EDGE = re.compile(r'<path d="(?P<path>M[\d.]+ [\d.]+V[^"h]*Q[^"h]*)"')
DECIMAL = re.compile(r"[\d.]+")
CORNER = re.compile(r"(?P<x>-?[\d.]+) (?P<y>-?[\d.]+)\)")
BOX = re.compile(r'<rect width="(?P<width>[\d.]+)" height="(?P<height>[\d.]+)"')
WORDS = re.compile(
    r'<tspan(?: style="fill: var\(--dt-(?P<color>[\w-]+)[^"]*")?[^>]*>(?P<words>[^<]*)</tspan>'
)
FILLED = re.compile(r'<rect [^>]*style="fill: var\(--dt-class-(?P<place>\d+)')
OF_NUMBER = re.compile(r"(?P<feature>.+) (?P<sign>[≤<]) (?P<bound>.+?)", re.DOTALL)  # a question
SEPARATOR, NEAR = " · ", 0.1  # between the counts of a card; px that rounding may move a line


class Unclear(ValueError):
    """A picture that cannot be read for certain."""


@dataclass(frozen=True)
class Told:
    """One node of a picture."""

    parent: int  # -1: none
    condition: str
    question: str  # empty: none
    leaf: str | None
    counts: tuple[float, ...]


@dataclass(frozen=True)
class Picture:
    """The nodes of a picture by their numbers, the classes, and the place in the palette of each."""

    classes: tuple[str, ...]
    colors: tuple[int, ...]
    nodes: tuple[Told, ...]

    def children(self, number: int) -> list[int]:
        """Return the nodes below a node."""
        return [i for i, node in enumerate(self.nodes) if node.parent == number]

    @property
    def whole(self) -> bool:
        """Whether all counts are whole, and those below a question make up those of its node."""
        counts = [node.counts for node in self.nodes]
        asking = [i for i, node in enumerate(self.nodes) if node.question]
        return all(n.is_integer() for row in counts for n in row) and all(
            tuple(map(sum, zip(*(counts[kid] for kid in self.children(i)), strict=True))) == counts[i]
            for i in asking
        )


def read(svg: str) -> Picture:
    """Read a picture of a tree.

    >>> from dtlib import ID3Classifier, draw
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> picture = read(draw.tree(ID3Classifier().fit(loan.X, loan.y).tree_).svg)
    >>> picture.classes, picture.colors, picture.whole
    (('no', 'yes'), (0, 1), True)
    >>> picture.nodes[4]
    Told(parent=1, condition='has_job = yes', question='', leaf='yes', counts=(0.0, 3.0))
    """
    words = DESCRIPTION.search(svg)
    sentences = list(said(html.unescape(words["words"]))) if words else []
    cards = svg.split(CARD)
    if not sentences or len(cards) != len(sentences) + 1:
        raise Unclear("there is not a card for each sentence")
    classes = tuple(name for name, _ in counted(sentences[0]))
    parents = hangs_below([box(card) for card in cards[1:]], svg)
    nodes = tuple(
        told(sentence, parent, classes) for sentence, parent in zip(sentences, parents, strict=True)
    )
    for number, (node, card) in enumerate(zip(nodes, cards[1:], strict=True)):
        check_card(node, card, classes)
        check_place(number, node, nodes)
    palette = colors(nodes, cards[1:], classes)
    return Picture(classes, tuple(palette.get(name, k) for k, name in enumerate(classes)), nodes)


def said(words: str) -> Iterator[re.Match[str]]:
    """Yield the sentences of a description, taken apart, without what follows the counts."""
    starts = [match.start() for match in SENTENCE.finditer(words)] + [len(words)]
    for number, (start, end) in enumerate(pairwise(starts)):
        match = TOLD.match(words[start:end].strip())
        if match is None or int(match["number"]) != number:
            raise Unclear(f"the sentence of node {number} has another form")
        yield match


def counted(sentence: re.Match[str]) -> list[tuple[str, float]]:
    """Return the classes and counts of a sentence.

    >>> counted(TOLD.match("Node 3, a, b = c, asks d: good 5, not good 2.5. wrong: 2."))
    [('good', 5.0), ('not good', 2.5)]
    """
    return [(m["name"], float(m["count"])) for m in COUNT.finditer(sentence["counts"] or "")]


def told(sentence: re.Match[str], parent: int, classes: tuple[str, ...]) -> Told:
    """Return the node of a sentence."""
    found = counted(sentence) or [(name, 0.0) for name in classes]
    if tuple(name for name, _ in found) != classes or (sentence["leaf"] or classes[0]) not in classes:
        raise Unclear(f"node {sentence['number']} has other classes than the root")
    counts = tuple(count for _, count in found)
    return Told(parent, sentence["condition"] or "", sentence["question"] or "", sentence["leaf"], counts)


def box(card: str) -> tuple[float, float, float]:
    """Return the middle, the top and the bottom of a card."""
    corner, size = CORNER.match(card), BOX.search(card)
    if corner is None or size is None:
        raise Unclear("a card without a box")
    top = float(corner["y"])
    return float(corner["x"]) + float(size["width"]) / 2, top, top + float(size["height"])


def hangs_below(boxes: Sequence[tuple[float, float, float]], svg: str) -> list[int]:
    """Return the number of the node above each node, -1 for the root, from the lines between the cards."""
    parents = [-1] * len(boxes)
    for edge in EDGE.finditer(svg):
        numbers = [float(part) for part in DECIMAL.findall(edge["path"])]
        above = [i for i, (x, _, bottom) in enumerate(boxes) if near((x, bottom), numbers[:2])]
        below = [i for i, (x, top, _) in enumerate(boxes) if near((x, top), (numbers[-3], numbers[-1]))]
        if len(above) != 1 or len(below) != 1 or parents[below[0]] != -1:
            raise Unclear("a line that joins no two cards")
        parents[below[0]] = above[0]
    return parents


def near(one: Sequence[float], other: Sequence[float]) -> bool:
    """Tell whether two points are the same, rounding apart."""
    return all(isclose(a, b, abs_tol=NEAR) for a, b in zip(one, other, strict=True))


def check_card(node: Told, card: str, classes: tuple[str, ...]) -> None:
    """Compare the counts of the sentence with those on the card, which are apart for each class."""
    shown = [html.unescape(m["words"]) for m in WORDS.finditer(card) if m["words"] != SEPARATOR]
    expected = [(f"{name} ", n) for name, n in zip(classes, node.counts, strict=True) if n > 0]
    if not expected and shown == ["no sample"]:
        return
    if len(shown) != len(expected) or not all(
        words.startswith(name) and rounds_to(n, words.removeprefix(name))
        for words, (name, n) in zip(shown, expected, strict=True)
    ):
        raise Unclear(f"a card shows {shown}, its sentence says {expected}")


def rounds_to(count: float, words: str) -> bool:
    """Tell whether a count, of which the sentence has six digits, may be written so on a card.

    >>> rounds_to(249.66, "249.66"), rounds_to(1.125, "1.13"), rounds_to(3.0, "4"), rounds_to(2.0, "2, yes 1")
    (True, True, False, False)
    """
    return words == rounded(count) or (
        not count.is_integer()
        and re.fullmatch(NUMBER, words) is not None
        and isclose(float(words), count, abs_tol=0.0051)
    )


def check_place(number: int, node: Told, nodes: Sequence[Told]) -> None:
    """Check that a node hangs below one before it, by an answer to the question asked there."""
    if (number == 0) != (node.parent == -1) or node.parent >= number:
        raise Unclear(f"node {number} hangs nowhere")
    if bool(node.question) != any(other.parent == number for other in nodes):
        raise Unclear(f"node {number} asks without branches, or does not ask")
    if number and not answers(node.condition, nodes[node.parent].question):
        raise Unclear(f"{node.condition} is no answer to {nodes[node.parent].question}")


def answers(condition: str, question: str) -> bool:
    """Tell whether a condition is an answer to a question.

    >>> [answers(c, "color") for c in ("color = red", "color in {red, green}", "colored = yes")]
    [True, True, False]
    >>> [answers(c, "size ≤ 2") for c in ("size ≤ 2", "size > 2", "size > 3")]
    [True, True, False]
    >>> [answers(c, "size < 2") for c in ("size < 2", "size ≥ 2", "size > 2")]
    [True, True, False]
    """
    number = OF_NUMBER.fullmatch(question)
    if number and condition in (question, f"{number['feature']} {BEYOND[number['sign']]} {number['bound']}"):
        return True
    return condition.startswith((f"{question} = ", f"{question} in {{"))


def asked_feature(question: str) -> str:
    """Return the feature of a question.

    >>> asked_feature("size ≤ 2"), asked_feature("size < 2"), asked_feature("color")
    ('size', 'size', 'color')
    """
    number = OF_NUMBER.fullmatch(question)
    return number["feature"] if number else question


def colors(nodes: Sequence[Told], cards: Sequence[str], classes: tuple[str, ...]) -> dict[str, int]:
    """Return the place in the palette of each class that has a color of its own on some card."""
    found: dict[str, int] = {}
    for node, card in zip(nodes, cards, strict=True):
        kinds = [name for name, n in zip(classes, node.counts, strict=True) if n > 0]
        shown = [m["color"] or "" for m in WORDS.finditer(card) if m["words"] != SEPARATOR]
        filled = FILLED.search(card)
        for name, color in zip(kinds, shown, strict=False):
            if color.startswith("class-"):
                found[name] = int(color.removeprefix("class-"))
        if node.leaf and filled and kinds:
            found[node.leaf] = int(filled["place"])
    return found
