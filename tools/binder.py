"""Rehearse what Binder makes of this repository, without Docker.

    python -m tools.binder [FOLDER]

Binder builds an image by repo2docker. This asks repo2docker for its Dockerfile, installs JupyterLab in the
versions of its lock into a fresh environment, and runs the Dockerfile's own commands there, on a copy of
FOLDER. It prints how large and how quick that is, whether the chapters give their stored outputs, and whether
an edit of the library takes effect. It cannot rehearse Debian's packages, conda and the start of a container.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BASE = ("ipykernel", "ipywidgets", "jupyter_server", "jupyterlab", "nbclient", "nbconvert", "notebook")
OURS = re.compile(
    r"^RUN (\$\{KERNEL_PYTHON_PREFIX\}/bin/pip .*|(?:chmod \+x |\./).*postBuild)$", re.MULTILINE
)
PYTHON = re.compile(r"^Building conda environment for python=([\d.]+)$", re.MULTILINE)
PORT = 8765
NBVAL = "python -m pytest -q --nbval --nbval-current-env --nbval-cell-timeout=60 -p no:cacheprovider chapters"
FIRST = "chapters/01_what_a_tree_is.ipynb"
MARK = "EDITED_ON_BINDER = True"


@dataclass(frozen=True)
class Image:
    """A copy of the repository, and the environment that stands for conda's."""

    book: Path
    prefix: Path

    def run(self, command: str, folder: str = ".", check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run a command as the Dockerfile would."""
        environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"} | {
            "KERNEL_PYTHON_PREFIX": str(self.prefix),
            "HOME": str(self.book.parent),
            "PATH": f"{self.prefix}/bin:{os.environ['PATH']}",
        }
        how = {"cwd": self.book / folder, "env": environment, "shell": True, "text": True}
        done = subprocess.run(command, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **how)
        if check and done.returncode != 0:
            raise RuntimeError(f"{command}\n{done.stdout}")
        return done

    @property
    def megabytes(self) -> int:
        """How much the environment takes on the disk."""
        return sum(path.lstat().st_size for path in self.prefix.rglob("*")) >> 20


def main() -> int:
    """Rehearse, print what was measured, and return the exit code."""
    folder = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT
    with tempfile.TemporaryDirectory() as place:
        image = Image(Path(place, "book"), Path(place, "environment"))
        copy_tracked(folder, image.book)
        build(image)
        start(image)
        return max(compare(image), edit(image))


def copy_tracked(folder: Path, book: Path) -> None:
    """Copy what a clone of the repository would hold, with changes that are not committed yet."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    for name in filter(None, listed.split("\0")):
        if (folder / name).is_file():
            (book / name).parent.mkdir(parents=True, exist_ok=True)
            (book / name).write_bytes((folder / name).read_bytes())


def plan(book: Path) -> tuple[str, list[str]]:
    """Return the version of Python and the commands for the repository, out of repo2docker's own output."""
    command = [sys.executable, "-m", "repo2docker", "--no-build", "--debug", "."]
    said = subprocess.run(command, cwd=book, check=True, capture_output=True, text=True)
    text = said.stdout + said.stderr
    return PYTHON.search(text)[1], OURS.findall(text)


def base(python: str) -> list[str]:
    """Return the packages that Binder has before it looks at a repository, as its lock has them."""
    locks = files("repo2docker") / "buildpacks" / "conda"
    lock = (locks / f"environment.py-{python}-linux-64.lock").read_text(encoding="utf-8")
    found = re.findall(r"/noarch/([\w-]+?)(?:-core)?-(\d[\w.]*)-[\w.]+\.conda", lock)
    return [f"{name}=={version}" for name, version in found if name in BASE]


def build(image: Image) -> None:
    """Make the environment and run the commands of the Dockerfile."""
    python, commands = plan(image.book)
    print(
        f"Binder takes Python {python}, here it is {sys.version.split()[0]}; then it runs",
        *commands,
        sep="\n  ",
    )
    venv.create(image.prefix, with_pip=True)
    image.run("pip install -q " + " ".join(base(python)))
    before, begin = image.megabytes, time.perf_counter()
    for command in commands:
        image.run(command)
    seconds = time.perf_counter() - begin
    print(
        f"built in {seconds:.0f} s: {before} MB of JupyterLab, {image.megabytes - before} MB of ours",
        flush=True,
    )


def start(image: Image) -> None:
    """Measure the time from the start of the server until the first chapter is there, and that to run it."""
    begin = time.perf_counter()
    with server(image) as address:
        wait_for(f"{address}/lab/tree/{FIRST}")
        wait_for(f"{address}/api/contents/{FIRST}")
        shown = time.perf_counter() - begin
    begin = time.perf_counter()
    image.run(f"jupyter nbconvert --to notebook --execute --stdout --log-level=ERROR {FIRST}")
    print(f"first chapter: there after {shown:.1f} s, run in {time.perf_counter() - begin:.1f} s", flush=True)


@contextmanager
def server(image: Image) -> Iterator[str]:
    """Run a server of notebooks."""
    command = f"exec jupyter lab --no-browser --allow-root --port={PORT} --IdentityProvider.token="
    environment = os.environ | {
        "PATH": f"{image.prefix}/bin:{os.environ['PATH']}",
        "HOME": str(image.book.parent),
    }
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command, cwd=image.book, env=environment, shell=True, **quiet)
    try:
        yield f"http://127.0.0.1:{PORT}"
    finally:
        process.terminate()
        process.wait()


def wait_for(address: str, seconds: float = 60) -> None:
    """Ask for a page until it is there."""
    end = time.monotonic() + seconds
    while True:
        try:
            urllib.request.urlopen(address, timeout=5).read()
        except (urllib.error.URLError, ConnectionError):
            if time.monotonic() > end:
                raise
            time.sleep(0.1)
        else:
            return


def compare(image: Image) -> int:
    """Run all chapters, compare them with their stored outputs, and return the exit code."""
    image.run("pip install -q nbval")
    begin = time.perf_counter()
    done = image.run(NBVAL, check=False)
    last = done.stdout.strip().splitlines()[-1]
    print(
        f"all chapters, compared with their stored outputs in {time.perf_counter() - begin:.0f} s: {last}",
        flush=True,
    )
    return done.returncode


def edit(image: Image) -> int:
    """Change the library, look for the change from a chapter's folder, and return the exit code."""
    with (image.book / "dtlib" / "__init__.py").open("a", encoding="utf-8") as library:
        library.write(f"\n{MARK}\n")
    done = image.run(f'python -c "from dtlib import {MARK.split()[0]}"', folder="chapters", check=False)
    print("an edit of dtlib/", "takes effect" if done.returncode == 0 else "TAKES NO EFFECT")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
