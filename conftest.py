"""Every run of pytest in this repository checks claims, and ends with a report of outputs that differ."""

pytest_plugins = ["tests.differences", "tests.claims.plugin"]
