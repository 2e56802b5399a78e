#!/usr/bin/env python3
"""Synchronizes stores with real servers (Radicale, Xandikos, this program), also through a proxy that does what networks do.

Usage: run.py [TEST…], or run.py speed. A server that can't be installed is skipped with a message. RADICALE_DEBIAN is the folder
of modules of another version of Radicale, and SYNC_HOME the address of calendars on a server that runs already
(http://USER:PASSWORD@127.0.0.1:PORT/PATH/).
"""

import os
import pathlib
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PLACE = ROOT / ".build" / "sync-tests"
PYTHON = PLACE / "bin" / "python"


def environment():
    """The Python with the servers; made once."""
    if not PYTHON.exists():
        subprocess.run([sys.executable, "-m", "venv", str(PLACE)], check=True)
    for package in ("radicale", "xandikos"):
        known = subprocess.run([str(PYTHON), "-c", f"import {package}"], stderr=subprocess.DEVNULL).returncode == 0
        if not known:
            subprocess.run([str(PYTHON), "-m", "pip", "install", "--quiet", package], check=False)


def main():
    environment()
    os.environ.setdefault("FENCEPOST", str(ROOT / ".build" / "debug" / "fencepost"))
    os.environ["SYNC_PYTHON"] = str(PYTHON)
    sys.path.insert(0, str(HERE))
    if sys.argv[1:] == ["speed"]:
        import speed

        return speed.main()
    names = sys.argv[1:] or sorted(one.stem for one in HERE.glob("test_*.py"))
    suite = unittest.defaultTestLoader.loadTestsFromNames(names)
    sys.exit(not unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful())


if __name__ == "__main__":
    main()
