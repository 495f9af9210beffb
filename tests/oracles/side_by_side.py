"""Record what rpart and J48 say of held-out rows of four data sets, on the same folds (chapter 23).

    python tests/oracles/side_by_side.py RSCRIPT WEKA_JAR

writes side_by_side.json.gz beside this file. It needs R with rpart, a Java compiler and Weka.
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.model_selection import StratifiedKFold

from dtlib.datasets import load_votes

HERE = Path(__file__).parent
FOLDS, REPEATS = 5, 2


def tables() -> dict[str, tuple[pd.DataFrame, pd.Series]]:
    """Return the features and the classes, as text, of each data set."""
    votes = load_votes()
    found = {"votes": (votes.X, votes.y.astype(str))}
    for name, load in {"iris": load_iris, "wine": load_wine, "cancer": load_breast_cancer}.items():
        data = load(as_frame=True)
        found[name] = data.data, pd.Series(data.target_names[data.target])
    return {name: (X.reset_index(drop=True), y.reset_index(drop=True)) for name, (X, y) in found.items()}


def folds_of(y: pd.Series) -> pd.DataFrame:
    """Return the fold of each row, a column for each repetition."""
    fold = pd.DataFrame(0, y.index, [f"repeat{r}" for r in range(REPEATS)])
    for r in range(REPEATS):
        splitter = StratifiedKFold(FOLDS, shuffle=True, random_state=r)
        for k, (_, out) in enumerate(splitter.split(np.zeros(len(y)), y)):
            fold.iloc[out, r] = k
    return fold


def write_arff(path: Path, X: pd.DataFrame, y: pd.Series) -> None:
    """Write a table for Weka: numbers with all their digits, names in alphabetical order."""
    lines = ["@relation rows"]
    for f, column in enumerate(X):
        numeric = pd.api.types.is_numeric_dtype(X[column])
        kind = "numeric" if numeric else "{" + ",".join(sorted(set(X[column].dropna()))) + "}"
        lines.append(f"@attribute x{f + 1} {kind}")
    lines += [f"@attribute class {{{','.join(sorted(set(y)))}}}", "@data"]
    for row, label in zip(X.itertuples(index=False), y, strict=True):
        lines.append(",".join(["?" if pd.isna(v) else str(v) for v in row] + [label]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def gathered(output: str, fold: pd.DataFrame, k: int) -> dict[str, list]:
    """Read a line for each tree: its leaves, and the class (a number) that it says for each held-out row."""
    lines = [[int(x) for x in line.split()] for line in output.splitlines()]
    said = np.full(fold.shape, -1)
    for t, (_, *answers) in enumerate(lines):
        r, out = divmod(t, k)
        said[fold.iloc[:, r] == out, r] = answers
    assert len(lines) == k * fold.shape[1]
    assert (said >= 0).all()
    return {"leaves": [line[0] for line in lines], "said": said.T.tolist()}


def record(rscript: str, weka: str) -> dict[str, dict]:
    """Run both programs on every data set."""
    runs = {}
    with tempfile.TemporaryDirectory() as folder:
        at = Path(folder)
        subprocess.run(["javac", "-cp", weka, "-d", folder, HERE / "SideBySide.java"], check=True)
        for name, (X, y) in tables().items():
            fold = folds_of(y)
            X.assign(**{"class": y}).to_csv(at / "rows.csv", index=False, na_rep="?")
            fold.to_csv(at / "folds.csv", index=False)
            write_arff(at / "rows.arff", X, y)
            commands = {
                "rpart": [rscript, HERE / "side_by_side.R", at / "rows.csv", at / "folds.csv"],
                "j48": ["java", "-cp", f"{weka}:{folder}", "SideBySide", at / "rows.arff", at / "folds.csv"],
            }
            runs[name] = {"classes": sorted(set(y)), "folds": fold.T.to_numpy().tolist()}
            for program, command in commands.items():
                done = subprocess.run(command, check=True, capture_output=True, text=True)
                runs[name][program] = gathered(done.stdout, fold, FOLDS)
    return runs


if __name__ == "__main__":
    text = json.dumps(record(*sys.argv[1:]), separators=(",", ":"))
    (HERE / "side_by_side.json.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
