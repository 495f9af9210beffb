"""A browser for the tests, and what it says about the page it shows."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.site.limits import HEIGHT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Response

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
INSIDE = ("http://127.0.0.1:", "file://")  # addresses of the site, served or opened from its folder
# What the page has promised, and two frames: the layout has followed the width.
SETTLED = """() => document.fonts.ready
    .then(() => window.MathJax?.startup?.promise)
    .then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))))"""


def script(name: str) -> str:
    """Return a function in JavaScript that a page is asked for an answer with."""
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the browser of the system."""
    from playwright.sync_api import sync_playwright

    options = {"executable_path": CHROMIUM, "args": ["--no-sandbox"]}
    with sync_playwright() as player, player.chromium.launch(**options) as found:
        yield found


def settled(page: Page) -> None:
    """Wait until the page has taken its place."""
    page.evaluate(SETTLED)


@dataclass
class Visit:
    """A page in a browser, and everything it complained about or asked for."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("console", self.said)
        self.page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        self.page.on("request", self.asked)
        self.page.on("requestfailed", self.failed)
        self.page.on("response", self.answered)

    def said(self, message: ConsoleMessage) -> None:
        """Note a warning or an error of the console."""
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.type}: {message.text}")

    def asked(self, request: Request) -> None:
        """Note a request, and complain where it leaves the site."""
        if request.url.startswith(("data:", "blob:")):
            return
        self.requests.append(request)
        if not request.url.startswith(INSIDE):
            self.complaints.append(f"outside: {request.url}")

    def failed(self, request: Request) -> None:
        """Complain of a request without an answer, unless the page was left before it came."""
        if request.failure != "net::ERR_ABORTED":
            self.complaints.append(f"failed: {request.url}, {request.failure}")

    def answered(self, response: Response) -> None:
        """Complain of an answer that is none."""
        if response.status >= 400:
            self.complaints.append(f"{response.status}: {response.url}")

    def go(self, address: str) -> None:
        """Open a page and wait until it has taken its place."""
        self.page.goto(address, wait_until="load")
        settled(self.page)


@contextmanager
def opened(browser: Browser, width: int, theme: str = "light", **options: Any) -> Iterator[Visit]:
    """Open a fresh window: nothing is cached, nothing is remembered; motion is reduced unless asked for."""
    size = {"width": width, "height": HEIGHT}
    options = {"reduced_motion": "reduce", "color_scheme": theme} | options
    with browser.new_context(viewport=size, **options) as context:
        yield Visit(context.new_page())


def weight(requests: list[Request]) -> dict[str, int]:
    """Return how many files came and how many kB they are, as sent."""
    bodies = [request.sizes()["responseBodySize"] for request in requests]
    return {"kB": round(sum(bodies) / 1000), "requests": len(bodies)}
