"""The programs under test, for the runners of tests in other languages."""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def environment(name, packages, required=True):
    """A Python with packages from PyPI in .build/NAME; made once. Without `required`, a package may be missing."""
    place = ROOT / ".build" / name
    python = place / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
    for package in packages:
        probe = f"import importlib.metadata; importlib.metadata.version({re.split('[<>=]', package)[0]!r})"
        if subprocess.run([str(python), "-c", probe], stderr=subprocess.DEVNULL).returncode:
            subprocess.run([str(python), "-m", "pip", "install", "--quiet", package], check=required)
    return python


def program():
    """The program to test: FENCEPOST, else what was built last."""
    if "FENCEPOST" in os.environ:
        return os.environ["FENCEPOST"]
    built = [ROOT / ".build" / kind / "fencepost" for kind in ("debug", "release")]
    found = sorted((one for one in built if one.exists()), key=lambda one: one.stat().st_mtime)
    if not found:
        sys.exit("run.py: there is no fencepost; run `swift build --product fencepost`, or set FENCEPOST")
    return str(found[-1])
