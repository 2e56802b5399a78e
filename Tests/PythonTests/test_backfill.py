"""Runs Examples/backfill.py over recordings of Data: its crossings must be those of `fencepost replay`, also if a run is continued.

FENCEPOST is the program to compare with. Needs Java, PySpark, pyarrow, pandas and the wheel.
"""

import datetime
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import pyarrow.dataset

ROOT = pathlib.Path(__file__).resolve().parents[2]
FENCES = ROOT / "Data/errands.ics"


def backfill(trace, folder):
    words = [sys.executable, ROOT / "Examples/backfill.py", FENCES, trace, folder, "--shards", "2", "--master", "local[2]"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]


def rows(folder):
    return pyarrow.dataset.dataset(folder, format="parquet", partitioning="hive").to_table().to_pylist()


def crossings(folder):
    """Without fractions of a millisecond, which the program does not print."""
    milliseconds = lambda time: int(time.timestamp() * 1e6) // 1000  # noqa: E731
    return sorted((one["device"], one["kind"], milliseconds(one["time"]), milliseconds(one["confirmed"]), one["name"])
                  for one in rows(folder) if one["kind"])


def replay(trace):
    words = [os.environ["FENCEPOST"], "replay", "--json", "--transitions", "--reminders", FENCES, trace]
    lines = subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()
    milliseconds = lambda text: round(datetime.datetime.fromisoformat(text).timestamp() * 1e3)  # noqa: E731
    return sorted((one["device"], one["kind"], milliseconds(one["time"]), milliseconds(one.get("confirmed_at") or one["time"]),
                   one["item"]["title"]) for one in map(json.loads, lines) if one["type"] == "transition")


def main():
    trace = ROOT / "Data/commute-week.csv"
    expected = replay(trace)
    assert expected
    with tempfile.TemporaryDirectory(prefix="fencepost-backfill-") as folder:
        folder = pathlib.Path(folder)
        backfill(trace, folder / "out")
        assert crossings(folder / "out") == expected
        states = {(str(one["day"]), one["device"]): one["state"] for one in rows(folder / "out") if one["state"]}
        days = sorted((folder / "out").glob("day=*"))
        assert len(days) > 1
        # A run that was killed in the last day but one.
        shutil.rmtree(days[-1])
        (days[-2] / "_SUCCESS").unlink()
        backfill(trace, folder / "out")
        assert crossings(folder / "out") == expected
        assert states == {(str(one["day"]), one["device"]): one["state"] for one in rows(folder / "out") if one["state"]}
    print(f"backfill.py finds the {len(expected)} crossings of the program, in {len(days)} days")


main()
