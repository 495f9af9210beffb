"""The API pages, made from the library itself.

A page of `reference/api/` holds a comment like ``<!-- dtlib: measures, prune -->``, which names modules and
rooms (packages) of the library in the order in which they are shown. While Sphinx reads the page, the comment
becomes a section for each, headed by the first line of its docstring, with the docstrings of what is public
there; ``<!-- dtlib: overview -->`` becomes the same sections of all pages with one line for each name.

Public is what ``__all__`` of a package in `PACKAGES` lists, what the modules in `OPEN` hold, and each
function that chapters/formulas.csv names. The source of every module has a page, shown or not.
"""

from __future__ import annotations

import csv
import importlib
import inspect
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, reduce
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.pycode import ModuleAnalyzer
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging

if TYPE_CHECKING:
    from sphinx.application import Sphinx

logger = logging.getLogger(__name__)

ROOT = Path(__file__).resolve().parent.parent
# the first that has a name is shown
PACKAGES = (
    "dtlib",
    "dtlib.prune",
    "dtlib.dialects",
    "dtlib.draw",
    "dtlib.export",
    "dtlib.out_of_core",
    "dtlib.book.pictures",
)
OPEN = (
    "measures",
    "messages",
    "base",
    "cart",
    "tree.splits",
    "tree.node",
    "checks",
    "datasets",
)  # imported from
ONLY = {"dtlib.base": ("TreeEstimator", "ClassTree"), "dtlib.cart": ("CART",)}  # what is shown of these two
PAGES = ("measures", "growing", "pruning", "trees", "pictures")  # of reference/api, in order
CHAPTERS = re.compile(r" \((?:chapters? )[\d, to and]+\)")
COMMENT = re.compile(r"<!-- dtlib: (?P<what>[\w., ]+) -->")
CITED = re.compile(r" ?\[(\d+)\]_")
REFERENCE = re.compile(r"^\.\. \[(\d+)\] ")
BACK = re.compile(r'(?P<link>id="(?P<name>[\w.]+)">\s*<a class="viewcode-back" href="[^"#]+#)[^"]+')
IMPORTED = re.compile(r'<span class="nn">(?P<name>dtlib[\w.]+)</span>')
API_LINK = re.compile(r'href="(?:\.\./)?reference/api\.md#(?P<name>[\w.]+)"')


@dataclass(frozen=True)
class Row:
    """A section of the API: a module or a room, without ``dtlib.``, what it holds, and the modules in it."""

    name: str
    what: str
    modules: tuple[str, ...]


@cache
def rows() -> tuple[Row, ...]:
    """Return the sections of all pages.

    >>> rows()[0].name, rows()[0].modules
    ('measures', ('measures',))
    """
    return tuple(row for page in PAGES for row in rows_of(ROOT / "reference" / "api" / f"{page}.md"))


def rows_of(page: Path) -> list[Row]:
    """Return the sections that the comment on a page asks for."""
    match = COMMENT.search(page.read_text(encoding="utf-8"))
    if match is None:
        raise ValueError(f"{page.name} has no comment <!-- dtlib: ... -->")
    return [row_of(name) for name in match["what"].split(", ")]


@cache
def row_of(name: str) -> Row:
    """Return the section of a module or a room.

    >>> row_of("table").modules[:2]
    ('table.columns', 'table.frames')
    """
    home = importlib.import_module(f"dtlib.{name}")
    first = (inspect.getdoc(home) or "").partition("\n")[0].removesuffix(".")
    below = [module.removeprefix("dtlib.") for module in submodules(home)]
    return Row(name, CHAPTERS.sub("", first), tuple(below or [name]))


def all_modules() -> list[str]:
    """List the modules of the library: each has a page with its source.

    >>> "dtlib.measures" in all_modules(), "dtlib.table" in all_modules()
    (True, False)
    """
    files = (p.relative_to(ROOT).with_suffix("") for p in (ROOT / "dtlib").rglob("[a-z]*.py"))
    return sorted(".".join(file.parts) for file in files)


@cache
def exported() -> dict[str, str]:
    """Return what the packages export: where a name is defined -> the name to import.

    >>> exported()["dtlib.prune.loss.risk"], exported()["dtlib.tree.tree.Tree"]
    ('dtlib.prune.risk', 'dtlib.Tree')
    """
    found: dict[str, str] = {}
    for package in PACKAGES:
        module = importlib.import_module(package)
        for name in module.__all__:
            thing = getattr(module, name)
            home = getattr(thing, "__module__", None) or home_of(module, name)
            found.setdefault(f"{home}.{getattr(thing, '__name__', name)}", f"{package}.{name}")
    return found


def home_of(package: ModuleType, name: str) -> str:
    """Return the module below a package that defines a constant."""
    below = [m for m in vars(package).values() if inspect.ismodule(m) and name in vars(m)]
    return below[0].__name__ if below else package.__name__


@cache
def of_formulas() -> frozenset[str]:
    """Return the functions that the table of formulas names."""
    with (ROOT / "chapters" / "formulas.csv").open(encoding="utf-8", newline="") as file:
        return frozenset(row["function"] for row in csv.DictReader(file))


@cache
def public(module: str) -> tuple[str, ...]:
    """Return the names to import of what is public in a module, in the order of its source.

    >>> public("id3"), public("table.ranks")
    (('dtlib.ID3Classifier',), ())
    """
    return tuple(public_names(importlib.import_module(f"dtlib.{module}")))


def submodules(package: ModuleType) -> list[str]:
    """List the modules of a package; a module has none."""
    below = f"{package.__name__}." if hasattr(package, "__path__") else "\n"
    return [module for module in all_modules() if module.startswith(below)]


def public_names(home: ModuleType) -> list[str]:
    """List the names to import of what a module itself defines and is public."""
    found = []
    for name, thing in vars(home).items():
        place = f"{home.__name__}.{name}"
        if place in exported():
            found.append(exported()[place])
        elif getattr(thing, "__module__", "") == home.__name__ and is_shown(place):
            found.append(place)
    return found


def is_shown(place: str) -> bool:
    """Tell whether a function or class that no package exports is shown all the same.

    >>> is_shown("dtlib.measures.gini"), is_shown("dtlib.search.score.Concave")
    (True, False)
    """
    module, _, name = place.rpartition(".")
    from_here = module.removeprefix("dtlib.") in OPEN and not name.startswith("_")
    if from_here and name in ONLY.get(module, (name,)):
        return True
    return any(f"{function}.".startswith(f"{place}.") for function in of_formulas())  # or a method of it


# The text of a page


def overview() -> str:
    """Return a section for each module or room, with a line for each name."""
    return "\n\n".join(summary(row) for row in rows() if names_of(row))


def names_of(row: Row) -> list[str]:
    """List what is public in the modules of a row."""
    return [name for module in row.modules for name in public(module)]


def summary(row: Row) -> str:
    """Return the section of a row in the overview: where it is, and each name with the first line on it."""
    lines = "\n".join(f"   * - :py:obj:`{name}`\n     - {first_line(name)}" for name in names_of(row))
    table = f".. list-table::\n   :widths: auto\n   :class: api-names\n\n{lines}"
    return f"## {row.what}\n\nIn `dtlib.{row.name}`.\n\n```{{eval-rst}}\n{table}\n```"


def first_line(name: str) -> str:
    """Return the first line of a docstring; of a constant, what it is.

    >>> first_line("dtlib.measures.gini_index")
    'Return the Gini index left by the split into all values of the feature.'
    """
    thing = resolve(name)
    if not (inspect.isroutine(thing) or inspect.isclass(thing)):
        return constant(name)
    return CITED.sub("", (inspect.getdoc(thing) or "").partition("\n")[0]).replace("*", r"\*")


def resolve(name: str) -> Any:
    """Return the thing with a name, such as ``dtlib.prune.risk`` or ``dtlib.Tree.explain``."""
    parts = name.split(".")
    for length in range(1, len(parts)):  # where a package exports a function named as its module, that counts
        try:
            return reduce(getattr, parts[length:], importlib.import_module(".".join(parts[:length])))
        except (AttributeError, ModuleNotFoundError):
            continue
    raise ValueError(f"there is no {name}")


def details(row: Row) -> str:
    """Return the section of a row: the docstrings of its modules, and of what is public in them."""
    return "\n\n".join([f"## {row.what}", *(module_details(m) for m in row.modules if public(m))])


def module_details(module: str) -> str:
    """Return the part of a module: its docstring, and those of what is public in it."""
    own = f".. automodule:: dtlib.{module}\n   :no-members:\n   :no-index:"
    text = "\n\n".join([own, *map(directive, public(module))])
    return f"### `dtlib.{module}`\n\n```{{eval-rst}}\n{text}\n```"


def directive(name: str) -> str:
    """Return the directive that documents a name."""
    thing = resolve(name)
    if inspect.isclass(thing):
        bases = "\n   :show-inheritance:" if own_bases(thing.__bases__) else ""
        return f".. autoclass:: {name}\n   :members:{bases}"
    if inspect.isroutine(thing):
        return f".. autofunction:: {name}"
    package, _, own = name.rpartition(".")
    return f".. py:data:: {own}\n   :module: {package}\n\n   {constant(name)}"


def constant(name: str) -> str:
    """Return what the comment above a constant says, which begins with ``#:``.

    >>> constant("dtlib.draw.DARK")
    'The same colors for dark paper.'
    """
    places = [home for home, shown in exported().items() if shown == name] or [name]
    module, _, own = places[0].rpartition(".")
    comments = ModuleAnalyzer.for_module(module).find_attr_docs()
    return " ".join(comments["", own]).strip()


def read_source(app: Sphinx, docname: str, content: list[str]) -> None:
    """Put what was asked for in the place of the comment (event source-read)."""
    match = COMMENT.search(content[0]) if docname.startswith("reference/") else None
    if match is None:
        return
    names = match["what"].split(", ")
    text = overview() if names == ["overview"] else "\n\n".join(map(details, map(row_of, names)))
    content[0] = content[0].replace(match[0], text)


# What is documented, and what a name in backticks means


def skip_member(app: Sphinx, what: str, name: str, thing: Any, skip: bool, options: Any) -> bool | None:
    """Leave out what scikit-learn adds to estimators to route metadata (event autodoc-skip-member)."""
    return True if re.fullmatch(r"set_\w+_request", name) else None


def shown_bases(app: Sphinx, name: str, thing: Any, options: Any, bases: list) -> None:
    """Name only those bases of a class that have a place in the API (event autodoc-process-bases)."""
    bases[:] = own_bases(bases)


def own_bases(bases: Iterable[type]) -> list[type]:
    """Return those of some classes that have a place in the API.

    >>> from dtlib import CARTRegressor
    >>> [base.__name__ for base in own_bases(CARTRegressor.__bases__)]
    ['CART']
    """
    found = {f"{base.__module__}.{base.__name__}": base for base in bases}
    return [base for place, base in found.items() if place in exported() or is_shown(place)]


def number_references(app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list) -> None:
    """Make a list of the references of a docstring: a page has many a [1] (autodoc-process-docstring)."""
    lines[:] = [REFERENCE.sub(r"\1. ", CITED.sub(r" [\1]", line)) for line in lines]


def source_of(app: Sphinx, module: str, name: str) -> str | None:
    """Return the module with the source of a name; a property is with its class (viewcode-follow-imported).

    >>> source_of(None, "dtlib", "Tree.depth"), source_of(None, "dtlib.prune", "risk")
    ('dtlib.tree.tree', 'dtlib.prune.loss')
    """
    try:
        thing = resolve(f"{module}.{name}")
    except ValueError:  # declared in a class, and set by each instance
        return None
    is_own = inspect.isfunction(thing) or inspect.ismethod(thing) or inspect.isclass(thing)
    owner = thing if is_own else resolve(f"{module}.{name}".rpartition(".")[0])
    return getattr(owner, "__module__", None)


def every_module(app: Sphinx, env: Any) -> None:
    """Give every module a page with its source, shown in the API or not (event env-check-consistency).

    Sphinx makes pages only of modules with something documented, and notes them in the environment.
    """
    noted = env.__dict__.setdefault("_viewcode_modules", {})
    for module in all_modules():
        if not noted.get(module):
            analyzer = ModuleAnalyzer.for_module(module)
            analyzer.find_tags()
            noted[module] = analyzer.code, analyzer.tags, {}, module


def lead_on(body: str, own: str) -> str:
    """Link the modules that a module's source imports to their own sources.

    >>> line = '<span class="kn">from</span><span class="w"> </span><span class="nn">dtlib.measures</span>'
    >>> lead_on(line, "dtlib.prune.loss").count('<a href="../measures.html">dtlib.measures</a>')
    1
    """
    here = f"{'../' * (own.count('.') - 1)}"

    def link(match: re.Match[str]) -> str:
        name = match["name"]
        if name not in all_modules():
            return match[0]
        path = name.removeprefix("dtlib.").replace(".", "/")
        return f'<span class="nn"><a href="{here}{path}.html">{name}</a></span>'

    return IMPORTED.sub(link, body)


def lead_back(
    app: Sphinx, pagename: str, template: str, context: dict, doctree: nodes.document | None
) -> None:
    """Mend the links from a module's code to the API, and add those to other code (event html-page-context).

    Sphinx takes one package for all names of a module.
    """
    if pagename.startswith("_modules/dtlib"):
        module = pagename.removeprefix("_modules/").replace("/", ".")
        body = BACK.sub(lambda m: m["link"] + shown_as(module, m["name"]), context["body"])
        context["body"] = lead_on(body, module)


def shown_as(module: str, name: str) -> str:
    """Return the name under which the API shows a function, class or method of a module.

    >>> shown_as("dtlib.cart", "CARTClassifier.fit"), shown_as("dtlib.cart", "CART")
    ('dtlib.CARTClassifier.fit', 'dtlib.cart.CART')
    """
    head, dot, method = name.partition(".")
    return exported().get(f"{module}.{head}", f"{module}.{head}") + dot + method


def named_role(name, rawtext, text, lineno, inliner, options=None, content=None):
    """A name in single backticks: code, and where it is the name of something documented, a link to it."""
    return [nodes.literal(rawtext, text, classes=["named"])], []


class NamedLinks(SphinxPostTransform):
    """Link the names in backticks, and the links of the notebooks to the API, to what is documented."""

    default_priority = 225  # before the tables of outputs are repaired
    formats = ("html",)

    def run(self, **kwargs) -> None:
        for literal in list(self.document.findall(lambda n: isinstance(n, nodes.literal) and is_named(n))):
            where = self.find(literal.astext().removesuffix("()"))
            if where is not None:
                literal.replace_self(nodes.reference("", "", literal.deepcopy(), refuri=where, internal=True))
        for raw in self.document.findall(nodes.raw):
            if raw.get("format") == "html" and "reference/api.md#" in raw.astext():
                raw.children = [nodes.Text(API_LINK.sub(self.linked, raw.astext()))]

    def linked(self, match: re.Match[str]) -> str:
        """Return where a link to the API leads on the website."""
        where = self.find(match["name"])
        if where is None:
            logger.warning("%s is not in the API", match["name"], location=self.env.docname, type="api_pages")
        return f'href="{where}"'

    def find(self, name: str) -> str | None:
        """Return where a name is documented; the shortest path to it counts, for a short name is unclear."""
        objects = self.env.domaindata["py"]["objects"]
        full = [n for n in objects if n == name or n.endswith(f".{name}")]
        depth = min((n.count(".") for n in full), default=0)
        nearest = [n for n in full if n.count(".") == depth]
        if len(nearest) != 1:
            return None
        entry, here = objects[nearest[0]], self.env.docname
        page = "" if entry.docname == here else self.app.builder.get_relative_uri(here, entry.docname)
        return f"{page}#{entry.node_id}"


def is_named(node: nodes.literal) -> bool:
    """Tell whether a piece of code was a name in backticks, outside of a link."""
    return "named" in node["classes"] and not isinstance(node.parent, nodes.reference)


def setup(app: Sphinx) -> dict[str, bool]:
    app.setup_extension("sphinx.ext.autodoc")
    app.add_role("named", named_role)
    app.setup_extension("sphinx.ext.viewcode")
    app.connect("viewcode-follow-imported", source_of)
    app.connect("env-check-consistency", every_module)
    app.connect("html-page-context", lead_back)
    app.connect("source-read", read_source)
    app.connect("autodoc-skip-member", skip_member)
    app.connect("autodoc-process-bases", shown_bases)
    app.connect("autodoc-process-docstring", number_references)
    app.add_post_transform(NamedLinks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
