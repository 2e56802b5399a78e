"""The same scenarios with each server."""

import time
import unittest

import servers
from proxy import Proxy
from store import Store


def todo(uid, *lines):
    inner = "\n".join(lines)
    return (
        f"BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//test//EN\nBEGIN:VTODO\nUID:{uid}\nDTSTAMP:20260101T000000Z\n{inner}\n"
        "END:VTODO\nEND:VCALENDAR\n"
    )


ALARM = (
    "BEGIN:VALARM\nUID:A\nTRIGGER;VALUE=DATE-TIME:19760401T005545Z\nX-APPLE-PROXIMITY:ARRIVE\n"
    "X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-APPLE-RADIUS=100;X-TITLE=Home:geo:52.399,13.064\nACTION:DISPLAY\n"
    "DESCRIPTION:Milk\nEND:VALARM"
)


class Scenarios:
    """Mixed into a test case that names the server."""

    server_class = None

    def setUp(self):
        if not self.server_class.is_installed():
            self.skipTest(f"{self.server_class.name} is not installed")
        self.server = self.server_class()
        self.stores = []

    def tearDown(self):
        self.server.stop()
        for store in self.stores:
            store.close()

    def store(self, port=None, add=True):
        store = Store(f"s{len(self.stores)}")
        self.stores.append(store)
        if add:
            store.add(self.server, port)
        return store

    def proxy(self):
        proxy = Proxy(self.server.port)
        self.addCleanup(proxy.stop)
        return proxy

    def quiet(self, *stores):
        """Synchronizes until nothing happens any more."""
        for _ in range(6):
            results = [store.sync() for store in stores]
            if all(one["pulled"] == one["pushed"] == one["conflicts"] == one["failed"] == 0 for one in results):
                return
        self.fail(f"not quiet: {results}")

    # What comes here and goes there

    def test_an_account_brings_what_the_server_has(self):
        self.server.put("a.ics", todo("a", "SUMMARY:Milk", "X-FOO:1"))
        store = self.store()
        self.assertEqual(list(store.items()), ["a"])
        again = store.sync()
        self.assertEqual((again["pulled"], again["pushed"], again["conflicts"], again["failed"]), (0, 0, 0, 0))
        account = store.lines(store.run("accounts", "list", "--json"))[0]
        self.assertEqual(account["failures"], 0)

    def test_changes_go_both_ways(self):
        store = self.store()
        store.run("add", "reminder", "Bread", "--list", store.list())
        self.assertEqual(store.sync()["pushed"], 1)
        name = self.server.names()[0]
        self.assertIn("SUMMARY:Bread", self.server.text(name))
        self.server.put(name, self.server.text(name).replace("SUMMARY:Bread", "SUMMARY:Rye bread"))
        self.assertEqual(store.sync()["pulled"], 1)
        self.assertIn("Rye bread", store.run("list").stdout)
        store.run("complete", "Rye bread")
        self.assertEqual(store.sync()["pushed"], 1)
        self.assertIn("STATUS:COMPLETED", self.server.text(name))
        store.run("remove", "Rye bread", "--yes")
        self.assertEqual(store.sync()["pushed"], 1)
        self.assertEqual(self.server.names(), [])
        self.quiet(store)

    def test_two_stores_merge(self):
        one, other = self.store(), self.store()
        one.run("add", "reminder", "Milk", "--list", one.list())
        self.quiet(one, other)
        one.run("edit", "Milk", "--notes", "2 litres")
        other.run("edit", "Milk", "--priority", "high")
        self.quiet(one, other, one)
        self.assertEqual(one.items(), other.items())
        text = one.run("export").stdout
        self.assertIn("DESCRIPTION:2 litres", text)
        self.assertIn("PRIORITY:1", text)

    def test_the_later_of_two_changes_wins_and_the_other_is_shown(self):
        one, other = self.store(), self.store()
        one.run("add", "reminder", "Milk", "--list", one.list())
        self.quiet(one, other)
        one.run("edit", "Milk", "--title", "Oat milk")
        time.sleep(1.1)
        other.run("edit", "Milk", "--title", "Soy milk")
        one.sync()
        self.assertEqual(other.sync()["conflicts"], 1)
        conflict = other.lines(other.run("accounts", "conflicts", "--json"))[0]
        self.assertEqual(conflict["lost"], ["SUMMARY:Oat milk"])
        self.quiet(one, other)
        self.assertIn("Soy milk", one.run("list").stdout)
        self.assertEqual(one.items(), other.items())

    def test_places_stay_whole_here_whatever_the_server_keeps(self):
        store = self.store()
        store.run("add", "reminder", "Milk", "--list", store.list(), "--arrive", "52.399,13.064", "--radius", "100")
        store.sync()
        name = self.server.names()[0]
        text = self.server.text(name)
        self.assertIn("PROXIMITY:ARRIVE", text)
        # Radicale cuts values at a plain comma.
        comma = "\\," if self.server.cuts_values else ","
        self.assertIn(f":geo:52.399{comma}13.064", text)
        self.server.put(name, text.replace("SUMMARY:Milk", "SUMMARY:Oat milk"))
        self.quiet(store)
        text = store.run("export").stdout.replace("\r\n ", "")
        self.assertIn("SUMMARY:Oat milk", text)
        self.assertIn(":geo:52.399,13.064", text.replace("\\,", ","))
        other = self.store()
        self.assertIn("13.064", other.run("export").stdout.replace("\r\n ", ""))

    def test_many_removals_on_the_server_wait_for_an_answer(self):
        store = self.store()
        for number in range(12):
            self.server.put(f"{number}.ics", todo(str(number), f"SUMMARY:Item {number}"))
        store.sync()
        for number in range(12):
            self.server.request("DELETE", self.server.list + f"{number}.ics")
        self.assertEqual(store.sync()["waiting_removals"], 12)
        self.assertEqual(len(store.items()), 12)
        store.sync("--yes")
        self.assertEqual(len(store.items()), 0)

    def test_a_new_list_here_is_created_there(self):
        store = self.store()
        store.run("lists", "add", "Errands", "--source", "Server")
        store.run("add", "reminder", "Stamps", "--list", "Errands")
        self.quiet(store)
        other = self.store()
        self.assertIn("Errands", other.run("lists").stdout)
        self.assertEqual(store.items(), other.items())

    def test_a_list_that_is_removed_here_is_removed_there(self):
        store = self.store()
        store.run("lists", "add", "Errands", "--source", "Server")
        store.run("add", "reminder", "Stamps", "--list", "Errands")
        other = self.store()
        self.quiet(store, other)
        store.run("lists", "remove", "Errands", "--yes")
        self.assertEqual(store.sync()["pushed"], 1)
        self.assertEqual(other.sync()["waiting_removals"], 1)
        other.sync("--yes")
        self.quiet(store, other)
        for one in (store, other):
            self.assertNotIn("Errands", one.run("lists").stdout)
            self.assertEqual(one.items(), {})

    def test_a_list_that_changed_there_comes_back(self):
        store = self.store()
        store.run("lists", "add", "Errands", "--source", "Server")
        store.run("add", "reminder", "Stamps", "--list", "Errands")
        other = self.store()
        self.quiet(store, other)
        other.run("edit", "Stamps", "--notes", "Ten")
        other.sync()
        store.run("lists", "remove", "Errands", "--yes")
        self.assertEqual(store.sync()["returned"], ["Errands"])
        self.quiet(store, other)
        self.assertEqual(store.items(), other.items())
        self.assertEqual(len(store.items()), 1)

    def test_a_removal_of_a_list_that_is_undone_changes_nothing(self):
        store = self.store()
        store.run("lists", "add", "Errands", "--source", "Server")
        store.run("add", "reminder", "Stamps", "--list", "Errands")
        self.quiet(store)
        before = store.items()
        store.run("lists", "remove", "Errands", "--yes")
        store.run("undo")
        self.quiet(store)
        self.assertEqual(store.items(), before)
        self.assertEqual(store.lines(store.run("accounts", "conflicts", "--json")), [])

    def test_an_item_that_moves_while_the_other_changes_it_is_there_once(self):
        one = self.store()
        one.run("lists", "add", "Errands", "--source", "Server")
        one.run("add", "reminder", "Milk", "--list", one.list())
        other = self.store()
        for first, second in ((one, other), (other, one)):
            self.quiet(one, other)
            target = "Errands" if first is one else one.list()
            first.run("edit", "Milk", "--list", target)
            second.run("edit", "Milk", "--notes", target)
            first.sync()
            self.quiet(second, first)
            self.assertEqual(one.items(), other.items())
            items = one.lines(one.run("list", "--json"))
            self.assertEqual([one["list"] for one in items], [target])
            self.assertIn(f"DESCRIPTION:{target}", one.run("export").stdout)

    def test_looking_without_news_is_one_request(self):
        proxy = self.proxy()
        store = self.store(proxy.port)
        store.run("add", "reminder", "Milk", "--list", store.list())
        self.quiet(store)
        proxy.requests.clear()
        store.sync()
        self.assertEqual([one[0] for one in proxy.requests], ["PROPFIND"])

    # What networks do

    def test_answers_that_are_lost_after_the_work_do_nothing_twice(self):
        proxy = self.proxy()
        store = self.store(proxy.port)
        store.run("add", "reminder", "Milk", "--list", store.list())
        proxy.after = lambda count, method, path, status, headers, body: (
            "drop" if method in ("PUT", "DELETE") else (status, headers, body))
        failed = store.sync(check=False)
        self.assertIsNotNone(failed["failure"])
        self.assertEqual(len(self.server.names()), 1)
        proxy.after = lambda count, method, path, status, headers, body: (status, headers, body)
        self.quiet(store)
        self.assertEqual(len(self.server.names()), 1)
        self.assertEqual(len(store.items()), 1)
        self.assertEqual(store.lines(store.run("accounts", "conflicts", "--json")), [])

    def test_a_body_that_is_cut_changes_nothing(self):
        self.server.put("a.ics", todo("a", "SUMMARY:Milk"))
        proxy = self.proxy()
        store = self.store(proxy.port)
        self.server.put("b.ics", todo("b", "SUMMARY:Bread"))
        proxy.after = lambda count, method, path, status, headers, body: ("cut", body[: len(body) // 2])
        self.assertIsNotNone(store.sync(check=False)["failure"])
        self.assertEqual(list(store.items()), ["a"])
        proxy.after = lambda count, method, path, status, headers, body: (status, headers, body)
        self.quiet(store)
        self.assertEqual(sorted(store.items()), ["a", "b"])

    def test_answers_that_are_no_data_remove_nothing(self):
        self.server.put("a.ics", todo("a", "SUMMARY:Milk"))
        proxy = self.proxy()
        store = self.store(proxy.port)
        page = b"<!DOCTYPE html><title>Sign in</title>"
        for status, headers, body in [
            (200, {"Content-Type": "text/html"}, page), (207, {"Content-Type": "text/html"}, page),
            (401, {"WWW-Authenticate": "Basic realm=x"}, b""), (403, {}, b""), (404, {}, b""), (423, {}, b""),
            (429, {"Retry-After": "3600"}, b""), (500, {}, b""), (503, {"Retry-After": "60"}, b""), (507, {}, b""),
            (302, {"Location": "http://127.0.0.1:1/login"}, b""), (207, {}, b""),
        ]:
            proxy.before = lambda count, method, path: (status, headers, body)
            self.assertIsNotNone(store.sync(check=False)["failure"], status)
            self.assertEqual(list(store.items()), ["a"], status)
        proxy.before = lambda *_: None
        self.quiet(store)

    def test_refused_objects_are_sent_again_only_after_a_change(self):
        for status in (403, 413, 415):
            proxy = self.proxy()
            store = self.store(proxy.port)
            before = self.server.names()
            proxy.before = lambda count, method, path: (status, {}, b"") if method == "PUT" else None
            store.run("add", "reminder", f"Milk {status}", "--list", store.list())
            self.assertEqual(store.sync(check=False)["failed"], 1)
            proxy.requests.clear()
            store.sync(check=False)
            self.assertNotIn("PUT", [one[0] for one in proxy.requests])
            proxy.before = lambda *_: None
            store.run("edit", f"Milk {status}", "--notes", "2 litres")
            self.quiet(store)
            self.assertEqual(len(self.server.names()), len(before) + 1)

    def test_weak_and_missing_tags_lose_nothing(self):
        for change in (lambda tag: "W/" + tag, lambda tag: None):
            proxy = self.proxy()
            store = self.store(proxy.port)

            def after(count, method, path, status, headers, body):
                fields = {k: v for k, v in headers.items() if k.lower() != "etag"}
                tag = next((v for k, v in headers.items() if k.lower() == "etag"), None)
                if tag and change(tag):
                    fields["ETag"] = change(tag)
                return status, fields, body

            proxy.after = after
            store.run("add", "reminder", "Milk", "--list", store.list())
            self.quiet(store)
            store.run("edit", "Milk", "--notes", "2 litres")
            self.quiet(store)
            names = self.server.names()
            self.assertEqual(len(names), 1)
            self.assertIn("DESCRIPTION:2 litres", self.server.text(names[0]))
            store.run("remove", "Milk", "--yes")
            self.quiet(store)
            self.assertEqual(self.server.names(), [])

    def test_a_killed_run_loses_nothing_and_does_nothing_twice(self):
        """kill -9 at each request, before and after the work of the server."""
        proxy = self.proxy()
        store = self.store(proxy.port)
        plain = lambda count, method, path, status, headers, body: (status, headers, body)
        for is_after in (False, True):
            for number in range(1, 12):
                proxy.before, proxy.after = (lambda *_: None), plain
                tag = f"{number}-{is_after}"
                store.run("add", "reminder", f"Here {tag}", "--list", store.list())
                self.server.put(f"there-{tag}.ics", todo(f"there-{tag}", f"SUMMARY:There {tag}"))
                proxy.count = 0
                process = store.start("accounts", "sync")

                def kill(count, *rest):
                    if count == number:
                        process.kill()
                        return "drop"
                    return None

                if is_after:
                    proxy.after = lambda count, *rest: kill(count) or plain(count, *rest)
                else:
                    proxy.before = kill
                process.communicate()
                proxy.before, proxy.after = (lambda *_: None), plain
                self.quiet(store)
                titles = [line[8:] for parts in store.items().values() for part in parts for line in part
                          if line.startswith("SUMMARY:")]
                self.assertEqual(len(titles), len(set(titles)), tag)
                self.assertIn(f"Here {tag}", titles)
                self.assertIn(f"There {tag}", titles)
                self.assertEqual(len(self.server.names()), len(titles), tag)
        self.assertEqual(store.lines(store.run("accounts", "conflicts", "--json")), [])


class RadicaleTests(Scenarios, unittest.TestCase):
    server_class = servers.Radicale

    def test_a_wrong_password_is_said(self):
        store = self.store(add=False)
        self.server.password = "wrong"
        done = store.run(
            "accounts", "add", f"http://127.0.0.1:{self.server.port}/", "--user", "anna", "--password-file", "-",
            text="wrong\n", check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("user name or password", done.stderr)
        self.assertNotIn("wrong", done.stderr.replace("is wrong", ""))


class DebianRadicaleTests(Scenarios, unittest.TestCase):
    server_class = servers.DebianRadicale


class ExternalTests(Scenarios, unittest.TestCase):
    server_class = servers.External


class FencepostTests(Scenarios, unittest.TestCase):
    server_class = servers.Fencepost


class XandikosTests(Scenarios, unittest.TestCase):
    server_class = servers.Xandikos


if __name__ == "__main__":
    unittest.main()
