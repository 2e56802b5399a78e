"""Settings that people change: saved in the settings file, taken back, refused with the reason; and those of a browser."""

import os
import pathlib
import re
import unittest

from playwright.sync_api import expect

from support import Web, browser


def config():
    """The settings file of the tests' daemon, as text."""
    path = pathlib.Path(os.environ["XDG_CONFIG_HOME"], "fencepost", "config.json")
    return path.read_text() if path.exists() else ""


@unittest.skipUnless("FENCEPOST" in os.environ, "no daemon of our own")
class Settings(Web):
    def setUp(self):
        super().setUp()
        # One server ends and the next one begins: the page asks again.
        self.allow("status of 503")

    def tearDown(self):
        for name in ("zone", "default-alarm", "all-day-hour", "geocoder", "streets", "keep-log", "quiet-hours"):
            self.command("config", name, "--reset")
        super().tearDown()

    def setting(self, name):
        return self.page.locator(f"[data-setting={name}]")

    def shown(self, name):
        return next(one for one in self.api("GET", "/settings")["settings"] if one["name"] == name)

    def test_a_setting_is_saved_and_taken_back(self):
        self.open("/settings")
        self.setting("default-alarm").select_option("-15m")
        self.toast("Saved")
        self.assertIn('"default-alarm": "-15m"', config())
        self.until(lambda: self.shown("default-alarm")["value"] == "-15m", "the server begins with it")
        self.button("Undo", self.page.locator(".toast")).click()
        self.toast("As it was before")
        self.assertNotIn("default-alarm", config())
        expect(self.setting("default-alarm")).to_have_value("")

    def test_a_text_is_saved_when_the_field_is_left(self):
        self.open("/settings")
        self.setting("zone").fill("America/Lima")
        self.setting("zone").press("Enter")
        self.toast("Saved")
        self.page.wait_for_function("fetch('/api/v1/session').then((a) => a.json()).then((s) => s.zone === 'America/Lima')")
        self.setting("zone").fill("")
        self.setting("zone").blur()
        self.page.wait_for_function("fetch('/api/v1/session').then((a) => a.json()).then((s) => s.zone === 'Europe/Berlin')")

    def test_quiet_hours_are_saved_and_their_form_is_checked(self):
        self.open("/settings")
        self.setting("quiet-hours").fill("22:00-7:00")
        self.setting("quiet-hours").press("Enter")
        self.toast("Saved")
        self.assertIn('"quiet-hours": "22:00-7:00"', config())
        self.allow("400")
        self.setting("quiet-hours").fill("at night")
        self.setting("quiet-hours").press("Enter")
        self.toast("invalid part of a day")
        self.assertIn("22:00-7:00", config())

    def test_a_wrong_value_says_why_and_changes_nothing(self):
        self.open("/settings")
        self.allow("400")
        self.setting("zone").fill("Mars/Olympus")
        self.setting("zone").blur()
        self.toast("unknown time zone 'Mars/Olympus'")
        self.assertNotIn("Mars", config())

    def test_what_an_option_sets_cannot_be_changed(self):
        self.open("/settings")
        expect(self.setting("history")).to_be_disabled()
        expect(self.page.get_by_text("Set by --history")).to_be_visible()

    def test_another_server_for_places(self):
        self.open("/settings")
        self.setting("geocoder").select_option("other")
        field = self.page.locator("[data-key=geocoder] input")
        field.fill("https://places.example")
        field.press("Enter")
        self.toast("Saved")
        self.assertIn('"geocoder": "https://places.example"', config())
        self.page.reload()
        expect(self.page.locator("[data-key=geocoder] input")).to_have_value("https://places.example")

    def test_new_items_go_to_another_list(self):
        self.make_list("Home")
        here = self.make_list("Work")
        # The page is open already, and hears of the lists.
        self.open("/settings")
        self.page.locator("[data-default-list=reminder]").select_option(here)
        self.toast("Saved")
        made = self.api("POST", "/items", {"text": "Water"})
        self.assertEqual(made["list_id"], here)

    def test_a_browser_shows_it_its_own_way(self):
        self.open("/settings")
        for name, value, heading in (("clock", "h12", "Settings"), ("week", "6", "Settings"), ("language", "de", "Optionen"), ("language", "en", "Settings")):
            with self.page.expect_navigation():
                self.page.locator(f"[data-display={name}]").select_option(value)
            expect(self.page.get_by_role("heading", name=heading, exact=True, level=1)).to_be_visible()
            expect(self.page.locator(f"[data-display={name}]")).to_have_value(value)
        self.open("/agenda?view=week")
        expect(self.page.locator(".hour-head h2").first).to_contain_text("Sun")
        expect(self.page.locator("#main")).to_contain_text(re.compile(r"1:00\s?PM", re.I))


if __name__ == "__main__":
    unittest.main()
