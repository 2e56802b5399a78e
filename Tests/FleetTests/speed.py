"""Measures a fleet on this machine: positions a second of `ingest` and of workers, how long others take over from a dead one, the
memory of a worker, and how long a firing takes at half load.

Usage: run.py speed [--devices N] [--fences N] [--steps N]. Use the program of `make build`. Where other programs use the processors too,
compare processor seconds, and not what the wall clock says.
"""

import json
import os
import pathlib
import random
import shutil
import socket
import statistics
import struct
import tempfile
import threading
import time

import run

TICKS = os.sysconf("SC_CLK_TCK")


def processor_seconds(process):
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def resident(process):
    for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) >> 10
    return 0


def wait_until_read(connection):
    """Waits until each partition has a consumer, and each has acknowledged all."""
    while True:
        consumers = [one for one in connection.ask("CONSUMER.LIST.FENCEPOST_LOG").get("consumers") or [] if one.get("push_bound")]
        rest = sum(one["num_pending"] + one["num_ack_pending"] for one in consumers)
        if len({one["config"]["filter_subject"] for one in consumers}) == run.PARTITIONS and rest == 0:
            return
        time.sleep(0.02)


def work(fleet, connection, count, positions):
    """Starts workers with empty folders on a full log, and says how long they take."""
    connection.ask("STREAM.PURGE.FENCEPOST_STATES")
    connection.ask("STREAM.PURGE.FENCEPOST_FIRINGS")
    for index in range(count):
        shutil.rmtree(fleet.folder / f"worker-{index}", ignore_errors=True)
    began = time.monotonic()
    for index in range(count):
        # No copies of states meanwhile.
        fleet.start_worker(index, "1h")
    wait_until_read(connection)
    seconds = time.monotonic() - began
    cost = sum(processor_seconds(fleet.workers[index]) for index in range(count))
    print(f"{count} worker{'s' * (count > 1)}: {positions / seconds:,.0f} positions a second, {positions / cost:,.0f} a processor second, "
          f"{resident(fleet.workers[0])} MB each; {seconds:.1f} s, of which the processors worked {cost:.1f} s", flush=True)
    return seconds, positions / cost


def recover(fleet, connection, devices):
    """Kills one of two workers. The other one has nothing of what the dead one had but the copies in the log."""
    bound = lambda: [one["config"] for one in connection.ask("CONSUMER.LIST.FENCEPOST_LOG").get("consumers") or []  # noqa: E731
                     if one.get("push_bound")]
    began, before = time.monotonic(), processor_seconds(fleet.workers[1])
    fleet.kill(fleet.workers[0])
    time.sleep(0.5)
    while True:
        configs = bound()
        if len({one["description"].split(",")[0] for one in configs}) == 1 and len({one["filter_subject"] for one in configs}) == run.PARTITIONS:
            break
        time.sleep(0.02)
    wait_until_read(connection)
    print(f"recovery: {time.monotonic() - began:.1f} s until the other worker had all {devices:,} devices (a lease of 2 s included), "
          f"{processor_seconds(fleet.workers[1]) - before:.1f} s of its processor; {resident(fleet.workers[1])} MB with all", flush=True)


def delay(fleet, places, rate, seconds=20):
    """Sends positions of devices that cross a boundary with each of them, and measures how long until their firings are published."""
    for index in range(run.WORKERS):
        fleet.kill(fleet.workers[index], run.signal.SIGTERM)
        shutil.rmtree(fleet.folder / f"worker-{index}", ignore_errors=True)
    connection = fleet.connect()
    for stream in ("LOG", "STATES", "FIRINGS"):
        connection.ask(f"STREAM.PURGE.FENCEPOST_{stream}")
    fleet.start_worker(0, "1m", "--policy", "exact")
    while len({one["config"]["filter_subject"] for one in connection.ask("CONSUMER.LIST.FENCEPOST_LOG").get("consumers") or []
               if one.get("push_bound")}) < run.PARTITIONS:
        time.sleep(0.1)
    sent, delays = {}, []
    listener = fleet.connect()
    listener.socket.sendall(b"SUB fencepost.firings.> 7\r\n")
    listener.socket.settimeout(5)

    def listen():
        try:
            while True:
                line = listener.file.readline()
                if line == b"PING\r\n":
                    listener.socket.sendall(b"PONG\r\n")
                if line.startswith((b"MSG", b"HMSG")):
                    body = listener.file.read(int(line.split()[-1]) + 2)
                    now = time.time()
                    firing = json.loads(body[body.index(b"{"):])
                    began = sent.get((firing["device"], firing["confirmed_at"][:23]))
                    if began:
                        delays.append(now - began)
        except (socket.timeout, OSError):
            pass

    thread = threading.Thread(target=listen)
    thread.start()
    # One position in ten crosses a boundary.
    latitude, longitude, _ = places[0]
    devices = max(1, rate)
    began, count = time.time(), 0
    while time.time() < began + seconds:
        lines, now = [], time.time()
        while count < (now - began) * rate:
            number = count % devices
            name, inside = f"car{number}", number % 10 == 0 and count // devices % 2 == 1
            stamp = int(now * 1000) * 1000
            payload = b"\x01" + struct.pack("<q6dBBq", stamp, latitude + (0 if inside else 0.1), longitude, 5, *[float("nan")] * 3, 0, 0, 0)
            lines.append(b"PUB fencepost.position.%s %d\r\n%s\r\n" % (name.encode(), len(payload), payload))
            sent[(name, time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(stamp // 1_000_000)) + f".{stamp // 1000 % 1000:03}")] = now
            count += 1
        connection.socket.sendall(b"".join(lines))
        time.sleep(0.005)
    thread.join()
    if not delays:
        print("delay: no firing came")
        return
    delays.sort()
    print(f"delay: at {count / seconds:,.0f} positions a second, from sending a position to the firing: {statistics.median(delays) * 1e3:.0f} ms "
          f"in the median, p99 {delays[int(len(delays) * 0.99)] * 1e3:.0f} ms, of {len(delays):,}", flush=True)


def main(options):
    chance = random.Random(1)
    with tempfile.TemporaryDirectory(prefix="fencepost-fleet-") as folder:
        fleet = run.Fleet(folder, options.fencepost)
        try:
            places = run.make_fences(fleet.folder / "fences.ics", options.fences, chance)
            positions = run.make_trace(places, options.devices, options.steps, chance)
            run.write_csv(fleet.folder / "all.csv", positions)
            store = fleet.folder / "fences.sqlite"
            fleet.run("import", "--store", store, fleet.folder / "fences.ics")
            fleet.publish_fences(store)
            connection = fleet.connect()
            began = time.monotonic()
            fleet.run("ingest", "--log", fleet.address, "--partitions", run.PARTITIONS, fleet.folder / "all.csv")
            seconds = time.monotonic() - began
            print(f"ingest of a file: {len(positions) / seconds:,.0f} positions a second", flush=True)
            alone, rate = work(fleet, connection, 1, len(positions))
            fleet.kill(fleet.workers[0], run.signal.SIGTERM)
            both, rates = work(fleet, connection, 2, len(positions))
            print(f"a second worker: {alone / both:.2f} times by the wall clock, {2 * rates / rate:.2f} times by processor seconds", flush=True)
            # With copies of the states in the log.
            for index in range(2):
                fleet.kill(fleet.workers[index], run.signal.SIGTERM)
                fleet.start_worker(index)
            wait_until_read(connection)
            time.sleep(run.PARTITIONS / 4 + 2)
            recover(fleet, connection, options.devices)
            delay(fleet, places, int(min(10_000, len(positions) / alone / 2)))
        finally:
            fleet.stop()
