"""The built website in a browser: `make site-test`; `--figures` measures it, other options are pytest's."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

from tests.site.browser import CHROMIUM
from tests.site.served import BUILT

PACKAGES = {"playwright": "playwright", "axe_playwright_python": "axe-playwright-python"}


def missing() -> str | None:
    """Say what is needed and not there, or nothing."""
    for package, name in PACKAGES.items():
        if importlib.util.find_spec(package) is None:
            return f"{name} is not installed (requirements/all.txt)"
    if CHROMIUM is None:
        return "there is no Chromium (on Debian and Ubuntu: apt-get install chromium)"
    return None if (BUILT / "index.html").is_file() else "the website is not built (make book)"


def main(arguments: list[str]) -> int:
    """Test or measure, and return the exit status; without a browser there is nothing to do."""
    lack = missing()
    if lack is not None:
        print(f"Skipped, nothing was tested: {lack}.")
        return int("CI" in os.environ)  # a workflow that tests nothing is no success
    if "--figures" in arguments:
        from tests.site.figures import table

        for line in table():
            print(line, flush=True)
        return 0
    import pytest

    where = [] if any(Path(name.split("::")[0]).exists() for name in arguments) else ["tests/site"]
    return pytest.main(["-q", "--site", "-rs", "-n", "2", "-p", "no:cacheprovider", *where, *arguments])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
