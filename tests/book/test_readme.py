"""The page that a newcomer reads first: its code runs."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def test_code_runs(tmp_path, monkeypatch):
    """Runs in the order of the page, in an empty folder."""
    monkeypatch.chdir(tmp_path)
    blocks = PYTHON.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(blocks) >= 3
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "README.md", "exec"), names)
    names["connection"].close()
