"""Setting up a phone: the code on the page is read by another program, and says the same as the link."""

import base64
import json
import shutil
import subprocess
import tempfile
import unittest
import urllib.parse

from playwright.sync_api import expect

from support import BASE, Web


class Phone(Web):
    def tearDown(self):
        for client in self.api("GET", "/clients")["clients"]:
            self.api("DELETE", f"/clients/{client['user']}")
        super().tearDown()

    def make(self, app, name="Pixel", broker=None):
        self.open(f"/phone?app={app}")
        self.page.get_by_label("Name, such as").fill(name)
        if broker:
            self.page.get_by_label("Address of the broker").fill(broker)
        self.button("Make a QR code").click()
        code = self.page.get_by_role("img", name="QR code that sets up the app")
        expect(code).to_be_visible()
        link = self.page.get_by_role("link", name="Open on this phone").get_attribute("href")
        if shutil.which("zbarimg"):
            with tempfile.NamedTemporaryFile(suffix=".png") as picture:
                code.screenshot(path=picture.name)
                read = subprocess.run(["zbarimg", "--quiet", "--raw", picture.name], capture_output=True, text=True)
                self.assertEqual(read.stdout.strip(), link)
        return link

    def test_owntracks(self):
        link = self.make("owntracks")
        inline = urllib.parse.parse_qs(urllib.parse.urlsplit(link).query)["inline"][0]
        made = json.loads(base64.b64decode(inline))
        self.assertEqual((made["mode"], made["url"], made["username"]), (3, f"{BASE}/positions".replace("127.0.0.1", "phones.example"), "pixel"))

    def test_a_broker_of_ones_own(self):
        link = self.make("owntracks-mqtt", broker="mqtts://ann:secret@broker.example")
        self.assertIn("inline=", link)
        self.assertEqual(self.api("GET", "/clients")["clients"], [])

    def test_traccar_client_can_send_positions(self):
        link = urllib.parse.urlsplit(self.make("traccar", name="Car"))
        # The app keeps the address up to the question mark, and adds the position.
        sent = subprocess.run(
            ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-X", "POST",
             f"{BASE}{link.path}?id=x&lat=51.05&lon=13.74&timestamp=1777622400"],
            capture_output=True, text=True, check=True)
        self.assertEqual(sent.stdout, "200")
        self.assertIn("Car", [device["name"] for device in self.api("GET", "/devices")["devices"]])

    def test_overland_and_calendars(self):
        self.assertTrue(self.make("overland").startswith("overland://setup?url="))
        self.assertTrue(self.make("caldav", name="Calendars").startswith("caldav://calendars:"))

    def test_a_name_that_is_taken_says_so(self):
        self.make("overland")
        self.allow("400")
        self.open("/phone?app=traccar")
        self.page.get_by_label("Name, such as").fill("pixel")
        self.button("Make a QR code").click()
        self.toast("there is a client named 'Pixel'")


if __name__ == "__main__":
    unittest.main()
