"""A page stays with the files of the program that made it."""

import re
import unittest
import urllib.request
from urllib.error import HTTPError

from playwright.sync_api import expect

from support import BASE, Web

OLD = "0" * 16


class Versions(Web):
    def version(self):
        return re.search(r"/assets/(\w{16})/app\.js", self.page.content()).group(1)

    def test_a_version_that_is_gone_has_no_files(self):
        self.open("/now")
        with urllib.request.urlopen(f"{BASE}/assets/{self.version()}/app.js") as answer:
            self.assertIn("immutable", answer.headers["Cache-Control"])
        with self.assertRaises(HTTPError) as gone:
            urllib.request.urlopen(f"{BASE}/assets/{OLD}/app.js")
        self.assertEqual(gone.exception.code, 404)
        gone.exception.close()

    def test_an_open_page_is_replaced_when_it_needs_a_file_that_is_gone(self):
        self.open("/now")
        version = self.version()
        self.page.close()
        self.page = self.new_page(self.context)
        shown = []

        def shell(route):
            # The page of an earlier program.
            shown.append(route.request.url)
            answer = route.fetch()
            route.fulfill(response=answer, body=answer.text().replace(version, OLD))

        def asset(route):
            # What it has loaded before the update; the rest is asked of the new program.
            if route.request.method == "HEAD" or route.request.url.endswith(("/agenda.js", "/when.js")):
                return route.continue_()
            route.fulfill(response=route.fetch(url=route.request.url.replace(OLD, version)))

        self.page.route("**/now", shell, times=1)
        self.page.route(f"**/assets/{OLD}/**", asset)
        self.allow("404")
        self.open("/now")
        self.assertIn(OLD, self.page.content())
        self.page.locator("#nav .places").get_by_role("link", name="Agenda", exact=True).click()
        expect(self.page.locator("#nav a[aria-current=page]")).to_have_text("Agenda")
        expect(self.page.locator(f"script[src='/assets/{version}/app.js']")).to_have_count(1)
        self.assertEqual(len(shown), 1)


if __name__ == "__main__":
    unittest.main()
