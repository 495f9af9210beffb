"""Lighthouse on the first page and on the heaviest chapter, as a phone sees them: `make lighthouse`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.site.served import server

SITE = Path(__file__).resolve().parents[2] / "_build" / "html"
VERSION = "lighthouse@13"
CHROME = ("chromium", "chromium-browser", "google-chrome")
FULL = {"accessibility": 100, "best-practices": 100, "seo": 100}
# What each page must reach. The heaviest chapter is the one with the largest page.
FIRST = {"performance": 80, **FULL}
HEAVIEST = {"performance": 65, **FULL}


def missing() -> str:
    """Say what this machine lacks, or nothing."""
    if shutil.which("npx") is None:
        return "Node (npx)"
    return "" if browser() else f"a browser ({', '.join(CHROME)})"


def browser() -> str | None:
    return next(filter(None, map(shutil.which, CHROME)), None)


def heaviest(folder: Path) -> Path:
    """Return the largest page of a folder."""
    return max(folder.glob("*.html"), key=lambda page: page.stat().st_size)


def scores(address: str) -> dict[str, int]:
    """Run Lighthouse on an address, and return its scores out of 100."""
    with TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        command = ["npx", "--yes", VERSION, address, "--quiet", "--output=json", f"--output-path={report}"]
        flags = "--chrome-flags=--headless=new --no-sandbox"
        subprocess.run([*command, flags], check=True, env=os.environ | {"CHROME_PATH": browser() or ""})
        categories = json.loads(report.read_text(encoding="utf-8"))["categories"]
    return {name: round(100 * categories[name]["score"]) for name in FIRST}


def main() -> int:
    """Print the scores; return 1 where one is below its limit."""
    if lacks := missing():
        print(f"make lighthouse needs {lacks}: nothing was measured.")
        return 0
    pages = {SITE / "intro.html": FIRST, heaviest(SITE / "chapters"): HEAVIEST}
    fails = False
    with server(SITE) as address:
        for page, limits in pages.items():
            found = scores(f"{address}{page.relative_to(SITE).as_posix()}")
            low = [f"{name} below {limit}" for name, limit in limits.items() if found[name] < limit]
            print(f"{page.name}: {found}", *low, sep="; ")
            fails = fails or bool(low)
    return int(fails)


if __name__ == "__main__":
    sys.exit(main())
