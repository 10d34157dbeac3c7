"""alembert compare, open and doctor."""

import json
import os
import subprocess
import unittest

from tool import TOOL, ToolTest, run

SIMULATE = """\
title = "One mass"
[model]
mass = [[2.0]]
stiffness = [[300.0]]
damping = [[1.0]]
[simulate]
step = 0.01
samples = 2000
[simulate.inputs]
u1 = { kind = "spline-noise", knots = 0.1 }
[simulate.sensors]
all = { snr = 20.0 }
"""
IDENTIFY = """\
title = "One mass"
[data]
file = "one.out/record.csv"
inputs = ["u1"]
outputs = ["y1"]
[model]
degrees-of-freedom = 1
forces = ["q1"]
[identify]
"""


class Compare(ToolTest):
    def identified(self):
        """Two results of two records of the same mass; the noise has another seed."""
        for seed in (1, 2):
            study = self.write("one.toml", SIMULATE)
            self.assert_exit(run("run", study, "--quiet", "--seed", seed), 0)
            identify = self.write("identify.toml", IDENTIFY)
            out = self.folder / f"{seed}.out"
            self.assert_exit(run("run", identify, "--quiet", "--out", out), 0)
        return self.folder / "1.out", self.folder / "2.out"

    def test_two_records_of_one_system_agree(self):
        first, second = self.identified()
        page = self.folder / "page.html"
        process = run("compare", first, second, "--html", page)
        self.assert_exit(process, 0)
        one, two = (json.loads((folder / "result.json").read_text()) for folder in (first, second))
        # By hand, from the two results: every unknown within 1.96 joint deviations or not.
        differ = [
            a["name"]
            for a, b in zip(one["unknowns"], two["unknowns"])
            if abs(a["value"] - b["value"]) > 1.959963984540054 * (a["deviation"] ** 2 + b["deviation"] ** 2) ** 0.5
        ]
        lines = process.stdout.splitlines()
        for unknown in one["unknowns"]:
            row = next(line for line in lines if line.startswith(unknown["name"] + " "))
            self.assertEqual(row.split()[-1], "differ" if unknown["name"] in differ else "agree", row)
        for line in lines[:-1]:  # the last one is the path of the page
            self.assertLessEqual(len(line), 80 + len(str(self.folder)), line)
        text = page.read_text(encoding="utf-8")
        self.assertIn("Numbers with 95 % intervals", text)
        self.assertIn("Signals", text)

    def test_a_page_takes_the_place_of_a_page_alone(self):
        first, second = self.identified()
        for taken in (first / "result.json", second / "result.json", self.folder / "identify.toml"):
            before = taken.read_bytes()
            process = run("compare", first, second, "--html", taken)
            self.assert_exit(process, 3)
            self.assertEqual(process.stderr, f"{taken}: exists and is no page of a report; choose another name for --html\n")
            self.assertEqual(taken.read_bytes(), before)
        for _ in range(2):
            self.assert_exit(run("compare", first, second, "--html", self.folder / "page.html"), 0)

    def test_a_changed_setting_is_named_and_a_result_agrees_with_itself(self):
        first, _ = self.identified()
        changed = self.folder / "changed.out"
        self.assert_exit(
            run("run", self.folder / "identify.toml", "--quiet", "--set", "identify.hold=linear", "--out", changed), 0
        )
        output = run("compare", first, changed).stdout
        self.assertIn("identify.hold", output)
        self.assertIn("Both results name the same data files", " ".join(output.split()))
        itself = run("compare", first, first).stdout
        self.assertNotIn("differ:", itself)
        self.assertNotIn("Settings that differ", itself)

    def test_what_is_no_result_is_refused(self):
        (self.folder / "empty").mkdir()
        process = run("compare", self.folder / "empty", self.folder / "none")
        self.assert_exit(process, 3)
        self.assertIn("holds no result.json", process.stderr)
        self.assertEqual(len(process.stderr.splitlines()), 1)
        self.assert_exit(run("compare", self.folder), 2)


class Open(ToolTest):
    def setUp(self):
        super().setUp()
        out = self.folder / "beam.out"
        out.mkdir()
        (out / "report.html").write_text("<html></html>")
        self.report = str(out / "report.html")

    def opened(self, *arguments, code=0, **variables):
        environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
        process = subprocess.run(
            [TOOL, "open", *map(str, arguments)],
            env=dict(environment, **variables), capture_output=True, text=True, timeout=60, check=False,
        )
        self.assert_exit(process, code)
        return process

    def opener(self, code):
        """A program xdg-open that notes what it is given."""
        folder = self.folder / "bin"
        folder.mkdir()
        script = folder / "xdg-open"
        script.write_text(f'#!/bin/sh\nprintf "%s" "$1" > "{self.folder}/noted"\nexit {code}\n')
        script.chmod(0o755)
        return {"PATH": f"{folder}:{os.environ['PATH']}", "DISPLAY": ":9"}

    def test_without_a_desktop_the_path_is_printed(self):
        self.write("beam.toml", "")
        for named in ("beam.out", "beam.out/report.html", "beam.toml"):
            self.assertEqual(self.opened(self.folder / named).stdout, self.report + "\n", named)

    def test_with_a_desktop_the_report_is_opened(self):
        self.opened(self.folder / "beam.out", **self.opener(0))
        self.assertEqual((self.folder / "noted").read_text(), self.report)

    def test_print_opens_nothing(self):
        self.opened(self.folder / "beam.out", "--print", **self.opener(0))
        self.assertFalse((self.folder / "noted").exists())

    def test_a_failing_opener_is_told(self):
        process = self.opened(self.folder / "beam.out", code=1, **self.opener(3))
        self.assertIn("could not open the report", process.stderr)
        self.assertEqual(process.stdout, self.report + "\n")

    def test_what_is_not_there(self):
        self.assertIn("does not exist", self.opened(self.folder / "other.toml", code=3).stderr)
        (self.folder / "bare").mkdir()
        self.assertIn("holds no report.html", self.opened(self.folder / "bare", code=3).stderr)

    def test_only_reports_are_handed_to_other_programs(self):
        opener = self.opener(0)
        script = self.folder / "beam.sh"
        script.write_text("#!/bin/sh\n")
        for other in (script, "/dev/zero", self.folder / "beam.out" / "result.json"):
            if not str(other).startswith("/dev"):
                other.write_text("x")
            process = self.opened(other, code=3, **opener)
            self.assertEqual(process.stderr, f"{other}: is neither a folder of a result nor its report.html\n")
        self.assertFalse((self.folder / "noted").exists())


class Doctor(ToolTest):
    def doctor(self, code=0, **variables):
        process = subprocess.run(
            [TOOL, "doctor"], cwd=self.folder, env=dict(os.environ, **variables), capture_output=True, text=True,
            timeout=120, check=False,
        )
        self.assert_exit(process, code)
        return process.stdout

    def test_this_machine(self):
        output = self.doctor(ALEMBERT_DATA=str(self.folder))
        version = run("--version").stdout.splitlines()
        self.assertIn(version[0].split()[1] + ", " + version[1], output)
        for word in ("compiler", "BLAS", "OpenBLAS", "MPI", "stiff equations", "temporary files", "Python module"):
            self.assertIn(word, output)
        self.assertRegex(output, r"public records +ok")
        self.assertIn("nothing is wrong", output)
        for line in output.splitlines():
            self.assertLessEqual(len(line), 80, line)
        self.assertEqual(list(self.folder.iterdir()), [], "its trial file is gone")

    def test_what_is_wrong_is_told_and_fails(self):
        output = self.doctor(code=1, ALEMBERT_DATA=str(self.folder / "none"), TMPDIR="/proc")
        self.assertRegex(output, r"public records +BAD")
        self.assertRegex(output, r"temporary files +BAD")
        self.assertIn("2 of 11 checks failed", output)

    def test_without_programs_on_the_path(self):
        output = self.doctor(PATH=str(self.folder))
        self.assertRegex(output, r"many machines +-")
        self.assertRegex(output, r"equations +- +are interpreted")


if __name__ == "__main__":
    unittest.main(verbosity=2)
