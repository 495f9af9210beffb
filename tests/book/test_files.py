"""A notebook away from its folder says what it lacks and how to get it; all that it reads is asked for so."""

from __future__ import annotations

import ast
import os
import shutil
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from dtlib.book.files import beside, folder_of_chapters
from tests.book.notebooks import CHAPTERS, FIRST, NUMBERED, ROOT, load

READERS = {"Path", "open", "collect", "read_csv", "read_json", "read_parquet", "load", "loadtxt", "glob"}
WAY = "It comes with the whole book: {}, and open the notebook in the folder `chapters` there."
KNOWN = WAY.format("run `git clone https://github.com/someone/trees`")
UNKNOWN = WAY.format("clone the repository that this notebook is from")


def calls(path: Path) -> Iterator[tuple[str, ast.Call]]:
    """Yield each call of a notebook's code, with the last part of the name of what is called."""
    for cell in load(path).code:
        for node in ast.walk(ast.parse(cell.source)) if cell.id != FIRST else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                yield node.func.id if isinstance(node.func, ast.Name) else node.func.attr, node


def is_asked_for(node: ast.Call) -> bool:
    """Tell whether a call gets no name of a file, or looks in the folder that it asked for."""
    if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Call):
        folder = node.func.value.func
        return isinstance(folder, ast.Name) and folder.id == "folder_of_chapters"
    return not any(isinstance(given, ast.Constant | ast.JoinedStr) for given in node.args)


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_what_a_notebook_reads_beside_itself_is_asked_for(path: Path) -> None:
    found = list(calls(path))
    assert [ast.unparse(node) for name, node in found if name in READERS and not is_asked_for(node)] == []
    names = [node.args[0] for name, node in found if name == "beside"]
    typed = [name.value for name in names if isinstance(name, ast.Constant)]
    assert [name for name in typed if not (ROOT / "chapters" / name).exists()] == []


def test_what_is_recorded_is_read_by_a_notebook() -> None:
    read = {
        node.args[0].value
        for path in CHAPTERS
        for name, node in calls(path)
        if name == "beside" and isinstance(node.args[0], ast.Constant)
    }
    there = {path.name for path in (ROOT / "chapters").iterdir() if path.suffix in (".csv", ".json")}
    there |= {f"../experiments/results/{path.name}" for path in (ROOT / "experiments" / "results").iterdir()}
    assert there <= read


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Run in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def told(monkeypatch: pytest.MonkeyPatch, urls: list[str] | None) -> None:
    """Let the package that is installed name these addresses, or not be installed at all."""

    def found(name: str) -> SimpleNamespace:
        if urls is None:
            raise metadata.PackageNotFoundError(name)
        return SimpleNamespace(get_all=lambda key: urls or None)

    monkeypatch.setattr(metadata, "metadata", found)


SOURCE = ["Changes, https://github.com/someone/trees/x", "Source, https://github.com/someone/trees"]


@pytest.mark.parametrize(("urls", "way"), [(SOURCE, KNOWN), ([], UNKNOWN), (None, UNKNOWN)])
def test_a_file_that_is_missing_is_named_with_a_way_to_get_it(alone, monkeypatch, urls, way) -> None:
    told(monkeypatch, urls)
    with pytest.raises(FileNotFoundError) as error:
        beside("large.csv")
    assert str(error.value) == f"This notebook reads 'large.csv', which is not in {alone}. {way}"
    Path("large.csv").write_text("a\n1\n")
    assert beside("large.csv").read_text() == "a\n1\n"


@pytest.mark.parametrize(("there", "missing"), [([], 1), ([19], 1), ([1, 2, 4], 3), ([2, 3], 1)])
def test_a_chapter_that_is_missing_is_named(alone, monkeypatch, there, missing) -> None:
    told(monkeypatch, None)
    for number in there:
        Path(f"{number:02}_a.ipynb").touch()
    with pytest.raises(FileNotFoundError) as error:
        folder_of_chapters()
    said = f"This notebook reads all chapters, and chapter {missing} is not in {alone}. {UNKNOWN}"
    assert str(error.value) == said


def test_where_all_chapters_are_their_folder_is_given(monkeypatch) -> None:
    monkeypatch.chdir(ROOT / "chapters")
    assert sorted(path.name for path in folder_of_chapters().glob("[0-9][0-9]_*.ipynb")) == [
        path.name for path in NUMBERED
    ]


@pytest.mark.long
@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_notebook_alone_runs_or_says_what_it_lacks(path: Path, tmp_path: Path) -> None:
    shutil.copy(path, tmp_path)
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(tmp_path)}})
    failed = None
    try:
        client.execute(env={**os.environ, "PYTHONPATH": str(ROOT)})
    except CellExecutionError as error:
        failed = (error.ename, "It comes with the whole book" in error.evalue)
    reads = any(name in ("beside", "folder_of_chapters") for name, _ in calls(path))
    assert failed == (("FileNotFoundError", True) if reads else None)
