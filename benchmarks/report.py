"""What is written of the times: tables, a picture, and on which machine they were taken."""

from __future__ import annotations

import math
import os
import platform
import re
from collections.abc import Sequence
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from typing import Any

from c45 import MORE, Holes, Race, weka_version
from cases import DEPTHS, MEMORY, NOMINAL_ROWS, NOMINAL_TARGET, Case
from matplotlib import rc_context
from matplotlib.figure import Figure
from peers import DTLIB, NOMINAL_PEERS, PEERS, SKLEARN, NominalPeer, Peer, rpart_version

COLORS = {"scikit-learn": "#b24c00", "dtlib": "#1f5fae", "dtlib, NumPy": "#176b4d", "ydf": "#831967"}
STYLE = {"svg.hashsalt": "dtlib", "axes.spines.top": False, "axes.spines.right": False}
PEERS_OF_NAMES = tuple(peer.name for peer in NOMINAL_PEERS)
TIMED_BESIDE = "ydf", "lightgbm", *PEERS_OF_NAMES, "c50py", "pystreed"
LIBRARIES = ("numpy", "numba", "pandas", "scikit-learn", *TIMED_BESIDE)
C45 = "C4.5"
INTRODUCTION = """\
# How long dtlib takes

{kind} {today}, {machine}. When it began, {load:.1f} processes wanted a core.

Written by `make bench`. In the columns of dtlib, ydf, LightGBM and rpart is their time divided by
scikit-learn's, the median over rounds in which all take turns (below 1 is faster than scikit-learn), and in
brackets the number of nodes of the tree. *At most* is what dtlib wants to reach; *from, to* are its fastest
and its slowest round. A dash: not run, for a reason given at the end.
"""


def ratios(timings: dict[str, Any], name: str = DTLIB.name, base: str = SKLEARN.name) -> list[float]:
    """Divide a library's times by another's of the same round; by its median if they ran only once."""
    mine, other = timings[name].seconds, timings[base].seconds
    if len(mine) == 1:
        return [mine[0] / median(other)]
    return [a / b for a, b in zip(mine, other, strict=True)]


def number(x: float) -> str:
    """Write a ratio or seconds with two digits at least."""
    if x >= 10:
        return f"{x:,.0f}" if x >= 100 else f"{x:.1f}"
    return f"{x:.{max(2, 1 - math.floor(math.log10(max(x, 1e-6))))}f}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a Markdown table."""
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def verdict(value: float, target: float | None) -> str:
    """Say whether a target is met."""
    return "" if target is None else "met" if value <= target else "missed"


def fit_table(cases: dict[Case, dict[str, Any]]) -> str:
    """Write a line for each case."""
    others = [peer for peer in PEERS if peer not in (SKLEARN, DTLIB)]
    titles = [peer.name if peer.is_installed() else f"{peer.name} (not installed)" for peer in others]
    head = ["", "at most", "dtlib", "", "from, to", "rounds", "scikit-learn, seconds", *titles]
    return table(head, [fit_line(case, timings, others) for case, timings in cases.items()])


def fit_line(case: Case, timings: dict[str, Any], others: Sequence[Peer]) -> list[str]:
    """Write ratios to scikit-learn, its seconds, and the nodes of each tree."""
    base, mine = timings[SKLEARN.name], ratios(timings)
    cells = [
        case.name,
        "" if case.target is None else f"{case.target:.2f}",
        f"**{number(median(mine))}** ({timings[DTLIB.name].nodes:,})",
        verdict(median(mine), case.target),
        f"{number(min(mine))}, {number(max(mine))}",
        str(len(base.seconds)),
        f"{number(median(base.seconds))} ({base.nodes:,})",
    ]
    for peer in others:
        timing = timings.get(peer.name)
        cells.append(f"{number(median(ratios(timings, peer.name)))} ({timing.nodes:,})" if timing else "-")
    return cells


def memory_table(multiples: dict[str, float], rows: int) -> str:
    """Write the peak memory of each library."""
    if not multiples:
        return "Not measured: this needs Linux."
    lines = []
    for name, x in multiples.items():
        target = MEMORY.target if name == DTLIB.name and rows == MEMORY.n else None
        lines.append([name, number(x), "" if target is None else number(target), verdict(x, target)])
    head = ["", "times the size of X as float32", "at most", ""]
    said = f"The most that a process holds during a full fit of {rows:,} x 20, less what it held before."
    return f"{said}\n\n{table(head, lines)}"


def nominal_table(times: dict[NominalPeer, dict[str, Any] | None], most: int) -> str:
    """Write how ID3 compares with each library that grows multiway trees."""
    lines = []
    for peer, timings in times.items():
        cells = ["not installed", *[""] * 6]
        if timings:
            ratio, its = median(ratios(timings, base=peer.name)), timings[peer.name].seconds
            seconds = [number(median(timings[DTLIB.name].seconds)), number(median(its))]
            rows = f"{min(peer.rows, NOMINAL_ROWS, most):,}"
            end = [f"{NOMINAL_TARGET:.2f}", f"**{number(ratio)}**", verdict(ratio, NOMINAL_TARGET)]
            cells = [rows, str(len(its)), *seconds, *end]
        lines.append([f"{peer.name} ({peer.note})", *cells])
    head = ["beside", "rows", "rounds", "dtlib, seconds", "its seconds", "at most", "dtlib / it", ""]
    said = (
        "20 nominal columns of 8 values, two classes, a tenth of them wrong. The slower libraries get fewer "
        "rows; dtlib's time is for the same rows."
    )
    return f"{said}\n\n{table(head, lines)}"


def c45_section(beside: dict[Race, dict[str, Any] | None], missing: dict[Holes, dict[str, Any]]) -> str:
    """Write how C4.5 compares with its peers, and how much longer it takes where values are missing."""
    head = ["", "settings", "beside", "rounds", "dtlib, seconds", "its seconds", "at most", "dtlib / it", ""]
    said = (
        "Grown without pruning; seconds, and in brackets the nodes of the tree. *Textbook* is "
        "`C45Classifier()`, *J48* is `C45Classifier.j48(prune=None)`. c50py is C5.0 in NumPy. Weka's J48 "
        "runs in a Java process that stays warm and times itself; it needs a Java compiler, and Debian's "
        "package weka or the path of its jar in WEKA_JAR. scikit-learn's time includes making the one-hot "
        "columns, as dtlib's includes reading the names."
    )
    lines = [
        [race.table, race.settings, race.other, *race_cells(race, times)] for race, times in beside.items()
    ]
    return f"{said}\n\n{table(head, lines)}\n\n{missing_table(missing)}"


def race_cells(race: Race, timings: dict[str, Any] | None) -> list[str]:
    """Write rounds, seconds, target and ratio."""
    if not timings:
        return ["not installed", *[""] * 5]
    mine, its = timings[DTLIB.name], timings[race.other]
    ratio = median(ratios(timings, base=race.other))
    seconds = [f"{number(median(t.seconds))} ({t.nodes:,})" for t in (mine, its)]
    end = [f"{race.target:.2f}", f"**{number(ratio)}**", verdict(ratio, race.target)]
    return [str(len(its.seconds)), *seconds, *end]


def missing_table(missing: dict[Holes, dict[str, Any]]) -> str:
    """Write how the parts of rows and the seconds multiply where values are missing."""
    lines = []
    for some, timings in missing.items():
        none, holes = timings.values()
        ratio = median(ratios(timings, *reversed(timings)))
        seconds = [f"{number(median(t.seconds))} ({t.nodes:,}; {t.parts:,})" for t in (none, holes)]
        end = [number(holes.parts / none.parts), f"{MORE:.2f}", f"**{number(ratio)}**", verdict(ratio, MORE)]
        lines.append([some.table, some.settings, str(len(none.seconds)), *seconds, *end])
    head = ["", "settings", "rounds", *timings, "times the parts", "at most", "times the seconds", ""]
    said = (
        "A row whose value is missing goes down every branch in part, so there is more to count: little with "
        "J48's minimum for thresholds, much in a textbook tree, which grows until nodes are pure or weigh "
        "less than two rows. Seconds; in brackets nodes, and the rows and parts of rows in all nodes."
    )
    return f"{said}\n\n{table(head, lines)}"


def draw(by_rows: dict, by_depth: dict, rows: int, file: Path) -> None:
    """Draw seconds against rows, and against depth, on logarithmic axes."""
    with rc_context(STYLE):
        fig = Figure(figsize=(10, 4), layout="constrained")
        left, right = fig.subplots(1, 2)
        for axes, lines in ((left, by_rows), (right, by_depth)):
            for name, points in lines.items():
                axes.plot(*zip(*points, strict=True), color=COLORS[name], marker="o", markersize=4)
                style = {"textcoords": "offset points", "color": COLORS[name], "va": "center"}
                axes.annotate(name, points[-1], xytext=(6, 0), **style)
        left.set(xscale="log", yscale="log", xlabel="rows", ylabel="seconds", title="full trees, 20 columns")
        right.set(yscale="log", xlabel="largest depth", title=f"{rows:,} rows, 20 columns")
        right.set_xticks(range(len(DEPTHS)), [str(depth or "full") for depth in DEPTHS])
        fig.savefig(file, metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))


def machine() -> str:
    """Describe the machine and what is installed."""
    cpu, info = platform.processor() or platform.machine(), Path("/proc/cpuinfo")
    models = [line for line in info.read_text().splitlines() if "model name" in line] if info.exists() else []
    cpu = models[0].split(":", 1)[1].strip() if models else cpu
    here = [cpu, f"{os.cpu_count()} cores", platform.system(), f"Python {platform.python_version()}"]
    libraries = {name: installed(name) for name in LIBRARIES} | {
        "rpart": rpart_version(),
        "Weka": weka_version(),
    }
    return ", ".join(here + [f"{name} {found}" for name, found in libraries.items() if found])


def installed(name: str) -> str | None:
    """Return the version of a library, None if it is not there."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def notes() -> str:
    """Say what each library does differently, and why it was not run."""
    lines = []
    for peer in PEERS:
        absent = "" if peer.is_installed() else " (not installed here)"
        lines.append(f"- **{peer.name}**{absent}: {peer.note}{limits(peer)}")
    return "\n".join(lines)


def limits(peer: Peer) -> str:
    """Say of how many rows a peer is not asked for full trees."""
    said = "" if peer.most >= MEMORY.n else f" No full trees of more than {peer.most:,} rows"
    if peer.most_numeric < peer.most:
        said += f" ({peer.most_numeric:,} in regression)"
    return said and f"{said}: they take it minutes."


def renewed(report: str, title: str, text: str, load: float) -> str:
    """Put a section that was timed alone in place of the one in a report, or before the last one."""
    when = f"{date.today().isoformat()}, {machine()}"
    said = f"Timed apart from the rest: {when}. When it began, {load:.1f} processes wanted a core."
    parts = re.split(r"(?m)^(?=## )", report)
    section, found = f"## {title}\n\n{said}\n\n{text}\n\n", [p.startswith(f"## {title}\n") for p in parts]
    if any(found):
        parts[found.index(True)] = section
    else:
        parts.insert(-1, section)
    return "".join(parts)


def write(sections: dict[str, str], quick: bool, load: float) -> str:
    """Put the report together."""
    kind = "A quick run: few rounds, at most 100,000 rows; nothing to quote." if quick else "A full run."
    head = INTRODUCTION.format(kind=kind, today=date.today().isoformat(), machine=machine(), load=load)
    sections = sections | {"What each library does": notes()}
    return head + "".join(f"\n## {title}\n\n{text}\n" for title, text in sections.items())
