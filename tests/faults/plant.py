"""Ways to plant a mutant in a forked process: in live functions, in a module or in a file yet to be read."""

from __future__ import annotations

import builtins
import gc
import io
import os
import sys
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

from tests.faults.mutant import ROOT

Key = tuple[str, int]  # qualified name and first line


class CannotPatch(Exception):
    """The code of a live function cannot be replaced: its module must be imported again."""


class Witness:
    """Sees whether one of some code objects runs; it stops looking once it has seen one.

    Examples
    --------
    >>> def f():
    ...     pass
    >>> witness = Witness({f.__code__})
    >>> f()
    >>> witness.stop()
    >>> witness.seen
    True
    """

    def __init__(self, codes: set[CodeType]) -> None:
        self.names = {id(code) for code in codes}
        self.codes = codes  # so that an id stays that of its object
        self.seen = False
        sys.setprofile(self.look)

    def look(self, frame: FrameType, event: str, argument: object) -> None:
        """Look at one call."""
        if id(frame.f_code) in self.names:
            self.seen = True
            sys.setprofile(None)

    def stop(self) -> None:
        """Look no more."""
        sys.setprofile(None)


def codes(code: CodeType) -> Iterator[CodeType]:
    """Yield a code object and those in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes(constant)


def by_key(code: CodeType) -> dict[Key, CodeType]:
    """Return the code objects in the code of a module, by name and line."""
    return {(inner.co_qualname, inner.co_firstlineno): inner for inner in codes(code)}


def compiled(text: str, path: str) -> CodeType:
    """Compile the text of a module as an import would."""
    return compile(text, path, "exec", dont_inherit=True)


def live_functions(folder: Path = ROOT) -> dict[str, dict[Key, list[FunctionType]]]:
    """Find every function of the repository that lives in this process, by file, name and line.

    Those that a decorator has wrapped or a property holds are found as well, since they are looked for among
    all objects.
    """
    found: dict[str, dict[Key, list[FunctionType]]] = {}
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType) and thing.__code__.co_filename.startswith(f"{folder}{os.sep}"):
            code = thing.__code__
            at = found.setdefault(code.co_filename, {})
            at.setdefault((code.co_qualname, code.co_firstlineno), []).append(thing)
    return found


def patch(live: dict[Key, list[FunctionType]], old: str, new: str, path: str, same: bool = False) -> Witness:
    """Give live functions the code that a changed module would give them; return who sees whether it runs.

    Parameters
    ----------
    live : dict
        The functions of the module that live in this process.
    old, new : str
        The text of the module without and with the change.
    path : str
        Its file.
    same : bool
        Patch every function although the text compiles to the same: a control.

    Raises
    ------
    CannotPatch
        If the change is in no function's body, in one that nothing holds, or changes what a closure needs.
    """
    before, after = by_key(compiled(old, path)), by_key(compiled(new, path))
    changed = [key for key in after if same or key not in before or after[key] != before[key]]
    within = [key for key in changed if key[0] != "<module>"]
    if not any(key in live for key in within):
        raise CannotPatch(f"no live function of {path} among {within}")
    for key in within:
        for function in live.get(key, ()):
            try:
                function.__code__ = after[key]
            except ValueError as error:
                raise CannotPatch(str(error)) from error
    if not all(function.__code__ is after[key] for key in within for function in live.get(key, ())):
        raise CannotPatch(f"a function of {path} kept its code")
    return Witness({inner for key in within for inner in codes(after[key])})


class Imported:
    """Makes the import of a module run a changed text; it sees whether that has happened."""

    def __init__(self, path: Path, text: str) -> None:
        loaded = [
            name for name, module in sys.modules.items() if getattr(module, "__file__", None) == str(path)
        ]
        if loaded:
            raise RuntimeError(f"{path} has been imported before its fault was planted: {loaded}")
        self.path, self.text, self.seen = str(path), text, False
        plain, planted = SourceFileLoader.get_code, self

        def get_code(loader: SourceFileLoader, name: str) -> Any:
            if loader.path != planted.path:
                return plain(loader, name)
            planted.seen = True
            return compiled(planted.text, planted.path)

        SourceFileLoader.get_code = get_code  # type: ignore[method-assign]

    def stop(self) -> None:
        """Nothing is looked for any more."""


class Read:
    """Makes every reading of some files give changed texts; it sees whether one was read."""

    def __init__(self, texts: dict[str, str], root: Path = ROOT) -> None:
        self.texts = {str(root / file): text for file, text in texts.items()}
        self.seen = False
        plain, planted = io.open, self

        def opened(file: Any, mode: str = "r", *rest: Any, **named: Any) -> Any:
            text = planted.texts.get(str(file)) if "w" not in mode and "a" not in mode else None
            if text is None:
                return plain(file, mode, *rest, **named)
            planted.seen = True
            raw = io.BytesIO(text.encode())
            if "b" in mode:
                return raw
            return io.TextIOWrapper(raw, encoding="utf-8", newline=named.get("newline"))

        io.open = builtins.open = opened  # type: ignore[assignment]

    def stop(self) -> None:
        """Nothing is looked for any more."""
