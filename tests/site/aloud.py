"""A page as it is read aloud: what Chromium and Firefox give a screen reader, as one list of the same words.

Chromium tells its tree of accessibility by its debugging protocol. Firefox tells it to its own chrome alone,
so it is driven by Marionette with ``--remote-allow-system-access``; there one hears its events, too: what has
the focus, what has another value, and what a live place says.
"""

from __future__ import annotations

import itertools
import json
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Protocol

from tests.site.browser import opened, script
from tests.site.limits import HEIGHT

if TYPE_CHECKING:
    from playwright.sync_api import Browser

WIDTH = 1280
TREE, LISTEN = script("firefox_tree.js"), script("firefox_events.js")
KEYS = {"ArrowRight": "\ue014", "ArrowLeft": "\ue012", "Tab": "\ue004", "Enter": "\ue007", "Escape": "\ue00c"}
# The roles that matter here, by the names of both engines; others keep their own.
ROLES = {
    "StaticText": "text",
    "text leaf": "text",
    "DisclosureTriangle": "fold",
    "summary": "fold",
    "image": "picture",
    "graphic": "picture",
    "pushbutton": "button",
    "toggle button": "button",
    "textbox": "field",
    "searchbox": "field",
    "entry": "field",
    "grouping": "group",
    "statusbar": "status",
}
CONTROLS = ("button", "slider", "textbox", "searchbox", "DisclosureTriangle", "image", "dialog", "region")


@dataclass
class Said:
    """A place of the tree: how deep it stands, what it is, and the words that are said of it."""

    depth: int
    role: str
    name: str = ""
    value: str = ""
    description: str = ""
    states: tuple[str, ...] = ()
    id: str = ""

    @property
    def words(self) -> str:
        """All that is said, in one line."""
        return " ".join(filter(None, (self.name, self.value, self.description)))


class Reader(Protocol):
    """A browser that is asked what it reads."""

    def go(self, address: str) -> None:
        """Open a page and wait until it has taken its place."""

    def ask(self, function: str, *values: Any) -> Any:
        """Call a function in the page."""

    def press(self, key: str) -> None:
        """Press a key."""

    def controls(self) -> list[Said]:
        """Return what has a name in the part of the page that is its own."""

    def part(self, id_: str) -> list[Said]:
        """Return what stands in an element, in its order."""


def role_of(name: str) -> str:
    """Name a role as both engines have it: MathMLFraction and mathml fraction are a fraction."""
    name = ROLES.get(name, name)
    math = re.match(r"MathML(\w+)|mathml (.+)|math$", name)
    return "math " + re.sub(r"\W", "", math[1] or math[2] or "math").lower() if math else name


@dataclass
class Chromium:
    """Chromium, by Playwright and its debugging protocol."""

    browser: Browser
    windows: ExitStack = field(default_factory=ExitStack)
    page: Any = None
    client: Any = None

    def go(self, address: str) -> None:
        """Open a fresh window."""
        self.windows.close()
        visit = self.windows.enter_context(opened(self.browser, WIDTH))
        visit.go(address)
        self.page, self.client = visit.page, visit.page.context.new_cdp_session(visit.page)
        for domain in ("DOM", "Accessibility"):
            self.client.send(f"{domain}.enable")

    def ask(self, function: str, *values: Any) -> Any:
        """Call a function in the page."""
        return self.page.evaluate(f"(values) => ({function})(...values)", list(values))

    def press(self, key: str) -> None:
        """Press a key."""
        self.page.keyboard.press(key)

    def controls(self) -> list[Said]:
        """Return what has a name in the part of the page that is its own, in no order."""
        main = {"objectId": self.element("document.querySelector('article')")}
        found = [
            self.client.send("Accessibility.queryAXTree", main | {"role": role})["nodes"] for role in CONTROLS
        ]
        return [self.said(node, 0) for nodes in found for node in nodes if not node.get("ignored")]

    def part(self, id_: str) -> list[Said]:
        """Return what stands in an element; what has no role is left out, what stands in it is not."""
        element = {"objectId": self.element(f"document.getElementById({json.dumps(id_)})")}
        nodes = self.client.send("Accessibility.queryAXTree", element)["nodes"]
        named = {node["nodeId"]: node for node in nodes}
        found: list[Said] = []

        def walk(node: dict[str, Any], depth: int) -> None:
            one = self.said(node, depth)
            if not node.get("ignored") and one.role not in ("none", "generic", "InlineTextBox"):
                found.append(one)
            if one.role != "text":
                for child in filter(None, map(named.get, node.get("childIds", []))):
                    walk(child, depth + 1)

        if nodes:
            walk(nodes[0], 0)
        return found

    def element(self, expression: str) -> str:
        """Return the number of an element."""
        return self.client.send("Runtime.evaluate", {"expression": expression})["result"]["objectId"]

    def said(self, node: dict[str, Any], depth: int) -> Said:
        """Return what is said of a node of the tree."""
        role, name, value, description = (
            str(node.get(key, {}).get("value", "")) for key in ("role", "name", "value", "description")
        )
        given = {one["name"]: one["value"].get("value") for one in node.get("properties", [])}
        states = tuple(f"{name} {given[name]}".lower() for name in ("pressed", "expanded") if name in given)
        return Said(depth, role_of(role), name, mended(given.get("valuetext") or value), description, states)


def mended(text: str) -> str:
    """Return the value of a slider: the protocol gives its bytes one by one."""
    try:
        return text.encode("latin-1").decode()
    except UnicodeError:
        return text


@dataclass
class Firefox:
    """Firefox, by Marionette over a socket: `size:message` there and back."""

    socket: socket.socket
    numbers: Iterator[int] = field(default_factory=itertools.count)
    come: bytes = b""
    tree: list[Said] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.message()
        self.call("WebDriver:NewSession", capabilities={"alwaysMatch": {}})
        self.call("WebDriver:SetWindowRect", width=WIDTH, height=HEIGHT)

    def message(self) -> Any:
        """Wait for a message."""
        while b":" not in self.come:
            self.come += self.socket.recv(1 << 16)
        size, _, rest = self.come.partition(b":")
        while len(rest) < int(size):
            rest += self.socket.recv(1 << 20)
        self.come = rest[int(size) :]
        return json.loads(rest[: int(size)])

    def call(self, name: str, **parameters: Any) -> Any:
        """Send a command and return its result."""
        command = json.dumps([0, next(self.numbers), name, parameters]).encode()
        self.socket.sendall(b"%d:%b" % (len(command), command))
        _, _, error, result = self.message()
        if error:
            raise RuntimeError(f"{name}: {error['error']}: {error['message']}")
        return result

    def run(self, function: str, *values: Any, **options: Any) -> Any:
        """Call a function, in the page or where one is."""
        code = f"""const done = arguments[arguments.length - 1];
            Promise.resolve(({function})(...arguments[0]))
                .then((said) => done([said ?? null]), (error) => done(String(error)));"""
        said = self.call("WebDriver:ExecuteAsyncScript", script=code, args=[list(values)], **options)["value"]
        if isinstance(said, str):
            raise RuntimeError(said)
        return said[0]

    def inside(self, function: str, *values: Any) -> Any:
        """Call a function in the browser itself, which sees the tree of the page."""
        self.call("Marionette:SetContext", value="chrome")
        try:
            return json.loads(self.run(function, *values, sandbox="system", newSandbox=False))
        finally:
            self.call("Marionette:SetContext", value="content")

    def go(self, address: str) -> None:
        """Load a page."""
        self.call("WebDriver:Navigate", url="about:blank")
        self.call("WebDriver:Navigate", url=address)

    def ask(self, function: str, *values: Any) -> Any:
        """Call a function in the page."""
        return self.run(function, *values)

    def press(self, key: str) -> None:
        """Press a key."""
        strokes = [{"type": kind, "value": KEYS.get(key, key)} for kind in ("keyDown", "keyUp")]
        self.call("WebDriver:PerformActions", actions=[{"type": "key", "id": "keys", "actions": strokes}])

    def read(self) -> list[Said]:
        """Return the page."""
        return [
            Said(depth, role_of(role), *map(str, words), tuple(states), id_)
            for depth, role, words, states, id_ in self.inside(TREE)
            if id_ or role not in ("section", "text container")
        ]

    def controls(self) -> list[Said]:
        """Return what has a name in the part of the page that is its own."""
        self.tree = self.read()
        first = next(place for place, one in enumerate(self.tree) if one.role == "article")
        found = [one for one in inside(self.tree, first) if one.role in {*ROLES.values(), "region"}]
        for one in found:  # where a fold has changed, Firefox says the triangle that it draws itself, too
            one.name = one.name.lstrip("▸▾ ") if one.role == "fold" else one.name
        return found

    def part(self, id_: str) -> list[Said]:
        """Return what stands in an element, as it was when the controls were asked for."""
        first = next((place for place, one in enumerate(self.tree) if one.id == id_), len(self.tree) - 1)
        return inside(self.tree, first)

    def heard(self, wait: float = 0.4) -> list[str]:
        """Return what has been said since one listened last: the focus, values, and live places."""
        return self.inside(LISTEN, int(1000 * wait))


@contextmanager
def a_firefox() -> Iterator[Firefox]:
    """Start Firefox without a window, with a profile of its own and a free port."""
    with TemporaryDirectory() as profile:
        settings = 'user_pref("marionette.port", 0);\nuser_pref("ui.prefersReducedMotion", 1);\n'
        Path(profile, "user.js").write_text(settings, encoding="utf-8")
        options = ["--headless", "--no-remote", "--marionette", "--remote-allow-system-access"]
        command = [shutil.which("firefox-esr") or "firefox", *options, "--profile", profile]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                told, begin = Path(profile, "MarionetteActivePort"), monotonic()
                while not (told.is_file() and told.read_text(encoding="utf-8").strip()):
                    if monotonic() - begin > 60:
                        raise TimeoutError("Firefox has not started")
                    sleep(0.1)
                port = int(told.read_text(encoding="utf-8"))
                with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
                    yield Firefox(connection)
            finally:
                process.terminate()


def inside(said: list[Said], place: int) -> list[Said]:
    """Return what stands in a place of the tree."""
    below = itertools.takewhile(lambda one: one.depth > said[place].depth, said[place + 1 :])
    return list(below)
