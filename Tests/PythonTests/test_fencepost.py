"""The package for Python, beside the program: `run` starts this in a bare venv, and with NumPy and pyarrow."""

import array
import ctypes
import datetime
import json
import os
import pickle
import random
import subprocess
import sys
import threading
import unittest

import fencepost
from fencepost import Evaluator, FencepostError, Fences, evaluate, occurrences, read_trace

try:
    import numpy
except ImportError:
    numpy = None
try:
    import pyarrow
except ImportError:
    pyarrow = None
try:
    import pandas
except ImportError:
    pandas = None

DATA = os.environ["FENCEPOST_DATA"]
PROGRAM = os.environ["FENCEPOST"]
TRACES = sorted(name for name in os.listdir(DATA) if name.endswith((".csv", ".gpx", ".nmea")))
START = 1_700_000_000_000_000


def errands():
    return Fences.read(os.path.join(DATA, "errands.ics"))


def home(radius=100):
    return Fences.circles([1], [52.5], [13.4], [radius])


def walk(count=20):
    """North through a fence of 100 m."""
    return {
        "time": [START + step * 10_000_000 for step in range(count)],
        "latitude": [52.5 + (step - 10) * 0.0003 for step in range(count)],
        "longitude": [13.4] * count,
    }


class AgreesWithTheProgram(unittest.TestCase):
    def replayed(self, trace, policy):
        """The transitions of `fencepost replay`."""
        lines = subprocess.run(
            [PROGRAM, "replay", "--json", "--transitions", "--policy", policy, "--reminders"]
            + [os.path.join(DATA, "errands.ics"), os.path.join(DATA, trace)],
            check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        ).stdout.splitlines()
        lines = [json.loads(line) for line in lines]
        return sorted(
            (
                line["device"], line["item"]["title"], line["kind"], self.time(line["time"]),
                self.time(line.get("confirmed_at", line["time"])), line["interpolated"],
            )
            for line in lines if line["type"] == "transition"
        )

    @staticmethod
    def time(text):
        return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))

    @staticmethod
    def milliseconds(time):
        """As the program writes it."""
        return time.replace(microsecond=time.microsecond // 1000 * 1000)

    def test_transitions_of_all_traces(self):
        fences = errands()
        self.assertGreater(len(TRACES), 3)
        total = 0
        for name in TRACES:
            for policy in ("robust", "exact"):
                with self.subTest(trace=name, policy=policy):
                    trace = read_trace(os.path.join(DATA, name))
                    end = max(trace.columns["time"])
                    found = sorted(
                        (
                            row.device, fences[row.fence].name, row.kind, self.milliseconds(row.time),
                            self.milliseconds(row.confirmed), row.is_interpolated,
                        )
                        for row in evaluate(fences, trace, policy=policy, through=int(end)).transitions
                    )
                    self.assertEqual(found, self.replayed(name, policy))
                    total += len(found)
        self.assertGreater(total, 50)


class Evaluation(unittest.TestCase):
    def test_enters_and_leaves(self):
        evaluation = evaluate(home(), walk(), policy="exact")
        self.assertEqual([row.kind for row in evaluation.transitions], ["enter", "leave"])
        self.assertEqual(list(evaluation.admissions), [0] * 20)
        self.assertEqual(list(evaluation.states), [""])

    def test_batches_are_like_one(self):
        table = walk()
        table["device"] = ["ann", "bob"] * 10
        whole = evaluate(home(), table)
        evaluator = Evaluator(home())
        rows = []
        for step in range(20):
            batch = {name: column[step : step + 1] for name, column in table.items()}
            rows += list(evaluator.evaluate(batch))
            # As another machine gets them.
            evaluator = Evaluator(home(), states=pickle.loads(pickle.dumps(evaluator.states)))
        self.assertEqual(rows, list(whole.transitions))
        self.assertEqual(evaluator.states, whole.states)

    def test_silence(self):
        table = {name: column[:11] for name, column in walk().items()}
        evaluator = Evaluator(home())
        before = list(evaluator.evaluate(table))
        after = list(evaluator.evaluate({"time": [], "latitude": [], "longitude": []}, through=START + 10**10))
        self.assertEqual([row.kind for row in before + after], ["enter"])

    def test_threads_share_fences(self):
        fences, table, results = errands(), read_trace(os.path.join(DATA, TRACES[0])), []
        threads = [threading.Thread(target=lambda: results.append(evaluate(fences, table))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len({pickle.dumps(result.states) for result in results}), 1)
        self.assertEqual(len(results), 4)

    def test_datetimes_and_none(self):
        table = walk()
        plain = evaluate(home(), table).states
        zone = datetime.timezone(datetime.timedelta(hours=2))
        table["time"] = [datetime.datetime.fromtimestamp(time / 1e6, zone) for time in table["time"]]
        table["accuracy"] = [None] * 20
        self.assertEqual(evaluate(home(), table).states, plain)

    def test_bad_tables(self):
        table = walk()
        del table["longitude"]
        self.assertRaisesRegex(ValueError, "no column 'longitude'", evaluate, home(), table)
        table["longitude"] = [1.0]
        self.assertRaisesRegex(ValueError, "has 1 rows, not 20", evaluate, home(), table)
        self.assertRaisesRegex(TypeError, "dict of columns", evaluate, home(), [1, 2])
        self.assertRaisesRegex(ValueError, "robust or exact", evaluate, home(), walk(), policy="strict")
        table = walk()
        table["latitude"][3] = float("nan")
        self.assertEqual(
            fencepost.Evaluation.admission_name(evaluate(home(), table).admissions[3]), "bad_coordinate"
        )

    def test_damaged_state_names_its_device(self):
        state = bytearray(evaluate(home(), walk()).states[""])
        state[30] ^= 1
        with self.assertRaises(FencepostError) as caught:
            evaluate(home(), walk(), states={"ann": b"", "bob": bytes(state)})
        self.assertEqual((caught.exception.kind, caught.exception.row), ("state", 1))

    def test_random_states(self):
        """A state of random bytes is an error, and never ends the process."""
        random_ = random.Random(1)
        state = evaluate(home(), walk(8)).states[""]
        for _ in range(2_000):
            damaged = bytearray(state[: random_.randrange(1, len(state) + 1)])
            for _ in range(random_.randrange(1, 4)):
                damaged[random_.randrange(len(damaged))] = random_.randrange(256)
            if bytes(damaged) != state:
                self.assertRaises(FencepostError, evaluate, home(), walk(3), {"": bytes(damaged)})
            self.assertRaises(FencepostError, evaluate, home(), walk(3), {"": random_.randbytes(random_.randrange(1, 400))})

    def test_random_calls(self):
        """Counts, lengths and offsets that are wrong, at the C functions."""
        from fencepost import _library as c

        random_ = random.Random(2)
        fences = home()
        numbers = [0, 1, 2, 7, 2**31, 2**40 + 1, 2**62, 2**63, 2**64 - 1]
        offsets = array.array("q", [0] * 16)
        for _ in range(5_000):
            for index in range(16):
                offsets[index] = random_.choice([0, 1, 5, -1, 2**62, -(2**63), 2**63 - 1])
            # No column has memory, so only calls without rows can be right.
            states = c.States(
                random_.choice([0, 1, 2, 7]), random_.choice([None, offsets.buffer_info()[0]]), None,
                random_.choice(numbers),
            )
            fixes = c.Fixes(count=random_.choice(numbers))
            options = c.Options(random_.choice([0, 16, 17]), random_.choice([0, 1, 2, 2**32 - 1]), 0)
            result = ctypes.c_void_p()
            code = c.library.fp_evaluate(
                fences._handle.pointer, ctypes.byref(options), ctypes.byref(states), ctypes.byref(fixes),
                ctypes.byref(result), None,
            )
            if code == 0:
                self.assertEqual(fixes.count, 0)
                c.library.fp_result_free(result)
            else:
                self.assertIsNone(result.value)

    def test_migrated_state(self):
        state = evaluate(home(), walk()).states[""]
        self.assertEqual(fencepost.migrate_state(state), state)
        # As the program's store keeps it.
        self.assertEqual(fencepost.migrate_state(state[5:-4]), state)

    def test_state_is_the_same_everywhere(self):
        state = evaluate(home(), walk(12), policy="exact").states[""]
        self.assertEqual(state.hex(), RECORDED_STATE)


    def test_states_do_not_depend_on_the_processor(self):
        """The C library computes with other instructions on other processors, and differs in last digits."""
        code = (
            "import hashlib, os, fencepost\n"
            "found = hashlib.sha256()\n"
            "data = os.environ['FENCEPOST_DATA']\n"
            "fences = fencepost.Fences.read(os.path.join(data, 'errands.ics'))\n"
            f"for name in {TRACES!r}:\n"
            "    evaluation = fencepost.evaluate(fences, fencepost.read_trace(os.path.join(data, name)))\n"
            "    found.update(repr((sorted(evaluation.states.items()), list(evaluation.transitions))).encode())\n"
            "print(found.hexdigest())\n"
        )
        hashes = {
            subprocess.run(
                [sys.executable, "-c", code], check=True, stdout=subprocess.PIPE,
                env={**os.environ, "GLIBC_TUNABLES": tunables},
            ).stdout
            for tunables in ("", "glibc.cpu.hwcaps=-AVX,-AVX2,-FMA,-FMA4,-AVX512F")
        }
        self.assertEqual(len(hashes), 1)


# Recorded once. A change here loses the states of all callers, unless older ones can still be read.
RECORDED_STATE = (
    "46505354010601000000000000000180b7ac1e240a06002b1895d409404a40cdcccccccccc2a40000000000000000000"
    "0000000000000000000000000000000000000000000000800000000000000000f03f000000000000001632b055"
)


class Files(unittest.TestCase):
    def test_fences(self):
        fences = errands()
        self.assertEqual({fence.event for fence in fences} - {"enter", "leave", "dwell"}, set())
        self.assertIn("Return the library books", {fence.name for fence in fences})
        park = Fences.from_geojson(
            '{"type": "Feature", "id": 7, "properties": {"name": "Park"},'
            ' "geometry": {"type": "Polygon", "coordinates": [[[13, 52], [14, 52], [14, 53], [13, 52]]]}}'
        )
        self.assertEqual((park[7].name, len(park)), ("Park", 1))
        for content in (b"", b"{}", b"\xff", b"BEGIN:VEVENT"):
            with self.assertRaises(FencepostError) as caught:
                Fences.from_geojson(content)
            self.assertEqual(caught.exception.kind, "format")
        self.assertRaises(FencepostError, Fences.circles, [1, 1], [1, 2], [1, 2], [5, 5])
        self.assertRaises(FencepostError, Fences.circles, [1], [float("nan")], [1], [5])
        self.assertRaises(ValueError, Fences.circles, [1, 2], [1], [1, 2], [5, 5])

    def test_traces(self):
        trace = read_trace(os.path.join(DATA, "errands-walk.gpx"))
        self.assertEqual((trace.format, trace.devices), ("gpx", ["errands-walk"]))
        self.assertGreater(len(trace), 100)
        self.assertRaises(FencepostError, read_trace, os.path.join(DATA, "errands.ics"))
        self.assertRaises(FileNotFoundError, read_trace, os.path.join(DATA, "nothing"))

    def test_occurrences(self):
        starts = occurrences("FREQ=WEEKLY;BYDAY=SU", "20261018T090000", "Europe/Berlin", limit=2)
        self.assertEqual([start.isoformat() for start in starts], ["2026-10-18T07:00:00+00:00", "2026-10-25T08:00:00+00:00"])
        january = datetime.datetime(2026, 1, 1)
        self.assertEqual(
            len(occurrences("FREQ=DAILY", january, after=january, before=datetime.datetime(2026, 2, 1))), 31
        )
        self.assertRaises(FencepostError, occurrences, "FREQ=NEVER", january)
        self.assertRaises(FencepostError, occurrences, "FREQ=DAILY", january, "Mars/Olympus")


class Columns(unittest.TestCase):
    def setUp(self):
        self.table = walk()
        self.table["device"] = ["bob", "ann"] * 10
        self.expected = evaluate(home(), self.table)

    def check(self, table):
        found = evaluate(home(), table)
        self.assertEqual(list(found.transitions), list(self.expected.transitions))
        self.assertEqual(found.states, self.expected.states)

    @unittest.skipIf(numpy is None, "without NumPy")
    def test_numpy(self):
        table = {name: numpy.array(column) for name, column in self.table.items()}
        self.check(table)
        table["time"] = table["time"].astype("datetime64[us]").astype("datetime64[ns]")
        table["latitude"] = numpy.repeat(table["latitude"], 2)[::2]
        self.check(table)

    @unittest.skipIf(pyarrow is None, "without pyarrow")
    def test_arrow(self):
        table = pyarrow.table(self.table)
        self.check(table)
        self.check(pyarrow.concat_tables([table[:7], table[7:]]))
        times = table["time"].cast(pyarrow.timestamp("us", "UTC"))
        self.check(table.set_column(0, "time", times).append_column("accuracy", pyarrow.nulls(20, pyarrow.float64())))
        self.assertRaisesRegex(ValueError, "'time' has rows", self.check, table.set_column(0, "time", pyarrow.nulls(20, pyarrow.int64())))
        rows = self.expected.transitions.to_arrow()
        self.assertEqual(rows.num_rows, len(self.expected.transitions))
        self.assertEqual(evaluate(home(), table[:1]).transitions.to_arrow().num_rows, 0)
        trace = read_trace(os.path.join(DATA, TRACES[0]))
        found = evaluate(errands(), trace.to_arrow())
        self.assertEqual(found.states, evaluate(errands(), trace).states)

    @unittest.skipIf(pyarrow is None, "without pyarrow")
    def test_arrow_batches(self):
        from fencepost import arrow

        fences, trace = errands(), read_trace(os.path.join(DATA, "noisy-phone.csv"))
        table = trace.to_arrow()
        codes = table["device"].combine_chunks()
        codes = codes.chunk(0) if isinstance(codes, pyarrow.ChunkedArray) else codes
        table = table.set_column(0, "device", codes.indices.cast(pyarrow.uint32()))
        states = pyarrow.array([None] * len(trace.devices), pyarrow.binary())
        rows = []
        for batch in table.to_batches(max_chunksize=100):
            # Slices have an offset.
            for part in (batch[:37], batch[37:]):
                transitions, states = arrow.evaluate(fences, part, states)
                rows += transitions.to_pylist()
        whole = evaluate(fences, trace)
        self.assertEqual(states.to_pylist(), [whole.states[device] for device in trace.devices])
        self.assertEqual(
            [(row["fence"], row["time"], row["confirmed"]) for row in rows],
            [(row.fence, row.time, row.confirmed) for row in whole.transitions],
        )
        self.assertGreater(len(rows), 5)
        batch = table.to_batches()[0]
        for wrong, kind in (
            (batch.drop_columns(["latitude"]), "format"),
            (batch.set_column(0, "device", pyarrow.array([5] * len(batch), pyarrow.uint32())), "value"),
            (batch.set_column(0, "device", pyarrow.array(["a"] * len(batch))), "format"),
            (batch.set_column(1, "time", pyarrow.nulls(len(batch), pyarrow.int64())), "value"),
        ):
            with self.assertRaises(FencepostError) as caught:
                arrow.evaluate(fences, wrong, states)
            self.assertEqual(caught.exception.kind, kind)
        with self.assertRaises(FencepostError):
            arrow.evaluate(fences, batch, pyarrow.array(["text"]))

    @unittest.skipIf(pandas is None, "without pandas")
    def test_pandas(self):
        frame = pandas.DataFrame(self.table)
        self.check(frame)
        frame["time"] = pandas.to_datetime(frame["time"], unit="us", utc=True)
        self.check(frame)
        frame.loc[3, "time"] = pandas.NaT
        self.assertRaisesRegex(ValueError, "'time' has rows", self.check, frame)
        self.assertEqual(len(self.expected.transitions.to_pandas()), len(self.expected.transitions))
        trace = read_trace(os.path.join(DATA, TRACES[0]))
        self.assertEqual(evaluate(errands(), trace.to_pandas()).states, evaluate(errands(), trace).states)


if __name__ == "__main__":
    unittest.main()
