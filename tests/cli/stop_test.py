"""Ctrl-C and kill during a run: what is finished stays, nothing is half-written."""

import json
import math
import os
import pty
import re
import select
import signal
import subprocess
import time
import unittest

from tool import MPI_ENVIRONMENT, TOOL, TWO_MASSES, ToolTest, run

ONE_LONG = ["--set", "simulate.samples=20000000"]
MANY = [
    "--set", "simulate.samples=20000", "--set", "simulate.experiments=2000",
    "--set", "simulate.truth=false", "--threads", "1",
]  # fmt: skip


class Stop(ToolTest):
    def start(self, *arguments, launcher=(), heading=("Two masses\n", "degrees of freedom")):
        """Starts a run and returns once it works."""
        process = subprocess.Popen(
            [*launcher, TOOL, "run", *map(str, arguments)],
            env=dict(os.environ, **MPI_ENVIRONMENT),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(lambda: process.poll() is None and process.kill())
        self.assertEqual(process.stdout.readline(), heading[0])
        self.assertIn(heading[1], process.stdout.readline())
        return process

    def stop_after(self, process, seconds, number):
        time.sleep(seconds)
        self.assertIsNone(process.poll(), "ended before it could be stopped")
        process.send_signal(number)
        _, errors = process.communicate(timeout=100)
        return errors

    def check_stopped(self, process, errors):
        self.assertEqual(process.returncode, 1, errors)
        self.assertIn("stopped on request", errors)
        out = self.folder / "two.out"
        result = json.loads((out / "result.json").read_text())
        self.assertEqual(result["status"], "stopped")
        finished = result["experiments"]
        self.assertGreater(len(finished), 0)
        self.assertLess(len(finished), 2000)
        self.assertIn(f"{len(finished)} of 2000", result["message"])
        for experiment in finished:
            lines = (out / experiment["record"]["file"]).read_text().splitlines()
            data = [line for line in lines if not line.startswith("#")]
            self.assertEqual(len(data), 20000 + 1)

    def test_finished_experiments_are_kept(self):
        process = self.start(self.write("two.toml", TWO_MASSES), *MANY)
        self.check_stopped(process, self.stop_after(process, 0.5, signal.SIGINT))

    def test_under_mpirun_a_signal_that_it_passes_on_stops_all(self):
        launcher = ["mpirun", "--oversubscribe", "-n", "2"]
        process = self.start(self.write("two.toml", TWO_MASSES), *MANY, launcher=launcher)
        self.check_stopped(process, self.stop_after(process, 1.0, signal.SIGUSR1))

    def test_one_long_experiment_stops_soon_and_leaves_nothing(self):
        process = self.start(self.write("two.toml", TWO_MASSES), *ONE_LONG)
        errors = self.stop_after(process, 0.5, signal.SIGTERM)
        self.assertEqual(process.returncode, 1)
        self.assertIn("nothing was finished", errors)
        self.assertEqual([file.name for file in self.folder.iterdir()], ["two.toml"])

    def test_an_observer_stops_at_the_first_signal_and_leaves_nothing(self):
        study = self.folder / "crank.toml"
        self.assertEqual(run("new", "simulate-mechanism", "-o", study).returncode, 0)
        long_record = ["--set", "simulate.duration=300.0", "--set", "simulate.truth=false"]
        self.assert_exit(run("run", study, "--quiet", *long_record), 0)
        record = self.folder / "crank.out/record.csv"
        before = sorted(file.name for file in self.folder.iterdir())
        process = self.start(
            study, "--set", f"data.file={record}", "--out", self.folder / "seen.out",
            "--set", "observe.filter=unscented", "--threads", "2",
            heading=("Sensors of a slider-crank\n", "300000 samples"),
        )  # fmt: skip
        errors = self.stop_after(process, 0.5, signal.SIGINT)
        self.assertEqual(process.returncode, 1, errors)
        self.assertIn("stopped on request at sample", errors)
        self.assertIn("nothing was finished", errors)
        self.assertEqual(sorted(file.name for file in self.folder.iterdir()), before)

    def long_decay(self):
        """A study of an acceleration that takes much longer than two seconds."""
        rows = ["t [s],a [m/s^2]"]
        for k in range(120000):
            t = k / 1000
            rows.append(f"{t:.3f},{math.exp(-0.02 * t) * math.cos(40 * t) + 0.05 * math.cos(700 * t + math.sin(3 * t)):.6f}")
        self.write("decay.csv", "\n".join(rows) + "\n")
        return self.write(
            "decay.toml",
            '[data]\nfile = "decay.csv"\nacceleration = "a"\n[model]\nequations = "x\'\' + a*x\' + b*x + c*x^3 + d*sign(x\') = 0"\n'
            '[identify]\nmethod = "acceleration"\n',
        )

    def test_every_task_answers_at_once_and_ends_within_two_seconds(self):
        process = subprocess.Popen(
            [TOOL, "run", self.long_decay(), "--threads", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.addCleanup(lambda: process.poll() is None and process.kill())
        process.stdout.readline()
        time.sleep(1.0)
        self.assertIsNone(process.poll(), "ended before it could be stopped")
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.stderr.readline(), "stopping; a second Ctrl-C ends at once\n")
        self.assertLess(time.monotonic() - begin, 1.0)
        _, errors = process.communicate(timeout=60)
        # Two seconds, and what a busy machine needs to notice.
        self.assertLess(time.monotonic() - begin, 4.0)
        self.assertEqual(process.returncode, 1)
        self.assertIn("nothing was finished, so nothing is written", errors)
        self.assertEqual(sorted(file.name for file in self.folder.iterdir()), ["decay.csv", "decay.toml"])

    def long_motion(self):
        """A driven motion of 300000 samples, whose deviations alone take much longer than two seconds."""
        rows, y, before, z, z_before, u = ["t [s],u,y,z"], 0.0, 0.0, 0.0, 0.0, 0.0
        for k in range(300000):
            if k % 50 == 0:
                u = math.sin(k * k)
            y, before = 1.98 * y - 0.99 * before + 1e-3 * u, y
            z, z_before = 1.9 * z - 0.99 * z_before + 1e-3 * (u + y), z
            rows.append(f"{k / 1000:.3f},{u:.4f},{y + 0.01 * math.sin(7.0 * k * k):.6f},{z:.6f}")
        self.write("motion.csv", "\n".join(rows) + "\n")

    def assert_ends_soon(self, text):
        """Stops the study after its start; its standard error, and how long it took."""
        study = self.write("motion.toml", '[data]\nfile = "motion.csv"\n' + text)
        process = subprocess.Popen([TOOL, "run", study], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        process.stdout.readline()
        time.sleep(1.0)
        self.assertIsNone(process.poll(), "ended before it could be stopped")
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        # Two seconds, and what a busy machine needs to notice.
        self.assertLess(time.monotonic() - begin, 4.0)
        self.assertEqual(process.returncode, 1)
        return errors

    def test_output_error_of_a_long_record_ends_soon_with_what_is_there(self):
        self.long_motion()
        errors = self.assert_ends_soon(
            'inputs = { u = "u" }\noutputs = { y = "y" }\n[model]\nequations = "y\'\' = g*u - 2*z*w*y\' - w^2*y"\n'
            '[identify]\nmethod = "output-error"\nstart = "free"\nstarts = 30\n'
            "[identify.parameters]\ng = 500.0\nz = { guess = 0.2, lower = 0.0 }\nw = { guess = 80.0, lower = 0.0 }\n"
        )
        self.assertIn("stopped", errors)
        result = json.loads((self.folder / "motion.out/result.json").read_text())
        self.assertEqual(result["status"], "stopped")
        for parameter in result["parameters"]:
            self.assertIsNotNone(parameter["value"])

    def test_matrices_of_a_long_record_end_soon(self):
        self.long_motion()
        self.assert_ends_soon(
            'inputs = ["u"]\noutputs = { a = "y", b = "z" }\n[model]\ncoordinates = ["a", "b"]\nforces = ["a"]\n[identify]\n'
        )

    def test_a_terminal_shows_how_long_it_will_take(self):
        study = self.write("two.toml", TWO_MASSES)
        shown, screen = self.on_terminal(["run", study, *MANY], 6.0, re.compile(r"simulate +\d+ of 2000, \d+ (s|min) left"))
        self.assertTrue(shown, screen[-300:])

    def test_a_terminal_shows_the_time_that_has_passed_where_nothing_is_counted(self):
        shown, screen = self.on_terminal(["run", self.long_decay(), "--threads", "1"], 6.0, re.compile(r"fit +\d+ s"))
        self.assertTrue(shown, screen[-300:])

    def on_terminal(self, arguments, seconds, wanted):
        """Runs with standard error on a terminal until the words are there, then stops it."""
        master, slave = pty.openpty()
        process = subprocess.Popen([TOOL, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=slave)
        os.close(slave)
        screen, begin, found = "", time.monotonic(), False
        while time.monotonic() - begin < seconds and not found:
            if select.select([master], [], [], 0.2)[0]:
                try:
                    screen += os.read(master, 4096).decode(errors="replace")
                except OSError:
                    break
            found = wanted.search(screen) is not None
        for _ in range(2):  # the second one ends at once
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
                time.sleep(0.1)
        process.wait(timeout=60)
        os.close(master)
        return found, screen

    def test_an_earlier_result_survives_a_run_that_finished_nothing(self):
        study = self.write("two.toml", TWO_MASSES)
        self.assertEqual(run("run", study, "--quiet").returncode, 0)
        before = (self.folder / "two.out/result.json").read_bytes()
        process = self.start(study, *ONE_LONG)
        self.stop_after(process, 0.2, signal.SIGINT)
        self.assertEqual((self.folder / "two.out/result.json").read_bytes(), before)

    def test_a_killed_run_leaves_no_result_under_the_final_name(self):
        process = self.start(self.write("two.toml", TWO_MASSES), *MANY)
        process.kill()
        process.communicate()
        self.assertFalse((self.folder / "two.out").exists())


if __name__ == "__main__":
    unittest.main(verbosity=2)
