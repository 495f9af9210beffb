"""``python -m dtlib``: which library this is, where it is, and with what it runs; for reports of faults.

The distribution is called `trees-by-counting`, and what it installs `dtlib`. The index has a package of the
second name, a stranger's, which would put its files into the same folder.
"""

import platform
from importlib import metadata
from pathlib import Path

from dtlib.book.files import PACKAGE

RUNS_WITH = ("numpy", "pandas", "scipy", "scikit-learn", "narwhals", "numba", "pyarrow", "matplotlib")


def version_of(distribution: str) -> str:
    """Return the version of a distribution that is installed, or an empty text.

    Examples
    --------
    >>> version_of("no such package"), version_of("numpy") > "2"
    ('', True)
    """
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return ""


def lines_about() -> list[str]:
    """Return what is printed.

    Examples
    --------
    >>> [line.partition(" ")[0] for line in lines_about()][:3]
    ['trees-by-counting', 'in', 'Python']
    """
    lines = [f"{PACKAGE} {version_of(PACKAGE) or 'not installed, run from its folder'}"]
    lines += [f"in {Path(__file__).resolve().parent}", f"Python {platform.python_version()}"]
    lines += [f"{name} {version_of(name)}" for name in RUNS_WITH if version_of(name)]
    if other := version_of("dtlib"):
        lines.append(
            f"A stranger's distribution dtlib {other} is installed as well, and its files lie in the same "
            f"folder: pip uninstall dtlib {PACKAGE}, then install {PACKAGE} again."
        )
    return lines


if __name__ == "__main__":
    print(*lines_about(), sep="\n")
