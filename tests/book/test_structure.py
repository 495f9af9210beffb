"""What a chapter must have, and what a comparison of outputs alone would let through.

nbval compares only cells that were executed: an emptied notebook passes it, a wrong count too. Not here.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
import yaml
from glossary_terms import terms

from tests.book.notebooks import (
    CHAPTERS,
    EXERCISE,
    FIRST,
    NUMBERED,
    ROOT,
    SOLUTION,
    SVG,
    Cell,
    Notebook,
    joined,
    load,
    without_code,
)
from tests.claims.forms import ANSWER, KEYS, QUESTION
from tools.read_site.source import listed

KERNEL = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
SECTIONS = (
    "What you will be able to do",
    "What can go wrong",
    "Summary",
    "Exercises",
    "Where the idea comes from",
)
RAW_MYST = re.compile(r"\{[\w:-]+\}`|^\s*:::|^\s*(?:```|~~~)\{|^\([\w-]+\)=|^\+\+\+|^%", re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")
MAX_LINES, MAX_BYTES, MIN_EXERCISES = 12, 1_000_000, 5
# Formulas that stand in another chapter than their number says, and why: a number that was given stays.
each_notebook = pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
each_chapter = pytest.mark.parametrize("path", NUMBERED, ids=lambda path: path.stem)


def results(notebook: Notebook) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the id of the cell and the data of every result."""
    for cell in notebook.code:
        for output in cell.outputs:
            if "data" in output:
                yield cell.id, output["data"]


def slug(heading: str) -> str:
    """Return the anchor of a heading.

    Examples
    --------
    >>> slug("What is `H(D)`, really?")
    'what-is-hd-really'
    """
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def headings(text: str) -> list[str]:
    """List the headings of a markdown text."""
    return re.findall(r"^#+ +(.+?)\s*$", text, re.MULTILINE)


def markdown(path: Path) -> str:
    """Return the markdown of a notebook or page."""
    if path.suffix == ".ipynb":
        return "\n\n".join(cell.source for cell in load(path).markdown)
    return path.read_text(encoding="utf-8")


def code_lines(source: str) -> int:
    """Count the lines that are neither empty nor a comment; imports from one package are one line."""
    lines = [line for line in source.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    imported = [m[1] for line in lines if (m := re.match(r"from (\w+)[\w.]* import ", line))]
    return len(lines) - len(imported) + len(set(imported))


def toc() -> list[str]:
    """List the files that the table of contents names."""
    content = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    return [name for name, _ in listed(content)]


def test_table_of_contents_lists_every_notebook_and_no_other() -> None:
    notebooks = [file for file in toc() if file.startswith("chapters/")]
    there = [path.relative_to(ROOT).with_suffix("").as_posix() for path in CHAPTERS]
    assert sorted(notebooks) == there
    numbered = [file for file in notebooks if re.match(r"chapters/\d\d_", file)]
    assert [int(file[9:11]) for file in numbered] == list(range(1, len(numbered) + 1))
    assert len(numbered) >= 4


def test_every_page_of_the_table_of_contents_exists() -> None:
    assert [file for file in toc() if not any(ROOT.glob(f"{file}.*"))] == []


def test_bibliography_keys_are_unique() -> None:
    keys = bibliography_keys()
    assert keys
    assert len(keys) == len(set(keys))


def bibliography_keys() -> list[str]:
    """List the keys of the bibliography."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "reference").glob("*.bib"))
    return re.findall(r"^@\w+\{\s*([\w:-]+)\s*,", text, re.MULTILINE)


@each_notebook
def test_file_is_a_valid_small_notebook(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    nbformat.validate(nbformat.reads(text, as_version=nbformat.NO_CONVERT))
    assert len(text.encode()) < MAX_BYTES
    assert text.endswith("}\n")


@each_notebook
def test_cells_were_executed_in_order(path: Path) -> None:
    cells = load(path).code
    assert cells, "there is no code cell"
    astray = [cell.id for place, cell in enumerate(cells, 1) if cell.count != place]
    assert not astray, (
        f"not run, or not in order: {astray}; make outputs ARGS={path.relative_to(ROOT)} runs all"
    )


@each_notebook
def test_outputs_carry_the_count_of_their_cell(path: Path) -> None:
    stored = [(cell, output.get("execution_count")) for cell in load(path).code for output in cell.outputs]
    assert [cell.id for cell, count in stored if count not in (None, cell.count)] == []


@each_notebook
def test_nothing_failed_and_nothing_warned(path: Path) -> None:
    outputs = [(cell.id, output) for cell in load(path).code for output in cell.outputs]
    assert [i for i, output in outputs if output["output_type"] == "error"] == []
    assert [i for i, output in outputs if output.get("name") == "stderr"] == []


@each_notebook
def test_no_output_is_ignored_or_skipped(path: Path) -> None:
    spared = re.compile(r"nbval|skip-execution|raises-exception|ignore_output", re.IGNORECASE)
    assert [cell.id for cell in load(path).code if spared.search(" ".join([*cell.tags, cell.source]))] == []


@each_notebook
def test_cells_that_end_in_an_expression_show_something(path: Path) -> None:
    silent = [cell.id for cell in load(path).code if not cell.outputs and ends_in_expression(cell.source)]
    assert silent == []


def ends_in_expression(source: str) -> bool:
    """Tell whether a cell shows its last line.

    Examples
    --------
    >>> ends_in_expression("x = 1\\nx"), ends_in_expression("x = 1"), ends_in_expression("x;")
    (True, False, False)
    """
    body = ast.parse(source).body
    return bool(body) and isinstance(body[-1], ast.Expr) and not source.rstrip().endswith(";")


@each_notebook
def test_metadata_name_the_kernel_and_nothing_that_changes(path: Path) -> None:
    notebook = load(path)
    assert notebook.metadata["kernelspec"] == KERNEL
    # JupyterLab adds language_info to whatever it saves; `make outputs` drops it.
    assert set(notebook.metadata) <= {"kernelspec", "language_info", "colab", "unit"}
    allowed = {"tags", "jp-MarkdownHeadingCollapsed", "id", "jupyter", "graded", *KEYS}
    cells = [cell for cell in notebook.cells if cell.id != FIRST]
    assert [(cell.id, key) for cell in cells for key in cell.metadata if key not in allowed] == []


@each_notebook
def test_colab_is_told_which_headings_to_fold(path: Path) -> None:
    """Colab knows a cell by an id in its metadata, and lists those that are folded."""
    notebook = load(path)
    folded = [cell for cell in notebook.cells if cell.metadata.get("jp-MarkdownHeadingCollapsed")]
    assert notebook.metadata.get("colab", {"collapsed_sections": []}) == {
        "collapsed_sections": [cell.id for cell in folded]
    }
    assert {cell.id: cell.metadata["id"] for cell in notebook.cells if "id" in cell.metadata} == {
        cell.id: cell.id for cell in folded
    }


@each_notebook
def test_cells_are_full_small_and_have_ids(path: Path) -> None:
    cells = load(path).cells
    ids = [cell.id for cell in cells]
    assert all(ids)
    assert len(ids) == len(set(ids))
    assert [cell.id for cell in cells if not cell.source.strip()] == []
    code = [cell for cell in load(path).code if cell.id != FIRST]
    assert [cell.id for cell in code if not 1 <= code_lines(cell.source) <= MAX_LINES] == []
    assert [cell.id for cell in cells if cell.kind not in ("code", "markdown")] == []


@each_notebook
def test_pictures_say_what_they_show(path: Path) -> None:
    pictures = [(cell, data) for cell, data in results(load(path)) if SVG in data]
    assert [(cell, fault) for cell, data in pictures for fault in picture_faults(data)] == []


def picture_faults(data: dict[str, Any]) -> list[str]:
    """List what a picture lacks for a reader who cannot see it, or for a test that reads it."""
    svg, plain = joined(data[SVG]), joined(data.get("text/plain", ""))
    head = re.match(r"[^<]*(?:<\?xml[^>]*>\s*)?<svg\b([^>]*)>", svg)
    attributes = head[1] if head else ""
    inside = r"(?s)<{0}\b[^>]*>\s*(\S.*?)\s*</{0}>"
    parts = {part: re.search(inside.format(part), svg) for part in ("title", "desc")}
    faults = [f"no <{part}>" for part, found in parts.items() if not found]
    faults += ["no role=img"] * ('role="img"' not in attributes)
    faults += ["no alt text in aria-label"] * (not re.search(r'aria-label="[^"]*\w', attributes))
    faults += ["no data in text/plain"] * (not re.search(r"\d", plain))
    if plain.startswith("Picture: ") and all(parts.values()):
        said = html_words(f"Picture: {parts['title'][1]}. {parts['desc'][1]}")
        faults += ["text/plain tells of another picture"] * (html_words(plain) != said)
    return faults


def html_words(text: str) -> list[str]:
    """Return the words of a text, quotes and entities made equal."""
    for entity, character in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&#39;", "'"), ("&amp;", "&")):
        text = text.replace(entity, character)
    return text.split()


@each_notebook
def test_outputs_are_the_same_everywhere(path: Path) -> None:
    outputs = [(cell.id, repr(output)) for cell in load(path).code for output in cell.outputs]
    assert [i for i, text in outputs if "image/png" in text or "image/jpeg" in text] == []
    assert [i for i, text in outputs if re.search(r"\b0x[0-9a-f]{5,}", text)] == []
    local = re.compile(r"ipykernel_\d+|/(?:home|tmp|Users)/|\bT_[0-9a-f]{5}\b")
    assert [i for i, text in outputs if local.search(text)] == []


@each_notebook
def test_markdown_is_plain(path: Path) -> None:
    cells = [(cell.id, without_code_spans(cell.source)) for cell in load(path).markdown]
    assert [(i, m[0]) for i, text in cells if (m := RAW_MYST.search(text))] == []
    assert [i for i, text in cells if re.search(r"!\[\s*\]\(|<img\b(?![^>]*\balt=\"[^\"]+)", text)] == []


def without_code_spans(text: str) -> str:
    """Drop code spans and fenced blocks, but not roles and directives, which look like them.

    Examples
    --------
    >>> without_code_spans("`{a}` and {doc}`b`")
    ' and {doc}`b`'
    """
    return re.sub(r"(?<!\})`[^`\n]+`|^```(?!\{).*?^```", "", text, flags=re.DOTALL | re.MULTILINE)


@each_notebook
def test_no_two_headings_of_a_page_share_an_anchor(path: Path) -> None:
    anchors = [slug(heading) for heading in headings(markdown(path))]
    assert len(anchors) == len(set(anchors))


@each_notebook
def test_links_lead_somewhere(path: Path) -> None:
    targets = LINK.findall(without_code(markdown(path)))
    assert [target for target in targets if not leads_somewhere(path, target)] == []


def leads_somewhere(path: Path, target: str) -> bool:
    """Tell whether a link leads to a file, heading or bibliography key; links to the outside are believed."""
    if target.startswith(("https://", "mailto:")):
        return True
    file, _, anchor = target.partition("#")
    there = (path.parent / file).resolve() if file else path
    if not there.is_file() or not there.is_relative_to(ROOT):
        return False
    if there.name == "bibliography.md":
        return not anchor or anchor in bibliography_keys()
    if anchor.startswith("term-") and there.name == "glossary.md":
        return anchor in (term.anchor for term in terms().values())
    return not anchor or anchor in map(slug, headings(markdown(there)))


@each_chapter
def test_chapter_has_its_sections(path: Path) -> None:
    cells = load(path).markdown
    assert re.match(r"# \S", cells[0].source)
    found = headings(markdown(path))
    positions = [found.index(section) for section in SECTIONS if section in found]
    assert [section for section in SECTIONS if section not in found] == []
    assert positions == sorted(positions)
    assert sum(len(re.findall(r"^# ", without_code(cell.source), re.MULTILINE)) for cell in cells) == 1


@each_chapter
def test_equations_are_numbered_in_order(path: Path) -> None:
    notebook = load(path)
    assert notebook.tags == [f"{notebook.number}.{k}" for k in range(1, len(notebook.tags) + 1)]
    assert notebook.tags


@each_chapter
def test_exercises_are_numbered_in_order_and_solved_by_running_code(path: Path) -> None:
    notebook = load(path)
    cells = notebook.cells
    starts = [i for i, cell in enumerate(cells) if "exercise" in cell.tags]
    assert len(starts) >= MIN_EXERCISES
    assert notebook.exercises == [f"{notebook.number}.{k}" for k in range(1, len(starts) + 1)]
    assert [cells[i].id for i in starts if not EXERCISE.match(cells[i].source)] == []
    assert [fault for i in starts for fault in solution_faults(cells, i)] == []


@each_chapter
def test_quiz_answers_each_choice_and_one_is_right(path: Path) -> None:
    quiz = "\n\n".join(cell.source for cell in load(path).cells if "quiz" in cell.tags)
    assert quiz.startswith("## Check yourself\n")
    found = headings(markdown(path))
    assert found.index("Summary") < found.index("Check yourself") < found.index("Exercises")
    assert quiz_faults(quiz) == []


def quiz_faults(quiz: str) -> list[str]:
    """List what is wrong with a quiz: three to six questions, each with choices of which one is right.

    Examples
    --------
    >>> quiz_faults("**1.** Really?\\n\\n<details><summary>☐ Yes.</summary>\\n\\nRight.\\n\\n</details>")
    ['1 questions', 'question 1 has 1 choices']
    """
    numbers, parts = QUESTION.findall(quiz), QUESTION.split(quiz)[2::2]
    faults = [] if 3 <= len(numbers) <= 6 else [f"{len(numbers)} questions"]
    faults += [f"question {k} is called {n}" for k, n in enumerate(numbers, 1) if n != str(k)]
    for number, part in zip(numbers, parts, strict=True):
        said = [feedback.split(maxsplit=1)[0].rstrip(".,:") for _, feedback in ANSWER.findall(part)]
        # a formula inside a tag is shown as it is typed
        faults += [
            f"question {number} has a formula in {choice!r}"
            for choice, _ in ANSWER.findall(part)
            if "$" in choice
        ]
        if not 3 <= len(said) <= 5 or part.count("<details>") != len(said):
            faults.append(f"question {number} has {len(said)} choices")
        elif sorted(said) != ["No"] * (len(said) - 1) + ["Right"]:
            faults.append(f"question {number} has the answers {said}")
    return faults


def solution_faults(cells: tuple[Cell, ...], start: int) -> list[str]:
    """List what is wrong with the solution that follows an exercise."""
    number = ".".join(EXERCISE.match(cells[start].source).groups())
    solution = []
    for cell in cells[start + 1 :]:
        if "solution" not in cell.tags or (solution and SOLUTION.match(first_line(cell))):
            break
        solution.append(cell)
    if not solution or first_line(solution[0]) != f"#### Solution {number}":
        return [f"exercise {number} is not followed by its solution"]
    faults = []
    if solution[0].source.strip() != f"#### Solution {number}":
        faults.append(f"solution {number} has text in the cell of its heading, which a fold does not hide")
    if not solution[0].metadata.get("jp-MarkdownHeadingCollapsed"):
        faults.append(f"solution {number} is not collapsed")
    if any(re.match(r"#{1,4} ", cell.source) for cell in solution[1:]):
        faults.append(f"solution {number} has a heading that ends the fold")
    if not any(cell.kind == "code" and cell.count and cell.outputs for cell in solution):
        faults.append(f"solution {number} shows no result of a cell")
    return faults


def first_line(cell: Cell) -> str:
    """Return the first line of a cell."""
    return cell.source.split("\n", 1)[0].rstrip()


@each_chapter
def test_every_solution_belongs_to_an_exercise(path: Path) -> None:
    notebook = load(path)
    solved = [".".join(m.groups()) for cell in notebook.cells if (m := SOLUTION.match(first_line(cell)))]
    assert solved == notebook.exercises
