"""Ctrl-C and kill during a run: what is finished stays, nothing is half-written."""

import json
import signal
import subprocess
import time
import unittest

from tool import TOOL, TWO_MASSES, ToolTest, run

LONG = ["--set", "simulate.samples=200000", "--set", "simulate.experiments=100", "--threads", "1"]


class Stop(ToolTest):
    def start(self, *arguments):
        process = subprocess.Popen(
            [TOOL, "run", *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(lambda: process.poll() is None and process.kill())
        return process

    def stop_after(self, process, seconds, number):
        time.sleep(seconds)
        self.assertIsNone(process.poll(), "ended before it could be stopped")
        process.send_signal(number)
        begin = time.monotonic()
        output, errors = process.communicate(timeout=60)
        return output, errors, time.monotonic() - begin

    def test_finished_experiments_are_kept(self):
        study = self.write("two.toml", TWO_MASSES)
        changes = [
            "--set", "simulate.samples=2000", "--set", "simulate.experiments=10000",
            "--set", "simulate.truth=false", "--threads", "1",
        ]  # fmt: skip
        process = self.start(study, *changes)
        _, errors, _ = self.stop_after(process, 1.0, signal.SIGINT)
        self.assertEqual(process.returncode, 1, errors)
        self.assertIn("stopped on request", errors.splitlines()[0])
        out = self.folder / "two.out"
        result = json.loads((out / "result.json").read_text())
        self.assertEqual(result["status"], "stopped")
        finished = result["experiments"]
        self.assertGreater(len(finished), 0)
        self.assertLess(len(finished), 10000)
        self.assertIn(f"{len(finished)} of 10000", result["message"])
        for experiment in finished:
            lines = (out / experiment["record"]["file"]).read_text().splitlines()
            data = [line for line in lines if not line.startswith("#")]
            self.assertEqual(len(data), 2000 + 1)

    def test_one_long_experiment_stops_at_once(self):
        study = self.write("two.toml", TWO_MASSES)
        process = self.start(study, "--set", "simulate.samples=20000000", "--quiet")
        _, errors, seconds = self.stop_after(process, 1.5, signal.SIGTERM)
        self.assertEqual(process.returncode, 1)
        self.assertLess(seconds, 20.0)
        self.assertIn("nothing was finished", errors)
        self.assertEqual([file.name for file in self.folder.iterdir()], ["two.toml"])

    def test_an_earlier_result_survives_a_run_that_finished_nothing(self):
        study = self.write("two.toml", TWO_MASSES)
        self.assertEqual(run("run", study, "--quiet").returncode, 0)
        before = (self.folder / "two.out/result.json").read_bytes()
        process = self.start(study, "--set", "simulate.samples=20000000", "--quiet")
        self.stop_after(process, 1.0, signal.SIGINT)
        self.assertEqual((self.folder / "two.out/result.json").read_bytes(), before)

    def test_a_killed_run_leaves_no_result_under_the_final_name(self):
        study = self.write("two.toml", TWO_MASSES)
        process = self.start(study, *LONG)
        time.sleep(0.5)
        process.kill()
        process.communicate()
        self.assertFalse((self.folder / "two.out").exists())


if __name__ == "__main__":
    unittest.main()
