"""Side roads: sections that are folded on the page, and listed at its top.

A Markdown cell tagged ``aside`` begins with a heading, and the whole section below it, up to the next
heading of its level or above, is a side road: a proof, a slip of a source, what a program does otherwise.
The page shows its heading, which opens it. In Jupyter, on paper and in the table of contents it is a section
like others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

from plain_markdown.log import warn

if TYPE_CHECKING:
    from sphinx.application import Sphinx


class side_road(nodes.Invisible, nodes.Element):
    """The mark of a section that is folded; it stands right below the heading."""


class SideRoad(SphinxDirective):
    """Mark the section it stands in."""

    def run(self) -> list[nodes.Node]:
        return [side_road()]


def marked(text: str) -> str:
    """Put the mark below the heading that a cell tagged ``aside`` begins with.

    >>> print(marked("### Why?\\n\\nBecause."))
    ### Why?
    <BLANKLINE>
    ```{side-road}
    ```
    <BLANKLINE>
    Because.
    """
    return below_heading(text, "side-road")


def below_heading(text: str, mark: str) -> str:
    """Put a mark below the heading that a text begins with.

    Raises
    ------
    ValueError
        If the text begins with no heading of a section.
    """
    heading, _, rest = text.strip().partition("\n")
    if not heading.startswith(("## ", "### ", "#### ")):
        raise ValueError(f"the {mark} starts with {heading[:30]!r}, expected a heading like '### A proof'")
    return f"{heading}\n\n```{{{mark}}}\n```\n\n{rest.strip()}".rstrip()


class FoldSideRoads(SphinxPostTransform):
    """Fold the sections that are marked, and say at the top of the page which there are."""

    default_priority = 100
    formats = ("html",)

    def run(self, **kwargs) -> None:
        roads = []
        for mark in list(self.document.findall(side_road)):
            section = mark.parent
            section.remove(mark)
            if not isinstance(section, nodes.section) or section.parent is self.document:
                warn("a side road is no section of a chapter", section)
                continue
            title, *rest = section.children
            section.children = []
            section += [raw('<details class="fold aside"><summary>'), title, raw("</summary>")]
            section += [*rest, raw("</details>")]
            roads.append(section)
        if roads:
            self.list_at_top(roads)

    def list_at_top(self, roads: list[nodes.section]) -> None:
        """List the side roads behind the aims of the chapter."""
        first = next(self.document.findall(nodes.section))
        sections = [child for child in first.children if isinstance(child, nodes.section)]
        roads_are = "side road is" if len(roads) == 1 else "side roads are"
        line = nodes.paragraph()
        for place, road in enumerate(roads):
            name = next(road.findall(nodes.title)).deepcopy().children
            line += [nodes.Text("; ")] if place else []
            line += nodes.reference("", "", *name, internal=True, refuri=f"#{road['ids'][0]}")
        line += nodes.Text(".")
        summary = f"<summary>{len(roads)} {roads_are} folded on this page</summary>"
        sections[0] += [raw(f'<details class="fold side-roads">{summary}'), line, raw("</details>")]


def raw(html: str) -> nodes.raw:
    """Return HTML as it stands."""
    return nodes.raw("", html, format="html")


def setup(app: Sphinx) -> None:
    """Add the mark, and the fold that is made of it."""
    app.add_node(side_road)
    app.add_directive("side-road", SideRoad)
    app.add_post_transform(FoldSideRoads)
