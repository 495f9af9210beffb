"""What stands around the book for those who help: forms, policies, hooks, a container, CONTRIBUTING."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest
import yaml
from packaging.specifiers import SpecifierSet

from tests.book.notebooks import CHAPTERS, ROOT

FORMS = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("[0-9]*.yml"))
POLICIES = ("README.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "SECURITY.md", "CHANGELOG.md")
PAGES = [ROOT / name for name in POLICIES] + sorted((ROOT / "docs" / "maintainers").glob("*.md"))
OTHERS = [
    *FORMS,
    ROOT / ".github" / "pull_request_template.md",
    ROOT / ".devcontainer" / "devcontainer.json",
    ROOT / ".pre-commit-config.yaml",
]
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")
COMMAND = re.compile(r"(?:^|`|\"|&& )make ((?:-\w+ )?[a-z.][\w./-]*)", re.MULTILINE)
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
CONTAINER = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8"))
HOOKS = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]


def text(path: Path) -> str:
    """Return the text of a file."""
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", [*PAGES, *OTHERS], ids=lambda path: path.name)
def test_every_command_exists(path: Path) -> None:
    made = TARGETS | {".venv/ready"}
    assert [name for name in COMMAND.findall(text(path)) if name not in made] == []


def test_commands_are_found() -> None:
    assert {"test", "edit", "book"} <= {*COMMAND.findall(text(ROOT / "CONTRIBUTING.md"))}
    assert COMMAND.findall(text(ROOT / ".devcontainer" / "devcontainer.json"))[0] == ".venv/ready"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_link_to_a_file_leads_there(path: Path) -> None:
    said = re.sub(r"`[^`]*`", "", text(path))
    assert [name for name in LINK.findall(said) if not (path.parent / name).exists()] == []


def test_contributing_leads_to_every_page_for_maintainers_and_is_one_page() -> None:
    contributing = text(ROOT / "CONTRIBUTING.md")
    pages = {path.name for path in (ROOT / "docs" / "maintainers").glob("*.md")}
    assert {Path(name).name for name in LINK.findall(contributing) if "maintainers" in name} == pages
    assert len(contributing.split()) <= 600


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="git alone knows which folders are kept")
def test_every_folder_has_its_line() -> None:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    folders = {name.partition("/")[0] for name in listed if "/" in name} - {".ci", "docs"}
    said = re.findall(r"`([\w.-]+)/(?:maintainers/)?`", text(ROOT / "docs" / "maintainers" / "places.md"))
    assert folders - {*said} == set()


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.name)
def test_a_form_is_one_that_github_reads(path: Path) -> None:
    form = yaml.safe_load(text(path))
    assert {"name", "description", "body"} <= {*form}
    asked = [field for field in form["body"] if field["type"] != "markdown"]
    assert {field["type"] for field in asked} <= {"input", "textarea", "dropdown", "checkboxes"}
    assert all(field["attributes"]["label"] for field in asked)
    names = [field["id"] for field in asked]
    assert len(names) == len({*names})
    assert [name for name in names if not re.fullmatch(r"[a-z0-9_-]+", name)] == []
    assert any(field.get("validations", {}).get("required") for field in asked)


def test_there_is_a_form_for_the_book_the_library_and_wishes() -> None:
    assert [path.stem.partition("_")[2] for path in FORMS] == ["book", "library", "wish"]
    assert yaml.safe_load(text(FORMS[0].parent / "config.yml")) == {"blank_issues_enabled": True}


def test_the_container_has_a_python_that_the_book_allows_and_a_workflow_tests() -> None:
    project = tomllib.loads(text(ROOT / "pyproject.toml"))["project"]
    name, _, tag = CONTAINER["image"].partition(":")
    version = re.match(r"(\d+\.\d+)-\w+$", tag)[1]
    assert name == "python"
    assert version in SpecifierSet(project["requires-python"])
    assert f"container: {CONTAINER['image']} " in text(ROOT / ".github" / "workflows" / "test.yml")
    port = re.search(r"^PORT \?= (\d+)", text(ROOT / "Makefile"), re.MULTILINE)[1]
    assert int(port) in CONTAINER["forwardPorts"]


def test_hooks_run_what_is_pinned_and_fetch_nothing() -> None:
    [source] = HOOKS
    assert source["repo"] == "local"
    pinned = re.findall(r"^([\w-]+)==", text(ROOT / "requirements.txt"), re.MULTILINE)
    for hook in source["hooks"]:
        program, *given = hook["entry"].split()
        assert hook["language"] == "system"
        assert program.startswith(".venv/bin/")
        assert (program.rpartition("/")[2] if given[0] != "-m" else given[1]) in pinned
        assert [name for name in given if name.endswith(".py") and not (ROOT / name).exists()] == []
    chapters = [path.relative_to(ROOT).as_posix() for path in CHAPTERS]
    assert all(re.search(source["hooks"][-1]["files"], name) for name in chapters)


def test_the_code_of_conduct_is_the_covenant_that_it_links_to() -> None:
    said = " ".join(text(ROOT / "CODE_OF_CONDUCT.md").split())
    major, minor = re.search(r"contributor-covenant\.org/version/(\d)/(\d)/", said).groups()
    assert f"version {major}.{minor}." in said
    assert "@" not in said


def test_a_taken_port_is_named_with_another_one() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        command = [sys.executable, "-m", "tools.serve", "_build/html", "127.0.0.1", str(port)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert done.stderr.startswith(f"Port {port} is taken. Choose another: make serve PORT=")
    assert len(done.stderr.splitlines()) == 1


def test_a_build_passes_over_environments_and_what_is_made_for_a_class() -> None:
    made = {
        "class",
        "my-chapters",
        *re.findall(r"\.venv[\w-]*", (ROOT / "Makefile").read_text(encoding="utf-8")),
    }
    passed_over = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["exclude_patterns"]
    assert ".venv-grading" in made
    assert [name for name in made if not any(fnmatch(name, pattern) for pattern in passed_over)] == []
