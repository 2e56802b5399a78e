"""Agenda and lists on paper, and times of another zone."""

import io
import unittest

from playwright.sync_api import expect
from pypdf import PdfReader

from support import Web, day


class Paper(Web):
    def printed(self):
        """The text of the page as a PDF."""
        pages = PdfReader(io.BytesIO(self.page.pdf(format="A4", print_background=False))).pages
        return "\n".join(page.extract_text() for page in pages) + "\n"

    def test_a_list_has_its_entries_and_nothing_to_press(self):
        here = self.make_list("Shopping")
        for number in range(60):
            self.make("reminder", f"Thing {number}", here, due=f"{day(1)}T10:00")
        self.open(f"/lists/{here}")
        text = self.printed()
        self.assertIn("Shopping", text)
        for number in range(60):
            self.assertIn(f"Thing {number}\n", text.replace("Tomorrow", "\n"))
        for word in ("Add", "Select", "Settings", "Smart", "Sign out"):
            self.assertNotIn(word, text)

    def test_a_week_has_all_its_hours(self):
        here = self.make_list()
        for hour in ("02", "12", "22"):
            self.make("event", f"At {hour}", here, start=f"2027-03-02T{hour}:00", end=f"2027-03-02T{hour}:50", time_zone="Europe/Berlin")
        self.open("/agenda?view=week&day=2027-03-02")
        # Names are broken where a column is narrow.
        text = " ".join(self.printed().split())
        for hour in ("02", "12", "22"):
            self.assertIn(f"At {hour}", text)


class Zone(Web):
    def test_a_zone_that_is_not_the_browsers_is_said(self):
        self.open("/agenda")
        expect(self.page.locator("#main")).not_to_contain_text("not of this browser")
        context = self.new_context(timezone_id="Asia/Tokyo")
        page = self.new_page(context)
        for path in ("/agenda", "/now"):
            page.goto(path)
            expect(page.locator("#main")).to_contain_text("Times of Europe/Berlin, not of this browser (Asia/Tokyo)")
        context.close()


if __name__ == "__main__":
    unittest.main()
