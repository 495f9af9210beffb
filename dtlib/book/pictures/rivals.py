"""Trees side by side, each under its name (chapter 1)."""

import re
from collections.abc import Mapping

from dtlib.draw.svg import FONT_SIZE, Picture, commas, picture, sentences, statement, tag, text, text_width
from dtlib.draw.tree import BOLD
from dtlib.draw.tree import tree as drawn_tree
from dtlib.messages import say
from dtlib.numbers import how_many
from dtlib.tree.tree import Fitted, Tree, tree_of

NAME_ROOM, BETWEEN_TREES = 34, 20  # px above the trees, and between two of them
PAPER = re.compile(r'<rect width="100%" height="100%"[^>]*/>')
SIZE = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')


def rivals(trees: Mapping[str, Tree | Fitted], *, title: str = "") -> Picture:
    """Draw trees side by side, so that you see what they share and where they differ.

    Parameters
    ----------
    trees : mapping of str to Tree or fitted estimator
        Each under its name, left to right.
    title : str
        What the whole is; by default the names.

    Returns
    -------
    Picture
        The description has the rules of each tree, with their support.

    Raises
    ------
    ValueError
        If there are fewer than two trees.

    Examples
    --------
    >>> from dtlib.book.by_hand import tree_by_hand
    >>> from dtlib.datasets import load_loan
    >>> loan, answers = load_loan(), {"no": "no", "yes": "yes"}
    >>> trees = {A: tree_by_hand({A: answers}, loan.X, loan.y) for A in ("has_job", "owns_house")}
    >>> rivals(trees).description.split(". ")[0]
    'has_job: if has_job = no then no (10), if has_job = yes then yes (5)'
    """
    if len(trees) < 2:
        entries = how_many(len(trees), "entry", "entries")
        raise ValueError(f"trees has {entries}; wanted two or more, to be compared")
    body, words, left, bottom = list[str](), list[str](), 0.0, 0.0
    for name, tree in ((name, tree_of(tree)) for name, tree in trees.items()):
        shown = drawn_tree(tree)
        width, height = (float(side) for side in SIZE.findall(shown.svg)[0])
        room = max(width, text_width(name, FONT_SIZE * BOLD) + BETWEEN_TREES)
        cards = PAPER.split(shown.svg, maxsplit=1)[1].removesuffix("</svg>")
        body += [
            text(left + room / 2, 22, name, font_weight="bold"),
            tag("g", cards, transform=f"translate({left + (room - width) / 2:.2f} {NAME_ROOM})"),
        ]
        rules = tree.rules()[["rule", "support"]]
        words.append(statement(name, [f"{rule} ({n:g})" for rule, n in rules.itertuples(index=False)]))
        left, bottom = left + room + BETWEEN_TREES, max(bottom, NAME_ROOM + height)
    *others, last = trees
    title = title or say("{names} and {last}", names=commas(others), last=last)
    return picture(title, sentences(words), left - BETWEEN_TREES, bottom, *body)
