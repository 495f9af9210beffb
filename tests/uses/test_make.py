"""`make` with what it cannot use, such as a Python that is too old: it says so, and leaves nothing behind."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.book.notebooks import ROOT

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
OLD = "#!/bin/sh\ncase $1 in -c) exit 1;; *) echo Python 3.10.1;; esac\n"
NEW = "#!/bin/sh\nexit 0\n"


def make(folder: Path, *options: str, path: str = os.environ["PATH"]) -> subprocess.CompletedProcess[str]:
    """Run make in a folder that holds nothing but the Makefile and what it installs from."""
    for name in ("Makefile", "requirements.txt", "pyproject.toml"):
        shutil.copyfile(ROOT / name, folder / name)
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("MAKE", "PYTHON"))}
    command = [shutil.which("make"), *options]
    return subprocess.run(
        command, cwd=folder, env=environment | {"PATH": path}, check=False, capture_output=True, text=True
    )


def program(path: Path, text: str) -> Path:
    """Write a program."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize("kind", ["missing", "old"])
def test_a_python_that_cannot_be_used_is_named_and_nothing_is_left_behind(tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "book"
    folder.mkdir()
    python = program(tmp_path / "bin dir" / "old", OLD) if kind == "old" else tmp_path / "none"
    done = make(folder, "style", f"PYTHON={python}")
    assert done.returncode != 0
    assert f"needs Python 3.11 or newer, and PYTHON={python} is not" in done.stdout
    assert ("Python 3.10.1" in done.stdout) == (kind == "old")
    assert "Installing" not in done.stdout
    assert sorted(path.name for path in folder.iterdir()) == [
        "Makefile",
        "pyproject.toml",
        "requirements.txt",
    ]


def test_an_environment_of_a_python_that_is_too_old_is_named(tmp_path: Path) -> None:
    program(tmp_path / ".venv" / "bin" / "python", OLD)
    done = make(tmp_path, "style", f"PYTHON={sys.executable}")
    assert done.returncode != 0
    assert ".venv was made by Python 3.10.1, which is too old. Remove it: rm -r .venv" in done.stdout


@pytest.mark.parametrize("name", ["python3", "python3.14", "python3.11", "python"])
def test_a_python_is_found_by_any_of_its_names(tmp_path: Path, name: str) -> None:
    there = program(tmp_path / "bin" / name, NEW)
    program(tmp_path / "bin" / "sh", '#!/bin/sh\nexec /bin/sh "$@"\n')
    if name != "python3":
        program(tmp_path / "bin" / "python3", OLD)
    done = make(tmp_path, "--dry-run", "style", path=str(tmp_path / "bin"))
    assert f'test -n "{there}"' in done.stdout, done.stderr


@pytest.mark.parametrize(
    ("asked", "missing"),
    [
        ("nix", "nix"),
        ("chapters/99.ipynb -x", "chapters/99.ipynb"),
        ("-x chapters/99.ipynb", "chapters/99.ipynb"),
        ("chapters/04_id3.ipynb", ""),
        ("chapters/0*.ipynb -k gain", ""),
        ("chapters", ""),
        ("-k gain", ""),
        ("", ""),
    ],
)
def test_what_is_to_be_compared_and_is_not_there_is_named(tmp_path: Path, asked: str, missing: str) -> None:
    (tmp_path / "chapters").mkdir()
    (tmp_path / "chapters" / "04_id3.ipynb").touch()
    done = make(tmp_path, "--dry-run", "compare", "READY=", f"ARGS={asked}")
    assert (done.returncode != 0) == bool(missing)
    assert (f"There is no {missing}; wanted notebooks or their folder" in done.stderr) == bool(missing)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no root")
@pytest.mark.parametrize("target", ["lab", "edit"])
@pytest.mark.parametrize(("number", "allowed"), [(0, True), (1000, False)])
def test_jupyter_starts_as_root_too(tmp_path: Path, target: str, number: int, allowed: bool) -> None:
    program(tmp_path / "bin" / "id", f"#!/bin/sh\necho {number}\n")
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    done = make(tmp_path, "--dry-run", target, "READY=", path=path)
    assert ("jupyter lab --allow-root" in done.stdout) == allowed
    assert "jupyter lab" in done.stdout
