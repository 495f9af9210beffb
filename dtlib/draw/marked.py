"""What is marked in the picture of a tree: the path to a node, or why a row has its answer (chapter 24).

Examples
--------
>>> from dtlib import ID3Classifier
>>> from dtlib.datasets import load_loan
>>> loan = load_loan()
>>> model = ID3Classifier().fit(loan.X, loan.y)
>>> marked_by(model.explain(loan.X.tail(1)).why, model.tree_).notes
{4: 'with has_job = yes', 2: 'with owns_house = yes'}
"""

from textwrap import shorten
from typing import NamedTuple

from dtlib.messages import say
from dtlib.table.parameters import whole_number
from dtlib.telling.why import SAID, Why
from dtlib.tree.tree import Tree

LONGEST = 60  # letters of a note


class Marked(NamedTuple):
    """The node whose path is accented, nodes on it whose branch is not needed, notes, and sentences."""

    node: int | None
    loose: set[int]
    notes: dict[int, str]
    said: tuple[str, ...]


def marked_by(highlight: int | Why | None, tree: Tree) -> Marked:
    """Return what is marked in the picture of a tree.

    Raises
    ------
    ValueError
        If it is the answer of another tree.
    TypeError
        If it is no integer, nor an answer.

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> marked_by(2, ID3Classifier().fit(loan.X, loan.y).tree_).node
    2
    """
    if not isinstance(highlight, Why):
        node = None if highlight is None else whole_number("highlight", highlight)
        return Marked(node, set(), {}, ())
    if highlight.tree != tree:
        raise ValueError("highlight is why another tree has its answer; wanted that of the tree to be drawn")
    end = int(tree.apply(highlight.row[None])[0])
    path = [i for i in (*tree[end].ancestors, end) if i]
    needed = highlight.sufficient
    loose = {i for i in path if tree[int(tree.parent[i])].feature not in needed}
    notes: dict[int, str] = {}
    for change in highlight.nearest[:SAID]:
        leaf = int(tree.apply(change.after(highlight.row)[None])[0])
        notes[leaf] = "; ".join([*([notes[leaf]] if leaf in notes else []), said_with(change.said)])
    return Marked(end, loose, notes, tuple(str(highlight).split("\n")))


def said_with(conditions: str) -> str:
    """Say under which conditions a leaf is reached, shortened: the description has them in full.

    Examples
    --------
    >>> said_with("x > 3")
    'with x > 3'
    """
    return shorten(say("with {conditions}", conditions=conditions), LONGEST, placeholder=" …")
