"""Record which of equally frequent classes rpart and J48 predict: the first that the data declare.

    python tests/oracles/tied_classes.py RSCRIPT WEKA_JAR

writes tied_classes.json.gz beside this file: tables drawn at random, the order in which each declares its
classes (it is never that of the alphabet), and the class that each program predicts for each row.
"""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

HERE = Path(__file__).parent
TABLES = 200


def drawn(seed: int) -> tuple[pd.DataFrame, list[str]]:
    """Draw a table with a column y, in which many rows are alike, and the order of its classes."""
    rng = np.random.default_rng(seed)
    n, K = 2 * int(rng.integers(3, 8)), int(rng.integers(2, 4))
    classes = list("abc")[:K]
    while classes == sorted(classes):
        rng.shuffle(classes)
    rows = pd.DataFrame({f"x{f}": rng.integers(0, 3, n) for f in range(rng.integers(1, 3))})
    return rows.assign(y=rng.choice(classes, n)), classes


def said_by_rpart(tables: list[tuple[pd.DataFrame, list[str]]], rscript: str) -> list[list[str]]:
    """Return the class that rpart predicts for each row of each table."""
    with tempfile.TemporaryDirectory() as folder:
        for i, (rows, classes) in enumerate(tables):
            rows.to_csv(Path(folder, f"{i}.csv"), index=False)
            Path(folder, f"{i}.levels").write_text(",".join(classes) + "\n", encoding="utf-8")
        subprocess.run([rscript, HERE / "tied_classes.R", folder], check=True)
        return [Path(folder, f"{i}.said").read_text(encoding="utf-8").split() for i in range(len(tables))]


def said_by_j48(rows: pd.DataFrame, classes: list[str], jar: str) -> list[str]:
    """Return the class that J48 -U predicts for each row of a table."""
    features = [name for name in rows if name != "y"]
    lines = ["@relation rows", *(f"@attribute {name} numeric" for name in features)]
    lines += [f"@attribute y {{{','.join(classes)}}}", "@data", *rows.astype(str).agg(",".join, axis=1)]
    with tempfile.TemporaryDirectory() as folder:
        (file := Path(folder, "rows.arff")).write_text("\n".join([*lines, ""]), encoding="utf-8")
        command = ["java", "-cp", jar, "weka.classifiers.trees.J48", "-U", "-t", file, "-T", file, "-p", "0"]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    return re.findall(r"^ +\d+ +\d+:\S+ +\d+:(\S+)", done.stdout, re.MULTILINE)


def main(rscript: str, jar: str) -> None:
    """Record the tables."""
    tables = [drawn(seed) for seed in range(TABLES)]
    runs: list[dict[str, Any]] = []
    for (rows, classes), rpart in zip(tables, said_by_rpart(tables, rscript), strict=True):
        j48 = said_by_j48(rows, classes, jar)
        if not len(j48) == len(rpart) == len(rows):
            raise RuntimeError(f"{len(rows)} rows have {len(rpart)} and {len(j48)} answers")
        runs.append({"classes": classes, "rows": rows.to_dict("list"), "rpart": rpart, "j48": j48})
    text = json.dumps({"tools": ["rpart 4.1.19", "Weka 3.6.14"], "runs": runs}).replace("}, {", "},\n{")
    with gzip.GzipFile(HERE / "tied_classes.json.gz", "wb", mtime=0) as file:
        file.write(text.encode() + b"\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
