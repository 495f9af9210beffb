"""One browser and one server for all tests of the website, which run with --site only: `make site-test`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.site.browser import chromium
from tests.site.served import BUILT, server

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave the tests out where no browser is asked for; the end of the run says so."""
    is_test = collection_path.name.startswith("test_")
    return True if is_test and not config.getoption("--site") else None


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start the browser."""
    with chromium() as found:
        yield found


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """Serve the built website."""
    with server(BUILT) as address:
        yield address
