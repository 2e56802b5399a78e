"""The keyboard alone: every way through the app without a pointer."""

import unittest

from playwright.sync_api import expect

from support import Web, day


class Keys(Web):
    def focused(self):
        return self.page.evaluate("document.activeElement.textContent + '|' + document.activeElement.tagName")

    def test_rows_by_arrows_done_and_undo(self):
        here = self.make_list()
        for number in (1, 2):
            self.make("reminder", f"Task {number}", here, due=f"{day()}T23:5{number}")
        self.open(f"/lists/{here}")
        keyboard = self.page.keyboard
        keyboard.press("ArrowDown")
        self.assertIn("Task 1", self.focused())
        keyboard.press("ArrowDown")
        self.assertIn("Task 2", self.focused())
        keyboard.press("d")
        self.toast("Done: Task 2")
        expect(self.row("Task 2")).to_have_count(0)
        keyboard.press("z")
        expect(self.row("Task 2")).to_have_count(1)

    def test_new_by_n_and_edit_by_e(self):
        here = self.make_list()
        self.open(f"/lists/{here}")
        keyboard = self.page.keyboard
        keyboard.press("n")
        keyboard.type("Typed only")
        keyboard.press("Enter")
        expect(self.row("Typed only")).to_have_count(1)
        keyboard.press("Escape")
        keyboard.press("ArrowDown")
        keyboard.press("e")
        expect(self.page.get_by_label("Title")).to_have_value("Typed only")
        self.page.get_by_label("Title").press("End")
        keyboard.type("!")
        keyboard.press("Enter")
        self.toast("Saved: Typed only!")

    def test_help_and_its_end(self):
        self.open("/now")
        self.page.keyboard.press("?")
        expect(self.page.locator("dialog")).to_contain_text("A day earlier or later")
        self.page.keyboard.press("Escape")
        expect(self.page.locator("dialog")).to_have_count(0)

    def test_pages_and_the_agenda(self):
        self.open("/now")
        self.page.keyboard.press("2")
        expect(self.page.locator("#nav a[aria-current]")).to_have_text("Agenda")
        # The title before is that of the page before.
        expect(self.page.locator("#main .agenda")).to_be_visible()
        title = self.page.locator("#main h1").inner_text()
        self.page.keyboard.press("ArrowRight")
        expect(self.page.locator("#main h1")).not_to_have_text(title)
        self.page.keyboard.press("t")
        expect(self.page.locator("#main h1")).to_have_text(title)

    def test_a_day_later(self):
        item = self.make("reminder", "Postpone", due=f"{day(1)}T09:00")
        self.open(f"/agenda?view=day&day={day(1)}")
        self.row("Postpone").get_by_role("link").focus()
        self.page.keyboard.press(">")
        self.toast("Postpone")
        self.assertEqual(self.api("GET", f"/items/{item['id']}")["due"][:16], f"{day(2)}T09:00")

    def test_the_first_tab_skips_to_the_content(self):
        self.open("/agenda")
        self.page.keyboard.press("Tab")
        self.assertIn("Skip to content", self.focused())
        self.page.keyboard.press("Enter")
        expect(self.page.locator("#main")).to_be_focused()

    def test_the_focus_stays_where_it_was_after_an_update(self):
        here = self.make_list()
        self.make("reminder", "First", here, due=f"{day(1)}T09:00")
        self.make("reminder", "Second", here, due=f"{day(2)}T09:00")
        self.open(f"/lists/{here}")
        self.row("Second").get_by_role("link").focus()
        self.make("reminder", "Zeroth", here, due=f"{day(0)}T09:00")
        expect(self.row("Zeroth")).to_have_count(1)
        self.assertIn("Second", self.focused())


if __name__ == "__main__":
    unittest.main()
