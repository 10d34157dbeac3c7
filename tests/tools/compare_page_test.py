"""The comparison of a page with a fresh run: numbers within their digits, and the cell that differs by name."""
import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from reproduction_page_test import PROJECT, RESULT

MAKE = PROJECT / "tools" / "reproduction-page"
COMPARE = PROJECT / "tools" / "compare-page"
# Prints what the tool prints of a reproduction that needs records.
TOOL_WITHOUT_DATA = '#!/bin/sh\n[ $# = 1 ] && echo "x                the x of y (needs --data)" && exit 0\nexit 2\n'


class ComparePage(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.write(RESULT)
        made = subprocess.run([sys.executable, MAKE, self.folder], capture_output=True, text=True, check=True)
        self.page = self.folder / "x.md"
        self.page.write_text(made.stdout)

    def write(self, result):
        (self.folder / "result.json").write_text(json.dumps(result))

    def compared(self, *arguments, environment=None):
        return subprocess.run([sys.executable, COMPARE, self.page, *(arguments or [self.folder])], capture_output=True, text=True,
                              check=False, env=environment)

    def with_cell(self, value):
        """The comparison after the second number of the second row became another."""
        result = copy.deepcopy(RESULT)
        result["tables"][0]["values"][1][1] = value
        self.write(result)
        return self.compared()

    def test_the_same_run_agrees(self):
        done = self.compared()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_unit_of_the_last_digit_is_allowed(self):
        # 4 is printed as 4 and means 4.000.
        for value in (4.0004, 4.001, 3.999):
            self.assertEqual(self.with_cell(value).returncode, 0, value)

    def test_more_is_named_by_table_row_and_column(self):
        done = self.with_cell(4.002)
        self.assertEqual(done.returncode, 1)
        self.assertIn('x.md: Circles, row "0.2", column "\\|z\\| = 2": 4, now 4.002', done.stdout)
        self.assertEqual(self.with_cell(None).returncode, 1)
        self.assertEqual(self.with_cell(-4.0).returncode, 1)

    def test_rounding_errors_may_differ(self):
        result = copy.deepcopy(RESULT)
        result["tables"][0]["values"][1][1] = 3e-11
        self.write(result)
        made = subprocess.run([sys.executable, MAKE, self.folder], capture_output=True, text=True, check=True)
        self.page.write_text(made.stdout)
        self.assertEqual(self.with_cell(8e-11).returncode, 0)
        self.assertEqual(self.with_cell(-1e-11).returncode, 0)
        self.assertEqual(self.with_cell(4e-10).returncode, 1)
        self.assertEqual(self.with_cell(1e-13).returncode, 1)
        self.assertEqual(self.with_cell(2e-9).returncode, 1)

    def test_words_and_states_are_compared(self):
        result = copy.deepcopy(RESULT)
        result["claims"][1] |= {"state": "reproduced", "reason": ""}
        self.write(result)
        done = self.compared()
        self.assertEqual(done.returncode, 1)
        self.assertIn('column "state": differs: other data, now reproduced', done.stdout)

    def test_rows_that_are_missing_or_new(self):
        result = copy.deepcopy(RESULT)
        result["claims"].pop()
        self.write(result)
        self.assertEqual(self.compared().returncode, 1)
        result = copy.deepcopy(RESULT)
        result["tables"].append(result["tables"][0])
        self.write(result)
        done = self.compared()
        self.assertEqual(done.returncode, 1)
        self.assertIn("lines missing", done.stdout)

    def test_a_broken_promise_is_a_failure(self):
        broken = copy.deepcopy(RESULT)
        broken["claims"][0]["ok"] = False
        self.write(broken)
        made = subprocess.run([sys.executable, MAKE, self.folder], capture_output=True, text=True, check=True)
        self.page.write_text(made.stdout)
        done = self.compared()
        self.assertEqual(done.returncode, 1)
        self.assertIn("promise not kept: |H| of a", done.stdout)

    def test_without_records_it_is_skipped_with_its_reason(self):
        tool = self.folder / "tool"
        tool.write_text(TOOL_WITHOUT_DATA)
        tool.chmod(0o755)
        environment = {key: value for key, value in os.environ.items() if key != "ALEMBERT_DATA"}
        done = self.compared("--tool", tool, environment=environment)
        self.assertEqual(done.returncode, 77, done.stdout + done.stderr)
        self.assertIn("needs public records", done.stdout)
        # With a folder of records the run is tried, and what it says is shown.
        done = self.compared("--tool", tool, environment=environment | {"ALEMBERT_DATA": "/none"})
        self.assertEqual(done.returncode, 1)
        self.assertIn("ended with 2", done.stderr)


if __name__ == "__main__":
    unittest.main()
