"""One word for one thing: a second word only where it is explained, one way to announce worked examples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from glossary_terms import other_names

from tests.book.notebooks import NUMBERED, ROOT, load
from tests.book.prose import sentence_at
from tests.book.test_glossary import bare
from tests.book.test_structure import markdown

#: The API speaks the words of the library, see docs/maintainers/vocabulary.md.
PAGES = [
    *NUMBERED,
    ROOT / "intro.md",
    *sorted(path for path in (ROOT / "reference").glob("*.md") if path.name != "api.md"),
]

SPELLING = "American spelling"
# second word -> the book's word; a pattern, read whole, without regard to case.
SECOND = {
    r"attributes?|predictors?|covariates?|regressors?|input variables?": "feature",
    r"(?<!for )instances?|observations?|data ?points?|training examples?|data records?": "sample",
    r"class labels?|target (?:values?|variables?)|response variables?": "class, or number to be predicted",
    r"training data|train sets?|training tables?": "training set",
    r"test data|testing sets?": "test set",
    r"hold-?outs?|hold-out samples?|unseen data": "held-out samples",
    r"split ?points?|cut ?points?|splitting points?|cut-?off values?": "cut, or threshold",
    r"leaf nodes?|terminal nodes?": "leaf",
    r"internal nodes?|decision nodes?|test nodes?|non-?terminal nodes?|interior nodes?": "inner node",
    r"root nodes?": "root",
    r"father nodes?|mother nodes?|daughter nodes?|successor nodes?": "child, or parent",
    r"Gini impurit(?:y|ies)|Gini value|Gini score": "Gini index",
    r"misclassification(?: rate| error)?s?|misclassified|0-1 loss": "classification error, or wrong",
    r"Shannon entropy": "entropy",
    r"entropy gain|info gain|information gain ratio": "information gain, or gain ratio",
    r"split info|splitting information|intrinsic information": "split information",
    r"nominal (?:features?|values?)": "categorical feature, category",
    r"numerical features?|continuous features?|real-valued features?": "numeric feature",
    r"complexity parameters?|penalty(?: term)?s?|complexity penalty": "price per leaf",
    r"hyper-?parameters?": "parameter",
    r"data-?sets?": "data set",
    r"cross validation|crossvalidation|k-fold": "cross-validation",
    r"postpruning|prepruning|early stopping": "post-pruning, pre-pruning",
    r"colours?|coloured|behaviours?|neighbours?|favours?|favourable|centres?|labelled|modelling|analyse[ds]?"
    r"|grey|optimis\w+|regularis\w+|generalis\w+|recognis\w+|summaris\w+": SPELLING,
}
# How a second word is explained: “(elsewhere: *word*, *other*)” or “elsewhere called *word*”, in italics.
WORD = r"\*[^*.;:()]{1,50}\*"
EXPLAINED = re.compile(rf"\(elsewhere:\s+{WORD}(?:,\s+{WORD})*\)|\belsewhere\s+called\s+{WORD}")
# In the glossary they stand after “Elsewhere”, and begin a line that leads to the entry.
IN_GLOSSARY = re.compile(r" Elsewhere: .+$|^\*[^*\n]+\*: see ", re.MULTILINE)
# The questions of others are in their words; the answers are in the book's.
ASKED = re.compile(r"^\*\*[^*\n]+\?\*\*", re.MULTILINE)
# What a sentence may say all the same, and why. A fragment that no page holds any longer must go.
EXCEPTIONS = {
    "attribute, value, class": "what the letters of AVC stand for",
}


def second_words(text: str) -> Iterator[str]:
    """Yield the second words of a text, each with the book's word and the sentence.

    Examples
    --------
    >>> list(second_words("Each leaf node is fine, for instance."))
    ['“leaf node”, say “leaf”: Each leaf node is fine, for instance.']
    >>> list(second_words("A leaf (elsewhere: *terminal node*, *leaf node*), elsewhere called *end node*."))
    []
    """
    plain = bare(EXPLAINED.sub(lambda m: " " * len(m[0]), text))
    for fragment in EXCEPTIONS:
        plain = re.sub(re.escape(fragment), lambda m: " " * len(m[0]), plain)
    for word, ours in SECOND.items():
        for m in re.finditer(rf"(?<![\w-])(?:{word})(?![\w-])", plain, re.IGNORECASE):
            yield f"“{m[0]}”, say “{ours}”: {sentence_at(text, m.start())}"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_no_second_word_for_the_same_thing(path: Path) -> None:
    text = markdown(path)
    if path.name == "glossary.md":
        text = IN_GLOSSARY.sub(lambda m: " " * len(m[0]), text)
    if path.name == "questions.md":
        text = ASKED.sub(lambda m: " " * len(m[0]), text)
    found = list(second_words(text))
    assert not found, "\n".join(found)


def glossary_names() -> set[str]:
    """Return the words that the glossary says others say, in lower case."""
    return {name.lower() for names in other_names().values() for name, _ in names}


def alternatives(pattern: str) -> list[str]:
    """Return the alternatives of a pattern that are not inside its brackets.

    Examples
    --------
    >>> alternatives("class labels?|target (?:values?|variables?)")
    ['class labels?', 'target (?:values?|variables?)']
    """
    return re.findall(r"(?:\((?:[^()]|\([^()]*\))*\)|[^|()])+", pattern)


@pytest.mark.parametrize(
    "word", [w for pattern, ours in SECOND.items() if ours != SPELLING for w in alternatives(pattern)]
)
def test_a_word_that_the_book_avoids_can_be_looked_up(word: str) -> None:
    assert [name for name in glossary_names() if re.fullmatch(word, name, re.IGNORECASE)] != []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_word_explained_in_a_chapter_stands_in_the_glossary(path: Path) -> None:
    said = [m[0] for m in EXPLAINED.finditer(markdown(path))]
    words = [" ".join(word.split()).lower() for text in said for word in re.findall(r"\*([^*]+)\*", text)]
    known = glossary_names()
    assert [word for word in words if not {word, word.removesuffix("s")} & known] == []


def test_exceptions_are_still_there() -> None:
    text = "\n".join(map(markdown, PAGES))
    assert [fragment for fragment in EXCEPTIONS if fragment not in text] == []


@pytest.mark.parametrize(
    "text", ["an attribute", "Leaf nodes", "a  split point", "the dataset", "the colour", "unseen\ndata"]
)
def test_second_words_are_found(text: str) -> None:
    assert len(list(second_words(" ".join(text.split())))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "a leaf (*terminal node*)",
        "a leaf (elsewhere: terminal node)",
        "a leaf (elsewhere: *end node*, terminal node)",
        "a leaf (elsewhere: *end node*) is a *terminal node*",
        "what is called *terminal node*",
        "elsewhere called a *terminal node*",
    ],
)
def test_second_words_are_explained_in_one_form_only(text: str) -> None:
    assert len(list(second_words(text))) == 1


@pytest.mark.parametrize("path", NUMBERED, ids=lambda path: path.stem)
def test_work_by_hand_stands_under_a_worked_example_and_is_checked_by_machine(path: Path) -> None:
    text = "\n\n".join(cell.source for cell in load(path).markdown)
    marks = re.findall(r"^#+ .+|\*\*By hand\b|\*\*By machine\b", text, re.MULTILINE)
    heading, by = "", []
    for mark in marks:
        if mark.startswith("#"):
            heading = mark.lstrip("# ")
        else:
            assert heading.startswith("Worked example: "), f"“{mark}” under “{heading}”"
            by.append(mark)
    assert by.count("**By hand") == by.count("**By machine")
