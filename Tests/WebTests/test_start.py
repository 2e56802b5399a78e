"""The first start, streets on the map, and places by name from a server."""

import http.server
import json
import os
import threading
import unittest
from urllib.parse import parse_qs, quote, urlsplit

from playwright.sync_api import expect

from support import Web

PNG = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360f8cf500f0003860180"
                    "5a346b0000000049454e44ae426082")


class Nominatim(http.server.BaseHTTPRequestHandler):
    """Answers each search with two places."""

    asked = []

    def do_GET(self):
        parts = urlsplit(self.path)
        self.asked.append((parse_qs(parts.query), self.headers["User-Agent"]))
        body = json.dumps([
            {"lat": "48.85", "lon": "2.35", "name": "Bakery of Paris", "address": {"city": "Paris", "country": "France"}},
            {"lat": "52.51", "lon": "13.41", "name": "Bakery", "address": {"road": "Main Street", "house_number": "1", "city": "Berlin"}},
        ]).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@unittest.skipUnless("FENCEPOST" in os.environ, "no daemon of our own")
class Search(Web):
    def setUp(self):
        super().setUp()
        Nominatim.asked.clear()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Nominatim)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def tearDown(self):
        self.server.shutdown()
        self.command("config", "geocoder", "--reset")
        super().tearDown()

    def test_without_a_server_the_page_says_how_to_get_one(self):
        self.open("/places")
        self.page.get_by_label("Find a place").first.get_by_role("textbox").fill("Bakery")
        expect(self.page.locator(".found")).to_contain_text("It would get what you type.")
        expect(self.page.locator(".found").get_by_role("link", name="Settings")).to_be_visible()

    def test_places_near_come_first_and_are_asked_for_only_by_a_click(self):
        self.configure("geocoder", f"http://127.0.0.1:{self.server.server_port}")
        self.api("POST", "/positions?device=searcher", {"latitude": 52.5, "longitude": 13.4, "accuracy": 10})
        self.until(lambda: "searcher" in [one["name"] for one in self.api("GET", "/devices")["devices"]], "its position")
        self.page.goto("/places")
        self.page.get_by_label("Find a place").first.get_by_role("textbox").fill("Bakery")
        offer = self.page.get_by_role("button", name="for “Bakery”")
        expect(offer).to_be_visible()
        self.assertEqual(Nominatim.asked, [])
        offer.click()
        options = self.page.locator(".found .option")
        expect(options).to_have_count(2)
        expect(options.first).to_contain_text("Main Street 1, Berlin")
        query, agent = Nominatim.asked[0]
        self.assertEqual(query["q"], ["Bakery"])
        self.assertEqual(query["viewbox"], ["12,54,14,52"])
        self.assertIn("fencepost", agent)


@unittest.skipUnless("FENCEPOST" in os.environ, "no daemon of our own")
class Streets(Web):
    def tearDown(self):
        self.command("config", "streets", "--reset")
        super().tearDown()

    def test_the_question_is_asked_once(self):
        self.page.route("https://tile.openstreetmap.org/**", lambda route: route.fulfill(status=200, content_type="image/png", body=PNG))
        self.open("/places")
        question = self.page.get_by_role("region", name="Streets on the map")
        expect(question).to_contain_text("Your browser asks it for map squares around what you look at.")
        with self.page.expect_request("https://tile.openstreetmap.org/**"):
            self.button("Show streets", question).click()
        expect(self.page.locator(".credit")).to_contain_text("OpenStreetMap contributors")
        expect(question).to_have_count(0)

    def test_no_is_an_answer(self):
        self.open("/places")
        question = self.page.get_by_role("region", name="Streets on the map")
        self.button("Without", question).click()
        expect(question).to_have_count(0)
        self.open("/now")
        expect(self.page.locator("fence-map canvas")).to_be_visible()
        expect(self.page.locator(".streets")).to_have_count(0)
        self.until(lambda: self.api("GET", "/session")["streets"] == "none", "the server begins with it")


class Start(Web):
    def test_from_nothing_to_an_alarm(self):
        for place in self.api("GET", "/places")["places"]:
            self.api("DELETE", f"/places/{quote(place['title'])}")
        self.open("/start")
        self.page.get_by_label("A place").first.get_by_role("textbox").fill("52.5200, 13.4050")
        self.page.locator(".found button").first.click()
        dialog = self.page.locator("dialog")
        dialog.get_by_label("Name").fill("First bakery")
        self.button("Use this fence", dialog).click()
        expect(self.page.locator("[data-step='1']")).to_contain_text("First bakery")
        self.page.locator("[data-step='2']").get_by_label("Reminder").fill("Buy bread")
        self.button("Add", self.page.locator("[data-step='2']")).click()
        expect(self.page.locator("[data-step='2']")).to_contain_text("“Buy bread” waits at First bakery.")
        self.button("Try an alarm").click()
        expect(self.page.locator("[data-step=try] [role=status]")).to_contain_text("Buy bread", timeout=30000)
        for item in self.api("GET", "/items?text=bread")["items"]:
            self.api("DELETE", f"/items/{item['id']}")
        self.api("DELETE", "/places/First%20bakery")

    def test_now_leads_there_until_it_is_left(self):
        self.open("/now")
        expect(self.page.locator(".first").get_by_role("link")).to_contain_text("First steps")
        self.page.locator(".first").get_by_role("link").click()
        self.button("Leave").click()
        expect(self.page.locator("#nav a[aria-current=page]")).to_have_text("Now")
        self.page.reload()
        expect(self.page.locator("#main h1")).to_have_count(1)
        expect(self.page.locator(".first a")).to_have_count(0)


if __name__ == "__main__":
    unittest.main()
