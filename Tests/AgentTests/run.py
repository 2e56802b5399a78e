#!/usr/bin/env python3
"""Tests `fencepost mcp` with the client of PyPI's package `mcp`. FENCEPOST is the program."""

import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from programs import environment, program  # noqa: E402


def main():
    python = environment("agent-tests", ["mcp>=2.3,<3"])
    if sys.argv[1:] == ["prepare"]:
        return 0
    return subprocess.run([str(python), str(HERE / "talk.py")], env={**os.environ, "FENCEPOST": program()}).returncode


if __name__ == "__main__":
    sys.exit(main())
