#!/usr/bin/env python3
"""The feed imaps:// against a real server: dovecot (Debian: dovecot-imapd), in a folder of its own, on loopback.

Usage: run.py. FENCEPOST names the program, by default that of the debug build; DOVECOT the server's program.
"""

import getpass
import grp
import imaplib
import json
import os
import pathlib
import pwd
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FENCEPOST = os.environ.get("FENCEPOST", str(ROOT / ".build" / "debug" / "fencepost"))
DOVECOT = os.environ.get("DOVECOT") or shutil.which("dovecot", path=os.environ["PATH"] + ":/usr/sbin")

CONFIGURATION = """
base_dir = {place}/run
state_dir = {place}/state
log_path = {place}/log
protocols = imap
listen = 127.0.0.1
ssl = yes
ssl_cert = <{place}/certificate.pem
ssl_key = <{place}/key.pem
mail_location = maildir:{place}/home/%u
passdb {{
  driver = static
  args = password=secret
}}
userdb {{
  driver = static
  args = uid={user} gid={group} home={place}/home/%u
}}
first_valid_uid = 1
default_login_user = {user}
default_internal_user = {me}
default_internal_group = {group_of_me}
auth_mechanisms = plain login
import_environment = TZ LD_LIBRARY_PATH={libraries}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = 0
  }}
  inet_listener imaps {{
    port = {port}
    ssl = yes
  }}
}}
service anvil {{
  chroot =
}}
"""

MAIL = """From: tickets@rail.example
To: ann@home.example
Subject: Your ticket
Message-ID: <{reference}@rail.example>
MIME-Version: 1.0
Content-Type: text/html; charset=utf-8

<script type="application/ld+json">{{"@context":"http://schema.org","@type":"TrainReservation",
"reservationNumber":"{reference}","reservationFor":{{"@type":"TrainTrip","trainNumber":"ICE {number}",
"departureStation":{{"name":"Hamburg Hbf"}},"arrivalStation":{{"name":"Paris Est"}},
"departureTime":"2031-03-28T01:30:00+01:00","arrivalTime":"2031-03-28T11:05:00+02:00"}}}}</script>
"""


class Server:
    """Dovecot with a user `ann@home.example`."""

    def __init__(self):
        self.place = pathlib.Path(tempfile.mkdtemp(prefix="fencepost-mail-"))
        self.place.chmod(0o755)
        (self.place / "home").mkdir()
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
             "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "key.pem", "-out", "certificate.pem"],
            cwd=self.place, check=True, capture_output=True)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        me = getpass.getuser()
        # Dovecot refuses to open mails as root.
        user = "nobody" if os.getuid() == 0 else me
        entry = pwd.getpwnam(user)
        if os.getuid() == 0:
            os.chown(self.place / "home", entry.pw_uid, entry.pw_gid)
        (self.place / "dovecot.conf").write_text(CONFIGURATION.format(
            place=self.place, user=user, group=entry.pw_gid, me=me, group_of_me=grp.getgrgid(os.getgid()).gr_name, port=self.port,
            libraries=os.environ.get("LD_LIBRARY_PATH", "")))
        self.process = subprocess.Popen([DOVECOT, "-F", "-c", str(self.place / "dovecot.conf")])
        for _ in range(100):
            try:
                self.client().logout()
                return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError((self.place / "log").read_text())

    def client(self):
        context = ssl.create_default_context(cafile=str(self.place / "certificate.pem"))
        client = imaplib.IMAP4_SSL("127.0.0.1", self.port, ssl_context=context)
        client.login("ann@home.example", "secret")
        return client

    def append(self, reference, number):
        client = self.client()
        client.append("INBOX", None, None, MAIL.format(reference=reference, number=number).replace("\n", "\r\n").encode())
        client.logout()

    def unseen(self):
        client = self.client()
        client.select("INBOX", readonly=True)
        numbers = client.search(None, "UNSEEN")[1][0].split()
        client.logout()
        return len(numbers)

    def stop(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.place, ignore_errors=True)


@unittest.skipUnless(DOVECOT, "dovecot is not installed")
class FeedTests(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        self.place = pathlib.Path(tempfile.mkdtemp(prefix="fencepost-mail-"))
        self.told = self.place / "told"
        program = self.place / "tell"
        program.write_text(f"#!/bin/sh\ncat >> {self.told}\n")
        program.chmod(0o755)
        (self.place / "password").write_text("secret\n")
        (self.place / "password").chmod(0o600)
        feed = f"imaps://ann%40home.example@127.0.0.1:{self.server.port}/INBOX?cafile={self.server.place}/certificate.pem"
        (self.place / "config.json").write_text(json.dumps({
            "feeds": [{"address": feed, "password-file": str(self.place / "password")}],
            "channels": [f"exec:{program}?kind=suggestion"],
        }))
        self.environment = dict(
            os.environ, FENCEPOST_STORE=str(self.place / "store.sqlite"), FENCEPOST_CONFIG=str(self.place / "config.json"))
        # The server's libraries are not the program's.
        self.environment.pop("LD_LIBRARY_PATH", None)

    def tearDown(self):
        self.server.stop()
        shutil.rmtree(self.place, ignore_errors=True)

    def start(self):
        with open(self.place / "log", "a") as log:
            return subprocess.Popen([FENCEPOST, "daemon"], env=self.environment, stderr=log)

    def references(self):
        done = subprocess.run(
            [FENCEPOST, "suggestions", "list", "--json"], env=self.environment, capture_output=True, text=True)
        return sorted(json.loads(line)["reference"] for line in done.stdout.splitlines())

    def wait(self, condition):
        until = time.monotonic() + 60
        while time.monotonic() < until:
            if condition():
                return
            time.sleep(0.1)
        self.fail("it did not happen")

    def end(self, daemon):
        daemon.terminate()
        daemon.wait(timeout=30)
        return (self.place / "log").read_text()

    def test_mails_are_read_once_and_told_and_stay_unread(self):
        self.server.append("A1", 1)
        daemon = self.start()
        self.wait(lambda: self.references() == ["A1"])
        begin = time.monotonic()
        self.server.append("B2", 2)
        self.wait(lambda: self.references() == ["A1", "B2"])
        print(f"\nfound {time.monotonic() - begin:.1f} s after it arrived")
        self.wait(lambda: self.told.exists() and '"reference":"B2"' in self.told.read_text())
        log = self.end(daemon)
        self.assertNotIn("secret", log)
        self.assertEqual(self.server.unseen(), 2)
        self.server.append("C3", 3)
        daemon = self.start()
        self.wait(lambda: self.references() == ["A1", "B2", "C3"])
        self.wait(lambda: '"reference":"C3"' in self.told.read_text())
        self.end(daemon)
        lines = [json.loads(line) for line in self.told.read_text().splitlines()]
        self.assertEqual(len(lines), len({line["id"] for line in lines}))
        self.assertTrue(all(line["type"] == "suggestion" and line["kind"] == "train" for line in lines))

    def test_a_wrong_password_is_told_without_it(self):
        self.server.append("A1", 1)
        (self.place / "password").write_text("s3same\n")
        daemon = self.start()
        self.wait(lambda: "refused the user or the password" in (self.place / "log").read_text())
        self.assertNotIn("s3same", self.end(daemon))
        self.assertEqual(self.references(), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
