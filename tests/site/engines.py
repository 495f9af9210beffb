"""Firefox and WebKit (Safari's engine), driven by what their makers provide; Chromium beside them.

Each engine shows a page in a window or frame of a width and answers functions in JavaScript. Firefox speaks
WebDriver BiDi, WebKit WebDriver through Selenium (Debian's packages firefox-esr, webkit2gtk-driver and xvfb).

What a driver cannot do: WebKit's has no console, no touch and no print, and its window is at least 447 px
wide, so a phone's page stands in a frame there; Firefox without a window shows no focus; neither obeys a
wish for forced colors.
"""

from __future__ import annotations

import itertools
import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep
from typing import Any, Protocol

from tests.site.browser import chromium, opened
from tests.site.limits import HEIGHT

MINI_BROWSER = next(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"), None)
LISTENS = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
NARROWEST = 600  # px: a window of WebKit's small browser is surely so narrow
# Firefox lays out a formula whose end has not arrived, and says so now and then.
HARMLESS = re.compile(r"Invalid markup: Incorrect number of children for <m\w+/>")


class Engine(Protocol):
    """A browser with one page."""

    complaints: list[str]

    def go(self, address: str, width: int) -> None:
        """Show a page in a window of a width, and wait until it is loaded."""

    def ask(self, function: str, *values: Any) -> Any:
        """Call a function in JavaScript, perhaps an asynchronous one, and return what it returns."""


@dataclass
class Chromium:
    """Chromium, by Playwright."""

    browser: Any
    complaints: list[str] = field(default_factory=list)
    windows: ExitStack = field(default_factory=ExitStack)
    page: Any = None

    def go(self, address: str, width: int) -> None:
        """Open a fresh window."""
        self.windows.close()
        visit = self.windows.enter_context(opened(self.browser, width))
        self.complaints, self.page = visit.complaints, visit.page
        visit.go(address)

    def ask(self, function: str, *values: Any) -> Any:
        """Call a function in the page."""
        return self.page.evaluate(f"(values) => ({function})(...values)", list(values))


@dataclass
class Firefox:
    """Firefox, by WebDriver BiDi over a socket."""

    socket: Any
    complaints: list[str] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=itertools.count)
    window: str = ""

    def __post_init__(self) -> None:
        self.call("session.new", capabilities={})
        self.call("session.subscribe", events=["log.entryAdded"])
        self.window = self.call("browsingContext.getTree")["contexts"][0]["context"]

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and return its result; what the page complains of meanwhile is noted."""
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv(timeout=60))
            if message.get("method") == "log.entryAdded":
                self.note(message["params"])
            elif message.get("id") == number:
                if message["type"] == "error":
                    raise RuntimeError(f"{method}: {message['error']}: {message['message']}")
                return message["result"]

    def note(self, entry: dict[str, Any]) -> None:
        """Note an error or a warning of the page itself."""
        if entry["level"] in ("error", "warn") and not HARMLESS.search(entry["text"] or ""):
            self.complaints.append(f"{entry['level']}: {entry['text']}")

    def go(self, address: str, width: int) -> None:
        """Give the window a width and load a page into it."""
        self.complaints = []
        size = {"width": width, "height": HEIGHT}
        self.call("browsingContext.setViewport", context=self.window, viewport=size)
        self.call("browsingContext.navigate", context=self.window, url="about:blank", wait="complete")
        self.call("browsingContext.navigate", context=self.window, url=address, wait="complete")

    def ask(self, function: str, *values: Any) -> Any:
        """Call a function in the page; values and answers travel as JSON."""
        answer = self.call(
            "script.callFunction",
            functionDeclaration=f"""async (values) =>
                JSON.stringify(await ({function})(...JSON.parse(values)) ?? null)""",
            arguments=[{"type": "string", "value": json.dumps(values)}],
            target={"context": self.window},
            awaitPromise=True,
        )
        if answer["type"] == "exception":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])


@dataclass
class WebKit:
    """WebKit, by Selenium."""

    driver: Any
    complaints: list[str] = field(default_factory=list)

    def go(self, address: str, width: int) -> None:
        """Load a page into a window of a width, or of a phone's width into a frame."""
        self.driver.switch_to.default_content()
        if width >= NARROWEST:
            self.driver.set_window_size(width, HEIGHT)
            self.driver.get(address)
            return
        self.driver.get(re.sub(r"(https?://[^/]*/).*", r"\1404.html", address))
        look = f"width: {width}px; height: {HEIGHT}px; border: 0"
        frame = f'<body style="margin: 0"><iframe style="{look}"></iframe>'
        loads = """const [frame, address, done] = arguments;
            document.documentElement.innerHTML = frame;
            const made = document.querySelector("iframe");
            made.addEventListener("load", () => done());
            made.src = address;"""
        self.driver.execute_async_script(loads, frame, address)
        self.driver.switch_to.frame(0)

    def ask(self, function: str, *values: Any) -> Any:
        """Call a function in the page."""
        code = f"""const done = arguments[arguments.length - 1];
            Promise.resolve(({function})(...arguments[0]))
                .then((said) => done([said ?? null]), (error) => done(String(error)));"""
        said = self.driver.execute_async_script(code, list(values))
        if isinstance(said, str):
            raise RuntimeError(said)
        return said[0]


@contextmanager
def a_chromium() -> Iterator[Engine]:
    """Start Chromium."""
    with chromium() as browser:
        engine = Chromium(browser)
        yield engine
        engine.windows.close()


@contextmanager
def a_firefox() -> Iterator[Engine]:
    """Start Firefox without a window, with a profile of its own, for which motion is reduced."""
    from websockets.sync.client import connect

    with TemporaryDirectory() as profile:
        Path(profile, "user.js").write_text('user_pref("ui.prefersReducedMotion", 1);\n', encoding="utf-8")
        options = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"]
        command = [shutil.which("firefox-esr") or "firefox", *options]
        with subprocess.Popen(
            command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
        ) as process:
            try:
                said = (LISTENS.search(line) for line in process.stderr or ())
                address = next(match[1] for match in said if match)
                with connect(f"{address}/session", max_size=None) as socket:
                    yield Firefox(socket)
            finally:
                process.terminate()


@contextmanager
def a_webkit() -> Iterator[Engine]:
    """Start WebKitGTK's small browser on a screen in memory."""
    from selenium import webdriver

    with ExitStack() as stack:
        screen = stack.enter_context(
            subprocess.Popen(
                ["Xvfb", "-displayfd", "1", "-screen", "0", "2000x1200x24"],
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        )
        stack.callback(screen.terminate)
        display = f":{screen.stdout.readline().strip()}" if screen.stdout else ""
        options = webdriver.WebKitGTKOptions()
        options.binary_location, options.page_load_strategy = str(MINI_BROWSER), "normal"
        options.add_argument("--automation")
        service = webdriver.WebKitGTKService("/usr/bin/WebKitWebDriver", env={"DISPLAY": display})
        driver = webdriver.WebKitGTK(options=options, service=service)
        stack.callback(driver.quit)
        driver.set_script_timeout(60)
        sleep(0.2)
        yield WebKit(driver)


STARTS: dict[str, Callable[[], Any]] = {"chromium": a_chromium, "firefox": a_firefox, "webkit": a_webkit}


def lacks(name: str) -> str:
    """Say what this machine lacks for an engine, or nothing."""
    there = {
        "chromium": True,
        "firefox": bool(shutil.which("firefox-esr") or shutil.which("firefox")),
        "webkit": bool(shutil.which("WebKitWebDriver") and shutil.which("Xvfb") and MINI_BROWSER),
    }
    packages = {"firefox": "firefox-esr", "webkit": "webkit2gtk-driver and xvfb"}
    return "" if there[name] else f"there is no {name} (on Debian: {packages[name]})"
