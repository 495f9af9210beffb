"""Lighthouse on the first page and on every chapter, as a phone sees them: `make lighthouse`."""

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
# What each page must reach.
LIMITS = {"performance": 85, "accessibility": 100, "best-practices": 100, "seo": 100}


def missing() -> str:
    """Say what this machine lacks, or nothing."""
    if shutil.which("npx") is None:
        return "Node (npx)"
    return "" if browser() else f"a browser ({', '.join(CHROME)})"


def browser() -> str | None:
    return next(filter(None, map(shutil.which, CHROME)), None)


def scores(address: str) -> dict[str, int]:
    """Run Lighthouse on an address, and return its scores out of 100."""
    with TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        command = ["npx", "--yes", VERSION, address, "--quiet", "--output=json", f"--output-path={report}"]
        flags = "--chrome-flags=--headless=new --no-sandbox"
        subprocess.run([*command, flags], check=True, env=os.environ | {"CHROME_PATH": browser() or ""})
        categories = json.loads(report.read_text(encoding="utf-8"))["categories"]
    return {name: round(100 * categories[name]["score"]) for name in LIMITS}


def main() -> int:
    """Print the scores; return 1 where one is below its limit."""
    if lacks := missing():
        print(f"make lighthouse needs {lacks}: nothing was measured.")
        return 0
    fails = False
    with server(SITE) as address:
        for page in (SITE / "intro.html", *sorted(SITE.glob("chapters/[0-9]*.html"))):
            found = scores(f"{address}{page.relative_to(SITE).as_posix()}")
            low = [f"{name} below {limit}" for name, limit in LIMITS.items() if found[name] < limit]
            print(f"{page.name}: {found}", *low, sep="; ")
            fails = fails or bool(low)
    return int(fails)


if __name__ == "__main__":
    sys.exit(main())
