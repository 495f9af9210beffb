"""The house: rooms that import one way, and no circle."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from importlib import metadata
from pathlib import Path

import pytest

import dtlib
from dtlib.table.parameters import Settings

HOUSE = Path(dtlib.__file__).parent
#: Rooms and modules of the top floor, lowest first: each imports from those before it, and from its own.
FLOORS = (
    "messages", "numbers", "measures", "jit", "arrays", "table", "counting", "search", "tree", "plain",
    "export", "compiled", "growing", "prune", "telling", "draw", "dialects", "base", "id3", "cart",
    "c45", "forest", "oblique", "optimal", "out_of_core", "importance", "kernels", "datasets", "homework",
    "book", "__init__", "__main__",
)  # fmt: skip
#: What is imported from above, by the methods of a tree that other rooms carry out, and by nothing else.
DOORS = [
    ("tree.doors", "draw"), ("tree.doors", "export"), ("tree.doors", "importance.decrease"),
    ("tree.doors", "telling.explain"), ("tree.doors", "telling.text"),
]  # fmt: skip


@cache
def modules() -> list[Path]:
    """List the modules of the library."""
    return sorted(HOUSE.rglob("*.py"))


def name_of(path: Path) -> str:
    """Return the name of a module, without ``dtlib.``; of a package, that of its folder."""
    return ".".join(path.relative_to(HOUSE).with_suffix("").parts).removesuffix(".__init__")


@cache
def names_of_modules() -> frozenset[str]:
    """Return the names of all modules, without ``dtlib.``."""
    return frozenset(name_of(module) for module in modules())


def imports(path: Path) -> Iterator[tuple[str, bool]]:
    """Yield the modules that a module imports, without ``dtlib.``, and whether only a function does."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    inside = {
        node for top in tree.body if isinstance(top, ast.FunctionDef | ast.ClassDef) for node in ast.walk(top)
    }
    names = names_of_modules()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("dtlib"):
            home = (node.module or "").removeprefix("dtlib").removeprefix(".")
            for alias in node.names:
                below = f"{home}.{alias.name}".removeprefix(".")
                yield below if below in names else home or "__init__", node in inside


def room(module: str) -> str:
    """Return the room of a module.

    >>> room("search.level"), room("cart")
    ('search', 'cart')
    """
    return module.partition(".")[0]


def test_every_room_has_its_floor() -> None:
    assert {room(name_of(path)) for path in modules()} == set(FLOORS)


def test_imports_lead_down_but_for_the_doors_of_a_tree() -> None:
    upward = {
        (name_of(path), module, in_function)
        for path in modules()
        for module, in_function in imports(path)
        if FLOORS.index(room(module)) > FLOORS.index(room(name_of(path)))
    }
    assert sorted(upward) == [(*door, True) for door in DOORS]


def test_no_import_is_hidden() -> None:
    """What `imports` does not see would be no arrow: every module of the library is imported by its name."""
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                assert not [alias.name for alias in node.names if alias.name.startswith("dtlib")], path
            assert not (isinstance(node, ast.ImportFrom) and node.level), path


def test_no_module_imports_itself_by_others() -> None:
    """Doors apart; what only a type checker imports leads down, or in a circle inside a room at most."""
    below = defaultdict(set)
    for path in modules():
        lines = path.read_text(encoding="utf-8").splitlines()
        checked = {
            line.split()[1].removeprefix("dtlib.") for line in lines if line.startswith("    from dtlib")
        }
        for module, in_function in imports(path):
            if not in_function and module not in checked:
                below[name_of(path)].add(module)
            is_late = module in checked and not in_function and name_of(path) != "__init__"
            assert not is_late or FLOORS.index(room(module)) <= FLOORS.index(room(name_of(path)))

    def reached(start: str) -> set[str]:
        found, todo = set(), [*below[start]]
        while todo:
            module = todo.pop()
            if module not in found:
                found.add(module)
                todo += below[module]
        return found

    assert [module for module in list(below) if module in reached(module)] == []


def test_functions_are_short() -> None:
    """No function has more than 45 lines below its docstring."""
    long = []
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                first = node.body[ast.get_docstring(node) is not None :][:1]
                if first and (lines := (node.end_lineno or 0) - first[0].lineno + 1) > 45:
                    long.append((name_of(path), node.name, lines))
    assert long == []


def test_every_module_shows_an_example() -> None:
    own = [path for path in modules() if path.name != "__init__.py"]
    assert [name_of(path) for path in own if ">>>" not in path.read_text(encoding="utf-8")] == []


def test_the_package_and_its_installation_have_one_version() -> None:
    assert metadata.version("trees-by-counting") == dtlib.__version__


def dataclasses_of_the_library() -> Iterator[type]:
    """Yield each class of the library that is a dataclass by itself."""
    for found in pkgutil.walk_packages(dtlib.__path__, "dtlib."):
        for kind in vars(importlib.import_module(found.name)).values():
            if isinstance(kind, type) and is_dataclass(kind) and kind.__module__ == found.name:
                yield kind


def test_what_is_made_stays_as_it_is_but_for_settings_and_open_nodes() -> None:
    """What may change is set by `set_params`, or described while a level grows."""
    for kind in dataclasses_of_the_library():
        may_change = issubclass(kind, Settings) or kind.__name__ == "Nodes"
        assert kind.__dataclass_params__.frozen != may_change, kind


def test_what_holds_arrays_or_trees_is_equal_to_itself_alone() -> None:
    """Arrays have no truth value, so that comparing field by field would fail."""
    never_compared = {"Nodes", "Rounding", "Measured"}
    for kind in dataclasses_of_the_library():
        large = {"ndarray", "Tree", "Column"} & set(re.findall(r"\w+", " ".join(map(str, types_of(kind)))))
        if large and kind.__name__ not in {*never_compared, "Node"}:
            assert not kind.__dataclass_params__.eq, kind


def types_of(kind: type) -> list[object]:
    """Return the types of a dataclass's fields."""
    return [found.type for found in fields(kind)]


#: What `import dtlib` leaves to those who need it.
LEFT = (
    "dtlib.datasets", "dtlib.homework", "dtlib.book", "dtlib.oblique", "dtlib.optimal", "dtlib.export",
    "dtlib.out_of_core", "dtlib.draw", "numba", "matplotlib", "sklearn.ensemble", "sklearn.pipeline",
)  # fmt: skip


def test_the_library_imports_neither_the_book_nor_what_only_some_need() -> None:
    """In a process of its own: here others have imported them."""
    code = f"import sys, dtlib; print([name for name in {LEFT} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert run.stdout == "[]\n"


def test_what_is_loaded_late_is_there_like_the_rest() -> None:
    assert {*dtlib.LAZY} <= {*dtlib.__all__} <= {*dir(dtlib)}
    for name, module in dtlib.LAZY.items():
        assert getattr(dtlib, name) is getattr(importlib.import_module(module), name)
    with pytest.raises(AttributeError, match="has no attribute 'Forest'"):
        dtlib.Forest  # noqa: B018
