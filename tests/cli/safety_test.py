"""Faults that were found once: each stays mended."""

import json
import os
import subprocess
import unittest

from tool import TOOL, TWO_MASSES, ToolTest, run

IDENTIFY = """\
[data]
file = "ns.csv"
time = "t"
inputs = ["u1", "u2"]
outputs = ["y1", "y2"]
[model]
degrees-of-freedom = 2
[identify]
"""


class Safety(ToolTest):
    def simulated(self):
        both = TWO_MASSES.replace("u1 = {", "all = {")
        self.assert_exit(run("run", self.write("two.toml", both), "--quiet"), 0)
        return self.folder / "two.out/record.csv"

    def test_time_in_nanoseconds_fails_in_words(self):
        """The start is indefinite and there is no covariance; it crashed when it was written."""
        rows = [line.split(",") for line in self.simulated().read_text().splitlines() if line[0] != "#"]
        for row in rows[1:]:
            row[0] = str(round(float(row[0]) * 1e9))
        self.write("ns.csv", "\n".join(",".join(row) for row in rows))
        process = run("run", self.write("ns.toml", IDENTIFY))
        self.assert_exit(process, 1)
        self.assertIn("indefinite", process.stderr)
        result = json.loads((self.folder / "ns.out/result.json").read_text())
        self.assertEqual(result["status"], "indefinite")
        self.assertEqual([one["deviation"] for one in result["unknowns"]], [None] * 9)
        self.assert_documented(result)

    def test_a_closed_pipe_does_not_cost_the_run(self):
        study = self.write("two.toml", TWO_MASSES)
        read, write = os.pipe()
        os.close(read)
        process = subprocess.run([TOOL, "run", study], stdout=write, stderr=subprocess.PIPE, check=False)
        os.close(write)
        self.assertEqual((process.returncode, process.stderr), (141, b""))
        self.assertTrue((self.folder / "two.out/report.html").exists())

    def test_own_input_is_refused(self):
        record = self.simulated()
        study = self.write("again.toml", IDENTIFY)
        for out in ("two.out", "two.out/deeper", "."):
            process = run("run", study, "--set", "data.file=two.out/record.csv", "--out", out, cwd=self.folder)
            self.assert_exit(process, 2)
            self.assertRegex(process.stderr, r"which the study reads|from which the study reads")
            self.assertEqual(len(process.stderr.splitlines()), 1)
        self.assertTrue(record.exists())

    def test_controls_are_shown_by_their_code(self):
        text = TWO_MASSES.replace("Two masses", "red \\u001b[31m and \\u202e back\\nresult     fine")
        process = run("run", self.write("two.toml", text))
        self.assert_exit(process, 0)
        self.assertEqual(process.stdout.splitlines()[0], "red \\x1b[31m and \\u202e back result     fine")

    def test_no_memory_is_told_with_the_file(self):
        """A study that asks for more than the machine has, and one that no machine has."""
        for samples in (10**11, 10**15):
            process = run("run", self.write("two.toml", TWO_MASSES), "--set", f"simulate.samples={samples}")
            self.assertIn(process.returncode, (2, 3), process.stderr)
            self.assertEqual(len(process.stderr.splitlines()), 1)
            self.assertRegex(process.stderr, r"two\.toml|--set")

    def test_a_study_of_problems_ends_in_few_lines(self):
        """A stranger's file may have as many as it has lines."""
        text = TWO_MASSES + "".join(f"key{k} = 1\n" for k in range(2000))
        process = run("check", self.write("many.toml", text))
        self.assert_exit(process, 2)
        lines = process.stderr.splitlines()
        self.assertEqual(len(lines), 51)
        self.assertRegex(lines[-1], r"^and \d+ more problems$")

    def test_a_long_change_is_cut_in_the_message(self):
        study = self.write("two.toml", TWO_MASSES)
        for change in (".".join(["a"] * 5000) + "=1", "x" * 5000):
            process = run("check", study, "--set", change)
            self.assert_exit(process, 2)
            self.assertEqual(len(process.stderr.splitlines()), 1)
            self.assertLess(len(process.stderr), 400)

    def test_a_study_of_many_megabytes_is_refused(self):
        process = run("check", self.write("long.toml", TWO_MASSES + "#" * (17 << 20)))
        self.assert_exit(process, 2)
        self.assertRegex(process.stderr, r"long\.toml: is 17 MB long, a study has at most 16 MB")


if __name__ == "__main__":
    unittest.main(verbosity=2)
