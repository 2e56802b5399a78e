"""The editor: what is typed is what the API has, one of a series, conflicts, what it keeps."""

import re
import unittest

from playwright.sync_api import expect

from support import BASE, Web, day

SHED = {"title": "Shed", "latitude": 51.05, "longitude": 13.74, "radius": 120}


class Editor(Web):
    def save(self):
        self.button("Save").click()

    def item(self, item):
        return self.api("GET", f"/items/{item['id']}")

    def found(self, text):
        return self.api("GET", f"/items?completed=all&kind=all&text={text}")["items"]

    def test_why_a_reminder_with_a_place_did_not_ring(self):
        here = self.make_list("Why")
        item = self.api("POST", "/items", {"title": "Nails", "list_id": here, "alarms": [{"proximity": "enter", "place": SHED}]})
        plain = self.api("POST", "/items", {"title": "Plain", "list_id": here})
        self.open(f"/item/{item['id']}")
        self.page.get_by_text("Why didn’t this ring?").click()
        expect(self.page.get_by_text(re.compile("^It did not ring: no device"))).to_be_visible()
        expect(self.page.get_by_text("Recorded since")).to_be_visible()
        self.open(f"/item/{plain['id']}")
        expect(self.page.get_by_label("Title")).to_have_value("Plain")
        expect(self.page.get_by_text("Why didn’t this ring?")).to_have_count(0)

    def test_a_reminder_with_everything(self):
        here = self.make_list("Everything")
        self.api("PUT", "/places/Shed", SHED)
        self.open(f"/new?type=reminder&list={here}")
        page = self.page
        page.get_by_label("Title").fill("Paint the shed")
        page.get_by_label("Due: day").fill(day(1))
        page.get_by_label("Due: time").fill("09:30")
        page.get_by_label("Repeats").select_option("WEEKLY")
        self.button("Before or after").click()
        page.get_by_label("How long").fill("2")
        page.get_by_label("Unit").last.select_option("60")
        self.button("On arriving").click()
        page.get_by_role("textbox", name="Place").fill("Shed")
        page.locator(".found .option").filter(has_text="Shed").first.click()
        page.get_by_text("Only sometimes …").click()
        page.get_by_label("from", exact=True).fill("08:00")
        page.get_by_label("until", exact=True).fill("18:00")
        page.locator(".alarms").get_by_label("Sat").check()
        page.get_by_label("Devices").fill("pixel")
        page.get_by_label("How often").select_option("once-per-day")
        page.get_by_label("Also when only passing by").check()
        page.get_by_label("Notes").fill("Two coats.\nDry between.")
        page.get_by_label("Link").fill("https://example.org/paint")
        page.get_by_label("Tags").fill("diy, #garden")
        page.get_by_label("Priority").select_option("1")
        self.save()
        self.toast("Added: Paint the shed")
        item = self.found("Paint%20the")[0]
        self.assertEqual(item["due"][:16], f"{day(1)}T09:30")
        self.assertEqual(item["repeat"], ["FREQ=WEEKLY"])
        self.assertEqual((item["notes"], item["url"], item["tags"], item["priority"], item["list_id"]), ("Two coats.\nDry between.", "https://example.org/paint", ["diy", "garden"], 1, here))
        before, arrive = item["alarms"]
        self.assertEqual(before["offset"], "-PT2H")
        self.assertEqual((arrive["proximity"], arrive["place"]["title"], arrive["hours"], arrive["weekdays"], arrive["devices"], arrive["frequency"], arrive["passing"]),
                         ("enter", "Shed", "08:00-18:00", ["SA"], ["pixel"], "once-per-day", True))

    def test_an_event_with_a_zone_and_a_rule(self):
        here = self.make_list()
        self.open(f"/new?type=event&list={here}&start={day(2)}")
        page = self.page
        page.get_by_label("Title").fill("Round table")
        page.get_by_label("Starts: time").fill("14:00")
        page.get_by_label("Starts: time").blur()
        expect(page.get_by_label("Ends: time")).to_have_value("15:00")
        page.get_by_label("Time zone").select_option("America/New_York")
        page.get_by_label("Repeats").select_option("custom")
        page.get_by_label("Every how many").fill("2")
        page.get_by_label("Mon", exact=True).check()
        page.get_by_label("Wed", exact=True).check()
        page.get_by_role("combobox", name="Ends", exact=True).select_option("count")
        page.get_by_label("How many times").fill("6")
        page.get_by_label("Show as").select_option("free")
        self.save()
        self.toast("Added: Round table")
        item = self.found("Round")[0]
        self.assertEqual((item["time_zone"], item["availability"]), ("America/New_York", "free"))
        self.assertEqual(set(item["repeat"][0].split(";")), {"FREQ=WEEKLY", "INTERVAL=2", "BYDAY=MO,WE", "COUNT=6"})
        self.open(f"/item/{item['id']}")
        expect(page.get_by_label("Starts: time")).to_have_value("14:00")

    def test_the_first_day_of_a_rule_s_week_stays(self):
        made = self.make("event", "Every other week", start="2026-11-29T09:00", end="2026-11-29T10:00", time_zone="Europe/Berlin",
                         repeat=["FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO;WKST=SU"])
        self.open(f"/item/{made['id']}")
        self.page.locator("select").filter(has_text="After a number of times").select_option("count")
        self.page.get_by_label("How many times").fill("20")
        self.save()
        self.button("All of them", self.page.locator("dialog")).click()
        self.toast("Saved: Every other week")
        rule = self.item(made)["repeat"][0]
        self.assertIn("WKST=SU", rule)
        self.assertIn("COUNT=20", rule)

    def test_an_address_that_is_not_well_formed_is_a_sentence(self):
        self.allow("Failed to load resource")
        self.allow("There is no such list")
        for path in ("/item/%E0%A4%A", "/lists/%ff", "/places/%"):
            self.open(path)
            expect(self.page.locator("#main h1")).to_have_count(1)

    def test_an_all_day_event_shows_its_last_day(self):
        item = self.make("event", "Trip", start=day(1), end=day(4), all_day=True)
        self.open(f"/item/{item['id']}")
        expect(self.page.get_by_label("Ends: day")).to_have_value(day(3))
        self.page.get_by_label("Ends: day").fill(day(5))
        self.save()
        self.toast("Saved: Trip")
        self.assertEqual((self.item(item)["start"], self.item(item)["end"]), (day(1), day(6)))

    def test_what_is_not_touched_is_not_sent(self):
        item = self.make("reminder", "Keep", due=f"{day(1)}T09:00", repeat=["FREQ=MONTHLY;BYDAY=2MO,-1FR"], priority=3, alarms=[{"proximity": "enter", "place": SHED, "hours": "08:00-20:00"}])
        self.open(f"/item/{item['id']}")
        expect(self.page.get_by_text("FREQ=MONTHLY;BYDAY=2MO,-1FR")).to_be_visible()
        sent = []
        self.page.on("request", lambda request: sent.append(request.post_data_json) if request.method == "PATCH" else None)
        self.page.get_by_label("Notes").fill("new")
        self.save()
        self.toast("Saved: Keep")
        self.assertEqual(sent, [{"notes": "new"}])

    def test_the_end_before_the_start_is_a_sentence(self):
        item = self.make("event", "Backwards", start=f"{day()}T10:00", end=f"{day()}T11:00")
        self.open(f"/item/{item['id']}")
        self.page.get_by_label("Ends: day").fill(day(-1))
        self.save()
        expect(self.page.get_by_role("alert").filter(has_text="The end comes before the start.")).to_be_visible()
        expect(self.page.get_by_label("Ends: day")).to_be_focused()

    def test_a_refusal_of_the_server_is_shown_and_nothing_is_lost(self):
        self.allow("400")
        item = self.make("reminder", "Refused")
        self.open(f"/item/{item['id']}")
        self.page.route("**/api/v1/items/*", lambda route: route.fulfill(status=400, content_type="application/problem+json", body='{"title":"No","status":400,"detail":"This list takes no reminders."}') if route.request.method == "PATCH" else route.continue_())
        self.page.get_by_label("Notes").fill("typed")
        self.save()
        expect(self.page.get_by_role("alert").filter(has_text="This list takes no reminders.")).to_be_visible()
        expect(self.page.get_by_label("Notes")).to_have_value("typed")

    def test_a_subtask_does_not_disturb_what_is_typed(self):
        here = self.make_list()
        item = self.make("reminder", "Party", here)
        self.make("reminder", "First", here, parent=item["uid"])
        self.open(f"/item/{item['id']}")
        self.page.get_by_label("Notes").fill("typed")
        box = self.page.get_by_label("New subtask")
        for title in ("Invitations", "Cake"):
            box.fill(title)
            box.press("Enter")
            expect(self.row(title)).to_be_visible()
            expect(box).to_have_value("")
            expect(box).to_be_focused()
        expect(self.page.get_by_label("Notes")).to_have_value("typed")
        self.save()
        self.toast("Saved: Party")
        self.assertEqual(self.item(item)["notes"], "typed")

    def test_deleted_elsewhere_it_is_saved_as_a_new_one(self):
        self.allow("404")
        item = self.make("reminder", "Gone", alarms=[{"at": f"{day(1)}T09:00"}])
        self.open(f"/item/{item['id']}")
        self.page.get_by_label("Notes").fill("typed")
        self.api("DELETE", f"/items/{item['id']}")
        expect(self.page.get_by_role("alert").filter(has_text="This was deleted elsewhere.")).to_be_visible()
        self.save()
        self.toast("Added: Gone")
        found = self.found("Gone")
        self.assertEqual([(one["notes"], len(one["alarms"])) for one in found], [("typed", 1)])

    def test_a_new_event_begins_at_the_next_full_hour(self):
        self.make_list()
        self.page.clock.install(time=f"{day()}T13:20:00+01:00")
        self.open(f"/new?type=event&start={day(1)}")
        expect(self.page.get_by_label("Starts: day")).to_have_value(day(1))
        expect(self.page.get_by_label("Starts: time")).to_have_value("14:00")
        expect(self.page.get_by_label("Ends: time")).to_have_value("15:00")

    def test_another_kind_keeps_what_was_typed(self):
        self.make_list()
        self.open("/new?type=reminder")
        self.page.get_by_label("Title").fill("Dinner")
        self.page.get_by_label("Notes").fill("with Kim")
        self.page.get_by_label("Tags").fill("food")
        self.page.get_by_role("group", name="Kind").get_by_role("link", name="Event").click()
        expect(self.page.get_by_role("heading", name="New event")).to_be_visible()
        expect(self.page.get_by_label("Title")).to_have_value("Dinner")
        expect(self.page.get_by_label("Notes")).to_have_value("with Kim")
        expect(self.page.get_by_label("Tags")).to_have_value("food")
        self.page.locator("#nav").get_by_role("link", name="Lists").first.click()
        expect(self.page.locator("dialog")).to_contain_text("Leave without saving?")
        self.button("Cancel", self.page.locator("dialog")).click()

    def test_new_items_go_to_the_default_list(self):
        self.make_list("Aaa")
        lists = self.api("GET", "/lists")["lists"]
        wanted = [one["id"] for one in lists if "reminders" in one["default_for"]]
        self.assertEqual(len(wanted), 1)
        self.open("/new?type=reminder")
        expect(self.page.get_by_role("combobox", name="List")).to_have_value(wanted[0])

    def test_leaving_with_changes_asks(self):
        item = self.make("reminder", "Unsaved")
        self.open("/lists")
        self.row("Unsaved").get_by_role("link").click()
        self.page.get_by_label("Notes").fill("typed")
        self.page.locator("#nav").get_by_role("link", name="Agenda").click()
        dialog = self.page.locator("dialog")
        expect(dialog).to_contain_text("Leave without saving?")
        self.button("Cancel", dialog).click()
        expect(self.page.get_by_label("Notes")).to_have_value("typed")
        self.assertIn(item["id"], self.page.url)

    def test_a_conflict_shows_both_versions(self):
        self.allow("412")
        for answer, title in (("Save mine over it", "Mine"), ("Take the newer one", "Theirs")):
            item = self.make("reminder", "Contested")
            self.open(f"/item/{item['id']}")
            self.page.get_by_label("Title").fill("Mine")
            self.api("PATCH", f"/items/{item['id']}", {"title": "Theirs"})
            self.save()
            dialog = self.page.locator("dialog")
            expect(dialog.get_by_role("cell", name="Mine")).to_be_visible()
            expect(dialog.get_by_role("cell", name="Theirs")).to_be_visible()
            self.button(answer, dialog).click()
            expect(dialog).to_have_count(0)
            self.page.wait_for_function("([id, title]) => fetch('/api/v1/items/' + id).then((a) => a.json()).then((item) => item.title === title)", arg=[item["id"], title])

    def test_the_first_event_needs_no_list(self):
        before = {one["id"] for one in self.api("GET", "/lists")["lists"]}
        self.page.route("**/api/v1/lists", lambda route: route.fulfill(json={"lists": []}))
        self.open("/new?type=event")
        self.page.get_by_label("Title").fill("First of all")
        expect(self.page.get_by_label("List", exact=True)).to_have_count(0)
        self.save()
        self.toast("Added: First of all")
        self.page.unroute("**/api/v1/lists")
        [item] = self.api("GET", "/items?text=First%20of%20all&kind=event")["items"]
        self.api("DELETE", f"/items/{item['id']}")
        for one in {one["id"] for one in self.api("GET", "/lists")["lists"]} - before:
            self.api("DELETE", f"/lists/{one}")

    def test_a_conflict_fits_a_phone(self):
        self.allow("412")
        item = self.make("reminder", "Contested")
        self.page.set_viewport_size({"width": 390, "height": 800})
        self.open(f"/item/{item['id']}")
        self.page.get_by_label("Title").fill("A title of mine that is long")
        self.api("PATCH", f"/items/{item['id']}", {"title": "A title of theirs that is long", "priority": 5})
        self.save()
        dialog = self.page.locator("dialog")
        expect(dialog.get_by_role("cell", name="Medium").first).to_be_visible()
        self.assertLessEqual(*dialog.locator(".scroll").evaluate("(one) => [one.scrollWidth, one.clientWidth]"))
        self.button("Take the newer one", dialog).click()

    def test_deleting_what_was_changed_elsewhere_asks(self):
        self.allow("412")
        item = self.make("reminder", "Old title")
        self.open(f"/item/{item['id']}")
        # The page hears nothing of it.
        self.page.route(f"**/api/v1/items/{item['id']}", lambda route: route.abort() if route.request.method == "GET" else route.continue_())
        self.allow("ERR_FAILED")
        self.context.request.patch(f"/api/v1/items/{item['id']}", data={"title": "New title"}, headers={"Origin": BASE, "Sec-Fetch-Site": "same-origin"})
        for answer in ("Cancel", "Delete all the same"):
            self.button("Delete").click()
            self.button("Delete", self.page.locator("dialog")).click()
            dialog = self.page.locator("dialog")
            expect(dialog.get_by_role("cell", name="Old title")).to_be_visible()
            expect(dialog.get_by_role("cell", name="New title")).to_be_visible()
            self.button(answer, dialog).click()
            if answer == "Cancel":
                self.assertEqual(self.api("GET", f"/items?list={item['list_id']}")["total"], 1)
        self.toast("Deleted: Old title")
        self.assertEqual(self.api("GET", f"/items?list={item['list_id']}")["total"], 0)

    def test_travel_time(self):
        here = self.own_list()
        self.open(f"/new?type=event&list={here}&title=Choir&start={day(1)}T10:00")
        self.page.get_by_label("Travel time").select_option("30 minutes")
        self.save()
        self.toast("Added: Choir")
        [item] = self.api("GET", f"/items?list={here}&kind=event")["items"]
        self.assertEqual(item["travel_time"], 1800)

    def test_a_program_makes_a_room_for_a_call(self):
        here = self.own_list()
        self.open(f"/new?type=event&list={here}&title=Planning&start={day(1)}T10:00")
        self.page.get_by_label("Notes").fill("Agenda")
        self.button("Add video call").click()
        self.button("Meeting room", self.page.locator("dialog")).click()
        expect(self.page.get_by_role("link", name="Join: Video")).to_have_attribute("href", "https://rooms.example/meeting")
        expect(self.page.get_by_label("Notes")).to_have_value("Agenda\n\nCode 7 for meeting")
        self.save()
        self.toast("Added: Planning")
        item = self.api("GET", f"/items?kind=event&list={here}")["items"][0]
        self.assertEqual([one["url"] for one in item["conferences"]], ["https://rooms.example/meeting"])
        self.open(f"/item/{item['id']}")
        self.button("Without Video").click()
        self.save()
        self.toast("Saved: Planning")
        self.assertFalse(self.item(item).get("conferences"))

    def test_subtasks_are_added(self):
        item = self.make("reminder", "Parent task")
        self.open(f"/item/{item['id']}")
        self.page.get_by_label("New subtask").fill("First step")
        self.page.get_by_label("New subtask").press("Enter")
        expect(self.row("First step")).to_be_visible()
        self.assertEqual(self.found("First%20step")[0]["parent"], item["uid"])

    def test_deleting_can_be_undone(self):
        item = self.make("reminder", "Doomed")
        self.open(f"/item/{item['id']}")
        self.button("Delete").click()
        self.button("Delete", self.page.locator("dialog")).click()
        self.toast("Deleted: Doomed")
        self.assertEqual(self.found("Doomed"), [])
        self.button("Undo").click()
        self.toast("Undone")
        self.assertEqual(len(self.found("Doomed")), 1)

    def test_sharing_fills_a_new_reminder(self):
        self.make_list()
        self.open("/new?title=Read%20this&text=An%20article%20https%3A%2F%2Fexample.org%2Fa&url=")
        expect(self.page.get_by_label("Title")).to_have_value("Read this")
        expect(self.page.get_by_label("Link")).to_have_value("https://example.org/a")
        expect(self.page.get_by_label("Notes")).to_have_value("An article")


class OnAPhone(Web):
    width = 390

    def test_done_delete_and_cancel_stand_in_one_line(self):
        item = self.make("reminder", "Bread")
        for locale, names in (("en-GB", ("Done", "Delete", "Cancel")), ("de-DE", ("Erledigt", "Löschen", "Abbrechen"))):
            context = self.new_context(locale=locale)
            page = self.new_page(context)
            page.goto(f"/item/{item['id']}")
            buttons = [page.locator(".editor header").get_by_role("button", name=name) for name in names]
            for button in buttons:
                expect(button).to_be_visible()
            boxes = [button.bounding_box() for button in buttons]
            self.assertEqual(len({round(box["y"]) for box in boxes}), 1, (locale, boxes))
            self.assertLessEqual(max(box["x"] + box["width"] for box in boxes), self.width)
            context.close()


class Series(Web):
    """This one, this and later ones, all of them."""

    def setUp(self):
        super().setUp()
        self.here = self.make_list("Series")
        self.series = self.make("event", "Rehearsal", self.here, start=f"{day()}T18:00", end=f"{day()}T19:00", time_zone="Europe/Berlin", repeat=["FREQ=DAILY;COUNT=5"])

    def titles(self):
        found = self.api("GET", f"/agenda?from={day()}&to={day(6)}&list={self.here}")
        return [entry["item"]["title"] for one in found["days"] for entry in one["entries"]]

    def edit_third(self, answer, title="Concert"):
        self.open(f"/agenda?view=day&day={day(2)}")
        self.row("Rehearsal").get_by_role("link").click()
        expect(self.page.get_by_label("Starts: day")).to_have_value(day(2))
        self.page.get_by_label("Title").fill(title)
        self.button("Save").click()
        self.button(answer, self.page.locator("dialog")).click()
        self.toast(f"Saved: {title}")

    def test_only_this_one(self):
        self.edit_third("Only this one")
        self.assertEqual(self.titles(), ["Rehearsal", "Rehearsal", "Concert", "Rehearsal", "Rehearsal"])

    def test_this_and_later_ones(self):
        self.edit_third("This and all later ones")
        titles = self.titles()
        self.assertEqual(titles[:2], ["Rehearsal", "Rehearsal"])
        self.assertEqual(set(titles[2:]), {"Concert"})

    def test_all_of_them(self):
        self.edit_third("All of them")
        self.assertEqual(self.titles(), ["Concert"] * 5)

    def test_one_is_deleted(self):
        self.open(f"/agenda?view=day&day={day(1)}")
        self.row("Rehearsal").get_by_role("link").click()
        self.button("Delete").click()
        self.button("Only this one", self.page.locator("dialog")).click()
        self.toast("Deleted: Rehearsal")
        self.assertEqual(len(self.titles()), 4)

    def test_nothing_happens_without_an_answer(self):
        self.open(f"/agenda?view=day&day={day(1)}")
        self.row("Rehearsal").get_by_role("link").click()
        self.page.get_by_label("Title").fill("Never")
        self.button("Save").click()
        self.page.keyboard.press("Escape")
        self.assertEqual(self.titles(), ["Rehearsal"] * 5)
        expect(self.page.get_by_label("Title")).to_have_value("Never")


if __name__ == "__main__":
    unittest.main()
