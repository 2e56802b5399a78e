"""Measures a daemon that phones send positions to over connections that stay open: positions a second whose answer came, so that they
are in the store, and how long an answer takes.

Usage: run.py phones [--senders N] [--rate N] [--batch N] [--fences N]. Without a rate, each phone sends as soon as it was answered. The
phones and the daemon share this machine. Where other programs use it too, compare processor seconds.
"""

import asyncio
import json
import os
import pathlib
import random
import socket
import statistics
import subprocess
import tempfile
import time

import run
from fleet import free_port
from speed import processor_seconds

SECONDS = 10


def body(number, step, batch, place):
    now, latitude, longitude = int(time.time()), place[0], place[1]
    if batch == 1:
        return json.dumps({"_type": "location", "topic": f"owntracks/u/phone{number}", "tst": now,
                           "lat": round(latitude + step % 40 * 1e-4, 6), "lon": round(longitude, 6), "acc": 8}).encode()
    return json.dumps({"locations": [
        run.feature(now - batch + index, f"phone{number}", latitude + (step * batch + index) % 40 * 1e-4, longitude, 8)
        for index in range(batch)]}).encode()


async def phone(number, port, options, place, end, delays):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    interval = options.senders * options.batch / options.rate if options.rate else 0
    begin, step = time.monotonic() + interval * number / options.senders, 0
    while time.monotonic() < end:
        if interval:
            await asyncio.sleep(max(0, begin + step * interval - time.monotonic()))
        content = body(number, step, options.batch, place)
        began = time.monotonic()
        writer.write(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nX-Limit-U: u\r\nX-Limit-D: phone%d\r\n"
                     b"Content-Length: %d\r\n\r\n" % (number, len(content)) + content)
        head = await reader.readuntil(b"\r\n\r\n")
        lengths = [int(line.split(b":")[1]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")]
        await reader.readexactly(lengths[0] if lengths else 0)
        assert b" 200 " in head.split(b"\r\n")[0], head
        delays.append(time.monotonic() - began)
        step += 1
    writer.close()


async def send(port, options, places, delays):
    end = time.monotonic() + SECONDS
    await asyncio.gather(*[phone(number, port, options, places[number % len(places)], end, delays) for number in range(options.senders)])


def main(options):
    with tempfile.TemporaryDirectory(prefix="fencepost-phones-") as folder:
        environment = dict(os.environ, XDG_CONFIG_HOME=folder, XDG_DATA_HOME=folder)
        places = run.make_fences(pathlib.Path(folder) / "fences.ics", options.fences, random.Random(1))
        store, port = f"{folder}/store.sqlite", free_port()
        subprocess.run([options.fencepost, "import", "--store", store, f"{folder}/fences.ics"], check=True, capture_output=True, env=environment)
        daemon = subprocess.Popen([options.fencepost, "daemon", "--store", store, "--socket", f"{folder}/socket", "--feed",
                                   f"http://127.0.0.1:{port}", "--deliver", "-"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  env=environment)
        try:
            limit = time.monotonic() + 20
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                except OSError:
                    assert time.monotonic() < limit and daemon.poll() is None, "the daemon does not start"
                    time.sleep(0.05)
            delays, began, before = [], time.monotonic(), processor_seconds(daemon)
            asyncio.run(send(port, options, places, delays))
            seconds, cost = time.monotonic() - began, max(0.01, processor_seconds(daemon) - before)
            count = len(delays) * options.batch
            delays.sort()
            print(f"{options.senders} phones, {options.batch} position{'s' * (options.batch > 1)} a post: {count / seconds:,.0f} positions a second, "
                  f"{count / cost:,.0f} a processor second of the daemon; answers after {statistics.median(delays) * 1e3:.0f} ms in the median, "
                  f"p99 {delays[int(len(delays) * 0.99)] * 1e3:.0f} ms")
        finally:
            daemon.terminate()
            daemon.wait()
