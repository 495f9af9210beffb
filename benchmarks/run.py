"""Time dtlib beside its peers: `run.py` writes results.md and time.svg beside this file.

Fits take turns in one process, one thread each, and each time is divided by scikit-learn's of the same round:
what else the machine does then slows all of them. A ratio is the median over the rounds.
"""

from __future__ import annotations

import argparse
import csv
import gc
import math
import os
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import forests
from c45 import HOLES, RACES, Holes, Race, fit_c45, parts
from cases import CASES, DEPTHS, MEMORY, NOMINAL_ROWS, PREDICT, SLOW_SPOTS, Case, continuous, names
from engines import ENGINES, engines_section
from first_answer import first_answers
from growth import GROWING, Points, slopes
from large import LARGE, large_section
from many_names import names_section
from oblique import oblique_section
from optimal import OPTIMAL, optimal_section
from peers import BY_NUMPY, DTLIB, NOMINAL_PEERS, PEERS, Elsewhere, NominalPeer, Peer, fit_id3
from pessimistic import pruning_section
from pruning_path import PRUNING, time_pruning
from report import (
    C45,
    COLORS,
    c45_section,
    draw,
    fit_table,
    memory_table,
    nominal_table,
    ratios,
    renewed,
    write,
)
from threadpoolctl import threadpool_limits

import dtlib
from dtlib.jit import has_numba

HERE = Path(__file__).parent
GROWTH = HERE.parent / "experiments" / "results" / "speed_growth.csv"  # for the page "Why it is fast"
STATUS = Path("/proc/self/status")  # Linux only


@dataclass(frozen=True)
class Effort:
    """How much is timed: rows at most, seconds for a case, and rounds at least and at most."""

    rows: int = 10**6
    seconds: float = 15.0
    least: int = 3
    most: int = 25


FULL, QUICK = Effort(), Effort(rows=10**5, seconds=3.0, least=1, most=9)


@dataclass
class Timing:
    """The seconds of each round of one library, and what its tree has."""

    seconds: list[float]
    nodes: int = 0
    parts: int = 0  # of rows, in all nodes


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    """Return the seconds of a call, and its result."""
    gc.collect()
    start = time.perf_counter()
    result = call()
    seconds = time.perf_counter() - start
    return (result.seconds if isinstance(result, Elsewhere) else seconds), result


def take_turns(
    calls: dict[str, Callable[[], Any]], effort: Effort, once: Sequence[str] = ()
) -> tuple[dict[str, Timing], dict[str, Any]]:
    """Time calls in rounds, each in the reverse order of the last, until the time is used up."""
    timings, results = {name: Timing([]) for name in calls}, {}
    start, turns = time.perf_counter(), 0
    while turns < effort.least or (turns < effort.most and time.perf_counter() - start < effort.seconds):
        for name in list(calls)[:: 1 if turns % 2 == 0 else -1]:
            if turns == 0 or name not in once:
                seconds, results[name] = timed(calls[name])
                timings[name].seconds.append(seconds)
        turns += 1
    return timings, results


def fits(case: Case, peers: Sequence[Peer], effort: Effort) -> dict[str, Timing]:
    """Time the fits of a case by all peers that are given so many rows."""
    X, y = case.data()
    some = [peer for peer in peers if peer.can(case)]
    calls = {peer.name: partial(peer.fit, case, X, y) for peer in some}
    timings, models = take_turns(calls, effort, [peer.name for peer in some if peer.once])
    for peer in some:
        timings[peer.name].nodes = peer.nodes(models[peer.name])
    return timings


def predictions(case: Case, peers: Sequence[Peer], effort: Effort) -> dict[str, Timing]:
    """Time the predictions of full trees for many rows."""
    X, y = case.data()
    many, _ = continuous(effort.rows)
    models = {peer.name: peer.fit(case, X, y) for peer in peers if peer.predict}
    calls = {peer.name: partial(peer.predict, models[peer.name], many) for peer in peers if peer.predict}
    timings, _ = take_turns(calls, effort)
    for peer in peers:
        if peer.predict:
            timings[peer.name].nodes = peer.nodes(models[peer.name])
    return timings


def beside(peer: NominalPeer, effort: Effort) -> dict[str, Timing]:
    """Time ID3 and a peer on as many rows as the peer can take."""
    X, y = names(min(peer.rows, NOMINAL_ROWS, effort.rows))
    calls = {"dtlib": partial(fit_id3, X, y), peer.name: partial(peer.fit, X, y)}
    return take_turns(calls, replace(effort, least=1, seconds=effort.seconds / 2))[0]


def race(some: Race, effort: Effort) -> dict[str, Timing]:
    """Time C4.5 of dtlib and of another library."""
    X, y = some.make()
    with ExitStack() as stack:
        calls = {DTLIB.name: partial(fit_c45, some.settings, X, y), some.other: some.fit(X, y, stack)}
        timings, models = take_turns(calls, replace(effort, seconds=effort.seconds / 2))
    timings[DTLIB.name].nodes = len(models[DTLIB.name].tree_)
    timings[some.other].nodes = some.nodes(models[some.other])
    return timings


def holes(some: Holes, effort: Effort) -> dict[str, Timing]:
    """Time C4.5 without and with missing values, and count the parts of rows."""
    data = some.data()
    calls = {name: partial(fit_c45, some.settings, X, y) for name, (X, y) in data.items()}
    timings, models = take_turns(calls, replace(effort, seconds=effort.seconds / 2))
    for name, (X, _) in data.items():
        timings[name].nodes = len(models[name].tree_)
        timings[name].parts = parts(models[name], X)
    return timings


def time_c45(effort: Effort) -> str:
    """Time C4.5, and write its section."""
    fit_c45("textbook", *continuous(200))
    beside = {some: race(some, effort) if some.is_installed() else None for some in RACES}
    return c45_section(beside, {some: holes(some, effort) for some in HOLES})


def resident(what: str) -> int:
    """Return the memory of this process in bytes: now ("VmRSS"), or at most so far ("VmHWM").

    Not by the module `resource`: what it tells as the most begins with what the parent process had.
    """
    lines = STATUS.read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith(what))


def print_memory(name: str, rows: int) -> None:
    """Print by how much the memory of a fit exceeds what was there before, in multiples of X."""
    peer = next(peer for peer in PEERS if peer.name == name)
    warm_up([peer])
    X, y = MEMORY.make(rows)
    before = resident("VmRSS")
    peer.fit(MEMORY, X, y)
    print((resident("VmHWM") - before) / X.nbytes)


def memory(peers: Sequence[Peer], effort: Effort) -> dict[str, float]:
    """Return the peak memory of a fit in a fresh process in multiples of X, where it can be told."""
    multiples = {}
    for peer in peers:
        if STATUS.exists() and peer.can(replace(MEMORY, n=effort.rows)) and peer.package != "rpart":
            call = [sys.executable, __file__, "--memory", peer.name, "--rows", str(effort.rows)]
            out = subprocess.run(call, check=True, stdout=subprocess.PIPE, text=True).stdout
            multiples[peer.name] = float(out.split()[-1])
    return multiples


def warm_up(peers: Sequence[Peer]) -> None:
    """Load what the libraries load at their first fit."""
    case = Case("warm up", continuous, 200)
    X, y = case.data()
    for peer in peers:
        model = peer.fit(case, X, y)
        if peer.predict:
            peer.predict(model, X)


def curves(effort: Effort) -> tuple[dict, dict]:
    """Return each library's seconds for full trees of more and more rows, and for deeper and deeper trees."""
    peers = [peer for peer in (*PEERS, BY_NUMPY) if peer.name in COLORS and peer.is_installed()]
    warm_up(peers)
    few = replace(effort, seconds=effort.seconds / 5, least=1, most=5)
    sizes = [round(10 ** (e / 2)) for e in range(6, round(2 * math.log10(effort.rows)) + 1)]
    by_rows, by_depth = ({peer.name: [] for peer in peers} for _ in range(2))
    for rows in sizes:
        for name, timing in fits(Case("", continuous, rows), peers, few).items():
            by_rows[name].append((rows, median(timing.seconds)))
    for place, depth in enumerate(DEPTHS):
        for name, timing in fits(Case("", continuous, effort.rows // 10, depth), peers, few).items():
            by_depth[name].append((place, median(timing.seconds)))
    return by_rows, by_depth


def growing(effort: Effort) -> dict[str, Points]:
    """Return the seconds of full trees of more and more columns, and of more and more classes."""
    peers = [peer for peer in (*PEERS, BY_NUMPY) if peer.name in COLORS and peer.is_installed()]
    few = replace(effort, seconds=effort.seconds / 5, least=1, most=5)
    found: dict[str, Points] = {what: defaultdict(list) for what in GROWING}
    for what, (sizes, make) in GROWING.items():
        for size in sizes:
            for name, timing in fits(make(size), peers, few).items():
                found[what][name].append((size, median(timing.seconds)))
    return found


def time_growth(effort: Effort) -> str:
    """Draw and say how time grows; of a full run, write it for the page on speed."""
    by_rows, by_depth = curves(effort)
    draw(by_rows, by_depth, effort.rows // 10, HERE / "time.svg")
    if effort is FULL:
        with GROWTH.open("w", encoding="utf-8", newline="") as file:
            lines = [(name, n, f"{seconds:.4g}") for name, points in by_rows.items() for n, seconds in points]
            csv.writer(file, lineterminator="\n").writerows([("library", "rows", "seconds"), *lines])
    picture = "![Seconds of a fit against the number of rows, and against the largest depth](time.svg)"
    return f"{picture}\n\n{slopes({'rows': by_rows, **growing(effort)})}"


def run(effort: Effort) -> None:
    """Time everything, and write the report and the picture."""
    load = os.getloadavg()[0]
    peers = [peer for peer in PEERS if peer.is_installed()]
    warm_up(peers)
    target = PREDICT.target if effort is FULL else None
    predict = replace(PREDICT, name=PREDICT.name.format(effort.rows), target=target)
    timings = {}
    for case in (*CASES, *SLOW_SPOTS, predict):
        if case.n <= effort.rows:
            time_it = predictions if case is predict else fits
            timings[case] = time_it(case, peers, effort)
            print(f"{case.name}: {median(ratios(timings[case])):.3f}", flush=True)
    nominal = {peer: beside(peer, effort) if peer.is_installed() else None for peer in NOMINAL_PEERS}
    multiples = memory(peers, effort)
    sections = {
        "Fits": fit_table({case: timings[case] for case in CASES if case in timings}),
        "Slow spots": fit_table({case: timings[case] for case in SLOW_SPOTS}),
        "Predictions": fit_table({predict: timings[predict]}),
        "Memory": memory_table(multiples, effort.rows),
        "ID3": nominal_table(nominal, effort.rows),
        **{title: timed(effort) for title, timed in APART.values()},
    }
    (HERE / "results.md").write_text(write(sections, quick=effort is QUICK, load=load), encoding="utf-8")


def time_alpha(effort: Effort) -> str:
    """Time the choice of alpha."""
    return time_pruning(take_turns, effort)


def time_engines(effort: Effort) -> str:
    """Time both engines."""
    some = replace(effort, seconds=effort.seconds / 2)
    return engines_section(partial(take_turns, effort=some), effort.rows)


def time_forests(effort: Effort) -> str:
    """Time bagging."""
    return forests.section(partial(take_turns, effort=replace(effort, seconds=effort.seconds / 2)))


def time_names(effort: Effort) -> str:
    """Time many names."""
    return names_section(partial(take_turns, effort=effort), effort.rows)


APART = {  # sections that may be timed alone: what they are called at the command line and in the report
    "engines": (ENGINES, time_engines),
    "first": ("The first answer", lambda effort: first_answers(effort.rows)),
    "alpha": (PRUNING, time_alpha),
    "c45": (C45, time_c45),
    "pessimistic": ("Pessimistic pruning", lambda effort: pruning_section(effort.rows // 10)),
    "oblique": ("Oblique trees", lambda effort: oblique_section()),
    "forests": ("Forests", time_forests),
    "names": ("Names", time_names),
    "large": (LARGE, lambda effort: large_section(effort.rows)),
    "growth": ("Growth", time_growth),
    "optimal": (OPTIMAL, lambda effort: optimal_section()),
}


def run_apart(names: Sequence[str], effort: Effort) -> None:
    """Time some sections only, and write them into the report."""
    file = HERE / "results.md"
    for name in names:
        load, (title, timed) = os.getloadavg()[0], APART[name]
        text = renewed(file.read_text(encoding="utf-8"), title, timed(effort), load)
        file.write_text(text, encoding="utf-8")


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few rounds, at most 100,000 rows: 3 minutes")
    parser.add_argument("--only", nargs="+", choices=APART, help="only these sections are timed and written")
    parser.add_argument("--memory", metavar="LIBRARY", help="only print the peak memory of a fit")
    parser.add_argument("--rows", type=int, default=MEMORY.n, help="of that fit")
    options = parser.parse_args()
    if has_numba() and not options.memory:
        dtlib.compile()  # else NumPy would be timed until compiled code is there
    with threadpool_limits(1):
        if options.memory:
            print_memory(options.memory, options.rows)
        elif options.only:
            run_apart(options.only, QUICK if options.quick else FULL)
        else:
            run(QUICK if options.quick else FULL)


if __name__ == "__main__":
    main()
