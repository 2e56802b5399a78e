#!/usr/bin/env python3
"""Runs a fleet on this machine: a real nats-server, workers with a folder each, and a trace of many devices. Workers and the server
are killed at random, and start again. Then the firings must be those of one machine, each once.

Usage: run.py [--rounds N] [--devices N] [--fences N] [--seed N], or run.py speed. A round has a trace of its own, and some dozen kills.
FENCEPOST names the program to test, NATS_SERVER the server.
"""

import argparse
import http.client
import json
import math
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
from nats import NATS  # noqa: E402
from programs import program  # noqa: E402

PARTITIONS = 16
WORKERS = 3
# Seconds of the trace between two positions of a device.
PACE = 60


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Fleet:
    """A server, workers, and what they leave in a folder."""

    def __init__(self, folder, fencepost):
        self.folder, self.fencepost = pathlib.Path(folder), fencepost
        self.port = free_port()
        self.address = f"nats://127.0.0.1:{self.port}"
        self.workers = [None] * WORKERS
        self.server = self.ingest = None
        self.ingest_port = free_port()
        # The mapping by which other programs may publish.
        (self.folder / "nats.conf").write_text(
            f'listen: "127.0.0.1:{self.port}"\njetstream {{ store_dir: "{self.folder}/jetstream" }}\n'
            f'mappings {{ "fencepost.position.*": "fencepost.log.{{{{partition({PARTITIONS},1)}}}}.d.{{{{wildcard(1)}}}}" }}\n')
        self.start_server()

    def start_server(self):
        server = os.environ.get("NATS_SERVER") or shutil.which("nats-server") or "/usr/sbin/nats-server"
        self.server = subprocess.Popen(
            [server, "-c", str(self.folder / "nats.conf")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        limit = time.monotonic() + 20
        while time.monotonic() < limit:
            try:
                connection = NATS(self.port)
                ready = "error" not in connection.ask("INFO")
                connection.close()
                if ready:
                    return
            except (OSError, ConnectionError, ValueError):
                pass
            time.sleep(0.02)
        sys.exit("run.py: nats-server does not start")

    def run(self, *words, **options):
        return subprocess.run([self.fencepost, *map(str, words)], check=True, capture_output=True, text=True, **options)

    def start_worker(self, index):
        out = open(self.folder / f"worker-{index}.log", "a")
        self.workers[index] = subprocess.Popen(
            [self.fencepost, "worker", "--log", self.address, "--folder", str(self.folder / f"worker-{index}"),
             "--partitions", f"0-{PARTITIONS - 1}", "--lease", "2s", "--snapshot", "1s", "--zone", "UTC"],
            stdout=out, stderr=out)
        out.close()

    def start_ingest(self):
        out = open(self.folder / "ingest.log", "a")
        self.ingest = subprocess.Popen(
            [self.fencepost, "ingest", "--log", self.address, "--partitions", str(PARTITIONS), "--feed",
             f"http://127.0.0.1:{self.ingest_port}"], stdout=out, stderr=out)
        out.close()

    def post(self, positions):
        """Sends positions as a phone does: what was not answered is sent again."""
        body = json.dumps({"locations": [feature(*one) for one in positions]})
        limit = time.monotonic() + 60
        while True:
            try:
                connection = http.client.HTTPConnection("127.0.0.1", self.ingest_port, timeout=15)
                connection.request("POST", "/", body, {"Content-Type": "application/json"})
                if connection.getresponse().status == 200:
                    return
            except (OSError, http.client.HTTPException):
                pass
            if self.ingest.poll() is not None:
                self.start_ingest()
            if time.monotonic() > limit:
                sys.exit("run.py: ingest takes no positions")
            time.sleep(0.05)

    def kill(self, process, number=signal.SIGKILL):
        """Ends a process, and returns 1; 0 if it has ended before."""
        if not process or process.poll() is not None:
            return 0
        process.send_signal(number)
        process.wait()
        return 1

    def stop(self):
        for process in self.workers + [self.ingest, self.server]:
            self.kill(process)


def make_fences(path, count, chance):
    """A file with places on a grid of some kilometres; each has alarms for arrival and departure."""
    places, lines = [], ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//test//fleet//EN"]
    for number in range(count):
        latitude, longitude = 52 + chance.uniform(0, 0.2), 13 + chance.uniform(0, 0.3)
        radius = chance.choice([100, 150, 250, 400])
        places.append((latitude, longitude, radius))
        lines += ["BEGIN:VTODO", f"UID:place-{number}", "DTSTAMP:20260101T000000Z", f"SUMMARY:Place {number}"]
        for kind in ("ARRIVE", "DEPART"):
            lines += ["BEGIN:VALARM", f"UID:place-{number}-{kind.lower()}", "ACTION:DISPLAY", f"DESCRIPTION:Place {number}",
                      "TRIGGER;VALUE=DATE-TIME:19760401T005545Z", f"PROXIMITY:{kind}",
                      f"X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-APPLE-RADIUS={radius};X-TITLE=Place {number}:"
                      f"geo:{latitude:.6f},{longitude:.6f}", "END:VALARM"]
        lines.append("END:VTODO")
    lines.append("END:VCALENDAR")
    path.write_text("\r\n".join(lines) + "\r\n")
    return places


def make_trace(places, devices, steps, chance):
    """Positions in the order of time, as (seconds, device, latitude, longitude, accuracy)."""
    start = 1_700_000_000
    routes = []
    for number in range(devices):
        # Stops nearby. A jump of a device would be judged by when the next position comes; in a replay, that is the clock of
        # all devices in the trace.
        first = chance.choice(places)
        near = [one for one in places if abs(one[0] - first[0]) < 0.02 and abs(one[1] - first[1]) < 0.03]
        stops = [chance.choice(near) for _ in range(4)]
        routes.append((f"car {number}", stops, chance.uniform(0, 4), chance.uniform(0.05, 0.25)))
    positions = []
    for step in range(steps):
        for index, (name, stops, phase, pace) in enumerate(routes):
            way = phase + step * pace
            here, there = stops[int(way) % len(stops)], stops[(int(way) + 1) % len(stops)]
            # Some minutes at each stop.
            part = min(1, max(0, (way % 1 - 0.3) / 0.7))
            noise = chance.gauss(0, 6) / 111_000
            positions.append((start + step * PACE + index % PACE, name, here[0] + (there[0] - here[0]) * part + noise,
                              here[1] + (there[1] - here[1]) * part + noise / math.cos(math.radians(52)), 8))
    positions.sort(key=lambda one: one[0])
    return positions


def write_csv(path, positions):
    with open(path, "w") as file:
        file.write("time,device,lat,lon,accuracy\n")
        for seconds, name, latitude, longitude, accuracy in positions:
            stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
            file.write(f"{stamp},{name},{latitude:.7f},{longitude:.7f},{accuracy}\n")


def feature(seconds, name, latitude, longitude, accuracy):
    """A position as Overland sends it."""
    stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
    return {"type": "Feature", "geometry": {"type": "Point", "coordinates": [round(longitude, 7), round(latitude, 7)]},
            "properties": {"timestamp": stamp, "device_id": name, "horizontal_accuracy": accuracy}}


def key(firing):
    """What a firing is, whoever judged it."""
    return json.dumps([firing["kind"], firing["time"], firing["confirmed_at"], firing["alarm"], firing["item"]["id"], firing["device"],
                       firing["position"], firing["interpolated"]])


def firings(lines):
    return [one for one in map(json.loads, lines.splitlines()) if one.get("type") == "firing"]


def run_round(number, options, chance):
    with tempfile.TemporaryDirectory(prefix="fencepost-fleet-") as folder:
        fleet = Fleet(folder, options.fencepost)
        try:
            return play(fleet, number, options, chance)
        except BaseException:
            for log in sorted(fleet.folder.glob("*.log")):
                print(log.name, log.read_text()[-3000:], file=sys.stderr)
            raise
        finally:
            fleet.stop()


def play(fleet, number, options, chance):
    places = make_fences(fleet.folder / "fences.ics", options.fences, chance)
    positions = make_trace(places, options.devices, options.steps, chance)
    store = fleet.folder / "fences.sqlite"
    fleet.run("import", "--store", store, fleet.folder / "fences.ics")
    write_csv(fleet.folder / "all.csv", positions)
    alone = firings(fleet.run("replay", "--json", "--store", store, "--zone", "UTC", fleet.folder / "all.csv").stdout)
    fleet.run("fleet", "fences", "--log", fleet.address, "--store", store, "--partitions", PARTITIONS)

    began = time.monotonic()
    kills = {"worker": 0, "stopped worker": 0, "server": 0, "ingest": 0}
    fleet.start_ingest()
    for index in range(WORKERS):
        fleet.start_worker(index)
    parts = [positions[start:start + math.ceil(len(positions) / 12)] for start in range(0, len(positions), math.ceil(len(positions) / 12))]
    for part in parts:
        for start in range(0, len(part), 500):
            fleet.post(part[start:start + 500])
        time.sleep(chance.uniform(0, 0.8))
        what = chance.random()
        victim = chance.randrange(WORKERS)
        if what < 0.6:
            kills["worker"] += fleet.kill(fleet.workers[victim])
        elif what < 0.7:
            kills["stopped worker"] += fleet.kill(fleet.workers[victim], signal.SIGTERM)
        elif what < 0.8:
            kills["ingest"] += fleet.kill(fleet.ingest)
        else:
            kills["server"] += fleet.kill(fleet.server)
            fleet.start_server()
        if chance.random() < 0.3:
            # A machine that is lost for good.
            kills["worker"] += fleet.kill(fleet.workers[victim])
            shutil.rmtree(fleet.folder / f"worker-{victim}", ignore_errors=True)
        if fleet.workers[victim].poll() is not None and chance.random() < 0.8:
            fleet.start_worker(victim)
    for index in range(WORKERS):
        if fleet.workers[index].poll() is not None:
            fleet.start_worker(index)

    expected = sorted(map(key, alone))
    count, limit = -1, 0
    while True:
        found = firings(fleet.run("fleet", "firings", "--log", fleet.address).stdout)
        if len(found) > count:
            # A busy machine may be slow, but something must happen.
            count, limit = len(found), time.monotonic() + 60
        if len(found) >= len(expected) or time.monotonic() > limit:
            break
        time.sleep(0.3)
    # Nothing more may come, also when partitions move once more.
    for index in range(WORKERS):
        fleet.kill(fleet.workers[index], signal.SIGTERM)
    found = firings(fleet.run("fleet", "firings", "--log", fleet.address).stdout)
    check(expected, found)
    check_mapping(fleet)
    seconds = time.monotonic() - began
    print(f"round {number}: {len(positions)} positions of {options.devices} devices, {len(expected)} firings, "
          + ", ".join(f"{count} × {what} killed" if "stopped" not in what else f"{count} × worker stopped"
                      for what, count in kills.items()) + f", {seconds:.0f} s", flush=True)
    return sum(kills.values())


def check(expected, found):
    assert expected, "the trace sets off nothing"
    ids = [one["id"] for one in found]
    assert len(ids) == len(set(ids)), f"{len(ids) - len(set(ids))} firings came twice"
    assert all(one["generation"] == 1 for one in found), "a firing says another generation"
    keys = sorted(map(key, found))
    if keys != expected:
        missing, surplus = set(expected) - set(keys), set(keys) - set(expected)
        raise AssertionError(f"{len(missing)} of {len(expected)} firings are missing and {len(surplus)} are wrong, such as\n"
                             + "\n".join(sorted(missing)[:3] + sorted(surplus)[:3]))


def check_mapping(fleet):
    """The server's mapping and `ingest` agree on the partition of a device."""
    connection = NATS(fleet.port)
    for name in ("car%200", "ann", "a%2Fb"):
        answer = json.loads(connection.request(f"fencepost.position.{name}", b"{}"))
        message = connection.ask("STREAM.MSG.GET.FENCEPOST_LOG", seq=answer["seq"])["message"]["subject"]
        digest = 2_166_136_261
        for byte in name.encode():
            digest = (digest ^ byte) * 16_777_619 % (1 << 32)
        assert message == f"fencepost.log.{digest % PARTITIONS}.d.{name}", message
    connection.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--devices", type=int, default=3_000)
    parser.add_argument("--fences", type=int, default=300)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("what", nargs="?", choices=["test", "speed"], default="test")
    options = parser.parse_args()
    options.fencepost = program()
    if options.what == "speed":
        import speed

        return speed.main(options)
    seed = options.seed if options.seed is not None else random.randrange(1 << 30)
    print(f"run.py: --seed {seed}", flush=True)
    kills = sum(run_round(number + 1, options, random.Random(seed + number)) for number in range(options.rounds))
    print(f"{options.rounds} rounds, {kills} kills: the firings are those of one machine, each once")


if __name__ == "__main__":
    main()
