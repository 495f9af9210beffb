"""Every run of pytest in this repository checks claims, and ends with a report of outputs that differ."""

from importlib.util import find_spec

from tests.needs import has_java

pytest_plugins = ["tests.differences", "tests.claims.plugin"]

# Examples that need a package of the extras `large` and `spark`; make test-all installs them.
EXAMPLES = {
    "dtlib/out_of_core/arrow.py": "pyarrow",
    "dtlib/out_of_core/duck.py": "duckdb",
    "dtlib/out_of_core/spark.py": "pyspark",
}
collect_ignore = [path for path, package in EXAMPLES.items() if find_spec(package) is None]
if not has_java():
    collect_ignore.append("dtlib/out_of_core/spark.py")
