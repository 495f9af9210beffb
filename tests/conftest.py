"""Settings of the whole test run, and what its summary says besides the numbers of tests."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, settings

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

ORACLES = "tests/oracles/"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Define the options that `make test-all` and `make site-test` give."""
    text = "run the long tests too, and draw ten times as many examples"
    parser.addoption("--all", action="store_true", help=text)
    text = "run the tests of the built website in a browser (tests/site), as make site-test does"
    parser.addoption("--site", action="store_true", help=text)


def pytest_configure(config: pytest.Config) -> None:
    """Choose how many examples are drawn, before a test asks for some."""
    if config.getoption("--all"):
        settings.load_profile("all")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip the long tests of an ordinary run."""
    if not config.getoption("--all"):
        for item in items:
            if item.get_closest_marker("long"):
                item.add_marker(pytest.mark.skip(reason="a long test: make test-all, or --all, runs it"))


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
