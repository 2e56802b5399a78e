"""Changes and their undo, search everywhere, and the way back."""

import unittest

from playwright.sync_api import expect

from support import Web, day


class Changes(Web):
    def test_each_step_can_be_undone(self):
        here = self.make_list()
        for title in ("Step one", "Step two", "Step three"):
            self.make("reminder", title, here)
        self.open("/changes")
        self.button("Undo: Added: Step two").click()
        dialog = self.page.locator("dialog")
        expect(dialog).to_contain_text("This undoes 1 later change too.")
        expect(dialog).to_contain_text("Added: Step three")
        self.button("Undo", dialog).click()
        self.toast("Undone: Added: Step two")
        titles = lambda: [item["title"] for item in self.api("GET", f"/items?list={here}")["items"]]
        self.assertEqual(titles(), ["Step one"])
        self.button("Redo: Added: Step three").click()
        self.button("Redo", dialog).click()
        self.toast("Done again: Added: Step three")
        self.assertEqual(titles(), ["Step one", "Step two", "Step three"])

    def test_words_of_a_step_name_the_item(self):
        item = self.make("reminder", "Milk")
        self.api("PATCH", f"/items/{item['id']}", {"notes": "two"})
        self.api("POST", f"/items/{item['id']}/complete", {})
        self.api("DELETE", f"/items/{item['id']}")
        self.open("/changes")
        titles = self.page.locator("#main .title")
        for number, text in enumerate(("Deleted: Milk", "Done: Milk", "Changed: Milk", "Added: Milk")):
            expect(titles.nth(number)).to_have_text(text)

    def test_z_asks_before_it_undoes_what_another_program_did(self):
        here = self.make_list("Other")
        self.command("add", "reminder", "Of the command line", "--list", "Other")
        self.open(f"/lists/{here}")
        self.page.keyboard.press("z")
        dialog = self.page.locator("dialog")
        expect(dialog).to_contain_text("Undo what another program did?")
        expect(dialog).to_contain_text("Of the command line")
        self.button("Cancel", dialog).click()
        self.assertEqual(self.api("GET", f"/items?list={here}")["total"], 1)
        self.page.keyboard.press("z")
        self.button("Undo", dialog).click()
        self.toast("Undone")
        self.assertEqual(self.api("GET", f"/items?list={here}")["total"], 0)


class Search(Web):
    def test_search_finds_everything(self):
        here = self.make_list("Paint shop")
        self.api("PUT", "/places/Paint%20store", {"title": "Paint store", "latitude": 51, "longitude": 13, "radius": 100})
        self.make("reminder", "Red paint", here, tags=["painting"])
        done = self.make("reminder", "Blue paint", here)
        self.api("POST", f"/items/{done['id']}/complete", {})
        self.make("event", "Paint the wall", here, start=f"{day(1)}T10:00", end=f"{day(1)}T11:00")
        self.open("/agenda")
        self.page.keyboard.press("/")
        expect(self.page.get_by_role("heading", name="Search")).to_be_visible()
        self.page.keyboard.type("paint")
        main = self.page.locator("#main")
        for name in ("Red paint", "Blue paint", "Paint the wall", "Paint store", "Paint shop", "#painting"):
            expect(main.get_by_role("link", name=name).first).to_be_visible()
        expect(main.get_by_role("status")).to_have_text("6 found")
        self.page.reload()
        expect(self.row("Red paint")).to_be_visible()
        self.page.get_by_label("Search everywhere").fill("#painting")
        expect(self.row("Blue paint")).to_have_count(0)
        expect(self.row("Red paint")).to_have_count(1)
        self.page.get_by_label("Search everywhere").fill("nothing like it")
        expect(main).to_contain_text("Nothing was found.")
        self.api("DELETE", "/places/Paint%20store")


class Back(Web):
    def test_back_is_where_the_reader_was(self):
        here = self.make_list()
        for number in range(40):
            self.make("reminder", f"Task {number}", here, due=f"{day(1)}T{10 + number // 10}:{number % 10:02}")
        self.open(f"/lists/{here}")
        link = self.row("Task 30").get_by_role("link")
        link.focus()
        # The click itself may scroll.
        self.page.evaluate("addEventListener('click', () => (window.clickedAt = scrollY), { capture: true, once: true })")
        link.click()
        expect(self.page.get_by_label("Title")).to_have_value("Task 30")
        self.button("Cancel").click()
        expect(link).to_be_focused()
        scrolled = self.page.evaluate("clickedAt")
        self.assertGreater(scrolled, 300)
        self.page.wait_for_function("Math.abs(scrollY - clickedAt) < 60")


if __name__ == "__main__":
    unittest.main()
