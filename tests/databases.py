"""Databases that tests send queries to: SQLite, DuckDB, and a server of PostgreSQL that a test starts."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.needs import needed, needed_postgresql

#: Databases as parameters of a test; PostgreSQL is for long runs.
NAMES = ["SQLite", "DuckDB", pytest.param("PostgreSQL", marks=pytest.mark.long)]


def quoted(name: str) -> str:
    """Write a name of a table or a column."""
    return '"' + name.replace('"', '""') + '"'


class Base:
    """A database with at most one table.

    Parameters
    ----------
    connection : DB-API connection
    mark : str
        What stands for a value in a statement.
    """

    def __init__(self, connection: Any, mark: str = "?"):
        self.connection, self.mark, self.table = connection, mark, ""

    def fill(self, table: str, types: dict[str, str], rows: Sequence[Sequence[Any]]) -> None:
        """Make the table anew, given the type of each column and what each row holds."""
        cursor = self.connection.cursor()
        if self.table:
            cursor.execute(f"DROP TABLE {quoted(self.table)}")
        self.table = table
        columns = ", ".join(f"{quoted(name)} {kind}" for name, kind in types.items())
        cursor.execute(f"CREATE TABLE {quoted(table)} ({columns})")
        marks = ", ".join([self.mark] * len(types))
        into = quoted(table).replace("%", "%%") if "%" in self.mark else quoted(table)
        cursor.executemany(f"INSERT INTO {into} VALUES ({marks})", rows)
        cursor.close()

    def ask(self, query: str) -> list[tuple[Any, ...]]:
        """Send a query, and return the lines of its answer."""
        cursor = self.connection.cursor()
        found = cursor.execute(query).fetchall()
        cursor.close()
        return found


@contextmanager
def opened(name: str) -> Iterator[Base]:
    """Open a database, or skip the test where it is not there."""
    if name == "PostgreSQL":
        with postgresql() as connection:
            yield Base(connection, "%s")
        return
    connection = sqlite3.connect(":memory:") if name == "SQLite" else needed("duckdb").connect()
    yield Base(connection)
    connection.close()


@contextmanager
def postgresql() -> Iterator[Any]:
    """Start a server of PostgreSQL on a socket in a folder of its own; stop it in the end."""
    psycopg, programs = needed("psycopg"), needed_postgresql()
    folder = Path(tempfile.mkdtemp(prefix="pg"))  # a path of a socket must be short
    run = runner(folder)
    data, log = folder / "data", folder / "log"
    try:
        run(programs / "initdb", "-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8", "--locale=C", "-N")
        options = f"-c listen_addresses='' -c fsync=off -k {folder}"
        run(programs / "pg_ctl", "-D", data, "-o", options, "-l", log, "-w", "start")
        try:
            with psycopg.connect(f"host={folder} user=tester dbname=postgres", autocommit=True) as connection:
                yield connection
        finally:
            run(programs / "pg_ctl", "-D", data, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder)


def runner(folder: Path) -> Callable[..., None]:
    """Return what runs a program; for root as another user, who gets the folder: the server refuses root."""
    other: dict[str, Any] = {}
    if os.geteuid() == 0:
        import pwd  # not on every system

        users = {user.pw_name: user for user in pwd.getpwall()}
        user = users.get("postgres", users["nobody"])
        os.chown(folder, user.pw_uid, user.pw_gid)
        other = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}

    def run(*command: Any) -> None:
        written = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        done = subprocess.run(list(map(str, command)), cwd=folder, **written, **other)
        assert not done.returncode, done.stdout

    return run
