"""A tree as an outline that folds, for trees too large for a picture."""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from os import PathLike
from pathlib import Path

from dtlib.draw.svg import escaped
from dtlib.messages import say
from dtlib.numbers import shown
from dtlib.table.parameters import whole_number
from dtlib.tree.tree import Fitted, Tree, tree_of

# Where a node is the target of the address, only it, what is below it and the way to it are shown, so that a
# reader zooms by a link, and no script is needed.
LOOK = """
.dt-outline { line-height: 1.5; overflow-x: auto; white-space: nowrap }
.dt-outline :is(details, p) { margin: 0; padding: 0 }
.dt-outline details > :not(summary) { margin-left: 1.2em }
.dt-outline summary { cursor: pointer }
.dt-outline summary:target { outline: 2px solid; outline-offset: 2px }
.dt-outline :is(small, a) { margin-left: 0.5em }
.dt-outline:has(summary:target)
  :is(details, p):not(:has(:target), details:has(> summary:target) *, .dt-whole) { display: none }
"""
PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>{title}</title>
<body>
{body}
</body>
</html>
"""


@dataclass(frozen=True, repr=False)
class Outline:
    """An outline of a tree, in HTML.

    Parameters
    ----------
    html : str
        The outline, one ``<div>`` element, which needs no script and no other file.
    title : str
        What it shows.
    """

    html: str
    title: str

    def __repr__(self) -> str:
        return self.title

    def _repr_html_(self) -> str:
        return self.html

    def save(self, path: str | PathLike[str]) -> None:
        """Write a page with the outline, which a browser opens without a server.

        Parameters
        ----------
        path : str or path-like
            Ends in ``.html``.

        Raises
        ------
        TypeError
            If the path is no name of a file.
        ValueError
            If it has another ending.
        """
        if not isinstance(path, str | PathLike):
            raise TypeError(f"path is {shown(path)}; wanted the name of a file")
        if Path(path).suffix != ".html":
            raise ValueError(f"path is {str(path)!r}; an outline is saved as .html")
        page = PAGE.format(title=escaped(self.title), body=self.html)
        Path(path).write_text(page, encoding="utf-8", newline="\n")


def outline(tree: Tree | Fitted, *, opened: int = 2) -> Outline:
    """Write a tree as an outline whose nodes fold, for trees that no picture can show.

    Each node says its condition, its samples and, if it is a leaf, its prediction. A press on a node opens
    or folds what is below it, and the link beside it shows this part of the tree alone. A browser opens an
    outline of twenty thousand nodes in about a second.

    Parameters
    ----------
    tree : Tree or fitted estimator
        The tree.
    opened : int, default 2
        How many levels are open at first: 0 shows the root alone.

    Returns
    -------
    Outline
        A notebook shows it; `Outline.save` writes it as a page.

    Raises
    ------
    TypeError
        If `opened` is no integer.
    ValueError
        If `opened` is negative.

    Examples
    --------
    >>> from dtlib import ID3Classifier
    >>> from dtlib.datasets import load_loan
    >>> loan = load_loan()
    >>> outline(ID3Classifier().fit(loan.X, loan.y))
    Tree of depth 2: nodes 5, leaves 3
    """
    tree, opened = tree_of(tree), whole_number("opened", opened)
    if opened < 0:
        raise ValueError(f"opened is {opened}; give the number of levels that are open at first, 0 or more")
    size = {"depth": tree.max_depth, "nodes": tree.node_count, "leaves": tree.n_leaves}
    title = say("Tree of depth {depth}: nodes {nodes}, leaves {leaves}", **size)
    name = f"tree-{sha256(str([node.condition for node in tree]).encode()).hexdigest()[:8]}"
    whole = f'<p class="dt-whole" id="{name}">{title} <a href="#{name}">{say("the whole tree")}</a></p>'
    body = "".join(_lines(tree, name, opened))
    return Outline(f'<div class="dt-outline"><style>{LOOK}</style>{whole}{body}</div>', title)


def _lines(tree: Tree, name: str, opened: int) -> Iterator[str]:
    """Yield the elements of the nodes from the first to the last, and the ends of those that are complete."""
    depth, open_nodes = tree.depth, 0
    for node in tree.preorder():
        yield "</details>" * (open_nodes - depth[node.id])
        open_nodes = int(depth[node.id])
        words = f"{escaped(node.condition or say('root'))} <small>({escaped(node.said)})</small>"
        if node.is_leaf:
            yield f"<p>{words} → <b>{escaped(str(node.predicted))}</b></p>\n"
            continue
        is_open = " open" if depth[node.id] < opened else ""
        alone = f'<a href="#{name}-{node.id}">{say("alone")}</a>'
        yield f'<details{is_open}><summary id="{name}-{node.id}">{words} {alone}</summary>\n'
        open_nodes += 1
    yield "</details>" * open_nodes
