"""Measures the pages with 10,000 open reminders, 600 events and a day of 100,000 positions, and the server with 200 pages."""

import datetime
import http.client
import math
import os
import pathlib
import sqlite3
import statistics
import sys
import time
from urllib.parse import urlsplit

from support import BASE, Web, browser, day

REMINDERS, EVENTS, POSITIONS, ROUNDS = 10_000, 600, 100_000, 7
DATA = pathlib.Path(os.environ["XDG_DATA_HOME"], "fencepost")

# Runs an action, waits until it shows, and until that is painted.
TIMED = """async () => {
  const act = () => { ACTION }, isShown = () => { SHOWN };
  const state = { page: document.querySelector("#main .page") }, begin = performance.now();
  act();
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  while (!isShown()) {
    if (performance.now() - begin > 20000) throw new Error("not shown");
    await frame();
  }
  await frame();
  await new Promise((resolve) => setTimeout(resolve));
  return performance.now() - begin;
}"""
NEW_PAGE = "return state.page !== document.querySelector('#main .page') && document.querySelector('#main h1')"


def click(selector):
    return f"document.querySelector({selector!r}).click()"


class Speed(Web):
    def runTest(self):
        self.fill()
        self.open("/now")
        self.cdp = self.context.new_cdp_session(self.page)
        self.cdp.send("Performance.enable", {"timeDomain": "threadTicks"})
        agenda = click("#nav a[href='/agenda']")
        self.measure("open the agenda (week)", agenda, NEW_PAGE, prepare=lambda: self.visit("/now"))
        for view in ("day", "week", "month", "list"):
            other = "week" if view != "week" else "day"
            self.measure(f"switch to {view}", click(f".switch a[href*='view={view}']"), NEW_PAGE,
                         prepare=lambda other=other: self.visit(f"/agenda?view={other}&day={day()}"))
        self.measure("open all lists", click("#nav a[href='/lists']"), NEW_PAGE, prepare=lambda: self.visit("/now"))
        tick = "state.row = document.querySelector('#main .row.reminder:not(.done)'); state.row.querySelector('.tick').click()"
        for name, path in (("the day", f"/agenda?view=day&day={day()}"), ("all lists", "/lists")):
            self.measure(f"tick in {name}: shown", tick, "return !state.row.isConnected || state.row.classList.contains('done')",
                         prepare=lambda path=path: self.visit(path))
            self.measure(f"tick in {name}: settled", tick, "return !state.row.isConnected", prepare=lambda path=path: self.visit(path))
        search = ("const box = document.querySelector('input[type=search]'); box.value = 'Number 77';"
                  "box.dispatchEvent(new Event('input', { bubbles: true }))")
        self.measure("search", search, "return [...document.querySelectorAll('#main .row .title')].every((one) => one.textContent.includes('77'))",
                     prepare=lambda: self.visit("/lists"))
        drag = """const from = document.querySelector('#main .column .row.reminder'), data = new DataTransfer();
          const columns = [...document.querySelectorAll('#main .column')], here = from.closest('.column');
          const to = columns[(columns.indexOf(here) + 1) % 7];
          from.dispatchEvent(new DragEvent('dragstart', { bubbles: true, dataTransfer: data }));
          for (const kind of ['dragover', 'drop']) to.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: data }));
          from.dispatchEvent(new DragEvent('dragend', { bubbles: true }));
          [state.row, state.to] = [from, to]"""
        for name, shown in (("shown", "return !state.row.isConnected || state.to.contains(state.row)"), ("settled", "return !state.row.isConnected")):
            self.measure(f"drag to another day: {name}", drag, shown, prepare=lambda: self.visit(f"/agenda?view=week&day={day()}"))
        self.measure("open a reminder", click("#main .row.reminder a"), NEW_PAGE, prepare=lambda: self.visit("/lists"))
        self.day_on_the_map()
        self.context.close()
        self.server()

    def fill(self):
        now = datetime.datetime.now()
        lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//x//x//EN"]
        for number in range(REMINDERS + EVENTS):
            at = (now + datetime.timedelta(hours=number * 24 * 360 / REMINDERS - 24 * 180)) if number < REMINDERS else (
                now + datetime.timedelta(hours=(number - REMINDERS) * 3 - 900))
            kind, key = ("VTODO", "DUE") if number < REMINDERS else ("VEVENT", "DTSTART")
            lines += [f"BEGIN:{kind}", f"UID:speed-{number}", "DTSTAMP:20260101T000000Z", f"SUMMARY:Number {number}",
                      f"{key};TZID=Europe/Berlin:{at:%Y%m%dT%H%M%S}", *(["DURATION:PT1H"] if kind == "VEVENT" else []), f"END:{kind}"]
        file = DATA / "speed.ics"
        file.write_text("\r\n".join([*lines, "END:VCALENDAR", ""]))
        self.command("import", str(file), "--list", "Speed")
        self.api("POST", "/positions?device=phone", {"latitude": 51, "longitude": 13, "accuracy": 5})
        while not self.api("GET", "/devices")["devices"]:
            time.sleep(0.1)
        start = datetime.datetime.fromisoformat(f"{day(-1)}T00:00:00").astimezone().timestamp()
        store = sqlite3.connect(DATA / "calendar.sqlite", timeout=30)
        with store:
            (device,) = store.execute("SELECT row FROM devices WHERE name = 'phone'").fetchone()
            store.executemany(
                "INSERT INTO positions (device, time_at, latitude, longitude, accuracy) VALUES (?, ?, ?, ?, 5)",
                ((device, int((start + number * 86400 / POSITIONS) * 1e6), 51 + math.sin(number / 900) / 10 + number % 7 * 1e-5,
                  13 + math.cos(number / 1300) / 10) for number in range(POSITIONS)))
        store.close()

    def visit(self, path):
        """Shows a page without loading the app again."""
        self.page.evaluate("""(path) => new Promise((resolve) => {
          if (location.pathname + location.search === path) return resolve();
          addEventListener("routed", () => resolve(), { once: true });
          history.pushState(null, "", path);
          dispatchEvent(new PopStateEvent("popstate"));
        })""", path)

    def measure(self, name, action, shown, prepare):
        rounds = []
        for _ in range(ROUNDS):
            prepare()
            self.page.wait_for_timeout(400)
            before = self.processor()
            whole = self.page.evaluate(TIMED.replace("ACTION", action).replace("SHOWN", shown))
            rounds.append((whole, *(after - one for one, after in zip(before, self.processor()))))
        # The first loads the modules.
        whole, page, server = zip(*rounds[1:])
        print(f"{name}: {statistics.median(whole):.0f} ms (worst {max(whole):.0f}, first {rounds[0][0]:.0f}); "
              f"processor: page {statistics.median(page):.0f} ms, server {statistics.median(server):.0f} ms", flush=True)

    def processor(self):
        """Milliseconds that the page's thread and the server have used, which other programs do not change."""
        metrics = {one["name"]: one["value"] for one in self.cdp.send("Performance.getMetrics")["metrics"]}
        tasks = pathlib.Path(f"/proc/{os.environ['FENCEPOST_DAEMON']}/task").iterdir()
        return metrics["TaskDuration"] * 1000, sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e6

    def day_on_the_map(self):
        for address in (f"/day/{day(-1)}?device=phone", f"/day/{day(-1)}"):
            self.measure(f"open a day of {POSITIONS} positions, {address}",
                         f"history.pushState(null, '', '{address}'); dispatchEvent(new Event('popstate'))",
                         NEW_PAGE, prepare=lambda: self.visit("/now"))
        frames = self.page.evaluate("""async () => {
          const map = document.querySelector("fence-map"), slider = document.querySelector("input[type=range]"), frames = [];
          const { paint } = await import(new URL("./map-paint.js", document.querySelector("script[type=module]").src));
          const timed = (run) => { const begin = performance.now(); run(); paint(map); frames.push(performance.now() - begin); };
          for (let i = 0; i < 60; i++) timed(() => { slider.value = i * 1400; slider.dispatchEvent(new Event("input")); });
          for (let i = 0; i < 60; i++) timed(() => map.zoom(i % 2 ? 1.3 : 1 / 1.3));
          return [map.content.tracks[0].points.length, ...frames];
        }""")
        points, frames = frames[0], frames[1:]
        print(f"a frame of that map, {points} points: {statistics.median(frames):.1f} ms (worst {max(frames):.1f})", flush=True)

    def server(self):
        """Without a page, and with 200."""
        pid = os.environ["FENCEPOST_DAEMON"]
        cookie = "; ".join(f"{one['name']}={one['value']}" for one in browser_cookies())
        time.sleep(3)
        before = wakeups(pid)
        time.sleep(30)
        print(f"30 s without a page: {wakeups(pid) - before} wake-ups", flush=True)
        memory, pages = resident(pid), []
        for _ in range(200):
            one = http.client.HTTPConnection(urlsplit(BASE).netloc)
            one.request("GET", "/api/v1/events", headers={"Cookie": cookie})
            assert one.getresponse().status == 200
            pages.append(one)
        print(f"200 open pages: {(resident(pid) - memory) / 1e6:.1f} MB", flush=True)
        for one in pages:
            one.close()


def browser_cookies():
    import support
    return support._browser["state"]["cookies"]


def resident(pid):
    return int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def wakeups(pid):
    found = 0
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        fields = dict(line.split(":", 1) for line in (task / "status").read_text().splitlines())
        found += int(fields["voluntary_ctxt_switches"])
    return found


if __name__ == "__main__":
    import unittest
    browser()
    sys.exit(not unittest.TextTestRunner().run(Speed()).wasSuccessful())
