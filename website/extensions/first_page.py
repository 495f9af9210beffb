"""The first page: intro.md says what it says, in plain Markdown; what is counted and drawn comes in here.

Comments in intro.md mark the places, so that the file can also be read where the repository is shown:

- ``<!-- proof -->``: four figures (`proof.py`);
- ``<!-- equal trees -->`` and ``<!-- wrong prints -->``: what two of them count;
- ``<!-- binder -->``: a button, where the book knows its repository and Binder can reach it;
- ``<!-- or search -->``: the search, which only the website has.

The list of chapters becomes the map (`book_map.py`).
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

import book_map
import proof
from book_site import BINDER
from docutils import nodes
from repository import git_origin, repository_url

if TYPE_CHECKING:
    from sphinx.application import Sphinx

PAGE = "intro"
MARK = re.compile(r"<!-- (?P<name>proof|equal trees|wrong prints|binder|or search) -->")
FIRST_CHAPTER = "chapters/01_what_a_tree_is.ipynb"
SEARCH = ', or <a href="search.html">search</a> for anything.'


def binder_address(repository: str | None, notebook: str = FIRST_CHAPTER) -> str | None:
    """Return where Binder opens a notebook of a repository; None where it cannot: it fetches from GitHub.

    >>> binder_address("https://github.com/someone/trees", "a.ipynb")
    'https://mybinder.org/v2/gh/someone/trees/main?urlpath=lab/tree/a.ipynb'
    >>> binder_address("https://gitlab.com/someone/trees") is binder_address(None) is None
    True
    """
    _, host, name = (repository or "").partition("https://github.com/")
    return f"{BINDER}/v2/gh/{name}/main?urlpath=lab/tree/{notebook}" if host else None


def binder_button(repository: str | None) -> str:
    """Return the button that opens the first chapter on Binder, in HTML, or nothing."""
    address = binder_address(repository)
    if address is None:
        return ""
    said = "on Binder, with nothing to install"
    return f'<p class="run"><a href="{address}">Run it in your browser</a> <span>{said}</span></p>'


def filled(markdown: str, repository: str | None) -> str:
    """Fill the marked places of the first page.

    Parameters
    ----------
    markdown : str
        The text of intro.md.
    repository : str or None
        The public address of the repository, where it is known.
    """
    parts = {
        "proof": proof.tiles,
        "equal trees": lambda: proof.trees_fold(repository),
        "wrong prints": proof.prints_fold,
        "binder": lambda: binder_button(repository),
        "or search": lambda: SEARCH,
    }
    return MARK.sub(lambda match: parts[match["name"]](), book_map.with_cards(markdown))


def read_source(app: Sphinx, docname: str, content: list[str]) -> None:
    """Rewrite the first page before Sphinx parses it (event source-read)."""
    if docname == PAGE:
        for path in proof.sources():  # of the reading times, too
            app.env.note_dependency(str(path))
        content[0] = filled(content[0], repository_url(dict(os.environ), git_origin()))


def name_section(app: Sphinx, doctree: nodes.document) -> None:
    """Give the section of the first page a class (event doctree-read).

    A style that asks for a section with doors by ``:has`` would be asked again for all of a page, on every
    page of the book, whenever something is added to it: more than half the time that styles take.
    """
    if app.env.docname == PAGE:
        next(doctree.findall(nodes.section))["classes"].append("first-page")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("source-read", read_source)
    app.connect("doctree-read", name_section)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
