"""What a release says of itself: one version, floors that are tested, actions that nobody can exchange."""

import hashlib
import json
import os
import re
import subprocess
import sys
import tomllib
import urllib.request
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.version import Version

import dtlib
from dtlib import __main__ as about
from tests.book.notebooks import ROOT
from tools import release, wheel

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
OWN = ["./.github/workflows/tell.yml"]
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
    used = [line for line in re.findall(r"\buses: (.*)", WORKFLOWS[name]) if line not in OWN]
    assert [line for line in used if not re.fullmatch(r"[\w.-]+/[\w.-]+@[0-9a-f]{40} # v[\d.]+", line)] == []


@pytest.mark.parametrize("name", WORKFLOWS)
def test_a_workflow_may_write_in_one_job_only_which_runs_nothing_that_is_new(name: str) -> None:
    workflow = yaml.safe_load(WORKFLOWS[name])
    assert workflow["permissions"] in ({}, {"contents": "read"})
    for job in workflow["jobs"].values():
        if "write" in job.get("permissions", {}).values():
            assert not any(
                "make " in step.get("run", "").partition("body=")[0] for step in job.get("steps", ())
            )


@pytest.mark.parametrize("name", WORKFLOWS)
def test_a_checkout_keeps_no_password(name: str) -> None:
    jobs = yaml.safe_load(WORKFLOWS[name])["jobs"].values()
    steps = [step for job in jobs for step in job.get("steps", ())]
    kept = [
        step.get("with", {}).get("persist-credentials")
        for step in steps
        if step.get("uses", "").startswith("actions/checkout@")
    ]
    assert set(kept) <= {False}


@pytest.mark.parametrize("name", WORKFLOWS)
def test_a_workflow_makes_what_there_is(name: str) -> None:
    targets = set(re.findall(r"^([a-z-]+):", read("Makefile"), re.MULTILINE))
    assert set(re.findall(r"run: make ([a-z-]+)", WORKFLOWS[name])) <= targets


@pytest.mark.parametrize("name", WORKFLOWS)
def test_what_runs_by_the_clock_tells_when_it_fails(name: str) -> None:
    workflow = yaml.safe_load(WORKFLOWS[name])
    if "schedule" in workflow[True]:  # YAML 1.1 reads `on` as true
        told = workflow["jobs"]["tell"]
        assert told["uses"] == "./.github/workflows/tell.yml"
        assert told["if"] == "failure() && github.event_name == 'schedule'"


def test_one_check_waits_for_all_others_but_the_one_that_may_fail() -> None:
    jobs = yaml.safe_load(WORKFLOWS["test.yml"])["jobs"]
    allowed = {name for name, job in jobs.items() if job.get("continue-on-error")}
    assert allowed == {"newest"}
    assert set(jobs["passed"]["needs"]) == set(jobs) - allowed - {"passed", "tell"}


def test_the_notebooks_name_the_repository_of_the_citation() -> None:
    assert list(release.strangers(ROOT, release.field(read("CITATION.cff"), "repository-code") or "")) == []


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a clone, published elsewhere, with what a release writes; its changes are of version 9.8.7."""
    for name in (release.LIBRARY, release.CITATION, release.CHANGES, *release.notebooks(ROOT)[:2]):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(read(name), encoding="utf-8")
    changes = "# Changes\n\n## 9.8.7 (not yet released)\n\n- New.\n\n## 0.0.1 (2020-01-01)\n\n- Old.\n"
    (tmp_path / release.CHANGES).write_text(changes, encoding="utf-8")
    for command in ("init --quiet", "remote add origin https://github.com/nobody/elsewhere.git"):
        release.git(tmp_path, *command.split())
    return tmp_path


def test_a_release_writes_one_version_and_one_address_everywhere(copy: Path) -> None:
    assert len(list(release.faults(copy, "v9.8.7"))) == 3
    release.write_version(copy, "9.8.7", "2031-02-03")
    assert release.write_address(copy) == "https://github.com/nobody/elsewhere"
    assert list(release.faults(copy, "v9.8.7")) == []
    assert release.section(release.read(copy, release.CHANGES), "9.8.7") == "- New."
    citation = yaml.safe_load(release.read(copy, release.CITATION))
    assert (citation["version"], str(citation["date-released"])) == ("9.8.7", "2031-02-03")
    assert citation["repository-code"] == "https://github.com/nobody/elsewhere"
    for name in release.notebooks(copy):
        before, after = json.loads(read(name)), json.loads(release.read(copy, name))
        (line,) = [line for cell in after["cells"] for line in cell["source"] if "@param" in line]
        assert line == 'repository = "https://github.com/nobody/elsewhere"  #@param {type: "string"}\n'
        assert [c["id"] for c in before["cells"] if c not in after["cells"]] == ["install"]


@pytest.mark.parametrize("tag", ["v9.8.6", "9.8.7", "v9.8.7-final"])
def test_another_tag_is_refused(copy: Path, tag: str) -> None:
    release.write_version(copy, "9.8.7", "2031-02-03")
    assert list(release.faults(copy, tag)) != []


def test_a_date_or_a_notebook_that_does_not_agree_is_named(copy: Path) -> None:
    release.write_version(copy, "9.8.7", "2031-02-03")
    citation = release.with_field(release.read(copy, release.CITATION), "date-released", "2031-02-04")
    release.write(copy, release.CITATION, release.with_field(citation, "repository-code", "https://x.org/y"))
    said = list(release.faults(copy, "v9.8.7"))
    assert said[0] == "CITATION.cff has the date 2031-02-04, and CHANGELOG.md has 2031-02-03."
    assert [line.partition(" ")[0] for line in said[1:]] == release.notebooks(copy)


@pytest.mark.parametrize("version", ["9.8.8", "0.0.1"])
def test_nothing_is_written_for_a_version_without_changes(copy: Path, version: str) -> None:
    before = release.read(copy, release.LIBRARY)
    with pytest.raises(SystemExit, match=r"CHANGELOG.md wants a heading"):
        release.write_version(copy, version, "2031-02-03")
    assert release.read(copy, release.LIBRARY) == before


def test_what_is_not_committed_is_not_released(copy: Path) -> None:
    with pytest.raises(SystemExit, match=r"this is not:\n\?\? CHANGELOG.md"):
        release.refuse_unless_clean(copy, "9.8.7")


def test_an_index_on_this_machine_offers_each_file_with_its_hash(tmp_path: Path) -> None:
    files = {"trees_by_counting-1.0-py3-none-any.whl": b"wheel", "trees_by_counting-1.0.tar.gz": b"sources"}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    with wheel.served(wheel.index(tmp_path, tmp_path / "index")) as address:
        project = f"{address}trees-by-counting/"
        with urllib.request.urlopen(project) as page:
            links = re.findall('href="(.*?)#sha256=(.*?)"', page.read().decode())
        assert [name for name, _ in links] == list(files)
        for name, digest in links:
            with urllib.request.urlopen(project + name) as file:
                assert hashlib.sha256(file.read()).hexdigest() == digest


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
