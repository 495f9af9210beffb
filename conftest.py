"""Every run of pytest in this repository ends with a report of outputs that differ from the stored ones."""

pytest_plugins = ["tests.differences"]
