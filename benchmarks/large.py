"""Tables that need not fit into memory: streamed from Parquet and DuckDB, beside libraries that hold them.

Each is timed in a process of its own, once, and the most memory that it ever held is noted: that of the
interpreter and of all libraries it loads is in it. `large.py KIND FILE ROWS` is such a process.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd

LARGE = "Larger than memory"
COLUMNS, DEPTH, BLOCK = 20, 6, 1 << 18
FEW, CONTINUOUS, SMALL = 10**8, 10**7, 10**6
HELD_OUT = 10**5
ON_PAPER = 10**9  # rows of a table that is only computed


def block(rng: np.random.Generator, n: int, few: bool, columns: int = COLUMNS) -> dict[str, np.ndarray]:
    """Draw rows whose class depends on four columns: numbers, or whole numbers up to 9."""
    X = [rng.integers(0, 10, n).astype(np.uint8) if few else rng.normal(size=n) for _ in range(columns)]
    z = [(x - 4.5) / 2.9 if few else x for x in X[:4]]
    y = z[0] + z[1] + (z[2] > z[3]) + rng.normal(size=n) > 0
    return {**{f"x{k}": x for k, x in enumerate(X)}, "y": y.astype(np.uint8)}


def write(path: Path, n: int, few: bool, columns: int = COLUMNS) -> None:
    """Write a Parquet file, and another one with rows that no tree sees."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(0)
    writer = None
    for a in range(0, n, BLOCK):
        table = pa.table(block(rng, min(BLOCK, n - a), few, columns))
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    if writer is not None:
        writer.close()
    pq.write_table(pa.table(block(rng, HELD_OUT, few, columns)), path.with_suffix(".test"))


def frame(path: str | Path) -> tuple[np.ndarray, np.ndarray]:
    """Read a whole file: X as float32, and y."""
    import pyarrow.parquet as pq

    file = pq.ParquetFile(path)
    n, names = file.metadata.num_rows, file.schema_arrow.names
    X, y, a = np.empty((n, len(names) - 1), np.float32), np.empty(n, np.uint8), 0
    for batch in file.iter_batches(BLOCK):
        for k in range(len(names) - 1):
            X[a : a + len(batch), k] = batch.column(k).to_numpy()
        y[a : a + len(batch)] = batch.column(len(names) - 1).to_numpy()
        a += len(batch)
    return X, y


def streamed(path: str, depth: int, bins: int | None = None) -> Callable[[Any], np.ndarray]:
    """Grow our tree from the file: the exact one, or by cuts between bins."""
    from dtlib import CARTClassifier
    from dtlib.out_of_core import Arrow, grow_from

    grow_from(
        Arrow(Path(path).with_suffix(".test"), "y"), CARTClassifier(max_depth=2), bins=bins
    )  # loads what is compiled
    STARTED[0] = time.perf_counter()
    with joblib.parallel_config(n_jobs=2):
        tree = grow_from(Arrow(path, "y"), CARTClassifier(max_depth=depth), bins=bins).tree_
    return lambda X: np.asarray(tree.classes)[tree.counts[tree.apply(X.astype(float))].argmax(1)]


def in_duckdb(path: str, depth: int) -> Callable[[Any], np.ndarray]:
    """Grow our tree from a table of DuckDB; its making is not timed."""
    import duckdb

    from dtlib import CARTClassifier
    from dtlib.out_of_core import DuckDB, grow_from

    connection = duckdb.connect()
    connection.sql(f"CREATE TABLE t AS SELECT * FROM '{path}'")
    grow_from(DuckDB(connection, query="SELECT * FROM t LIMIT 1000", target="y"), CARTClassifier(max_depth=2))
    STARTED[0] = time.perf_counter()
    tree = grow_from(DuckDB(connection, "t", "y"), CARTClassifier(max_depth=depth)).tree_
    return lambda X: np.asarray(tree.classes)[tree.counts[tree.apply(X.astype(float))].argmax(1)]


def in_memory(path: str, depth: int) -> Callable[[Any], np.ndarray]:
    """Grow our tree in memory; reading the file is not timed."""
    from dtlib import CARTClassifier

    X, y = frame(path)
    model = CARTClassifier(max_depth=depth, keep_data=False)
    model.fit(X[:1000], y[:1000])  # what is compiled is loaded
    STARTED[0] = time.perf_counter()
    return model.fit(X, y).predict  # type: ignore[no-any-return]


def sklearn(path: str, depth: int) -> Callable[[Any], np.ndarray]:
    """Grow scikit-learn's tree, in memory; reading the file is timed, as it is for the others."""
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(max_depth=depth, random_state=0).fit(*frame(path)).predict  # type: ignore[no-any-return]


def lightgbm(path: str, depth: int) -> Callable[[Any], np.ndarray]:
    """Grow one binned tree of LightGBM."""
    from lightgbm import LGBMClassifier

    model = LGBMClassifier(
        n_estimators=1, learning_rate=1.0, num_leaves=2**depth, max_depth=depth, min_child_samples=1,
        min_child_weight=0, verbose=-1, n_jobs=2,
    )  # fmt: skip
    return model.fit(*frame(path)).predict  # type: ignore[no-any-return]


def spark_session() -> Any:
    """Begin a session of Spark on this machine, with two threads."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {
        "spark.driver.memory": "8g",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.shuffle.partitions": 2,
        "spark.ui.enabled": False,
        "spark.log.level": "ERROR",
    }
    return SparkSession.builder.master("local[2]").config(map=settings).getOrCreate()


def in_spark(path: str, depth: int) -> Callable[[Any], np.ndarray]:
    """Grow our tree from the file, read by Spark; its session begins before the clock."""
    from dtlib import CARTClassifier
    from dtlib.out_of_core import Spark, grow_from

    session = spark_session()
    few = session.read.parquet(str(Path(path).with_suffix(".test"))).limit(1000)
    grow_from(Spark(few, "y"), CARTClassifier(max_depth=2))
    STARTED[0] = time.perf_counter()
    tree = grow_from(Spark(session.read.parquet(path), "y"), CARTClassifier(max_depth=depth)).tree_
    return lambda X: np.asarray(tree.classes)[tree.counts[tree.apply(X.astype(float))].argmax(1)]


def mllib(path: str, depth: int) -> Callable[[Any], np.ndarray]:
    """Grow the tree of Spark's MLlib, as it comes: 32 bins for each column."""
    from pyspark.ml import Pipeline
    from pyspark.ml.classification import DecisionTreeClassifier
    from pyspark.ml.feature import VectorAssembler

    session, test = spark_session(), str(Path(path).with_suffix(".test"))
    frame, held_out = session.read.parquet(path), session.read.parquet(test)
    X = VectorAssembler(inputCols=frame.columns[:-1], outputCol="X")
    ways = Pipeline(stages=[X, DecisionTreeClassifier(labelCol="y", featuresCol="X", maxDepth=depth)])
    ways.fit(held_out.limit(1000))
    STARTED[0] = time.perf_counter()
    model = ways.fit(frame)
    return lambda _: model.transform(held_out).select("prediction").toArrow().column(0).to_numpy()


def ydf(path: str, depth: int) -> Callable[[Any], np.ndarray]:
    """Grow the CART tree of ydf, in memory, with two threads; to its depth, the root is a level."""
    from peers import as_columns
    from ydf import CartLearner, verbose

    verbose(0)
    X, y = frame(path)
    learner = CartLearner("y", max_depth=depth + 1, min_examples=1, validation_ratio=0.0, num_threads=2)
    model = learner.train(as_columns(X) | {"y": y})
    return lambda X: model.predict(as_columns(X)) > 0.5


KINDS = {
    "streamed": streamed, "binned": partial(streamed, bins=256), "duckdb": in_duckdb, "memory": in_memory,
    "sklearn": sklearn, "lightgbm": lightgbm, "spark": in_spark, "mllib": mllib, "ydf": ydf,
}  # fmt: skip
STARTED = [0.0]  # when the clock starts


def most_memory() -> float:
    """Return the most GB that this process has held, and each process that it began and that is there.

    Spark is such a process, and so are its workers. What the module `resource` tells is of no use: it
    begins with the most that the parent process has held.
    """
    below, held = {}, {}
    for file in Path("/proc").glob("[0-9]*/status"):
        with suppress(OSError):
            status = dict(line.split(":", 1) for line in file.read_text().splitlines())
            pid = int(file.parent.name)
            below.setdefault(int(status["PPid"]), []).append(pid)
            held[pid] = int(status.get("VmHWM", "0 kB").split()[0]) / 2**20
    most, todo = 0.0, [os.getpid()]
    for pid in todo:
        most += held.get(pid, 0.0)
        todo += below.get(pid, [])
    return most


def run_one(kind: str, path: str, depth: int) -> None:
    """Grow one tree, and print what it took."""
    STARTED[0] = time.perf_counter()
    predict = KINDS[kind](path, depth)
    seconds = time.perf_counter() - STARTED[0]
    most = most_memory()
    X, y = frame(Path(path).with_suffix(".test"))
    print(json.dumps({"seconds": seconds, "GB": most, "right": float((predict(X) == y).mean())}))


def measured(kind: str, path: Path, depth: int, numpy_alone: bool = False) -> list[str]:
    """Run one process; return the cells of its row."""
    blocked = "import sys; sys.modules['numba'] = None; " if numpy_alone else ""
    call = f"import large; large.run_one({kind!r}, {str(path)!r}, {depth})"
    done = subprocess.run(
        [sys.executable, "-c", blocked + call],
        cwd=Path(__file__).parent,
        check=True,
        capture_output=True,
        text=True,
    )
    found = json.loads(done.stdout.splitlines()[-1])
    return [f"{found['seconds']:.1f}", f"{found['GB']:.2f}", f"{found['right']:.4f}"]


def noted_passes(path: Path, depth: int) -> list[dict[str, float]]:
    """Grow our tree from the file, and note of each pass what it counted, and how long it took."""
    from dtlib import CARTClassifier
    from dtlib.out_of_core import Arrow, grow_from
    from dtlib.out_of_core.tallies import EveryValue

    noted = []

    class Noted(Arrow):
        def tally(self, tree: Any, nodes: Any, tallies: Any, parts: Any = None) -> None:
            start = time.perf_counter()
            super().tally(tree, nodes, tallies, parts)
            seconds = time.perf_counter() - start
            single = [x.cells() for x in tallies.values() if isinstance(x, EveryValue)]
            noted.append(
                {
                    "level": tree.max_depth,
                    "seconds": seconds,
                    "values": float(self.known_rows * len(tallies)),
                    "single": bool(single),
                    "cells": sum(len(x.node) for x in single),
                    "bytes": sum(part.nbytes for x in single for part in x),
                }
            )

    with joblib.parallel_config(n_jobs=2):
        grow_from(Noted(path, "y"), CARTClassifier(max_depth=depth))
    return noted


def on_paper(path: Path, depth: int, rows: int, wanted: int = ON_PAPER) -> tuple[list[list[str]], str]:
    """Return the passes over a file and over a table of many more rows like these, and what is lacking there.

    A pass takes a time for each value that it counts. Intervals are as many as before, so each holds more
    rows, and so do those whose values are told apart: a pass has room for so many, the rest takes others.
    """
    from dtlib.out_of_core.intervals import FINE_AT_ONCE

    noted, times, lines = pd.DataFrame(noted_passes(path, depth)), wanted / rows, []
    first, second = noted[~noted["single"]], noted[noted["single"]]
    of_level = second.groupby("level")[["cells", "values"]].agg({"cells": "sum", "values": "mean"})
    passes = {1: len(second), times: int(np.ceil(of_level["cells"] * times / FINE_AT_ONCE).sum())}
    each = [1e9 * part["seconds"].sum() / part["values"].sum() for part in (first, second)]
    cell, values = second["bytes"].sum() / second["cells"].sum(), second["values"].mean()
    for n in (1, times):
        seconds = each[0] * first["values"].sum() * n / 1e9, each[1] * values * n * passes[n] / 1e9
        most = min(second["cells"].max() * n, 2 * FINE_AT_ONCE) * cell / 2**30
        disk = path.stat().st_size * n / 1e9
        lines.append(
            [
                f"{rows * n:,.0f} x {COLUMNS}",
                "measured" if n == 1 else "on paper",
                f"{len(first)}",
                f"{seconds[0]:,.0f}",
                f"{passes[n]}",
                f"{seconds[1]:,.0f}",
                f"{most:.2f}",
                f"{disk:,.1f}",
            ]
        )
    said = (
        f"A value costs {each[0]:.1f} ns in a pass that counts intervals, {each[1]:.1f} ns in one that tells "
        f"values apart; a single value that is kept takes {cell:.0f} bytes. The memory stays as it is. What "
        f"breaks first are the passes that tell values apart: {passes[1]} become {passes[times]}."
    )
    return lines, said


def has_spark() -> bool:
    """Tell whether PySpark and Java are there."""
    return find_spec("pyspark") is not None and shutil.which("java") is not None


def large_section(rows: int) -> str:
    """Time all of them, and write their section."""
    if find_spec("pyarrow") is None or find_spec("duckdb") is None:
        return "pyarrow or DuckDB is not installed."
    from report import table

    lines = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.parquet"
        n = min(FEW, 100 * rows)
        write(path, n, few=True)
        for depth in (1, DEPTH):
            name = f"{n:,} x {COLUMNS}, whole numbers to 9, depth {depth}"
            lines.append([name, "dtlib, from Parquet, two threads", *measured("streamed", path, depth)])
        n = min(CONTINUOUS, 10 * rows)
        write(path, n, few=False)
        for kind, who in (
            ("streamed", "dtlib, from Parquet, two threads"),
            ("binned", "the same, 256 bins"),
            ("memory", "dtlib, in memory, reading not timed"),
            ("lightgbm", "LightGBM, one binned tree, two threads"),
            ("sklearn", "scikit-learn, in memory"),
            ("ydf", "ydf, in memory, two threads"),
            ("spark", "dtlib, from Parquet in Spark, two threads"),
            ("mllib", "Spark's MLlib, 32 bins, two threads"),
        ):
            if kind in ("spark", "mllib") and not has_spark():
                continue
            lines.append([f"{n:,} x {COLUMNS} continuous, depth {DEPTH}", who, *measured(kind, path, DEPTH)])
        paper, costs = on_paper(path, DEPTH, n)
        n = min(SMALL, rows)
        write(path, n, few=True, columns=11)
        for kind, who, alone in (
            ("duckdb", "dtlib, from a table of DuckDB", False),
            ("duckdb", "the same, NumPy alone", True),
            ("memory", "dtlib, in memory", False),
            ("memory", "the same, NumPy alone", True),
        ):
            name = f"{n:,} x 11, whole numbers to 9, depth {DEPTH}"
            lines.append([name, who, *measured(kind, path, DEPTH, alone)])
        if has_spark():
            name = f"{n:,} x 11, whole numbers to 9, depth 1"
            lines.append([name, "dtlib, from Parquet in Spark, two threads", *measured("spark", path, 1)])
    said = (
        "Each is run once, in a process of its own. *GB* is the most memory that the process ever held, all "
        "libraries in it; for Spark, that of Java and of its workers is added. "
        f"*right* is the share of {HELD_OUT:,} other rows that the tree predicts. From "
        "Parquet, the tree is the exact one, in every digit that of the table in memory, but with bins."
    )
    record(lines)
    head = ["", "", "seconds", "GB", "right"]
    columns = [
        "",
        "",
        "passes",
        "seconds",
        "passes for single values",
        "seconds",
        "GB of these",
        "GB on disk",
    ]
    told = f"A table of {ON_PAPER:,} rows, computed from the passes over a smaller one. {costs}"
    return f"{said}\n\n{table(head, lines)}\n\n{told}\n\n{table(columns, paper)}"


def record(lines: list[list[str]]) -> None:
    """Write the rows where chapter 25 reads them, with the machine."""
    from report import machine

    columns = ["table", "grown by", "seconds", "GB", "right"]
    measured = pd.DataFrame(lines, columns=columns).assign(machine=", ".join(machine().split(", ")[:4]))
    measured.to_csv(
        Path(__file__).parents[1] / "experiments" / "results" / "large.csv", index=False, lineterminator="\n"
    )
