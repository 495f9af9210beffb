"""Record what other programs print of one tree, three leaves of the irises, for the page about printouts.

    python tests/oracles/printouts.py RSCRIPT WEKA_JAR

writes experiments/results/printouts.json. It needs R with rpart, Java and Weka; what C4.5 prints is taken
from c45_pruned.json.gz.
"""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pandas as pd
from sklearn.datasets import load_iris

HERE = Path(__file__).parent
KEPT = HERE.parents[1] / "experiments" / "results" / "printouts.json"
J48_OPTIONS = ("-C", "0.25", "-M", "10", "-no-cv")


def irises() -> pd.DataFrame:
    """Return the irises under names that all programs can write."""
    data = load_iris(as_frame=True)
    names = [name.removesuffix(" (cm)").replace(" ", "_") for name in data.feature_names]
    return data.data.set_axis(names, axis=1).assign(species=data.target_names[data.target])


def printed_by_rpart(rscript: str, folder: Path) -> dict[str, str]:
    """Return what print, printcp and summary of rpart say."""
    irises().to_csv(folder / "rows.csv", index=False)
    command = [rscript, str(HERE / "printouts.R"), str(folder / "rows.csv")]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    parts = re.split(r"^# (\w+)\n", text, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], (part.strip("\n") for part in parts[1::2]), strict=True))


def printed_by_j48(weka: str, folder: Path) -> str:
    """Return the tree that J48 prints."""
    rows = irises()
    lines = ["@relation irises", *(f"@attribute {name} numeric" for name in rows.columns[:-1])]
    lines += [f"@attribute species {{{','.join(sorted(set(rows.species)))}}}", "@data"]
    lines += [",".join(map(str, row)) for row in rows.itertuples(index=False)]
    (folder / "rows.arff").write_text("\n".join(lines) + "\n", encoding="utf-8")
    command = [
        "java",
        "-cp",
        weka,
        "weka.classifiers.trees.J48",
        "-t",
        str(folder / "rows.arff"),
        *J48_OPTIONS,
    ]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return text[text.index("petal") : text.index("Number of Leaves")].strip("\n")


def traced_by_c45() -> list[str]:
    """Return the lines of C4.5's trace of pruning about the three leaves, the middle one still a node."""
    runs = json.loads(gzip.decompress((HERE / "c45_pruned.json.gz").read_bytes()))["runs"]
    run = next(run for run in runs if (run["dataset"], run["options"]) == ("iris", "default"))
    return run["prune_trace"]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        found = {
            "rpart": printed_by_rpart(sys.argv[1], Path(made)),
            "J48": printed_by_j48(sys.argv[2], Path(made)),
        }
    found["C4.5"] = traced_by_c45()
    KEPT.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
