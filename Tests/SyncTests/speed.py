#!/usr/bin/env python3
"""How long the first synchronization of many objects takes, beside vdirsyncer's, and a look without news: the server's share
and the program's.

Usage: run.py speed. OBJECTS is the number of objects (10,000); FENCEPOST the program, which should be the released one.
"""

import json
import os
import resource
import sqlite3
import subprocess
import tempfile
import time

import servers
from proxy import Proxy
from store import Store
from test_servers import todo

OBJECTS = int(os.environ.get("OBJECTS", "10000"))
LOOKS = int(os.environ.get("LOOKS", "20"))


def fill(server):
    """Adds the objects to Xandikos' repository in one commit, because 10,000 requests would take it minutes."""
    folder = os.path.join(server.folder.name, "data", server.list.strip("/"))
    for number in range(OBJECTS):
        lines = [f"SUMMARY:Item {number}", f"DUE:20270{number % 9 + 1}01T100000Z", "DESCRIPTION:" + "words " * 20]
        with open(os.path.join(folder, f"{number}.ics"), "w") as file:
            file.write(todo(f"item-{number}", *lines).replace("\n", "\r\n"))
    git = ["git", "-C", folder, "-c", "user.name=Tests", "-c", "user.email=tests@example.org"]
    subprocess.run([*git, "add", "--all"], check=True)
    subprocess.run([*git, "commit", "--quiet", "--message", "Add objects"], check=True)


def timed(run):
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin


def worked(run):
    """The processor time of the programs that a function starts."""
    def spent():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    begin = spent()
    run()
    return spent() - begin


def both(run):
    """The seconds that a function takes, and those of processor time of the programs that it starts."""
    result = []
    work = worked(lambda: result.append(timed(run)))
    return result[0], work


def vdirsyncer(server, port):
    """What vdirsyncer's first synchronization of the same list into a folder takes, as ``both`` says it."""
    with tempfile.TemporaryDirectory() as folder:
        config = os.path.join(folder, "config")
        with open(config, "w") as file:
            file.write(f"""[general]
status_path = {json.dumps(folder + "/status")}
[pair speed]
a = "there"
b = "here"
collections = null
[storage there]
type = "caldav"
url = "http://127.0.0.1:{port}{server.list}"
[storage here]
type = "filesystem"
path = {json.dumps(folder + "/items")}
fileext = ".ics"
""")
        os.mkdir(folder + "/items")

        def run(word):
            subprocess.run([servers.BIN / "vdirsyncer", "--config", config, "--verbosity", "ERROR", word], check=True,
                           capture_output=True, input=b"")

        run("discover")
        spent = both(lambda: run("sync"))
        assert len(os.listdir(folder + "/items")) == OBJECTS
        return spent


def daemon_look(store, proxy):
    """The processor time that the daemon takes for a look: that of changes elsewhere with one, less that without."""
    store.run("add", "list", "Elsewhere")
    daemon = store.start("daemon", "--deliver", "exec:/bin/true")
    ticks = os.sysconf("SC_CLK_TCK")

    def spent():
        with open(f"/proc/{daemon.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / ticks

    def change(is_due):
        count = proxy.count
        if is_due:
            database = sqlite3.connect(store.path, timeout=60)
            with database:
                database.execute("UPDATE sync_accounts SET next_at = 0")
            database.close()
        store.run("add", "Milk", "--list", "Elsewhere")
        until = time.monotonic() + 10
        while is_due and proxy.count == count and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(0.2)

    def cost(is_due):
        begin, count = spent(), proxy.count
        for _ in range(LOOKS * 5):
            change(is_due)
        expected = LOOKS * 5 if is_due else 0
        assert proxy.count - count == expected, (proxy.count - count, expected)
        return (spent() - begin) / (LOOKS * 5)

    try:
        change(True)
        return cost(True) - cost(False)
    finally:
        daemon.terminate()
        daemon.communicate()


def main():
    server = servers.Xandikos()
    fill(server)
    proxy = Proxy(server.port)
    store = Store()
    try:
        total, work = both(lambda: store.add(server, proxy.port))
        assert len(store.items()) == OBJECTS, len(store.items())
        print(f"first synchronization of {OBJECTS} objects: {total:.1f} s in {proxy.count} requests, "
              f"of which Xandikos {proxy.spent:.1f} s; processor time {work:.1f} s")
        proxy.count, proxy.spent = 0, 0.0
        total, work = vdirsyncer(server, proxy.port)
        print(f"vdirsyncer, into a folder: {total:.1f} s in {proxy.count} requests, of which Xandikos {proxy.spent:.1f} s; "
              f"processor time {work:.1f} s")
        store.sync()
        proxy.count, proxy.spent = 0, 0.0
        looks = [timed(store.sync) for _ in range(LOOKS)]
        starts = [timed(lambda: store.run("accounts", "list", "--json")) for _ in range(LOOKS)]
        print(f"a look without news: {proxy.count / LOOKS:g} request, Xandikos {proxy.spent / LOOKS * 1e3:.1f} ms, "
              f"in all {sorted(looks)[LOOKS // 2] * 1e3:.1f} ms, of which a start of the program takes "
              f"{sorted(starts)[LOOKS // 2] * 1e3:.1f} ms")
        looks = sum(worked(store.sync) for _ in range(LOOKS)) / LOOKS
        starts = sum(worked(lambda: store.run("accounts", "list", "--json")) for _ in range(LOOKS)) / LOOKS
        print(f"processor time of a look: {looks * 1e3:.1f} ms, of which a start {starts * 1e3:.1f} ms")
        print(f"processor time of a look of the daemon: {daemon_look(store, proxy) * 1e3:.1f} ms")
    finally:
        proxy.stop()
        server.stop()
        store.close()
