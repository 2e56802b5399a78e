"""Streets on the map: from a file of the server, and from one other server, which is all that the policy allows."""

import http.server
import json
import os
import pathlib
import shutil
import sqlite3
import ssl
import struct
import subprocess
import tempfile
import threading
import time
import unittest
import zlib

from playwright.sync_api import expect

from support import Web

RED = (200, 30, 30)


def picture():
    """A PNG of 256 by 256 red pixels."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = (b"\0" + bytes(RED) * 256) * 256
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 256, 256, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class TileServer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append((self.path, self.headers.get("Referer"), self.headers["Host"]))
        self.send_response(200)
        self.send_header("Content-Type", "image/png")
        self.end_headers()
        self.wfile.write(picture())

    def log_message(self, *_):
        pass


@unittest.skipUnless("FENCEPOST" in os.environ and shutil.which("openssl"), "needs the program and openssl")
class Tiles(Web):
    def serve(self, **server):
        """A daemon with these settings, and a page of it."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        home = pathlib.Path(folder.name)
        (home / "fencepost").mkdir()
        (home / "run").mkdir(mode=0o700)
        (home / "fencepost" / "config.json").write_text(json.dumps({"server": {"address": "http://127.0.0.1:0", **server}}))
        surroundings = {**os.environ, "XDG_CONFIG_HOME": str(home), "XDG_DATA_HOME": str(home), "XDG_RUNTIME_DIR": str(home / "run")}
        daemon = subprocess.Popen([os.environ["FENCEPOST"], "daemon"], env=surroundings, stderr=subprocess.DEVNULL)
        self.addCleanup(lambda: (daemon.terminate(), daemon.wait(timeout=20)))
        until = time.monotonic() + 30
        while time.monotonic() < until:
            asked = subprocess.run([os.environ["FENCEPOST"], "web", "--json"], env=surroundings, capture_output=True, text=True)
            if asked.returncode == 0:
                break
            time.sleep(0.1)
        context = self.new_context(signed_out=True, ignore_https_errors=True)
        self.addCleanup(context.close)
        page = self.new_page(context)
        page.goto(json.loads(asked.stdout.strip().splitlines()[-1])["url"])
        # Somebody with an empty store is led to the first steps.
        expect(page.get_by_role("heading", name="First steps", level=1)).to_be_visible()
        page.goto(page.url.replace("/start", "/now"))
        expect(page.locator("fence-map canvas")).to_be_visible()
        return page

    # The colour of a pixel in the middle of the map; null where another server's picture is on it, which nothing may read.
    PIXEL = """() => {
      const map = document.querySelector("fence-map"), { canvas } = map;
      try {
        return [...map.context.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data.slice(0, 3)];
      } catch (error) {
        return error.name === "SecurityError" ? null : String(error);
      }
    }"""

    def await_pixel(self, page, wanted):
        self.until(lambda: page.evaluate(self.PIXEL) == wanted, f"a pixel of {wanted}")

    def test_a_file_of_the_server(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "town.mbtiles")
            store = sqlite3.connect(file)
            with store:
                store.execute("CREATE TABLE metadata (name TEXT, value TEXT)")
                store.execute("INSERT INTO metadata VALUES ('attribution', 'Map <b>makers</b>')")
                store.execute("CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)")
                store.executemany("INSERT INTO tiles VALUES (2, ?, ?, ?)", ((x, y, picture()) for x in range(4) for y in range(4)))
            store.close()
            page = self.serve(**{"tiles-file": str(file)})
            self.await_pixel(page, list(RED))
            expect(page.locator(".credit")).to_contain_text("makers")

    def test_another_server_and_no_third(self):
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), TileServer) as tiles, tempfile.TemporaryDirectory() as folder:
            tiles.asked = []
            key, certificate = (pathlib.Path(folder, name) for name in ("key.pem", "cert.pem"))
            subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                            "-subj", "/CN=localhost", "-keyout", key, "-out", certificate], check=True, capture_output=True)
            secure = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            secure.load_cert_chain(certificate, key)
            tiles.socket = secure.wrap_socket(tiles.socket, server_side=True)
            threading.Thread(target=tiles.serve_forever, daemon=True).start()
            base = f"https://127.0.0.1:{tiles.server_address[1]}"
            page = self.serve(tiles=base + "/{z}/{x}/{y}.png", attribution="Map makers")
            self.await_pixel(page, None)
            expect(page.locator(".credit")).to_have_text("Map makers")
            path, referrer, _ = tiles.asked[0]
            self.assertRegex(path, r"^/\d+/\d+/\d+\.png$")
            # Its operator learns who asks, and not which page.
            self.assertRegex(referrer or "http://127.0.0.1:1/", r"^http://127\.0\.0\.1:\d+/$")
            self.allow("CSP violation: img-src")
            self.allow("Content Security Policy")
            other = base.replace("127.0.0.1", "localhost") + "/1/1/1.png"
            self.assertEqual(page.evaluate("""(url) => new Promise((resolve) => {
              const image = new Image();
              image.onload = () => resolve("shown");
              image.onerror = () => resolve("refused");
              image.src = url;
            })""", other), "refused")
            self.assertEqual([host for *_, host in tiles.asked if host.startswith("localhost")], [])
            page.close()
            tiles.shutdown()


if __name__ == "__main__":
    unittest.main()
