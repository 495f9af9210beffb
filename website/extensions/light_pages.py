"""A page asks for one style sheet and one script, made of all that Sphinx, the theme and the book put in.

When the pages are written (event build-finished):

- the style sheets and scripts that every page has become ``_static/bundle.css`` and ``_static/bundle.js``;
  the script runs when the page has been read (``defer``), so that nothing waits for it;
- of the style sheets only rules stay whose classes and ids occur in some page or script;
- without a script no theme is chosen: ``_static/noscript.css`` repeats the light colors and, for those who
  read in the dark, the dark ones;
- Font Awesome leaves; `_static/icons.css` draws the icons instead;
- an address carries a digest of the file (``?v=``), so that no browser shows an old one.

In a build of some pages alone the others keep their links, and the bundle is made again of the same files:
its first line names them.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from itertools import pairwise
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING, NamedTuple

import tinycss2
from sphinx.errors import ExtensionError
from tinycss2 import ast

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

TAG = re.compile(r"\s*<link\b[^>]*>|\s*<script\b[^>]*\bsrc=[^>]*></script>")
OF_THEME = {theme: re.compile(rf"""\[data-theme=(["']?){theme}\1\]""") for theme in ("light", "dark")}
ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')
PAGE_NAME = re.compile(r"\s*<script>DOCUMENTATION_OPTIONS\.pagename = [^<]*</script>")
IN_FOLDER = re.compile(r"^(?P<up>(?:\.\./)*|/(?:[\w.-]+/)*)_static/(?P<path>[^?#]+)")
WAITS_FOR_NOTHING = re.compile(r"<script(?=[^>]*\bsrc=)(?![^>]*\b(?:defer|async|module)\b)")
URL = re.compile(r"""url\((?P<quote>["']?)(?!data:|[a-z]+://|#|/)(?P<path>[^"')]+)(?P=quote)\)""")
IMPORT = re.compile(r"""@import\s+["'](?P<path>[^"']+)["']\s*;""")
SOURCE_MAP = re.compile(r"(?:/\*|//)# sourceMappingURL=\S+?(?:\s*\*/|$)", re.MULTILINE)
MADE_OF = re.compile(r"/\* made of: (?P<paths>.*?) \*/")
NAMES = re.compile(r'\b(?:class|id)="([^"]*)"')
WORD = re.compile(r"-?[A-Za-z_][\w-]*")
ICON = re.compile(r'<(?:i|span) class="[^"]*?\bfa-(?!solid|regular|brands|lg\b)([\w-]+)')
LEFT_OUT = "vendor/fontawesome/"
# The theme asks of every piece of code whether it scrolls, each after it has changed the one before: half a
# second on a phone. `_static/page.js` sees to the same places once the browser has measured them anyway.
THEME = "scripts/pydata-sphinx-theme.js"
THEME_MEASURES = '"pre, .nboutput > .output_area, .cell_output > .output, .jp-RenderedHTMLCommon"'
MEASURES_NOTHING = '":not(*)"'
# On a first visit the theme says "auto", and light or dark only when its script has run: then all of a page
# that is laid out already is asked for its colors again.
THEME_LATER = 'localStorage.getItem("theme") || "auto"'
THEME_AT_ONCE = (
    '({light: "light", dark: "dark"})[localStorage.getItem("mode")]'
    ' || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")'
)


# The links of a page


class Link(NamedTuple):
    """A tag that loads a file of ``_static``."""

    tag: str
    kind: str  # css, js or preload
    up: str
    path: str


def links(page: str) -> Iterator[Link]:
    """Yield the tags of a page that load a file of the book.

    >>> [link] = links('<link href="../_static/book.css?v=1" rel="stylesheet" />')
    >>> link.kind, link.up, link.path
    ('css', '../', 'book.css')
    >>> [link] = links('<script src="/trees/_static/page.js"></script>')  # the page of a wrong address
    >>> link.up
    '/trees/'
    """
    for match in TAG.finditer(page):
        attributes = dict(ATTRIBUTE.findall(match[0]))
        place = IN_FOLDER.match(attributes.get("src") or attributes.get("href", ""))
        kind = {"stylesheet": "css", "preload": "preload", None: "js"}.get(attributes.get("rel"))
        if place and kind:
            yield Link(match[0], kind, place["up"], place["path"])


def plain(link: Link) -> bool:
    """Say whether a script is nothing but a file to run: one with data of its own stays where it is."""
    return set(dict(ATTRIBUTE.findall(link.tag))) <= {"src", "href", "rel", "type", "defer", "async"}


def shared(pages: Iterable[str], kind: str) -> list[str]:
    """Return the files of one kind that every page loads, in their order."""
    lists = [[link.path for link in links(page) if link.kind == kind and plain(link)] for page in pages]
    common = set(lists[0]).intersection(*lists[1:])
    return [path for path in dict.fromkeys(lists[0]) if path in common and not path.startswith(LEFT_OUT)]


def lightened(page: str, made_of: dict[str, list[str]], versions: dict[str, str]) -> str:
    """Return a page that loads the bundles instead of what they are made of."""
    for link in links(page):
        if link.kind == "preload" or link.path.startswith(LEFT_OUT):
            page = page.replace(link.tag, "", 1)
        elif link.path in made_of[link.kind] and plain(link):
            first = link.path == made_of[link.kind][0]
            page = page.replace(link.tag, bundle_tag(link) if first else "", 1)
    page = WAITS_FOR_NOTHING.sub(r'<script defer="defer"', page)  # what follows the bundle runs after it
    page = with_theme_at_once(PAGE_NAME.sub("", page))
    for kind, version in versions.items():
        page = re.sub(rf"(_static/bundle\.{kind})(?:\?v=\w+)?", rf"\1?v={version}", page)
    return page


def with_theme_at_once(page: str) -> str:
    """Return a page that is light or dark from the start, as one of an earlier build is already."""
    if page.count(THEME_LATER) + page.count(THEME_AT_ONCE) != 1:
        raise ExtensionError(f"a page of this theme does not ask once for {THEME_LATER}")
    return page.replace(THEME_LATER, THEME_AT_ONCE)


def bundle_tag(link: Link) -> str:
    """Return the tag that loads a bundle, in place of the first file that it is made of."""
    address = f"{link.up}_static/bundle.{link.kind}"
    if link.kind == "css":
        plain = f"{link.up}_static/noscript.css"
        return (
            f'\n    <link rel="stylesheet" href="{address}" />'
            f'\n    <noscript><link rel="stylesheet" href="{plain}" /></noscript>'
        )
    return f'\n    <script defer="defer" src="{address}"></script>'


# The bundles


def script(folder: Path, paths: list[str]) -> str:
    """Put scripts one after the other."""
    parts = [(folder / path).read_text(encoding="utf-8") for path in paths]
    if THEME in paths:
        parts[paths.index(THEME)] = without_measuring(parts[paths.index(THEME)])
    return ";\n".join(SOURCE_MAP.sub("", part).strip() for part in parts)


def without_measuring(theme: str) -> str:
    """Return the theme's script, in which the places that it would measure are none."""
    if theme.count(THEME_MEASURES) != 1:
        raise ExtensionError(f"the script of this theme does not ask once for {THEME_MEASURES}")
    return theme.replace(THEME_MEASURES, MEASURES_NOTHING)


def style_sheet(folder: Path, path: str) -> str:
    """Read a style sheet, with what it imports; its addresses lead from the folder itself."""
    text = SOURCE_MAP.sub("", (folder / path).read_text(encoding="utf-8"))

    def address(match: re.Match[str]) -> str:
        return normpath(join(dirname(path), match["path"]))

    text = URL.sub(lambda match: f'url("{address(match)}")', text)
    return IMPORT.sub(lambda match: style_sheet(folder, address(match)), text)


def names_in(pages: Iterable[str], scripts: Iterable[str]) -> set[str]:
    """Return every class and id of the pages, and every word of the scripts, which may set one.

    >>> sorted(names_in(['<p class="a b" id="c">'], ["x.classList.add('d-e')"]))
    ['a', 'add', 'b', 'c', 'classList', 'd-e', 'x']
    """
    found = {name for page in pages for value in NAMES.findall(page) for name in value.split()}
    return found.union(*(WORD.findall(text) for text in scripts))


def purged(css: str, names: set[str]) -> str:
    """Return the rules of a style sheet that may apply, without comments.

    >>> purged(".a, .b .c { color: red } @media print { .d { color: red } } p:not(.d) { color: red }", {"a"})
    '.a{color: red}p:not(.d){color: red}'
    """
    return "".join(rule_text(rule, names) for rule in tinycss2.parse_stylesheet(css, True, True))


def rule_text(rule: ast.Node, names: set[str]) -> str:
    if isinstance(rule, ast.QualifiedRule):
        selectors = [part for part in at_commas(rule.prelude) if needed(part) <= names]
        return f"{','.join(map(text_of, selectors))}{{{text_of(rule.content)}}}" if selectors else ""
    if not isinstance(rule, ast.AtRule):
        raise ExtensionError(f"a style sheet cannot be read: {rule!r}")
    head = f"@{rule.at_keyword} {text_of(rule.prelude)}".strip()
    if rule.content is None:
        return f"{head};"
    if rule.lower_at_keyword not in ("media", "supports", "layer", "container"):
        return f"{head}{{{text_of(rule.content)}}}"
    rules = tinycss2.parse_rule_list(rule.content, True, True)
    inside = "".join(rule_text(inner, names) for inner in rules)
    return f"{head}{{{inside}}}" if inside else ""


def without_script(css: str) -> str:
    """Return the rules of the two themes for a page on which no script has chosen one.

    >>> css = without_script("[data-theme=dark] p, a { color: white } [data-theme='light'] { color: black }")
    >>> print(css.replace("@", "\\n@"))
    [data-theme="auto"]{color: black}
    @media (prefers-color-scheme: dark){[data-theme="auto"] p{color: white}}
    """
    rules = tinycss2.parse_stylesheet(css, True, True)
    light, dark = (f"{''.join(rules_of(theme, rule) for rule in rules)}" for theme in ("light", "dark"))
    return f"{light}@media (prefers-color-scheme: dark){{{dark}}}"


def rules_of(theme: str, rule: ast.Node) -> str:
    """Return a rule as it is for pages of one theme, or nothing if it is for all."""
    if isinstance(rule, ast.QualifiedRule):
        selectors = [text_of(part) for part in at_commas(rule.prelude)]
        of_theme = [
            OF_THEME[theme].sub('[data-theme="auto"]', one)
            for one in selectors
            if OF_THEME[theme].search(one)
        ]
        return f"{','.join(of_theme)}{{{text_of(rule.content)}}}" if of_theme else ""
    if rule.content is None or rule.lower_at_keyword not in ("media", "supports", "layer", "container"):
        return ""
    inside = "".join(rules_of(theme, inner) for inner in tinycss2.parse_rule_list(rule.content, True, True))
    return f"@{rule.at_keyword} {text_of(rule.prelude)}{{{inside}}}" if inside else ""


def at_commas(tokens: list[ast.Node]) -> list[list[ast.Node]]:
    parts: list[list[ast.Node]] = [[]]
    for token in tokens:
        if token == ",":
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def needed(selector: list[ast.Node]) -> set[str]:
    """Return the classes and ids without which a selector fits nothing, not those in `:not()` or `:is()`."""
    classes = {
        token.value for dot, token in pairwise(selector) if dot == "." and isinstance(token, ast.IdentToken)
    }
    return classes | {token.value for token in selector if isinstance(token, ast.HashToken)}


def text_of(tokens: list[ast.Node]) -> str:
    """Write tokens back, without comments and with single spaces."""
    kept = [token for token in tokens if not isinstance(token, ast.Comment)]
    return "".join(
        " " if isinstance(token, ast.WhitespaceToken) else token.serialize() for token in kept
    ).strip()


# The build


def lighten(app: Sphinx, exception: Exception | None) -> None:
    """Make the bundles and let every page load them (event build-finished)."""
    if exception is not None or app.builder.name not in ("html", "dirhtml"):
        return
    folder = Path(app.outdir, "_static")
    pages = {path: path.read_text(encoding="utf-8") for path in Path(app.outdir).rglob("*.html")}
    pages = {path: page for path, page in pages.items() if any(links(page))}
    made_of = {kind: parts_of_bundle(folder, pages, kind) for kind in ("css", "js")}
    scripts = [path for path in folder.rglob("*.js") if LEFT_OUT not in path.as_posix()]
    names = names_in(pages.values(), (path.read_text(encoding="utf-8") for path in scripts))
    css = "".join(purged(style_sheet(folder, path), names) for path in made_of["css"])
    check_icons(pages.values(), css)
    (folder / "noscript.css").write_text(without_script(css), encoding="utf-8")
    bundles = {"css": css, "js": script(folder, made_of["js"])}
    versions = {kind: write(folder / f"bundle.{kind}", made_of[kind], text) for kind, text in bundles.items()}
    for path, page in pages.items():
        light = lightened(page, made_of, versions)
        if light != page:
            path.write_text(light, encoding="utf-8")
    shutil.rmtree(folder / LEFT_OUT, ignore_errors=True)


def parts_of_bundle(folder: Path, pages: dict[Path, str], kind: str) -> list[str]:
    """Return the files of a bundle: what all pages share or, where pages have it, what it is made of."""
    # pages of source code stay from one build to the next even where all others are written again
    own = [page for path, page in pages.items() if "_modules" not in path.parts]
    bundle = folder / f"bundle.{kind}"
    if any(f"_static/bundle.{kind}" in page for page in own):
        return MADE_OF.match(bundle.read_text(encoding="utf-8"))["paths"].split()
    return shared(own, kind)


def looks_changed(app: Sphinx, env: BuildEnvironment, *_: set[str]) -> list[str]:
    """Read the first page again where a file is newer than the bundle (event env-get-outdated).

    Sphinx copies style sheets and scripts only when it writes a page.
    """
    bundle = Path(app.outdir, "_static", "bundle.css")
    if app.builder.name != "html" or not bundle.is_file():
        return []
    built = bundle.stat().st_mtime
    files = (file for name in app.config.html_static_path for file in Path(app.srcdir, name).rglob("*"))
    return [app.config.root_doc] if any(file.stat().st_mtime > built for file in files) else []


def write(bundle: Path, paths: list[str], text: str) -> str:
    """Write a bundle, and return its digest."""
    text = f"/* made of: {' '.join(paths)} */\n{text}\n"
    bundle.write_text(text, encoding="utf-8")
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def check_icons(pages: Iterable[str], css: str) -> None:
    """Stop where a page shows an icon of the theme that the book has no drawing of."""
    missing = {icon for page in pages for icon in ICON.findall(page) if f".fa-{icon}" not in css}
    if missing:
        raise ExtensionError(f"_static/icons.css has no drawing of {', '.join(sorted(missing))}")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("env-get-outdated", looks_changed)
    app.connect("build-finished", lighten, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
