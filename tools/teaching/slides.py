"""Slides of a chapter: its title, and each figure and formula of the main road, with one sentence.

nbconvert makes them, in the form of reveal.js. What they need stands in the file: the pictures as they are
stored in the chapter, formulas as MathML, reveal.js and the fonts of the book. So they ask no server for
anything.
"""

from __future__ import annotations

import base64
import csv
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import nbformat
from nbconvert import SlidesExporter
from nbformat import NotebookNode

from tools.teaching.students import LINK, ROOT, Elsewhere, read_chapter, tags_of

sys.path.append(str(ROOT / "website" / "extensions"))
from math_at_build import EQUATION, TAG, mathml

WIDTH, HEIGHT = 1280, 720
ROOM = 1180, 480  # of a figure below the heading and above two lines
BESIDE = 630, 650  # of a tall one, which stands beside its words
LARGEST = 2.4  # how far a small figure is enlarged
LITTLE = 30  # signs of a sentence
SIGNS_IN_LINE = 36  # of a formula in its full size
HERE, TYPEFACES = Path(__file__).parent, ROOT / "website" / "vendor" / "fonts"
TEMPLATE = HERE / "template"
FONTS = (("BookText", "text-regular", "400"), ("BookText", "text-bold", "700"), ("BookMath", "math", "400"))
SVG = "image/svg+xml"
BEGINS = re.compile(r"^(#{1,6}) (.+)$", re.MULTILINE)
QUOTED = re.compile(r"^> ?", re.MULTILINE)
DISPLAY = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
IN_LINE = re.compile(r"(?<![\\$])\$([^$]+?)\$")
CAPTION = re.compile(r"^\*\*Figure (\d+\.\d+)\.\*\* (.+)", re.DOTALL)
SENTENCE = re.compile(r"(?<=[.?!])\s+(?=[A-Z*`])")
ASIDE = re.compile(r"(?ms)^<details class=.*?^</details>$")


def make_slides(path: Path, folder: Path, elsewhere: Elsewhere) -> str:
    """Write the slides of a chapter as one file, and say where it is and how many there are."""
    notebook = slides(read_chapter(path))
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / f"{path.stem}.html"
    place.write_text(as_html(notebook), encoding="utf-8")
    number = sum(cell.metadata.slideshow.slide_type == "slide" for cell in notebook.cells)
    return f"{place}: {number} slides"


def as_html(notebook: NotebookNode) -> str:
    """Return slides as one page that needs nothing else."""
    exporter = SlidesExporter(
        template_name=TEMPLATE.name, extra_template_basedirs=[str(TEMPLATE.parent)], exclude_input=True
    )
    script = (HERE / "reveal" / "reveal.js").read_text(encoding="utf-8")
    resources = {"slides": {"styles": styles(), "script": script, "width": WIDTH, "height": HEIGHT}}
    return exporter.from_notebook_node(notebook, resources)[0]


@cache
def styles() -> str:
    """Return the style sheets of the slides, with the fonts in them."""
    faces = []
    for family, name, weight in FONTS:
        coded = base64.b64encode((TYPEFACES / f"{name}.woff2").read_bytes()).decode()
        source = f'url("data:font/woff2;base64,{coded}")'
        faces.append(f"@font-face {{ font-family: {family}; font-weight: {weight}; src: {source}; }}")
    sheets = HERE / "reveal" / "reveal.css", TEMPLATE / "slides.css"
    return "\n".join([*faces, *(sheet.read_text(encoding="utf-8") for sheet in sheets)])


def slides(chapter: NotebookNode) -> NotebookNode:
    """Return a notebook whose cells are the slides of a chapter."""
    road = list(main_road(chapter))
    title = BEGINS.search(road[0].source)[2]
    cells, heading = [words(f"# {title}\n\n{opening(road)}")], title
    for cell, after in zip(road, [*road[1:], None], strict=True):
        if cell.cell_type == "markdown":
            found = BEGINS.findall(cell.source)
            heading = found[-1][1] if found else heading
            cells += of_formulas(cell, heading)
        elif after is not None and "caption" in tags_of(after) and (picture := picture_of(cell)):
            said = CAPTION.match(after.source)
            cells += shown(heading, figure(picture), f"**Figure {said[1]}.** {first_sentence(said[2])}")
    return nbformat.v4.new_notebook(cells=cells, metadata={"title": title})


def main_road(chapter: NotebookNode) -> Iterator[NotebookNode]:
    """Yield the cells of the main road up to the summary: no side roads."""
    aside = 0
    for cell in chapter.cells:
        begins = BEGINS.match(cell.source) if cell.cell_type == "markdown" else None
        if begins and begins[2] == "Summary":
            return
        if begins and len(begins[1]) <= aside:
            aside = 0
        if begins and not aside and "aside" in tags_of(cell):
            aside = len(begins[1])
        if not aside:
            yield cell


def opening(road: list[NotebookNode]) -> str:
    """Return the first sentences of a chapter "in short"; of one that has none, its first sentence."""
    short = next((cell.source for cell in road if "opening" in tags_of(cell)), "")
    text = short.removeprefix("**In short.** ") or road[0].source.partition("\n\n")[2].partition("\n\n")[0]
    return in_words(" ".join(s for s in SENTENCE.split(text)[:2] if "Figure" not in s))


def of_formulas(cell: NotebookNode, heading: str) -> Iterator[NotebookNode]:
    """Yield the slides of the numbered formulas of a cell."""
    text = ASIDE.sub("", QUOTED.sub("", cell.source))
    for display in DISPLAY.findall(text):
        if tag := TAG.search(display):
            yield from shown(heading, typeset(display, tag["number"]), in_words(says()[tag["number"]]))


@cache
def says() -> dict[str, str]:
    """Return what each numbered formula says."""
    with (ROOT / "chapters" / "formulas.csv").open(encoding="utf-8", newline="") as file:
        return {row["number"]: row["words"] for row in csv.DictReader(file)}


def words(text: str) -> NotebookNode:
    """Return a slide of words."""
    return nbformat.v4.new_markdown_cell(text, metadata={"slideshow": {"slide_type": "slide"}})


def shown(heading: str, what: str, sentence: str) -> Iterator[NotebookNode]:
    """Yield the cells of a slide: a heading, what is shown, one sentence."""
    yield words(f"## {in_words(heading)}")
    output = nbformat.v4.new_output("display_data", {"text/html": what})
    goes_on = {"slideshow": {"slide_type": "-"}}
    yield nbformat.v4.new_code_cell("", outputs=[output], metadata=goes_on)
    yield nbformat.v4.new_markdown_cell(in_words(sentence), metadata=goes_on)


def picture_of(cell: NotebookNode) -> str:
    """Return the picture that is stored below a cell, or nothing."""
    found = [output.data[SVG] for output in cell.outputs if SVG in output.get("data", {})]
    return "".join(found[-1]) if found else ""


def figure(picture: str) -> str:
    """Return a picture as large as its slide has room: below the heading, or if it is tall beside it.

    Examples
    --------
    >>> figure('<svg viewBox="0 0 590 9" width="590" height="9" style="max-width: 100%; fill: red"></svg>')
    '<div class="figure"><svg viewBox="0 0 590 9" width="1180" height="18" style="fill: red"></svg></div>'
    """
    head, rest = picture[picture.index("<svg") :].split(">", 1)
    wide, high = map(float, re.search(r'viewBox="[\d.-]+ [\d.-]+ ([\d.]+) ([\d.]+)"', head).groups())
    is_tall = high > wide * BESIDE[1] / BESIDE[0]
    room = BESIDE if is_tall else ROOM
    times = min(room[0] / wide, room[1] / high, LARGEST)
    for name, size in (("width", wide), ("height", high)):
        head = re.sub(rf' {name}="[^"]*"', f' {name}="{size * times:.0f}"', head)
    head = re.sub(r"(?:max-width|min-width|height|width): [^;\"]*;? ?", "", head)
    return f'<div class="figure{" beside" * is_tall}">{head}>{rest}</div>'


def typeset(display: str, number: str) -> str:
    """Return a numbered formula, smaller if it is long."""
    tex = TAG.sub("", EQUATION.sub("", display)).strip().rstrip(" .,\n")
    lines = re.sub(r"\\[a-z]+|[{}&_^ ]", "", tex).split(r"\\")
    size = min(1.5, 1.5 * SIGNS_IN_LINE / max(map(len, lines)), 6.0 / len(lines))
    formula = mathml(tex, display=True).replace('<math display="block">', '<math displaystyle="true">')
    number = f'<span class="number">({number})</span>'
    return f'<div class="formula" style="font-size: {size:.2f}em">{formula}{number}</div>'


def first_sentence(text: str) -> str:
    """Return the first sentence of a text, and the second one, too, if the first says little.

    Examples
    --------
    >>> first_sentence("The house wins, with 0.420 bits. `age` does not.")
    'The house wins, with 0.420 bits.'
    >>> first_sentence("The arrow turns. It stops at noon. It goes on.")
    'The arrow turns. It stops at noon.'
    """
    first, *more = SENTENCE.split(text.strip())
    return f"{first} {more[0]}" if more and len(first) < LITTLE else first


def in_words(text: str) -> str:
    """Return a text without links, its formulas as MathML.

    Examples
    --------
    >>> in_words("See [chapter 4](04_id3.ipynb): $x$")
    'See chapter 4: <math><mi>x</mi></math>'
    """
    text = re.sub(r"\[([^\]]*)\]\((?:[^()]|\([^()]*\))*\)", r"\1", LINK.sub(r"\1", text))
    return IN_LINE.sub(lambda m: mathml(m[1], display=False), text)
