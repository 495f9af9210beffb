"""What the summary of a test run says besides the numbers of tests."""

from __future__ import annotations

from typing import Any

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
