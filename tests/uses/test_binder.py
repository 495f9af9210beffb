"""What Binder installs: what reading needs, in the versions of the book, and the library from where it is."""

from __future__ import annotations

import re
import tomllib

import pytest
from packaging.requirements import Requirement

from tests.book.notebooks import ROOT
from tests.needs import needed

LINES = (ROOT / "binder" / "requirements.txt").read_text(encoding="utf-8").splitlines()
BINDER = {line for line in LINES if not line.startswith("#")}


def test_the_versions_are_those_of_the_book_and_the_tools_of_tests_and_website_stay_away() -> None:
    book = {line.strip() for line in (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()}
    assert BINDER - book == set()
    assert "-e ." in BINDER  # no copy: an edit of dtlib/ takes effect
    names = {re.split("[=<>]", line)[0] for line in BINDER}
    assert names & {"pytest", "nbval", "hypothesis", "jupyter-book", "sphinx", "pyarrow", "ruff"} == set()
    assert len(names) < 30


def test_the_library_and_its_pictures_have_what_they_need() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["draw"]]
    pins = {p.name: str(p.specifier).removeprefix("==") for p in map(Requirement, BINDER - {"-e ."})}
    assert [
        text for text in wanted if pins.get(Requirement(text).name) not in Requirement(text).specifier
    ] == []


@pytest.mark.long
def test_binder_runs_these_commands_and_no_other() -> None:
    needed("repo2docker")
    from tools.binder import plan

    assert plan(ROOT) == (
        "3.11",
        [
            '${KERNEL_PYTHON_PREFIX}/bin/pip install --no-cache-dir -r "binder/requirements.txt"',
            "chmod +x binder/postBuild",
            "./binder/postBuild",
        ],
    )
