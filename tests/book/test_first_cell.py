"""The first code cell: it installs the library where it is missing, and does nothing elsewhere."""

from __future__ import annotations

import importlib.util
import io
import json
import subprocess
import sys
import urllib.request
from pathlib import Path
from types import ModuleType, SimpleNamespace
from urllib.parse import quote

import pytest

from tests.book.notebooks import CHAPTERS, FIRST, load

SOURCE = load(CHAPTERS[0]).code[0].source
# What Colab's server answers about a notebook from GitHub, and about a copy in Drive.
FILE = "https://github.com/some.one/my-trees/blob/main/chapters/04_id3.ipynb"
FROM_GITHUB = json.dumps([{"name": "04_id3.ipynb", "path": f"fileId={quote(FILE, safe='')}"}])
FROM_DRIVE = json.dumps([{"name": "Copy of 04_id3.ipynb", "path": "fileId=1cCMcKBnq"}])


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_every_notebook_has_the_same_first_cell_and_shows_it_nowhere(path: Path) -> None:
    first = load(path).code[0]
    assert (first.id, first.source, first.outputs) == (FIRST, SOURCE, ())
    assert first.tags == ["remove-cell"]  # the website
    assert first.metadata["jupyter"] == {"source_hidden": True}  # JupyterLab
    assert first.metadata["cellView"] == "form"  # Colab, which shows the title of the first line
    assert first.source.startswith("#@title ")
    assert "install" in first.source.splitlines()[0]


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[list[str]]:
    """Collect the commands that the cell runs in an empty folder; run none, but make what git would make."""
    found: list[list[str]] = []

    def note(command: list[str], check: bool) -> None:
        assert check
        found.append(command)
        if command[0] == "git":
            Path(command[-1], "chapters").mkdir(parents=True)

    monkeypatch.setattr(subprocess, "run", note)
    monkeypatch.chdir(tmp_path)
    return found


def installed(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Let only some modules be there."""
    specs = {name: SimpleNamespace(name=name) for name in names}
    monkeypatch.setattr(importlib.util, "find_spec", specs.get)


def run(source: str = SOURCE) -> None:
    """Run the cell."""
    exec(compile(source, "the first cell", "exec"), {})


def test_it_does_nothing_where_the_library_is(
    commands: list[list[str]], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    run()
    assert (commands, Path.cwd(), capsys.readouterr().out) == ([], tmp_path, "")


def test_it_finds_what_it_has_brought_after_a_restart(commands: list[list[str]], tmp_path: Path) -> None:
    Path("book/chapters").mkdir(parents=True)
    run()
    assert (commands, Path.cwd()) == ([], tmp_path / "book" / "chapters")


def test_colab_installs_from_the_repository_of_the_notebook(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked = colab(monkeypatch, FROM_GITHUB)
    run()
    assert asked == ["http://172.28.0.12:9000/api/sessions"]
    assert commands == [
        ["git", "clone", "--quiet", "--depth=1", "https://github.com/some.one/my-trees", "book"],
        [sys.executable, "-m", "pip", "install", "--quiet", "./book[draw]"],
    ]
    assert Path.cwd() == tmp_path / "book" / "chapters"


def colab(monkeypatch: pytest.MonkeyPatch, sessions: str) -> list[str]:
    """Make this Colab without the library, and return the addresses that are asked for."""
    asked: list[str] = []
    installed(monkeypatch)
    monkeypatch.setitem(sys.modules, "google.colab", ModuleType("google.colab"))
    monkeypatch.setattr("socket.gethostname", lambda: "colab")
    monkeypatch.setattr("socket.gethostbyname", {"colab": "172.28.0.12"}.get)

    def answer(address: str, timeout: float) -> io.BytesIO:
        asked.append(address)
        return io.BytesIO(sessions.encode())

    monkeypatch.setattr(urllib.request, "urlopen", answer)
    return asked


def test_a_copy_of_the_notebook_asks_for_the_address(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    colab(monkeypatch, FROM_DRIVE)
    with pytest.raises(ImportError, match="Write the address of the book's repository into this cell"):
        run()
    assert commands == []
    run(SOURCE.replace('repository = ""', 'repository = "https://github.com/some.one/else"'))
    assert commands[0][-2:] == ["https://github.com/some.one/else", "book"]


def test_without_the_library_and_outside_colab_nothing_is_installed_unasked(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(monkeypatch)
    with pytest.raises(ImportError, match="open the book by `make lab`"):
        run()
    assert commands == []


def test_a_stranger_of_the_same_name_is_told_from_the_library(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(monkeypatch, "dtlib", "dtlib.trees")
    with pytest.raises(ImportError, match=r"a stranger's, from PyPI.*uninstall --yes dtlib"):
        run()
    assert commands == []
