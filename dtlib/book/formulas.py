"""The numbered formulas of the chapters, read from their notebooks: for the pages that list them."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_PART = re.compile(r"^##+ (?P<heading>[^\n]+)|\$\$(?P<tex>.+?)\$\$", re.MULTILINE | re.DOTALL)
_TAG = re.compile(r"\\tag\{(?P<number>[\d.]+)\}")


@dataclass(frozen=True)
class Formula:
    """A numbered formula of a chapter.

    Attributes
    ----------
    number : str
        Such as "2.3".
    section : str
        The heading above it.
    tex : str
        What it says.
    file : str
        Name of the notebook.
    """

    number: str
    section: str
    tex: str
    file: str

    @property
    def link(self) -> str:
        """Where it stands.

        Examples
        --------
        >>> Formula("2.3", "Mean surprise", "H", "02_entropy.ipynb").link
        '02_entropy.ipynb#equation-2-3'
        """
        return f"{self.file}#equation-{self.number.replace('.', '-')}"


def formulas(notebook: Path) -> Iterator[Formula]:
    r"""Yield the numbered formulas of a chapter, in order.

    Parameters
    ----------
    notebook : Path

    Yields
    ------
    Formula

    Examples
    --------
    >>> import tempfile
    >>> text = "## Mean surprise\n$$\\begin{equation*} H \\tag{2.3} \\end{equation*}$$ and $$x$$"
    >>> path = Path(tempfile.mkdtemp(), "02_entropy.ipynb")
    >>> _ = path.write_text(json.dumps({"cells": [{"cell_type": "markdown", "source": [text]}]}))
    >>> list(formulas(path))
    [Formula(number='2.3', section='Mean surprise', tex='H', file='02_entropy.ipynb')]
    """
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    text = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    section = ""
    for part in _PART.finditer(re.sub("^> ?", "", text, flags=re.MULTILINE)):
        section = part["heading"] or section
        if part["tex"] and (tag := _TAG.search(part["tex"])):
            tex = re.sub(r"\\(begin|end)\{equation\*\}", "", part["tex"].replace(tag[0], ""))
            yield Formula(tag["number"], section.replace("`", ""), tex.strip(), notebook.name)
