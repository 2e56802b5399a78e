#!/usr/bin/env python3
"""Write the data of this folder: reminders, four traces, and when each alarm ought to go off.

    generate.py            write every file, README.md's tables included
    generate.py --check    write nothing; exit 1 where a file is not what would be written
    generate.py --truth    write truth.json alone
    generate.py --table    print the tables of README.md

Always the same, byte for byte: all chance comes from fixed seeds. Python 3.8 or later, its own library alone.
"""
import argparse
import pathlib
import sys

sys.dont_write_bytecode = True

from generator import reminders, traces, truth  # noqa: E402
from generator.town import Town  # noqa: E402

FOLDER = pathlib.Path(__file__).resolve().parent
MARKS = ("<!-- begin: generate.py -->", "<!-- end: generate.py -->")
"""The part of README.md between them is the generator's."""


def with_table(readme, table):
    before, found, rest = readme.partition(MARKS[0])
    _, ended, after = rest.partition(MARKS[1])
    if not (found and ended):
        sys.exit(f"README.md: the marks {MARKS[0]} and {MARKS[1]} are missing")
    return f"{before}{MARKS[0]}\n\n{table}\n\n{MARKS[1]}{after}"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--check", action="store_true")
    choice.add_argument("--truth", action="store_true")
    choice.add_argument("--table", action="store_true")
    options = parser.parse_args()

    town, items = Town(), reminders.all_items()
    recorded = traces.all_traces(town)
    truth.check(town, items, recorded)
    table = truth.as_table(town, items, recorded)
    if options.table:
        print(table)
        return
    files = {"truth.json": truth.as_json(town, items, recorded)}
    if not options.truth:
        files["errands.ics"] = reminders.calendar_text(town, items)
        files.update({trace.file: trace.text for trace in recorded})
        files["README.md"] = with_table((FOLDER / "README.md").read_text(encoding="utf-8"), table)
    stale = []
    for name, content in files.items():
        path, content = FOLDER / name, content.encode("utf-8")
        if not options.check:
            path.write_bytes(content)
        elif not path.exists() or path.read_bytes() != content:
            stale.append(name)
    if stale:
        sys.exit(f"not as generate.py writes it: {', '.join(stale)}; run it and look at the changes")


if __name__ == "__main__":
    main()
