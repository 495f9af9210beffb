"""What is written of the times: tables, a picture, and on which machine they were taken."""

from __future__ import annotations

import math
import os
import platform
from collections.abc import Sequence
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from typing import Any

from cases import DEPTHS, MEMORY, NOMINAL_ROWS, NOMINAL_TARGET, Case
from matplotlib import rc_context
from matplotlib.figure import Figure
from peers import DTLIB, NOMINAL_PEERS, PEERS, SKLEARN, NominalPeer, Peer, rpart_version

COLORS = {"scikit-learn": "#b24c00", "dtlib": "#1f5fae", "ydf": "#831967"}
STYLE = {"svg.hashsalt": "dtlib", "axes.spines.top": False, "axes.spines.right": False}
LIBRARIES = ("numpy", "pandas", "scikit-learn", "ydf", "lightgbm", *(peer.name for peer in NOMINAL_PEERS))
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
    libraries = {name: installed(name) for name in LIBRARIES} | {"rpart": rpart_version()}
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


def write(sections: dict[str, str], quick: bool, load: float) -> str:
    """Put the report together."""
    kind = "A quick run: few rounds, at most 100,000 rows; nothing to quote." if quick else "A full run."
    head = INTRODUCTION.format(kind=kind, today=date.today().isoformat(), machine=machine(), load=load)
    picture = "![Seconds of a fit against the number of rows, and against the largest depth](time.svg)"
    sections = sections | {"Growth": picture, "What each library does": notes()}
    return head + "".join(f"\n## {title}\n\n{text}\n" for title, text in sections.items())
