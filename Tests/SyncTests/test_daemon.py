"""The daemon synchronizes by itself."""

import os
import time
import unittest

import servers
from store import Store


class DaemonTests(unittest.TestCase):
    def setUp(self):
        if not servers.Radicale.is_installed():
            self.skipTest("radicale is not installed")
        self.server = servers.Radicale()
        self.store = Store()

    def tearDown(self):
        self.server.stop()
        self.store.close()

    def wait(self, condition):
        until = time.monotonic() + 60
        while time.monotonic() < until:
            if condition():
                return
            time.sleep(0.2)
        self.fail("it did not happen")

    def wakes(self, process):
        """How often the threads of a process were put to sleep so far."""
        total = 0
        for task in os.listdir(f"/proc/{process.pid}/task"):
            with open(f"/proc/{process.pid}/task/{task}/status") as file:
                total += sum(int(line.split()[1]) for line in file if line.startswith("voluntary"))
        return total

    def test_a_change_here_is_sent_at_once_and_then_the_daemon_sleeps(self):
        self.store.add(self.server)
        daemon = self.store.start("daemon", "--deliver", "exec:/bin/true")
        try:
            self.store.run("add", "reminder", "Milk", "--list", "List")
            begin = time.monotonic()
            self.wait(self.server.names)
            print(f"\nsent after {time.monotonic() - begin:.1f} s")
            name = self.server.names()[0]
            self.store.run("complete", "Milk")
            self.wait(lambda: "STATUS:COMPLETED" in (self.server.text(name) or ""))
            time.sleep(8)
            before = self.wakes(daemon)
            time.sleep(5)
            self.assertLessEqual(self.wakes(daemon) - before, 2)
        finally:
            daemon.terminate()
            print(daemon.communicate()[1][-2000:])


if __name__ == "__main__":
    unittest.main()
