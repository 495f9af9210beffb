"""``python -m dtlib``: print the versions of the library and of its dependencies, for bug reports.

``python -m dtlib --compile`` compiles all that Numba compiles, in the image of a container, say.

The distribution is called `trees-by-counting`, and the package that it installs `dtlib`. The index also
has a distribution `dtlib` by somebody else, which would put its files into the same folder.
"""

import platform
import sys
from importlib import metadata
from pathlib import Path

from dtlib import kernels
from dtlib.book.files import PACKAGE

RUNS_WITH = ("numpy", "pandas", "scipy", "scikit-learn", "narwhals", "numba", "pyarrow", "matplotlib")


def version_of(distribution: str) -> str:
    """Return the version of an installed distribution, or an empty string.

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
    """Return the lines that are printed.

    Examples
    --------
    >>> [line.partition(" ")[0] for line in lines_about()][:3]
    ['trees-by-counting', 'in', 'Python']
    """
    lines = [f"{PACKAGE} {version_of(PACKAGE) or 'not installed, run from its folder'}"]
    lines += [f"in {Path(__file__).resolve().parent}", f"Python {platform.python_version()}"]
    lines += [f"{name} {version_of(name)}" for name in RUNS_WITH if version_of(name)]
    lines += kernels.state()
    if other := version_of("dtlib"):
        lines.append(
            f"A stranger's distribution dtlib {other} is installed as well, and its files lie in the same "
            f"folder: pip uninstall dtlib {PACKAGE}, then install {PACKAGE} again."
        )
    return lines


def main(arguments: list[str]) -> None:
    """Do what the command line says."""
    if "--aside" in arguments:
        kernels.compile_aside()
    elif "--compile" in arguments:
        kernels.compile(lambda line: print(line, flush=True))
    else:
        print(*lines_about(), sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
