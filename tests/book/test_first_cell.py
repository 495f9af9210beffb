"""The first code cell: it installs the library where it is missing, and does nothing elsewhere."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from packaging.requirements import Requirement

from tests.book.notebooks import CHAPTERS, FIRST, load

SOURCE = load(CHAPTERS[0]).code[0].source
HERE = "https://github.com/some.one/my-trees"


def naming(address: str) -> str:
    """Return the cell as it is where it names a repository."""
    return re.sub('repository = ".*?"', f'repository = "{address}"', SOURCE, count=1)


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


def test_colab_installs_from_the_repository_that_the_notebook_names(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    colab(monkeypatch)
    run(naming(HERE))
    assert commands == [
        ["git", "clone", "--quiet", "--depth=1", HERE, "book"],
        [sys.executable, "-m", "pip", "install", "--quiet", "./book[draw]"],
    ]
    assert Path.cwd() == tmp_path / "book" / "chapters"


def colab(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make this Colab without the library."""
    installed(monkeypatch)
    monkeypatch.setitem(sys.modules, "google.colab", ModuleType("google.colab"))


def test_it_asks_no_address() -> None:
    assert re.findall("socket|urllib|request|http://", SOURCE) == []


def test_a_notebook_that_names_no_repository_says_what_to_run(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    colab(monkeypatch)
    with pytest.raises(
        ImportError, match=r"git\+https://github.com/\.\.\.\"`, with the address of the book's repo"
    ):
        run(naming(""))
    assert commands == []


def test_without_the_library_and_outside_colab_nothing_is_installed_unasked(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(monkeypatch)
    with pytest.raises(ImportError, match="open the book by `make lab`") as error:
        run(naming(HERE))
    assert commands == []
    (command,) = re.findall(r"`%pip install \"([^`]*)\"`", str(error.value))
    assert (Requirement(command).name, Requirement(command).url) == ("trees-by-counting", f"git+{HERE}")
    assert Requirement(command).extras == {"draw"}


def test_a_stranger_of_the_same_name_is_told_from_the_library(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    installed(monkeypatch, "dtlib", "dtlib.trees")
    with pytest.raises(ImportError, match=r"a stranger's, from PyPI.*uninstall --yes dtlib"):
        run()
    assert commands == []
