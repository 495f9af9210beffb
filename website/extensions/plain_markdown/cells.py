"""Reading: the cells of a notebook, whose conventions become directives and roles.

- A cell tagged ``exercise``, ``### Exercise 2.1: A title``: a numbered exercise (sphinx-exercise).
- Cells tagged ``solution``, ``#### Solution 2.1``: its solution, folded, with all its cells and outputs.
- A cell tagged ``quiz``: questions whose choices know whether they are right.
- A cell tagged ``guess``, ``**Guess first.** A question?``: a field for a number, or choices (`guesses`).
- A cell tagged ``caption``, ``**Figure 2.1.** Words.``: the caption of the picture above it.
- A cell tagged ``aside``, ``### A proof``: its section is folded (`asides`).
- A cell tagged ``opening``, ``**In short.** Words. Figure 2.1 shows it.``: how a chapter begins (`openings`).
- A cell tagged ``story``, ``### Step by step``: its pictures stay beside the words about them (`stories`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import groupby
from typing import TYPE_CHECKING

from plain_markdown import mistakes, stories
from plain_markdown.asides import marked
from plain_markdown.citations import cited
from plain_markdown.guesses import guess
from plain_markdown.log import warn
from plain_markdown.openings import in_short

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

Complain = Callable[[dict, str], None]  # of a cell, and what is wrong with it

EXERCISE = re.compile(r"###\s+Exercise\s+(?P<number>\d+\.\d+):\s*(?P<title>.+)")
SOLUTION = re.compile(r"####\s+Solution\s+(?P<number>\d+\.\d+)\s*$", re.MULTILINE)
CAPTION = re.compile(r"\*\*Figure (?P<number>\d+\.\d+)\.\*\* ")
QUESTION = re.compile(r"(?m)^(?=\*\*\d+\.\*\* )")
CHOICE = re.compile(r"<details><summary>☐ (?P<choice>.+?)</summary>\s+(?P<verdict>Right|No)\b")


def label(number: str) -> str:
    """Anchor of an exercise.

    >>> label("2.1")
    'exercise-2-1'
    """
    return "exercise-" + number.replace(".", "-")


def exercise(text: str) -> str:
    """Turn an exercise in plain Markdown into the directive of sphinx-exercise."""
    match, body = opening(EXERCISE, text, "### Exercise 2.1: A title")
    head = f"{{exercise}} {match['title'].strip()}\n:label: {label(match['number'])}"
    return fenced(head, body)


def solution_start(text: str) -> str:
    """Turn the first cell of a solution into the opening gate, followed by the rest of the cell."""
    match, body = opening(SOLUTION, text, "#### Solution 2.1")
    gate = f"```{{solution-start}} {label(match['number'])}\n:class: dropdown\n```"
    return f"{gate}\n\n{body}"


def caption(text: str) -> str:
    """Turn a caption in plain Markdown into a directive.

    >>> print(caption("**Figure 2.1.** Heads, and tails."))
    ```{caption} 2.1
    <BLANKLINE>
    Heads, and tails.
    ```
    """
    match = CAPTION.match(text.strip())
    if match is None:
        raise ValueError(f"the caption starts with {text[:30]!r}, expected '**Figure 1.1.** What one sees.'")
    return fenced(f"{{caption}} {match['number']}", text.strip()[match.end() :])


def quiz(text: str) -> str:
    """Frame the questions of a quiz, and say of each choice whether it is right.

    >>> print(quiz("**1.** Is it?\\n\\n<details><summary>☐ Yes.</summary>\\n\\nRight.\\n\\n</details>"))
    <div class="question">
    <BLANKLINE>
    **1.** Is it?
    <BLANKLINE>
    <details class="choice right"><summary>Yes.</summary>
    <BLANKLINE>
    Right.
    <BLANKLINE>
    </details>
    <BLANKLINE>
    </div>
    """
    head, *questions = QUESTION.split(text)
    framed = (f'<div class="question">\n\n{question.strip()}\n\n</div>\n\n' for question in questions)
    return CHOICE.sub(choice, head + "".join(framed)).strip()


def choice(match: re.Match[str]) -> str:
    """Return the opening of a choice that knows whether it is right."""
    kind = "right" if match["verdict"] == "Right" else "wrong"
    return f'<details class="choice {kind}"><summary>{match["choice"]}</summary>\n\n{match["verdict"]}'


def framed_guess(cell: dict) -> str:
    """Frame a guess; its choices, if it has some, know whether they are right."""
    return CHOICE.sub(choice, guess(source(cell), cell["metadata"].get("guess")))


def opening(pattern: re.Pattern[str], text: str, wanted: str) -> tuple[re.Match[str], str]:
    """Split a cell into its first line, which must match, and the rest."""
    first, _, body = text.strip().partition("\n")
    match = pattern.match(first)
    if match is None:
        raise ValueError(f"the cell starts with {first!r}, expected a line like {wanted!r}")
    return match, body.strip()


def fenced(head: str, body: str) -> str:
    """Return a directive: its first line and its body, in a fence longer than any inside the body."""
    longest = max((len(run) for run in re.findall(r"`+", body)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{head}\n\n{body}\n{fence}"


def cells_for_sphinx(cells: list[dict], complain: Complain) -> Iterator[dict]:
    """Yield the cells of a notebook with its conventions turned into directives and roles.

    A cell that breaks a convention is complained of, and the others are turned all the same.
    """
    known = [exercise_number(cell) for cell in cells if "exercise" in tags(cell)]
    for group in with_solutions_whole(cells):
        head = group[0]
        for cell in group:
            for mistake in mistakes.of_tags(cell["cell_type"], tags(cell)):
                complain(cell, mistake)
            if "guess" in cell["metadata"] and "guess" not in tags(cell):
                complain(cell, "the cell has the metadata `guess`, and not the tag `guess`")
        if "solution" not in tags(head):
            yield plain_cell(head, complain)
        elif is_solution_of(head, known, complain):
            yield head | {"source": cited(solution_start(source(head)))}
            yield from (plain_cell(cell, complain) for cell in group[1:])
            yield solution_end(head["id"])
        else:
            yield from (plain_cell(cell, complain) for cell in (without_heading(head), *group[1:]))


def with_solutions_whole(cells: list[dict]) -> Iterator[list[dict]]:
    """Yield the cells one by one, but those of a solution together: it ends where the next begins."""
    for is_solution, group in groupby(cells, lambda cell: "solution" in tags(cell)):
        whole: list[dict] = []
        for cell in group:
            if whole and (not is_solution or SOLUTION.match(source(cell))):
                yield whole
                whole = []
            whole.append(cell)
        yield whole


def exercise_number(cell: dict) -> str | None:
    """Return the number of an exercise, or None if the cell does not begin as it should."""
    match = EXERCISE.match(source(cell).strip())
    return match["number"] if match else None


def is_solution_of(head: dict, known: list[str | None], complain: Complain) -> bool:
    """Tell whether a solution begins as it should, with the number of an exercise of its chapter."""
    try:
        match, _ = opening(SOLUTION, source(head), "#### Solution 2.1")
    except ValueError as error:
        complain(head, str(error))
        return False
    numbers = [number for number in known if number]
    if match["number"] not in numbers and numbers == known:  # else the exercise has been complained of
        there = ", ".join(numbers) or "none"
        complain(head, f"no exercise {match['number']} in this chapter; it has {there}")
    return match["number"] in numbers


def without_heading(cell: dict) -> dict:
    """Return a cell whose first line is no heading, so that the headings of the page stay in order."""
    return cell | {"source": source(cell).lstrip("# ")} if cell["cell_type"] == "markdown" else cell


def solution_end(start_id: str) -> dict:
    """Return the cell that closes a solution."""
    gate = "```{solution-end}\n```"
    return {"cell_type": "markdown", "id": f"end-of-{start_id[:50]}", "metadata": {}, "source": gate}


#: Tag of a Markdown cell: what makes a directive or a frame of it.
FORMS = {
    "exercise": exercise,
    "quiz": quiz,
    "caption": caption,
    "aside": marked,
    "opening": in_short,
    "story": stories.marked,
}


def plain_cell(cell: dict, complain: Complain) -> dict:
    """Return a cell as Sphinx is to read it; a code cell stays as it is."""
    if cell["cell_type"] != "markdown":
        return cell
    text = source(cell)
    for tag in tags(cell):
        try:
            text = framed_guess(cell) if tag == "guess" else FORMS.get(tag, str)(text)
        except ValueError as error:
            complain(cell, str(error))
            if tag == "exercise":  # those after it keep their numbers
                text = fenced("{exercise}", source(without_heading(cell)))
    if "quiz" in tags(cell):
        for mistake in mistakes.of_quiz(QUESTION.split(source(cell))[1:]):
            complain(cell, mistake)
    if "guess" in tags(cell):
        for mistake in mistakes.of_guess(source(cell)):
            complain(cell, mistake)
    return cell | {"source": cited(text)}


def tags(cell: dict) -> list[str]:
    """Return the tags of a cell."""
    return cell["metadata"].get("tags", [])


def source(cell: dict) -> str:
    """Return the text of a cell."""
    text = cell["source"]
    return text if isinstance(text, str) else "".join(text)


def read_source(app: Sphinx, docname: str, content: list[str]) -> None:
    """Rewrite one document before Sphinx parses it (event source-read)."""
    if not str(app.env.doc2path(docname)).endswith(".ipynb"):
        content[0] = cited(content[0])
        return
    notebook = json.loads(content[0])

    def complain(cell: dict, mistake: str) -> None:
        warn(f"cell {cell['id']!r}: {mistake}", docname)

    notebook["cells"] = list(cells_for_sphinx(notebook["cells"], complain))
    content[0] = json.dumps(notebook)


def setup(app: Sphinx) -> None:
    """Read every document through these conventions."""
    app.connect("source-read", read_source)
