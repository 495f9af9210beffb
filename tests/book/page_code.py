"""The code of a page of Markdown, piece by piece, with what the page says that each piece prints."""

from __future__ import annotations

import contextlib
import io
import re
from typing import Any

PYTHON = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```)?", re.MULTILINE | re.DOTALL)


def blocks(text: str) -> list[tuple[str, str]]:
    """Return each piece of code with what is said to be printed by it, which may be nothing.

    Examples
    --------
    >>> blocks("```python\\nprint(1)\\n```\\n\\n```text\\n1\\n```\\n")
    [('print(1)\\n', '1\\n')]
    """
    return PYTHON.findall(text)


def run(pieces: list[tuple[str, str]], name: str) -> tuple[dict[str, Any], list[str]]:
    """Run pieces in their order, in the folder that is open; return the names, and what each prints.

    Examples
    --------
    >>> run([("x = 2\\n", ""), ("print(x)\\n", "2\\n")], "a page")[1]
    ['', '2\\n']
    """
    names: dict[str, Any] = {}
    said = []
    for code, _ in pieces:
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(code, name, "exec"), names)
        said.append(out.getvalue())
    return names, said
