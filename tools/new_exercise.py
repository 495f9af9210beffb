"""Put a new exercise behind the others: `python -m tools.new_exercise chapters/02_entropy.ipynb "A title"`.

It writes the cell of the exercise and those of its solution, with their ids, tags and metadata, the next
number, and words to be replaced. Nothing else of the notebook changes.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from tests.book.notebooks import load

TASK = "Say what is given and what is asked for, so that one number or one sentence answers it."
ANSWER = "Say how one gets there. The cell below computes what this says."
CODE = 'print("Say the result with its unit.")'


def cells_of(number: str, title: str) -> list[dict[str, Any]]:
    """Return the cells of an exercise and of its solution, to be filled in.

    Parameters
    ----------
    number : str
        Of the exercise, such as "2.7".
    title : str

    Returns
    -------
    list of dict
        As a notebook stores them.

    Examples
    --------
    >>> [cell["id"] for cell in cells_of("2.7", "A coin")]
    ['ex-2-7', 'solution-2-7', 'sol-2-7', 'sol-2-7-code']
    """
    place = number.replace(".", "-")
    # Colab knows a folded cell by the id among its metadata.
    folded = {"id": f"solution-{place}", "jp-MarkdownHeadingCollapsed": True, "tags": ["solution"]}
    return [
        markdown(f"ex-{place}", f"### Exercise {number}: {title}\n\n{TASK}", {"tags": ["exercise"]}),
        markdown(f"solution-{place}", f"#### Solution {number}", folded),
        markdown(f"sol-{place}", ANSWER, {"tags": ["solution"]}),
        {
            "cell_type": "code",
            "execution_count": None,
            "id": f"sol-{place}-code",
            "metadata": {"tags": ["solution"]},
            "outputs": [],
            "source": [CODE],
        },
    ]


def markdown(name: str, text: str, metadata: dict[str, Any]) -> dict[str, Any]:
    """Return a Markdown cell as a notebook stores it."""
    return {
        "cell_type": "markdown",
        "id": name,
        "metadata": metadata,
        "source": text.splitlines(keepends=True),
    }


def add(path: Path, title: str) -> str:
    """Put an exercise behind the last solution of a chapter, and return its number.

    Raises
    ------
    ValueError
        If the file is no chapter, or has no exercises.
    """
    chapter = load(path) if path.match("[0-9][0-9]_*.ipynb") else None
    solved = [i for i, cell in enumerate(chapter.cells) if "solution" in cell.tags] if chapter else []
    if chapter is None or not solved:
        raise ValueError(
            f"{path.name} is no chapter with exercises; wanted one of chapters/[0-9][0-9]_*.ipynb"
        )
    number = f"{int(path.name[:2])}.{len(chapter.exercises) + 1}"
    raw = json.loads(path.read_text(encoding="utf-8"))
    new = cells_of(number, title)
    raw["cells"][solved[-1] + 1 : solved[-1] + 1] = new
    raw["metadata"]["colab"]["collapsed_sections"].append(new[1]["id"])
    path.write_text(json.dumps(raw, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return number


def main() -> int:
    """Add the exercise, and say what is left to do."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("chapter", type=Path)
    parser.add_argument("title")
    given = parser.parse_args()
    try:
        number = add(given.chapter, given.title)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    print(f"Exercise {number} is in {given.chapter}. Replace the words of its cells (make edit), then run")
    print(f"make outputs ARGS={given.chapter}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
