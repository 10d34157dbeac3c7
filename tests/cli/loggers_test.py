"""Files as loggers write them, each through info, new and run; the page about them is that of today."""

import subprocess
import sys
import unittest

from tool import PROJECT, TOOL, ToolTest

sys.path.insert(0, str(PROJECT / "tests/loggers"))
try:
    import logger_files
    from through import through
except ImportError:
    logger_files = None


@unittest.skipIf(logger_files is None, "python3-numpy is not installed")
class Loggers(ToolTest):
    def test_every_file_is_analysed_or_says_how_to_convert_it(self):
        self.assertGreaterEqual(len(logger_files.FILES), 30)
        for entry in logger_files.FILES:
            if not logger_files.usable(entry):
                continue
            with self.subTest(file=entry.name):
                file = self.folder / entry.name
                file.write_bytes(entry.make())
                found = through(TOOL, file, entry.kind, entry.options)
                if not entry.kind:
                    self.assertEqual(found["info"], 3)
                    self.assertEqual(len(found["message"].splitlines()), 1, found["message"])
                    self.assertIn(entry.name, found["message"])
                    self.assertIn(entry.says, found["message"])
                    continue
                self.assertEqual(found["info"], 0, found["message"])
                self.assertEqual(found["new"], 0, found["message"])
                self.assertEqual(found["run"], 0, found["message"])
                # The records tell the frequency to 0.1 % or better; a column taken for another one, or a wrong step, is far off.
                self.assertAlmostEqual(found["frequency"], entry.truth, delta=0.01 * entry.truth)

    @unittest.skipUnless(logger_files and all(map(logger_files.usable, logger_files.FILES)), "python3-scipy or python3-h5py is not installed")
    def test_the_page_is_that_of_today(self):
        process = subprocess.run([sys.executable, PROJECT / "tools/logger-files", TOOL, "--check"], capture_output=True, text=True)
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
