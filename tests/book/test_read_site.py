"""What reads the built website: nothing is wrong with a small one, and each fault put into it is found."""

# ruff: noqa: E501  (pages in small)

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools.read_site.__main__ import main, of_site
from tools.read_site.styles import foreign_in_script, hidden_by

SVG = (
    '<svg role="img" aria-label="Tree of depth 1"><title>Tree of depth 1</title><desc>Node 0 asks age.</desc>'
    '<path d="M0 0" id="p1-a"></path><use href="#p1-a"></use><text>no 6</text></svg>'
)
CELLS = [
    {
        "cell_type": "markdown",
        "metadata": {"claims": {"lose": "at the end: len(  lost)", "tree": "by definition"}},
        "source": "# The `tree`\n\n`\\tag{10.7}` *What nobody should* lose here.",
    },
    {"cell_type": "markdown", "metadata": {}, "source": ["$$\n", "a \\tag{1.1}\n", "$$"]},
    {"cell_type": "markdown", "metadata": {}, "source": "$$b \\tag{1.2}$$"},
    {
        "cell_type": "code",
        "metadata": {"tags": ["touch:grow:golf"]},
        "source": "tree",
        "outputs": [
            {"output_type": "stream", "text": "17 melons, 9 leaves\n"},
            {"output_type": "display_data", "data": {"image/svg+xml": SVG.replace("p1-", "")}},
        ],
    },
    {"cell_type": "markdown", "metadata": {"tags": ["caption"]}, "source": "**Figure 1.1.** A tree."},
    {
        "cell_type": "markdown",
        "metadata": {"tags": ["guess"], "guess": {}},
        "source": "**Guess first.** Why?",
    },
]
HEAD = """<html lang="en" data-content_root="{up}"><head><title>{title}</title>
<link rel="stylesheet" href="{up}_static/book.css"><link rel="canonical" href="https://example.org/{page}">
<script src="{up}_static/page.js"></script><style>p {{ color: red }}</style></head><body>
<nav><a href="{up}intro.html">Home</a><a href="{up}chapters/01_a.html">1. The tree</a>
<a href="{up}chapters/formulas.html">Formulas</a><a href="{up}reference/figures.html">Figures</a></nav>
<article class="text">"""
CHAPTER = f"""<section id="the-tree"><h1>1. The tree<a class="headerlink" href="#the-tree">#</a></h1>
<p>What nobody should lose here.</p><details class="shown-by"><summary>Shown by a computation</summary>
<dl><dt>What nobody should <code>lose</code> here</dt><dd><code>len( lost)</code> is true</dd></dl></details><pre>17 melons, 9 leaves</pre><p>It says <a href="https://example.org">more</a>, <code>$5</code>, by <a href="#equation-1-1">(1.1)</a>.</p>
<div class="math" id="equation-1-1"><math><mi>a</mi></math><a class="eqno" href="#equation-1-1">(1.1)</a></div>
<div class="math" id="equation-1-2"><math><mi>b</mi></math><a class="eqno" href="#equation-1-2">(1.2)</a></div>
<div class="cell" id="cell-a"><div class="touch" data-touch="grow" hidden>
<script type="application/json">{{"rows": [1]}}</script></div></div>
<figure class="captioned" id="figure-1-1"><div class="picture">{SVG}</div>
<figcaption><span class="figure-number">Figure 1.1.</span><p>A tree.</p></figcaption></figure>
<div class="guess"><p>Guess first. Why?</p><div class="touch" data-touch="guess" hidden><script type="application/json">{{}}</script></div></div></section>"""
PAGES = {
    "intro": ("The book", "", '<h1>The book</h1><p><a href="chapters/01_a.html#figure-1-1">Figure 1.1</a></p>'),
    "chapters/01_a": ("1. The tree · The book", "../", CHAPTER),
    "chapters/formulas": (
        "Formulas · The book", "../",
        '<h1>Formulas</h1><p id="formula-1-1"><a href="01_a.html#equation-1-1">(1.1)</a></p>'
        '<p id="formula-1-2"><a href="01_a.html#equation-1-2">(1.2)</a></p>',
    ),
    "reference/figures": (
        "Figures · The book", "../", '<h1>Figures</h1><a href="../chapters/01_a.html#figure-1-1">Figure 1.1</a>'
    ),
    "index": ("The book", "", "<h1>The book</h1>"),
    "genindex": ("Index · The book", "", "<h1>Index</h1>"),
    "search": ("Search · The book", "", "<h1>Search</h1>"),
    "404": ("Not here · The book", "/", '<h1>Not here</h1><img src="/_static/card.png" alt="">'),
}  # fmt: skip
TOC = """root: intro
parts:
  - caption: One
    numbered: 1
    chapters: [{file: chapters/01_a}]
  - caption: Reference
    chapters: [{file: chapters/formulas}, {file: reference/figures}]
"""
INDEX = {
    "pages": [
        ["intro.html", "The book"],
        ["chapters/01_a.html", "1. The tree"],
        ["chapters/formulas.html", "Formulas"],
        ["reference/figures.html", "Figures"],
    ],
    "places": [
        [0, "page", ""],
        [1, "page", "the-tree"],
        [1, "figure", "figure-1-1"],
        [2, "page", ""],
        [3, "page", ""],
    ],
}
FILES = {
    "_static/book.css": ".touch { display: none } @media print { h1, p.x { display: none } } a::before { width: 0 }",
    "_static/page.js": "const ns = 'http://www.w3.org/2000/svg'; // 'http' is a word",
    "_static/card.png": "",
    "_static/bundle.css": "p { background: url(card.png) }",
    "_static/search/index.js": f"window.bookIndex = {json.dumps(INDEX)};\n",
    "_static/cards/chapters/01_a.js": '(window.bookCards ??= {})["chapters/01_a"] = {"equation-1-1": "<b>a</b>"};\n',
}
A = "chapters/01_a.html"
CSS, JS, _, BUNDLE, INDEX_JS, CARDS = FILES


@pytest.fixture
def site(tmp_path: Path) -> tuple[Path, Path]:
    """Write a small site and its sources."""
    root, folder = tmp_path, tmp_path / "_build" / "html"
    sources = {
        "_toc.yml": TOC,
        "_config.yml": "title: The book\n",
        "intro.md": "# The book\n",
        "chapters/01_a.ipynb": json.dumps({"cells": CELLS}),
        "chapters/formulas.ipynb": json.dumps(
            {"cells": [CELLS[0] | {"source": "# Formulas", "metadata": {}}]}
        ),
        "reference/figures.md": "# Figures\n",
    }
    for name, text in sources.items():
        write(root / name, text)
    for name, (title, up, body) in PAGES.items():
        head = HEAD.format(title=title, up=up, page=name)
        write(folder / f"{name}.html", f"{head}{body}</article></body></html>")
    for name, text in FILES.items():
        write(folder / name, text)
    return root, folder


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def found(site: tuple[Path, Path]) -> list[str]:
    root, folder = site
    return [str(fault) for fault in of_site(folder, root)]


def test_nothing_is_wrong_with_a_site_that_keeps_its_promises(site: tuple[Path, Path]) -> None:
    assert found(site) == []


@pytest.mark.parametrize(
    ("name", "old", "new", "words"),
    [
        # links
        ("intro.html", "01_a.html#figure-1-1", "01_a.html#figure-1-2", "there is no such place"),
        ("intro.html", 'href="chapters/01_a.html#f', 'href="chapters/01_b.html#f', "there is no such file"),
        ("404.html", "/_static/card.png", "/_static/gone.png", "there is no such file"),
        (A, "../_static/page.js", "../_static/gone.js", "<script> leads to ../_static/gone.js"),
        (A, 'href="#p1-a"', 'href="#p2-a"', "<use> leads to #p2-a"),
        (A, 'id="the-tree"', 'id="cell-a"', "#cell-a: the id stands twice"),
        # what comes from elsewhere
        (A, "../_static/page.js", "https://example.org/page.js", "<script> loads https://example.org/page.js"),
        (A, "../_static/book.css", "//example.org/a.css", "<link stylesheet> loads //example.org/a.css"),
        (A, "<p>It", '<p><img alt="x" src="https://example.org/a.png">It', "<img> loads"),
        (A, "<p>It", '<p><img alt="x" srcset="https://example.org/a.png 2x">It', "<img> loads"),
        (A, "<p>It", '<p><iframe src="https://example.org/"></iframe>It', "<iframe> loads"),
        (A, "<p>It", "<p style=\"background: url('//example.org/a.png')\">It", "a style takes //example.org/a.png"),
        (A, "color: red", "src: url(https://example.org/a.woff2)", "a style takes https://example.org/a.woff2"),
        (CSS, ".touch", "@import 'https://example.org/a.css'; .touch", "a style takes https://example.org/a.css"),
        (JS, "const", "fetch(`https://example.org/a`); const", "a script takes https://example.org/a"),
        (JS, "const", 'import("//example.org/a.js"); const', "a script takes //example.org/a.js"),
        # pictures
        (A, 'aria-label="Tree of depth 1"><title>Tree of depth 1</title>', ">", "no text for those who cannot see"),
        (A, "Tree of depth 1", "Tree", "its picture says"),
        (A, "Node 0 asks age.", "", "its picture says"),
        (A, "no 6</text>", "no 7</text>", "its picture says"),
        (A, SVG, "", "it has 0 pictures"),
        (A, "<p>It", '<p><img src="../_static/card.png">It', "<img> has no text"),
        # hidden
        (BUNDLE, "card.png", "gone.png", "it loads gone.png, and there is no such file"),
        (CSS, ".touch", "svg", "<svg> is hidden: svg { display: none }"),
        (CSS, ".touch {", ".picture, .touch {", "<div> is hidden: .picture { display: none }"),
        (CSS, ".touch {", ".picture:hover, .touch {", "<div> is hidden: .picture:hover { display: none }"),
        (CSS, ".touch", ".touch { color: red } article :is(figure, i) > .picture", "is hidden: article :is(figure"),
        (CSS, "display: none }", "visibility: hidden } .math { opacity: 0 }", "<div> is hidden: .math { opacity: 0 }"),
        (CSS, "h1, p.x { display", "figure { display", "is hidden: figure { display: none } print"),
        (CSS, ".touch {", "@media (max-width: 600px) { table, svg { width: 0px } } .touch {", "svg { width: 0px }"),
        (A, '<div class="picture">', '<div class="picture" style="display:none">', "is hidden by its style"),
        (A, '<figure class="captioned"', '<figure hidden class="captioned"', "<figure hidden> holds"),
        # numbers
        (A, ">(1.2)<", ">(1.3)<", "its formulas are not those of the source"),
        (A, 'id="equation-1-2"', 'id="equation-1-3"', "its formulas are not those of the source"),
        (A, '<a class="eqno" href="#equation-1-2">', '<a class="eqno" href="#equation-1-1">', "(1.2) leads to"),
        (A, 'by <a href="#equation-1-1">', 'by <a href="#equation-1-2">', "the link (1.1) leads to #equation-1-2"),
        (A, ">Figure 1.1.<", ">Figure 1.2.<", "its figures are not those of the source"),
        ("intro.html", ">Figure 1.1<", ">Figure 1.2<", "the link Figure 1.2 leads to"),
        ("chapters/formulas.html", 'id="formula-1-2"', 'id="formula-1-3"', "its entries are not those"),
        ("reference/figures.html", ">Figure 1.1<", ">Picture<", "its entries are not those"),
        (A, "<mi>b</mi>", "<mi>b</mi><mo>−</mo>", "its signs are"),
        # titles, menu, index
        (A, "<h1>1. The tree", "<h1>2. The tree", "its heading is '2. The tree', wanted '1. The tree'"),
        (A, "<title>1. The tree", "<title>1. A tree", "its title is '1. A tree"),
        (A, '<a href="../reference/figures.html">Figures</a>', "", "its menu does not lead to reference/figures.html"),
        (INDEX_JS, "1. The tree", "2. The tree", "is known as '2. The tree', wanted '1. The tree'"),
        (INDEX_JS, "the-tree", "the-trees", "chapters/01_a.html#the-trees is no place"),
        (INDEX_JS, '[3, "page", ""]', '[2, "page", ""]', "no place of reference/figures.html is in the index"),
        (INDEX_JS, "};", "", "the index cannot be read"),
        (CARDS, "equation-1-1", "equation-1-9", "chapters/01_a.html has no such place"),
        (CARDS, '["chapters/01_a"]', '["chapters/02_b"]', "its page 'chapters/02_b.html' is not there"),
        # widgets
        (A, '{"rows": [1]}', '{"rows": [1}', "data are no JSON"),
        (A, '{"rows": [1]}', '{"rows": NaN}', "data are no JSON"),
        (A, '<script type="application/json">', "<script>", "the widget grow has 0 scripts of data"),
        (A, 'data-touch="grow"', 'data-touch="price"', "its widgets are not those of the source"),
        (A, 'data-touch="guess"', "", "its widgets are not those of the source: missing ['guess']"),
        # words
        (A, "<code>len( lost)</code>", "<code>len(found)</code>", "its claims are not those of the source"),
        (A, '<details class="shown-by">', "<details>", "its claims are not those of the source: missing"),
        (A, "What nobody should lose here.", "", "words of its source are not there: What nobody should"),
        (A, "<pre>17 melons, 9 leaves</pre>", "", "words of its source are not there: 17 melons, 9 leaves"),
        ("chapters/formulas.html", "Formulas · The book", "The book", "its title is 'The book'"),
        (A, "It says", "It says $a_1$", "left of the source: $a_1$"),
        (A, "It says", "It says \\frac{1}{2}", "left of the source: \\frac"),
        (A, "It says", "It {ref} says", "left of the source: {ref}"),
        (A, "It says", "It **really** says", "left of the source: **really**"),
        (A, "It says", "[It](a.md) says", "left of the source: ]("),
        (A, "It says", "It <span class='problematic'>:x:</span> says", "left of the source: :x:"),
    ],
)  # fmt: skip
def test_a_fault_is_found(site: tuple[Path, Path], name: str, old: str, new: str, words: str) -> None:
    path = site[1] / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    assert [fault for fault in found(site) if words in fault], found(site)


@pytest.mark.parametrize("name", ["chapters/01_a", "404", "search"])
def test_a_page_that_is_not_there_is_missed(site: tuple[Path, Path], name: str) -> None:
    (site[1] / f"{name}.html").unlink()
    assert f"{name}.html: the page is not there" in found(site)


def test_a_picture_without_caption_is_compared_too(site: tuple[Path, Path]) -> None:
    cells = [
        *CELLS,
        CELLS[3] | {"outputs": [{"data": {"image/svg+xml": SVG.replace("no 6", "no 9")}}], "metadata": {}},
    ]
    write(site[0] / "chapters" / "01_a.ipynb", json.dumps({"cells": cells}))
    assert [fault for fault in found(site) if "'Tree of depth 1' of its source is not there" in fault]


def test_a_fault_is_said_once_and_stops_the_build(
    site: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root, folder = site
    monkeypatch.setattr("tools.read_site.__main__.ROOT", root)
    assert main([str(folder)]) == 0
    assert capsys.readouterr().out == ""
    write(folder / CSS, "article { opacity: 0 } h1 { display: none }")
    assert main([str(folder)]) == 1
    said = capsys.readouterr().out
    assert said.count("h1 { display: none }") == 1
    assert " more)" in said


@pytest.mark.parametrize(
    ("declarations", "hides"),
    [
        ("display: block", False), ("display: none !important", True), ("VISIBILITY: Hidden", True),
        ("opacity: 0.5", False), ("opacity: 0.0", True), ("opacity: 0%", True), ("width: 0.5px", False),
        ("max-height: 0", True), ("clip-path: inset(50%)", True), ("left: -9999px", True), ("left: -5px", False),
        ("font-size: 0", True), ("transform: translate(1px) scale(0)", True),
    ],
)  # fmt: skip
def test_declarations_that_hide(declarations: str, hides: bool) -> None:
    assert bool(list(hidden_by(declarations.lower()))) == hides


def test_a_comment_and_a_namespace_are_no_addresses() -> None:
    assert foreign_in_script("// see https://a.org\nx = 'http://www.w3.org/2000/svg'; y = a // 'b'") == []
