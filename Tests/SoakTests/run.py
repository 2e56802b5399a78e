#!/usr/bin/env python3
"""Two weeks with some sixty alarms of all kinds, at 1,200 times the speed of the clock (libfaketime), in about 17 minutes.

A pretended phone goes to work, to a café and to a shop, and sends its positions at the same pace. Some alarms are answered, snoozed or
done as they come. The daemon is killed once a day, often at the minute of an alarm, and starts again. What its channel told is compared
with a list that this file reckons without the program: nothing may be missing, doubled or wrong.

Usage: run.py [--days N] [--rate N] [--seed N] [--keep]. FENCEPOST names the program to test.
"""

import argparse
import collections
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
    """The pretended time: `rate` seconds for each second since `start`.

    All programs get it from one that stands by, however long they take to start on a busy machine. Only the time of day is
    pretended, not the monotonic clock. But what waits by the time of day waits shorter: a request for a position that is not
    stored in ten such seconds, which are eight milliseconds here, is answered by 503, and sent again.
    """

    HOLDER = """
import json, os, sys, time
names = [name for name in os.environ if name.startswith(("LD_PRELOAD", "FAKETIME"))]
print(json.dumps([time.time(), time.monotonic(), {name: os.environ[name] for name in names}]), flush=True)
sys.stdin.read()
"""

    def __init__(self, start, rate):
        self.start, self.rate, self.began, self.variables, self.holder = start, rate, None, {}, None
        self.hold("")

    def hold(self, speed):
        """Starts the program that has the time. Without a speed, the time stands still."""
        moment = datetime.datetime.fromtimestamp(self.start, datetime.timezone.utc)
        words = ["faketime", "-m", "--exclude-monotonic", "-f", f"@{moment:%Y-%m-%d %H:%M:%S}{speed}"]
        for _ in range(5):
            # Programs that were killed leave names, which another process may get again.
            self.holder = subprocess.Popen(
                [*words, sys.executable, "-c", self.HOLDER], env={**os.environ, "TZ": "UTC"}, stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, text=True)
            if line := self.holder.stdout.readline():
                time_of_day, monotonic, self.variables = json.loads(line)
                self.began = monotonic - (time_of_day - self.start) / self.rate
                return
        sys.exit("soak: faketime does not start")

    def run(self):
        self.stop()
        self.hold(f" x{self.rate}")

    def stop(self):
        self.holder.stdin.close()
        self.holder.wait()

    @property
    def now(self):
        return self.start + (time.monotonic() - self.began) * self.rate

    def sleep_until(self, moment):
        while (left := (moment - self.now) / self.rate) > 0:
            time.sleep(min(left, 0.5))


class Fencepost:
    """The program, its store, its daemon, and what its channel told."""

    def __init__(self, folder, clock):
        self.folder, self.clock, self.daemon = folder, clock, None
        self.told = folder / "told.jsonl"
        self.told.touch()
        self.log = open(folder / "daemon.log", "ab")
        self.own = {
            "PATH": os.environ["PATH"], "HOME": str(folder), "FENCEPOST_ZONE": str(ZONE), "TZ": "UTC",
            "FENCEPOST_STORE": str(folder / "store.sqlite")}
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            self.port = one.getsockname()[1]

    @property
    def variables(self):
        return {**self.own, **self.clock.variables}

    def run(self, *words):
        done = subprocess.run([program(), *words], env=self.variables, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"fencepost {' '.join(words)}: {done.stderr or done.stdout}")
        return done.stdout

    def start(self):
        with open(self.told, "ab") as output:
            self.daemon = subprocess.Popen(
                [program(), "daemon", "--feed", f"http://127.0.0.1:{self.port}", "--deliver", "-", "--history", "0"],
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
        self.fencepost, self.clock, self.fixes = fencepost, clock, fixes
        self.refused = collections.Counter()

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
            answer = connection.getresponse()
            text = answer.read(200).decode(errors="replace").strip()
            connection.close()
            if answer.status >= 300:
                self.refused[f"{answer.status} {text}"] += 1
            return answer.status < 300
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
        fencepost.run(*words)
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
    clock.stop()
    faults = plan.compare(received, end)
    print(f"{len(received)} told, {seen[1]} cut off by a kill, {phone.refused.total()} positions refused")
    for answer, count in phone.refused.most_common():
        print(f"{count} times answered: {answer}")
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
