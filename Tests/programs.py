"""The programs under test, for the runners of tests in other languages."""

import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def program():
    """The program to test: FENCEPOST, else what was built last."""
    if "FENCEPOST" in os.environ:
        return os.environ["FENCEPOST"]
    built = [ROOT / ".build" / kind / "fencepost" for kind in ("debug", "release")]
    found = sorted((one for one in built if one.exists()), key=lambda one: one.stat().st_mtime)
    if not found:
        sys.exit("run.py: there is no fencepost; run `swift build --product fencepost`, or set FENCEPOST")
    return str(found[-1])
