"""Sphinx features from the plain Markdown of the chapters.

A chapter reads well in any notebook viewer, so it holds no directives and no roles. While Sphinx reads it,
this extension turns its conventions into what a web page can do more with:

- a cell tagged ``exercise``, ``### Exercise 2.1: A title``: a numbered exercise (sphinx-exercise); a number
  that is not the one Sphinx counts is a warning;
- cells tagged ``solution``, ``#### Solution 2.1``: its solution, folded, with all its cells and outputs;
- a cell tagged ``quiz``: its choices without their box, as the page draws a frame around each;
- ``[Quinlan (1986)](../bibliography.md#quinlan1986)``: a citation (sphinxcontrib-bibtex); an unknown key is a
  warning;
- ``$$ ... \\tag{2.1} $$`` and ``(2.1)``: an equation with an anchor, and links to it from every chapter;
- an SVG output of a cell: drawn in the page itself, so that it follows light and dark.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinxcontrib.bibtex.roles import CiteRole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

logger = logging.getLogger(__name__)

EXERCISE = re.compile(r"###\s+Exercise\s+(?P<number>\d+\.\d+):\s*(?P<title>.+)")
SOLUTION = re.compile(r"####\s+Solution\s+(?P<number>\d+\.\d+)\s*$", re.MULTILINE)
BOX = "<summary>☐ "
CITATION = re.compile(r"\[(?P<text>[^\]\[]+)\]\((?:\.\./)?bibliography\.md#(?P<key>[\w-]+)\)")
TAG = re.compile(r"\\tag\{(?P<number>\d+\.\d+)\}")
EQUATION_ENVIRONMENT = re.compile(r"\\(?:begin|end)\{equation\*?\}")
EQUATION_REFERENCE = re.compile(r"\((?P<number>\d+\.\d+)\)")
SVG_ID = re.compile(r"\bid=\"(?P<id>[^\"]+)\"")
SVG_REFERENCE = re.compile(r"(?P<before>url\(#|href=\"#|labelledby=\"|describedby=\")(?P<id>[^\")]+)")
SVG_STYLE_FOR_ALL = re.compile(r"<style[^>]*>\s*\*\s*\{(?P<rules>[^}]*)\}\s*</style>")


def warn(message: str, location: str | nodes.Node) -> None:
    logger.warning(message, location=location, type="plain_markdown")


# Reading: the text of a cell


def cited(text: str) -> str:
    """Replace links into the bibliography by citations that keep their words.

    >>> cited("see [Quinlan (1986)](../bibliography.md#quinlan1986)")
    'see {cited}`Quinlan (1986) <quinlan1986>`'
    """
    return CITATION.sub(r"{cited}`\g<text> <\g<key>>`", text)


def label(number: str) -> str:
    """Anchor of an exercise.

    >>> label("2.1")
    'exercise-2-1'
    """
    return "exercise-" + number.replace(".", "-")


def exercise(text: str) -> str:
    """Turn an exercise in plain Markdown into the directive of sphinx-exercise."""
    match, body = opening(EXERCISE, text, "### Exercise 2.1: A title")
    fence = fence_around(body)
    head = f"{{exercise}} {match['title'].strip()}\n:label: {label(match['number'])}"
    return f"{fence}{head}\n\n{body}\n{fence}"


def solution_start(text: str) -> str:
    """Turn the first cell of a solution into the opening gate, followed by the rest of the cell."""
    match, body = opening(SOLUTION, text, "#### Solution 2.1")
    gate = f"```{{solution-start}} {label(match['number'])}\n:class: dropdown\n```"
    return f"{gate}\n\n{body}"


def opening(pattern: re.Pattern[str], text: str, wanted: str) -> tuple[re.Match[str], str]:
    """Split a cell into its first line, which must match, and the rest."""
    first, _, body = text.strip().partition("\n")
    match = pattern.match(first)
    if match is None:
        raise ValueError(f"the cell starts with {first!r}, expected a line like {wanted!r}")
    return match, body.strip()


def fence_around(text: str) -> str:
    """Return a fence longer than any inside the text."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    return "`" * max(3, longest + 1)


# Reading: the cells of a notebook


def cells_for_sphinx(cells: list[dict]) -> Iterator[dict]:
    """Yield the cells of a notebook with its conventions turned into directives and roles."""
    open_id = None
    for cell in cells:
        is_solution = "solution" in tags(cell)
        if open_id and (not is_solution or SOLUTION.match(source(cell))):
            yield solution_end(open_id)
            open_id = None
        if is_solution and not open_id:
            yield cell | {"source": cited(solution_start(source(cell)))}
            open_id = cell["id"]
        else:
            yield plain_cell(cell)
    if open_id:
        yield solution_end(open_id)


def solution_end(start_id: str) -> dict:
    gate = "```{solution-end}\n```"
    return {"cell_type": "markdown", "id": f"end-of-{start_id[:50]}", "metadata": {}, "source": gate}


def plain_cell(cell: dict) -> dict:
    if cell["cell_type"] != "markdown":
        return cell
    text = exercise(source(cell)) if "exercise" in tags(cell) else source(cell)
    if "quiz" in tags(cell):
        text = text.replace(BOX, "<summary>")
    return cell | {"source": cited(text)}


def tags(cell: dict) -> list[str]:
    return cell["metadata"].get("tags", [])


def source(cell: dict) -> str:
    text = cell["source"]
    return text if isinstance(text, str) else "".join(text)


def read_source(app: Sphinx, docname: str, content: list[str]) -> None:
    """Rewrite one document before Sphinx parses it (event source-read)."""
    if not str(app.env.doc2path(docname)).endswith(".ipynb"):
        content[0] = cited(content[0])
        return
    notebook = json.loads(content[0])
    try:
        notebook["cells"] = list(cells_for_sphinx(notebook["cells"]))
    except ValueError as error:
        warn(str(error), docname)
    content[0] = json.dumps(notebook)


# Citations


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


# Equations


def read_equations(app: Sphinx, doctree: nodes.document) -> None:
    """Hand display equations on as they are, and note where the tagged ones stand (doctree-read)."""
    for block in doctree.findall(nodes.math_block):
        # Sphinx would wrap several lines in `split`, where a tag is an error.
        text = EQUATION_ENVIRONMENT.sub("", block.astext()).strip()
        block["nowrap"] = True
        block.children = [nodes.Text(f"\\begin{{equation*}}\n{text}\n\\end{{equation*}}")]
        match = TAG.search(text)
        if match is not None:
            note_equation(app.env, doctree, block, match["number"])


def note_equation(
    env: BuildEnvironment, doctree: nodes.document, block: nodes.math_block, number: str
) -> None:
    place = (env.docname, "equation-" + number.replace(".", "-"))
    known = equations(env).setdefault(number, place)
    if known != place or place[1] in doctree.ids:
        warn(f"equation ({number}) exists twice", block)
        return
    doctree.ids[place[1]] = block
    block["ids"].append(place[1])


def equations(env: BuildEnvironment) -> dict[str, tuple[str, str]]:
    """Return where each tagged equation of the book is: number -> (document, anchor)."""
    if not hasattr(env, "tagged_equations"):
        env.tagged_equations = {}
    return env.tagged_equations


def forget_equations(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    env.tagged_equations = {n: place for n, place in equations(env).items() if place[0] != docname}


def merge_equations(app: Sphinx, env: BuildEnvironment, docnames: set[str], other: BuildEnvironment) -> None:
    equations(env).update({n: place for n, place in equations(other).items() if place[0] in docnames})


class EquationLinks(SphinxPostTransform):
    """Link ``(2.1)`` in the text to the equation with this tag."""

    default_priority = 210

    def run(self, **kwargs) -> None:
        for text in list(self.document.findall(nodes.Text)):
            if isinstance(text.parent, nodes.paragraph | nodes.emphasis | nodes.strong):
                parts = list(self.linked(text.astext()))
                if len(parts) > 1:
                    text.parent.replace(text, parts)

    def linked(self, text: str) -> Iterator[nodes.Node]:
        end = 0
        for match in EQUATION_REFERENCE.finditer(text):
            place = equations(self.env).get(match["number"])
            if place is None:
                continue
            docname, anchor = place
            here = self.env.docname
            page = "" if docname == here else self.app.builder.get_relative_uri(here, docname)
            yield nodes.Text(text[end : match.start()])
            yield nodes.reference("", match[0], refuri=f"{page}#{anchor}", internal=True)
            end = match.end()
        yield nodes.Text(text[end:])


# Exercises


def check_exercise_numbers(app: Sphinx, env: BuildEnvironment) -> None:
    """Warn where the number on the page is not the one typed in the notebook (env-check-consistency)."""
    for docname, figures in env.toc_fignumbers.items():
        for anchor, number in figures.get("exercise", {}).items():
            counted = ".".join(map(str, number))
            if anchor != label(counted):
                warn(f"{anchor} is number {counted} of the book", docname)


class UniqueExerciseIds(SphinxPostTransform):
    """Drop the ids that sphinx-exercise gives to every exercise and solution alike."""

    default_priority = 220

    def run(self, **kwargs) -> None:
        for section in self.document.findall(nodes.section):
            section["ids"] = [i for i in section["ids"] if i not in ("exercise-content", "solution-content")]


# Pictures


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
            drawing = f'<div class="picture">{inline_svg(svg, f"p{number}-")}</div>'
            image.replace_self(nodes.raw("", drawing, format="html"))


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_role("cited", cited_role)
    app.connect("source-read", read_source)
    app.connect("doctree-read", read_equations)
    app.connect("env-purge-doc", forget_equations)
    app.connect("env-merge-info", merge_equations)
    app.connect("env-check-consistency", check_exercise_numbers)
    for transform in (CitedWords, EquationLinks, UniqueExerciseIds, InlinePictures):
        app.add_post_transform(transform)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
