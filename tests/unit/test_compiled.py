"""The compiled engine's parts, one by one; without Numba they run as plain Python."""

import logging
import os
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from dtlib import jit
from dtlib.compiled.lines import fill_presorted, mark_near
from dtlib.compiled.scans import Wanted, scan_channels, scan_concave, scan_pairs, scan_sums
from dtlib.compiled.seek import best_node_split, fill_random_keys
from dtlib.compiled.state import CODE, NEAR, ROW, NodeAt
from dtlib.counting.targets import ClassificationTarget
from dtlib.growing.depth_first import bounds_of, compiled_criterion, work_of
from dtlib.growing.table_in_lines import table_of
from dtlib.jit import compiling
from dtlib.search.random_keys import random_keys
from dtlib.search.rules import Rules
from dtlib.table.reading import class_targets
from dtlib.table.training import read_training

N = 6
LINE = np.arange(N) << CODE | np.arange(N)
LABEL = np.array([0, 1, 0, 0, 1, 1])
NO_VALUES, NO_WEIGHT = np.empty(0), np.empty(0, np.int64)


def wanted(find):
    return Wanted(slack=1e-9, floor=-np.inf, find=find, gap=0.0, few=1, least=0, n=N)


def sums(find):
    i = np.arange(N + 1)
    inverse = 1 / np.maximum(i, 1)
    return scan_sums(LINE, NO_VALUES, wanted(find), LABEL, i / N * 3, inverse + inverse[::-1])


def counts(scan, find, *how):
    whole, left = np.array([3, 3]), np.empty(2, int)
    return scan(LINE, NO_VALUES, wanted(find), NO_WEIGHT, whole, left, LABEL, *how)


def pairs(find):
    return counts(scan_pairs, find)


def concave(find):
    return counts(scan_concave, find, np.empty(2, int), np.empty(0))


def channels(find):
    whole, left, ends = np.array([3]), np.empty(1, int), np.array([0, 1])
    given = LINE, NO_VALUES, wanted(find), NO_WEIGHT
    return scan_channels(*given, whole, left, LABEL[None], ends, (False, 1.0))


@pytest.mark.parametrize(("scan", "best", "second"), [
    (sums, 4, 1), (pairs, 4, 1), (concave, 4, 1), (channels, 4, 1),
])  # fmt: skip
def test_a_scan_keeps_the_best_cut_or_the_first_that_scores_what_is_looked_for(scan, best, second):
    score, at, where, near_tie = scan(np.inf)
    assert (at, where, near_tie) == (score, best, False)
    of_second = scan(-np.inf)
    assert of_second[2] == second
    assert of_second[1] < score
    assert scan(of_second[1])[2] == second, "a cut that scores just so much is what is looked for"
    assert scan(np.nextafter(of_second[1], 9))[2] > second
    assert scan(score)[2] == best


def parts(X, y, **rules):
    """Return what the search of one node is given."""
    data, rules = (
        read_training(np.asarray(X, float), class_targets(y, len(y))),
        Rules(criterion="gini", **rules),
    )
    target = ClassificationTarget(data.targets, data.weight, "gini")
    goal = compiled_criterion(target)
    table, bounds = table_of(data, target, goal, np.float32(0)), bounds_of(data, rules, target)
    return table, goal, bounds, work_of(goal, table)


@pytest.mark.parametrize(("X", "rules"), [
    ([[1], [1], [1]], {}), ([[1], [2], [3]], {"min_leaf_rows": 2}),
    ([[1], [1], [1], [2]], {"min_leaf_rows": 2}),
])  # fmt: skip
def test_a_node_that_nothing_can_split_asks_no_feature(X, rules):
    table, goal, bounds, work = parts(X, (["a", "b", "c", "a"])[: len(X)], **rules)
    whole = np.bincount(goal.label)
    node = NodeAt(start=0, end=len(X), n=len(X), slack=1e-9, key=np.uint64(1))
    found = best_node_split(table, node, goal, bounds, whole, work, np.ones(1, bool))
    assert found == (-1, -np.inf, 0)


def test_the_lots_of_a_node_keep_all_their_bits():
    *_, work = parts([[1, 2], [2, 1], [3, 3]], ["a", "b", "a"])
    fill_random_keys(np.uint64(5), work.random_keys)
    assert work.random_keys.tolist() == random_keys(np.array([5], np.uint64), 2)[:, 0].tolist()


def test_a_line_holds_the_rows_that_count_in_order_and_marks_what_is_too_close():
    codes, order = np.array([2, 0, 1, 2]), np.array([1, 2, 0, 3])
    line = np.empty(3, np.int64)
    fill_presorted(codes, order, np.array([0, 1, 2, -1]), line)
    assert (line & ROW).tolist() == [1, 2, 0]
    assert (line >> CODE).tolist() == [0, 1, 2]
    mark_near(line, np.array([1, 2, 2.5], np.float32), np.float32(0.5))
    assert ((line & NEAR) > 0).tolist() == [False, True, False]


def test_a_numba_that_cannot_be_loaded_is_said_and_not_used(monkeypatch, caplog):
    def refuses(name):
        raise ImportError(f"{name} needs NumPy 1.0 or less")

    monkeypatch.setattr(jit, "find_spec", lambda name: name)
    monkeypatch.setattr(jit, "import_module", refuses)
    assert not jit.has_numba.__wrapped__()
    ((logger, level, said),) = caplog.record_tuples
    assert (logger, level) == ("dtlib", logging.WARNING)
    assert "cannot be loaded (numba needs NumPy 1.0 or less): NumPy is used" in said


@pytest.mark.parametrize("is_there", [True, False])
def test_a_numba_that_is_not_there_is_not_loaded(monkeypatch, caplog, is_there):
    loaded = []

    def load(name):
        loaded.append(name)
        return told(DISABLE_JIT=0)

    monkeypatch.setattr(jit, "find_spec", lambda name: name if is_there and name == "numba" else None)
    monkeypatch.setattr(jit, "import_module", load)
    assert jit.has_numba.__wrapped__() is is_there
    assert loaded == ["numba"] * is_there
    assert not caplog.records


def told(**settings):
    """Return a Numba that is told something."""
    return SimpleNamespace(config=SimpleNamespace(**settings))


def test_a_numba_that_is_told_to_compile_nothing_is_not_used(monkeypatch, caplog):
    monkeypatch.setattr(jit, "find_spec", lambda name: name)
    monkeypatch.setattr(jit, "import_module", lambda name: told(DISABLE_JIT=1))
    assert jit.has_numba.__wrapped__() is False
    assert not caplog.records


GROW = """
import logging, warnings
logging.basicConfig(level="DEBUG", format="%(message)s")
warnings.simplefilter("error")
from dtlib import CARTClassifier
CARTClassifier().fit([[1], [2], [3]], [0, 1, 0])
from dtlib.compiled import grow
print(type(grow.grow_lines).__name__)
"""


@pytest.mark.skipif(not jit.has_numba(), reason="without Numba, nobody tells it anything")
def test_with_numba_disable_jit_numpy_grows_the_tree():
    """Its loops would run as plain Python; those that a test calls by name do, without a warning."""
    known = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", GROW], env=known, capture_output=True, text=True, check=True)
    assert "grown level by level: compiled code is not at hand" in done.stderr
    assert done.stdout == "function\n"


def test_whole_numbers_wrap_without_a_warning(monkeypatch):
    monkeypatch.setattr(compiling, "njit", None)
    for wrap in (compiling.compiled, compiling.inner, compiling.inlined):
        assert wrap(lambda x: x + x)(np.uint64(2**63)) == 0
