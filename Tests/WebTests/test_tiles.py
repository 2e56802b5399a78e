"""Streets on the map: from a file of the server, and from one other server, which is all that the policy allows."""

import http.server
import os
import pathlib
import shutil
import sqlite3
import ssl
import struct
import subprocess
import tempfile
import threading
import unittest
import zlib

from playwright.sync_api import expect

from streets import Streets

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
class Tiles(Streets):
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
