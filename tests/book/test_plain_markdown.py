"""The Sphinx extension `plain_markdown`: what it makes of a chapter's conventions, and what it refuses."""

from __future__ import annotations

import io
import json
import re

import pytest
from plain_markdown.cells import cells_for_sphinx, exercise, solution_start
from plain_markdown.citations import cited
from plain_markdown.figures import inline_svg
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

from dtlib.datasets import load_loan
from dtlib.homework import check_answer, worked

PICTURE = (
    '<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="A dot"><title>A dot</title>'
    '<circle id="dot" r="1" style="fill: var(--dt-class-0, #b24c00)"/></svg>'
)


def markdown(text: str, *tags: str) -> dict:
    return {"cell_type": "markdown", "id": cell_id(text), "metadata": {"tags": list(tags)}, "source": text}


def code(text: str, *tags: str, output: dict | None = None) -> dict:
    outputs = [{"output_type": "display_data", "metadata": {}, "data": output}] if output else []
    return markdown(text, *tags) | {"cell_type": "code", "execution_count": 1, "outputs": outputs}


def refuse(cell: dict, mistake: str) -> None:
    raise AssertionError((cell["id"], mistake))


def cell_id(text: str) -> str:
    return re.sub(r"\W+", "-", text)[:40]


CHAPTER = [
    markdown("# Entropy\n\nSee [Shannon (1948)](bibliography.md#shannon1948) and equation (1.1)."),
    markdown("$$\n\\begin{aligned} H &= 1 \\\\ &= 2 \\end{aligned} \\tag{1.1}\n$$"),
    code("draw()", output={"image/svg+xml": PICTURE, "text/plain": "Picture: A dot."}),
    markdown("### Exercise 1.1: A fair die\n\nWhat is its entropy?", "exercise"),
    markdown("#### Solution 1.1\n\nIt is this.", "solution"),
    code("entropy([1, 1])", "solution"),
    markdown("### Exercise 1.2: Another\n\nAnd now?", "exercise"),
    markdown("#### Solution 1.2\n\nThe same.", "solution"),
    markdown("After the solutions."),
]


CAPTION = markdown("**Figure 1.1.** A *dot*, and its $p$.", "caption")
QUIZ = markdown(
    "## Check yourself\n\nClick.\n\n**1.** Which?\n\n"
    "<details><summary>☐ This.</summary>\n\nRight.\n\n</details>\n\n"
    "<details><summary>☐ That.</summary>\n\nNo. Why?\n\n</details>\n\n**2.** Whose?\n\n"
    "<details><summary>☐ Mine.</summary>\n\nNo.\n\n</details>",
    "quiz",
)

ASKED = "**Guess first.** How many *bits*?"
SHOWN = "<details><summary>Show me</summary>\n\n{0} bits.\n\n</details>"
TYPED = {"answer": "0.737", "is": "-log2(9/15)", "slips": {"1.667": ["15/9", "That is 1/p </b>."]}}


def a_guess(declared: object, text: str = f"{ASKED}\n\n{SHOWN}", shown: str = "0.737") -> dict:
    cell = markdown(text.format(shown), "guess")
    return cell | {"id": "guess", "metadata": cell["metadata"] | ({"guess": declared} if declared else {})}


GUESSED = QUIZ["source"].partition("**1.** ")[2].partition("\n\n**2.**")[0]
CHOSEN = markdown(f"**Guess first.** {GUESSED}", "guess")

EXTENSIONS = ["plain_markdown", "myst_nb", "sphinx_exercise", "sphinxcontrib.bibtex"]
CONFIG = {
    "extensions": EXTENSIONS,
    "nb_execution_mode": "off",
    "myst_enable_extensions": ["dollarmath"],
    "bibtex_bibfiles": ["references.bib"],
    "bibtex_cite_id": "{key}",
    "bibtex_reference_style": "author_year",
    "numfig": True,
    "numfig_secnum_depth": 1,
}
FILES = {
    "index.md": "# Book\n\n```{toctree}\n:numbered: 1\nchapter\nreference/figures\nbibliography\n```\n",
    "reference/figures.md": "# Figures\n\n```{figures}\n```\n",
    "bibliography.md": "# Bibliography\n\n```{bibliography}\n:all:\n```\n",
    "references.bib": "@misc{shannon1948, author={Shannon, Claude}, title={{A Theory}}, year={1948}}",
}


@pytest.fixture
def build(tmp_path):
    """Return a function that builds a book of one chapter and returns its page and the warnings."""

    def run(cells: list[dict], page: str = "chapter") -> tuple[str, str]:
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        chapter = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
        for name, text in (FILES | {"chapter.ipynb": json.dumps(chapter)}).items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(text, encoding="utf-8")
        out, doctrees, warnings = tmp_path / "_build/html", tmp_path / "_build/.doctrees", io.StringIO()
        with docutils_namespace():
            Sphinx(tmp_path, None, out, doctrees, "html", CONFIG, None, warnings).build()
        return (out / f"{page}.html").read_text(encoding="utf-8"), warnings.getvalue()

    return run


def text_of(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def test_a_chapter_in_plain_markdown_becomes_a_page_without_a_warning(build):
    page, warnings = build(CHAPTER)
    assert warnings == ""
    assert '<a class="reference internal" href="bibliography.html#shannon1948"' in page
    assert ">Shannon (1948)</a>" in page
    assert '<a class="reference internal" href="#equation-1-1">(1.1)</a>' in page
    assert re.search(r'<div class="math[^>]* id="equation-1-1">\s*\\begin\{equation\*\}', page)
    assert "split" not in page  # \tag is an error inside `split`
    assert re.search(r'<div class="picture"><svg [^>]*role="img".*?<circle id="p1-dot"', page, re.DOTALL)
    assert "Exercise 1.1 (A fair die)" in re.sub(" +", " ", text_of(page))
    assert len(re.findall(r'<div class="solution dropdown admonition"', page)) == 2
    in_order = ["Solution to", "It is this.", "entropy([", "Another", "The same.", "After the solutions."]
    shown = re.sub(r"(?<=\w) (?=\()", "", text_of(page))
    places = [shown.index(words, shown.index("A fair die")) for words in in_order]
    assert places == sorted(places)
    assert "Solution 1.1" not in text_of(page), "the plain heading gives way to the title of the solution"


def test_the_number_on_the_page_is_the_number_in_the_notebook(build):
    _, warnings = build([*CHAPTER[:2], markdown("### Exercise 1.7: Far off\n\nWhy?", "exercise")])
    assert "exercise-1-7 is number 1.1 of the book" in warnings


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        (markdown("See [X](../bibliography.md#nobody1900)."), 'could not find bibtex key "nobody1900"'),
        (markdown("### A fair die\n\nText.", "exercise"), "'### A fair die', expected"),
        (markdown("It is 2 bits.", "solution"), "'It is 2 bits.', expected"),
        (markdown("$$ a \\tag{1.1} $$"), "equation 1.1 exists twice"),
        (code("draw()", output={"image/svg+xml": PICTURE.replace(' role="img"', "")}), "without role=img"),
        (markdown("**Figure 1.1.** Words.", "caption"), "the caption of figure 1.1 stands below no picture"),
        (markdown("Figure 1.1: words.", "caption"), "expected '**Figure 1.1.** What one sees.'"),
        (code("check(1)", "checks"), "shows something else than checked numbers"),
    ],
)
def test_what_is_wrong_in_a_chapter_is_a_warning(build, cell, message):
    _, warnings = build([*CHAPTER[:2], cell])
    assert message in warnings


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        (markdown("### A fair die\n\nText.", "exercise"), "'### A fair die', expected a line like"),
        (
            markdown("#### Solution 5.77\n\nText.", "solution"),
            "no exercise 5.77 in this chapter; it has 1.1, 1.2",
        ),
        (markdown("#### Solution\n\nText.", "solution"), "'#### Solution', expected a line like"),
        (
            markdown("Text.", "exersise"),
            "nobody knows the tag `exersise`; the forms of a chapter are exercise,",
        ),
        (markdown("Because.", "aside"), "the side-road starts with 'Because.', expected a heading"),
        (code("a = 1", "caption"), "the tag `caption` is for a markdown cell, and this is a code cell"),
        (markdown("Text.", "checks"), "the tag `checks` is for a code cell, and this is a markdown cell"),
        (markdown("## Check yourself\n\nNothing.", "quiz"), "the quiz has no question"),
        (QUIZ | {"source": QUIZ["source"].replace("Right.", "Yes.")}, "'This.' begins with 'Yes', expected"),
        (QUIZ | {"source": QUIZ["source"].replace("☐ That", "That")}, "the choice 'That.' has no box"),
        (QUIZ | {"source": QUIZ["source"].split("**2.**")[0] + "**2.** Whose?"}, "**2.** has no choice"),
        (a_guess(TYPED, "Guess: " + SHOWN), "the guess starts with 'Guess: "),
        (
            a_guess(TYPED, ASKED),
            "expected it to end with '<details><summary>Show me</summary>', a blank line",
        ),
        (a_guess(TYPED, f"{ASKED}\n\n{SHOWN}\n\nMore."), "the guess ends with "),
        (a_guess(TYPED, shown="0.738"), "does not say what is right, 0.737 to three digits"),
        (a_guess(None), 'has no metadata `guess`, expected {"of": '),
        (a_guess(TYPED | {"slip": {}}), "the guess has the metadata {'answer': "),
        (a_guess(TYPED | {"answer": "2/3"}), "the number '2/3', expected digits in quotes"),
        (a_guess(TYPED | {"slips": {"1.67": ["1", "So."]}}), "'1.67' of the guess needs as many decimals as"),
        (a_guess(TYPED | {"slips": {"1.667": "15/9"}}), "has '15/9', expected ['15/9', 'That is 1/p.']"),
        (a_guess(TYPED | {"slips": {"0.737": ["1", "So."]}}), "'0.737' of the guess is the right answer"),
        (a_guess({"of": "gain(age)", "table": "lone"}), "the table 'lone'; there are "),
        (a_guess({"of": "gain(agee)", "table": "loan"}), "nearest: gain(age)"),
        (a_guess(TYPED) | {"metadata": {"guess": TYPED}}, "the metadata `guess`, and not the tag"),
        (code("a = 1", "guess"), "the tag `guess` is for a markdown cell"),
        (CHOSEN | {"metadata": a_guess(TYPED)["metadata"]}, "has choices, and its metadata `guess` a number"),
        (CHOSEN | {"source": CHOSEN["source"].replace("Right", "No")}, "0 choices of the guess are right"),
        (CHOSEN | {"source": CHOSEN["source"].replace("☐ That", "That")}, "the choice 'That.' has no box"),
    ],
)
def test_a_wrong_cell_is_named_and_the_others_become_what_they_are(build, cell, message):
    page, warnings = build([*CHAPTER, cell])
    (said,) = warnings.strip().splitlines()
    assert "chapter.ipynb" in said
    assert f"cell {cell['id']!r}: " in said
    assert message in said
    assert len(re.findall(r'<div class="solution dropdown admonition"', page)) == 2


def test_the_solution_of_a_wrong_exercise_is_no_second_mistake(build):
    wrong = CHAPTER[3] | {"source": CHAPTER[3]["source"].replace("Exercise 1.1", "Exercise 1")}
    page, warnings = build([*CHAPTER[:3], wrong, *CHAPTER[4:]])
    (said,) = warnings.strip().splitlines()
    assert f"cell {wrong['id']!r}: the cell starts with '### Exercise 1: A fair die'" in said
    assert "Exercise 1.2 (Another)" in re.sub(" +", " ", text_of(page))


def test_an_equation_without_a_number_may_be_marked_as_such(build):
    page, warnings = build(
        [CHAPTER[0], CHAPTER[1], markdown("$$\\begin{equation*} p \\\\ q \\end{equation*}$$")]
    )
    assert warnings == ""
    assert re.search(r"\\begin\{equation\*\}\s*p \\\\ q\s*\\end\{equation\*\}", page)


def test_cells_without_conventions_stay_as_they_are():
    cells = [
        markdown("# Title\n\n(2.1) and [chapter 2](02_entropy.ipynb)"),
        code("[Quinlan](bibliography.md#a)"),
    ]
    assert list(cells_for_sphinx(cells, refuse)) == cells


def test_a_solution_ends_where_the_next_begins():
    cells = [CHAPTER[3], CHAPTER[6], *(markdown(f"#### Solution 1.{k}\n\nText.", "solution") for k in (1, 2))]
    texts = [cell["source"].split()[0] for cell in cells_for_sphinx(cells, refuse)]
    assert texts[2:] == [
        "```{solution-start}",
        "```{solution-end}",
        "```{solution-start}",
        "```{solution-end}",
    ]
    ids = [cell["id"] for cell in cells_for_sphinx(cells, refuse)]
    assert len(set(ids)) == 6


def test_a_choice_of_a_quiz_has_its_box_in_notebooks_only():
    (cell,) = cells_for_sphinx([QUIZ], refuse)
    assert "☐" in QUIZ["source"]
    assert "☐" not in cell["source"]


def test_a_choice_knows_whether_it_is_right(build):
    page, warnings = build([CHAPTER[0], CHAPTER[1], QUIZ])
    assert warnings == ""
    assert len(re.findall(r'<div class="question">', page)) == 2
    assert re.findall(r'<details class="choice (\w+)"><summary>(\w+)', page) == [
        ("right", "This"),
        ("wrong", "That"),
        ("wrong", "Mine"),
    ]
    assert page.count("</details>") == 3
    assert text_of(page).index("Which?") < text_of(page).index("This.") < text_of(page).index("Whose?")


def data_of(page: str) -> dict:
    (box,) = re.findall(
        r'<div class="touch no-print" data-touch="guess" hidden><script [^>]*>(.*?)</script>', page
    )
    return json.loads(box)


def test_a_guess_is_asked_before_its_answer_is_told(build):
    page, warnings = build([*CHAPTER[:2], a_guess(TYPED)])
    assert warnings == ""
    (frame,) = re.findall(r'<div class="guess">(.*?</details>)\s*</div>', page, re.DOTALL)
    parts = [
        "Guess first.</strong> How many <em>bits</em>?",
        "data-touch",
        '<details class="show-me">',
        "0.737 bits.",
    ]
    assert [*map(frame.count, parts)] == [1] * 4
    assert sorted(map(frame.index, parts)) == [*map(frame.index, parts)]
    assert data_of(page) == {
        "right": 0.737,
        "digits": 3,
        "says": "0.737 to three digits",
        "slips": [[["1.7", "1.67", "1.667"], "That is 1/p </b>."]],
    }


def test_what_a_guess_knows_of_a_quantity_is_what_the_library_knows(build):
    page, warnings = build([*CHAPTER[:2], a_guess({"of": "H(D|owns_house)", "table": "loan"}, shown="0.551")])
    assert warnings == ""
    data, loan = data_of(page), load_loan()
    right = worked(loan.frame, "approved").step("H(D|owns_house)").value
    assert (data["digits"], data["says"]) == (4, "0.5510 to four digits")
    assert data["right"] == pytest.approx(right, abs=1e-12)
    told = {number: said for numbers, said in data["slips"] for number in numbers}
    assert told["0.971"] == "Another quantity: this is H(D)."
    for number, said in told.items():
        (found,) = check_answer({"H(D|owns_house)": number}, loan.frame, "approved").findings
        assert said.lower() == f"{found.explanation}.".lower()


def test_a_guess_by_choices_looks_like_a_guess_and_counts_in_no_quiz(build):
    page, warnings = build([*CHAPTER[:2], CHOSEN])
    assert warnings == ""
    assert re.findall(r'<details class="choice (\w+)"><summary>(\w+)', page) == [
        ("right", "This"),
        ("wrong", "That"),
    ]
    assert page.count('<div class="guess">') == 1
    assert 'class="question"' not in page
    assert "data-touch" not in page


def test_a_caption_makes_a_figure_of_the_picture_above_it(build):
    page, warnings = build([*CHAPTER[:3], CAPTION, markdown("See Figure 1.1 and Figures 1.1 and 1.1.")])
    assert warnings == ""
    figure = re.search(r'<figure class="[^"]*captioned[^"]*" id="figure-1-1">.*?</figure>', page, re.DOTALL)[
        0
    ]
    assert '<circle id="p1-dot"' in figure
    assert "Figure 1.1. A dot , and its \\(p\\) ." in text_of(figure)
    assert page.count('<a class="reference internal" href="#figure-1-1">') == 3
    assert page.index("draw") < page.index("<figure"), "the code stays above the figure"


SHORT = "**In short.** It is a *dot*. Figure 1.1 shows it."


def test_an_opening_shows_a_copy_of_its_figure_above_the_answer(build):
    page, warnings = build([CHAPTER[0], markdown(SHORT, "opening"), *CHAPTER[1:3], CAPTION])
    assert warnings == ""
    head = re.search(r'<div class="opening[^"]*">.*?</div>\n*<p>.*?</p>', page, re.DOTALL)[0]
    assert '<circle id="opening-p1-dot"' in head
    assert text_of(head).strip().endswith("In short. It is a dot . Figure 1.1 shows it.")
    assert page.index('class="opening') < page.index('<circle id="p1-dot"')


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("**In short.** It is a dot.", "with a figure of this chapter"),
        ("It is a dot. Figure 1.1 shows it.", "expected '**In short.** Words."),
        ("**In short.** It is. Figure 1.2 shows it.", "figure 1.2, which is no figure of this chapter"),
    ],
)
def test_an_opening_that_shows_nothing_is_a_warning(build, text, mistake):
    _, warnings = build([CHAPTER[0], markdown(text, "opening"), *CHAPTER[1:3], CAPTION])
    assert mistake in warnings


def test_folded_code_is_one_text_with_a_note_of_its_colors(build):
    page, _ = build([*CHAPTER[:2], code('x = "<"', "hide-input"), code("y = 1")])
    pre = re.search(r'<pre data-colors="([^"]*)">([^<]*)</pre>', page)
    assert pre[2] == 'x = "&lt;"\n'
    assert "s2:3" in pre[1].split()
    assert re.search(r'<span class="n">y</span>', page), "open code has its colors"


def test_the_list_of_figures_leads_to_each(build):
    page, _ = build([*CHAPTER[:3], CAPTION], "reference/figures")
    assert re.search(
        r'<a class="reference internal" href="../chapter.html#figure-1-1">Figure 1.1</a>. A <em>dot', page
    )
    assert "Entropy" in text_of(page)


def test_a_link_of_a_caption_leads_there_from_the_list_of_figures_too(build):
    linked = markdown("**Figure 1.1.** A dot, see [the book](index.md).", "caption")
    page, _ = build([*CHAPTER[:3], linked], "reference/figures")
    assert '<a class="reference internal" href="../index.html"><span class="std std-doc">the book' in page


def test_a_side_road_is_a_folded_section_with_all_its_cells_and_is_listed_at_the_top(build):
    cells = [
        CHAPTER[0],
        markdown("## What you will be able to do\n\n- Halve."),
        markdown("## Surprise\n\nOn the main road."),
        markdown("### Why the *logarithm*?\n\n**Proof.** It is so. ∎", "aside"),
        code("entropy([1, 1])"),
        markdown("#### A smaller matter\n\nInside."),
        markdown("### The next thing\n\nOn the main road again."),
    ]
    page, warnings = build(cells)
    assert warnings == ""
    fold = re.search(r'<details class="fold aside"><summary>.*?</details>', page, re.DOTALL)[0]
    assert re.search(r"<summary><h3>Why the <em>logarithm</em>\?", fold), "the heading opens it"
    assert all(said in text_of(fold) for said in ("It is so", "entropy", "A smaller matter", "Inside"))
    assert "main road" not in fold
    assert page.count("</details>") == 2
    line = re.search(r'<details class="fold side-roads">.*?</details>', page, re.DOTALL)[0]
    assert " ".join(text_of(line).split()) == "1 side road is folded on this page Why the logarithm ? ."
    assert '<section id="why-the-logarithm">' in page
    assert 'href="#why-the-logarithm"' in line
    assert page.index("Halve.") < page.index("side-roads") < page.index("On the main road.")


def test_in_a_story_each_picture_stands_beside_the_words_about_it(build):
    dot = {"image/svg+xml": PICTURE, "text/plain": "Picture: A dot."}
    cells = [
        CHAPTER[0],
        markdown("## A dot moves\n\nLook.", "story"),
        code("draw(1)", output=dot),
        CAPTION,
        markdown("It is here."),
        code("draw(2)", output=dot),
        markdown("**Figure 1.2.** Another.", "caption"),
        markdown("Now it is there."),
        markdown("### What it means\n\nIt moves."),
        markdown("## After it\n\nThe end."),
    ]
    page, warnings = build(cells)
    assert warnings == ""
    steps = page.split('<div class="story-step docutils container">')[1:]
    assert len(steps) == 2
    assert all(said in text_of(step) for said, step in zip(("It is here", "it is there"), steps, strict=True))
    assert all(
        step.index("<figure") < step.index('class="story-words') < step.index("draw") for step in steps
    )
    *_, last = steps[1].partition('<section id="what-it-means">')[0].rpartition("</div>")
    assert "there" not in last, "a section below has the whole width again"
    assert steps[1].index("It moves") < steps[1].index("</section>") < steps[1].index("The end.")


def test_a_story_without_pictures_is_a_warning(build):
    _, warnings = build([CHAPTER[0], markdown("## A dot\n\nLook.", "story"), *CHAPTER[2:3], CAPTION])
    assert "a story has two pictures with captions, or more" in warnings


def test_a_fold_of_imports_says_so_and_another_does_not(build):
    page, _ = build([*CHAPTER[:2], code("import re", "hide-input"), code("a = 1", "hide-input")])
    assert re.findall(r'<p class="collapsed admonition-title">([^<]+)</p>', page) == [
        "Imports",
        "Show code cell source",
    ]


def test_a_fold_of_a_table_says_so(build):
    page, _ = build([*CHAPTER[:2], code("a = 1", "hide-cell")])
    assert "The numbers as a table" in page


def test_checked_numbers_fold_into_one_line(build):
    lines = (
        "a = 0.97095 bit, printed 0.971: agrees (H(D); note 2)\n"
        "b = 4.08746, printed 4.088: wrong, 4.087 is right: early (note 2)\n"
    )
    cell = code("check('a')", "checks") | {
        "outputs": [{"output_type": "stream", "name": "stdout", "text": lines}]
    }
    page, warnings = build([*CHAPTER[:2], cell])
    assert warnings == ""
    fold = re.search(r'<details class="checks wrong fold">.*?</details>', page, re.DOTALL)[0]
    said = text_of(fold)
    assert "2 numbers checked against note 2: 1 agrees, 1 is wrong in print" in said
    assert "H(D) 0.97095 bit 0.971 agrees" in said
    assert "wrong , 4.087 is right: early" in said
    assert "check" in fold.split("<table")[1], "the code is in the fold"
    assert "printed 0.971" not in page


def test_an_exercise_may_hold_code():
    text = "### Exercise 2.3: Run it\n\n```python\nentropy([1, 1])\n```"
    assert exercise(text) == (
        "````{exercise} Run it\n:label: exercise-2-3\n\n```python\nentropy([1, 1])\n```\n````"
    )


def test_a_solution_without_a_number_is_refused():
    with pytest.raises(ValueError, match=r"expected a line like '#### Solution 2.1'"):
        solution_start("#### Solution\n\nTwo bits.")


def test_several_citations_in_one_line():
    text = "[A](bibliography.md#a1900), [B (2000), page 3](../bibliography.md#b-2000) and [c](c.md#d)"
    assert cited(text) == "{cited}`A <a1900>`, {cited}`B (2000), page 3 <b-2000>` and [c](c.md#d)"


def test_an_inline_picture_keeps_its_ids_and_styles_to_itself():
    svg = (
        '<?xml version="1.0"?>\n<svg role="img" aria-labelledby="t d"><desc id="t"/>'
        '<style type="text/css">*{stroke-linejoin: round}</style>'
        '<g clip-path="url(#c)"><use xlink:href="#m"/></g></svg>'
    )
    assert inline_svg(svg, "p2-") == (
        '<svg style="stroke-linejoin: round" role="img" aria-labelledby="p2-t p2-d"><desc id="p2-t"/>'
        '<g clip-path="url(#p2-c)"><use xlink:href="#p2-m"/></g></svg>'
    )
