"""The runner forks, so where a system cannot, its tests are left out."""

import os

collect_ignore_glob = [] if hasattr(os, "fork") else ["*.py"]
