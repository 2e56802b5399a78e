"""A real Home Assistant with a folder of its own, asked through its REST API."""

import json
import pathlib
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

# The last version for Debian 12's Python 3.11. It installs what its integrations need as it starts.
PACKAGES = ["homeassistant==2024.3.3", "josepy<2", "caldav==1.3.9", "icalendar==5.0.11", "paho-mqtt==1.6.1"]
PYTHON = (3, 11)

# For its Python, which has a client of web sockets.
TO_DO_ITEMS = """
import asyncio, aiohttp, sys
async def main(address, token, entity):
    async with aiohttp.ClientSession() as session, session.ws_connect(address) as socket:
        await socket.receive()
        await socket.send_json({"type": "auth", "access_token": token})
        await socket.receive()
        await socket.send_json({"id": 1, "type": "todo/item/list", "entity_id": entity})
        print((await socket.receive()).data)
asyncio.run(main(*sys.argv[1:]))
"""


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


class Broker:
    """An MQTT broker for everybody on this machine."""

    def __init__(self, configuration):
        self.port = free_port()
        configuration.write_text(f"listener {self.port} 127.0.0.1\nallow_anonymous true\n")
        self.words = [shutil.which("mosquitto") or "/usr/sbin/mosquitto", "-c", str(configuration)]

    def __enter__(self):
        self.process = subprocess.Popen(self.words, stderr=subprocess.DEVNULL)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


class HomeAssistant:
    """Home Assistant with some integrations, as its window for a new one stores them."""

    def __init__(self, folder, programs, integrations, patience):
        self.patience = patience
        self.folder = pathlib.Path(folder)
        (self.folder / ".storage").mkdir(parents=True)
        self.port = free_port()
        # Loopback only. `homeassistant:` keeps it from asking where it is.
        (self.folder / "configuration.yaml").write_text(
            f"http:\n  server_host: 127.0.0.1\n  server_port: {self.port}\napi:\n"
            "homeassistant:\n  name: Test\n  latitude: 52.5\n  longitude: 13.4\n  elevation: 0\n"
            "  unit_system: metric\n  time_zone: Europe/Berlin\n  country: DE\n")
        entries = [
            {"entry_id": domain, "version": 1, "minor_version": 1, "domain": domain, "title": domain, "data": data,
             "options": {}, "pref_disable_new_entities": False, "pref_disable_polling": False, "source": "user",
             "unique_id": None, "disabled_by": None} for domain, data in integrations.items()]
        (self.folder / ".storage" / "core.config_entries").write_text(json.dumps(
            {"version": 1, "minor_version": 1, "key": "core.config_entries", "data": {"entries": entries}}))
        self.programs = pathlib.Path(programs)
        self.hass = str(self.programs / "hass")
        subprocess.run(
            [self.hass, "--script", "auth", "-c", str(self.folder), "add", "tester", "secret"], check=True,
            capture_output=True, timeout=patience)
        self.log = open(self.folder / "output.log", "wb")
        self.process = subprocess.Popen(
            [self.hass, "-c", str(self.folder)], stdout=self.log, stderr=subprocess.STDOUT)

    def __enter__(self):
        try:
            self.token = None
            self.await_that("it answers", lambda: self.sign_in() or True)
            return self
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(timeout=self.patience)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.log.close()

    def sign_in(self):
        """Gets a token as its web page does."""
        client = f"http://127.0.0.1:{self.port}/"
        flow = self.post("/auth/login_flow", {
            "client_id": client, "handler": ["homeassistant", None], "redirect_uri": client})
        done = self.post(f"/auth/login_flow/{flow['flow_id']}", {
            "client_id": client, "username": "tester", "password": "secret"})
        form = urllib.parse.urlencode({"client_id": client, "grant_type": "authorization_code", "code": done["result"]})
        self.token = self.send("POST", "/auth/token", form.encode(), "application/x-www-form-urlencoded")["access_token"]

    def post(self, path, body):
        return self.send("POST", path, json.dumps(body).encode(), "application/json")

    def send(self, method, path, body=None, kind=None):
        fields = {"Content-Type": kind} if kind else {}
        if self.token:
            fields["Authorization"] = f"Bearer {self.token}"
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", body, fields, method=method)
        with urllib.request.urlopen(request, timeout=self.patience) as answer:
            return json.load(answer)

    def state(self, entity):
        """An entity with its attributes; None if there is none."""
        try:
            return self.send("GET", f"/api/states/{entity}")
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return None
            raise

    def states(self):
        return {one["entity_id"]: one for one in self.send("GET", "/api/states")}

    def call(self, service, data):
        """Calls a service such as `todo.add_item`."""
        return self.post(f"/api/services/{service.replace('.', '/')}", data)

    def to_do_items(self, entity):
        """The items of a list by title. Only the web socket tells them."""
        done = subprocess.run(
            [str(self.programs / "python"), "-c", TO_DO_ITEMS, f"ws://127.0.0.1:{self.port}/api/websocket", self.token,
             entity], capture_output=True, text=True, timeout=self.patience)
        assert done.returncode == 0, done.stderr
        return {one["summary"]: one for one in json.loads(done.stdout)["result"]["items"]}

    def refresh(self, entity):
        """Asks an integration for news now, instead of in 15 minutes."""
        self.call("homeassistant.update_entity", {"entity_id": entity})

    def await_that(self, what, is_reached):
        until = time.monotonic() + self.patience
        failure = None
        while time.monotonic() < until:
            assert self.process.poll() is None, self.output()
            try:
                if found := is_reached():
                    return found
            except (OSError, urllib.error.URLError, KeyError) as error:
                failure = error
            time.sleep(0.2)
        raise AssertionError(f"Home Assistant: not reached: {what} ({failure})\n{self.output()}")

    def output(self):
        return (self.folder / "output.log").read_text(errors="replace")[-4000:]
