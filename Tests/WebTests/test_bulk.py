"""Several items at once, smart lists and own filters."""

import unittest

from playwright.sync_api import expect

from support import Web, day

SHED = {"title": "Shed", "latitude": 51.05, "longitude": 13.74, "radius": 120}


class Bulk(Web):
    def setUp(self):
        super().setUp()
        self.here = self.make_list("Here")
        self.items = [self.make("reminder", title, self.here, due=f"{day(1)}T0{hour}:00")
                      for hour, title in enumerate(("One", "Two", "Three", "Four"), 5)]
        self.open(f"/lists/{self.here}")
        self.bar = self.page.get_by_role("toolbar", name="Selected entries")

    def found(self, completed="all"):
        return self.api("GET", f"/items?list={self.here}&completed={completed}")["items"]

    def select(self):
        # What was chosen before is done.
        expect(self.bar).to_be_hidden()
        self.button("Select").click()

    def choose(self, *titles):
        self.select()
        for title in titles:
            self.page.get_by_label(f"Select {title}", exact=True).check()
        expect(self.bar).to_contain_text(f"{len(titles)} selected")

    def test_a_day_for_several_keeps_their_times_and_is_one_step(self):
        self.choose("One", "Three")
        self.button("Date", self.bar).click()
        self.button("Next week").click()
        self.toast("Changed: 2 items")
        self.assertEqual([item["due"][:16] for item in self.found()],
                         [f"{day(1)}T06:00", f"{day(1)}T08:00", f"{day(7)}T05:00", f"{day(7)}T07:00"])
        expect(self.bar).to_be_hidden()
        self.button("Undo").click()
        self.toast("Undone")
        self.assertEqual({item["due"][:10] for item in self.found()}, {day(1)})

    def test_list_priority_and_tags(self):
        other = self.make_list("There")
        self.page.reload()
        self.choose("One", "Two")
        self.button("Priority", self.bar).click()
        self.button("High").click()
        self.toast("Changed: 2 items")
        self.choose("One", "Two")
        self.button("Tags", self.bar).click()
        self.page.get_by_label("Add tags").fill("garden, #home")
        self.button("Save").click()
        expect(self.row("One")).to_contain_text("#garden")
        self.choose("Two")
        self.button("List", self.bar).click()
        self.button("There", self.page.locator("dialog")).click()
        expect(self.row("Two")).to_have_count(0)
        moved = self.api("GET", f"/items?list={other}")["items"]
        self.assertEqual([(item["title"], item["priority"], item["tags"]) for item in moved], [("Two", 1, ["garden", "home"])])

    def test_done_and_deleted(self):
        self.choose("One", "Two")
        self.button("Done", self.bar).click()
        self.toast("Done: 2 reminders")
        self.assertEqual([item["title"] for item in self.found("0")], ["Three", "Four"])
        self.select()
        self.button("All", self.bar).click()
        self.button("Delete", self.bar).click()
        expect(self.page.locator("dialog")).to_contain_text("Delete 2 items?")
        self.button("Delete", self.page.locator("dialog")).click()
        self.toast("Deleted: 2 items")
        self.assertEqual(len(self.found()), 2)
        self.button("Undo").last.click()
        self.toast("Undone")
        self.assertEqual(len(self.found()), 4)

    def test_keys_and_ranges(self):
        keyboard = self.page.keyboard
        keyboard.press("ArrowDown")
        keyboard.press("x")
        expect(self.bar).to_contain_text("1 selected")
        self.row("Three").get_by_role("link").click(modifiers=["Shift"])
        expect(self.bar).to_contain_text("3 selected")
        keyboard.press("x")
        expect(self.bar).to_contain_text("2 selected")

    def test_a_range_begins_where_it_did_before_an_update(self):
        self.choose("One")
        self.make("reminder", "Five", self.here, due=f"{day(1)}T09:00")
        expect(self.row("Five")).to_be_visible()
        self.row("Three").get_by_role("link").click(modifiers=["Shift"])
        expect(self.bar).to_contain_text("3 selected")

    def test_no_row_is_replaced_under_a_pressed_pointer(self):
        row = self.row("Two").get_by_role("link")
        box = self.box(row)
        self.page.mouse.move(box["x"] + 60, box["y"] + box["height"] / 2)
        self.page.mouse.down()
        element = row.element_handle()
        self.make("reminder", "Zero", self.here, due=f"{day(1)}T01:00")
        # The page hears of it, and asks for the rows.
        self.page.wait_for_timeout(700)
        self.assertTrue(element.evaluate("(one) => one.isConnected"))
        self.page.mouse.up()
        expect(self.page.get_by_label("Title", exact=True)).to_have_value("Two")

    def test_what_fails_is_counted(self):
        self.allow("status of 400")
        refused = self.items[1]["id"]
        self.page.route(f"**/api/v1/items/{refused}", lambda route: route.fulfill(status=400, json={"detail": "Not this one"}))
        self.choose("One", "Two")
        self.button("Priority", self.bar).click()
        self.button("Low").click()
        self.toast("Changed: 1 item")
        self.toast("1 stayed as it was.")


class Touch(Web):
    width = 390
    options = {"has_touch": True, "is_mobile": True}

    def test_a_finger_that_rests_selects(self):
        here = self.make_list()
        self.make("reminder", "One", here)
        self.make("reminder", "Two", here)
        self.open(f"/lists/{here}")
        box = self.box(self.row("One"))
        session = self.context.new_cdp_session(self.page)
        point = [{"x": box["x"] + 120, "y": box["y"] + box["height"] / 2}]
        session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": point})
        bar = self.page.get_by_role("toolbar", name="Selected entries")
        expect(bar).to_contain_text("1 selected")
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        self.row("Two").get_by_role("link").tap()
        expect(bar).to_contain_text("2 selected")


class Smart(Web):
    def test_smart_lists(self):
        here = self.make_list("Here")
        self.make("reminder", "Late one", here, due=f"{day(-2)}T09:00")
        self.make("reminder", "Due today", here, due=day())
        self.make("reminder", "Next month", here, due=f"{day(30)}T09:00")
        self.make("reminder", "Important", here, priority=1)
        self.make("reminder", "At the shed", here, alarms=[{"proximity": "enter", "place": SHED}])
        cases = {"Today": ["Late one", "Due today"], "Scheduled": ["Late one", "Due today", "Next month"], "Overdue": ["Late one"],
                 "High priority": ["Important"], "With a place": ["At the shed"]}
        self.open("/lists")
        for name, titles in cases.items():
            self.page.get_by_role("navigation", name="Smart lists").get_by_role("link", name=name).click()
            expect(self.page.get_by_role("heading", name=name)).to_be_visible()
            expect(self.page.locator("#main .rows .title")).to_have_text(titles)

    def test_a_filter_is_kept_and_forgotten(self):
        here = self.make_list("Here")
        self.make("reminder", "Red paint", here, tags=["diy"])
        self.make("reminder", "Milk", here)
        self.open(f"/lists/{here}")
        self.page.get_by_label("Tag").fill("diy")
        expect(self.page.locator("#main .rows .title")).to_have_text(["Red paint"])
        self.button("Save this filter").click()
        self.page.get_by_label("Name").fill("Workshop")
        self.button("Save", self.page.locator("dialog")).click()
        self.open("/lists")
        self.page.get_by_role("link", name="Workshop").click()
        expect(self.page.locator("#main .rows .title")).to_have_text(["Red paint"])
        self.button("Forget this filter").click()
        expect(self.page.get_by_role("link", name="Workshop")).to_have_count(0)


if __name__ == "__main__":
    unittest.main()
