"""One browser and one server for all tests of the website, which run with --site only: `make site-test`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.site.browser import chromium, opened
from tests.site.served import BUILT, server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


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


@pytest.fixture(params=["folder", "server"])
def address(request: pytest.FixtureRequest, site: str) -> str:
    """Give the address of the website: opened from its folder, and from a server."""
    return f"{BUILT.as_uri()}/" if request.param == "folder" else site


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Open an empty window; whatever the pages shown in it complain of fails the test."""
    with opened(browser, 1280) as visit:
        yield visit.page
    assert visit.complaints == []
