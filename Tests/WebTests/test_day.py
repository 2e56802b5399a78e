"""A day on the map: its times, also where the clock changes."""

import json
import unittest

from playwright.sync_api import expect

from support import Web


class Day(Web):
    def answer(self, path, body):
        self.page.route(path, lambda route: route.fulfill(body=json.dumps(body), content_type="application/json"))

    def test_a_day_of_25_hours(self):
        self.answer("**/api/v1/devices", {"devices": [{"name": "phone", "time": "2026-10-25T23:40:00+01:00", "latitude": 51, "longitude": 13}]})
        self.answer("**/api/v1/tracks?*", {"device": "phone", "day": "2026-10-25", "from": "2026-10-25T00:00:00+02:00", "until": "2026-10-26T00:00:00+01:00",
                                           "fixes": 2, "points": [[0, 51, 13, 5], [24.75 * 3600, 51.1, 13.1, 5]]})
        self.answer("**/api/v1/days/*", {"day": "2026-10-25", "device": "phone", "fixes": 2, "notes": [
            {"time": "2026-10-25T12:00:00+01:00", "text": "arrived", "kind": "crossing", "latitude": 51.05, "longitude": 13.05},
            {"time": "2026-10-25T23:30:00+01:00", "text": "left", "kind": "crossing", "latitude": 51.1, "longitude": 13.1}]})
        self.open("/day/2026-10-25?device=phone")
        shown = self.page.locator("output")
        expect(shown).to_have_text("23:45")
        self.page.get_by_role("button", name="arrived").click()
        expect(shown).to_have_text("12:00")
        # Half of the way is done after half of the time.
        self.assertAlmostEqual(self.page.evaluate("document.querySelector('fence-map').content.devices[0].latitude"), 51 + 0.1 * 13 / 24.75, places=4)
        self.page.get_by_role("button", name="left").click()
        expect(shown).to_have_text("23:30")

    def test_a_day_that_was_not_recorded_can_be_replayed(self):
        self.answer("**/api/v1/devices", {"devices": [{"name": "phone", "time": "2026-10-24T12:00:00+02:00", "latitude": 51, "longitude": 13}]})
        self.answer("**/api/v1/tracks?*", {"device": "phone", "day": "2026-10-24", "from": "2026-10-24T00:00:00+02:00", "until": "2026-10-25T00:00:00+02:00",
                                           "fixes": 2, "points": [[0, 51, 13, 5], [43200, 51.1, 13.1, 5]]})
        nothing = {"day": "2026-10-24", "device": "phone", "fixes": 2, "recorded": False, "notes": []}
        note = {"time": "2026-10-24T06:00:00+02:00", "text": "arrived", "kind": "crossing", "latitude": None, "longitude": None}
        self.answer("**/api/v1/days/2026-10-24?device=phone", nothing)
        self.answer("**/api/v1/days/2026-10-24?device=phone&replay=true", {**nothing, "notes": [note]})
        self.open("/day/2026-10-24?device=phone")
        expect(self.page.get_by_text("Nothing was recorded of this day.")).to_be_visible()
        self.page.get_by_role("button", name="Replay it over today’s fences").click()
        expect(self.page.get_by_role("button", name="arrived")).to_be_visible()
        expect(self.page.get_by_text("Replayed over today’s fences.")).to_be_visible()
        # The way has the place of a note that has none.
        self.assertEqual(len(self.page.evaluate("document.querySelector('fence-map').content.pins")), 1)

    def test_what_is_so_for_several_reminders_is_told_once(self):
        self.answer("**/api/v1/devices", {"devices": [{"name": "phone", "time": "2026-10-24T12:00:00+02:00", "latitude": 51, "longitude": 13}]})
        self.answer("**/api/v1/tracks?*", {"device": "phone", "day": "2026-10-24", "from": "2026-10-24T00:00:00+02:00", "until": "2026-10-25T00:00:00+02:00",
                                           "fixes": 2, "points": [[0, 51, 13, 5], [43200, 51.1, 13.1, 5]]})
        arrived, left = "phone arrived at Shop (± 5 m); the alarm went off", "phone left Shop"
        self.answer("**/api/v1/days/*", {"day": "2026-10-24", "device": "phone", "fixes": 2, "recorded": True, "notes": [
            {"time": f"2026-10-24T{time}:00+02:00", "text": text, "kind": kind, "latitude": None, "longitude": None}
            for time, text, kind in (
                ("06:00", f"{arrived} (Milk)", "alarm"), ("06:00", f"{arrived} (Bread)", "alarm"), ("06:00", f"{arrived} (Bread); that was sure at 06:02", "alarm"),
                ("07:00", f"{arrived} (Milk)", "alarm"), ("08:00", left, "crossing"))]})
        self.open("/day/2026-10-24?device=phone")
        expect(self.page.locator("ol .title")).to_have_text([
            f"{arrived} (Milk, Bread)", f"{arrived} (Bread); that was sure at 06:02", f"{arrived} (Milk)", left])

    def test_a_day_without_positions(self):
        self.open("/day/2026-10-25")
        expect(self.page.get_by_text("There are no positions of this day.")).to_be_visible()


if __name__ == "__main__":
    unittest.main()
