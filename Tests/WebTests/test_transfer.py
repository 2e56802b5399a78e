"""Import and export from the page, and one stream of events for all windows."""

import json
import os
import unittest

from playwright.sync_api import expect

from support import Web

CALENDAR = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//test//EN
BEGIN:VTODO
UID:from-a-file-1
SUMMARY:Carried over
DTSTAMP:20260501T100000Z
END:VTODO
END:VCALENDAR
"""
CONTACT = """BEGIN:VCARD
VERSION:3.0
FN:Imported Ann
GEO:52.5;13.4
END:VCARD
"""
PLACES = {"type": "FeatureCollection", "features": [
    {"type": "Feature", "properties": {"name": "Imported pier", "radius": 80}, "geometry": {"type": "Point", "coordinates": [13.4, 52.5]}}]}


class Transfer(Web):
    def load(self, name, text):
        self.page.get_by_label("Files").set_input_files({"name": name, "mimeType": "application/octet-stream", "buffer": text.encode()})

    @unittest.skipUnless("FENCEPOST" in os.environ, "no daemon of our own")
    def test_a_calendar_is_merged_and_taken_back(self):
        self.open("/transfer")
        self.load("old.ics", CALENDAR.replace("\n", "\r\n"))
        self.toast("Imported: old.ics")
        expect(self.page.locator("#main [role=status]")).to_contain_text("old.ics: 1 new")
        self.load("old.ics", CALENDAR.replace("\n", "\r\n"))
        expect(self.page.locator("#main [role=status]")).to_contain_text("0 new, 1 as before")
        self.assertEqual(len(self.api("GET", "/items?text=Carried")["items"]), 1)
        step = next(one for one in self.api("GET", "/undo")["steps"] if "old.ics" in one["label"])
        self.api("POST", "/undo", {"step": step["step"]})
        self.assertEqual(self.api("GET", "/items?text=Carried")["items"], [])

    def test_places_come_and_go(self):
        self.open("/transfer")
        self.load("places.geojson", json.dumps(PLACES))
        self.toast("Imported: places.geojson")
        self.load("places.geojson", json.dumps(PLACES))
        expect(self.page.locator("#main [role=status]")).to_contain_text("there already: Imported pier")
        with self.page.expect_download() as download:
            self.page.get_by_role("link", name="Places (GPX)").click()
        self.assertIn("<wptx1:Proximity>80", download.value.path().read_text())
        with self.page.expect_download() as download:
            self.page.get_by_role("link", name="Places (GeoJSON)").click()
        found = json.loads(download.value.path().read_text())
        self.assertIn("Imported pier", [one["properties"]["name"] for one in found["features"]])
        self.api("DELETE", "/places/Imported%20pier")

    def test_a_broken_file_says_why(self):
        self.open("/transfer")
        self.allow("400")
        self.load("broken.gpx", "this is no GPX")
        self.toast("broken.gpx: ")

    def test_contacts_with_a_place_are_places(self):
        self.open("/transfer")
        self.load("friends.vcf", CONTACT.replace("\n", "\r\n"))
        self.toast("Imported: friends.vcf")
        expect(self.page.locator("#main [role=status]")).to_contain_text("friends.vcf: 1 new")
        self.api("DELETE", "/places/Imported%20Ann")

    def test_items_of_a_list_are_a_calendar(self):
        here = self.make_list("Exported")
        self.make("reminder", "On paper", here)
        self.open("/transfer")
        with self.page.expect_download() as download:
            self.page.get_by_role("link", name="Exported", exact=True).last.click()
        self.assertIn("SUMMARY:On paper", download.value.path().read_text())


class Stream(Web):
    def test_windows_share_one_stream(self):
        here = self.make_list("Shared")
        # The page that made the list may ask for its stream only now.
        self.page.goto("about:blank")
        asked = []
        self.context.on("request", lambda request: asked.append(request.url) if request.url.endswith("/api/v1/events") else None)
        self.open(f"/lists/{here}")
        other = self.new_page(self.context)
        other.goto(f"/lists/{here}")
        expect(other.locator("#main h1")).to_have_count(1)
        self.make("reminder", "Seen in both", here)
        for page in (self.page, other):
            expect(page.locator("#main [data-row]").filter(has_text="Seen in both")).to_be_visible()
        self.assertEqual(len(asked), 1)
        # The other window listens once the first has gone.
        self.page.goto("about:blank")
        other.wait_for_function("""async (list) => {
          await fetch("/api/v1/items", { method: "POST", headers: { "Content-Type": "application/json" },
            body: JSON.stringify({ type: "reminder", title: "Seen after all", list_id: list }) });
          return true;
        }""", arg=here)
        expect(other.locator("#main [data-row]").filter(has_text="Seen after all").first).to_be_visible()
        self.page = other

    def test_what_changes_before_the_stream_begins_is_seen(self):
        here = self.make_list("Early")
        held = []
        self.page.route("**/api/v1/events", lambda route: held.append(route))
        self.open(f"/lists/{here}")
        self.until(lambda: held, "a stream is asked for")
        self.make("reminder", "In between", here)
        held[0].continue_()
        expect(self.row("In between")).to_be_visible()

    def test_what_changes_while_a_page_is_made_is_seen(self):
        here = self.make_list("Early")
        self.open("/places")
        held = []
        self.page.route("**/api/v1/items?*", lambda route: held.append((route, route.fetch())), times=1)
        self.page.locator("#nav").get_by_role("link", name="Early").click()
        self.until(lambda: held, "the page is made")
        with self.page.expect_response("**/api/v1/lists"):
            self.make("reminder", "In between", here)
        [(route, answer)] = held
        route.fulfill(response=answer)
        expect(self.row("In between")).to_be_visible()

    def test_a_window_that_is_hidden_for_a_moment_keeps_one_stream(self):
        self.page.add_init_script("""
          globalThis.streams = [];
          globalThis.EventSource = class extends EventSource {
            constructor(...of) { super(...of); streams.push(this); }
          };
          Object.defineProperty(document, "hidden", { get: () => globalThis.isHidden ?? false });
          globalThis.show = (isShown) => { isHidden = !isShown; document.dispatchEvent(new Event("visibilitychange")); };""")
        self.open("/now")
        open_streams = "streams.filter((one) => one.readyState !== EventSource.CLOSED).length"
        locks = "navigator.locks.query().then(({ held, pending }) => held.length * 10 + pending.length)"
        self.page.wait_for_function(f"{open_streams} === 1")
        for seen, count in ((True, 1), (False, 0)):
            self.page.evaluate("(seen) => { for (const one of [false, true, false, true, seen]) show(one); }", seen)
            # Each request for the lock is answered by then: this one comes after them.
            self.page.evaluate("navigator.locks.request('after-all', () => null)")
            self.page.wait_for_function(f"{open_streams} === {count}")
            self.page.wait_for_function(f"{locks}.then((n) => n === {count * 10})")


if __name__ == "__main__":
    unittest.main()
