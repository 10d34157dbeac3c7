"""tools/skipped-tests counts skipped tests by their reasons."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools/skipped-tests"

REPORT = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="all" tests="5">
  <testcase name="Stiff.One" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>
    <system-out>[ RUN      ] Stiff.One
/x/stiff_test.cpp:29: Skipped
built without SUNDIALS

[  SKIPPED ] Stiff.One (0 ms)</system-out></testcase>
  <testcase name="Stiff.Two" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>
    <system-out>/x/stiff_test.cpp:43: Skipped
built without SUNDIALS
</system-out></testcase>
  <testcase name="cli.run" status="run">
    <system-out>test_full (__main__.Run.test_full) ... skipped 'no /dev/full'
test_other (__main__.Run.test_other) ... ok</system-out></testcase>
  <testcase name="Silent" status="notrun"><skipped message="x"/><system-out></system-out></testcase>
  <testcase name="Sound" status="run"><system-out>[  PASSED  ] 1 test.</system-out></testcase>
</testsuite>
"""


class SkippedTests(unittest.TestCase):
    def test_reasons_are_counted(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "tests.xml"
            file.write_text(REPORT, encoding="utf-8")
            text = subprocess.run([sys.executable, TOOL, file], check=True, capture_output=True, text=True).stdout
        self.assertEqual(text.splitlines(), ["skipped: 4", "     2  built without SUNDIALS",
                                             "     1  no /dev/full", "     1  no reason given"])


if __name__ == "__main__":
    unittest.main()
