"""The runner itself: what each operator makes, that what is planted runs, and what counts as caught."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections import Counter
from multiprocessing.connection import Connection
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.faults import (
    chapters,
    controls,
    files,
    mutate_code,
    mutate_text,
    plan,
    plant,
    report,
    sample,
    worker,
)
from tests.faults.__main__ import BUILDS, arguments, choose, every, main
from tests.faults.mutant import ROOT, Change, Mutant, read
from tests.faults.pool import Done, Void
from tests.faults.reach import Reach, Reached, helpers

KNOWN = {mutant.id: mutant for mutant in every()}

OPERATORS = [
    ("boundary", "a < b", "a <= b"),
    ("comparison", "a is  not b", "a is b"),
    ("comparison", "(a) not in (b)", "(a) in (b)"),
    ("constant", "a[2]", "a[1]"),
    ("constant", "2.58", "2.57"),
    ("constant", "True", "False"),
    ("arithmetic", "a // b", "a / b"),
    ("boolean", "a and b or c", "a or b or c"),
    ("sign", "-a", "a"),
    ("not", "not a", "a"),
    ("not", "not (a and b)", "(a and b)"),
    ("argument", "f(a, b)", "f(b, a)"),
    ("argument", "f(a, b)", "f(a)"),
    ("argument", "f(a, b=c)", "f(a)"),
    ("twin", "max(a)", "min(a)"),
    ("branch", "a if b else c", "a if False and (b) else c"),
    ("branch", "[a for a in b if c]", "[a for a in b if (True or (c))]"),
    ("return", "a + b", "None"),
    ("word", "'gain'", "'gainx'"),
]


@pytest.mark.parametrize(("kind", "before", "after"), OPERATORS)
def test_an_operator_changes_what_it_is_for(kind: str, before: str, after: str) -> None:
    made = mutate_code.mutants("dtlib/x.py", f"def f(a, b, c):\n    return {before}\n")
    assert (kind, f"return {after}") in {(mutant.kind, mutant.after) for mutant in made}


@pytest.mark.parametrize(
    ("kind", "before", "after"),
    [
        ("guard", "if a:\n        raise E", "if False and (a):"),
        ("branch", "while a:\n        b()", "while not (a):"),
        ("statement", "b.c = a", "pass"),
        ("arithmetic", "a += 1", "a -= 1"),
        ("statement", "a += 1", "pass"),
        ("statement", "b(a)", "pass"),
    ],
)
def test_a_statement_is_changed(kind: str, before: str, after: str) -> None:
    made = mutate_code.mutants("dtlib/x.py", f"def f(a, b):\n    {before}\n")
    assert (kind, after) in {(mutant.kind, mutant.after) for mutant in made}


def test_what_is_drawn_is_changed_so_that_a_reader_sees_it() -> None:
    made = mutate_code.mutants("dtlib/draw/x.py", "WIDTH, FAINT, ONE = 44, 0.35, 1\n")
    after = {mutant.after for mutant in made if mutant.kind == "constant"}
    assert after == {f"WIDTH, FAINT, ONE = {new}" for new in ("88, 0.35, 1", "44, 0.7, 1", "44, 0.35, 2")}


def test_texts_for_people_are_left_alone() -> None:
    text = 'def f(a: "int") -> "int":\n    """Say 1."""\n    raise ValueError(f"a is {a}, wanted 1", "b")\n'
    assert {mutant.kind for mutant in mutate_code.mutants("dtlib/x.py", text)} <= {"argument"}


def test_mutants_have_ids_of_their_own_and_still_compile() -> None:
    assert len(KNOWN) > 20_000
    code = [mutant for mutant in KNOWN.values() if mutant.file.endswith(".py")]
    for mutant in random.Random(0).sample(code, 60):
        text = mutant.texts()[mutant.file]
        assert text.count("\n") == read(mutant.file).count("\n"), mutant.id
        plant.compiled(text, mutant.file)


def test_an_id_does_not_follow_edits_elsewhere() -> None:
    text = "def f(a):\n    return a < 1\n"
    ids = {mutant.id for mutant in mutate_code.mutants("dtlib/x.py", text)}
    longer = "import os\n\n\ndef g(a):\n    return a > 1\n\n\n" + text.replace(
        "    return", "    a += 1\n    return"
    )
    assert ids <= {mutant.id for mutant in mutate_code.mutants("dtlib/x.py", longer)}


def test_a_chapter_stays_a_notebook_that_differs_in_one_cell() -> None:
    chapters = [mutant for mutant in KNOWN.values() if mutant.file.endswith(".ipynb")]
    for mutant in random.Random(0).sample(chapters, 40):
        old, new = json.loads(read(mutant.file)), json.loads(mutant.texts()[mutant.file])
        changed = [a["id"] for a, b in zip(old["cells"], new["cells"], strict=True) if a != b]
        assert changed == [mutant.place]


def test_every_numbered_formula_is_found_where_it_is_stored() -> None:
    for file in mutate_text.chapters():
        for cell in json.loads(read(file))["cells"]:
            for display in mutate_text.DISPLAY.finditer("".join(cell["source"])):
                if mutate_text.TAG.search(display[1]) and cell["cell_type"] == "markdown":
                    shown = mutate_text.as_stored(display[1])
                    assert rf"\\[{shown}" in mutate_text.page_with(mutate_text.FORMULAS)


def test_a_change_of_a_formula_is_stored_on_the_one_page_as_well() -> None:
    cells = json.loads(read("chapters/03_information_gain.ipynb"))["cells"]
    source = "".join(line for cell in cells for line in cell["source"])
    start = source.index("g(D, A) = H(D) - H(D|A)")
    changes = list(mutate_text.stored(source, start, start + 1, "h"))
    assert [change.file for change in changes] == [mutate_text.FORMULAS, mutate_text.ONE_PAGE]
    assert [change.new for change in changes] == ["h(D, A) = H(D) - H(D|A)"] * 2


def module(tmp_path: Path, text: str) -> tuple[SimpleNamespace, str]:
    """Import the text of a module; return it and its path."""
    path = str(tmp_path / "m.py")
    space: dict[str, object] = {"__name__": "m"}
    exec(plant.compiled(text, path), space)
    return SimpleNamespace(**space), path


def test_a_live_function_gets_the_code_and_is_seen_to_run_it(tmp_path: Path) -> None:
    text = "from functools import cache\n\n@cache\ndef f():\n    return 1\n"
    found, path = module(tmp_path, text)
    live = plant.live_functions(tmp_path)[path]
    witness = plant.patch(live, text, text.replace("1", "2"), path)
    assert not witness.seen
    assert found.f() == 2
    witness.stop()
    assert witness.seen


def test_a_constant_of_a_module_cannot_be_patched(tmp_path: Path) -> None:
    text = "A = 1\ndef f():\n    return A\n"
    found, path = module(tmp_path, text)
    with pytest.raises(plant.CannotPatch):
        plant.patch(plant.live_functions(tmp_path)[path], text, text.replace("A = 1", "A = 2"), path)
    assert found.f() == 1


def test_a_library_imported_too_early_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="imported before its fault was planted"):
        plant.Imported(ROOT / "tests" / "faults" / "plant.py", "")


def test_a_text_is_read_as_planted_and_only_there(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr("io.open", open)
    monkeypatch.setattr("builtins.open", open)
    (tmp_path / "a").write_text("old")
    (tmp_path / "b").write_text("old")
    reading = plant.Read({"a": "new ≤"}, tmp_path)
    assert (tmp_path / "b").read_text() == "old"
    assert not reading.seen
    assert (tmp_path / "a").read_text(encoding="utf-8") == "new ≤"
    assert (tmp_path / "a").read_bytes() == "new ≤".encode()
    assert reading.seen


@pytest.mark.parametrize(
    ("status", "outcome"), [(int(worker.signal.SIGPROF), "time-out"), (11, "broken"), (1 << 8, "broken")]
)
def test_a_process_that_ends_without_a_result_has_caught_nothing(tmp_path, status: int, outcome: str) -> None:
    assert worker.result_of(status, tmp_path / "none").outcome == outcome


def done(outcome: str, seen: bool = True) -> Done:
    """Return what came of a mutant."""
    return Done(worker.Result(outcome, seen=seen, ran=1))


def some(kind: str = "sign", name: str = "a") -> Mutant:
    """Return a mutant."""
    return Mutant(
        kind, "measures", "f", "return -a", "return a", (Change("dtlib/x.py", 0, 1, ""),), (3, 3), id=name
    )


def test_a_control_that_fails_and_a_fault_that_never_ran_make_the_run_void() -> None:
    tried = {"a": (some("control"), done("killed")), "b": (some("planted", "b"), done("survived"))}
    tried |= {"c": (some(name="c"), done("survived", seen=False)), "d": (some(name="d"), done("killed"))}
    assert [line.split()[0] for line in controls.wrong(tried)] == ["a", "b", "c"]


def test_a_survivor_is_reported_and_what_is_no_catch_has_its_own_column() -> None:
    outcomes = ("killed", "survived", "broken", "time-out", "memory", "survived")
    tried = {str(k): (some(name=str(k)), done(outcome)) for k, outcome in enumerate(outcomes)}
    lines = list(report.lines(tried, {"5": "the same"}))
    assert lines[1].split() == ["measures", "6", "1", "1", "0", "1", "1", "1", "1", "50.0%", "33.3%"]
    assert "Survivors in dtlib/x.py" in lines
    assert "  1 (line 3)" in lines
    assert "    + return a" in lines
    assert not any(line.startswith("  5") for line in lines)


def test_each_equivalent_has_a_reason_and_is_still_a_mutant(tmp_path: Path) -> None:
    report.equivalents(KNOWN)
    for row in ("nobody\t-\tit is gone", "a\t-\t", "a"):
        (tmp_path / "e.tsv").write_text(f"mutant\tchange\treason\n{row}\n")
        with pytest.raises(Void):
            report.equivalents({"a": some()}, tmp_path / "e.tsv")


def test_a_sample_is_drawn_again_and_has_every_group() -> None:
    mutants = list(KNOWN.values())
    once, again = sample.drawn(mutants, 400, 1), sample.drawn(mutants[::-1], 400, 1)
    assert {mutant.id for mutant in once} == {mutant.id for mutant in again}
    assert 380 <= len(once) <= 420
    assert set(Counter(mutant.group for mutant in once)) == {mutant.group for mutant in mutants}


def test_lines_choose_the_mutants_of_their_statements() -> None:
    chosen = choose(list(KNOWN.values()), arguments(["--all", "--lines", "dtlib/measures.py:1-80"]))
    assert chosen
    assert all(mutant.file == "dtlib/measures.py" and mutant.lines[0] <= 80 for mutant in chosen)


@pytest.mark.long
def test_a_list_tries_nothing_and_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--list", "--all", "--lines", "dtlib/measures.py:1-200", "--save", str(tmp_path / "last.json")]
    assert main(given) == 0
    chosen = choose(list(KNOWN.values()), arguments(given))
    assert capsys.readouterr().out == "".join(f"{mutant.id}\n{mutant.diff()}\n" for mutant in chosen) != ""
    assert list(tmp_path.iterdir()) == []


def test_tests_that_need_a_new_import_get_one() -> None:
    mutant = next(m for m in KNOWN.values() if m.file == "dtlib/measures.py" and not m.fresh)
    at = {mutant.file: frozenset(mutant.lines)}
    tests = {
        "tests/a.py::x": Reached(2.0, at),
        "tests/b.py::y": Reached(1.0, at),
        "tests/c.py::z": Reached(1.0),
    }
    reach = Reach(tests, {"tests/b.py": Reached(lines=at)})
    first, second = plan.legs(mutant, reach)
    assert (first.how, first.tests) == ("patch", (("tests/a.py::x", 2.0),))
    assert (second.how, second.tests, second.files) == ("import", (("tests/b.py::y", 1.0),), ("tests/b.py",))


@pytest.mark.parametrize("given", [["--jobs", "0"], ["--seed", "x"]])
def test_options_that_cannot_be_used_are_refused(given: list[str]) -> None:
    with pytest.raises(SystemExit):
        arguments(given)


def told(task: worker.Task) -> worker.Result:
    """Come to what the name of a task says."""
    if task.name == "time-out":
        worker.allow(0.05)
        while True:
            pass
    if task.name == "broken":
        raise ImportError(task.name)
    if task.name == "left":
        os.environ["LEFT"] = "1"
    return worker.Result("survived" if "LEFT" not in os.environ else "killed")


def served(connection: Connection) -> None:
    """Be a server of `told`."""
    worker.serve(connection, told)


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_each_task_has_a_process_of_its_own() -> None:
    server = worker.Server(served)
    came = {}
    for name in ("left", "time-out", "broken", "after"):
        server.connection.send(worker.Task(name, "read"))
        name, result, _ = server.connection.recv()
        came[name] = result.outcome
    server.stop()
    assert came == {"left": "killed", "time-out": "time-out", "broken": "broken", "after": "survived"}


def test_outputs_are_stored_again_where_they_were() -> None:
    chapter = chapters.all_chapters()[0]
    cell = next(cell for cell in json.loads(read(chapter))["cells"] if cell.get("outputs"))
    (output, *_) = cell["outputs"]
    kind = "stdout" if output["output_type"] == "stream" else next(iter(output["data"]))
    again = json.loads(chapters.stored_again(chapter, {cell["id"]: [(kind, "one\ntwo")]}))
    (new,) = (new["outputs"][0] for new in again["cells"] if new["id"] == cell["id"])
    assert (new["text"] if kind == "stdout" else new["data"][kind]) == ["one\n", "two"]
    assert chapters.stored_again(chapter, {}) == read(chapter)


def test_builds_are_few_unless_asked_for() -> None:
    everything = list(KNOWN.values())
    assert not any(mutant.group == "site" for mutant in choose(everything, arguments([])))
    assert sum(mutant.group == "site" for mutant in choose(everything, arguments(["--all"]))) == BUILDS
    asked = choose(everything, arguments(["--kind", "setting", "--all"]))
    assert {mutant.group for mutant in asked} == {"site"}


@pytest.mark.long
def test_a_run_lists_what_its_tests_let_through() -> None:
    command = [
        "-m",
        "tests.faults",
        "--file",
        "dtlib/arrays.py",
        "--number",
        "12",
        "--tests",
        "dtlib/arrays.py",
    ]
    ran = subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout
    assert "Survivors in dtlib/arrays.py" in ran.stdout
    assert "controls came out as they must" in ran.stdout


@pytest.mark.long
def test_a_default_is_tried_by_the_tests_that_run_its_function() -> None:
    file = "dtlib/measures.py"
    mutant = next(m for m in KNOWN.values() if m.file == file and m.before.startswith("def "))
    lines = plan.body(mutant)
    assert mutant.fresh
    assert mutant.lines[0] in lines
    within = Reached(1.0, {file: frozenset([lines[-1]])})
    assert plan.users(mutant, Reach({"tests/a.py::x": within}, {})) == {"tests/a.py::x"}


def test_a_test_depends_on_the_helpers_that_it_imports() -> None:
    found = helpers("tests/faults/test_faults.py")
    assert {"tests/faults/plan.py", "tests/faults/mutant.py", "tests/faults/__init__.py"} <= found
    assert "tests/faults/test_faults.py" not in found
    assert helpers("dtlib/measures.py") == frozenset()


def test_a_file_that_is_edited_while_a_run_goes_on_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(files, "listed", lambda: ["a", "b"])
    monkeypatch.setattr(files, "ROOT", tmp_path)
    (tmp_path / "a").write_text("1")
    before = files.state()
    assert list(files.edited(before)) == []
    (tmp_path / "b").write_text("1")
    (tmp_path / "a").write_text("2")
    assert [line.split()[0] for line in files.edited(before)] == ["a", "b"]


def test_a_sample_runs_the_first_tests_and_says_how_many_are_left() -> None:
    leg = worker.Task("a", "patch", tests=(("x", 3.0), ("y", 4.0), ("z", 5.0)))
    for seconds, number in ((1.0, 1), (7.0, 2), (100.0, 3)):
        (short,) = plan.within([leg], seconds)
        assert (len(short.tests), short.left) == (number, 3 - number)


def test_one_case_of_each_test_comes_before_the_others() -> None:
    seconds = {"a.py::x[1]": 0.1, "a.py::x[2]": 0.2, "a.py::y": 3.0, "c45.py::z": 5.0}
    reach = Reach({name: Reached(used) for name, used in seconds.items()}, {})
    assert reach.ordered(seconds, "dtlib/c45.py") == ["c45.py::z", "a.py::x[1]", "a.py::y", "a.py::x[2]"]


TWO_TESTS = """
import warnings, pytest

@pytest.mark.filterwarnings("ignore:known")
def test_ignores(): warnings.warn("known", stacklevel=1)

def test_does_not(): warnings.warn("known", stacklevel=1)
"""
IN_THE_LOOP = """
import sys, pytest
from tests.faults import reach

class Loop:
    def pytest_runtestloop(self, session):
        print([reach.reports_of(item)[1].outcome for item in session.items])
        return True

pytest.main(["-q", "-W", "error", "-p", "no:cacheprovider", sys.argv[1]], plugins=[Loop()])
"""


@pytest.mark.long
def test_a_warning_that_a_test_ignores_does_not_fail_it(tmp_path: Path) -> None:
    file = tmp_path / "test_two.py"
    file.write_text(TWO_TESTS, encoding="utf-8")
    command = [sys.executable, "-c", IN_THE_LOOP, str(file)]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert "['passed', 'failed']" in found.stdout, found.stdout + found.stderr
