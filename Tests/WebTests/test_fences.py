"""Fences drawn on the map, with the pointer and with the keyboard."""

import base64
import json
import time
import unittest
import urllib.request

from playwright.sync_api import expect

from support import BASE, Web

SHED = {"title": "Shed", "latitude": 51.05, "longitude": 13.74, "radius": 120}


class Fences(Web):
    def edit(self, place):
        self.api("PUT", f"/places/{place['title']}", place)
        self.open(f"/places/{place['title']}")
        self.dialog = self.page.locator("dialog")
        self.map = self.dialog.locator("fence-map")
        expect(self.dialog.get_by_label("Name")).to_have_value(place["title"])
        # The view is set when the places and tracks are there.
        self.page.wait_for_function("() => { const m = document.querySelector('dialog fence-map'); return m?.content.handles.length && m.hasView && m.view.scale > 100000; }")

    def place(self, title="Shed"):
        return next(one for one in self.api("GET", "/places")["places"] if one["title"] == title)

    def handle(self, kind, index=0):
        """Where a handle is on the screen."""
        x, y = self.map.evaluate(
            """(map, [kind, index]) => {
              const at = map.content.handles.filter((handle) => handle.kind === kind)[index].at;
              const sinh = Math.asinh(Math.tan(at[0] * Math.PI / 180));
              return map.screen(at[1] / 360 + 0.5, 0.5 - sinh / (2 * Math.PI));
            }""", [kind, index])
        box = self.box(self.map)
        return box["x"] + x, box["y"] + y

    def drag(self, start, dx, dy):
        mouse = self.page.mouse
        mouse.move(*start)
        mouse.down()
        mouse.move(start[0] + dx / 2, start[1] + dy / 2)
        mouse.move(start[0] + dx, start[1] + dy)
        mouse.up()

    def use(self):
        self.button("Use this fence", self.dialog).click()
        self.toast("Saved:")

    def test_pulling_the_radius_and_dragging_the_centre(self):
        self.edit(SHED)
        self.drag(self.handle("radius"), 60, 0)
        wide = float(self.dialog.get_by_label("Radius in metres").input_value())
        self.assertGreater(wide, 130)
        self.drag(self.handle("centre"), 0, -50)
        self.use()
        place = self.place()
        self.assertAlmostEqual(place["radius"], wide, delta=1)
        self.assertGreater(place["latitude"], 51.05)
        self.assertAlmostEqual(place["longitude"], 13.74, places=4)

    def test_without_any_position_the_map_begins_in_the_town_of_the_zone(self):
        self.page.route("**/api/v1/devices", lambda route: route.fulfill(json={"devices": []}))
        self.page.route("**/api/v1/places", lambda route: route.fulfill(json={"places": []}))
        self.open("/settings")
        known, (west, north, east, south) = self.page.evaluate("""async () => {
          const pages = document.querySelector("script[type=module]").src;
          const { begin } = await import(new URL("./fence-ground.js", pages));
          const boxes = [], known = await begin({ fit: (all) => boxes.push(...all) }, () => false);
          return [known, boxes[0]];
        }""")
        self.assertTrue(known)
        self.assertAlmostEqual(((west + east) / 2 - 0.5) * 360, 13.37, delta=0.1)
        self.assertLess((east - west) * 360, 1)

    def test_escape_asks_before_a_drawing_is_lost(self):
        self.edit(SHED)
        self.map.locator("canvas").focus()
        self.page.keyboard.press("Escape")
        expect(self.dialog).to_have_count(0)
        self.edit({**SHED, "title": "Barn"})
        self.map.locator("canvas").focus()
        self.page.keyboard.press("ArrowUp")
        self.page.keyboard.press("Escape")
        expect(self.dialog.last).to_contain_text("Leave without this fence?")
        self.button("Cancel", self.dialog.last).click()
        expect(self.dialog.get_by_label("Name")).to_have_value("Barn")
        self.page.keyboard.press("Escape")
        self.button("Leave", self.dialog.last).click()
        expect(self.dialog).to_have_count(0)
        self.assertEqual(self.place("Barn")["latitude"], 51.05)
        self.api("DELETE", "/places/Barn")

    def test_a_place_takes_its_alarms_along_and_says_so(self):
        here = self.make_list()
        for title in ("Rake", "Paint"):
            self.make("reminder", title, here, alarms=[{"proximity": "enter", "place": SHED}])
        self.edit(SHED)
        self.map.locator("canvas").focus()
        self.page.keyboard.press("ArrowUp")
        self.use()
        self.toast("Saved: Shed · 2 alarms moved too")
        items = self.api("GET", f"/items?list={here}")["items"]
        self.assertEqual({item["alarms"][0]["place"]["latitude"] for item in items}, {self.place()["latitude"]})
        self.button("Undo").click()
        self.toast("Undone: Saved: Shed")
        self.assertEqual(self.place()["latitude"], 51.05)

    def test_a_drawing_without_a_name_is_not_lost(self):
        self.open("/places")
        self.button("On the map").click()
        dialog = self.page.locator("dialog")
        box = self.box(dialog.locator("fence-map"))
        self.page.mouse.click(box["x"] + box["width"] / 3, box["y"] + box["height"] / 3)
        self.button("Use this fence", dialog).click()
        expect(dialog.get_by_role("alert")).to_have_text("A place needs a name.")
        expect(dialog.get_by_label("Name")).to_be_focused()
        self.page.keyboard.type("Glade")
        self.page.keyboard.press("Enter")
        self.toast("Saved: Glade")
        self.api("DELETE", "/places/Glade")

    def test_a_name_that_is_taken_asks(self):
        self.api("PUT", "/places/Shed", SHED)
        self.open("/places")
        self.button("Place").click()
        dialog = self.page.locator("dialog")
        dialog.get_by_label("Name").fill("shed")
        dialog.get_by_label("Latitude").fill("51.2")
        dialog.get_by_label("Longitude").fill("13.2")
        dialog.get_by_label("Longitude").press("Tab")
        self.button("Use this fence", dialog).click()
        expect(dialog).to_contain_text("There is a place “Shed” already.")
        self.button("Another name", dialog).click()
        expect(dialog.get_by_label("Latitude")).to_have_value("51.2")
        dialog.get_by_label("Name").fill("Other shed")
        self.button("Use this fence", dialog).click()
        self.toast("Saved: Other shed")
        self.assertEqual(self.place()["latitude"], 51.05)
        self.api("DELETE", "/places/Other%20shed")

    def test_the_keyboard_moves_and_resizes(self):
        self.edit(SHED)
        self.map.locator("canvas").focus()
        self.page.keyboard.press("ArrowUp")
        self.page.keyboard.press("ArrowRight")
        self.page.keyboard.press("+")
        self.use()
        place = self.place()
        self.assertGreater(place["latitude"], 51.05)
        self.assertGreater(place["longitude"], 13.74)
        self.assertGreater(place["radius"], 120)

    def test_numbers_are_typed(self):
        self.edit(SHED)
        for label, value in (("Latitude", "51.06"), ("Longitude", "13.75"), ("Radius in metres", "250")):
            self.dialog.get_by_label(label).fill(value)
            self.dialog.get_by_label(label).blur()
        self.use()
        place = self.place()
        self.assertEqual((place["latitude"], place["longitude"], place["radius"]), (51.06, 13.75, 250))

    def test_a_radius_that_is_less_than_the_error_of_a_position_is_said(self):
        self.edit(SHED)
        warning = self.dialog.get_by_text("less than the usual error of a position")
        radius = self.dialog.get_by_label("Radius in metres")
        for value, count in (("24", 1), ("25", 0)):
            radius.fill(value)
            radius.blur()
            self.assertEqual(warning.count(), count)

    def test_tracks_that_arrive_late_leave_what_is_typed(self):
        waiting = []
        self.page.route("**/tracks*", lambda route: waiting.append(route))
        with self.page.expect_request("**/tracks*"):
            self.edit(SHED)
        latitude = self.dialog.get_by_label("Latitude")
        latitude.fill("51.07")
        while waiting:
            waiting.pop().continue_()
        self.page.wait_for_function("() => document.querySelector('dialog fence-map').content.tracks.length")
        self.assertEqual(latitude.input_value(), "51.07")

    def test_an_outline_is_drawn_and_its_corners_are_edited(self):
        self.edit(SHED)
        self.dialog.get_by_label("Shape").select_option("polygon")
        self.drag(self.handle("corner", 0), 0, -60)
        self.drag(self.handle("middle", 1), 40, 0)
        self.button("Delete corner", self.dialog).click()
        self.map.locator("canvas").focus()
        self.page.keyboard.press(".")
        self.page.keyboard.press("Insert")
        self.page.keyboard.press("ArrowLeft")
        self.use()
        ring = self.place()["polygons"][0][0]
        self.assertEqual(ring[0], ring[-1])
        self.assertEqual(len(ring), 6 + 1 + 1)
        self.assertGreater(max(lat for _, lat in ring), 51.0513)

    def test_an_outline_drawn_from_nothing_by_clicks_becomes_an_alarm(self):
        here = self.make_list()
        self.open(f"/new?type=reminder&list={here}")
        self.page.get_by_label("Title").fill("Pick berries")
        self.button("On arriving").click()
        self.button("On the map").click()
        self.dialog = self.page.locator("dialog")
        self.map = self.dialog.locator("fence-map")
        self.dialog.get_by_label("Name").fill("Wood")
        self.dialog.get_by_label("Shape").select_option("polygon")
        box = self.box(self.map)
        for x, y in ((200, 120), (420, 140), (460, 320), (240, 360)):
            self.page.mouse.click(box["x"] + x, box["y"] + y)
        self.button("Use this fence", self.dialog).click()
        expect(self.page.get_by_text("Wood · outline")).to_be_visible()
        self.button("Save").click()
        self.toast("Added: Pick berries")
        alarm = self.api("GET", "/items?text=Pick%20berries")["items"][0]["alarms"][0]
        self.assertEqual((alarm["proximity"], alarm["place"]["title"]), ("enter", "Wood"))
        ring = alarm["place"]["polygons"][0][0]
        self.assertEqual(len(ring), 5)
        self.walk_into(ring)
        fired = lambda: [(one["alarm"], one["kind"], one.get("device")) for one in self.api("GET", "/firings")["firings"]]
        self.until(lambda: (alarm["id"], "enter", "Walker") in fired(), "the alarm of the walker")

    def walk_into(self, ring):
        """Sends what a phone does that rides into an area from the south, and stays there."""
        password = self.api("POST", "/clients", {"name": "Walker", "rights": ["positions"]})["password"]
        try:
            longitude, latitude = (sum(corner[axis] for corner in ring[:-1]) / (len(ring) - 1) for axis in (0, 1))
            way = 2 * (latitude - min(corner[1] for corner in ring))
            seconds = max(30, way / 15 * 111_000 / 15)
            sign = base64.b64encode(f"walker:{password}".encode()).decode()
            for step in range(20):
                fix = {"_type": "location", "lon": longitude, "lat": latitude - way * max(0, 1 - step / 15), "acc": 8,
                       "tst": int(time.time() - (19 - step) * seconds)}
                sent = urllib.request.Request(
                    f"{BASE}/positions", json.dumps(fix).encode(),
                    {"Content-Type": "application/json", "Authorization": f"Basic {sign}"})
                urllib.request.urlopen(sent).close()
        finally:
            self.api("DELETE", "/clients/walker")

    def test_an_outline_needs_three_corners(self):
        self.edit(SHED)
        self.dialog.get_by_label("Shape").select_option("polygon")
        for _ in range(5):
            self.button("Next corner", self.dialog).click()
            self.button("Delete corner", self.dialog).click()
        expect(self.dialog.get_by_role("alert")).to_have_text("An outline has three corners or more.")

    def test_an_outline_with_a_hole_stays_as_it_is(self):
        outer = [[13.73, 51.04], [13.75, 51.04], [13.75, 51.06], [13.73, 51.04]]
        hole = [[13.742, 51.045], [13.745, 51.045], [13.745, 51.048], [13.742, 51.045]]
        self.api("PUT", "/places/Ring", {"title": "Ring", "latitude": 51.05, "longitude": 13.74, "radius": 1500, "polygons": [[outer, hole]]})
        self.open("/places/Ring")
        self.dialog = self.page.locator("dialog")
        expect(self.dialog.get_by_label("Shape")).to_have_value("kept")
        self.dialog.get_by_label("Name").fill("Old ring")
        self.use()
        self.assertEqual(self.place("Old ring")["polygons"], [[outer, hole]])


if __name__ == "__main__":
    unittest.main()
