"""What the pages of Markdown count, add up and refer to, computed from the book's own files and tables."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from dtlib import CARTClassifier, ID3Classifier
from dtlib.datasets import load_loan, load_watermelon
from dtlib.measures import gini
from dtlib.prune import risk, weakest_links
from tests.book.arithmetic import wrong_equations
from tests.book.notebooks import NUMBERED, ROOT, load
from tests.book.test_structure import headings
from tests.claims.compared import disagreement, written
from tests.claims.forms import phrase_pattern
from tests.claims.references import book, references

PAGES = [*ROOT.glob("*.md"), *(ROOT / "reference").glob("*.md")]
READ = {page.name: page.read_text(encoding="utf-8") for page in PAGES}
TEACHERS = READ["teachers.md"]
LOST = ("not in the book", "the link leads", "without a name")

LECTURE = re.compile(r"^\| (\d+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
LINKED = re.compile(r"\[(\d+)\]\(\.\./chapters/(\d\d)_\w+\.ipynb\)")
EXERCISES = re.compile(r"\b[Ee]xercises? (\d+\.\d+(?:(?:, | and )\d+\.\d+)*)")
QUESTION = re.compile(r"^(\d+)\. ((?:.|\n {3,})+)", re.MULTILINE)
PLACE = re.compile(r"\(Chapter (\d+), ([^()]*(?:\([^()]*\)[^()]*)*)\)")

LOANS, MELONS, DENSE = load_loan(), load_watermelon(), load_watermelon("3.0")
LOAN_TREE = ID3Classifier().fit(LOANS.X, LOANS.y).tree_
MELON_TREE = CARTClassifier().fit(DENSE.X, DENSE.y).tree_


def classes(labels: Any) -> list[int]:
    """Return how many are no and how many are yes."""
    return [int((labels == name).sum()) for name in ("no", "yes")]


def lectures() -> dict[int, tuple[str, set[int]]]:
    """Return the title and the chapters of each lecture of the long plan, by its number."""
    return {
        int(m[1]): (m[2].strip(), {int(number) for number, _ in LINKED.findall(m[3])})
        for m in LECTURE.finditer(TEACHERS)
    }


def section(title: str) -> str:
    """Return the text below a heading of the page for teachers, down to the next heading."""
    return re.search(rf"^###? {title}.*\n((?:(?!##).*\n)*)", TEACHERS, re.MULTILINE)[1]


def short_plan() -> list[str]:
    """Return the lectures of the short plan."""
    return [m[2] for m in QUESTION.finditer(section("Four lectures"))]


def exercises(text: str) -> list[str]:
    """Return the numbers of the exercises that a text names."""
    found = EXERCISES.finditer(" ".join(text.split()))
    return [number for m in found for number in re.findall(r"\d+\.\d+", m[1])]


YOUNG, HOUSE = LOANS.X.age == "young", LOANS.X.owns_house == "yes"
ONE_QUESTION = (LOANS.X.has_job == "yes").sum()
DENSE_ENOUGH = DENSE.X.density > 0.3815
BY_GINI = [gini(classes(LOANS.y[part])) for part in (YOUNG, ~YOUNG)]
AGES = [count for age in ("young", "middle-aged", "old") for count in classes(LOANS.y[LOANS.X.age == age])]
NOTES = re.findall(r"@misc\{(note\d)", (ROOT / "reference" / "notes.bib").read_text(encoding="utf-8"))

# What a page says, and the values of its numbers in order.
SAID: dict[str, dict[str, list[float]]] = {
    "intro.md": {
        "that seventeen melons grow into": [len(MELONS.y)],
        "the five web notes": [len(NOTES)],
    },
    "teachers.md": {
        "one of fifteen lectures and one of four": [len(lectures()), len(short_plan())],
        "Each needs only the first twelve": [
            next(n for n, (_, known) in lectures().items() if 16 in known) - 1
        ],
        "The 15 loans": [len(LOANS.y)],
        "6 owners are done after one question, 9 after two": [HOUSE.sum(), (~HOUSE).sum()],
        r"$5 \cdot 1 + 10 \cdot 2 = 25$": [ONE_QUESTION, 1, 15 - ONE_QUESTION, 2, 30 - ONE_QUESTION],
        "3 no to 2 yes, 2 to 3 and 1 to 4, and the whole is 6 to 9": [*AGES, *classes(LOANS.y)],
        "The nine applicants without a house, 6 no and 3 yes": classes(LOANS.y[~HOUSE]),
        "the split information of touch, 12 and 5": [*MELONS.X.touch.value_counts()],
        "5 bad, 8 good": classes(DENSE.y[DENSE_ENOUGH]),
        "6 of 16 pairs differ": [gini([1, 3]) * 4**2, 4**2],
        r"$\frac{5}{15} \cdot \frac{12}{25} + \frac{10}{15} \cdot \frac{42}{100}": [
            *(x for part in zip([5 / 15, 10 / 15], BY_GINI, strict=True) for x in part)
        ],
        "seven ways": [2**4 / 2 - 1],
        "6, 3 and 0 errors with 1, 2 and 3 leaves": [*risk(LOAN_TREE)[:2], 0, 1, 2, LOAN_TREE.n_leaves],
        r"$\frac84, \frac21, \frac12, \frac11$": [*weakest_links(MELON_TREE)["g"]],
        r"$\sqrt{100 \cdot \frac15 \cdot \frac45} = 4$": [100, 1 / 5, 4 / 5, (100 * 0.2 * 0.8) ** 0.5],
        r"\frac{3}{40}": [(1 - 1 / 4) / 10],
    },
}


@pytest.mark.parametrize(("page", "phrase"), [(page, phrase) for page in SAID for phrase in SAID[page]])
def test_a_page_says_what_comes_out(page: str, phrase: str) -> None:
    assert len(phrase_pattern(phrase).findall(READ[page])) == 1
    assert disagreement(phrase, [float(value) for value in SAID[page][phrase]]) is None


def test_every_chapter_has_the_exercises_of_the_week() -> None:
    assert min(len(load(path).exercises) for path in NUMBERED) >= 3


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_references_and_equations_of_a_page_hold(page: Path) -> None:
    text = READ[page.name]
    found = references(text, book())
    assert [entry for entry in found if any(words in entry for words in LOST)] == []
    assert wrong_equations(text) == []


def test_a_wrong_sum_of_the_page_for_teachers_is_seen() -> None:
    right = r"$6 \cdot 1 + 9 \cdot 2 = 24$"
    assert right in TEACHERS
    assert wrong_equations(TEACHERS.replace(right, right.replace("24", "25"))) != []


def test_the_lectures_are_those_of_the_table() -> None:
    found = lectures()
    assert [*found] == [*range(1, len(found) + 1)]
    plans = re.findall(r"^## (\w+) lectures$", TEACHERS, re.MULTILINE)
    assert [number.size for plan in plans for number in written(plan)] == [len(found), len(short_plan())]
    heads = re.findall(r"^### Lecture (\d+): (.*)$", TEACHERS, re.MULTILINE)
    assert [(int(number), title.lower()) for number, title in heads] == [
        (number, title.lower()) for number, (title, _) in found.items()
    ]
    assert [(number, file) for number, file in LINKED.findall(TEACHERS) if int(number) != int(file)] == []


@pytest.mark.parametrize("number", [*lectures()])
def test_the_exercises_of_a_lecture_are_of_its_chapters(number: int) -> None:
    named = exercises(section(f"Lecture {number}:"))
    assert len(named) >= 4
    assert {int(exercise.split(".")[0]) for exercise in named} <= lectures()[number][1]
    assert [exercise for exercise in named if exercise not in book().exercises] == []


def test_the_exercises_of_a_further_lecture_are_of_its_chapter() -> None:
    further = re.findall(r"^### [^\n]*\(\[(\d+)\]\([^)]+\)\)\n((?:(?!##).*\n)*)", TEACHERS, re.MULTILINE)
    assert len(further) == 3
    for chapter, text in further:
        assert {number.split(".")[0] for number in exercises(text)} == {chapter}


def test_a_project_is_one() -> None:
    projects = exercises(" ".join(re.findall(r"\*\*Project\.\*\*([^*]+?)\.\n", TEACHERS)))
    assert len(projects) >= len(lectures())
    assert [number for number in projects if "roject" not in book().exercises[number]] == []


def test_the_short_plan_takes_exercises_of_the_chapters_it_names() -> None:
    for lecture in short_plan():
        words = " ".join(lecture.split())
        named = " ".join(re.findall(r"chapters? (\d+(?: and \d+)?)", words))
        assert exercises(words)
        assert {number.split(".")[0] for number in exercises(words)} <= {*re.findall(r"\d+", named)}


EXAM = QUESTION.findall(section("Questions for an exam"))


def test_the_questions_of_the_exam_are_numbered() -> None:
    assert [int(number) for number, _ in EXAM] == [*range(1, len(EXAM) + 1)]
    assert len(EXAM) > 20


@pytest.mark.parametrize(("number", "text"), EXAM, ids=[number for number, _ in EXAM])
def test_the_answer_of_a_question_is_where_it_says(number: str, text: str) -> None:
    words = " ".join(text.split())
    solutions, places = re.findall(r"Solution (\d+\.\d+)", words), PLACE.findall(words)
    assert solutions or places
    assert [solution for solution in solutions if solution not in book().exercises] == []
    for chapter, where in places:
        notebook = load(NUMBERED[int(chapter) - 1])
        heads = headings("\n\n".join(cell.source for cell in notebook.markdown))
        assert [name for name in re.findall(r"\*([^*]+)\*", where) if name not in heads] == []
        assert [tag for tag in re.findall(r"\((\d+\.\d+)\)", where) if tag not in notebook.tags] == []
