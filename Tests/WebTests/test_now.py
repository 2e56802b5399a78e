"""Now: the map and its lists, live updates, this browser as a device."""

import datetime
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

    def ring(self, *titles, times=1):
        """Reminders whose alarms go off now; waits until they wait for an answer."""
        def moment(seconds):
            at = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
            return at.strftime("%Y-%m-%dT%H:%M:%SZ")

        self.own_list()
        items = [self.make("reminder", title, alarms=[{"at": moment(5 + i)} for i in range(times)]) for title in titles]
        self.open("/now")
        expect(self.page.get_by_role("heading", level=1)).to_contain_text(f"{len(titles) * times} alarm", timeout=25000)
        return items

    def completed(self, items):
        return [self.api("GET", f"/items/{item['id']}")["completed"] for item in items]

    def test_alarms_of_a_reminder_are_one_row_and_end_with_it(self):
        items = self.ring("Bins", times=3)
        expect(self.row("Bins").filter(has_text="and 2 times before")).to_have_count(1)
        self.button("Done: Bins").click()
        self.toast("Done: Bins")
        expect(self.page.get_by_role("heading", level=1)).to_have_text("All quiet")
        self.assertEqual(self.completed(items), [True])
        self.button("Undo").click()
        self.toast("Undone: Done: Bins")
        expect(self.page.get_by_role("heading", level=1)).to_have_text("3 alarms wait for you")
        self.assertEqual(self.completed(items), [False])

    def test_completed_elsewhere_its_alarms_wait_no_more(self):
        items = self.ring("Bins")
        self.api("POST", f"/items/{items[0]['id']}/complete", {})
        expect(self.page.get_by_role("heading", level=1)).to_have_text("All quiet")

    def test_done_with_all_is_one_step(self):
        items = self.ring("Bins", "Bill", "Cat")
        self.button("Done with all").click()
        self.toast("Done: 3 reminders")
        self.assertEqual(self.completed(items), [True, True, True])
        self.button("Undo").click()
        self.toast("Undone")
        self.assertEqual(self.completed(items), [False, False, False])
        expect(self.page.get_by_role("heading", level=1)).to_have_text("3 alarms wait for you")
        self.button("Done with all").click()
        expect(self.page.get_by_role("heading", level=1)).to_have_text("All quiet")

    def test_buttons_stay_under_the_pointer(self):
        self.ring("Bins", "Bill")
        rows = self.page.locator(".waits [data-row]")
        first = rows.nth(0).locator(".title").inner_text()
        second = rows.nth(1).get_by_role("button", name="Done", exact=False)
        place = self.box(second)["y"]
        rows.nth(0).get_by_role("button", name=f"Done: {first}").click()
        self.toast(f"Done: {first}")
        expect(self.page.get_by_role("heading", level=1)).to_have_text("1 alarm waits for you")
        expect(rows).to_have_count(2)
        self.assertEqual(self.box(second)["y"], place)
        self.page.mouse.move(900, 400)
        expect(rows).to_have_count(1)
        rows.get_by_role("button", name="Put aside").click()
        expect(self.page.get_by_role("heading", level=1)).to_have_text("All quiet")

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

    def test_places_tags_and_lists_are_completed(self):
        here = self.make_list("Office stuff")
        self.make("reminder", "Old", here, tags=["shopping"])
        self.api("PUT", "/places/Main%20shop", {**SHED, "title": "Main shop"})
        self.open("/now")
        box = self.page.get_by_label("New reminder")
        options = self.page.get_by_role("option")
        box.press_sequentially("Paper #sho")
        expect(options).to_have_text(["shopping"])
        box.press("Tab")
        expect(box).to_have_value("Paper #shopping ")
        box.press_sequentially("@ma")
        options.filter(has_text="Main shop").click()
        expect(box).to_have_value('Paper #shopping @"Main shop" ')
        box.press_sequentially("~of")
        box.press("ArrowDown")
        box.press("Enter")
        chips = self.page.locator(".quick .chips")
        expect(chips).to_contain_text("Office stuff")
        box.press("Enter")
        self.toast("Added: Paper")
        item = [one for one in self.api("GET", f"/items?list={here}")["items"] if one["title"] == "Paper"][0]
        self.assertEqual((item["tags"], item["alarms"][0]["place"]["title"]), (["shopping"], "Main shop"))
        self.api("DELETE", "/places/Main%20shop")

    def test_a_place_is_created_while_typing(self):
        self.open("/now")
        box = self.page.get_by_label("New reminder")
        box.press_sequentially("Bread @Bakery")
        self.page.get_by_role("option", name="Create place “Bakery”").click()
        dialog = self.page.locator("dialog")
        expect(dialog.get_by_label("Name")).to_have_value("Bakery")
        dialog.get_by_label("Find a place").fill("51.06, 13.75")
        dialog.locator(".option").first.click()
        expect(dialog.get_by_label("Latitude")).to_have_value("51.06")
        self.button("Use this fence", dialog).click()
        expect(box).to_have_value("Bread @Bakery ")
        expect(self.page.locator(".quick .chips")).to_contain_text("Bakery")
        box.press("Enter")
        self.toast("Added: Bread")
        item = self.api("GET", "/items?text=Bread")["items"][0]
        self.assertEqual(item["alarms"][0]["place"]["latitude"], 51.06)
        self.api("DELETE", f"/items/{item['id']}")
        self.api("DELETE", "/places/Bakery")

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
        self.until(lambda: len(asked) == 1, "a stream")
        self.page.evaluate("""() => {
          Object.defineProperty(document, "hidden", { get: () => true, configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        }""")
        self.until(lambda: len(closed) == 1, "no stream")


if __name__ == "__main__":
    unittest.main()
