"""Formulas and figures: typed numbers that have an anchor, and links to it from every page.

``$$ ... \\tag{2.1} $$`` is formula (2.1) at ``#equation-2-1``. A caption ``**Figure 2.1.** ...`` makes
``#figure-2-1``. In the text, ``(2.1)`` and ``Figure 2.1`` become links.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from plain_markdown.log import warn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

Places = dict[tuple[str, str], tuple[str, str]]  # (kind, number) -> (document, anchor)

TAG = re.compile(r"\\tag\{(?P<number>\d+\.\d+)\}")
EQUATION_ENVIRONMENT = re.compile(r"\\(?:begin|end)\{equation\*?\}")
REFERENCE = re.compile(r"\((?P<equation>\d+\.\d+)\)|(?<=\b)Figures? (?P<figure>\d+\.\d+)|(?P<more>\d+\.\d+)")
ANOTHER = re.compile(r"Figures \d+\.\d+(?:, (?:and )?\d+\.\d+)*(?: (?:and|to) )?(?:, (?:and )?)?$")


def anchor(kind: str, number: str) -> str:
    """Return the id of a formula or figure.

    >>> anchor("figure", "2.1")
    'figure-2-1'
    """
    return f"{kind}-{number.replace('.', '-')}"


def places(env: BuildEnvironment) -> Places:
    """Return where each numbered formula and figure of the book is."""
    if not hasattr(env, "numbered_places"):
        env.numbered_places = {}
    return env.numbered_places


def note(env: BuildEnvironment, doctree: nodes.document, node: nodes.Element, kind: str, number: str) -> None:
    """Give a node the anchor of its number; a number that exists twice is a warning."""
    place = (env.docname, anchor(kind, number))
    if places(env).setdefault((kind, number), place) != place or place[1] in doctree.ids:
        warn(f"{kind} {number} exists twice", node)
        return
    doctree.ids[place[1]] = node
    node["ids"].append(place[1])


def forget(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Drop what a document held before it is read again (env-purge-doc)."""
    env.numbered_places = {key: place for key, place in places(env).items() if place[0] != docname}


def merge(app: Sphinx, env: BuildEnvironment, docnames: set[str], other: BuildEnvironment) -> None:
    """Take over what another process has read (env-merge-info)."""
    places(env).update({key: place for key, place in places(other).items() if place[0] in docnames})


def read_equations(app: Sphinx, doctree: nodes.document) -> None:
    """Hand display formulas on as they are, and note where the tagged ones stand (doctree-read)."""
    for block in doctree.findall(nodes.math_block):
        # Sphinx would wrap several lines in `split`, where a tag is an error.
        text = EQUATION_ENVIRONMENT.sub("", block.astext()).strip()
        block["nowrap"] = True
        block.children = [nodes.Text(f"\\begin{{equation*}}\n{text}\n\\end{{equation*}}")]
        match = TAG.search(text)
        if match is not None:
            note(app.env, doctree, block, "equation", match["number"])


class NumberLinks(SphinxPostTransform):
    """Link ``(2.1)`` and ``Figure 2.1`` in the text to the formula or figure of this number."""

    default_priority = 210

    def run(self, **kwargs) -> None:
        for text in list(self.document.findall(nodes.Text)):
            if isinstance(text.parent, nodes.paragraph | nodes.emphasis | nodes.strong):
                parts = list(self.linked(text.astext()))
                if len(parts) > 1:
                    text.parent.replace(text, parts)

    def linked(self, text: str) -> Iterator[nodes.Node]:
        end = 0
        for match in REFERENCE.finditer(text):
            if match["more"] and not ANOTHER.search(text[: match.start()]):
                continue
            kind = "equation" if match["equation"] else "figure"
            place = places(self.env).get((kind, match[match.lastgroup]))
            if place is not None:
                yield nodes.Text(text[end : match.start()])
                yield nodes.reference("", match[0], refuri=self.uri(*place), internal=True)
                end = match.end()
        yield nodes.Text(text[end:])

    def uri(self, docname: str, anchor: str) -> str:
        here = self.env.docname
        page = "" if docname == here else self.app.builder.get_relative_uri(here, docname)
        return f"{page}#{anchor}"


def setup(app: Sphinx) -> None:
    """Note the numbers while reading, link them while writing."""
    app.connect("doctree-read", read_equations)
    app.connect("env-purge-doc", forget)
    app.connect("env-merge-info", merge)
    app.add_post_transform(NumberLinks)
