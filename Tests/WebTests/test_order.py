"""The order of a list by hand: by keyboard, by dragging, and by touch."""

import unittest

from playwright.sync_api import expect

from support import Web


class Order(Web):
    def setUp(self):
        super().setUp()
        self.here = self.make_list("Arranged")
        for title in ("One", "Two", "Three"):
            self.make("reminder", title, self.here)
        self.open(f"/lists/{self.here}")
        self.page.get_by_label("Order", exact=True).select_option("manual")
        expect(self.handle("One")).to_be_visible()

    def handle(self, title):
        return self.row(title).locator(".handle")

    def titles(self):
        return self.page.locator("#main [data-row] .title").all_text_contents()

    def is_order(self, *titles):
        """Whether the page and the server have this order."""
        self.until(lambda: self.titles() == list(titles), f"{titles} on the page")
        self.until(lambda: [one["title"] for one in self.api("GET", f"/items?list={self.here}&sort=manual")["items"]]
                   == list(titles), f"{titles} on the server")

    def test_alt_and_arrows_move_a_reminder_and_undo_brings_it_back(self):
        self.is_order("One", "Two", "Three")
        self.row("Three").locator("a").focus()
        self.page.keyboard.press("Alt+ArrowUp")
        self.toast("Three: place 2 of 3")
        self.is_order("One", "Three", "Two")
        expect(self.row("Three").locator("a")).to_be_focused()
        self.page.keyboard.press("Alt+ArrowUp")
        self.is_order("Three", "One", "Two")
        # There is nothing before the first.
        self.page.keyboard.press("Alt+ArrowUp")
        self.is_order("Three", "One", "Two")
        self.page.keyboard.press("z")
        self.is_order("One", "Three", "Two")
        self.page.reload()
        self.is_order("One", "Three", "Two")

    def test_a_handle_is_dragged(self):
        start, end = self.box(self.handle("One")), self.box(self.row("Three"))
        self.page.mouse.move(start["x"] + 20, start["y"] + 20)
        self.page.mouse.down()
        self.page.mouse.move(start["x"] + 20, end["y"] + end["height"] * .5, steps=6)
        self.page.mouse.move(start["x"] + 20, end["y"] + end["height"] - 4, steps=6)
        self.page.mouse.up()
        self.is_order("Two", "Three", "One")

    def test_a_row_is_dragged(self):
        self.row("Three").locator(".title").drag_to(self.row("One"), target_position={"x": 200, "y": 6})
        self.is_order("Three", "One", "Two")

    def test_subtasks_stay_below_their_reminder(self):
        uid = self.api("GET", f"/items?list={self.here}&text=One")["items"][0]["uid"]
        for title in ("Sub a", "Sub b"):
            self.make("reminder", title, self.here, parent=uid)
        self.page.reload()
        expect(self.handle("Sub b")).to_be_visible()
        self.row("Sub b").locator("a").focus()
        self.page.keyboard.press("Alt+ArrowUp")
        self.until(lambda: self.titles() == ["One", "Sub b", "Sub a", "Two", "Three"], "subtasks in their order")
        self.page.keyboard.press("Alt+ArrowUp")
        self.page.wait_for_timeout(100)
        self.assertEqual(self.titles(), ["One", "Sub b", "Sub a", "Two", "Three"])

    def test_by_date_has_no_handles(self):
        self.page.get_by_label("Order", exact=True).select_option("time")
        expect(self.page.locator(".handle")).to_have_count(0)

    def test_a_phone_shows_handles_that_fingers_hit(self):
        self.page.set_viewport_size({"width": 320, "height": 700})
        box = self.box(self.handle("Two"))
        self.assertGreaterEqual(min(box["width"], box["height"]), 44)
        self.assertEqual(self.page.evaluate("document.documentElement.scrollWidth"), 320)


class German(Web):
    locale = "de-DE"

    def test_status_is_german(self):
        self.open("/status")
        expect(self.page.locator("#main [data-row]").first).to_be_attached()
        shown = self.page.locator("#main").text_content()
        for finding in self.api("GET", "/doctor")["findings"]:
            for text in (finding["text"], finding["advice"]):
                if text and not text.startswith(("/", "fencepost")):
                    self.assertNotIn(text, shown)


if __name__ == "__main__":
    unittest.main()
