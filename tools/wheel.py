"""Build what is published, and try it where nothing else is.

    python -m tools.wheel [FOLDER]

Makes an archive of the sources and, from that alone, a wheel, in FOLDER (otherwise they are thrown away). The
wheel must hold what a wheel made of the repository holds, and say of itself what indexes can read. An index
on this machine offers both, and pip installs from there, by name and version, into an empty environment. So
dtlib is imported without Matplotlib, and every example of its docstrings must run.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import http.server
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

from packaging.metadata import Metadata
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parent.parent
#: The newest form of a distribution's metadata that every index reads.
READABLE = Version("2.4")
#: Modules whose examples need what the extras `large` and `spark` install.
LARGE = ("arrow", "duck", "spark")
IMPORTED = """
import sys, time
begin = time.perf_counter()
import sklearn.base, sklearn.utils.validation
before = time.perf_counter()
import dtlib
took = time.perf_counter() - before
print(f"import dtlib: {took:.2f} s after scikit-learn, whose import took {before - begin:.2f} s")
print(dtlib.__file__)
assert "matplotlib" not in sys.modules, "import dtlib imports Matplotlib"
from dtlib.datasets import load_golf
tree = dtlib.C45Classifier().fit(load_golf().X, load_golf().y).tree_
assert tree.n_leaves == 5, tree
"""


def main() -> int:
    """Build, compare, install, try; return the exit code."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(sys.argv[1] if len(sys.argv) > 1 else Path(place, "dist")).resolve()
        wheel = build(folder, Path(place))
        with served(index(folder, Path(place, "index"))) as address:
            try_out(metadata_of(wheel), address, Path(place))
    return 0


def build(folder: Path, place: Path) -> Path:
    """Make the archive and the wheel, and return the wheel."""
    (sources,) = built(ROOT, "sdist", folder, ".tar.gz")
    with tarfile.open(sources) as archive:
        archive.extractall(place / "sources", filter="data")
    (unpacked,) = (place / "sources").iterdir()
    (wheel,) = built(unpacked, "wheel", folder, ".whl")
    (direct,) = built(ROOT, "wheel", place / "direct", ".whl")
    different = contents(wheel) ^ contents(direct)
    if different:
        raise SystemExit(f"The wheel of the sources is another one: {sorted(name for name, _ in different)}")
    check_metadata(wheel)
    print(f"{sources.name} and {wheel.name}, {len(contents(wheel))} files, {wheel.stat().st_size >> 10} kB")
    return wheel


def metadata_of(wheel: Path) -> Metadata:
    """Return what the wheel says of itself."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return Metadata.from_email(archive.read(name), validate=True)


def check_metadata(wheel: Path) -> None:
    """Say what an index would not take of what the wheel says of itself."""
    metadata = metadata_of(wheel)
    if Version(metadata.metadata_version) > READABLE:
        raise SystemExit(f"The wheel has metadata {metadata.metadata_version}; wanted {READABLE} at most")


def built(source: Path, kind: str, folder: Path, ending: str) -> list[Path]:
    """Build one kind of distribution of a folder, and return what is there of this kind now."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(folder)]
    subprocess.run(command, cwd=source, check=True, stdout=subprocess.DEVNULL)
    return [path for path in folder.iterdir() if path.name.endswith(ending)]


def contents(wheel: Path) -> set[tuple[str, int]]:
    """Return the names and checksums of the files in a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return {(entry.filename, entry.CRC) for entry in archive.infolist()}


def index(folder: Path, place: Path) -> Path:
    """Lay out the distributions of a folder as a package index: for each project its files, with their hash.

    The form is that of the simple repository interface (PEP 503), which pip reads; addresses are relative.
    """
    for path in sorted([*folder.glob("*.whl"), *folder.glob("*.tar.gz")]):
        page = place / canonicalize_name(path.name.partition("-")[0]) / "index.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, page.parent)
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        with page.open("a", encoding="utf-8") as text:
            text.write(f'<a href="{path.name}#sha256={digest}">{path.name}</a><br>\n')
    return place


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files without a line for each."""

    def log_message(self, format: str, *values: object) -> None:
        """Say nothing."""


@contextlib.contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder on a free port of this machine, and return its address."""
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def try_out(metadata: Metadata, address: str, place: Path) -> None:
    """Install from an index into an empty environment, alone, then with what draws; run the examples."""
    prefix, empty = place / "environment", place / "empty"
    empty.mkdir()
    venv.create(prefix, with_pip=True)
    python = prefix / ("Scripts" if os.name == "nt" else "bin") / "python"
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    wanted = f"{metadata.name}=={metadata.version}"

    def run(*command: str) -> str:
        done = subprocess.run(
            [str(python), *command],
            cwd=empty,
            env=environment,
            check=False,
            stdout=subprocess.PIPE,
            text=True,
        )
        print(done.stdout, end="", flush=True)
        done.check_returncode()
        return done.stdout

    def install(*packages: str) -> None:
        run("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-cache-dir", *packages)

    install("--no-deps", "--index-url", address, wanted)  # ours from here, and what it needs as ever
    install(wanted)
    if f"{metadata.name} {metadata.version}" not in run("-m", "dtlib").splitlines():
        raise SystemExit(f"What was installed is not {wanted}")
    run("-c", IMPORTED)
    install(f"{metadata.name}[draw]=={metadata.version}", "pytest")
    (sources,) = prefix.rglob("dtlib/out_of_core")
    left_out = [f"--ignore={sources / name}.py" for name in LARGE]
    options = [
        "--doctest-modules",
        "-o",
        "doctest_optionflags=NORMALIZE_WHITESPACE",
        "-p",
        "no:cacheprovider",
    ]
    run("-m", "pytest", "-q", *options, *left_out, "--pyargs", "dtlib")


if __name__ == "__main__":
    sys.exit(main())
