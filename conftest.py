"""Every run of pytest in this repository checks claims, and ends with a report of outputs that differ."""

from importlib.util import find_spec

pytest_plugins = ["tests.differences", "tests.claims.plugin"]

# Examples that need a package of the extra `large`; make test-all installs both.
EXAMPLES = {"dtlib/sources/arrow.py": "pyarrow", "dtlib/sources/duck.py": "duckdb"}
collect_ignore = [path for path, package in EXAMPLES.items() if find_spec(package) is None]
