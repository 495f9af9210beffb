"""What a newcomer reads first: README is short and its code runs, as does that of the tour of the library."""

from __future__ import annotations

import re

import pytest
import yaml

from tests.book.notebooks import ROOT
from tests.book.page_code import blocks, run

README = (ROOT / "README.md").read_text(encoding="utf-8")
TOUR = (ROOT / "reference" / "library.md").read_text(encoding="utf-8")
LINK = re.compile(r"!?\[[^\]]*\]\((?!https?:|#)([^)#]+)")


def test_the_tour_runs_and_prints_what_stands_below_it(tmp_path, monkeypatch) -> None:
    """In the order of the page, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    pieces = blocks(TOUR)
    assert len(pieces) == TOUR.count("```python") >= 8
    names, said = run(pieces, "library.md")
    names["connection"].close()
    assert said == [printed for _, printed in pieces]
    assert all(said)


def test_the_code_of_readme_runs_and_says_what_its_comments_say(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    [(code, _)] = blocks(README)
    assert len(code.splitlines()) <= 10
    names, [said] = run([(code, "")], "README.md")
    promised = re.search(r"the root's branches: (.*), (texture in .*)", code)
    assert all(f"─ {branch} (" in said for branch in promised.groups())
    kinds = [kind.kind in "if" for kind in names["melons"].X.dtypes]
    assert (len(kinds) - sum(kinds), sum(kinds)) == (6, 2)
    assert "six categorical features and two numeric ones" in code


def test_readme_is_short() -> None:
    """An index shows it as the page of the package; more than this nobody reads there."""
    assert len(README.split()) <= 400
    assert README.count("![") == 1
    assert [line for line in README.splitlines() if len(line) > 120] == []


def test_readme_names_the_package_to_install_and_the_one_not_to() -> None:
    assert "pip install trees-by-counting" in README
    assert "**Do not `pip install dtlib`**" in README


def test_what_readme_links_to_is_there() -> None:
    assert [name for name in LINK.findall(README) if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("name", ["README.md", "reference/library.md", "reference/from_sklearn.md"])
def test_it_begins_with_the_categories(name: str) -> None:
    """What nobody who knows scikit-learn expects is in the first sentence."""
    first = (ROOT / name).read_text(encoding="utf-8").split("\n\n")[1].partition(".")[0].partition(":")[0]
    assert re.search("[Cc]ategories.* as they are", " ".join(first.split()))


def test_the_tour_stands_before_the_api() -> None:
    reference = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))["parts"][-1]["chapters"]
    files = [entry["file"] for entry in reference]
    assert files[files.index("reference/library") + 1] == "reference/api"
