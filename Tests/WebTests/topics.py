"""Runs tests by name, and writes the names of those that failed to a file as JSON: topics.py FILE NAME…"""

import json
import pathlib
import re
import sys
import unittest


def name_of(test):
    """What the tests' loader finds it by."""
    found = getattr(test, "test_case", test).id()
    # `setUpClass (test_editor.Editor)`, and a file that can't be imported.
    inner = re.fullmatch(r"\w+ \((.+)\)", found)
    return inner[1] if inner else found.removeprefix("unittest.loader._FailedTest.")


class Result(unittest.TextTestResult):
    """Says at once why a test failed: all of them together take minutes."""

    def addFailure(self, test, error):
        super().addFailure(test, error)
        self.stream.writeln(self.failures[-1][1])

    def addError(self, test, error):
        super().addError(test, error)
        self.stream.writeln(self.errors[-1][1])

    def addSubTest(self, test, subtest, error):
        super().addSubTest(test, subtest, error)
        if error:
            self.stream.writeln((self.failures + self.errors)[-1][1])

    def printErrors(self):
        pass


def main():
    into, *names = sys.argv[1:]
    result = unittest.TextTestRunner(verbosity=2, resultclass=Result).run(unittest.defaultTestLoader.loadTestsFromNames(names))
    failed = [test for test, _ in [*result.failures, *result.errors]] + result.unexpectedSuccesses
    pathlib.Path(into).write_text(json.dumps(list(dict.fromkeys(name_of(test) for test in failed))))
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
