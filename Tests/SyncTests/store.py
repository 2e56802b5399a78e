"""A store that the program works on."""

import json
import os
import subprocess
import tempfile

PROGRAM = os.environ["FENCEPOST"]


class Store:
    def __init__(self, name="a"):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, f"{name}.sqlite")
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": self.folder.name, "FENCEPOST_STORE": self.path, "TZ": "Europe/Berlin",
            "FENCEPOST_ZONE": "Europe/Berlin", "LANG": "C.UTF-8", "no_proxy": "127.0.0.1",
        }

    def run(self, *words, check=True, text=None):
        done = subprocess.run(
            [PROGRAM, *words], env=self.environment, input=text or "", capture_output=True, text=True, timeout=300)
        if check and done.returncode:
            raise AssertionError(f"{words}: {done.returncode}\n{done.stdout}\n{done.stderr}")
        return done

    def start(self, *words):
        return subprocess.Popen(
            [PROGRAM, *words], env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)

    def add(self, server, port=None):
        address = f"http://127.0.0.1:{port or server.port}/"
        words = ["accounts", "add", address, "--title", "Server", "--json"]
        if server.user:
            password = os.path.join(self.folder.name, "password")
            with open(password, "w") as file:
                file.write(server.password + "\n")
            words += ["--user", server.user, "--password-file", password]
        return self.lines(self.run(*words))

    def sync(self, *words, check=True):
        done = self.run("accounts", "sync", "--json", *words, check=check)
        return self.lines(done)[-1]

    @staticmethod
    def lines(done):
        return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]

    def items(self):
        """Items by their UIDs, from the program's own export."""
        text = self.run("export").stdout.replace("\r\n", "\n").replace("\n ", "")
        items, current = {}, None
        for line in text.split("\n"):
            if line in ("BEGIN:VTODO", "BEGIN:VEVENT"):
                current = [line]
            elif line in ("END:VTODO", "END:VEVENT"):
                uid = next(one[4:] for one in current if one.startswith("UID:"))
                items.setdefault(uid, []).append(sorted(current))
                current = None
            elif current is not None:
                current.append(line)
        return {uid: sorted(parts) for uid, parts in items.items()}

    def list(self):
        return "List" if "List" in self.run("lists").stdout else "calendar"

    def close(self):
        self.folder.cleanup()
