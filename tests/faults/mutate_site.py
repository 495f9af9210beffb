"""Mutants of what makes the site: its settings and style sheets. Each needs a build, so few are tried."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.faults.mutant import ROOT, Change, Mutant, folded, named, read

GROUP, KINDS = "site", {"setting", "style"}
SETTING = re.compile(r"(?m)^ *[\w-]+: *(true|false)\b")
ADDRESS = re.compile(r'(?m)^ *- *"?([\w-]+\.(?:css|js))"?')
RULE = re.compile(r"(?m)^[^@{}\s/][^@{}/]*\{")


def every() -> list[Mutant]:
    """Make all mutants of the site."""
    sheets = sorted((ROOT / "_static").glob("*.css"))
    made = list(settings("_config.yml", read("_config.yml")))
    for sheet in sheets:
        file = str(sheet.relative_to(ROOT))
        made += styles(file, read(file))
    return list(named(made))


def settings(file: str, text: str) -> Iterator[Mutant]:
    r"""Yield settings that say the contrary, and style sheets and scripts that are not there.

    Examples
    --------
    >>> [mutant.after for mutant in settings("c.yml", "a: true\ncss:\n  - one.css\n")]
    ['a: false', '- x-one.css']
    """
    for m in SETTING.finditer(text):
        yield changed(file, text, m.span(1), "false" if m[1] == "true" else "true", "setting")
    for m in ADDRESS.finditer(text):
        yield changed(file, text, m.span(1), f"x-{m[1]}", "setting")


def styles(file: str, text: str) -> Iterator[Mutant]:
    """Yield rules of a style sheet that hide what they are for.

    Examples
    --------
    >>> [mutant.after for mutant in styles("a.css", "p {color: red}")]
    ['p { display: none !important; color: red}']
    """
    for m in RULE.finditer(text):
        yield changed(file, text, (m.end(), m.end()), " display: none !important; ", "style")


def changed(file: str, text: str, span: tuple[int, int], new: str, kind: str) -> Mutant:
    """Return the mutant of a piece of a text."""
    start, end = text.rfind("\n", 0, span[0]) + 1, text.find("\n", span[1])
    end = len(text) if end < 0 else end
    line = text.count("\n", 0, span[0]) + 1
    before, after = text[start:end], text[start : span[0]] + new + text[span[1] : end]
    change = Change(file, *span, new)
    return Mutant(kind, GROUP, folded(before)[:40], folded(before), folded(after), (change,), (line, line))
