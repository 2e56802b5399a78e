"""Now: the map and its lists, live updates, this browser as a device."""

import unittest

from playwright.sync_api import expect

from support import Web, day

SHED = {"title": "Shed", "latitude": 51.05, "longitude": 13.74, "radius": 120}


class Now(Web):
    def test_fences_of_the_map_are_in_a_list(self):
        self.make("reminder", "Mend the fence", alarms=[{"proximity": "leave", "place": SHED}])
        self.open("/now")
        row = self.row("Mend the fence").filter(has_text="on leaving Shed")
        expect(row).to_be_visible()
        self.page.evaluate("document.querySelector('fence-map').pan(3000, 0)")
        self.button("Show Shed on the map", row).click()
        self.assertAlmostEqual(self.page.evaluate("document.querySelector('fence-map').view.x"), 13.74 / 360 + 0.5, places=3)

    def test_a_change_elsewhere_is_shown_at_once(self):
        here = self.make_list()
        self.open("/now")
        expect(self.row("Sudden")).to_have_count(0)
        self.make("reminder", "Sudden", here, due=f"{day(1)}T09:00", alarms=[{"proximity": "enter", "place": SHED}])
        expect(self.row("Sudden").first).to_be_visible()

    def test_quick_entry_shows_how_it_reads_and_can_be_undone(self):
        self.open("/now")
        box = self.page.get_by_label("New reminder")
        box.fill("Buy milk tomorrow 9am #shopping !high")
        chips = self.page.locator(".quick .chips")
        expect(chips).to_contain_text("Buy milk")
        expect(chips).to_contain_text("#shopping")
        expect(chips).to_contain_text("Tomorrow")
        box.press("Enter")
        self.toast("Added: Buy milk")
        expect(box).to_have_value("")
        found = self.api("GET", "/items?text=Buy%20milk")["items"]
        self.assertEqual([item["tags"] for item in found], [["shopping"]])
        self.button("Undo").click()
        self.toast("Undone")
        self.assertEqual(self.api("GET", "/items?text=Buy%20milk")["items"], [])

    def test_this_browser_as_a_device(self):
        context = self.new_context(geolocation={"latitude": 51.05, "longitude": 13.74, "accuracy": 20}, permissions=["geolocation"])
        page = self.new_page(context)
        page.goto("/now")
        share = page.get_by_role("button", name="Share my position while this page is open")
        share.click()
        expect(page.get_by_role("button", name="Sharing my position")).to_have_attribute("aria-pressed", "true")
        expect(page.locator("[data-key='device browser']")).to_be_visible()
        page.get_by_role("button", name="Sharing my position").click()
        expect(share).to_be_visible()
        context.close()

    def test_a_hidden_page_holds_no_stream(self):
        asked = []
        self.page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/events") else None)
        closed = []
        self.page.on("requestfailed", lambda request: closed.append(request.url) if request.url.endswith("/events") else None)
        self.open("/now")
        self.page.wait_for_function("performance.getEntriesByType('resource').length > 5")
        self.assertEqual(len(asked), 1)
        self.page.evaluate("""() => {
          Object.defineProperty(document, "hidden", { get: () => true, configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        }""")
        self.page.wait_for_timeout(300)
        self.assertEqual(len(closed), 1)


if __name__ == "__main__":
    unittest.main()
