"""Titles that are HTML, other origins, rules of the page itself."""

import http.server
import re
import threading
import unittest

from playwright.sync_api import expect

from support import BASE, Web, day

NASTY = "<img src=x onerror=\"document.title='broken'\"><script>document.title='broken'</script>&amp;"
PAGES = ("/now", "/agenda?view=day", "/agenda?view=month", "/lists", "/places", "/log", "/settings")


class Titles(Web):
    def test_titles_that_are_html_are_shown_as_text(self):
        here = self.make_list(NASTY)
        place = {"title": NASTY.replace("/", " "), "latitude": 51.05, "longitude": 13.74, "radius": 100}
        item = self.make("reminder", NASTY, here, due=f"{day()}T23:59", notes=NASTY, tags=["<b>"], alarms=[{"proximity": "enter", "place": place}])
        self.make("event", NASTY, here, start=f"{day()}T10:00", end=f"{day()}T11:00", location=NASTY)
        for path in (*PAGES, f"/lists/{here}", f"/item/{item['id']}"):
            with self.subTest(path):
                self.open(path)
                expect(self.page.locator("#main h1")).to_have_count(1)
                self.page.wait_for_timeout(150)
                self.assertEqual(self.page.locator("#main img, #main script").count(), 0)
                self.assertNotEqual(self.page.title(), "broken")
        self.open("/agenda?view=day")
        expect(self.page.locator("#main .title").filter(has_text="<script>").first).to_be_visible()

    def test_a_link_that_is_a_script_is_not_a_link(self):
        item = self.make("reminder", "Link", url="https://example.org/")
        self.page.route(f"**/api/v1/items/{item['id']}", lambda route: route.fulfill(json={**item, "url": "javascript:document.title='broken'"}))
        self.open(f"/item/{item['id']}")
        self.assertEqual(self.page.locator("#main a[href^='javascript']").count(), 0)


class Origins(Web):
    """A page of another origin, opened in the browser that is signed in."""

    def setUp(self):
        super().setUp()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Stranger)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.stranger = f"http://127.0.0.1:{self.server.server_port}"

    def tearDown(self):
        self.server.shutdown()
        self.server.server_close()
        super().tearDown()

    def test_another_origin_reads_and_changes_nothing(self):
        for part in ("CORS", "Failed to load resource", "blocked", "Refused", "ERR_"):
            self.allow(part)
        before = len(self.api("GET", "/items?completed=all")["items"])
        self.page.goto(self.stranger)
        outcome = self.page.evaluate(
            """async (base) => {
              const tries = {
                read: () => fetch(base + "/api/v1/items", { credentials: "include" }).then((a) => a.text()),
                write: () => fetch(base + "/api/v1/items", { method: "POST", credentials: "include", headers: { "Content-Type": "application/json" }, body: '{"text":"from elsewhere"}' }).then((a) => a.text()),
                plain: () => fetch(base + "/api/v1/items", { method: "POST", mode: "no-cors", credentials: "include", headers: { "Content-Type": "text/plain" }, body: '{"text":"from elsewhere"}' }).then((a) => a.text()),
              };
              const made = {};
              for (const [name, run] of Object.entries(tries)) made[name] = await run().catch(() => "refused");
              return made;
            }""", BASE)
        self.assertEqual(outcome["read"], "refused")
        self.assertEqual(outcome["write"], "refused")
        self.assertIn(outcome["plain"], ("", "refused"))
        self.page.goto(BASE + "/settings")
        self.assertEqual(len(self.api("GET", "/items?completed=all")["items"]), before)

    def test_a_form_of_another_origin_changes_nothing(self):
        for part in ("Failed to load resource", "ERR_", "Refused"):
            self.allow(part)
        before = len(self.api("GET", "/items?completed=all")["items"])
        self.page.goto(f"{self.stranger}/form?{BASE}")
        self.page.locator("button").click()
        self.page.wait_for_load_state()
        self.page.goto(BASE + "/settings")
        self.assertEqual(len(self.api("GET", "/items?completed=all")["items"]), before)

    def test_it_is_not_shown_in_a_frame(self):
        for part in ("frame", "Refused", "ERR_"):
            self.allow(part)
        self.page.goto(f"{self.stranger}/frame?{BASE}")
        self.page.wait_for_timeout(500)
        self.assertEqual([frame.locator("#nav").count() for frame in self.page.frames[1:]], [0])

    def test_a_rebound_host_name_gets_nothing(self):
        answer = self.context.request.get(BASE + "/api/v1/items", headers={"Host": "rebound.example"})
        self.assertGreaterEqual(answer.status, 400)
        self.assertNotIn("items", answer.text())


class Stranger(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        path, _, base = self.path.partition("?")
        text = {
            "/form": f'<form method="post" enctype="text/plain" action="{base}/api/v1/items"><input name=\'{{"text":"from elsewhere","x":"\' value=\'"}}\'><button>go</button></form>',
            "/frame": f'<iframe src="{base}/now"></iframe>',
        }.get(path, "elsewhere").encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *arguments):
        pass


class Rules(Web):
    def test_the_policy(self):
        answer = self.context.request.get("/now")
        policy = answer.headers["content-security-policy"]
        for part in ("default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'", "require-trusted-types-for 'script'"):
            self.assertIn(part, policy)
        self.assertNotIn("unsafe", policy)
        self.assertEqual(answer.headers["x-content-type-options"], "nosniff")

    def test_the_page_asks_its_own_server_alone(self):
        elsewhere = []
        self.page.on("request", lambda request: elsewhere.append(request.url) if not request.url.startswith((BASE, "data:")) else None)
        for path in PAGES:
            self.open(path)
        self.assertEqual(elsewhere, [])


class Addresses(Web):
    def test_addresses_that_are_not_well_formed_say_so(self):
        for path in ("/item/%E0%A4%A", "/lists/%ff", "/places/%"):
            self.page.goto(path)
            expect(self.page.get_by_role("heading", name="There is no such page.")).to_be_visible()
            expect(self.page.locator("#nav")).to_contain_text("Agenda")

    def test_back_twice_asks_once(self):
        self.own_list()
        self.open("/now")
        self.page.get_by_role("link", name="Agenda", exact=True).first.click()
        self.page.get_by_role("link", name="Event", exact=True).first.click()
        self.page.get_by_label("Title", exact=True).fill("Unsaved")
        self.page.evaluate("history.back()")
        expect(self.page.locator("dialog")).to_be_visible()
        self.page.evaluate("history.back()")
        self.page.wait_for_timeout(300)
        expect(self.page.locator("dialog")).to_have_count(1)
        self.assertIn("/new", self.page.url)
        self.button("Leave", self.page.locator("dialog")).click()
        expect(self.page).to_have_url(re.compile("/agenda"))

    def test_what_is_typed_outlives_the_session(self):
        self.open("/now")
        self.context.route("**/api/v1/items", lambda route: route.fulfill(status=401, json={"title": "Not signed in"}))
        self.allow("status of 401")
        box = self.page.get_by_label("New reminder")
        box.fill("Very important")
        box.press("Enter")
        self.toast("Kept until you sign in: Very important")
        self.context.unroute("**/api/v1/items")
        self.page.reload()
        self.toast("What was kept while offline is saved now.")
        self.assertEqual(len(self.api("GET", "/items?text=Very%20important")["items"]), 1)


class Keys(Web):
    def test_single_keys_can_be_turned_off(self):
        self.open("/now")
        self.page.keyboard.press("?")
        dialog = self.page.locator("dialog")
        dialog.get_by_label("Use these keys").uncheck()
        self.button("Close", dialog).click()
        self.page.keyboard.press("2")
        self.page.wait_for_timeout(200)
        self.assertTrue(self.page.url.endswith("/now"))
        self.button("Keys").click()
        dialog.get_by_label("Use these keys").check()
        self.button("Close", dialog).click()
        self.page.keyboard.press("2")
        expect(self.page).to_have_url(re.compile("/agenda"))


if __name__ == "__main__":
    unittest.main()
