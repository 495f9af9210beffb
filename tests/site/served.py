"""The built website, served as by GitHub Pages: compressed, kept for minutes, 404.html for what is absent."""

from __future__ import annotations

import gzip
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import yaml

from tools.read_site.source import listed

ROOT = Path(__file__).resolve().parents[2]
BUILT = ROOT / "_build" / "html"
BESIDE = ("genindex", "search", "404")  # pages that no table of contents lists
COMPRESSED = (".html", ".css", ".js", ".svg", ".json", ".xml", ".txt")


def pages() -> list[str]:
    """Return every page of the site as a path below its address."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    return [f"{name}.html" for name in (*(name for name, _ in listed(toc)), *BESIDE)]


@cache
def compressed(path: str, changed: float) -> bytes:
    """Return a file as a server sends it; `changed` is when it was, so that a new build is seen."""
    return gzip.compress(Path(path).read_bytes(), 6)


class Handler(SimpleHTTPRequestHandler):
    """Answer from a folder, in silence."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        if path.is_dir():
            path /= "index.html"
        there = path.is_file()
        missing = Path(str(self.directory), "404.html")
        self.answer(path if there else missing, HTTPStatus.OK if there else HTTPStatus.NOT_FOUND)

    def answer(self, path: Path, status: HTTPStatus) -> None:
        """Send a file, smaller if it is text."""
        packed = path.suffix in COMPRESSED and "gzip" in self.headers.get("Accept-Encoding", "")
        body = b"" if not path.is_file() else path.read_bytes()
        if packed and body:
            body = compressed(str(path), path.stat().st_mtime)
            headers = {"Content-Encoding": "gzip"}
        else:
            headers = {}
        self.send_response(status)
        headers |= {"Content-Type": self.guess_type(str(path)), "Content-Length": str(len(body))}
        for name, value in (headers | {"Cache-Control": "max-age=600"}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Say nothing."""


class Server(ThreadingHTTPServer):
    """A server that does not mind a browser that leaves in the middle of an answer."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@contextmanager
def server(folder: Path = BUILT, port: int = 0) -> Iterator[str]:
    """Serve a folder on a free port, and yield its address, which ends with a slash."""

    def handler(*args: Any) -> Handler:
        return Handler(*args, directory=str(folder))

    with Server(("127.0.0.1", port), handler) as found:
        thread = threading.Thread(target=found.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{found.server_address[1]}/"
        found.shutdown()
        thread.join()
