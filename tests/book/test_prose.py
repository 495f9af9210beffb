"""No number in the prose that no cell makes. First the checker is put to the test, then the book."""

import re
from pathlib import Path

import pytest

from tests.book.arithmetic import Side, equations, holds, unreadable, wrong_equations
from tests.book.formulas.tokens import tokens
from tests.book.notebooks import CHAPTERS, ROOT, Cell, Notebook, load
from tests.book.prose import CODE, NUMBER, Shown, blank, chapter_faults, faults, numbers, prose_of
from tests.faults.mutate_tex import mutants

PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("reference/*.md")])
VERSION = re.compile(r"(?i:python|version|node)\s*(?:>=|≥)?\s*\d+\.\d+(?:,? (?:to|and) \d+\.\d+)?")
SECTION = re.compile(r"\[[^\]]+\]\([^)\s]+#[^)\s]+\)")  # the title of a section is that section's


def stored(*outputs: str | dict) -> Notebook:
    """Return a notebook with one code cell per output: a text is printed, a dict is the data of a result."""
    cells = [
        {"output_type": "stream", "name": "stdout", "text": output}
        if isinstance(output, str)
        else {"output_type": "execute_result", "data": output}
        for output in outputs
    ]
    code = [Cell(f"c{i}", "code", "f(0.25)", {}, i, (output,)) for i, output in enumerate(cells, 1)]
    return Notebook(Path("synthetic.ipynb"), {}, tuple(code))


def written(markdown: str, *outputs: str | dict) -> list[str]:
    """Return what the checker says about a markdown cell beside cells with these outputs."""
    notebook = stored(*outputs)
    prose = Cell("m", "markdown", markdown, {})
    return chapter_faults(Notebook(notebook.path, {}, (*notebook.cells, prose)), tags=["2.1"])


@pytest.mark.parametrize(
    "markdown",
    [
        "The entropy is 0.940 bits.",
        "The entropy is **0.94** bits, and $H(D) = 0.9403$.",
        "$$\nH = -\\frac{9}{14}\\log_2\\frac{9}{14} - \\tfrac5{14}\\log_20.357 \\approx0.940 \\tag{2.1}\n$$",
        "| age | H |\n|---|---|\n| young | 0.940 |",
        "## How 0.940 comes about",
        "The share is 64.3 %, that is 9/14 of the 14 days.",
        "Its code is `0.940`, typed as `f(0.25)`.",
        "See (2.1), equation (2.1), [chapter 13](12_x-0.77.ipynb#a-0.5) and exercises 2.1, 2.2 and 11.3.",
        'C4.5 of 1993, ID3 of 1986 (page 81), theorem 4.5, data set 2.0, `version="2.0"`, release 1.0.4.',
        "Seven melons, 8 features, $x_{10}$, $2^3$, 1/1.",
    ],
)
def test_accepts_what_the_cells_show(markdown: str) -> None:
    assert written(markdown, "H = 0.94028595\nno 5, yes 9 of 14; 1 3.1", "share 0.643; 5/14 = 0.357") == []


@pytest.mark.parametrize(
    ("markdown", "number"),
    [
        ("The entropy is 0.941 bits.", "0.941"),
        ("The entropy is 0.9402 bits.", "0.9402"),
        ("The entropy is 0.9402859500001 bits.", "0.9402859500001"),
        ("$H(D) \\approx0.941$", "0.941"),
        ("$$\\log_20.941 \\tag{2.1}$$", "0.941"),
        ("| young | 0.941 |", "0.941"),
        ("### Why 0.941", "0.941"),
        ("[0.941](x.md)", "0.941"),
        ("Printed: `H = 0.941`.", "0.941"),
        ("```\nH = 0.941\n```", "0.941"),
        ("A share of 64.4 %.", "64.4 %"),
        ("A share of 63\\% here.", "63\\%"),
        ("On 9/15 of the days.", "9/15"),
        ("On $\\tfrac{8}{14}$ of the days.", "\\tfrac{8}{14}"),
        ("On $\\frac7{14}$ of the days.", "14"),
        ("There are 15 days.", "15"),
        ("The 15th day.", "15"),
        ("There are 1,014 days.", "1,014"),
        ("See (2.2).", "2.2"),
        ("0.941bits", "0.941"),
        ("It takes 1e-9 bits.", "1e-9"),
        ("It takes 2.0 bits.", "2.0"),
    ],
)
def test_refuses_what_no_cell_shows(markdown: str, number: str) -> None:
    found = written(markdown, "H = 0.94028595 bit\nyes 9\n", "14.5, share 0.643\n")
    assert len(found) == 1, found
    assert f"{number} in “" in found[0]


def test_fault_names_chapter_cell_sentence_and_nearest_number() -> None:
    (fault,) = written("First. The entropy is 0.941 bits. Last.", "0.5 and 0.940")
    expected = "0.941 in “The entropy is 0.941 bits.”; the nearest number among the outputs is 0.940"
    assert fault == f"synthetic.ipynb, cell m: {expected}"


def test_only_text_counts_as_shown() -> None:
    svg = {"image/svg+xml": '<svg><text x="0.941">0.941</text></svg>', "text/plain": "Picture: H is 0.94."}
    assert written("It is 0.94.", svg) == []
    assert len(written("It is 0.941.", svg)) == 1
    table = {"text/html": "<style>.a {width: 0.941em}</style><table><td>0.25</td></table>"}
    assert written("It is 0.25.", table) == []
    assert len(written("It is 0.941.", table)) == 1


def test_fraction_needs_both_numbers_in_one_line_or_its_value() -> None:
    assert written("$\\frac{9}{14}$", "9 of 14") == []
    assert len(written("$\\frac{9}{14}$", "9\n14")) == 1
    assert written("9/14", "0.643") == []
    assert len(written("9/14", "9", "14")) == 1
    assert len(written("9/14", "0.6")) == 1


def test_all_numbers_are_found() -> None:
    found = numbers("a 0.5, (12) -3.25; 1,000 x1 1.2.3 7e-2")
    assert sorted(map(str, found)) == ["0.07", "0.5", "1000", "12", "3.25"]
    assert faults("0.5", Shown()) == ["0.5 in “0.5”; the nearest number among the outputs is None"]


@pytest.fixture(scope="module")
def book_tags() -> list[str]:
    return [tag for path in CHAPTERS for tag in load(path).tags]


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_every_number_of_the_prose_is_made_by_a_cell(path: Path, book_tags: list[str]) -> None:
    assert not (found := chapter_faults(load(path), book_tags)), "\n".join(found)


ROWS = r"""$$ \begin{aligned}
H(D) &= -\tfrac{N}{15} \log_2 \tfrac{9}{15} \\
     &\quad {} - \tfrac6{15} \log_2 0.4 = 0.971 \tag{2.1}
\end{aligned} $$"""


@pytest.mark.parametrize(
    "equation",
    [
        "$0.971 - 0.888 = 0.083$",
        ROWS.replace("N", "9"),
        "$g(D, A) = \\frac{5}{15} \\cdot 0.971 = 0.324 \\text{ bits}, \\quad 2^3 = H(D) = 8$",
    ],
)
def test_equations_that_hold(equation: str) -> None:
    assert wrong_equations(equation) == []


@pytest.mark.parametrize(
    "equation",
    [
        "$0.971 - 0.988 = 0.083$",
        ROWS.replace("N", "8"),
        "$g(D, A) = \\frac{4}{15} \\cdot 0.971 = 0.324 \\text{ bits}$",
        "$\\ln 2 = 0.694$",
        "$3 \\cdot 4 = H(D) = 13$",
        "$2^3 = 9$",
        "$\\sqrt{20 \\cdot 0.8} = 5$",
        "$-0.3 \\cdot 0.481 + 0.149 = 0.0047 > 0.005$",
        "$27.632 - 3.359 = 24.274$",
    ],
)
def test_equations_that_do_not_hold(equation: str) -> None:
    assert len(wrong_equations(equation)) == 1


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_every_equation_between_numbers_holds(path: Path) -> None:
    assert [(cell.id, wrong) for cell in load(path).markdown for wrong in wrong_equations(cell.source)] == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_equation_of_a_page_holds(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert wrong_equations(text) == []
    assert unreadable(text) == []


def test_every_equation_between_numbers_can_be_read() -> None:
    """But the one that quotes a slip, and leaves out what is right."""
    found = [side for path in CHAPTERS for cell in load(path).markdown for side in unreadable(cell.source)]
    assert found == ["0.988 - (\\dots)"]


def test_a_digit_of_a_result_that_is_typed_wrong_is_noticed() -> None:
    """By one, up or down, in every result of every chapter; after ≈ the last digit may be off."""
    texts = [cell.source for path in CHAPTERS for cell in load(path).markdown]
    results = [(a, b) for text in texts for a, b in equations(text) if b.alone and b.relation == "="]
    assert len(results) > 100
    for a, b in results:
        for kind, text in mutants(b.text):
            if kind == "digit changed":
                assert not holds(a, Side("=", text, tuple(tokens(text)))), f"{a.text} = {text}"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_pages_without_cells_show_no_decimals(path: Path) -> None:
    tags = {tag for notebook in CHAPTERS for tag in load(notebook).tags}
    text = blank(prose_of(blank(path.read_text(encoding="utf-8"), [SECTION]), tags), [CODE, VERSION])
    assert [m[0] for m in NUMBER.finditer(text) if "." in m[0]] == []
