"""The glossary: every defined term is in it, its links lead there, no term is used before its chapter."""

# ruff: noqa: RUF001  (Chinese has its own semicolon and bracket)

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest
from docutils import nodes
from docutils.core import publish_doctree
from glossary_terms import anchor, mark_entries, other_names
from myst_parser.docutils_ import Parser

from dtlib.messages import catalogue
from tests.book.notebooks import NUMBERED, ROOT, without_code
from tests.book.prose import NUMBER, sentence_at
from tests.book.test_structure import headings, leads_somewhere, markdown, slug

GLOSSARY = ROOT / "reference" / "glossary.md"
ENTRY = re.compile(
    r"^\*\*(?P<term>[^*]+)\*\* (?P<chinese>\S.*?)\. (?P<meaning>.+?)"
    r"(?P<links> \[Chapter\b.+)$",
    re.MULTILINE,
)
SEE = re.compile(r"^\*(?P<word>[^*]+)\*: see (?P<entries>.+)\.$", re.MULTILINE)
PLACE = re.compile(r"\]\(\.\./chapters/(?P<file>(?P<number>\d\d)_\w+\.ipynb)#(?P<anchor>[^)]+)\)")
DEFINITION = re.compile(r"\*\*Definition \(([^)]+)\)")
AHEAD = re.compile(r"[Cc]hapters? (\d+)|\]\((\d\d)_\w+\.ipynb")

# Terms whose word is plain English, or means something else, in an earlier chapter. Say why.
ORDINARY = {
    "bias": "chapter 5 means the leaning of a measure toward many values",
    "cell (of a count table)": "the place of one value in a table, and a cell of the notebook",
    "coefficient": "chapter 7: the Gini coefficient of economists is a proper name",
    "confidence (of C4.5)": "the confidence of a rule has its own entry",
    "cost (of an error)": "the verb, and the cost of a prediction has its own entry",
    "cut": "the verb, of regions and trees",
    "error": "the classification error has its own entry, and a slip is one too",
    "interaction": "chapter 11 names a program",
    "jump": "the verb",
    "limit (on growth)": "the plain word",
    "loss (of a forecast)": "chapter 5: what a sample's entropy lacks",
    "loss (of a tree)": "the loss of a forecast has its own entry",
    "miss": "the verb",
    "category": "a kind of thing",
    "number (a value)": "the plain word",
    "part (of a row)": "the plain word",
    "pass (over the data)": "the verb, and a pass through a tree",
    "recall": "the verb",
    "residual": "chapter 11 says what others call the squared error",
    "run": "the verb",
    "split": "the verb",
    "squared error": "chapter 5: the square of the error of a share",
    "threshold": "the threshold ε has its own entry",
    "weight": "the weight of a number in a mean",
}
# Terms for which Chinese has one word.
ONE_WORD = {
    "划分点": {"cut", "threshold"},
    "划分": {"partition", "split"},
    "损失": {"loss (of a forecast)", "loss (of a tree)"},
}
# Templates of dtlib/book/messages_zh.json in which the English word is a verb, or Chinese has a verb for it.
NOT_THE_TERM = (
    "part of {n}/{total}",
    "Cut below: {nodes}.",
    "cut at {nodes}",
    "no split leaves min_samples_leaf",
    "no fewer held-out errors below",
    "no fewer held-out errors after the split",
)


@dataclass(frozen=True)
class Term:
    """One entry of the glossary."""

    name: str
    chinese: tuple[str, ...]
    meaning: str
    places: tuple[tuple[str, int, str], ...]  # file, chapter, anchor

    @property
    def chapter(self) -> int:
        """The chapter that introduces the term."""
        return self.places[0][1]


@cache
def terms() -> tuple[Term, ...]:
    """Read the glossary."""
    found = []
    for m in ENTRY.finditer(GLOSSARY.read_text(encoding="utf-8")):
        places = tuple((p["file"], int(p["number"]), p["anchor"]) for p in PLACE.finditer(m["links"]))
        found.append(Term(m["term"], tuple(m["chinese"].split("；")), m["meaning"], places))
    return tuple(found)


@cache
def pattern(name: str) -> re.Pattern[str]:
    """Return what finds a term in a text: whole words, singular or plural, case ignored unless it has any.

    Examples
    --------
    >>> [bool(pattern("leaf").search(t)) for t in ("two Leaves", "leaflet", "over-leaf")]
    [True, False, False]
    >>> bool(pattern("group of values").search("Groups\\nof values")), bool(pattern("XOR").search("xor"))
    (True, False)
    """
    words = re.sub(r"\s*\(.*\)", "", name).split(" of ")
    words[0] = plural(words[0])
    body = " of ".join(words).replace(" ", r"\s+")
    return re.compile(rf"(?<![\w-]){body}(?![\w-])", re.IGNORECASE if name[1:] == name[1:].lower() else 0)


def plural(word: str) -> str:
    """Return a pattern of a word and its plural (and of its adverb, if it ends in y)."""
    body = re.escape(word).replace(r"\ ", " ")
    if re.search(r"[^aeiou]y$", word):
        return body[:-1] + "(?:y|ies|ily)"
    if word.endswith("leaf"):
        return body[:-1] + "(?:f|ves)"
    return "child(?:ren)?" if word == "child" else body if word.endswith("s") else body + "(?:s|es)?"


@cache
def prose(path: Path) -> tuple[str, str]:
    """Return the markdown of a chapter: as it is, and without code, formulas, links and stars."""
    text = markdown(path)
    return text, bare(text)


def bare(text: str) -> str:
    """Blank what is no word of the text; every other character keeps its place.

    Examples
    --------
    >>> bare("a *leaf* [b](c.md) $x$ `d`"), bare('<details class="fold">')
    ('a  leaf  [b]                ', '                      ')
    """
    parts = r"\]\([^)\n]*\)|\$\$.+?\$\$|\$[^$\n]+\$|</?[a-z][^<>\n]*>"
    text = re.sub(
        parts,
        lambda m: ("]" if m[0][0] == "]" else " ").ljust(len(m[0])),
        without_code(text),
        flags=re.DOTALL,
    )
    return text.replace("*", " ").replace("\n> ", "\n  ")


def uses(name: str, path: Path) -> Iterator[str]:
    """Yield the sentences of a chapter that use a term."""
    source, text = prose(path)
    for m in pattern(name).finditer(text):
        yield sentence_at(source, m.start())


def points_ahead(sentence: str, chapter: int) -> bool:
    """Tell whether a sentence names or links a chapter after the one it stands in.

    Examples
    --------
    >>> points_ahead("See [chapter 5](05_gain_ratio.ipynb).", 3), points_ahead("See chapter 3.", 3)
    (True, False)
    """
    return any(int(a or b) > chapter for a, b in AHEAD.findall(sentence))


each_term = pytest.mark.parametrize("term", terms(), ids=lambda term: term.name)


def test_glossary_is_read_whole_and_in_order() -> None:
    text = GLOSSARY.read_text(encoding="utf-8")
    names = [term.name for term in terms()]
    assert len(names) == len(set(names)) == text.count("\n**")
    assert len(names) >= 120
    lines = re.findall(r"^\*+([^*]+)\*", text, re.MULTILINE)
    spoken = [name.lower().replace("1-se", "one se").replace("0-1", "zero one") for name in lines]
    order = [re.sub(r"[^a-z0-9 ]", "", name) for name in spoken]
    assert order == sorted(order)
    assert len(lines) == len(names) + len(SEE.findall(text))
    assert [m[0] for m in NUMBER.finditer(bare(text).replace("C4.5", "")) if "." in m[0]] == []


@each_term
def test_term_has_a_meaning_in_one_sentence_and_chinese(term: Term) -> None:
    assert re.fullmatch(r"[A-Z][^\n]+[.?]", term.meaning)
    assert not re.search(r"[.?!] [A-Z]", term.meaning)
    assert 1 <= len(term.places) <= 2
    assert all(re.search(r"[\u4e00-\u9fff]", word) for word in term.chinese)


def test_two_terms_have_not_the_same_chinese() -> None:
    found: dict[str, set[str]] = {}
    for term in terms():
        for word in term.chinese:
            found.setdefault(word, set()).add(term.name)
    assert {word: names for word, names in found.items() if len(names) > 1} == ONE_WORD


def test_the_names_that_people_look_up_lead_to_the_entry_that_explains_them() -> None:
    entries = {term.name: term for term in terms()}
    for word, sees in SEE.findall(GLOSSARY.read_text(encoding="utf-8")):
        names = re.findall(r"\[([^\]]+)\]", sees)
        assert ", ".join(f"[{name}](glossary.md#{anchor(name)})" for name in names) == sees
        for name in names:
            said = {other.lower() for other, _ in other_names()[name]}
            assert word.lower() in said or pattern(word).search(entries[name].meaning), (word, name)


def test_each_entry_has_an_anchor_that_links_of_all_pages_find() -> None:
    text = GLOSSARY.read_text(encoding="utf-8")
    page = publish_doctree(text, parser=Parser(), settings_overrides={"report_level": 5})
    env = SimpleNamespace(docname="reference/glossary", metadata={"reference/glossary": {}})
    mark_entries(SimpleNamespace(env=env), page)
    found = {p["ids"][0]: p.astext() for p in page.findall(nodes.paragraph) if p["ids"]}
    assert list(found) == [anchor(term.name) for term in terms()]
    assert list(env.metadata["reference/glossary"]["myst_slugs"]) == list(found)
    apart = [said.astext() for said in page.findall(nodes.inline) if said["classes"] == ["also-called"]]
    assert len(apart) == len(other_names()) == text.count(" Elsewhere: ")
    assert all(f" Elsewhere: {said[0][0]}" in found[anchor(name)] for name, said in other_names().items())


@each_term
def test_term_stands_where_the_glossary_says(term: Term) -> None:
    for file, _, heading in term.places:
        path = ROOT / "chapters" / file
        assert heading in map(slug, headings(markdown(path))), f"{file} has no heading #{heading}"
        assert pattern(term.name).search(bare(section(path, heading))), (
            f"{file}#{heading}: no “{term.name}” there"
        )


def section(path: Path, anchor: str) -> str:
    """Return what stands under a heading, up to the next one of its level."""
    parts = re.split(r"^(#+) +(.+?)[ ]*$", markdown(path), flags=re.MULTILINE)
    levels, titles, texts = parts[1::3], parts[2::3], parts[3::3]
    start = next(i for i, title in enumerate(titles) if slug(title) == anchor)
    below = range(start + 1, len(titles))
    end = next((i for i in below if len(levels[i]) <= len(levels[start])), len(titles))
    return "\n".join(
        f"{title}\n{text}" for title, text in zip(titles[start:end], texts[start:end], strict=True)
    )


@each_term
def test_term_is_not_used_before_it_is_introduced(term: Term) -> None:
    before = [path for path in NUMBERED if int(path.name[:2]) < term.chapter]
    first = next(((path, sentence) for path in before for sentence in uses(term.name, path)), None)
    if term.name in ORDINARY:
        assert first, f"“{term.name}” is not used before chapter {term.chapter}: take it off ORDINARY"
    elif first:
        path, sentence = first
        assert points_ahead(sentence, int(path.name[:2])), (
            f"{path.name} uses “{term.name}”, which chapter {term.chapter} introduces, and does not point "
            f"there: {sentence!r}. Reword it, link the chapter, or say in ORDINARY why the word is another"
        )


@pytest.mark.parametrize("path", NUMBERED, ids=lambda path: path.stem)
def test_every_defined_term_is_in_the_glossary(path: Path) -> None:
    known = {re.sub(r"\s*\(.*\)", "", term.name).lower() for term in terms()}
    defined = [part for name in DEFINITION.findall(markdown(path)) for part in re.split(", | on ", name)]
    missing = [name for name in defined if not name.startswith("growing") and name.lower() not in known]
    how = "**term** 中文. Meaning. [Chapter N](../chapters/FILE.ipynb#heading)."
    assert set(missing) <= {"held-out samples"}, f"add entries to reference/glossary.md: {how}"


def test_links_of_the_reference_pages_lead_somewhere() -> None:
    for page in sorted((ROOT / "reference").glob("*.md")):
        targets = re.findall(r"\]\(([^)\s]+)\)", without_code(page.read_text(encoding="utf-8")))
        assert [target for target in targets if not leads_somewhere(page, target)] == [], page.name


def test_exceptions_are_needed() -> None:
    assert set(NOT_THE_TERM) <= set(catalogue("zh"))
    assert set(ORDINARY) <= {term.name for term in terms()}


@each_term
def test_chinese_agrees_with_the_words_of_the_pictures(term: Term) -> None:
    for english, chinese in catalogue("zh").items():
        plain = re.sub(r"\{[^}]*\}", " ", english)
        if english not in NOT_THE_TERM and pattern(term.name).search(plain) and not longer_term(term, plain):
            assert any(word.partition("（")[0] in chinese for word in term.chinese), (english, chinese)


def longer_term(term: Term, text: str) -> bool:
    """Tell whether a text uses a longer term that contains this one, such as “gain ratio” for “gain”."""
    others = (other.name for other in terms() if other != term and pattern(term.name).search(other.name))
    return any(pattern(other).search(text) for other in others)
