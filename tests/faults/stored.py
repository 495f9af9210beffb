"""Store what runs have found in experiments/results/faults.csv, for the page *How it is checked*.

    python -m tests.faults.stored RUN.json [RUN.json ...]

A run leaves what came of its mutants in `_build/faults/last.json`, or where `--save` says. Of a mutant that
several runs have tried, the last one counts.
"""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tests.faults.mutant import ROOT
from tests.faults.report import COLUMNS, EQUIVALENT, EQUIVALENTS, SURVIVED

PAGE = ROOT / "experiments" / "results" / "faults.csv"


def counted(runs: Iterable[list[dict[str, Any]]], equal: Iterable[str]) -> list[dict[str, Any]]:
    """Return how many mutants came to what, a row for each group and kind.

    Examples
    --------
    >>> tried = [{"id": i, "group": "tree", "kind": "sign", "outcome": "survived"} for i in "ab"]
    >>> [row] = counted([tried, [tried[0] | {"outcome": "killed"}]], equal={"b"})
    >>> {name: value for name, value in row.items() if value}
    {'group': 'tree', 'kind': 'sign', 'killed': 1, 'equivalent': 1}
    """
    last = {row["id"]: row for run in runs for row in run}
    counts: dict[tuple[str, str], Counter[str]] = {}
    for name, row in last.items():
        same = row["outcome"] == SURVIVED and name in equal
        counts.setdefault((row["group"], row["kind"]), Counter())[EQUIVALENT if same else row["outcome"]] += 1
    return [
        {"group": group, "kind": kind} | {column: found[column] for column in COLUMNS}
        for (group, kind), found in sorted(counts.items())
    ]


def write(rows: list[Mapping[str, Any]], path: Path = PAGE) -> None:
    """Write the table."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["group", "kind", *COLUMNS], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    given = [json.loads(Path(name).read_text(encoding="utf-8")) for name in sys.argv[1:]]
    known = {line.split("\t")[0] for line in EQUIVALENTS.read_text(encoding="utf-8").splitlines()[1:]}
    write(counted(given, known))
