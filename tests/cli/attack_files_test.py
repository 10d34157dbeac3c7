"""The short version of tools/attack-files: damaged files, bombs and devices."""

import os
import subprocess
import sys
import unittest

from tool import PROJECT, TOOL, ToolTest, run


class AttackFiles(ToolTest):
    def test_damaged_files_are_refused_or_read_as_before(self):
        process = subprocess.run(
            [sys.executable, PROJECT / "tools/attack-files", TOOL, "--short"],
            capture_output=True, text=True, timeout=280, check=False)
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        self.assertIn("all as it must be", process.stdout)

    def test_standard_input_by_a_dash(self):
        process = subprocess.run([TOOL, "info", "-"], input="t,a\n0,1\n1,2\n", capture_output=True,
                                 text=True, timeout=60, check=False)
        self.assert_exit(process, 0)
        self.assertIn("2 samples from 0 s to 1 s", process.stdout)

    def test_the_limit_of_memory_stands_in_the_study_or_before_it(self):
        rows = "".join(f"{k},{k % 7}\n" for k in range(200_000))
        self.write("r.csv", "t,u\n" + rows)
        text = ('[model]\nmass = 1.0\ndamping = 0.1\nstiffness = 1.0\n[data]\nfile = "r.csv"\n'
                'inputs = { u1 = "u" }\nmemory = 1\n[simulate]\n')
        study = self.write("s.toml", text)
        process = run("check", study)
        self.assert_exit(process, 3)
        self.assertIn("r.csv: a table of 200000 x 2 needs 3.2 MB of memory, the limit is 1 MB",
                      process.stderr)
        self.assert_exit(run("check", study, "--memory", "10"), 0)
        self.assert_exit(run("info", self.folder / "r.csv", "--memory", "1"), 3)

    @unittest.skipUnless(os.path.exists("/dev/zero"), "no devices here")
    def test_a_study_is_a_file(self):
        process = run("check", "/dev/zero")
        self.assert_exit(process, 2)
        self.assertEqual(process.stderr, "/dev/zero: is a device, not a file\n")


if __name__ == "__main__":
    unittest.main()
