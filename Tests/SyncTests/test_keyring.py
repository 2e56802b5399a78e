"""The password is in the keyring of the session, where there is one (Debian: gnome-keyring, libsecret-tools, dbus)."""

import os
import shutil
import subprocess
import sys
import unittest

import servers
from store import PROGRAM, Store

TOOLS = ("dbus-run-session", "gnome-keyring-daemon", "secret-tool")

# Runs in a session with a keyring: adds the account, synchronizes, and shows that the password is not in the file.
SCRIPT = """
echo -n unlock | gnome-keyring-daemon --unlock --components=secrets >"$HOME/keyring" 2>&1
set -e
"$PROGRAM" accounts add "http://127.0.0.1:$PORT/" --title Server --user anna --password-file "$HOME/password"
"$PROGRAM" accounts sync
grep -q keyring "$FENCEPOST_STORE.secrets"
! grep -q secret "$FENCEPOST_STORE.secrets"
"$PROGRAM" accounts remove Server --yes
! secret-tool search --all application fencepost | grep -q secret
"""


class KeyringTests(unittest.TestCase):
    def test_the_password_is_in_the_keyring_and_goes_with_the_account(self):
        for tool in TOOLS:
            if not shutil.which(tool):
                self.skipTest(f"{tool} is not installed")
        if not servers.Radicale.is_installed():
            self.skipTest("radicale is not installed")
        server, store = servers.Radicale(), Store()
        try:
            with open(os.path.join(store.folder.name, "password"), "w") as file:
                file.write(server.password + "\n")
            environment = {**store.environment, "PROGRAM": PROGRAM, "PORT": str(server.port)}
            done = subprocess.run(
                ["dbus-run-session", "--", "bash", "-c", SCRIPT], env=environment, capture_output=True, text=True,
                timeout=120)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        finally:
            server.stop()
            store.close()


if __name__ == "__main__":
    sys.exit(unittest.main())
