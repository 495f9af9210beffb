"""The page that a newcomer reads first: its code runs."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pandas as pd

ROOT = Path(__file__).resolve().parents[2]
PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def test_code_runs(tmp_path, monkeypatch):
    """Runs in the order of the page, in a folder with the database of which it speaks."""
    monkeypatch.chdir(tmp_path)
    with closing(sqlite3.connect("loans.db")) as connection:
        table = {
            "age": ["young", "old", "old"],
            "income": [20.0, 30.0, 45.0],
            "approved": ["no", "no", "yes"],
        }
        pd.DataFrame(table).to_sql("loan", connection, index=False)
    blocks = PYTHON.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(blocks) >= 3
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "README.md", "exec"), names)
    names["connection"].close()
