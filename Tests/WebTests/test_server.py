"""The server itself, asked by others' clients: TLS, long addresses, a reload in the midst of requests."""

import json
import os
import pathlib
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import time
import unittest


@unittest.skipUnless("FENCEPOST" in os.environ and shutil.which("openssl"), "needs the program and openssl")
class Server(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.make_certificate()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        (self.folder / "fencepost").mkdir()
        self.configure()
        self.log = open(self.folder / "log", "w+")
        self.addCleanup(self.log.close)
        self.daemon = subprocess.Popen(
            [os.environ["FENCEPOST"], "daemon", "--store", str(self.folder / "s.sqlite")],
            env={**os.environ, "XDG_CONFIG_HOME": str(self.folder)}, stderr=self.log)
        self.addCleanup(self.stop)
        self.tls = ssl._create_unverified_context()
        until = time.monotonic() + 30
        while not self.answers() and time.monotonic() < until:
            time.sleep(0.1)

    def stop(self):
        self.daemon.terminate()
        self.daemon.wait(timeout=20)

    def make_certificate(self):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", "/CN=localhost", "-keyout", self.folder / "key.pem", "-out", self.folder / "cert.pem"],
            check=True, capture_output=True)

    def configure(self, **more):
        (self.folder / "fencepost" / "config.json").write_text(json.dumps({"server": {
            "address": f"https://127.0.0.1:{self.port}", "certificate-file": str(self.folder / "cert.pem"),
            "key-file": str(self.folder / "key.pem"), **more}}))

    def answers(self):
        try:
            return self.ask("/signin").startswith(b"HTTP/1.1 200")
        except OSError:
            return False

    def connect(self):
        raw = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        return self.tls.wrap_socket(raw, server_hostname="localhost")

    def ask(self, target):
        with self.connect() as connection:
            connection.sendall(f"GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
            answer = b""
            while part := connection.recv(4096):
                answer += part
            return answer

    def test_a_long_address_is_answered_over_tls(self):
        for length in (16_000, 17_000, 32_700, 32_800, 100_000):
            for target in ("/" + "a" * length, "/?" + "a" * length, "/?" + "a=b&" * (length // 4)):
                status = self.ask(target)[:12]
                wanted = (b"HTTP/1.1 200", b"HTTP/1.1 414") if length < 16_384 else (b"HTTP/1.1 414", b"HTTP/1.1 431")
                self.assertIn(status, wanted, f"{target[:5]} {length}")

    def test_a_reload_drops_no_request(self):
        answers, stop = [], threading.Event()

        def keep_asking():
            while not stop.is_set():
                try:
                    answers.append(self.ask("/signin")[:12])
                except OSError as error:
                    answers.append(repr(error))

        threads = [threading.Thread(target=keep_asking) for _ in range(4)]
        for thread in threads:
            thread.start()
        for number in range(3):
            # One connection is open, and its request comes after the reload.
            late = self.connect()
            before = len(answers)
            self.configure(host=f"home{number}.example")
            until = time.monotonic() + 30
            subprocess.run([os.environ["FENCEPOST"], "reload", "--store", str(self.folder / "s.sqlite")], check=True,
                           capture_output=True)
            late.sendall(b"GET /signin HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            with late:
                self.assertEqual(late.recv(12), b"HTTP/1.1 200")
            while len(answers) < before + 20 and time.monotonic() < until:
                time.sleep(0.05)
        stop.set()
        for thread in threads:
            thread.join()
        self.assertEqual(set(answers), {b"HTTP/1.1 200"})


if __name__ == "__main__":
    unittest.main()
