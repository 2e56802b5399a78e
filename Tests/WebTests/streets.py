"""Small files with streets, and a daemon that shows them. The formats are written by hand, so that a mistake of the
program is not repeated here."""

import gzip
import json
import os
import pathlib
import struct
import subprocess
import tempfile
import time

from playwright.sync_api import expect

from support import Web


def varint(value):
    made = bytearray()
    while value > 127:
        made.append(value & 127 | 128)
        value >>= 7
    return bytes([*made, value])


def field(number, value):
    """A field of Protocol Buffers: a number, or bytes with their length."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def signed(value):
    return value * 2 if value >= 0 else -value * 2 - 1


def geometry(kind, shapes):
    """Points (1), lines (2) or areas (3), each a list of (x, y)."""
    numbers, x, y = [], 0, 0
    for shape in shapes:
        for index, (px, py) in enumerate(shape):
            if index < 2:
                numbers.append(1 | 1 << 3 if index == 0 else 2 | len(shape) - 1 << 3)
            numbers += [signed(px - x), signed(py - y)]
            x, y = px, py
        if kind == 3:
            numbers.append(15)
    return b"".join(map(varint, numbers))


def layer(name, features):
    """A layer with features: (kind, words, shapes)."""
    keys, values, made = [], [], b""
    for kind, words, shapes in features:
        tags = []
        for key, value in words.items():
            for table, one in ((keys, key), (values, value)):
                if one not in table:
                    table.append(one)
                tags.append(table.index(one))
        made += field(2, field(2, b"".join(map(varint, tags))) + field(3, kind) + field(4, geometry(kind, shapes)))
    made += b"".join(field(3, key.encode()) for key in keys)
    for value in values:
        made += field(4, field(1, value.encode()) if isinstance(value, str) else field(5, value))
    return field(3, field(15, 2) + field(1, name.encode()) + made + field(5, 4096))


def pmtiles(path, tiles, zooms, metadata):
    """Writes tiles, a dict from their numbers to bytes, as PMTiles 3."""
    numbers = sorted(tiles)
    packed = [gzip.compress(tiles[number], mtime=0) for number in numbers]
    offsets = [sum(map(len, packed[:index])) for index in range(len(packed))]
    columns = ([b - a for a, b in zip([0, *numbers], numbers)], [1] * len(packed), map(len, packed), (at + 1 for at in offsets))
    root = gzip.compress(varint(len(numbers)) + b"".join(varint(value) for column in columns for value in column), mtime=0)
    text = gzip.compress(json.dumps(metadata).encode(), mtime=0)
    parts, at, header = (root, text, b"", b"".join(packed)), 127, b"PMTiles\3"
    for part in parts:
        header += struct.pack("<QQ", at, len(part))
        at += len(part)
    header += bytes(24) + bytes([1, 2, 2, 1, *zooms]) + bytes(127 - 102)
    pathlib.Path(path).write_bytes(header + b"".join(parts))


def number(zoom, x, y):
    """The number of a tile along the Hilbert curve of its zoom."""
    along, side = 0, 1 << zoom >> 1
    before = (4 ** zoom - 1) // 3
    while side:
        east, south = bool(x & side), bool(y & side)
        along += side * side * ((3 * east) ^ south)
        if not south:
            if east:
                x, y = side - 1 - (x & side - 1), side - 1 - (y & side - 1)
            x, y = y, x
        side >>= 1
    return before + along


class Streets(Web):
    """Tests with a daemon whose settings choose the streets."""

    # The colour of a pixel beside the middle of the map; null where another server's picture is on it, which nothing may read.
    PIXEL = """([x, y]) => {
      const map = document.querySelector("fence-map"), { canvas } = map;
      try {
        return [...map.context.getImageData(canvas.width / 2 + x, canvas.height / 2 + y, 1, 1).data.slice(0, 3)];
      } catch (error) {
        return error.name === "SecurityError" ? null : String(error);
      }
    }"""

    def folder(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        return pathlib.Path(made.name)

    def serve(self, script=None, **server):
        """A daemon with these settings, and a page of it, which runs a script first."""
        home = self.folder()
        (home / "fencepost").mkdir()
        (home / "run").mkdir(mode=0o700)
        (home / "fencepost" / "config.json").write_text(json.dumps({"server": {"address": "http://127.0.0.1:0", **server}}))
        surroundings = {**os.environ, "XDG_CONFIG_HOME": str(home), "XDG_DATA_HOME": str(home), "XDG_RUNTIME_DIR": str(home / "run")}
        command = [os.environ["FENCEPOST"], "daemon"]
        if "FENCEPOST_PAGES" in os.environ:
            command += ["--pages", str(pathlib.Path(os.environ["FENCEPOST_PAGES"]).resolve())]
        daemon = subprocess.Popen(command, env=surroundings, stderr=subprocess.DEVNULL)
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
        if script:
            page.add_init_script(script)
        page.goto(json.loads(asked.stdout.strip().splitlines()[-1])["url"])
        # Somebody with an empty store is led to the first steps.
        expect(page.get_by_role("heading", name="First steps", level=1)).to_be_visible()
        page.goto(page.url.replace("/start", "/now"))
        expect(page.locator("fence-map canvas")).to_be_visible()
        return page

    def await_pixel(self, page, wanted, x=0, y=0):
        self.until(lambda: page.evaluate(self.PIXEL, [x, y]) == wanted, f"a pixel of {wanted} at {x}, {y}")
