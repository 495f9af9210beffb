"""Build the book with the newest Sphinx and theme that can be installed, so that we know what will break.

    python -m tools.rehearse

Jupyter Book 1 asks for Sphinx 7. In an environment of its own, made from the pins, everything with which
Sphinx builds is renewed against that wish, and the book is built. What it says is printed, and is the summary
of the run in a workflow. The exit code is that of the build and of the reader of the site.
"""

from __future__ import annotations

import collections
import os
import re
import subprocess
import sys
from importlib.metadata import distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: What is renewed; pip renews what these need.
RENEWED = [
    "sphinx",
    "docutils",
    "myst-nb",
    "myst-parser",
    "sphinx-book-theme",
    "pydata-sphinx-theme",
    "sphinx-exercise",
    "sphinxcontrib-bibtex",
    "sphinx-togglebutton",
    "sphinx-copybutton",
    "sphinx-external-toc",
    "sphinx-multitoc-numbering",
    "sphinxext-opengraph",
    "sphinx-notfound-page",
    "sphinx-last-updated-by-git",
    "sphinx-sitemap",
]
PLACE = re.compile(r"\S*?([\w.-]+\.(?:ipynb|md|py|rst))(?::\d+)?: ")
FAULT = re.compile(r"^(?!raise ).*(WARNING|ERROR|\w(Error|Exception): \S)")
LONGEST = 40  # different faults in the summary


def main() -> int:
    """Renew, build, read, tell; return the exit code."""
    python = sys.executable
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--upgrade", *RENEWED], check=True)
    program = str(Path(python).with_name("jupyter-book"))
    book = [program, "build", "-n", "--all", "--keep-going", "--quiet", "."]
    built, said = run(book)
    read, found = run([python, "-m", "tools.read_site"]) if built == 0 else (1, "The site was not read.\n")
    text = summary(versions(), built, said, found)
    print(text)
    if "GITHUB_STEP_SUMMARY" in os.environ:
        with Path(os.environ["GITHUB_STEP_SUMMARY"]).open("a", encoding="utf-8") as page:
            page.write(text)
    return max(built, read)


def run(command: list[str]) -> tuple[int, str]:
    """Run a command, and return its exit code and all that it says."""
    environment = os.environ | {"NO_COLOR": "1"}
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=environment,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.returncode, done.stdout


def versions() -> list[str]:
    """Return what was renewed, with the versions that are installed now."""
    here = {
        package.metadata["Name"].lower().replace("_", "-"): package.version for package in distributions()
    }
    return [f"{name} {here[name]}" for name in RENEWED]


def summary(newest: list[str], code: int, said: str, found: str) -> str:
    """Say in Markdown what was built with what, and what broke: each kind of fault once, with its number.

    >>> print(summary(["sphinx 9.0"], 0, "/b/a.md:3: WARNING: a\\n/b/c.md:8: WARNING: a\\n", "3 pages\\n"))
    Built with sphinx 9.0: exit code 0.
    <BLANKLINE>
        2 times WARNING: a
    <BLANKLINE>
        3 pages
    <BLANKLINE>
    """
    lines = [PLACE.sub("", line).strip() for line in said.splitlines()]
    counted = collections.Counter(line for line in lines if FAULT.search(line))
    kinds = [f"    {number} times {line}\n" for line, number in counted.most_common(LONGEST)]
    kinds += [] if code == 0 else [f"    {line}\n" for line in lines[-5:]]
    read = "".join(f"    {line}\n" for line in found.splitlines()[-LONGEST:])
    return f"Built with {', '.join(newest)}: exit code {code}.\n\n{''.join(kinds)}\n{read}"


if __name__ == "__main__":
    sys.exit(main())
