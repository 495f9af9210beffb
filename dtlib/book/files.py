"""What a notebook reads from its own folder: recorded results, and the other notebooks (all chapters).

The library does not bring these files, so a notebook that was taken out of its folder lacks them.
"""

from importlib import metadata
from pathlib import Path

__all__ = ["beside", "folder_of_chapters"]

PACKAGE = "trees-by-counting"  # what the library is called where it is installed from
NUMBERED = "[0-9][0-9]_*.ipynb"


def beside(name: str) -> Path:
    """Return a file or folder that lies beside the notebook that runs.

    Parameters
    ----------
    name : str
        As seen from the folder of the chapters.

    Returns
    -------
    Path

    Raises
    ------
    FileNotFoundError
        If it is not there; the error says how to get it.

    Examples
    --------
    >>> beside("no such file.csv")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    FileNotFoundError: This notebook reads 'no such file.csv', which is not in ...
    """
    if not Path(name).exists():
        raise FileNotFoundError(f"This notebook reads {name!r}, which is not in {Path.cwd()}. {way_out()}")
    return Path(name)


def folder_of_chapters() -> Path:
    """Return the folder of the notebook that runs, if all chapters are in it.

    Returns
    -------
    Path

    Raises
    ------
    FileNotFoundError
        If one of them is not there; the error says how to get it.
    """
    numbers = {int(path.name[:2]) for path in Path().glob(NUMBERED)}
    missing = set(range(1, max(numbers, default=1) + 1)) - numbers
    if missing:
        first = min(missing)
        raise FileNotFoundError(
            f"This notebook reads all chapters, and chapter {first} is not in {Path.cwd()}. {way_out()}"
        )
    return Path()


def way_out() -> str:
    """Say how to get what lies beside the notebooks."""
    address = repository()
    how = f"run `git clone {address}`" if address else "clone the repository that this notebook is from"
    return f"It comes with the whole book: {how}, and open the notebook in the folder `chapters` there."


def repository() -> str | None:
    """Return the address of the book's repository, if the library was built where that is known."""
    try:
        entries = metadata.metadata(PACKAGE).get_all("Project-URL") or []
    except metadata.PackageNotFoundError:  # it runs from a folder, and is not installed
        return None
    return next((entry.partition(", ")[2] for entry in entries if entry.startswith("Source, ")), None)
