"""Settings of the whole test run."""

from hypothesis import settings

# The same examples in every run, nothing kept on disk: a test passes or fails, it does not flicker.
settings.register_profile("book", derandomize=True, database=None, deadline=None)
settings.load_profile("book")
