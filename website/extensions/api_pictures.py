"""The pictures of the API: an example that makes a picture is drawn below it, from its own code.

While Sphinx documents a function of `dtlib.draw` or `dtlib.book.pictures`, its examples run here. Each
picture that one of them makes becomes a file, and an image after the example, which the page shows as it
shows the pictures of the chapters.
"""

from __future__ import annotations

import ast
import doctest
import inspect
import io
import logging
import os
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

    from dtlib.draw import Picture

DRAWING = ("dtlib.draw", "dtlib.book.pictures")


def be_quiet() -> None:
    """Keep the library from logging each level of the trees that a build grows."""
    logging.getLogger("dtlib").setLevel(logging.WARNING)


def draw_examples(app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """Put the pictures that the examples make after them (event autodoc-process-docstring)."""
    module = inspect.getmodule(thing)
    if module is None or not module.__name__.startswith(DRAWING):
        return
    folder = Path(app.doctreedir).parent / "jupyter_execute" / "api"  # where the pictures of notebooks are
    found = list(enumerate(pictures("\n".join(lines), vars(module)), start=1))
    for number, (line, picture) in reversed(found):
        path = folder / f"{name}-{number}.svg"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(picture.svg, encoding="utf-8")
        lines[line:line] = image(os.path.relpath(path, app.srcdir), picture.title)


def image(path: str, alt: str) -> list[str]:
    """Return the lines of an image.

    >>> image("a.svg", "A dot")
    ['', '.. image:: /a.svg', '   :alt: A dot', '']
    """
    return ["", f".. image:: /{path}", f"   :alt: {alt}", ""]


def pictures(text: str, names: dict[str, Any]) -> Iterator[tuple[int, Picture]]:
    """Run the examples of a docstring; yield each picture with the number of the line after its block.

    >>> from dtlib import draw
    >>> text = "Examples:\\n\\n>>> bars(['age'], [0.5]).title\\n'bars'\\n\\nThe end."
    >>> [(line, type(picture).__name__) for line, picture in pictures(text, vars(draw))]
    [(4, 'Picture')]
    """
    lines, names = text.split("\n"), dict(names)
    for example in doctest.DocTestParser().get_examples(text):
        statement = ast.parse(example.source).body[0]
        with redirect_stdout(io.StringIO()):
            picture = made_in(statement, names)
            exec(compile(example.source, "<example>", "exec"), names)
        if picture is not None:
            rest = lines[example.lineno :]
            yield example.lineno + (rest.index("") if "" in rest else len(rest)), picture


def made_in(statement: ast.stmt, names: dict[str, Any]) -> Picture | None:
    """Return the picture that a statement makes: by a call, of which it may take a part.

    >>> from dtlib import draw
    >>> made_in(ast.parse("shown = gains").body[0], vars(draw)) is None
    True
    >>> made_in(ast.parse("bars(['age'], [0.5]).description[:3]").body[0], vars(draw)).description
    'age 0.500.'
    """
    from dtlib.draw import Picture

    node = statement.iter if isinstance(statement, ast.For) else getattr(statement, "value", None)
    while isinstance(node, ast.Call | ast.Attribute | ast.Subscript):
        if isinstance(node, ast.Call):
            value = eval(compile(ast.Expression(node), "<example>", "eval"), dict(names))
            if isinstance(value, Picture):
                return value
        node = node.func if isinstance(node, ast.Call) else node.value
    return None
