#!/usr/bin/env python3
"""How long the first synchronization of many objects takes, and a look without news: the server's share and the program's.

Usage: run.py speed. OBJECTS is the number of objects (10,000); FENCEPOST the program, which should be the released one.
"""

import os
import resource
import subprocess
import time

import servers
from proxy import Proxy
from store import Store
from test_servers import todo

OBJECTS = int(os.environ.get("OBJECTS", "10000"))
LOOKS = 20


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


def main():
    server = servers.Xandikos()
    fill(server)
    proxy = Proxy(server.port)
    store = Store()
    try:
        total = timed(lambda: store.add(server, proxy.port))
        assert len(store.items()) == OBJECTS, len(store.items())
        print(f"first synchronization of {OBJECTS} objects: {total:.1f} s in {proxy.count} requests, "
              f"of which Xandikos {proxy.spent:.1f} s")
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
    finally:
        proxy.stop()
        server.stop()
        store.close()
