"""A fleet on this machine: real nats-servers, workers with a folder each, and an ingest."""

import base64
import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time

from nats import NATS

PARTITIONS = 16
WORKERS = 3


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Fleet:
    """Servers, workers, and what they leave in a folder."""

    def __init__(self, folder, fencepost, servers=1):
        self.folder, self.fencepost = pathlib.Path(folder), fencepost
        self.ports = [free_port() for _ in range(servers)]
        self.address = "nats://" + ",".join(f"127.0.0.1:{port}" for port in self.ports)
        self.replicas = [] if servers == 1 else ["--replicas", str(servers)]
        self.workers = [None] * WORKERS
        self.servers = [None] * servers
        self.ingest = None
        self.ingest_port = free_port()
        self.write_settings()
        for index in range(servers):
            self.start_server(index)
        self.wait_for_servers()

    def write_settings(self):
        routes = [free_port() for _ in self.ports]
        for index, port in enumerate(self.ports):
            # The mapping by which other programs may publish.
            lines = [f'server_name: "server-{index}"', f'listen: "127.0.0.1:{port}"',
                     f'jetstream {{ store_dir: "{self.folder}/jetstream-{index}" }}',
                     f'mappings {{ "fencepost.position.*": "fencepost.log.{{{{partition({PARTITIONS},1)}}}}.d.{{{{wildcard(1)}}}}" }}']
            if len(routes) > 1:
                others = ", ".join(f'"nats-route://127.0.0.1:{one}"' for one in routes)
                lines.append(f'cluster {{ name: fleet, listen: "127.0.0.1:{routes[index]}", routes: [{others}] }}')
            (self.folder / f"nats-{index}.conf").write_text("\n".join(lines) + "\n")

    def start_server(self, index):
        server = os.environ.get("NATS_SERVER") or shutil.which("nats-server") or "/usr/sbin/nats-server"
        self.servers[index] = subprocess.Popen(
            [server, "-c", str(self.folder / f"nats-{index}.conf")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def wait_for_servers(self):
        """Waits until JetStream answers, in a cluster by a leader."""
        limit = time.monotonic() + 60
        while time.monotonic() < limit:
            try:
                connection = self.connect()
                ready = "error" not in connection.ask("STREAM.NAMES")
                connection.close()
                if ready:
                    return
            except (OSError, ConnectionError, ValueError):
                pass
            time.sleep(0.02)
        sys.exit("run.py: nats-server does not start")

    def connect(self):
        """A connection to a server that is up."""
        for index, port in enumerate(self.ports):
            if self.servers[index] and self.servers[index].poll() is None:
                try:
                    return NATS(port)
                except (OSError, ConnectionError):
                    continue
        raise ConnectionError("no server is up")

    def ask(self, operation, **fields):
        """What JetStream answers, as soon as it does."""
        limit = time.monotonic() + 60
        while True:
            try:
                connection = self.connect()
                answer = connection.ask(operation, **fields)
                connection.close()
                if "error" not in answer or time.monotonic() > limit:
                    return answer
            except (OSError, ValueError):
                # A cluster chooses a leader.
                if time.monotonic() > limit:
                    raise
            time.sleep(0.5)

    def run(self, *words, **options):
        return subprocess.run([self.fencepost, *map(str, words)], check=True, capture_output=True, text=True, **options)

    def start_worker(self, index, snapshot="1s", *words):
        out = open(self.folder / f"worker-{index}.log", "a")
        self.workers[index] = subprocess.Popen(
            [self.fencepost, "worker", "--log", self.address, "--folder", str(self.folder / f"worker-{index}"),
             "--partitions", f"0-{PARTITIONS - 1}", "--lease", "2s", "--snapshot", snapshot, "--zone", "UTC", *self.replicas, *words],
            stdout=out, stderr=out)
        out.close()

    def start_ingest(self):
        out = open(self.folder / "ingest.log", "a")
        self.ingest = subprocess.Popen(
            [self.fencepost, "ingest", "--log", self.address, "--partitions", str(PARTITIONS), "--feed",
             f"http://127.0.0.1:{self.ingest_port}", *self.replicas], stdout=out, stderr=out)
        out.close()

    def publish_fences(self, store):
        self.run("fleet", "fences", "--log", self.address, "--store", store, "--partitions", PARTITIONS, *self.replicas)

    def post(self, body):
        """Sends positions as a phone does: what was not answered is sent again."""
        limit = time.monotonic() + 180
        while True:
            try:
                connection = http.client.HTTPConnection("127.0.0.1", self.ingest_port, timeout=30)
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

    def firings(self):
        """What `fleet firings` prints."""
        limit = time.monotonic() + 60
        while True:
            try:
                lines = self.run("fleet", "firings", "--log", self.address).stdout
                return [one for one in map(json.loads, lines.splitlines()) if one.get("type") == "firing"]
            except subprocess.CalledProcessError as error:
                # A cluster chooses a leader.
                if time.monotonic() > limit:
                    raise RuntimeError(error.stderr) from error
                time.sleep(0.5)

    def kill(self, process, number=signal.SIGKILL):
        """Ends a process, and returns 1; 0 if it has ended before."""
        if not process or process.poll() is not None:
            return 0
        process.send_signal(number)
        process.wait()
        return 1

    def stop(self):
        for process in self.workers + [self.ingest] + self.servers:
            self.kill(process)

    def progress(self):
        """What each partition has read, as [(partition, owner, message up to which all was judged, those that wait)]; those are None
        if nobody reads it."""
        connection = self.connect()
        consumers, total = [], 1
        while len(consumers) < total:
            answer = connection.ask("CONSUMER.LIST.FENCEPOST_LOG", offset=len(consumers))
            found, total = answer.get("consumers") or [], answer.get("total", 0)
            consumers += found
            if not found:
                break
        rows = []
        for partition in range(PARTITIONS):
            lease = connection.ask("STREAM.MSG.GET.KV_FENCEPOST_WORKERS", last_by_subj=f"$KV.FENCEPOST_WORKERS.partition.{partition}")
            data = lease.get("message", {}).get("data")
            owner = json.loads(base64.b64decode(data)).get("worker") if data else None
            mine = [one for one in consumers if one["config"]["description"] == f"{owner}, partition {partition}"
                    and one.get("push_bound", False)]
            judged = max((one["ack_floor"]["stream_seq"] for one in mine), default=None)
            waiting = min((one["num_pending"] + one["num_ack_pending"] for one in mine), default=None)
            rows.append((partition, owner, judged, waiting))
        connection.close()
        return rows
