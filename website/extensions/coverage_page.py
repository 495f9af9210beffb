"""The page of what the notes describe, for readers: a test in the words of its name, a function with a link.

Its source, reference/coverage.md, names every test in full, so that the tests can read it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docutils import nodes

if TYPE_CHECKING:
    from sphinx.application import Sphinx

PAGE = "reference/coverage"
TEST = re.compile(r"tests/[\w/]+\.py::test_(?P<name>\w+)")


def words(test: str) -> str | None:
    """Return the name of a test as words; None for what is no test.

    >>> words("tests/unit/test_measures.py::test_loan_entropies"), words("measures.entropy")
    ('loan entropies', None)
    """
    match = TEST.fullmatch(test)
    return match["name"].replace("_", " ") if match else None


def in_words(app: Sphinx, doctree: nodes.document) -> None:
    """Show tests as words, with their full names to hover, and link functions (event doctree-read)."""
    if app.env.docname != PAGE:
        return
    for literal in list(doctree.findall(nodes.literal)):
        said = words(literal.astext())
        if said is None:
            literal["classes"].append("named")  # api_pages links it
        else:
            literal.replace_self(nodes.abbreviation("", said, explanation=literal.astext()))


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-read", in_words)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
