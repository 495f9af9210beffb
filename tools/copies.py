"""Copies of the chapters for a reader, who may write there; the notebooks that are tested stay as they are.

    python -m tools.copies

JupyterLab saves by itself, outputs included, and the tests compare with the outputs in ``chapters/``. So
`make lab` opens the folder ``my-chapters/``, which git ignores, after this module has brought it up to date.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ORIGINALS, COPIES = ROOT / "chapters", ROOT / "my-chapters"
STATE = ".taken.json"  # for each copy, the fingerprint of the original from which it was taken
MINE = "and you wrote in it. Yours stays; to get the new one, give yours another name and start again."


def main() -> None:
    """Bring the reader's copies up to date, and say what a reader should know."""
    taken, said = bring(ORIGINALS, COPIES)
    notebooks = [str(path) for path in taken if path.suffix == ".ipynb"]
    if notebooks:  # so that their pictures show before they are run
        trust = [sys.executable, "-m", "jupyter", "trust", *notebooks]
        subprocess.run(trust, check=True, stdout=subprocess.DEVNULL)
    print(f"Your copies of the chapters are in {COPIES.name}/. What you write there is kept.")
    print("".join(f"{sentence}\n" for sentence in said), end="")


def bring(originals: Path, copies: Path) -> tuple[list[Path], list[str]]:
    """Copy what is new, renew copies in which the reader wrote nothing, and leave the others alone.

    Parameters
    ----------
    originals : Path
        The folder of the chapters.
    copies : Path
        The reader's folder; it is made if it is not there.

    Returns
    -------
    taken : list of Path
        The copies that were made or renewed.
    said : list of str
        A sentence about each copy that differs from its original in a way that needs the reader.
    """
    copies.mkdir(exist_ok=True)
    state = copies / STATE
    known = remembered(state)
    there = {path.name: path for path in sorted(originals.iterdir()) if path.is_file()}
    gone = [name for name in known if name not in there and (copies / name).exists()]
    taken, said = [], [f"{name} is no longer in {originals.name}/. Your copy stays." for name in gone]
    for name, original in there.items():
        copy, now, before = copies / name, fingerprint(original), known.get(name, {})
        if not copy.exists() or (now != before and unwritten(copy, now, before)):
            shutil.copyfile(original, copy)
            taken.append(copy)
        elif now != before:
            said.append(f"{name} has changed in {originals.name}/ since you took your copy, {MINE}")
            continue
        known[name] = now
    half = state.with_suffix(".half")  # whole or not at all, whatever interrupts it
    half.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
    half.replace(state)
    return taken, said


def remembered(state: Path) -> dict[str, dict[str, str]]:
    """Return what is known of the copies; nothing if that cannot be read: then what differs is kept."""
    try:
        known = json.loads(state.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return known if isinstance(known, dict) else {}


def unwritten(copy: Path, now: dict[str, str], before: dict[str, str]) -> bool:
    """Tell whether a copy has the text of its original, as it is now or as it was: nothing would be lost."""
    return fingerprint(copy)["text"] in (now["text"], before.get("text"))


def fingerprint(path: Path) -> dict[str, str]:
    """Return the digests of a whole file, and of what a person wrote in it.

    Running and saving a notebook changes the file, but not the text of its cells.
    """
    content = path.read_bytes()
    text = written(content) if path.suffix == ".ipynb" else content
    return {"whole": digest(content), "text": digest(text)}


def written(content: bytes) -> bytes:
    """Return what a person puts into the cells of a notebook; all of it if it is no notebook any more.

    That is their kinds and texts, the tags, and what is attached.

    Examples
    --------
    >>> written(b'{"cells": [{"cell_type": "code", "source": ["1 + ", "1"], "outputs": [], "metadata": {}}]}')
    b"[('code', '1 + 1', None, None)]"
    """
    try:
        cells = json.loads(content)["cells"]
        own = [
            (
                cell["cell_type"],
                "".join(cell["source"]),
                cell["metadata"].get("tags"),
                cell.get("attachments"),
            )
            for cell in cells
        ]
        return repr(own).encode()
    except (ValueError, KeyError, TypeError, AttributeError):
        return content


def digest(content: bytes) -> str:
    """Return a fingerprint of some bytes.

    Examples
    --------
    >>> digest(b"tree") == digest(b"tree"), digest(b"tree") == digest(b"trees")
    (True, False)
    """
    return hashlib.sha256(content).hexdigest()


if __name__ == "__main__":
    main()
