"""Stories: a section whose picture changes with the text beside it.

A Markdown cell tagged ``story`` begins with a heading. In the section below it, up to the next heading, each
picture that has a caption is followed by the words about it. On a wide screen the words of each picture stand
beside it, and the picture stays in sight while one reads them; on a phone and in Jupyter it is a series of
figures.
"""

from __future__ import annotations

from itertools import chain, takewhile
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective

from plain_markdown.asides import below_heading
from plain_markdown.figures import captioned
from plain_markdown.log import warn

if TYPE_CHECKING:
    from sphinx.application import Sphinx


class story_mark(nodes.Invisible, nodes.Element):
    """The mark of a section that is a story; it stands right below the heading."""


class StoryMark(SphinxDirective):
    """Mark the section it stands in."""

    def run(self) -> list[nodes.Node]:
        return [story_mark()]


def marked(text: str) -> str:
    """Put the mark below the heading that a cell tagged ``story`` begins with.

    >>> print(marked("### The threshold moves\\n\\nLook."))
    ### The threshold moves
    <BLANKLINE>
    ```{story}
    ```
    <BLANKLINE>
    Look.
    """
    return below_heading(text, "story")


class TellStories(SphinxPostTransform):
    """Put each picture of a story and the words about it side by side."""

    default_priority = 204  # after the pictures have come into the page
    formats = ("html",)

    def run(self, **kwargs) -> None:
        for mark in list(self.document.findall(story_mark)):
            section = mark.parent
            section.remove(mark)
            within = list(takewhile(lambda node: not isinstance(node, nodes.section), section.children))
            after = section.children[len(within) :]
            before, steps = parts(within)
            if len(steps) < 2:
                warn("a story has two pictures with captions, or more", section)
                continue
            section.children = []
            section += [*before, *map(step, steps), *after]
            section["classes"].append("story")


def parts(children: list[nodes.Node]) -> tuple[list[nodes.Node], list[list[nodes.Node]]]:
    """Return what stands before the first picture, and for each picture the nodes from it to the next."""
    before: list[nodes.Node] = []
    steps: list[list[nodes.Node]] = []
    for node in children:
        if isinstance(node, captioned):
            # the code that draws a picture stands above it
            code = steps[-1] if steps else before
            drawn = [code.pop()] if code and is_code(code[-1]) else []
            steps.append([node, *drawn])
        else:
            (steps[-1] if steps else before).append(node)
    return before, steps


def is_code(node: nodes.Node) -> bool:
    """Tell whether a node is a code cell."""
    return isinstance(node, nodes.container) and "cell" in node["classes"]


def step(nodes_of: list[nodes.Node]) -> nodes.container:
    """Return a picture and the words about it; its code stands below the words."""
    figure, *rest = nodes_of
    code = [node for node in rest[:1] if is_code(node)]
    words = nodes.container("", *chain(rest[len(code) :], code), classes=["story-words"])
    return nodes.container("", figure, words, classes=["story-step"])


def setup(app: Sphinx) -> None:
    """Add the mark, and the steps that are made of its section."""
    app.add_node(story_mark)
    app.add_directive("story", StoryMark)
    app.add_post_transform(TellStories)
