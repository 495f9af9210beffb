"""Show the built website: `python -m tools.serve FOLDER ADDRESS PORT`, as `make serve` does."""

from __future__ import annotations

import errno
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer


def opened(folder: str, address: str, port: str) -> ThreadingHTTPServer:
    """Return a server of a folder, which waits for readers.

    Raises
    ------
    SystemExit
        With a sentence, if the port is no port, or cannot be had.

    Examples
    --------
    >>> server = opened("_build/html", "127.0.0.1", "0")  # 0: whatever is free
    >>> server.server_port > 0
    True
    >>> server.server_close()
    >>> opened("_build/html", "127.0.0.1", "many")
    Traceback (most recent call last):
    SystemExit: PORT is 'many'; wanted a number up to 65535, as in make serve PORT=8001
    """
    if not port.isdecimal() or int(port) > 65535:
        raise SystemExit(f"PORT is {port!r}; wanted a number up to 65535, as in make serve PORT=8001")
    try:
        return ThreadingHTTPServer((address, int(port)), partial(SimpleHTTPRequestHandler, directory=folder))
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise SystemExit(f"Port {port} is taken. Choose another: {another(port)}") from None
        if error.errno == errno.EACCES:
            raise SystemExit(f"You may not open port {port}. Choose another: {another('7999')}") from None
        raise SystemExit(f"BIND is {address!r}, and cannot be opened: {error.strerror}") from None


def another(port: str) -> str:
    """Return the command with the next port.

    Examples
    --------
    >>> another("8000"), another("65535")
    ('make serve PORT=8001', 'make serve PORT=8000')
    """
    return f"make serve PORT={int(port) + 1 if int(port) < 65535 else 8000}"


def main() -> None:
    """Serve until Ctrl-C."""
    with opened(*sys.argv[1:4]) as server:
        print(f"http://localhost:{server.server_port}/ (Ctrl-C stops it)", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()


if __name__ == "__main__":
    main()
