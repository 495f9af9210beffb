"""One version, written everywhere at once, and compared with a tag when it is published.

    python -m tools.release 0.2.0            writes version, date and the address of the repository
    python -m tools.release --address        writes the address alone: for a copy that is published elsewhere
    python -m tools.release --check v0.2.0   says what does not agree with a tag, or prints its changes

The version stands in ``dtlib/__init__.py``, ``CITATION.cff`` and ``CHANGELOG.md``. The address is that of the
remote `origin`, and stands in ``CITATION.cff`` and in the first cell of every notebook, which installs the
library from there in Colab. A notebook cannot ask where it was opened from, so it is told.
"""

from __future__ import annotations

import datetime
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIBRARY, CITATION, CHANGES = "dtlib/__init__.py", "CITATION.cff", "CHANGELOG.md"
VERSION = re.compile(r"\d+\.\d+\.\d+(rc\d+)?")
CELL = re.compile(r'("repository = \\")([^"\\]*)(\\"  #@param )')
OPEN = "not yet released"


def main(arguments: list[str]) -> int:
    """Write or check, say what is to be done next, and return the exit code."""
    match arguments:
        case ["--check", tag]:
            said = list(faults(ROOT, tag))
            if said:
                raise SystemExit("\n".join(said))
            print(section(read(ROOT, CHANGES), tag.removeprefix("v")))
        case ["--address"]:
            print(f"The notebooks know their repository: {write_address(ROOT) or 'there is none'}")
        case [version] if VERSION.fullmatch(version):
            refuse_unless_clean(ROOT, version)
            write_version(ROOT, version, datetime.date.today().isoformat())
            write_address(ROOT)
            print(f"Read `git diff`, then publish:\n  git commit --all --message 'Version {version}'")
            print(f"  git tag v{version}\n  git push --atomic origin HEAD v{version}")
        case _:
            print(
                f"{__doc__}\nA version is three numbers, as in 0.2.0; got {' '.join(arguments) or 'nothing'}."
            )
            return 2
    return 0


def read(root: Path, name: str) -> str:
    """Return the text of a file."""
    return (root / name).read_text(encoding="utf-8")


def write(root: Path, name: str, text: str) -> None:
    """Write the text of a file, with the line ends of the repository."""
    (root / name).write_text(text, encoding="utf-8", newline="\n")


def git(root: Path, *arguments: str) -> str:
    """Return what git says."""
    return subprocess.run(
        ["git", *arguments], cwd=root, check=True, capture_output=True, text=True
    ).stdout.strip()


def refuse_unless_clean(root: Path, version: str) -> None:
    """Stop where a release would take in what is not committed, or where there is such a release."""
    changed = git(root, "status", "--porcelain")
    if changed:
        raise SystemExit(f"A release is made of what is committed, and this is not:\n{changed}")
    if git(root, "tag", "--list", f"v{version}"):
        raise SystemExit(f"There is a tag v{version} already: take a higher version.")


def write_version(root: Path, version: str, date: str) -> None:
    """Write the version into its three files; nothing is written if the changes do not say what is new."""
    changes = dated(read(root, CHANGES), version, date)
    library = re.sub(r'(?m)^__version__ = ".*"$', f'__version__ = "{version}"', read(root, LIBRARY))
    citation = with_field(with_field(read(root, CITATION), "version", version), "date-released", date)
    for name, text in ((CHANGES, changes), (LIBRARY, library), (CITATION, citation)):
        write(root, name, text)


def dated(changes: str, version: str, date: str) -> str:
    """Return the list of changes with the date of a version that was not yet released.

    >>> dated("## 0.2.0 (not yet released)\\n\\n- Faster.\\n", "0.2.0", "2026-12-01")
    '## 0.2.0 (2026-12-01)\\n\\n- Faster.\\n'
    """
    heading = f"## {version} ({OPEN})\n"
    if heading not in changes or "- " not in section(changes, version):
        raise SystemExit(f"{CHANGES} wants a heading '{heading.strip()}' with at least one change below it.")
    return changes.replace(heading, f"## {version} ({date})\n")


def section(changes: str, version: str) -> str:
    """Return what the list of changes says of one version, without its heading.

    >>> section("## 0.2.0 (2026-12-01)\\n\\n- Faster.\\n\\n## 0.1.0 (2026-11-01)\\n\\n- New.\\n", "0.2.0")
    '- Faster.'
    """
    found = re.search(rf"(?ms)^## {re.escape(version)} \([^)]*\)$(.*?)(?=^## |\Z)", changes)
    return found[1].strip() if found else ""


def with_field(citation: str, key: str, value: str) -> str:
    """Return a citation file with a field of one line, in its place or after the version.

    >>> with_field("title: Trees\\nversion: 0.1.0\\n", "date-released", "2026-12-01")
    'title: Trees\\nversion: 0.1.0\\ndate-released: 2026-12-01\\n'
    """
    if field(citation, key) is not None:
        return re.sub(rf"(?m)^{key}: .*$", lambda _: f"{key}: {value}", citation)
    return re.sub(r"(?m)^version: .*$", lambda found: f"{found[0]}\n{key}: {value}", citation)


def field(citation: str, key: str) -> str | None:
    """Return a field of a citation file that stands on one line, or None if it is not there.

    >>> field("title: Trees\\n", "title"), field("title: Trees\\n", "version")
    ('Trees', None)
    """
    found = re.search(rf"(?m)^{key}: (.*)$", citation)
    return found[1] if found else None


def write_address(root: Path) -> str | None:
    """Write the public address of the repository, if it has one, and return it."""
    sys.path.append(str(ROOT / "website" / "extensions"))
    from repository import git_origin, repository_url

    address = repository_url({}, git_origin(root))
    if address is not None:
        write(root, CITATION, with_field(read(root, CITATION), "repository-code", address))
        for path in notebooks(root):
            write(root, path, CELL.sub(lambda found: f"{found[1]}{address}{found[3]}", read(root, path)))
    return address


def notebooks(root: Path) -> list[str]:
    """Return the names of the notebooks."""
    return [path.relative_to(root).as_posix() for path in sorted(root.glob("chapters/*.ipynb"))]


def faults(root: Path, tag: str) -> Iterator[str]:
    """Say what does not agree with a tag."""
    version, citation = tag.removeprefix("v"), read(root, CITATION)
    dates = re.findall(rf"(?m)^## {re.escape(version)} \((\d{{4}}-\d\d-\d\d)\)$", read(root, CHANGES))
    if tag != f"v{version}" or not VERSION.fullmatch(version):
        yield f"The tag {tag} is no version: wanted v and three numbers, as in v0.2.0."
    if f'\n__version__ = "{version}"\n' not in read(root, LIBRARY):
        yield f"{LIBRARY} has another version than {version}."
    if field(citation, "version") != version:
        yield f"{CITATION} has version {field(citation, 'version')}, not {version}."
    if len(dates) != 1 or not section(read(root, CHANGES), version):
        yield f"{CHANGES} has no section '## {version} (YYYY-MM-DD)' with what has changed."
    elif field(citation, "date-released") != dates[0]:
        yield f"{CITATION} has the date {field(citation, 'date-released')}, and {CHANGES} has {dates[0]}."
    yield from strangers(root, field(citation, "repository-code") or "")


def strangers(root: Path, address: str) -> Iterator[str]:
    """Say which notebooks do not name the address of the citation file."""
    for path in notebooks(root):
        named = [found[1] for found in CELL.findall(read(root, path))]
        if named != [address]:
            yield f"{path} names the repositories {named}, and {CITATION} names {address!r}."


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
