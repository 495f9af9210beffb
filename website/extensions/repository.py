"""Where the repository is, for the buttons of the website and for the notebooks."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CODE_HOST = re.compile(
    r"(?:https://|ssh://git@|git@)(?P<host>(?:github|gitlab|codeberg|bitbucket)\.(?:com|org))[:/]"
    r"(?P<path>[\w.-]+/[\w./-]+?)(?:\.git)?/?$"
)
NAMED = re.compile(r"^repository-code: (.*)$", re.MULTILINE)


def repository_url(environ: dict[str, str], origin: str) -> str | None:
    """Return the public address of the repository, or None where there is none.

    Parameters
    ----------
    environ : dict
        Environment variables; a GitHub workflow sets GITHUB_SERVER_URL and GITHUB_REPOSITORY.
    origin : str
        What ``git remote get-url origin`` says; only the address of a code host counts.

    Examples
    --------
    >>> repository_url({}, "git@github.com:someone/trees.git")
    'https://github.com/someone/trees'
    >>> repository_url({}, "/srv/trees.git") is None
    True
    """
    if "GITHUB_SERVER_URL" in environ and "GITHUB_REPOSITORY" in environ:
        return f"{environ['GITHUB_SERVER_URL']}/{environ['GITHUB_REPOSITORY']}"
    match = CODE_HOST.match(origin)
    return f"https://{match['host']}/{match['path']}" if match else None


def git_origin(folder: Path = ROOT) -> str:
    """Return the address of the remote `origin` of a clone, or an empty text."""
    try:
        command = ["git", "remote", "get-url", "origin"]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout.strip()
    except FileNotFoundError:  # the book is built from an archive, on a machine without git
        return ""


def named_by_the_notebooks() -> str | None:
    """Return the address that the notebooks and CITATION.cff name, or None before there is one."""
    found = NAMED.search((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    return found[1] if found else None
