"""Citations: a link into the bibliography keeps its words and gets the author's entry behind it.

``[Quinlan (1986)](../bibliography.md#quinlan1986)`` becomes a citation of sphinxcontrib-bibtex; an unknown
key is a warning.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinxcontrib.bibtex.roles import CiteRole

if TYPE_CHECKING:
    from sphinx.application import Sphinx

CITATION = re.compile(r"\[(?P<text>[^\]\[]+)\]\((?:\.\./)?bibliography\.md#(?P<key>[\w-]+)\)")


def cited(text: str) -> str:
    """Replace links into the bibliography by citations that keep their words.

    >>> cited("see [Quinlan (1986)](../bibliography.md#quinlan1986)")
    'see {cited}`Quinlan (1986) <quinlan1986>`'
    """
    return CITATION.sub(r"{cited}`\g<text> <\g<key>>`", text)


def cited_role(name, rawtext, text, lineno, inliner, options=None, content=None):
    """Role ``{cited}`words <key>```: a citation that shows these words."""
    words, _, key = text.rpartition(" <")
    citation, messages = CiteRole()("cite:t", f":cite:t:`{key[:-1]}`", key[:-1], lineno, inliner)
    return [nodes.inline(rawtext, "", *citation, classes=["cited"], words=words)], messages


class CitedWords(SphinxPostTransform):
    """Put the author's own words in place of the citation that sphinxcontrib-bibtex resolved."""

    default_priority = 20  # references are resolved at 10

    def run(self, **kwargs) -> None:
        for citation in list(self.document.findall(lambda n: isinstance(n, nodes.inline) and "words" in n)):
            link = next(citation.findall(nodes.reference), None)
            words = nodes.Text(citation["words"])
            if link is not None:
                link.children = []
                link += words
            citation.parent.replace(citation, link if link is not None else words)


def setup(app: Sphinx) -> None:
    """Add the role and what shows its words."""
    app.add_role("cited", cited_role)
    app.add_post_transform(CitedWords)
