"""Measures a fleet on this machine: positions a second of `ingest` and of workers, and how long others take over from a dead one.

Usage: run.py speed [--devices N] [--fences N] [--steps N]. Use the program of `make build`.
"""

import os
import pathlib
import random
import shutil
import tempfile
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
        consumers = connection.ask("CONSUMER.LIST.FENCEPOST_LOG").get("consumers") or []
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
        fleet.start_worker(index)
    wait_until_read(connection)
    seconds = time.monotonic() - began
    cost = sum(processor_seconds(fleet.workers[index]) for index in range(count))
    print(f"{count} worker{'s' * (count > 1)}: {positions / seconds:,.0f} positions a second, {positions / cost:,.0f} a processor second, "
          f"{resident(fleet.workers[0])} MB each; {seconds:.1f} s", flush=True)
    return seconds


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
            fleet.run("fleet", "fences", "--log", fleet.address, "--store", store, "--partitions", run.PARTITIONS)
            began = time.monotonic()
            fleet.run("ingest", "--log", fleet.address, "--partitions", run.PARTITIONS, fleet.folder / "all.csv")
            seconds = time.monotonic() - began
            print(f"ingest of a file: {len(positions) / seconds:,.0f} positions a second", flush=True)
            connection = run.NATS(fleet.port)
            alone = work(fleet, connection, 1, len(positions))
            fleet.kill(fleet.workers[0], run.signal.SIGTERM)
            both = work(fleet, connection, 2, len(positions))
            print(f"a second worker: {alone / both:.2f} times", flush=True)
            # Copies of the states are in the log after a second or two for each partition.
            time.sleep(2 * run.PARTITIONS / 4 + 2)
            # The other one has nothing of what the dead one had.
            began = time.monotonic()
            fleet.kill(fleet.workers[0])
            connection.ask("STREAM.INFO.FENCEPOST_LOG")
            time.sleep(0.5)
            owners = lambda: {one["config"]["description"].split(",")[0] for one in  # noqa: E731
                              connection.ask("CONSUMER.LIST.FENCEPOST_LOG").get("consumers") or [] if one.get("push_bound")}
            filters = lambda: {one["config"]["filter_subject"] for one in  # noqa: E731
                               connection.ask("CONSUMER.LIST.FENCEPOST_LOG").get("consumers") or [] if one.get("push_bound")}
            while len(owners()) != 1 or len(filters()) != run.PARTITIONS:
                time.sleep(0.02)
            wait_until_read(connection)
            print(f"recovery: {time.monotonic() - began:.1f} s until the other worker had all {options.devices} devices "
                  "(a lease of 2 s included)", flush=True)
        finally:
            fleet.stop()
