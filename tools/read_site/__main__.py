"""Read the built website: `python -m tools.read_site [FOLDER]`; the status is 1 if anything is wrong."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import yaml

from tools.read_site import faults, scripts, styles
from tools.read_site.faults import Fault
from tools.read_site.page import Page, read
from tools.read_site.source import sections, sources

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "_build" / "html"
SHOWN, KIND = 8, 24  # faults of a kind that are said; so many letters of its words tell a kind
FEW = 20  # pages; another process takes longer to begin
CARDS = "_static/cards/"
INDEX = Path("_static", "search", "index.js")


def of_site(folder: Path, root: Path) -> Iterator[Fault]:
    """Yield the faults of a built site, given its folder and that of its sources."""
    paths = sorted(path for path in folder.rglob("*.html") if "_static" not in path.parts)
    found = read_all(paths, folder)
    pages = {page.name: page for page in found}
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    yield from of_pages(pages, files)
    yield from of_files(folder, files, pages)
    rules = [rule for css in shared_styles(folder, found) for rule in styles.hiding(css)]
    for page in found:
        yield from styles.hidden(page, rules)
    yield from of_sources(folder, root, pages)


def read_all(paths: list[Path], folder: Path) -> list[Page]:
    """Read pages, many of them by several processes."""
    if len(paths) <= FEW:
        return [read(path, folder) for path in paths]
    with ProcessPoolExecutor() as workers:
        return list(workers.map(read, paths, [folder] * len(paths), chunksize=8))


def of_pages(pages: dict[str, Page], files: set[str]) -> Iterator[Fault]:
    """Yield the faults of pages that need no source to be seen."""
    for page in pages.values():
        yield from faults.of_page(page)
        yield from faults.links(page, pages, files)
        for place, kind, text in page.code:
            yield from styles.foreign(page.name, place, kind, text)


def of_files(folder: Path, files: set[str], pages: dict[str, Page]) -> Iterator[Fault]:
    """Yield what the style sheets and scripts of the site take from elsewhere, and cards of no place."""
    for name in sorted(files):
        if name.endswith((".css", ".js")):
            text = (folder / name).read_text(encoding="utf-8")
            yield from styles.foreign(name, "", name.rpartition(".")[2], text)
            if name.endswith(".js"):
                yield from scripts.too_new(name, text)
            if name.endswith("bundle.css"):
                yield from lacking(name, text, files)
            if name.startswith(CARDS):
                yield from faults.cards(name, text, pages)


def lacking(name: str, css: str, files: set[str]) -> Iterator[Fault]:
    """Yield the files that a style sheet loads and the site has not."""
    for address in styles.inside_of_style(css):
        target = faults.inside(Page(name), address)[0]
        if target not in files:
            yield Fault(name, "", f"it loads {address}, and there is no such file")


def shared_styles(folder: Path, pages: list[Page]) -> list[str]:
    """Return the style sheets that pages load."""
    found = {
        faults.inside(page, address.address)[0]
        for page in pages
        for address in page.addresses
        if address.tag == "link stylesheet"
    }
    paths = [folder / name for name in sorted(filter(None, found))]
    return [path.read_text(encoding="utf-8") for path in paths if path.is_file()]


def of_sources(folder: Path, root: Path, pages: dict[str, Page]) -> Iterator[Fault]:
    """Yield what the sources promise and the site does not keep."""
    title = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))["title"]
    wanted = sources(root)
    below = sections(yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8")))
    apart = {name for names in below.values() for name in names}  # only the page above them leads there
    shown = [source.name for source in wanted if source.name not in apart]
    yield from faults.contents(pages, wanted)
    for source in wanted:
        if page := pages.get(f"{source.name}.html"):
            yield from faults.promised(page, source, title)
            yield from faults.menu(page, {f"{name}.html" for name in (*shown, *below.get(source.name, ()))})
            yield from faults.listed(page, wanted)
    text = (folder / INDEX).read_text(encoding="utf-8") if (folder / INDEX).is_file() else ""
    yield from faults.index(text, pages, wanted)


def summary(found: list[Fault]) -> Iterator[str]:
    """Say the same fault of several pages once, and of one kind the first ones.

    Examples
    --------
    >>> print(*summary([Fault("a.html", "b", "no"), Fault("c.html", "", "no")]), sep="\\n")
    a.html#b: no (and 1 more)
    """
    times, kinds = Counter(fault.words for fault in found), Counter[str]()
    first: dict[str, Fault] = {}
    for fault in found:
        first.setdefault(fault.words, fault)
    for fault in first.values():
        kind = re.sub("[^a-z ]", "", fault.words)[:KIND]
        kinds[kind] += 1
        more = f" (and {times[fault.words] - 1} more)" if times[fault.words] > 1 else ""
        if kinds[kind] <= SHOWN:
            yield f"{fault}{more}"
    hidden = sum(n - SHOWN for n in kinds.values() if n > SHOWN)
    if hidden:
        yield f"... and {hidden} more like these."


def main(arguments: list[str]) -> int:
    """Say every fault once, and where else it stands, and return the exit status."""
    folder = Path(arguments[0]) if arguments else SITE
    found = list(dict.fromkeys(of_site(folder, ROOT)))
    for line in summary(found):
        print(line)
    if found:
        print(f"The website has {len(found)} faults, see above.")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
