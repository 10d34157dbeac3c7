"""[monte-carlo]: result, bad input, going on after an interruption, the same bytes for all."""

import csv
import json
import os
import pathlib
import signal
import subprocess
import time
import unittest

from tool import MPI_ENVIRONMENT, TOOL, ToolTest, folder_bytes, run

MANY = """\
title = "Many"
[model]
mass = [[2.0, 0.0], [0.0, 1.0]]
stiffness = [[300.0, -100.0], [-100.0, 100.0]]
damping = { mass = 0.1, stiffness = 0.001 }
[simulate]
step = 0.02
samples = 400
inputs.all = { kind = "spline-noise", knots = 0.1 }
sensors.all = { snr = 30.0 }
[identify]
[monte-carlo]
runs = 5
[monte-carlo.sweep]
simulate.sensors.all.snr = [20.0, 40.0]
"""
# Long enough to be stopped on the way.
LONG = ["--set", "monte-carlo.runs=15", "--set", "simulate.samples=4000", "--threads", "1"]


class MonteCarlo(ToolTest):
    def result(self, name, *arguments, launcher=()):
        study = self.write("many.toml", MANY)
        out = self.folder / name
        self.assert_exit(run("run", study, "--out", out, *arguments, launcher=launcher), 0)
        return folder_bytes(out)

    def test_writes_the_result(self):
        study = self.write("many.toml", MANY)
        process = run("run", study)
        self.assert_exit(process, 0)
        self.assertIn("2 swept values, 5 runs each", process.stdout)
        out = self.folder / "many.out"
        self.assertEqual(
            sorted(file.name for file in out.iterdir()), ["report.html", "result.json", "runs.csv"]
        )
        self.assertEqual(
            sorted(file.name for file in self.folder.iterdir()), ["many.out", "many.toml"]
        )
        result = json.loads((out / "result.json").read_text())
        self.assert_documented(result)
        self.assertEqual(result["status"], "success")
        self.assertEqual(
            result["sweep"], [{"key": "simulate.sensors.all.snr", "values": [20.0, 40.0]}]
        )
        noisy, clean = (point["errors"]["stiffness"] for point in result["points"])
        self.assertGreater(noisy["median"], clean["median"])
        for one in (noisy, clean):
            self.assertLessEqual(one["p5"], one["median"])
            self.assertLessEqual(one["median"], one["p95"])
            self.assertLessEqual(one["coverage_lower"], one["coverage"])
            self.assertGreaterEqual(one["coverage_upper"], one["coverage"])

    def test_runs_csv_agrees_with_the_statistics(self):
        files = self.result("a")
        rows = list(csv.DictReader(files["runs.csv"].decode().splitlines()))
        self.assertEqual(len(rows), 10)
        self.assertEqual([row["status"] for row in rows], ["success"] * 10)
        # Run r has the same seed at every point.
        self.assertEqual([row["seed"] for row in rows[:5]], [row["seed"] for row in rows[5:]])
        point = json.loads(files["result.json"])["points"][1]
        errors = sorted(
            float(row["mass_error"]) for row in rows if row["simulate.sensors.all.snr"] == "40.0"
        )
        self.assertEqual(point["errors"]["mass"]["median"], errors[2])
        self.assertAlmostEqual(
            point["errors"]["mass"]["mean"], sum(errors) / 5, delta=1e-15 * sum(errors)
        )

    def test_a_run_can_be_repeated_as_a_simulation(self):
        files = self.result("a")
        row = next(csv.DictReader(files["runs.csv"].decode().splitlines()))
        alone = MANY[: MANY.index("[identify]")]
        study = self.write("one.toml", alone)
        self.assert_exit(run("run", study, "--seed", row["seed"], "--quiet"), 0)

    def test_the_seed_of_the_command_line_counts(self):
        one = self.result("a", "--seed", 1)
        two = self.result("b", "--seed", 2)
        self.assertNotEqual(one["runs.csv"], two["runs.csv"])
        self.assertEqual(json.loads(two["result.json"])["seed"], 2)

    def test_threads_do_not_change_a_byte(self):
        self.assertEqual(self.result("a", "--threads", 1), self.result("b", "--threads", 4))

    def test_machines_do_not_change_a_byte(self):
        launcher = ["mpirun", "--oversubscribe", "-n", "2"]
        alone = self.result("a", "--threads", 2)
        self.assertEqual(alone, self.result("b", "--threads", 1, launcher=launcher))
        self.assertEqual(
            sorted(file.name for file in self.folder.iterdir()), ["a", "b", "many.toml"]
        )

    def test_bad_input_is_one_line(self):
        study = self.write("many.toml", MANY)
        for change, line in (
            ("monte-carlo.runs=0", "--set monte-carlo.runs: monte-carlo.runs must be from 1"),
            ("monte-carlo.sweep.simulate.stp=[1]", 'unknown key "stp" in [simulate]'),
            ("simulate.seed=1", "simulate.seed has no place with [monte-carlo]"),
        ):
            with self.subTest(change=change):
                process = run("run", study, "--set", change)
                self.assert_exit(process, 2)
                self.assertIn(line, process.stderr)
                self.assertEqual(len(process.stderr.splitlines()), 1)
                self.assertEqual([file.name for file in self.folder.iterdir()], ["many.toml"])

    def test_no_successful_run_is_exit_code_1(self):
        study = self.write("many.toml", MANY)
        process = run("run", study, "--set", "identify.max-iterations=1",
                      "--set", "identify.tolerance=1e-15")  # fmt: skip
        self.assert_exit(process, 1)
        self.assertIn("no run succeeded", process.stderr)
        result = json.loads((self.folder / "many.out/result.json").read_text())
        self.assertEqual(result["points"][0]["failures"][0]["count"], 5)
        self.assert_documented(result)


class GoingOn(ToolTest):
    def start(self, *arguments, launcher=()):
        """Starts a long run and returns once some runs are finished."""
        study = self.write("many.toml", MANY)
        process = subprocess.Popen(
            [*launcher, TOOL, "run", str(study), *LONG, *arguments],
            env=dict(os.environ, **(MPI_ENVIRONMENT if launcher else {})),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(lambda: process.poll() is None and process.kill())
        journal = self.folder / "many.out.runs"
        end = time.monotonic() + 60
        while not journal.exists() or journal.read_bytes().count(b"\n") < 4:  # one line is its head
            self.assertIsNone(process.poll(), "ended before it could be stopped")
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)
        return process

    def whole(self):
        """The result without interruption."""
        study = self.write("many.toml", MANY)
        self.assert_exit(run("run", study, "--out", self.folder / "whole", *LONG, "--quiet"), 0)
        return folder_bytes(self.folder / "whole")

    def test_after_kill_the_same_command_goes_on(self):
        process = self.start()
        process.kill()
        process.communicate()
        self.assertFalse((self.folder / "many.out").exists())
        # A line that was half written.
        journal = self.folder / "many.out.runs"
        journal.write_bytes(journal.read_bytes()[:-7])
        again = run("run", self.folder / "many.toml", *LONG)
        self.assert_exit(again, 0)
        self.assertRegex(again.stdout, r"30 runs, \d+ of them from before")
        self.assert_same_numbers(self.folder / "many.out", self.whole())
        self.assertEqual(list(self.folder.glob("many.out.runs*")), [])

    def test_ctrl_c_keeps_finished_runs_and_goes_on(self):
        process = self.start()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1, errors)
        self.assertIn("stopped on request", errors)
        self.assertIn("the same command goes on", errors)
        result = json.loads((self.folder / "many.out/result.json").read_text())
        self.assertEqual(result["status"], "stopped")
        finished = result["runs"]["finished"]
        self.assertGreaterEqual(finished, 3)
        self.assertLess(finished, 30)
        again = run("run", self.folder / "many.toml", *LONG)
        self.assert_exit(again, 0)
        self.assertIn(f"{finished} of them from before", again.stdout)
        self.assert_same_numbers(self.folder / "many.out", self.whole())

    def test_a_changed_study_begins_anew(self):
        process = self.start()
        process.kill()
        process.communicate()
        changed = run("run", self.folder / "many.toml", *LONG, "--seed", "9")
        self.assert_exit(changed, 0)
        self.assertNotIn("from before", changed.stdout)

    def test_what_two_processes_began_one_ends(self):
        process = self.start(launcher=["mpirun", "--oversubscribe", "-n", "2"])
        # mpirun takes about a second to pass a signal on, in which a fast machine ends the runs.
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
        for child in children.split():
            os.kill(int(child), signal.SIGTERM)
        process.communicate(timeout=60)
        again = run("run", self.folder / "many.toml", *LONG)
        self.assert_exit(again, 0)
        self.assert_same_numbers(self.folder / "many.out", self.whole())
        self.assertEqual(list(self.folder.glob("many.out.runs*")), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
