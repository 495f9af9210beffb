"""How a chapter begins: its question, a picture that shows the answer, and the answer in short.

A Markdown cell tagged ``opening`` stands below the title and the question:

    **In short.** Two sentences that answer the question. Figure 14.3 shows it.

The page puts a copy of that figure's picture above the words, and below them a line: how long the chapter
takes, which chapters it builds on if the question has not said so ("You need ..."), and which book it is of.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from book_map import BUILDS_ON, minutes, notebook_of
from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

from plain_markdown.figures import captioned, inline_svg
from plain_markdown.log import warn

if TYPE_CHECKING:
    from sphinx.application import Sphinx

CHAPTER = re.compile(r"chapters/(?P<number>\d\d)_")
FIGURE = re.compile(r"Figure (?P<number>\d+\.\d+)")
SHORT = "**In short.** "
PICTURE = '<div class="picture">'


class opening(nodes.General, nodes.Element):
    """The short answer of a chapter."""


class Opening(SphinxDirective):
    """Directive ``{opening} 14.3``: its body is the short answer; that figure's picture is shown above it."""

    has_content = True
    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        short = opening(number=self.arguments[0])
        self.state.nested_parse(self.content, self.content_offset, short)
        return [short]


def in_short(text: str) -> str:
    """Turn a short answer in plain Markdown into a directive that knows its figure.

    >>> print(in_short("**In short.** Cut it. Figure 14.3 shows it."))
    ```{opening} 14.3
    <BLANKLINE>
    **In short.** Cut it. Figure 14.3 shows it.
    ```
    """
    text, figure = text.strip(), FIGURE.search(text)
    if not text.startswith(SHORT) or figure is None:
        wanted = f"'{SHORT}Words. Figure 2.1 shows it.'"
        raise ValueError(f"the opening is {text[:40]!r}, expected {wanted}, with a figure of this chapter")
    return f"```{{opening}} {figure['number']}\n\n{text}\n```"


class ShowOpenings(SphinxPostTransform):
    """Begin a chapter with a picture, and say how long it takes and what it needs."""

    default_priority = 201  # the pictures have come into the page at 200
    formats = ("html",)

    def run(self, **kwargs) -> None:
        short = next(self.document.findall(opening), None)
        if short is not None:
            self.show(short)
        match = CHAPTER.match(self.env.docname)
        if match is None:
            return
        about = self.about(int(match["number"]))
        if short is not None:
            short += about
        else:  # below the question, before the first section
            chapter = next(self.document.findall(nodes.title)).parent
            place = next(i for i, node in enumerate(chapter) if isinstance(node, nodes.section))
            chapter.insert(place, about)

    def show(self, short: opening) -> None:
        """Put the picture above the words."""
        picture = self.picture(short["number"])
        if picture is None:
            warn(f"the opening names figure {short['number']}, which is no figure of this chapter", short)
        else:
            short.insert(0, picture)

    def picture(self, number: str) -> nodes.Element | None:
        """Return a copy of a figure's picture, with ids of its own; nothing in it can be pressed."""
        figures = {figure[-1]["number"]: figure for figure in self.document.findall(captioned)}
        drawn = figures[number].findall(nodes.raw) if number in figures else ()
        svg = next((raw.astext() for raw in drawn if raw.astext().startswith(PICTURE)), None)
        if svg is None:
            return None
        copy = inline_svg(svg.removeprefix(PICTURE).removesuffix("</div>"), "opening-")
        return nodes.raw("", f'<div class="picture opening-picture">{copy}</div>', format="html")

    def about(self, chapter: int) -> nodes.paragraph:
        """Return the line that says how long a chapter takes, what it builds on, and which book it is of."""
        line = nodes.paragraph("", f"About {minutes(chapter)} minutes", classes=["about-chapter"])
        line += [] if self.has_said_what_it_needs() else self.needs(chapter)
        line += [nodes.Text(" · a chapter of "), self.link("intro", "Decision Trees by Counting")]
        return line

    def has_said_what_it_needs(self) -> bool:
        """Whether the text below the title says which chapters one needs."""
        chapter = next(self.document.findall(nodes.title)).parent
        return any("You need " in node.astext() for node in chapter if isinstance(node, nodes.paragraph))

    def needs(self, chapter: int) -> list[nodes.Node]:
        """Return what the line says of the chapters that this one builds on."""
        links = [self.link_to(number) for number in BUILDS_ON[chapter]]
        words: list[nodes.Node] = [nodes.Text(" · needs " if links else " · needs no other chapter")]
        for place, link in enumerate(links):
            words += [nodes.Text(" and " if place == len(links) - 1 else ", ")] if place else []
            words += [link]
        return words

    def link_to(self, chapter: int) -> nodes.reference:
        """Return a link to a chapter, called by its number and its title."""
        docname = f"chapters/{notebook_of(chapter).stem}"
        return self.link(docname, f"{chapter}. {self.env.titles[docname].astext()}")

    def link(self, docname: str, words: str) -> nodes.reference:
        """Return a link to a page of the book."""
        uri = self.app.builder.get_relative_uri(self.env.docname, docname)
        return nodes.reference("", words, refuri=uri, internal=True)


def visit_opening(self, node: opening) -> None:
    self.body.append(self.starttag(node, "div", CLASS="opening"))


def depart_opening(self, node: opening) -> None:
    self.body.append("</div>\n")


def setup(app: Sphinx) -> None:
    """Add the opening of a chapter."""
    app.add_node(opening, html=(visit_opening, depart_opening))
    app.add_directive("opening", Opening)
    app.add_post_transform(ShowOpenings)
