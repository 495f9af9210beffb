"""The built website in a browser, served and opened from its folder: what tests of its scripts need."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tests.book.notebooks import ROOT
from tests.needs import needed

BUILT = ROOT / "_build" / "html"
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
sync_api = needed("playwright.sync_api")
if CHROMIUM is None:
    pytest.skip("there is no Chromium on the PATH", allow_module_level=True)
if not (BUILT / "_static" / "search" / "index.js").exists():
    pytest.skip("there is no website in _build/html: make book builds it", allow_module_level=True)


class Silent(SimpleHTTPRequestHandler):
    """Serve without a word."""

    def log_message(self, *args: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def served() -> Iterator[str]:
    """Serve the website, and give its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Silent, directory=str(BUILT)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """Start the browser."""
    with sync_api.sync_playwright() as player:
        browser = player.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module", params=["folder", "server"])
def address(request: pytest.FixtureRequest, served: str) -> str:
    """Give the address of the website: opened from its folder, and from a server."""
    return f"{BUILT.as_uri()}/" if request.param == "folder" else served


@pytest.fixture
def page(chromium: Any) -> Iterator[Any]:
    """Open an empty window; an error of a script fails the test."""
    context = chromium.new_context(reduced_motion="reduce", viewport={"width": 1280, "height": 900})
    page, errors = context.new_page(), []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []
