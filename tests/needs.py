"""Packages that requirements.txt does not have, as only a few tests need them."""

import os
import shutil
from pathlib import Path
from types import ModuleType

import pytest


def needed(package: str, file: str = "requirements/all.txt") -> ModuleType:
    """Import a package, or skip the tests that ask for it where it is not installed; say what lists it."""
    how = f"make test-all installs it ({file})" if file.startswith("requirements/") else f"see {file}"
    return pytest.importorskip(package, reason=f"{package} is not installed: {how}")


def has_java() -> bool:
    """Tell whether Java is there, on which Spark runs."""
    return shutil.which("java") is not None or "JAVA_HOME" in os.environ


def needed_java() -> None:
    """Skip the tests of the module that asks for it where there is no Java."""
    if not has_java():
        pytest.skip("Java is not installed, on which Spark runs", allow_module_level=True)


def needed_postgresql() -> Path:
    """Return the folder of PostgreSQL's programs, or skip a test where there is none."""
    on_path = shutil.which("pg_ctl")
    folders = [Path(on_path).parent] if on_path else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    if not folders:  # Debian keeps them off the path
        pytest.skip("PostgreSQL is not installed (on Debian: postgresql)")
    return folders[-1]


def needed_nbgrader() -> Path:
    """Return the program nbgrader, or skip a test where it is not installed."""
    own = Path(__file__).parents[1] / ".venv-grading" / "bin" / "nbgrader"
    found = shutil.which("nbgrader") or shutil.which(own)
    if found is None:
        pytest.skip("nbgrader is not installed: make graded installs it (tools/teaching/requirements.txt)")
    return Path(found)
