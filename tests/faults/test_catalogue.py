"""The faults themselves: each has a name of its own and finds its one place."""

import json

import pytest

from tests.book.notebooks import ROOT
from tests.faults.__main__ import arguments, attempts
from tests.faults.catalogue import FAULTS
from tests.faults.edits import Fault, notebook, text, within


def test_there_are_enough_faults_with_names_of_their_own() -> None:
    assert len(FAULTS) >= 30
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_fault_finds_its_place(fault: Fault) -> None:
    assert fault.edited(ROOT) != (ROOT / fault.file).read_text(encoding="utf-8")


def test_a_fault_without_its_one_place_is_an_error(tmp_path) -> None:
    (tmp_path / "f").write_text("aab")
    for old, new in (("a", "c"), ("c", "d"), ("b", "b")):
        with pytest.raises(LookupError, match="fault “x”"):
            Fault("x", "test", "f", False, text(old, new)).plant(tmp_path)
    Fault("x", "test", "f", False, text("b", "c")).plant(tmp_path)
    assert (tmp_path / "f").read_text() == "aac"


def test_edits_of_notebooks_keep_to_their_kind() -> None:
    output = {"output_type": "stream", "name": "stdout", "text": ["0.5\n", "0.5 0.25"]}
    cells = [
        {"id": "a", "cell_type": "markdown", "source": "0.25"},
        {"id": "b", "cell_type": "code", "source": ["x\n", "0.25"], "outputs": [output]},
    ]
    content = json.dumps({"cells": cells})
    edited = json.loads(within("b", "stdout", "0.25", "0.26")(content))
    assert edited["cells"][0] == cells[0]
    assert edited["cells"][1]["outputs"][0]["text"] == "0.5\n0.5 0.26"
    with pytest.raises(LookupError, match="found 2 times"):
        within("b", "stdout", "0.5", "0.6")(content)
    with pytest.raises(LookupError, match="found 0 times"):
        within("a", "stdout", "0.25", "0.26")(content)
    assert notebook(lambda raw: None)(content) == content


def test_the_likeliest_place_is_searched_first() -> None:
    shown = Fault("x", "oblique", "dtlib/oblique.py", True, text("a", "b"))
    hidden = Fault("x", "oblique", "dtlib/oblique.py", False, text("a", "b"))
    assert next(attempts(shown, ROOT)) == ("nbval", ["chapters/15_oblique_trees.ipynb"])
    (tests,) = (files for name, files in attempts(hidden, ROOT) if name == "unit" and files)
    assert tests[0] == "dtlib/oblique.py"
    assert str(ROOT / "tests/unit/test_oblique.py") in tests
    in_notebook = Fault("x", "prose", "chapters/15_oblique_trees.ipynb", True, text("a", "b"))
    assert [name for name, _ in attempts(in_notebook, ROOT)] == ["prose", "nbval", "structure"]


@pytest.mark.parametrize(
    ("given", "message"),
    [(["--jobs", "0"], "--jobs: 0 is less than 1"), (["--only", "nothing"], "invalid choice: 'nothing'")],
)
def test_options_that_cannot_be_used_are_refused(monkeypatch, capsys, given, message) -> None:
    monkeypatch.setattr("sys.argv", ["faults", *given])
    with pytest.raises(SystemExit):
        arguments()
    assert message in capsys.readouterr().err
