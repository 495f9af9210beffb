"""Plant small faults one at a time, and report those that every test lets through.

    python -m tests.faults [--all] [--kind KIND] [--file FILE] [--only ID] [--lines FILE:A-B] [--since COMMIT]

The faults are made from the structure of the code and of the texts. Each runs only the tests that reach it,
in a process forked from one that has imported everything. Without options, a sample of 400 is tried. The exit
code is 0 if the run is valid, whatever survives; 1 if the score is below `--fail-under`; 2 if the run says
nothing.

Other programs were tried first. cosmic-ray 8.7 starts the tests anew for each mutant and counts a time-out as
killed. mutmut 3.8 maps tests to functions and forks, but leaves out all decorated functions and all code
outside of functions, and rewrites each module, so that its examples and sources are not those of the book.
mutatest 2.0 draws with what Python 3.11 no longer has, and stops. None has controls, or knows anything but
Python.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from time import monotonic

from tests.faults import controls, files, mutate_code, mutate_site, mutate_text, plan, report, sample
from tests.faults.chapters import all_chapters
from tests.faults.mutant import ROOT, Mutant, read
from tests.faults.pool import Done, Pool, Void
from tests.faults.reach import KEPT
from tests.faults.worker import TESTS, Result

NUMBER, BUILDS, SECONDS = 400, 12, 10.0


def main(given: Sequence[str] | None = None) -> int:
    """Try the mutants asked for and print what came of them, or list them; return the exit code."""
    options = arguments(given)
    start, before = monotonic(), files.state()
    try:
        known = {mutant.id: mutant for mutant in every()}
        equal = report.equivalents(known)
        chosen = choose(list(known.values()), options)
        if options.list:
            print(*(f"{mutant.id}\n{mutant.diff()}" for mutant in chosen), sep="\n")
            return 0
        done = tried(chosen, list(known.values()), options)
        wrong = [*controls.wrong(done), *files.edited(before)]
    except Void as error:
        print(f"The run is void. {error}")
        return 2
    found = {name: entry for name, entry in done.items() if name in known}
    print(*report.lines(found, equal), sep="\n")
    print(f"{len(found)} of {len(known)} mutants, seed {options.seed}, {monotonic() - start:.0f} s.")
    keep(found, options.save)
    if wrong:
        print("The run is void:", *wrong, sep="\n  ")
        return 2
    print(f"{len(done) - len(found)} controls came out as they must.")
    return 1 if share(found, equal) < options.fail_under else 0


def arguments(given: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__.split("\n")[0])
    parser.add_argument("--all", action="store_true", help="try every mutant")
    parser.add_argument("--number", type=int, default=NUMBER, help="of the sample (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the sample (%(default)s)")
    parser.add_argument("--kind", action="append", default=[], help="only mutants of this kind; repeatable")
    parser.add_argument("--group", action="append", default=[], help="only of this package; repeatable")
    parser.add_argument("--file", action="append", default=[], help="only in this file or folder; repeatable")
    parser.add_argument("--only", action="append", default=[], metavar="ID", help="only this one; repeatable")
    parser.add_argument(
        "--lines", action="append", default=[], metavar="FILE:A-B", help="only on these lines"
    )
    parser.add_argument("--since", metavar="COMMIT", help="only on lines that differ from a commit")
    text = (
        "of tests for each mutant, the most telling first; 0, as with --all: all that reach it (%(default)s)"
    )
    parser.add_argument("--seconds", type=float, default=SECONDS, help=text)
    parser.add_argument(
        "--notebooks", action="store_true", help="run the chapters for what the tests let through"
    )
    parser.add_argument("--list", action="store_true", help="list the mutants, and try none")
    parser.add_argument("--tests", action="append", metavar="PATH", help="only these tests; repeatable")
    parser.add_argument("--jobs", type=int, default=2, help="processes (%(default)s)")
    text = "where what came of each mutant is written (beside the map, as last.json)"
    parser.add_argument("--save", type=Path, default=KEPT / "last.json", metavar="FILE", help=text)
    parser.add_argument("--fail-under", type=float, default=0.0, metavar="PERCENT", help="of the score")
    options = parser.parse_args(given)
    if options.jobs < 1:
        parser.error(f"argument --jobs: {options.jobs} is less than 1")
    return options


def every() -> list[Mutant]:
    """Make all mutants of the library, of the data and of the chapters."""
    code = sorted((ROOT / "dtlib").rglob("*.py"))
    names = [str(path.relative_to(ROOT)) for path in code]
    made = [mutant for file in names for mutant in mutate_code.mutants(file, read(file))]
    return made + mutate_text.every() + mutate_site.every()


def choose(mutants: list[Mutant], options: argparse.Namespace) -> list[Mutant]:
    """Return the mutants that the options ask for."""
    if options.only:
        return [mutant for mutant in mutants if mutant.id in options.only]
    lines = sample.touched(options.since) if options.since else {}
    for given in options.lines:
        file, _, span = given.rpartition(":")
        first, _, last = span.partition("-")
        lines.setdefault(file, set()).update(range(int(first), int(last or first) + 1))
    chosen = sample.on_lines(mutants, lines) if options.since or options.lines else mutants
    if options.kind:
        chosen = [mutant for mutant in chosen if mutant.kind in options.kind]
    if options.group:
        chosen = [mutant for mutant in chosen if mutant.group in options.group]
    if options.file:
        chosen = [mutant for mutant in chosen if mutant.file.startswith(tuple(options.file))]
    asked = mutate_site.GROUP in options.group or mutate_site.KINDS & {*options.kind}
    if not (asked or options.file):  # each costs a build
        site = [mutant for mutant in chosen if mutant.group == mutate_site.GROUP]
        few = sample.drawn(site, BUILDS, options.seed) if options.all else []
        chosen = [mutant for mutant in chosen if mutant.group != mutate_site.GROUP] + few
    return chosen if options.all else sample.drawn(chosen, options.number, options.seed)


def tried(
    chosen: list[Mutant], known: list[Mutant], options: argparse.Namespace
) -> dict[str, tuple[Mutant, Done]]:
    """Run the mutants chosen, controls first; return what came of each."""
    done: dict[str, tuple[Mutant, Done]] = {}
    with Pool(options.jobs, tuple(options.tests or TESTS)) as pool:
        of_library = any(mutant.file.startswith("dtlib/") for mutant in chosen)
        run = all_chapters() if options.notebooks and of_library else []
        reach = pool.map(lambda text: print(text, flush=True), run)
        groups = {mutant.group for mutant in chosen}
        among = [mutant for mutant in known if mutant.group in groups]
        known_outcome = controls.controls(among, reach, options.seed)
        mixed = sorted(chosen, key=lambda mutant: sample.rank(mutant, options.seed))
        jobs = {mutant.id: mutant for mutant in [*known_outcome, *mixed]}
        tasks, chosen_ids = [], {mutant.id for mutant in chosen}
        for mutant in jobs.values():
            legs = plan.legs(mutant, reach, same=mutant.kind == controls.CONTROL)
            if mutant.id in chosen_ids and options.notebooks:
                legs += plan.through_chapters(mutant, reach)
            if options.seconds and not options.all:
                legs = plan.within(legs, options.seconds)
            if legs:
                tasks.append(legs)
            else:
                done[mutant.id] = mutant, Done(Result("survived", why="no test reaches it"))

        def told(name: str, found: Done) -> None:
            done[name] = jobs[name], found
            if len(done) % 20 == 0:
                keep(done, options.save)  # so that a long run can be looked at
            if sys.stderr.isatty():
                print(f"\r{len(done)} of {len(jobs)}", end="", file=sys.stderr, flush=True)

        pool.run(tasks, told)
    return done


def share(found: dict[str, tuple[Mutant, Done]], equal: dict[str, str]) -> float:
    """Return the score of a run in percent."""
    counts = Counter(report.outcome(mutant, done, equal) for mutant, done in found.values())
    return float(report.score(counts, equal=False).rstrip("%-") or 100)


def keep(found: dict[str, tuple[Mutant, Done]], path: Path) -> None:
    """Write what came of each mutant."""
    rows = [
        {"id": name, "group": mutant.group, "kind": mutant.kind, "outcome": done.result.outcome}
        | {"by": done.result.by, "seconds": round(done.seconds, 2)}
        | {"why": done.result.why, "line": mutant.lines[0], "diff": mutant.diff()}
        for name, (mutant, done) in found.items()
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
