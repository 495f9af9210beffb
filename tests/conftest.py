"""Settings of the whole test run, and what its summary says besides the numbers of tests."""

from __future__ import annotations

import gc
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from dtlib.jit import answering
from tests.drawn import USUAL

# The same examples in every run, nothing kept on disk: a test passes or fails, it does not flicker.
# Nothing is measured in seconds: a slow machine is no fault of a test.
for profile, number in (("book", USUAL), ("all", 10 * USUAL)):
    settings.register_profile(
        profile,
        max_examples=number,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
settings.load_profile("book")

# Compiled code answers at its first call, as after dtlib.compile(): which engine a test tests is never left
# to what a process in the background has compiled by then.
answering.at_once = True

# Hypothesis draws constants of the modules that happen to be loaded, so what is drawn would depend on which
# tests a worker runs. No setting turns that off. This is an inner name of Hypothesis, which a release may
# change: then these lines fail, or tests/unit/test_drawn.py does. They may be dropped without loss of cases,
# as those that matter are drawn on purpose or given.
if not hasattr(providers, "_get_local_constants"):
    raise RuntimeError("Hypothesis finds constants of loaded modules in another way: see tests/conftest.py")
providers._get_local_constants = providers.Constants

ORACLES = "tests/oracles/"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Define the options that `make test-all` and `make site-test` give."""
    text = "run the long tests too, and draw ten times as many examples"
    parser.addoption("--all", action="store_true", help=text)
    parser.addoption("--long", action="store_true", help="run the long tests too, with the usual examples")
    text = "run the tests of the built website in a browser (tests/site), as make site-test does"
    parser.addoption("--site", action="store_true", help=text)


def pytest_configure(config: pytest.Config) -> None:
    """Choose how many examples are drawn, before a test asks for some."""
    if config.getoption("--all"):
        settings.load_profile("all")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip the long tests of an ordinary run."""
    if not (config.getoption("--all") or config.getoption("--long")):
        for item in items:
            if item.get_closest_marker("long"):
                item.add_marker(pytest.mark.skip(reason="a long test: make test-all or --long runs it"))


def pytest_collection_finish() -> None:
    """Take what was collected out of the garbage collector's way: twenty thousand tests stay to the end."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Count the comparisons with other implementations, and say what needs a browser."""
    if not config.getoption("--site"):
        terminalreporter.write_line("not run: tests/site, the website in a browser (make site-test)")
    outcomes = {
        outcome: sum(
            report.nodeid.startswith(ORACLES) and getattr(report, "when", "call") == "call"
            for report in terminalreporter.stats.get(outcome, [])
        )
        for outcome in ("passed", "failed")
    }
    if any(outcomes.values()):
        said = ", ".join(f"{number} {outcome}" for outcome, number in outcomes.items())
        terminalreporter.write_line(f"of these, comparisons with other implementations ({ORACLES}): {said}")
