"""The files of the pages, without a server: the worker's list, the translation, the size, no markup from data."""

import json
import pathlib
import re
import unittest

PAGES = pathlib.Path(__file__).resolve().parent.parent.parent / "Sources" / "WebApp" / "Pages"
SCRIPTS = sorted(PAGES.glob("*.js"))


class Files(unittest.TestCase):
    def test_the_worker_keeps_every_module(self):
        text = (PAGES / "sw.js").read_text()
        listed = set(re.findall(r'"([\w-]+)"', text[text.index("...["):text.index("]", text.index("...["))]))
        self.assertEqual(listed, {script.stem for script in SCRIPTS} - {"sw"})

    def test_german_has_every_text(self):
        table = json.loads((PAGES / "de.json").read_text())
        wanted = set()
        for script in SCRIPTS:
            text = script.read_text()
            wanted |= {json.loads(f'"{found}"') for found in re.findall(r'\bt\(\s*"((?:[^"\\]|\\.)*)"', text)}
            for found in re.findall(r'\bn\(\s*[^,()]+(?:\([^()]*\))?[^,()]*,\s*"((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)"', text):
                wanted |= set(found)
        wanted |= set(re.findall(r"\[\[([^\]]+)\]\]", (PAGES / "signin.html").read_text())) - {"problem"}
        self.assertEqual(sorted(wanted - set(table)), [])
        for english, german in table.items():
            self.assertEqual(sorted(re.findall(r"\{\w+\}", english)), sorted(re.findall(r"\{\w+\}", german)), english)

    def test_no_markup_is_made_of_data(self):
        for script in SCRIPTS:
            for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"):
                self.assertNotIn(word, script.read_text(), script.name)

    def test_nothing_is_inline(self):
        for page in PAGES.glob("*.html"):
            self.assertNotRegex(page.read_text(), r"<style|style=|\son\w+=|<script(?![^>]*src)", page.name)

    def test_a_file_has_one_topic(self):
        for script in SCRIPTS:
            lines = script.read_text().splitlines()
            self.assertLess(len(lines), 320, script.name)
            self.assertLessEqual(max(map(len, lines)), 120, script.name)


if __name__ == "__main__":
    unittest.main()
