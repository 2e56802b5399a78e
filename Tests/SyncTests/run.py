#!/usr/bin/env python3
"""Synchronizes stores with real servers (Radicale, Xandikos, this program), also through a proxy that does what networks do.

Usage: run.py [TEST…], or run.py speed. A server that can't be installed is skipped with a message. RADICALE_DEBIAN is the folder
of modules of another version of Radicale, and SYNC_HOME the address of calendars on a server that runs already
(http://USER:PASSWORD@127.0.0.1:PORT/PATH/).
"""

import os
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from programs import environment, program  # noqa: E402


def main():
    isSpeed = sys.argv[1:] == ["speed"]
    python = environment("sync-tests", ["radicale", "xandikos"] + ["vdirsyncer"] * isSpeed, required=False)
    os.environ.setdefault("FENCEPOST", program())
    os.environ["SYNC_PYTHON"] = str(python)
    sys.path.insert(0, str(HERE))
    if isSpeed:
        import speed

        return speed.main()
    names = sys.argv[1:] or sorted(one.stem for one in HERE.glob("test_*.py"))
    suite = unittest.defaultTestLoader.loadTestsFromNames(names)
    sys.exit(not unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful())


if __name__ == "__main__":
    main()
