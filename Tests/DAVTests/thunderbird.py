"""Thunderbird without a screen, driven through Marionette, the interface that Mozilla's programs offer to tests."""

import json
import pathlib
import socket
import subprocess
import time

PREFERENCES = {
    # A free port, which it writes to its profile.
    "marionette.port": 0,
    "calendar.timezone.local": "Europe/Berlin",
    "calendar.alarms.show": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    # Marionette's default is that passwords are not stored.
    "signon.rememberSignons": True,
    "mail.provider.suppress_dialog_on_startup": True,
}
# Calendars and helpers for all scripts.
PRELUDE = """
const {cal} = ChromeUtils.importESModule("resource:///modules/calendar/calUtils.sys.mjs");
const {CalTodo} = ChromeUtils.importESModule("resource:///modules/CalTodo.sys.mjs");
const {CalEvent} = ChromeUtils.importESModule("resource:///modules/CalEvent.sys.mjs");
const named = name => cal.manager.getCalendars().find(one => one.type == "caldav" && one.name == name);
const all = calendar => calendar.getItemsAsArray(Ci.calICalendar.ITEM_FILTER_ALL_ITEMS, 0, null, null);
"""


class Thunderbird:
    """A Thunderbird with a profile of its own."""

    def __init__(self, home, surroundings, patience):
        self.patience = patience
        profile = pathlib.Path(home) / "thunderbird"
        profile.mkdir()
        (profile / "user.js").write_text(
            "".join(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items()))
        self.process = subprocess.Popen(
            ["thunderbird", "--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile",
             str(profile)], env={**surroundings, "MOZ_HEADLESS": "1"}, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        try:
            port = self.await_port(profile / "MarionetteActivePort")
            self.socket = socket.create_connection(("127.0.0.1", port), timeout=patience)
            self.replies = self.socket.makefile("rb")
            self.number = 0
            self.receive()
            self.command("WebDriver:NewSession", {})
            # Scripts run as the program itself.
            self.command("Marionette:SetContext", {"value": "chrome"})
            self.command("WebDriver:SetTimeouts", {"script": patience * 1000})
        except BaseException:
            self.end()
            raise

    def await_port(self, path):
        until = time.monotonic() + self.patience
        while time.monotonic() < until:
            if self.process.poll() is not None:
                raise AssertionError(f"Thunderbird ended with {self.process.returncode}")
            if path.exists() and (text := path.read_text().strip()):
                return int(text)
            time.sleep(0.1)
        raise AssertionError("Thunderbird does not start")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        self.process.terminate()
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def receive(self):
        """One message: its length in bytes, a colon, and JSON."""
        digits = b""
        while (byte := self.replies.read(1)) != b":":
            if not byte:
                raise AssertionError("Thunderbird has ended the connection")
            digits += byte
        return json.loads(self.replies.read(int(digits)))

    def command(self, name, arguments):
        self.number += 1
        message = json.dumps([0, self.number, name, arguments]).encode()
        self.socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, result = self.receive()
        if error:
            raise AssertionError(f"{name}: {error}")
        return result

    def __call__(self, script, *arguments):
        """Runs the body of an asynchronous function, and returns what that returns."""
        whole = ("const given = [...arguments]; const done = given.pop();"
                 f"(async () => {{ {PRELUDE} {script} }})().then(value => done({{value}}),"
                 " error => done({error: `${error} ${error.message ?? ''} ${error.stack ?? ''}`}));")
        answer = self.command("WebDriver:ExecuteAsyncScript", {
            "script": whole, "args": list(arguments), "newSandbox": True, "sandbox": "system"})["value"]
        # A dialog has ended the script.
        assert answer, script
        if "error" in answer:
            raise AssertionError(answer["error"])
        return answer.get("value")

    def await_texts(self, name, is_reached):
        """Synchronizes until the items of a calendar, each with its changed occurrences, are what is expected."""
        until = time.monotonic() + self.patience
        while True:
            texts = self("""
                const calendar = named(given[0]);
                calendar.refresh();
                const changed = one => one.recurrenceInfo?.getExceptionIds() ?? [];
                return (await all(calendar)).map(one => one.icalString
                  + changed(one).map(id => one.recurrenceInfo.getExceptionFor(id).icalString).join(""));""", name)
            if is_reached(texts):
                return texts
            assert time.monotonic() < until, texts
            time.sleep(0.2)
