"""The chapters in JupyterLab and Notebook 7, with and without the MyST extension: what a reader sees, keeps.

Needs what requirements/all.txt adds, and Chromium.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.book.notebooks import ROOT, Cell, load
from tests.needs import needed
from tools.binder import copy_tracked

pytestmark = pytest.mark.long
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
CHAPTERS = ("01_what_a_tree_is", "04_id3", "15_pessimistic_pruning", "24_from_start_to_end")
MYST = "jupyterlab-myst"
MINE = "# my own words"
MINUTES = 60_000  # in milliseconds, as Playwright counts
IN_SIGHT = """() => [...document.querySelectorAll(".jp-Notebook .jp-Cell")]
    .filter(cell => cell.getBoundingClientRect().height > 0)
    .map(cell => Number(cell.dataset.windowedListIndex))"""
SCROLL = """() => {
    const view = document.querySelector(".jp-WindowedPanel-outer");
    view.scrollTop += 0.8 * view.clientHeight;
    return view.scrollTop + view.clientHeight >= view.scrollHeight - 2;
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Start a browser."""
    playwright = needed("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("there is no browser: install Chromium (on Debian: apt-get install chromium)")
    with playwright.sync_playwright() as player:
        found = player.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a repository of its own with everything that is tracked, and a reader's copies."""
    home = tmp_path_factory.mktemp("reader")
    book = home / "book"
    copy_tracked(ROOT, book)
    for command in (
        ["init", "-q"],
        ["add", "-A"],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "."],
    ):
        subprocess.run(["git", *command], cwd=book, check=True)
    copies(book)
    return book


def copies(book: Path) -> str:
    """Do what `make lab` does before it opens JupyterLab."""
    command = [sys.executable, "-m", "tools.copies"]
    return subprocess.run(
        command, cwd=book, env=environment(book), check=True, capture_output=True, text=True
    ).stdout


def environment(book: Path) -> dict[str, str]:
    """Return the environment of a reader who has never started Jupyter."""
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("JUPYTER", "XDG"))}
    return kept | {"HOME": str(book.parent), "PATH": programs}


@contextmanager
def server(book: Path, app: str, extension: bool) -> Iterator[str]:
    """Run JupyterLab or Notebook, with the MyST extension or without, and return its address."""
    settings = book.parent / ".jupyter" / "labconfig"
    settings.mkdir(parents=True, exist_ok=True)
    disabled = {MYST: not extension, "@jupyterlab/apputils-extension:announcements": True}
    (settings / "page_config.json").write_text(json.dumps({"disabledExtensions": disabled}), encoding="utf-8")
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    options = [
        f"--port={port}",
        "--no-browser",
        "--allow-root",
        "--IdentityProvider.token=",
        "--ServerApp.root_dir=.",
    ]
    command = [sys.executable, "-m", "jupyter", app, *options]
    with (book.parent / "log").open("w", encoding="utf-8") as log:
        process = subprocess.Popen(command, cwd=book, env=environment(book), stdout=log, stderr=log)
    address = f"http://127.0.0.1:{port}"
    try:
        wait_for(address + "/api", process)
        yield address
    finally:
        process.terminate()
        process.wait()


def wait_for(address: str, process: subprocess.Popen) -> None:
    """Ask a server until it answers."""
    end = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < end:
        try:
            urllib.request.urlopen(address, timeout=5).read()
        except urllib.error.URLError:
            time.sleep(0.2)
        else:
            return
    raise RuntimeError(f"no server at {address}")


@contextmanager
def chapter(browser: Any, address: str, app: str, name: str) -> Iterator[Any]:
    """Open a reader's copy of a chapter, and close it again."""
    page = browser.new_page(viewport={"width": 1300, "height": 1000})
    page.set_default_timeout(MINUTES)
    folder, options = (
        ("lab/tree", "?reset") if app == "lab" else ("notebooks", "")
    )  # no tabs of an earlier start
    page.goto(f"{address}/{folder}/my-chapters/{name}.ipynb{options}")
    page.wait_for_selector(".jp-Notebook .jp-MarkdownCell h1")
    try:
        yield page
    finally:
        page.close()


def scrolled(page: Any) -> Iterator[list[int]]:
    """Scroll from the top to the end; yield each time which cells take room on the page."""
    page.evaluate("document.querySelector('.jp-WindowedPanel-outer').scrollTop = 0")
    ends = 0
    while ends < 10:  # the notebook grows while its cells are drawn
        page.wait_for_timeout(150)
        yield page.evaluate(IN_SIGHT)
        ends = ends + 1 if page.evaluate(SCROLL) else 0


def in_sight(page: Any, number: int) -> set[int]:
    """Return the cells that can be seen by scrolling, once the last of them has been drawn too."""
    seen: set[int] = set()
    for _ in range(5):
        seen |= {index for indices in scrolled(page) for index in indices}
        if number - 1 in seen:
            break
    return seen | {index for indices in scrolled(page) for index in indices}


def folded_away(cell: Cell) -> bool:
    """Tell whether a cell is part of a solution, and not its heading."""
    return "solution" in cell.tags and not cell.metadata.get("jp-MarkdownHeadingCollapsed")


def scroll_to(page: Any, selector: str) -> Any:
    """Scroll until something is there and stays in the middle of the window; return it."""
    for _ in scrolled(page):
        if page.locator(selector).count():
            break
    found, place = page.locator(selector).first, None
    for _ in range(60):  # cells above it may still be drawn, and move it
        found.evaluate("element => element.scrollIntoView({block: 'center'})")
        page.wait_for_timeout(500)
        before, place = place, found.bounding_box()
        if place == before:
            return found
    raise AssertionError(f"{selector} does not come to rest")


@pytest.fixture(params=["lab", "lab, MyST", "notebook", "notebook, MyST"], scope="module")
def running(request: pytest.FixtureRequest, repository: Path) -> Iterator[tuple[str, str]]:
    """Return the program and its address."""
    app, _, extension = request.param.partition(", ")
    needed("notebook")
    needed("jupyterlab_myst")
    with server(repository, app, bool(extension)) as address:
        yield app, address


@pytest.mark.parametrize("name", CHAPTERS)
def test_what_a_reader_sees(browser: Any, running: tuple[str, str], name: str) -> None:
    cells = load(ROOT / "chapters" / f"{name}.ipynb").cells
    with chapter(browser, running[1], running[0], name) as page:
        assert in_sight(page, len(cells)) == {i for i, cell in enumerate(cells) if not folded_away(cell)}
        formulas_are_set_and_pictures_show(page)
        solution_unfolds(page, next(index for index, cell in enumerate(cells) if folded_away(cell)))
        choice_opens_at_the_first_click(page)


def formulas_are_set_and_pictures_show(page: Any) -> None:
    """Look at what has been drawn."""
    assert page.locator("mjx-merror, .katex-error").count() == 0
    shown = page.locator(".jp-MarkdownCell:visible").all_inner_texts()
    assert [text for text in shown if "$$" in text or "\\begin{" in text] == []
    assert page.locator(".jp-RenderedSVG").count() >= 1


def solution_unfolds(page: Any, index: int) -> None:
    """Click on the button below the first heading, and see a cell of the solution."""
    scroll_to(page, ".jp-showHiddenCellsButton:visible").click()
    page.wait_for_selector(f'.jp-Cell[data-windowed-list-index="{index}"]', state="visible")


def choice_opens_at_the_first_click(page: Any) -> None:
    """Click on a choice of the quiz, which has a box before it, and read what is said about it."""
    choice = scroll_to(page, "summary:has-text('☐')")
    assert choice.text_content().strip().startswith("☐ ")
    box = choice.bounding_box()
    page.mouse.click(box["x"] + 40, box["y"] + box["height"] / 2)
    opened = page.locator("details[open]")
    opened.wait_for()
    assert opened.inner_text().strip().split("\n")[-1].startswith(("Right.", "No."))


def test_a_reader_runs_and_edits_and_loses_nothing_and_breaks_nothing(browser: Any, repository: Path) -> None:
    for name in CHAPTERS:
        with (
            server(repository, "lab", extension=False) as address,
            chapter(browser, address, "lab", name) as page,
        ):
            run_all(page, repository / "my-chapters" / f"{name}.ipynb")
            write(page)
    status = subprocess.run(["git", "status", "--porcelain"], cwd=repository, check=True, capture_output=True)
    assert status.stdout == b""
    assert (
        copies(repository)
        == "Your copies of the chapters are in my-chapters/. What you write there is kept.\n"
    )
    for name in CHAPTERS:
        kept = load(repository / "my-chapters" / f"{name}.ipynb")
        assert MINE in "\n".join(cell.source for cell in kept.code)


def run_all(page: Any, file: Path) -> None:
    """Run all cells, save, and see in the file that each has run and none has failed."""
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    end = time.monotonic() + 300
    code: list[Cell] = []
    while not code or [cell.count for cell in code] != list(range(1, len(code) + 1)):
        assert time.monotonic() < end, f"{file.name} has not run through"
        page.wait_for_timeout(2000)
        page.keyboard.press("Control+s")
        code = load(file).code
    assert [output for cell in code for output in cell.outputs if output["output_type"] == "error"] == []


def write(page: Any) -> None:
    """Add a line to the first cell that is in sight, and save."""
    editor = scroll_to(page, ".jp-CodeCell .cm-content:visible")
    editor.click()
    page.keyboard.press("Control+End")
    page.keyboard.type(f"\n{MINE}")
    page.keyboard.press("Control+s")
    page.wait_for_timeout(2000)
