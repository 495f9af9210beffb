"""Nobody waits for the compiler: NumPy answers until compiled code is there, and one process compiles it."""

import os
import re
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

from dtlib import jit, kernels
from dtlib.jit import kept


@pytest.fixture
def fresh(monkeypatch, tmp_path):
    """Let this process know nothing, and have a folder of its own; return what is started, and the folder."""
    started = []
    monkeypatch.setattr(jit, "answering", jit.Answering())
    monkeypatch.setattr(jit, "may_compile", lambda: True)
    monkeypatch.setattr(jit, "has_numba", lambda: True)
    monkeypatch.setattr(kept, "folders", lambda: (tmp_path / "kept",))
    monkeypatch.setattr(kept, "home", kept.home.__wrapped__)
    monkeypatch.setattr(kept, "aside", [])
    at_exit = []
    monkeypatch.setattr(jit.atexit, "register", at_exit.append)
    monkeypatch.setattr(
        kept.subprocess, "Popen", lambda call, **how: started.append((call, how)) or SimpleNamespace()
    )
    return SimpleNamespace(started=started, folder=tmp_path / "kept", at_exit=at_exit)


def ask_twice():
    """Ask for compiled code of a large table, and again once the first answer is there."""
    assert not any([jit.is_ready("trees", jit.TO_LOAD), jit.is_ready("trees", jit.TO_LOAD)])


def test_small_tables_need_no_compiler(fresh):
    assert not any(jit.is_ready("trees", 600.0) for _ in range(10))
    assert fresh.started == []


def test_a_large_table_lets_one_process_compile_once_it_is_answered_and_later_calls_use_it(fresh):
    assert not jit.is_ready("trees", jit.TO_LOAD)
    assert fresh.started == []
    for _ in range(2):
        assert not jit.is_ready("rows", jit.TO_LOAD)
    ((call, how),) = fresh.started
    assert call == [sys.executable, "-P", "-m", "dtlib", "--compile", "--aside"]
    assert how["env"]["PYTHONPATH"].split(os.pathsep)[0] == str(kept.HOUSE.parent)
    (fresh.folder / "trees").touch()
    assert jit.is_ready("trees", 1.0)
    assert not jit.is_ready("rows", 1.0)


def test_a_process_that_asked_once_lets_another_one_compile_when_it_ends(fresh):
    assert not jit.is_ready("trees", jit.TO_LOAD)
    (last,) = fresh.at_exit
    last()
    assert len(fresh.started) == 1


def test_what_takes_longer_to_load_than_to_do_is_left_to_numpy(fresh):
    fresh.folder.mkdir()
    (fresh.folder / "trees").touch()
    assert not jit.is_ready("trees", jit.TO_COMPILE)
    assert jit.is_ready("trees", jit.TO_LOAD)
    assert jit.is_ready("trees", 1.0)
    assert fresh.started == []


def test_without_numba_nothing_is_compiled_or_looked_for(fresh, monkeypatch):
    monkeypatch.setattr(jit, "may_compile", lambda: False)
    ask_twice()
    assert fresh.started == []
    assert not fresh.folder.exists()


def test_while_another_process_compiles_none_is_started(fresh):
    fresh.folder.mkdir()
    with kept.locked(fresh.folder) as mine, kept.locked(fresh.folder) as again:
        assert (mine, again) == (True, False)
        ask_twice()
        assert fresh.started == []
    assert list(fresh.folder.iterdir()) == []
    ask_twice()
    assert len(fresh.started) == 1


def test_a_lock_that_was_left_over_is_broken(fresh):
    fresh.folder.mkdir()
    lock = fresh.folder / kept.LOCK
    lock.touch()
    long_ago = time.time() - 2 * kept.STALE
    os.utime(lock, (long_ago, long_ago))
    with kept.locked(fresh.folder) as mine:
        assert mine


def test_where_nothing_can_be_kept_nothing_is_started(fresh, monkeypatch):
    monkeypatch.setattr(kept, "can_write", lambda _: False)
    ask_twice()
    assert fresh.started == []


@pytest.mark.parametrize("executable", [None, ""])
def test_an_embedded_interpreter_starts_nothing(fresh, monkeypatch, executable):
    monkeypatch.setattr(sys, "executable", executable)
    ask_twice()
    assert fresh.started == []


def test_code_of_other_sources_is_not_used(monkeypatch, tmp_path):
    (tmp_path / "arrays.py").write_text("x = 1\n")
    monkeypatch.setattr(kept, "HOUSE", tmp_path)
    monkeypatch.setattr(kept.metadata, "version", lambda _: "1.0")
    before = kept.digest.__wrapped__()
    assert kept.digest.__wrapped__() == before
    (tmp_path / "arrays.py").write_text("x = 2\n")
    assert kept.digest.__wrapped__() != before


def test_the_sources_are_those_that_have_compiled_functions():
    """And nothing that such a module imports its numbers or functions from is forgotten."""
    known = {path for pattern in kept.SOURCES for path in kept.HOUSE.glob(pattern)}
    texts = {path: path.read_text(encoding="utf-8") for path in kept.HOUSE.rglob("*.py")}
    with_kernels = {path for path, text in texts.items() if "from dtlib.jit.compiling import" in text}
    assert len(with_kernels) > 10
    names = {
        name for path in with_kernels for name in re.findall(r"^from dtlib\.(\S+) import", texts[path], re.M)
    }
    said = {kept.HOUSE / (name.replace(".", "/") + ".py") for name in names - {"tree", "jit"}}
    assert with_kernels | said | {kept.HOUSE / "tree" / "reasons.py"} <= known
    assert all(any(kept.HOUSE.glob(pattern)) for pattern in kept.SOURCES)


FIT = """
import sys
import numpy as np
from dtlib import CARTClassifier
CARTClassifier().fit(np.arange(600.0).reshape(150, 4) % 7, np.arange(150) % 3)
print("numba" in sys.modules)
"""


def test_the_first_fit_of_a_small_table_does_not_even_load_numba(tmp_path):
    known = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", FIT], env=known, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("False\n", "")
    assert list(tmp_path.iterdir()) == []


def test_what_is_compiled_is_told(fresh, monkeypatch):
    monkeypatch.setattr(kernels, "may_compile", lambda: True)
    fresh.folder.mkdir()
    (fresh.folder / "rows").touch()
    where, rows, *others = kernels.state()
    assert str(fresh.folder) in where
    assert rows == "  rows: compiled 0 minutes ago"
    assert all(line.endswith(": not compiled") for line in others)
    monkeypatch.setattr(kept, "home", lambda: None)
    assert "no folder can be written" in kernels.state()[0]
    monkeypatch.setattr(kernels, "may_compile", lambda: False)
    assert "Numba is not installed" in kernels.state()[0]
    with pytest.raises(ImportError, match="wanted Numba"):
        kernels.compile()


ONCE = """
import os, sys, numpy as np, dtlib
from dtlib.jit import answering
if sys.argv[1] == "compile":
    dtlib.compile()
misses = {}
if sys.argv[1] == "count":
    from numba.core import event
    class Counts(event.Listener):
        def on_start(self, e): misses[str(e.data["dispatcher"])] = 1
        def on_end(self, e): pass
    event.register("numba:compile", Counts())
X = np.random.default_rng(0).normal(size=(100_000, 6)); y = (X[:, 0] > X[:, 1]).astype(int)
model = dtlib.CARTClassifier(max_depth=8)
for _ in range(12):
    model.fit(X, y).predict(X)
dtlib.C45Classifier(max_depth=3).fit(X, y)
print(sorted(answering.loaded), misses)
"""


@pytest.mark.long
@pytest.mark.skipif(not jit.has_numba(), reason="without Numba, nothing is compiled")
def test_what_one_process_compiles_another_uses_and_compiles_nothing(tmp_path):
    """Also if the folder can only be read by then."""
    known = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    for how, wanted in (("compile", None), ("count", "['ratio', 'rows', 'trees'] {}\n")):
        call = [sys.executable, "-c", ONCE, how]
        done = subprocess.run(call, env=known, capture_output=True, text=True, check=True)
        assert wanted in (None, done.stdout)
        for path in [*tmp_path.rglob("*"), tmp_path]:
            path.chmod(0o555 if path.is_dir() else 0o444)
    done = subprocess.run(call, env=known, capture_output=True, text=True, check=True)
    assert done.stdout == wanted


@pytest.mark.long
@pytest.mark.skipif(not jit.has_numba() or not hasattr(os, "fork"), reason="needs Numba, and fork")
def test_a_running_process_uses_what_the_background_has_compiled(tmp_path):
    """A child that was forked before answers as well, and compiles nothing itself."""
    code = ONCE.split("misses")[0] + RUNNING
    known = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", code, ""], env=known, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["numpy", "forked", "compiled"]


RUNNING = """
import time
from dtlib.jit import kept
X = np.random.default_rng(0).normal(size=(100_000, 20)); y = (X[:, 0] > X[:, 1]).astype(int)
model = dtlib.CARTClassifier()
first = model.fit(X, y).tree_
print("numpy" if "numba" not in sys.modules else "numba", flush=True)
pid = os.fork()
if pid == 0:
    model.fit(X, y)
    print("forked", flush=True)
    os._exit(0)
os.waitpid(pid, 0)
end = time.monotonic() + 570
while not kept.is_there("trees") and time.monotonic() < end:
    time.sleep(0.2)
second = model.fit(X, y).tree_
assert (first.threshold == second.threshold)[first.feature >= 0].all()
print("compiled" if "trees" in answering.loaded else "numpy")
while (kept.home() / kept.LOCK).exists():
    time.sleep(0.2)
"""
