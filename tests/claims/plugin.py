"""The claims of a chapter are checked as nbval executes it: one test for each Markdown cell that has some.

It runs in the chapter's kernel, where the cell stands, with the names that the chapter has there.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from nbval.plugin import IPyNbFile

from tests.book.notebooks import Cell, parse_cell
from tests.claims.compared import disagreement, table_faults
from tests.claims.forms import Claim, declared

IN_KERNEL = Path(__file__).with_name("in_kernel.py")


class ClaimsError(Exception):
    """What a cell claims is not so."""


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Any:
    """Put the claims of a notebook among the cells that nbval collects."""
    collected = yield
    return [
        Chapter.from_parent(parent, path=file_path) if type(node) is IPyNbFile else node for node in collected
    ]


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """List the claims that do not hold, also where no tracebacks are shown (`make compare`)."""
    failed = terminalreporter.stats.get("failed", [])
    found = [said for report in failed for key, said in report.user_properties if key == "claims"]
    if found:
        terminalreporter.section("claims that do not hold")
        terminalreporter.write_line("\n".join(found))


class Chapter(IPyNbFile):
    """A notebook, with its claims at their places."""

    def collect(self) -> Iterator[pytest.Item]:
        """Yield the code cells as nbval does, and the claims between them."""
        items = iter(list(super().collect()))
        late = []
        for raw in self.nb.cells:
            if raw.cell_type == "code":
                yield next(items)
                continue
            cell = parse_cell(raw)
            claims = declared(cell)
            if now := [claim for claim in claims if not claim.is_late]:
                yield Claims.from_parent(self, name=f"Claims of {cell.id}", cell=cell, claims=now)
            if later := [claim for claim in claims if claim.is_late]:
                late.append((cell, later))
        for cell, claims in late:
            yield Claims.from_parent(self, name=f"Claims of {cell.id}, at the end", cell=cell, claims=claims)


class Claims(pytest.Item):
    """The claims of one cell that are computed at one time."""

    def __init__(self, *, cell: Cell, claims: list[Claim], **others: Any) -> None:
        super().__init__(**others)
        self.cell, self.claims = cell, claims

    def runtest(self) -> None:
        """Compute what is claimed, in the kernel of the chapter, and compare."""
        if self.parent.timed_out:
            pytest.xfail("a cell before it took too long")
        expressions = [claim.expression for claim in self.claims]
        values = computed(self.parent.kernel, expressions, self.config.getoption("nbval_cell_timeout"))
        found = [
            fault for claim, value in zip(self.claims, values, strict=True) for fault in wrong(claim, value)
        ]
        if found:
            name = Path(self.path).name
            said = "\n".join(f"{name}, cell {self.cell.id}: {fault}" for fault in found)
            self.user_properties.append(("claims", said))
            raise ClaimsError(said)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException]) -> Any:
        """Say what is claimed and what came, without the lines of Python that found it."""
        return str(excinfo.value) if excinfo.errisinstance(ClaimsError) else super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Say which cell it is."""
        return self.path, 0, f"claims of cell {self.cell.id}"


def computed(kernel: Any, expressions: list[str], timeout: float) -> list[Any]:
    """Return the values of expressions in a kernel; it shows, counts and remembers nothing."""
    call = f"__import__('runpy').run_path({str(IN_KERNEL)!r})['values_as_json']"
    asked = {"values": f"{call}(globals(), {json.dumps(expressions)!r})"}
    message = kernel.kc.execute("", silent=True, store_history=False, user_expressions=asked)
    while (reply := kernel.get_message("shell", timeout=timeout))["parent_header"].get("msg_id") != message:
        pass
    answer = reply["content"].get("user_expressions", {}).get("values", {"ename": "no answer", "evalue": ""})
    if "data" not in answer:
        raise ClaimsError(f"the kernel computes no claims: {answer['ename']}: {answer['evalue']}")
    return json.loads(ast.literal_eval(answer["data"]["text/plain"]))


def wrong(claim: Claim, value: Any) -> list[str]:
    """Say what a value contradicts: a phrase, cells of a table, or that a wrong choice is wrong.

    Examples
    --------
    >>> wrong(Claim("0.98 bits", "entropy([9, 6])"), 0.971), wrong(Claim("no", "1 > 2", holds=False), False)
    (['“0.98 bits”: entropy([9, 6]) gives 0.971'], [])
    """
    if claim.rows:
        return [f"{claim.label}: {fault}" for fault in table_faults(claim.rows, value)]
    why = disagreement(claim.phrase, value, claim.expression)
    failed = isinstance(value, dict)
    if why and (claim.holds or failed):
        return [f"{claim.label}: {claim.expression} {why}"]
    if not why and not claim.holds:
        return [f"{claim.label} is a wrong choice, but {claim.expression} agrees with it"]
    return []
