"""What the search looks through: the words a reader sees, every entry and formula, Chinese; and the cards."""

# ruff: noqa: E501, RUF001  (pages in small; Chinese has its own semicolon)

from __future__ import annotations

import csv
import re
from types import SimpleNamespace

import pytest
from bs4 import Tag
from glossary_terms import INDEX_WORDS, anchor, everyday_words, index_words, other_names, terms
from hover_cards import PLAIN, cards, linked_terms, mention, term_of
from page_text import of_articles, parsed, places
from search_index import index, look

from tests.book.notebooks import ROOT
from tests.book.test_glossary import terms as entries
from tests.book.test_structure import headings, markdown

PAGE = """<article><section id="gain-ratio"><h1><span class="section-number">5. </span>Gain ratio<a
class="headerlink" href="#gain-ratio">#</a></h1><p>Divide by <math><msub><mi>H</mi><mi>A</mi></msub></math>.</p>
<div class="cell"><div class="cell_input"><pre>from dtlib import C45Classifier</pre></div>
<div class="cell_output"><table><tr><th>feature</th><th>gain</th></tr><tr><td>age</td><td>0.083</td></tr></table>
</div></div><div class="math" id="equation-5-8">\\begin{equation*} g_R(D, A) \\tag{5.8} \\end{equation*}</div>
<figure id="figure-5-3"><div class="picture"><svg><text>yes</text></svg></div><figcaption><strong>Figure 5.3.</strong>
The ratio.</figcaption></figure>
<section id="what-for"><h2>What for?</h2><p>See <span class="math">\\(\\frac{a}{b}\\)</span>.</p></section>
<div class="exercise admonition" id="exercise-5-1"><p class="admonition-title"><span class="caption-number">Exercise 5.1
</span> (Golf by hand)</p><section><p>Compute it.</p></section></div>
<div class="solution admonition"><p>The solution.</p></div><details class="shown-by"><summary>Shown</summary><p>Code</p></details></section></article>"""
GLOSSARY = """<article><section id="glossary"><h1>Glossary</h1><p id="term-gain-ratio"><strong>gain ratio</strong>
信息增益比；增益比；增益率. Gain for each bit. <a href="../chapters/05_gain_ratio.html#what-for">Chapter 5</a>.</p></section></article>"""


@pytest.fixture(scope="module")
def rows() -> dict[str, list]:
    """Return the rows of the index of two small pages by anchor."""
    pages = {"chapters/05_gain_ratio": PAGE, "reference/glossary": GLOSSARY}
    found = index([(name, look(parsed(page))) for name, page in pages.items()])
    assert found["pages"] == [
        ["chapters/05_gain_ratio.html", "5. Gain ratio"],
        ["reference/glossary.html", "Glossary"],
    ]
    return {row[2]: row for row in found["places"]}


def test_a_section_has_its_words_and_no_code_no_tex_no_solution(rows: dict[str, list]) -> None:
    page, kind, _, title, _, names, text = rows["gain-ratio"]
    assert (page, kind, title) == (0, "page", "Gain ratio")
    assert text == "Divide by H_A. feature · gain · age · 0.083"
    assert {"gain ratio", "增益率", "信息增益率"} <= set(names)


def test_parts_of_a_page_are_places_of_their_own(rows: dict[str, list]) -> None:
    assert rows["what-for"][1:5] == ["section", "what-for", "What for?", ""]
    assert rows["what-for"][6] == "See."
    assert rows["exercise-5-1"][3] == "Exercise 5.1: Golf by hand"
    assert rows["figure-5-3"][6] == "Figure 5.3. The ratio."
    assert not any("solution" in row[6] for row in rows.values())


def test_a_formula_says_what_the_list_of_formulas_says(rows: dict[str, list]) -> None:
    with (ROOT / "chapters" / "formulas.csv").open(encoding="utf-8", newline="") as file:
        words = {row["number"]: row["words"] for row in csv.DictReader(file)}
    assert rows["equation-5-8"][3] == "Formula 5.8"
    assert rows["equation-5-8"][6] == f"(5.8) {words['5.8']}"


def test_an_entry_and_the_section_that_introduces_it_have_all_names(rows: dict[str, list]) -> None:
    for place in ("term-gain-ratio", "what-for"):
        assert {"gain ratio", "信息增益比", "增益率", "信息增益率", "GainRatio"} <= set(rows[place][5]), place


def test_a_question_leads_to_the_places_that_answer_it() -> None:
    question = """<article><section id="questions"><h1>Questions</h1><p><strong>Why divide?</strong> To be <em>fair</em>.<br/>
<a href="../chapters/05_gain_ratio.html#what-for">What for?</a>; <a href="../chapters/99.html#x">Elsewhere</a>.</p></section></article>"""
    pages = {"chapters/05_gain_ratio": PAGE, "reference/questions": question}
    found = index([(name, look(parsed(page))) for name, page in pages.items()])
    [(asked, answer, [number])] = found["questions"]
    assert (asked, answer) == ("Why divide?", "To be fair.")
    assert found["places"][number][2] == "what-for"


def test_every_entry_of_the_glossary_is_known_and_has_an_anchor_of_its_own() -> None:
    assert [(t.name, t.chinese) for t in terms().values()] == [(e.name, e.chinese) for e in entries()]
    anchors = [anchor(name) for name in terms()]
    assert len(set(anchors)) == len(anchors)


def test_other_names_are_said_once_and_are_not_the_term() -> None:
    assert len(other_names()) >= 140
    for term, names in other_names().items():
        said = [name.lower() for name, _ in names]
        assert sorted(said) == sorted(set(said)), term
        assert not set(said) & {term.lower(), *terms()[term].chinese}, term
        assert all(name.strip(" *`()") == name.strip("()*") or name == "g(t)" for name in said), term


def test_words_of_the_index_are_of_headings() -> None:
    for page, heading in index_words():
        path = ROOT / (f"{page}.md" if page.startswith("reference/") else f"{page}.ipynb")
        assert heading in headings(markdown(path)), (page, heading)
    with INDEX_WORDS.open(encoding="utf-8", newline="") as file:
        lines = [tuple(row.values()) for row in csv.DictReader(file)]
    assert sorted(lines) == sorted(set(lines))
    assert [line[0] for line in lines] == sorted(line[0] for line in lines)


def test_everyday_words_lead_to_words_of_the_book() -> None:
    said = [word.lower() for word, _ in everyday_words()]
    assert said == sorted(set(said))
    heads = [
        heading for path in sorted(ROOT.glob("chapters/*.ipynb")) for heading in headings(markdown(path))
    ]
    others = [name for names in other_names().values() for name, _ in names]
    indexed = [word for words in index_words().values() for word in words]
    known = "\n".join([*terms(), *heads, *others, *indexed]).lower()
    assert [(word, book) for word, book in everyday_words() if book.lower() not in known] == []
    assert set(said) & {name.lower() for name in (*terms(), *others, *indexed)} == set()


def test_plain_words_are_of_the_glossary() -> None:
    assert PLAIN - {term.word.lower() for term in terms().values()} == set()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The gain ratio of a feature", ["gain ratio"]),
        ("entropies, conditional\nentropy", ["entropy", "conditional entropy"]),
        ("reduced-error pruning", ["reduced-error pruning"]),
        ("an impurity-like thing, the split", []),
        ("Groups of values", ["group of values"]),
    ],
)
def test_the_longest_term_is_linked_whole(text: str, found: list[str]) -> None:
    assert [term_of(match[0]).name for match in mention().finditer(text)] == found


def test_every_linked_term_finds_itself() -> None:
    for word, term in linked_terms().items():
        assert mention().fullmatch(word), word
        assert term_of(word) == term


def test_cards_are_of_entries_equations_and_figures() -> None:
    article = parsed(PAGE)
    assert set(cards(article)) == {"equation-5-8", "figure-5-3"}
    assert re.match(r"<figure>.*</figure>$", cards(parsed(PAGE))["figure-5-3"], re.DOTALL)


def test_an_article_is_read_again_only_if_it_has_changed(tmp_path) -> None:
    app = SimpleNamespace(doctreedir=tmp_path, outdir=tmp_path, fresh_env_used=True)
    app.env = SimpleNamespace(found_docs={"a", "b", "c"})
    for name in app.env.found_docs - {"c"}:
        (tmp_path / f"{name}.html").write_text(f"<body><article>{name}</article></body>", encoding="utf-8")
    (tmp_path / "c.html").write_text("<body>no article</body>", encoding="utf-8")
    read: list[str] = []

    def make(article: Tag) -> str:
        read.append(article.get_text())
        return article.get_text().upper()

    assert of_articles(app, "words", make) == [("a", "A"), ("b", "B")]
    app.fresh_env_used = False
    (tmp_path / "a.html").write_text("<head></head><body><article>a</article></body>", encoding="utf-8")
    (tmp_path / "b.html").write_text("<body><article>new</article></body>", encoding="utf-8")
    assert of_articles(app, "words", make) == [("a", "A"), ("b", "NEW")]
    assert read == ["a", "b", "new"]
    app.fresh_env_used = True
    of_articles(app, "words", make)
    assert read[3:] == ["a", "new"], "after a change of an extension"


def test_places_are_found_in_the_order_of_the_page() -> None:
    kinds = [place.kind for place in places(parsed(PAGE))]
    assert kinds == ["section", "formula", "figure", "section", "exercise"]
