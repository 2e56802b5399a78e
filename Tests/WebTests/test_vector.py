"""Streets of vector tiles, which the pages draw: shapes, names, light and dark, larger than in the file, and damaged."""

import gzip
import os
import sqlite3
import unittest

from playwright.sync_api import expect

from streets import Streets, layer, number, pmtiles

ZOOM, COLUMN, ROW = 14, 8683, 5406
GROUND, WATER, ROAD = [247, 246, 242], [195, 216, 230], [251, 234, 191]
DARK_GROUND, DARK_WATER = [21, 25, 31], [28, 48, 64]
# 4096 units are 512 pixels at this zoom. A lake with an island, and a street through the south of it.
LAKE = [[(512, 512), (3584, 512), (3584, 3584), (512, 3584)], [(1536, 1536), (1536, 2560), (2560, 2560), (2560, 1536)]]
STREET = [[(0, 3072), (2000, 3072)], [(2000, 3072), (4096, 3072)]]
TOWN = [[(2048, 1024)]]
# The same map in the words of three schemas.
SCHEMAS = {
    "OpenMapTiles": layer("water", [(3, {"class": "lake"}, LAKE)]) + layer("transportation", [(2, {"class": "primary"}, STREET)])
    + layer("transportation_name", [(2, {"class": "primary", "name": "Long Street"}, STREET)])
    + layer("place", [(1, {"class": "town", "name": "Zaunfurt", "rank": 9}, TOWN)]),
    "Protomaps": layer("water", [(3, {"kind": "lake"}, LAKE)])
    + layer("roads", [(2, {"kind": "major_road", "kind_detail": "primary", "name": "Long Street"}, STREET)])
    + layer("places", [(1, {"kind": "locality", "kind_detail": "town", "name": "Zaunfurt", "population_rank": 7}, TOWN)]),
    "Shortbread": layer("water_polygons", [(3, {"kind": "water"}, LAKE)]) + layer("streets", [(2, {"kind": "primary"}, STREET)])
    + layer("street_labels", [(2, {"kind": "primary", "name": "Long Street"}, STREET)])
    + layer("place_labels", [(1, {"kind": "town", "name": "Zaunfurt", "population": 9000}, TOWN)]),
}
WATCH = """(() => {
  window.written = [];
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    const { a, b, e, f } = this.getTransform(), w = this.measureText(text).width, h = parseFloat(this.font.match(/[\\d.]+px/));
    window.written.push({ text, angle: Math.atan2(b, a), x: e + x - w / 2, y: f + y - h / 2, w, h });
    fillText.call(this, text, x, y);
  };
})()"""


@unittest.skipUnless("FENCEPOST" in os.environ, "needs the program")
class Vector(Streets):
    def show(self, tiles, metadata=None, zoom=ZOOM):
        """A page with a file of tiles, by their columns, that looks at the middle of the first."""
        file = self.folder() / "town.pmtiles"
        pmtiles(file, {number(ZOOM, column, ROW): tile for column, tile in tiles.items()}, (ZOOM, ZOOM), metadata or {})
        page = self.serve(WATCH, **{"tiles-file": str(file)})
        self.look(page, zoom)
        return page

    def look(self, page, zoom):
        page.evaluate("""([x, y, scale]) => {
          const map = document.querySelector("fence-map");
          Object.assign(map, { hasView: true, view: { x, y, scale } });
          map.draw();
        }""", [(COLUMN + 0.5) / 2 ** ZOOM, (ROW + 0.5) / 2 ** ZOOM, 512 * 2 ** zoom])

    def names(self, page):
        """What one picture of the map writes."""
        return page.evaluate("""() => new Promise((resolve) => {
          window.written = [];
          document.querySelector("fence-map").draw();
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(window.written)));
        })""")

    def test_shapes_and_names_in_three_schemas(self):
        for schema, tile in SCHEMAS.items():
            with self.subTest(schema):
                page = self.show({COLUMN: tile}, {"attribution": "<b>Map</b> makers"})
                self.await_pixel(page, WATER, 100, 0)
                self.await_pixel(page, GROUND)
                self.await_pixel(page, ROAD, 150, 128)
                expect(page.locator(".credit")).to_have_text("Map makers")
                texts = [name["text"] for name in self.names(page)]
                self.assertIn("Zaunfurt", texts)
                self.assertIn("Long Street", texts)

    def test_dark_and_larger_than_in_the_file(self):
        page = self.show({COLUMN: SCHEMAS["OpenMapTiles"]})
        self.await_pixel(page, WATER, 100, 0)
        page.emulate_media(color_scheme="dark")
        self.await_pixel(page, DARK_WATER, 100, 0)
        self.await_pixel(page, DARK_GROUND)
        self.look(page, 15.5)
        # The island is larger now.
        self.await_pixel(page, DARK_GROUND, 100, 0)
        self.await_pixel(page, DARK_WATER, 200, 0)
        # The world at once: no squares, and no page that stands still.
        self.look(page, 2)
        self.until(lambda: page.evaluate("document.querySelector('fence-map').squares.length") == 0, "no squares")
        expect(page.locator(".credit")).to_have_text("© OpenStreetMap contributors")

    def test_bridges_are_above_roads_and_shops_have_a_dot(self):
        over, spot = [[(1500, 1000), (1500, 3900)]], [[(2248, 1900)]]
        for schema, road, bridge, shop in (
                ("OpenMapTiles", ("transportation", {"class": "primary"}), {"class": "minor", "brunnel": "bridge"}, ("poi", {"class": "shop", "rank": 1})),
                ("Protomaps", ("roads", {"kind": "major_road", "kind_detail": "primary"}), {"kind": "minor_road", "is_bridge": 1},
                 ("pois", {"kind": "bakery", "min_zoom": 15})),
                ("Shortbread", ("streets", {"kind": "primary"}), {"kind": "residential", "bridge": 1}, ("pois", {"shop": "bakery"}))):
            with self.subTest(schema):
                (roads, words), (shops, kind) = road, shop
                # The bridge stands before the road in the file.
                page = self.show({COLUMN: layer(roads, [(2, bridge, over), (2, words, STREET)]) + layer(shops, [(1, {**kind, "name": "Crumb"}, spot)])})
                # 1500 units of 4096 are 187.5 of 512 pixels: 68.5 left of the middle.
                self.await_pixel(page, [255, 255, 255], -69, 128)
                self.await_pixel(page, ROAD, -80, 128)
                self.assertNotIn("Crumb", [name["text"] for name in self.names(page)])
                self.look(page, 16.5)
                self.until(lambda: "Crumb" in [name["text"] for name in self.names(page)], "a shop")

    def test_no_name_covers_another(self):
        towns = [(1, {"class": "village", "name": f"Village {x} {y}"}, [[(x, y)]]) for x in range(0, 4096, 300) for y in range(0, 4096, 90)]
        slant = [(2, {"class": "primary", "name": "Slanting Street"}, [[(0, 0), (4000, 3000)]])]
        page = self.show({COLUMN: layer("place", towns) + layer("transportation_name", slant)})
        self.until(lambda: len(self.names(page)) > 20, "names")
        names = self.names(page)
        flat = [one for one in names if abs(one["angle"]) < 0.01]
        self.assertGreater(len(flat), 20)
        for index, a in enumerate(flat):
            for b in flat[:index]:
                is_apart = (a["x"] + a["w"] <= b["x"] or b["x"] + b["w"] <= a["x"] or a["y"] + a["h"] <= b["y"]
                            or b["y"] + b["h"] <= a["y"])
                self.assertTrue(is_apart, (a, b))
        # Where only the street is, its name follows it.
        page = self.show({COLUMN: layer("transportation_name", slant)})
        self.until(lambda: any(abs(one["angle"] - 0.6435) < 0.01 for one in self.names(page)), "a slanting name")

    def test_a_damaged_tile_costs_that_tile(self):
        page = self.show({COLUMN: SCHEMAS["Protomaps"], COLUMN + 1: b"\x1a\xff\xff\xff\x7f", COLUMN - 1: b"\x1a\x03\x0a\x01"})
        self.await_pixel(page, WATER, 100, 0)
        page.wait_for_function("document.querySelector('fence-map').squares.every(({ tile }) => tile.isLoaded)")
        self.await_pixel(page, WATER, 100, 0)

    def test_a_database_and_nothing_of_it_for_pictures(self):
        file = self.folder() / "town.mbtiles"
        store = sqlite3.connect(file)
        with store:
            store.execute("CREATE TABLE metadata (name TEXT, value TEXT)")
            store.execute("CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)")
            tile = gzip.compress(SCHEMAS["OpenMapTiles"])
            store.execute("INSERT INTO tiles VALUES (?, ?, ?, ?)", (ZOOM, COLUMN, 2 ** ZOOM - 1 - ROW, tile))
        store.close()
        page = self.serve(WATCH, **{"tiles-file": str(file)})
        self.look(page, ZOOM)
        self.await_pixel(page, WATER, 100, 0)
        asked = "performance.getEntriesByType('resource').map(({ name }) => name.split('/').pop())"
        self.assertIn("street-shapes.js", page.evaluate(asked))
        self.open("/now")
        self.assertNotIn("street-shapes.js", self.page.evaluate(asked))


if __name__ == "__main__":
    unittest.main()
