"""Mistakes of an author that no form can be made of, said with the cell: tags, and choices."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

#: The tags of the book, and the kind of cell that they are for; a solution has cells of both kinds.
KINDS = {
    "exercise": "markdown",
    "solution": None,
    "quiz": "markdown",
    "guess": "markdown",
    "caption": "markdown",
    "aside": "markdown",
    "opening": "markdown",
    "story": "markdown",
    "checks": "code",
    "hide-input": "code",
    "hide-cell": "code",
}
#: Other tags that Jupyter Book, MyST-NB or nbval know.
KNOWN = re.compile(
    r"(?:hide|remove)[-_](?:cell|input|output)|remove[-_](?:stdout|stderr)|output[-_]scroll|scroll[-_]output"
    r"|raises[-_]exception|skip[-_]execution|full[-_]width|margin|popout|sidebar|parameters|nbval-[\w-]+|touch:.+"
)
CHOICE = re.compile(r"<details><summary>(?P<box>☐ )?(?P<choice>.+?)</summary>\s+(?P<verdict>\w*)")


def of_tags(kind: str, tags: list[str]) -> Iterator[str]:
    """Say which tags of a cell nobody knows, or stand on the wrong kind of cell.

    >>> list(of_tags("markdown", ["exercise", "touch:grow"])), list(of_tags("code", ["caption"]))
    ([], ['the tag `caption` is for a markdown cell, and this is a code cell'])
    """
    for tag in tags:
        if tag in KINDS:
            if KINDS[tag] not in (None, kind):
                yield f"the tag `{tag}` is for a {KINDS[tag]} cell, and this is a {kind} cell"
        elif not KNOWN.fullmatch(tag):
            yield f"nobody knows the tag `{tag}`; the forms of a chapter are {', '.join(KINDS)}"


def of_quiz(questions: list[str]) -> Iterator[str]:
    """Say what is wrong with the questions of a quiz.

    >>> list(of_quiz(["**1.** Is it?\\n\\n<details><summary>☐ Yes.</summary>\\n\\nPerhaps.\\n\\n</details>"]))
    ["the feedback of the choice 'Yes.' begins with 'Perhaps', expected 'Right.' or 'No.'"]
    """
    if not questions:
        yield "the quiz has no question, expected one that begins with '**1.** '"
    for question in questions:
        if not CHOICE.search(question):
            yield f"the question {question.split()[0]} has no choice, expected '<details><summary>☐ ...'"
        yield from of_choices(question)


def of_guess(text: str) -> Iterator[str]:
    """Say what is wrong with the choices of a guess, if it has some.

    >>> list(of_guess("Is it?\\n\\n<details><summary>☐ Yes.</summary>\\n\\nNo. It is not.\\n\\n</details>"))
    ["0 choices of the guess are right, expected one whose feedback begins with 'Right.'"]
    """
    if "<summary>☐ " in text:
        right = sum(match["verdict"] == "Right" for match in CHOICE.finditer(text))
        if right != 1:
            yield f"{right} choices of the guess are right, expected one whose feedback begins with 'Right.'"
        yield from of_choices(text)


def of_choices(question: str) -> Iterator[str]:
    """Say what is wrong with the choices of a question."""
    for match in CHOICE.finditer(question):
        if not match["box"]:
            yield f"the choice {match['choice']!r} has no box, expected '<summary>☐ {match['choice']}'"
        if match["verdict"] not in ("Right", "No"):
            said = f"the feedback of the choice {match['choice']!r} begins with {match['verdict']!r}"
            yield f"{said}, expected 'Right.' or 'No.'"
