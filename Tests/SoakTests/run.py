#!/usr/bin/env python3
"""Two weeks with some sixty alarms of all kinds, at 1,200 times the speed of the clock (libfaketime), in about 17 minutes.

A pretended phone goes to work, to a café and to a shop, and sends its positions at the same pace. Some alarms are answered, snoozed or
done as they come. The daemon is killed once a day, often at the minute of an alarm, and starts again. What its channel told is compared
with a list that this file reckons without the program: nothing may be missing, doubled or wrong.

Usage: run.py [--days N] [--rate N] [--seed N] [--keep]. FENCEPOST names the program to test.
"""

import argparse
import datetime
import http.client
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import zoneinfo

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
from alarms import FIRST_DAY, Plan  # noqa: E402
from journey import positions  # noqa: E402
from programs import program  # noqa: E402

ZONE = zoneinfo.ZoneInfo("Europe/Berlin")


class Clock:
    """The pretended time: `rate` seconds for each second since `start`."""

    def __init__(self, start, rate):
        self.start, self.rate, self.began = start, rate, None

    def run(self):
        self.began = time.monotonic()

    @property
    def now(self):
        return self.start + (time.monotonic() - self.began) * self.rate

    def sleep_until(self, moment):
        while (left := (moment - self.now) / self.rate) > 0:
            time.sleep(min(left, 0.5))

    def words(self, moment=None):
        """What starts a program whose clock runs as fast from now on; or stands at a moment.

        Only the time of day is pretended: timeouts of connections are as long as always. The command, not a preloaded library
        alone: that changes the environment at the start, and then Swift does not find the program's arguments.
        """
        text = datetime.datetime.fromtimestamp(self.now if moment is None else moment, datetime.timezone.utc)
        speed = f" x{self.rate}" if moment is None else ""
        return ["faketime", "-m", "--exclude-monotonic", "-f", f"@{text:%Y-%m-%d %H:%M:%S}{speed}", program()]


class Fencepost:
    """The program, its store, its daemon, and what its channel told."""

    def __init__(self, folder, clock):
        self.folder, self.clock, self.daemon = folder, clock, None
        self.told = folder / "told.jsonl"
        self.told.touch()
        self.log = open(folder / "daemon.log", "ab")
        self.variables = {
            "PATH": os.environ["PATH"], "HOME": str(folder), "FENCEPOST_ZONE": str(ZONE), "TZ": "UTC",
            "FENCEPOST_STORE": str(folder / "store.sqlite")}
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            self.port = one.getsockname()[1]

    def run(self, *words, moment=None):
        done = subprocess.run(
            [*self.clock.words(moment), *words], env=self.variables, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"fencepost {' '.join(words)}: {done.stderr or done.stdout}")
        return done.stdout

    def start(self):
        with open(self.told, "ab") as output:
            self.daemon = subprocess.Popen(
                [*self.clock.words(), "daemon", "--feed", f"http://127.0.0.1:{self.port}", "--deliver", "-", "--history", "0"],
                env=self.variables, stdin=subprocess.DEVNULL, stdout=output, stderr=self.log, start_new_session=True)

    def kill(self):
        os.killpg(self.daemon.pid, signal.SIGKILL)
        self.daemon.wait()

    def stop(self):
        os.killpg(self.daemon.pid, signal.SIGTERM)
        self.daemon.wait(10)


class Phone(threading.Thread):
    """Sends positions at their times. As an app, it keeps each until it is accepted."""

    def __init__(self, fencepost, clock, fixes):
        super().__init__(daemon=True)
        self.fencepost, self.clock, self.fixes, self.refused = fencepost, clock, fixes, 0

    def run(self):
        for moment, latitude, longitude in self.fixes:
            self.clock.sleep_until(moment)
            body = json.dumps({
                "_type": "location", "lat": latitude, "lon": longitude, "acc": 10, "tst": int(moment),
                "topic": "owntracks/ann/phone"})
            while not self.send(body):
                time.sleep(0.02)

    def send(self, body):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", self.fencepost.port, timeout=5)
            connection.request("POST", "/", body, {
                "Content-Type": "application/json", "X-Limit-U": "ann", "X-Limit-D": "phone"})
            status = connection.getresponse().status
            connection.close()
            self.refused += status >= 300
            return status < 300
        except OSError:
            return False


def told(fencepost, seen):
    """The new lines of the channel, as objects. A line that a kill cut off is left out: it comes again."""
    with open(fencepost.told, "rb") as file:
        file.seek(seen[0])
        data = file.read()
    end = data.rfind(b"\n") + 1
    seen[0] += end
    for line in data[:end].splitlines():
        try:
            yield json.loads(line)
        except ValueError:
            seen[1] += 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--days", type=int, default=14)
    parser.add_argument("--rate", type=int, default=1200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="keep the folder")
    options = parser.parse_args()
    if not shutil.which("faketime"):
        sys.exit("soak: install the package 'faketime'")
    chance = random.Random(options.seed)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="soak-"))
    start = FIRST_DAY.timestamp()
    clock = Clock(start, options.rate)
    fencepost = Fencepost(folder, clock)
    fixes = list(positions(FIRST_DAY, options.days, chance))
    plan = Plan(options.days, chance)
    for words in plan.commands:
        fencepost.run(*words, moment=start)
    kills = plan.kills(chance)
    end = start + options.days * 86_400
    print(f"{plan.count} alarms, {options.days} days, {len(fixes)} positions, {len(kills)} kills; seed {options.seed}, {folder}",
          flush=True)

    clock.run()
    fencepost.start()
    phone = Phone(fencepost, clock, fixes)
    phone.start()
    seen, received, revive, day = [0, 0], [], None, 0
    while clock.now < end:
        for line in told(fencepost, seen):
            received.append((clock.now, line))
            for words in plan.reaction(line):
                fencepost.run(*words)
        for moment, words in plan.due_commands(clock.now):
            fencepost.run(*words)
        if revive is None and kills and clock.now >= kills[0]:
            fencepost.kill()
            kills.pop(0)
            revive = clock.now + chance.uniform(60, 2_400)
        elif revive is not None and clock.now >= revive:
            fencepost.start()
            revive = None
        elif revive is None and fencepost.daemon.poll() is not None:
            sys.exit(f"soak: the daemon ended; see {folder}/daemon.log")
        if clock.now - start > (day + 1) * 86_400:
            day += 1
            print(f"day {day}: {len(received)} told", flush=True)
        time.sleep(0.005)
    if revive is not None:
        fencepost.start()
    time.sleep(2)
    received += [(clock.now, line) for line in told(fencepost, seen)]
    fencepost.stop()
    faults = plan.compare(received, end)
    print(f"{len(received)} told, {seen[1]} cut off by a kill, {phone.refused} positions refused")
    for fault in faults:
        print(fault)
    if faults or options.keep:
        print(f"see {folder}")
    else:
        shutil.rmtree(folder)
    print("soak: " + (f"{len(faults)} faults" if faults else "none missed, doubled or wrong"))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
