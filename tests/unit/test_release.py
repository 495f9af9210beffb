"""What a release says of itself: one version, floors that are tested, actions that nobody can exchange."""

import os
import re
import subprocess
import sys
import tomllib

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.version import Version

import dtlib
from dtlib import __main__ as about
from tests.book.notebooks import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOWS = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / ".github/workflows").iterdir()}


def read(name: str) -> str:
    """Return the text of a file."""
    return (ROOT / name).read_text(encoding="utf-8")


def floors() -> dict[str, str]:
    """Return the oldest versions that pyproject.toml allows of what the library and its extras need."""
    extras = {name: some for name, some in PROJECT["optional-dependencies"].items() if name != "spark"}
    wanted = [*PROJECT["dependencies"], *(text for some in extras.values() for text in some)]
    return {
        need.name: str(need.specifier).removeprefix(">=") for need in (Requirement(text) for text in wanted)
    }


def test_the_version_is_one_everywhere() -> None:
    assert f"\nversion: {dtlib.__version__}\n" in read("CITATION.cff")
    newest = re.search(
        r"^## (\S+) \((not yet released|\d{4}-\d\d-\d\d)\)$", read("CHANGELOG.md"), re.MULTILINE
    )
    assert newest is not None
    assert newest[1] == dtlib.__version__


def test_the_authors_are_those_of_the_citation() -> None:
    assert [f"  - name: {author['name']}" in read("CITATION.cff") for author in PROJECT["authors"]] == [True]


def test_the_oldest_versions_are_those_that_are_tested() -> None:
    pins = {
        pin.name: str(pin.specifier).removeprefix("==")
        for pin in map(Requirement, re.findall(r"^[a-z].*$", read("requirements/oldest.txt"), re.MULTILINE))
    }
    wrong = {name: pins[name] for name, oldest in floors().items() if Version(pins[name]) != Version(oldest)}
    assert wrong == {}


def test_every_python_that_is_promised_is_tested() -> None:
    promised = [text.rpartition(" ")[2] for text in PROJECT["classifiers"] if " 3." in text]
    (tested,) = re.findall(r"python: \[(.*)\]", WORKFLOWS["test.yml"])
    assert promised == re.findall(r"[\d.]+", tested)
    assert PROJECT["requires-python"] == f">={promised[0]}"


@pytest.mark.parametrize("name", WORKFLOWS)
def test_a_workflow_pins_its_actions_by_hash(name: str) -> None:
    used = re.findall(r"uses: (.*)", WORKFLOWS[name])
    assert used
    assert [line for line in used if not re.fullmatch(r"[\w.-]+/[\w.-]+@[0-9a-f]{40} # v[\d.]+", line)] == []


@pytest.mark.parametrize("name", WORKFLOWS)
def test_a_workflow_may_write_in_one_job_only_which_runs_nothing_that_is_new(name: str) -> None:
    workflow = yaml.safe_load(WORKFLOWS[name])
    assert workflow["permissions"] in ({}, {"contents": "read"})
    for job in workflow["jobs"].values():
        if "write" in job.get("permissions", {}).values():
            assert not any("make " in step.get("run", "").partition("body=")[0] for step in job["steps"])


def test_it_says_who_it_is_and_warns_of_the_strangers(monkeypatch: pytest.MonkeyPatch) -> None:
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "dtlib"]
    said = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
    assert said.stdout.splitlines()[:2] == [f"trees-by-counting {dtlib.__version__}", f"in {ROOT / 'dtlib'}"]
    assert "stranger" not in said.stdout
    found = about.version_of
    monkeypatch.setattr(about, "version_of", lambda name: "0.0.0.dev2" if name == "dtlib" else found(name))
    assert "dtlib 0.0.0.dev2 is installed as well" in about.lines_about()[-1]


@pytest.mark.parametrize("owner", [None, "someone"])
def test_the_page_on_the_index_has_links_that_lead_somewhere(owner: str | None, tmp_path) -> None:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("GITHUB_")}
    if owner is not None:
        environment |= {"GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": f"{owner}/trees"}
    command = [sys.executable, "-m", "hatchling", "metadata"]
    said = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
    here = "https://github.com/someone/trees"
    assert (f'"Source": "{here}"' in said.stdout) == (owner is not None)
    assert (f"]({here}/raw/main/docs/screenshot.png)" in said.stdout) == (owner is not None)
    assert ("](CONTRIBUTING.md)" in said.stdout) == (owner is None)
    assert "](https://github.com/someone/trees/blob/main/https:" not in said.stdout
