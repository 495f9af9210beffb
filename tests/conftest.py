"""Settings of the whole test run, and what its summary says besides the numbers of tests."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, settings

# The same examples in every run, nothing kept on disk: a test passes or fails, it does not flicker.
# Nothing is measured in seconds: a slow machine is no fault of a test.
settings.register_profile(
    "book",
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("book")

ORACLES = "tests/oracles/"


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Count the comparisons with other implementations."""
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
