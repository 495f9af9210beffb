"""Figures: a picture stands in the page itself, so that it follows light and dark, and its caption below it.

An SVG output of a cell is drawn inline. A cell tagged ``caption`` after it makes it a ``<figure>`` with an
anchor; the directive ``{figures}`` lists all of them.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.addnodes import pending_xref
from sphinx.transforms.post_transforms import SphinxPostTransform

from plain_markdown.log import warn
from plain_markdown.numbered import note, places

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment
    from sphinx.writers.html5 import HTML5Translator

SVG_ID = re.compile(r"\bid=\"(?P<id>[^\"]+)\"")
SVG_REFERENCE = re.compile(r"(?P<before>url\(#|href=\"#|labelledby=\"|describedby=\")(?P<id>[^\")]+)")
SVG_STYLE_FOR_ALL = re.compile(r"<style[^>]*>\s*\*\s*\{(?P<rules>[^}]*)\}\s*</style>")
SVG_WIDTH = re.compile(r"<svg\b[^>]*? width=\"(?P<width>[\d.]+)")

#: A picture wider than the text takes the width of the page; one this narrow has its caption beside it, the
#: others have it there on a wide screen. `_static/reading.css` counts on these numbers.
TEXT_WIDTH, NARROW = 675, 430


class captioned(nodes.General, nodes.Element):
    """A picture and its caption."""


class caption_of(nodes.General, nodes.Element):
    """A caption, until it has found its picture; then the words below it."""


class list_of_figures(nodes.General, nodes.Element):
    """The place of the list of all figures."""


class Caption(Directive):
    """Directive ``{caption} 2.1``: its body is the caption of the picture above it."""

    has_content = True
    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        words = caption_of(number=self.arguments[0])
        self.state.nested_parse(self.content, self.content_offset, words)
        return [words]


class Figures(Directive):
    """Directive ``{figures}``: the list of all figures of the book."""

    def run(self) -> list[nodes.Node]:
        return [list_of_figures()]


def captions(env: BuildEnvironment) -> dict[str, tuple[str, nodes.Element]]:
    """Return the captions of the book by their numbers, each with its document."""
    if not hasattr(env, "captions"):
        env.captions = {}
    return env.captions


def join_captions(app: Sphinx, doctree: nodes.document) -> None:
    """Put each caption and the picture above it into one figure (doctree-read)."""
    for words in list(doctree.findall(caption_of)):
        number = words["number"]
        picture = picture_above(words)
        if picture is None:
            warn(f"the caption of figure {number} stands below no picture", words)
            continue
        picture.parent.remove(picture)
        output = nodes.container("", picture, classes=["cell_output"], nb_element="cell_code_output")
        figure = captioned("", output)
        words.parent.replace(words, figure)
        figure += words
        note(app.env, doctree, figure, "figure", number)
        captions(app.env)[number] = (app.env.docname, words.deepcopy())


def picture_above(words: nodes.Element) -> nodes.Element | None:
    """Return the picture among the outputs of the cell right above a caption."""
    place = words.parent.index(words)
    cell = words.parent[place - 1] if place else None
    if not isinstance(cell, nodes.container) or "cell" not in cell["classes"]:
        return None
    bundles = cell.findall(lambda node: isinstance(node, nodes.container) and "nb_element" in node)
    pictures = [b for b in bundles if b["nb_element"] == "mime_bundle" and next(b.findall(nodes.image), None)]
    return pictures[-1] if pictures else None


def inline_svg(svg: str, prefix: str) -> str:
    """Prepare an SVG file for standing inside a page: ids of its own, no style for the rest of the page.

    >>> inline_svg('<?xml version="1.0"?><svg role="img"><path id="a"/><use href="#a"/></svg>', "p1-")
    '<svg role="img"><path id="p1-a"/><use href="#p1-a"/></svg>'
    """
    svg = svg[svg.index("<svg") :].strip()
    svg = SVG_ID.sub(lambda m: f'id="{prefix}{m["id"]}"', svg)
    svg = SVG_REFERENCE.sub(lambda m: m["before"] + " ".join(prefix + name for name in m["id"].split()), svg)
    for_all = SVG_STYLE_FOR_ALL.search(svg)
    if for_all is not None:
        svg = svg.replace(for_all[0], "").replace("<svg ", f'<svg style="{for_all["rules"].strip()}" ', 1)
    return svg


def size(svg: str) -> str:
    """Return how much room a picture wants.

    >>> size('<svg width="900" height="3">'), size('<svg width="300.5">'), size('<svg width="600">')
    ('wide', 'narrow', 'full')
    """
    match = SVG_WIDTH.search(svg)
    width = float(match["width"]) if match else 0.0
    return "wide" if width > TEXT_WIDTH else "narrow" if width <= NARROW else "full"


class InlinePictures(SphinxPostTransform):
    """Replace the image of a cell's SVG output by the SVG itself."""

    default_priority = 200
    formats = ("html",)

    def run(self, **kwargs) -> None:
        outputs = Path(self.env.doctreedir).parent / "jupyter_execute"
        for number, image in enumerate(list(self.document.findall(nodes.image)), start=1):
            path = Path(self.env.srcdir, image["uri"])
            if path.suffix != ".svg" or not path.resolve().is_relative_to(outputs.resolve()):
                continue
            svg = path.read_text(encoding="utf-8")
            if 'role="img"' not in svg:
                warn("a picture without role=img has no text for those who cannot see it", image)
                continue
            figure = enclosing_figure(image)
            if figure is not None:
                figure["classes"].append(size(svg))
            drawing = f'<div class="picture">{inline_svg(svg, f"p{number}-")}</div>'
            image.replace_self(nodes.raw("", drawing, format="html"))


def enclosing_figure(node: nodes.Node) -> captioned | None:
    """Return the figure that a node is in."""
    while node is not None and not isinstance(node, captioned):
        node = node.parent
    return node


class ListOfFigures(SphinxPostTransform):
    """Fill the list of figures: chapter by chapter, each number a link."""

    default_priority = 5  # before references and numbers are resolved, as the captions hold some

    def run(self, **kwargs) -> None:
        for place in list(self.document.findall(list_of_figures)):
            place.replace_self(list(self.chapters()))

    def chapters(self) -> list[nodes.Node]:
        """Return a heading and a list for each chapter."""
        found: dict[str, nodes.bullet_list] = {}
        made: list[nodes.Node] = []
        for number in sorted(captions(self.env), key=lambda number: [int(n) for n in number.split(".")]):
            docname, anchor = places(self.env)["figure", number]
            if docname not in found:
                found[docname] = nodes.bullet_list("", classes=["figures"])
                made += [nodes.rubric("", self.env.titles[docname].astext()), found[docname]]
            found[docname] += self.entry(number, docname, anchor)
        return made

    def entry(self, number: str, docname: str, anchor: str) -> nodes.list_item:
        """Return one line of the list."""
        uri = f"{self.app.builder.get_relative_uri(self.env.docname, docname)}#{anchor}"
        link = nodes.reference("", f"Figure {number}", refuri=uri, internal=True)
        words = captions(self.env)[number][1].deepcopy()
        for inner in words.findall(pending_xref):
            inner["refdoc"] = self.env.docname  # so that its address is one from this page
        first = words[0] if words.children else nodes.paragraph()
        return nodes.list_item("", nodes.paragraph("", "", link, nodes.Text(". "), *first.children))


def forget(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Drop the captions of a document before it is read again (env-purge-doc)."""
    env.captions = {number: kept for number, kept in captions(env).items() if kept[0] != docname}


def merge(app: Sphinx, env: BuildEnvironment, docnames: set[str], other: BuildEnvironment) -> None:
    """Take over what another process has read (env-merge-info)."""
    captions(env).update({n: kept for n, kept in captions(other).items() if kept[0] in docnames})


def visit_captioned(self: HTML5Translator, node: captioned) -> None:
    self.body.append(self.starttag(node, "figure", CLASS="captioned"))


def depart_captioned(self: HTML5Translator, node: captioned) -> None:
    self.body.append("</figure>\n")


def visit_caption(self: HTML5Translator, node: caption_of) -> None:
    self.body.append(f'<figcaption><span class="figure-number">Figure {node["number"]}.</span>')


def depart_caption(self: HTML5Translator, node: caption_of) -> None:
    ids = node.parent["ids"] if isinstance(node.parent, captioned) else []
    for anchor in ids[:1]:
        self.body.append(f'<a class="headerlink" href="#{anchor}" title="Link to this figure">#</a>')
    self.body.append("</figcaption>\n")


def setup(app: Sphinx) -> None:
    """Add captions, the list of figures, and pictures inside the page."""
    app.add_node(captioned, html=(visit_captioned, depart_captioned))
    app.add_node(caption_of, html=(visit_caption, depart_caption))
    app.add_node(list_of_figures)
    app.add_directive("caption", Caption)
    app.add_directive("figures", Figures)
    app.connect("doctree-read", join_captions)
    app.connect("env-purge-doc", forget)
    app.connect("env-merge-info", merge)
    app.add_post_transform(InlinePictures)
    app.add_post_transform(ListOfFigures)
