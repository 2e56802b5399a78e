#!/usr/bin/env python3
"""Runs the browser tests with an environment, a store and a daemon of their own."""

import concurrent.futures
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from programs import environment, program  # noqa: E402
# How many daemons and browsers run at once: mostly each waits for the other.
SHARES = 3
PACKAGES = ["playwright>=1.40", "axe-playwright-python>=0.1.4", "http-ece>=1.2", "py-vapid>=1.9"]


def signin(fencepost, surroundings, daemon):
    """Asks the daemon for a one-time address, as soon as it listens."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        if daemon.poll() is not None:
            sys.exit(f"run.py: the daemon ended with {daemon.returncode}")
        asked = subprocess.run([fencepost, "web", "--json"], env=surroundings, capture_output=True, text=True)
        if asked.returncode == 0:
            return json.loads(asked.stdout.strip().splitlines()[-1])["url"]
        time.sleep(0.2)
    sys.exit(f"run.py: no address to sign in: {asked.stderr}")


def tests(python, surroundings, names):
    """Runs tests in one process, as the address works once. Gives its code and which of them failed."""
    with tempfile.NamedTemporaryFile(suffix=".json") as failed:
        command = [str(python), "topics.py", failed.name, *names]
        with subprocess.Popen(command, env=surroundings, cwd=HERE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as running:
            # Whole lines, because others run beside it.
            for line in running.stdout:
                print(line, end="", flush=True)
        return running.returncode, json.loads(pathlib.Path(failed.name).read_text() or "[]")


def speed(python, surroundings):
    """Measures. Nothing of it fails and is run again."""
    return subprocess.run([str(python), "speed.py"], env=surroundings, cwd=HERE).returncode


@contextlib.contextmanager
def daemon(fencepost):
    """A daemon with an empty store. Gives the environment for tests of it."""
    with tempfile.TemporaryDirectory(prefix="fencepost-web-") as home:
        folders = {"HOME": "", "XDG_CONFIG_HOME": "config", "XDG_DATA_HOME": "data", "XDG_STATE_HOME": "state", "XDG_RUNTIME_DIR": "run"}
        surroundings = {**os.environ, "TZ": "Europe/Berlin", "FENCEPOST": fencepost, "FENCEPOST_BROWSER": "true"}
        surroundings.pop("FENCEPOST_STORE", None)
        for name, folder in folders.items():
            path = pathlib.Path(home, folder)
            path.mkdir(mode=0o700, exist_ok=True)
            surroundings[name] = str(path)
        rooms = pathlib.Path(home, "data", "fencepost", "conferences")
        rooms.mkdir(parents=True)
        (rooms / "rooms.json").write_text(json.dumps({"name": "Rooms", "command": [sys.executable, str(HERE / "rooms.py")]}))
        command = [fencepost, "daemon", "--serve", "http://127.0.0.1:0?host=phones.example", "--history", "30",
                   "--deliver", "webpush?allow-host=127.0.0.1"]
        if "FENCEPOST_PAGES" in os.environ:
            command += ["--pages", str(pathlib.Path(os.environ["FENCEPOST_PAGES"]).resolve())]
        running = subprocess.Popen(command, env=surroundings)
        try:
            surroundings["FENCEPOST_DAEMON"] = str(running.pid)
            surroundings["FENCEPOST_SIGNIN_URL"] = signin(fencepost, surroundings, running)
            yield surroundings
        finally:
            running.terminate()
            running.wait(timeout=20)


def shared(python, fencepost, names):
    """Runs topics in shares, each with a daemon of its own. Gives the worst code and all that failed."""
    def share(topics):
        with daemon(fencepost) as surroundings:
            return tests(python, surroundings, topics)

    shares = [names[first::SHARES] for first in range(min(SHARES, len(names)))]
    with concurrent.futures.ThreadPoolExecutor(SHARES) as pool:
        results = list(pool.map(share, shares))
    return max((code for code, _ in results), key=abs), [name for _, failed in results for name in failed]


def main():
    python = environment("web-tests", PACKAGES)
    if sys.argv[1:] == ["prepare"]:
        return 0
    topics = [name.removesuffix(".py") for name in sys.argv[1:]] or sorted(one.stem for one in HERE.glob("test_*.py"))
    if "FENCEPOST_SIGNIN_URL" in os.environ:
        return tests(python, dict(os.environ), topics)[0]
    fencepost = program()
    if topics == ["speed"]:
        with daemon(fencepost) as surroundings:
            return speed(python, surroundings)
    code, failed = shared(python, fencepost, topics)
    if not failed:
        return code
    # A machine that is busy makes some late. What is wrong fails again, whatever went before it.
    print(f"\nrun.py: {len(failed)} failed, and run once more", file=sys.stderr, flush=True)
    with daemon(fencepost) as surroundings:
        code, again = tests(python, surroundings, failed)
    for name in failed:
        # A class whose beginning fails has one name for all its tests.
        has_failed = any(one.startswith(name) or name.startswith(f"{one}.") for one in again)
        print(f"{'failed' if has_failed else 'unsteady'}: {name}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
