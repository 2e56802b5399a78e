"""Real servers, each in a process and a folder of its own."""

import base64
import http.client
import json
import os
import pathlib
import socket
import subprocess
import tempfile
import time
import urllib.parse

PYTHON = os.environ["SYNC_PYTHON"]
BIN = pathlib.Path(PYTHON).parent


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


MAKE_LIST = (
    '<C:mkcalendar xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><set><prop><displayname>List</displayname>'
    '<C:supported-calendar-component-set><C:comp name="VTODO"/><C:comp name="VEVENT"/>'
    "</C:supported-calendar-component-set></prop></set></C:mkcalendar>"
)


class Server:
    """A running server. `home` is the path of its calendars."""

    home = "/"
    # Whether it cuts unknown values at a comma.
    cuts_values = False
    environment = None

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.port = free_port()
        self.log = open(os.path.join(self.folder.name, "log"), "w")
        self.process = subprocess.Popen(self.command(), stdout=self.log, stderr=self.log, env=self.environment)
        until = time.monotonic() + 60
        while time.monotonic() < until:
            try:
                if self.request("OPTIONS", self.home)[0] < 500:
                    break
            except OSError:
                time.sleep(0.1)
        else:
            raise RuntimeError("the server does not start: " + open(self.log.name).read()[-2000:])
        self.prepare()

    def prepare(self):
        pass

    def make_list(self):
        status, _, text = self.request("MKCALENDAR", self.list, MAKE_LIST, {"Content-Type": "application/xml"})
        assert status == 201, text

    def request(self, method, path, body=None, headers=None):
        """One request. Returns status, headers and body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = dict(headers or {})
        if getattr(self, "authorization", None):
            headers["Authorization"] = self.authorization
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        result = answer.status, dict(answer.getheaders()), answer.read().decode()
        connection.close()
        return result

    def put(self, name, text):
        status, _, body = self.request("PUT", self.list + name, text.replace("\n", "\r\n").encode(), {"Content-Type": "text/calendar"})
        assert status in (201, 204), (status, body)

    def text(self, name):
        status, _, body = self.request("GET", self.list + name)
        return body.replace("\r\n", "\n").replace("\n ", "") if status == 200 else None

    def names(self):
        """The names of all objects in the list."""
        body = '<propfind xmlns="DAV:"><prop><getetag/></prop></propfind>'
        _, _, text = self.request("PROPFIND", self.list, body, {"Depth": "1", "Content-Type": "application/xml"})
        import xml.etree.ElementTree as tree

        hrefs = [one.text for one in tree.fromstring(text).iter("{DAV:}href")]
        return sorted(one.rsplit("/", 1)[1] for one in hrefs if one.endswith(".ics"))

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.log.close()
        self.folder.cleanup()


class Radicale(Server):
    name = "radicale"
    home = "/anna/"
    list = "/anna/list/"
    cuts_values = True
    user, password = "anna", "secret words"
    authorization = "Basic YW5uYTpzZWNyZXQgd29yZHM="

    @staticmethod
    def is_installed():
        return subprocess.run([PYTHON, "-c", "import radicale"], stderr=subprocess.DEVNULL).returncode == 0

    def command(self):
        users = os.path.join(self.folder.name, "users")
        with open(users, "w") as file:
            file.write("anna:secret words\n")
        return [
            PYTHON, "-m", "radicale", "--server-hosts", f"127.0.0.1:{self.port}", "--auth-type", "htpasswd",
            "--auth-htpasswd-filename", users, "--auth-htpasswd-encryption", "plain",
            "--storage-filesystem-folder", os.path.join(self.folder.name, "data"),
        ]

    def prepare(self):
        self.make_list()


class DebianRadicale(Radicale):
    """Debian's version, unpacked from its package into RADICALE_DEBIAN."""

    name = "radicale 3.1.8"
    folder_name = os.environ.get("RADICALE_DEBIAN", "")
    environment = {**os.environ, "PYTHONPATH": folder_name}

    @staticmethod
    def is_installed():
        return Radicale.is_installed() and os.path.isdir(os.path.join(DebianRadicale.folder_name, "radicale"))


class Xandikos(Server):
    name = "xandikos"
    home = "/user/"
    list = "/user/calendars/calendar/"
    user = password = None

    @staticmethod
    def is_installed():
        return subprocess.run([PYTHON, "-c", "import xandikos"], stderr=subprocess.DEVNULL).returncode == 0

    def command(self):
        return [
            str(BIN / "xandikos"), "serve", "--no-detect-systemd", "--defaults", "-d",
            os.path.join(self.folder.name, "data"), "-l", "127.0.0.1", "-p", str(self.port),
        ]


class Fencepost(Server):
    """This program as a server."""

    name = "fencepost"

    @staticmethod
    def is_installed():
        return True

    def command(self):
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": self.folder.name, "XDG_RUNTIME_DIR": self.folder.name,
            "FENCEPOST_STORE": os.path.join(self.folder.name, "server.sqlite"), "TZ": "Europe/Berlin",
            "LANG": "C.UTF-8",
        }
        return [os.environ["FENCEPOST"], "daemon", "--serve", f"http://127.0.0.1:{self.port}"]

    def prepare(self):
        words = [os.environ["FENCEPOST"], "clients", "add", "tests", "--caldav", "--json"]
        done = subprocess.run(words, env=self.environment, capture_output=True, text=True, check=True)
        client = next(json.loads(line) for line in done.stdout.splitlines() if line.startswith("{"))
        self.user, self.password = client["user"], client["password"]
        login = base64.b64encode(f"{self.user}:{self.password}".encode()).decode()
        self.authorization = f"Basic {login}"
        self.home = urllib.parse.urlsplit(client["caldav"]).path
        self.list = self.home + "list/"
        self.make_list()


class External(Server):
    """A server that runs already, and loses all calendars of its user: SYNC_HOME is their address, with user and password."""

    name = "external"

    @staticmethod
    def is_installed():
        return "SYNC_HOME" in os.environ

    def __init__(self):
        address = urllib.parse.urlsplit(os.environ["SYNC_HOME"])
        self.port, self.home, self.list = address.port, address.path, address.path + "list/"
        self.user, self.password = address.username, urllib.parse.unquote(address.password)
        login = base64.b64encode(f"{self.user}:{self.password}".encode()).decode()
        self.authorization = f"Basic {login}"
        self.clear()
        self.make_list()

    def clear(self):
        import xml.etree.ElementTree as tree

        body = '<propfind xmlns="DAV:"><prop><resourcetype/></prop></propfind>'
        # Cyrus can't remove a calendar that another of its processes has open, and never removes the first one.
        until = time.monotonic() + 30
        while time.monotonic() < until:
            _, _, text = self.request("PROPFIND", self.home, body, {"Depth": "1", "Content-Type": "application/xml"})
            calendars = [response.find("{DAV:}href").text for response in tree.fromstring(text).iter("{DAV:}response")
                         if response.find(".//{urn:ietf:params:xml:ns:caldav}calendar") is not None]
            if all(self.request("DELETE", calendar)[0] == 403 for calendar in calendars):
                return
            time.sleep(0.1)

    def stop(self):
        self.clear()


ALL = [Radicale, DebianRadicale, Xandikos, Fencepost, External]
