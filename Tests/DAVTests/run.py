#!/usr/bin/env python3
"""Runs CalDAV's test-suites and real clients against a daemon with an environment and a store of its own.

Names choose among them: litmus, tester, vdirsyncer, khal, speed. Without names, all but speed run.
"""

import base64
import http.client
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent))
from programs import environment, program  # noqa: E402
PLACE = ROOT / ".build" / "dav-tests"
PACKAGES = ["caldav-server-tester>=0.2", "vdirsyncer>=0.19", "khal>=0.11", "todoman>=4.3"]
# What the server does not offer. README.md says why.
KNOWN_DEVIATIONS = HERE / "deviations.txt"


class Account:
    """A daemon with a CalDAV account."""

    def __init__(self, home):
        self.home = pathlib.Path(home)
        self.fencepost = program()
        self.surroundings = {**os.environ, "TZ": "Europe/Berlin"}
        self.surroundings.pop("FENCEPOST_STORE", None)
        folders = {"HOME": "", "XDG_CONFIG_HOME": "config", "XDG_DATA_HOME": "data", "XDG_STATE_HOME": "state",
                   "XDG_CACHE_HOME": "cache", "XDG_RUNTIME_DIR": "run"}
        for name, folder in folders.items():
            path = self.home / folder
            path.mkdir(mode=0o700, exist_ok=True)
            self.surroundings[name] = str(path)
        self.daemon = subprocess.Popen(
            [self.fencepost, "daemon", "--serve", "http://127.0.0.1:0"], env=self.surroundings,
            stdout=subprocess.DEVNULL)
        self.await_daemon()
        client = self.ask("clients", "add", "tests", "--caldav")
        self.user, self.password, self.url = client["user"], client["password"], client["caldav"]
        parts = urllib.parse.urlsplit(self.url)
        self.root = f"{parts.scheme}://{parts.netloc}/dav/"

    def await_daemon(self):
        until = time.monotonic() + 30
        while time.monotonic() < until:
            if self.daemon.poll() is not None:
                sys.exit(f"run.py: the daemon ended with {self.daemon.returncode}")
            if self.run("web", "--json").returncode == 0:
                return
            time.sleep(0.2)
        sys.exit("run.py: the daemon does not serve")

    def run(self, *words):
        return subprocess.run([self.fencepost, *words], env=self.surroundings, capture_output=True, text=True)

    def ask(self, *words):
        """The last line of JSON that a command prints."""
        done = self.run(*words, "--json")
        if done.returncode:
            sys.exit(f"run.py: {' '.join(words)}: {done.stderr}")
        return json.loads(done.stdout.strip().splitlines()[-1])

    def list(self, name, kind="reminder"):
        """Makes a list, and returns its address."""
        self.run("lists", "add", name, *(["--events"] if kind == "event" else []))
        listed = [json.loads(line) for line in self.run("lists", "--json").stdout.splitlines()]
        identifier = next(one["id"] for one in listed if one.get("title", one.get("name")) == name)
        return self.url + urllib.parse.quote(identifier, safe="") + "/"

    def end(self):
        self.daemon.terminate()
        self.daemon.wait(timeout=20)


def client(account, name, *words, check=True):
    """Runs a Python program with the account's folders."""
    done = subprocess.run([str(PLACE / "bin" / name), *words], env=account.surroundings, capture_output=True, text=True)
    if check and done.returncode:
        raise AssertionError(f"{name} {' '.join(words)}: {done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def litmus(account):
    """litmus (Debian), the groups that don't need locks."""
    if not shutil.which("litmus"):
        return "litmus is not installed"
    done = subprocess.run(
        ["litmus", "-k", account.root + "files/" + account.user + "/", account.user, account.password],
        env={**account.surroundings, "TESTS": "basic copymove props http"}, cwd=account.home, capture_output=True,
        text=True)
    summaries = [line for line in done.stdout.splitlines() if line.startswith("<- summary")]
    print("\n".join(summaries))
    # Class 2 is locks.
    failures = [line for line in done.stdout.splitlines()
                if "FAIL" in line or "WARNING" in line and "Class 2" not in line]
    if failures or len(summaries) < 4:
        raise AssertionError("\n".join(failures) or done.stdout + done.stderr)


def tester(account):
    """caldav-server-tester: everything that it knows about servers, compared with what is known of this one."""
    done = client(
        account, "caldav-server-tester", "--caldav-url", account.url, "--caldav-username", account.user,
        "--caldav-password", account.password, "--format", "json", check=False)
    start = done.find("{")
    if start < 0:
        raise AssertionError(done)
    found = json.JSONDecoder().raw_decode(done[start:])[0]
    (account.home / "tester.json").write_text(json.dumps(found, indent=1))
    deviations = sorted(features(found))
    known = set(KNOWN_DEVIATIONS.read_text().split()) if KNOWN_DEVIATIONS.exists() else set()
    print("\n".join(f"{name}{'' if name in known else '   NEW'}" for name in deviations))
    new = [name for name in deviations if name not in known]
    if new:
        raise AssertionError(f"new deviations: {', '.join(new)}")


def features(found):
    """The names of features that are not fully supported."""
    table = found.get("features", found)
    for name, value in table.items():
        support = value.get("support") if isinstance(value, dict) else value
        if support not in (None, "full", True):
            yield name


def vdirsyncer(account):
    """vdirsyncer: a folder and the account, twice; the second time there is nothing to do."""
    account.run("add", "Milk tomorrow 9am")
    folder = account.home / "vdir"
    folder.mkdir(exist_ok=True)
    config = account.home / "vdirsyncer.conf"
    config.write_text(f"""
[general]
status_path = "{account.home}/vdirsyncer-status"
[pair account]
a = "here"
b = "there"
collections = ["from b"]
metadata = ["displayname", "color"]
[storage here]
type = "filesystem"
path = "{folder}"
fileext = ".ics"
[storage there]
type = "caldav"
url = "{account.root}"
username = "{account.user}"
password = "{account.password}"
""")
    run = lambda *words: client(account, "vdirsyncer", "-c", str(config), *words)
    environment_yes = subprocess.run(
        [str(PLACE / "bin" / "vdirsyncer"), "-c", str(config), "discover"], env=account.surroundings,
        input="y\n" * 50, capture_output=True, text=True)
    assert environment_yes.returncode == 0, environment_yes.stderr
    run("sync")
    files = list(folder.glob("*/*.ics"))
    assert any("SUMMARY:Milk" in file.read_text() for file in files), files
    target = files[0].parent / "from-the-folder.ics"
    target.write_text("BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//x//x//EN\nBEGIN:VTODO\nUID:from-the-folder\n"
                      "DTSTAMP:20260101T000000Z\nSUMMARY:Bread\nEND:VTODO\nEND:VCALENDAR\n")
    run("sync")
    assert "Bread" in account.run("list").stdout
    second = run("sync")
    assert not any(word in second for word in ("Copying", "Deleting", "error")), second


def khal(account):
    """khal and todoman over vdirsyncer: create, change, complete and delete, seen here; and the other way round."""
    vdirsyncer(account)
    config = account.home / "vdirsyncer.conf"
    sync = lambda: client(account, "vdirsyncer", "-c", str(config), "sync")
    todo = account.home / "todoman.py"
    todo.write_text(f'path = "{account.home}/vdir/*"\ndate_format = "%Y-%m-%d"\ntime_format = "%H:%M"\n')
    run = lambda *words: client(account, "todo", "--config", str(todo), *words)
    lists = sorted({file.parent.name for file in (account.home / "vdir").glob("*/*.ics")})
    run("new", "--list", lists[0], "Call the plumber", "--due", "2030-01-02 10:00")
    sync()
    assert "Call the plumber" in account.run("list").stdout
    number = next(line.split()[0] for line in json_lines(run("--porcelain", "list")) if "plumber" in line)
    run("done", number)
    sync()
    assert "Call the plumber" not in account.run("list").stdout
    account.run("add", "Buy stamps")
    sync()
    assert "Buy stamps" in run("list")


def json_lines(text):
    """`ID TITLE` of each to-do that todoman prints as JSON."""
    return [f"{one['id']} {one['summary']}" for one in json.loads(text)]


def speed(account):
    """PUT, PROPFIND of all ETags and sync-collection without news: ours, Radicale's and Xandikos'."""
    python = str(PLACE / "bin" / "python")
    subprocess.run([python, "-m", "pip", "install", "--quiet", "radicale", "xandikos"], check=True)
    path = urllib.parse.urlsplit(account.list("Speed"))
    measure("Fencepost", path.hostname, path.port, path.path, int(os.environ.get("OBJECTS", "10000")),
            (account.user, account.password))
    few = int(os.environ.get("PEER_OBJECTS", "1000"))
    port = free_port()
    peers = {
        "Radicale": ([python, "-m", "radicale", "--server-hosts", f"127.0.0.1:{port}", "--auth-type", "none",
                      "--storage-filesystem-folder", str(account.home / "radicale")], "/user/speed/"),
        "Xandikos": ([str(PLACE / "bin" / "xandikos"), "serve", "--no-detect-systemd", "--defaults", "-d",
                      str(account.home / "xandikos"), "-l", "127.0.0.1", "-p", str(port)], "/user/calendars/speed/"),
    }
    for name, (command, path) in peers.items():
        peer = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            await_port(port)
            connection = http.client.HTTPConnection("127.0.0.1", port)
            body = ('<C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:set><D:prop>'
                    '<D:displayname>Speed</D:displayname></D:prop></D:set></C:mkcalendar>')
            request(connection, "MKCALENDAR", path, body, headers(("user", "")))
            measure(name, "127.0.0.1", port, path, few, ("user", ""))
        finally:
            peer.terminate()
            peer.wait(timeout=20)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def await_port(port):
    until = time.monotonic() + 30
    while time.monotonic() < until:
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    sys.exit(f"run.py: nothing listens at port {port}")


def headers(account, depth="0"):
    word = base64.b64encode(":".join(account).encode()).decode()
    return {"Authorization": "Basic " + word, "Content-Type": "application/xml; charset=utf-8", "Depth": depth}


def request(connection, method, path, body, fields):
    connection.request(method, path, body, fields)
    answer = connection.getresponse()
    return answer.status, answer.read()


def measure(name, host, port, path, count, account):
    connection = http.client.HTTPConnection(host, port)
    fields = {**headers(account), "Content-Type": "text/calendar; charset=utf-8"}
    begin = time.perf_counter()
    for number in range(count):
        body = (f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//x//EN\r\nBEGIN:VTODO\r\nUID:speed-{number}\r\n"
                f"DTSTAMP:20260101T000000Z\r\nSUMMARY:Number {number}\r\nEND:VTODO\r\nEND:VCALENDAR\r\n")
        status, answer = request(connection, "PUT", f"{path}{number}.ics", body, fields)
        assert status in (200, 201, 204), (name, status, answer)
    puts = count / (time.perf_counter() - begin)
    etags = '<D:propfind xmlns:D="DAV:"><D:prop><D:getetag/></D:prop></D:propfind>'
    sync = ('<D:sync-collection xmlns:D="DAV:"><D:sync-token>{}</D:sync-token><D:sync-level>1</D:sync-level><D:prop>'
            '<D:getetag/></D:prop></D:sync-collection>')
    listing = []
    for _ in range(5):
        begin = time.perf_counter()
        status, answer = request(connection, "PROPFIND", path, etags, headers(account, "1"))
        listing.append(time.perf_counter() - begin)
        assert status == 207 and answer.count(b"getetag") >= count, (name, status)
    answer = request(connection, "REPORT", path, sync.format(""), headers(account))[1].decode()
    token = re.search(r"sync-token>([^<]+)<", answer).group(1)
    polls = []
    for _ in range(50):
        begin = time.perf_counter()
        status, answer = request(connection, "REPORT", path, sync.format(token), headers(account))
        polls.append(time.perf_counter() - begin)
        assert status == 207, (name, status, answer)
    print(f"{name}: {count} objects; {puts:.0f} PUTs a second; PROPFIND of all ETags {min(listing) * 1000:.1f} ms "
          f"(first {listing[0] * 1000:.0f}); sync-collection without news {sorted(polls)[25] * 1000:.2f} ms", flush=True)


ALL = {"litmus": litmus, "tester": tester, "vdirsyncer": vdirsyncer, "khal": khal, "speed": speed}


def main():
    environment("dav-tests", PACKAGES)
    failures = 0
    for name in sys.argv[1:] or [name for name in ALL if name != "speed"]:
        with tempfile.TemporaryDirectory(prefix="fencepost-dav-") as home:
            account = Account(home)
            try:
                print(f"== {name}", flush=True)
                note = ALL[name](account)
                print(f"{name}: {'skipped: ' + note if note else 'passed'}", flush=True)
            except AssertionError as failure:
                failures += 1
                print(f"{name}: FAILED\n{failure}", flush=True)
            finally:
                account.end()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
