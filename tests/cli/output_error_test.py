"""The task [identify] with method = "output-error", from the study to the parameters."""

import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

from tool import PROJECT, TOOL, ToolTest, folder_bytes, read_columns, run

TRUTH = {"l": 0.32, "km": 0.08, "d": 0.01, "c": 0.03, "q0": 1.2}


class OutputError(ToolTest):
    def pendulum(self):
        for name in ("identify.toml", "record.csv"):
            shutil.copy(PROJECT / "studies/pendulum" / name, self.folder / name)
        return self.folder / "identify.toml"

    def result(self, name="identify.out"):
        return json.loads((self.folder / name / "result.json").read_text())

    def test_the_pendulum_end_to_end(self):
        process = run("run", self.pendulum())
        self.assert_exit(process, 0)
        self.assertEqual(process.stderr, "")
        self.assertIn("2 states, 5 parameters, 1 input, 1 output, 1000 samples", process.stdout)
        self.assertIn("residuals white", process.stdout)
        result = self.result()
        self.assertEqual(result["task"], "identify")
        self.assertEqual(result["method"], "output-error")
        self.assertEqual(result["status"], "success")
        self.assertEqual(result["warnings"], [])
        for parameter in result["parameters"]:
            truth = TRUTH[parameter["name"]]
            self.assertAlmostEqual(parameter["value"], truth, delta=4.0 * parameter["deviation"])
            self.assertLess(parameter["deviation"], 0.01 * truth)
        # Noise of 0.005 rad, 4 deviations of its estimate from 1000 samples.
        for output in result["outputs"] + result["validation"]["outputs"]:
            self.assertAlmostEqual(output["residual_rms"], 0.005, delta=0.00045)

    def test_deviations_hold_for_slow_errors(self):
        truth = {"M": 95.0, "Fv": 200.0, "Fc": 20.0, "offset": -3.0}
        for name in ("identify.toml", "windows.toml", "record.csv"):
            shutil.copy(PROJECT / "studies/linear-drive" / name, self.folder / name)
        for name in ("identify", "windows"):
            process = run("run", self.folder / f"{name}.toml")
            self.assert_exit(process, 0)
            self.assertIn("95 % +-", process.stdout)
            result = self.result(f"{name}.out")
            self.assert_documented(result)
            self.assertEqual(result["verdict"]["level"], "caution")
            for parameter in result["parameters"]:
                expected = truth[parameter["name"]]
                self.assertAlmostEqual(parameter["value"], expected, delta=parameter["margin"], msg=parameter["name"])
            covariance = result["statistics"]["covariance"]
            for k, parameter in enumerate(result["parameters"]):
                self.assertAlmostEqual(covariance[k][k] ** 0.5 / parameter["deviation"], 1.0, delta=1e-9)
            self.assertLess(result["statistics"]["effective_samples"], 0.1 * result["statistics"]["samples"])
        # Those for white residuals are far too small over the whole record.
        for parameter in self.result("identify.out")["parameters"]:
            self.assertGreater(parameter["deviation"], 2.0 * parameter["white_deviation"], parameter["name"])

    def spoilt(self, spoil):
        """The verdict on the pendulum after `spoil` has been on its columns, lists of numbers by name."""
        study = self.pendulum()
        file = self.folder / "record.csv"
        head, *rows = file.read_text().splitlines()
        columns = [list(map(float, column)) for column in zip(*(row.split(",") for row in rows))]
        spoil(dict(zip((name.split()[0] for name in head.split(",")), columns)))
        file.write_text("\n".join([head] + [",".join(map(repr, row)) for row in zip(*columns)]) + "\n")
        process = run("run", study)
        verdict = self.result()["verdict"]
        self.assertEqual(process.returncode, 1 if verdict["level"] == "bad" else 0)
        return process, verdict

    def test_a_sound_record_is_good(self):
        process, verdict = self.spoilt(lambda columns: None)
        self.assertEqual(verdict, {"level": "good", "reasons": [], "advice": []})
        self.assertEqual(self.result()["alternatives"], [])

    def test_a_wrong_sign_is_bad_and_named(self):
        def negate(columns):
            for name in ("u", "u_val"):
                columns[name][:] = [-value for value in columns[name]]

        process, verdict = self.spoilt(negate)
        self.assertEqual(verdict["level"], "bad", verdict)
        # The pendulum is symmetric: its angle with the other sign is the same slip.
        self.assertIn(self.result()["alternatives"][0]["words"],
                      ("u with the opposite sign", "q with the opposite sign"))
        self.assert_documented(self.result())
        report = (self.folder / "identify.out" / "report.html").read_text()
        self.assertIn("do not use these numbers", report)
        # Each reason stands once.
        self.assertEqual(report.count("with the opposite sign would give"), 1)

    def test_a_delay_of_two_samples_is_found_and_said(self):
        def late(columns):
            for name in ("q", "q_val"):
                columns[name][:] = columns[name][:1] * 2 + columns[name][:-2]

        process, verdict = self.spoilt(late)
        self.assertNotEqual(verdict["level"], "good")
        self.assertIn("late", " ".join(verdict["reasons"]))
        self.assertEqual(self.result()["alternatives"][0]["words"], "q 2 samples late")

    def test_swapped_inputs_and_outputs_are_bad(self):
        def swap(columns):
            for one, other in (("u", "q"), ("u_val", "q_val")):
                columns[one][:], columns[other][:] = columns[other][:], columns[one][:]

        process, verdict = self.spoilt(swap)
        self.assertEqual(verdict["level"], "bad", verdict)

    def test_result_has_the_documented_keys_and_files(self):
        study = self.pendulum()
        self.assert_exit(run("run", study, "--set", "identify.starts=2"), 0)
        self.assert_documented(self.result())
        self.assertEqual(
            sorted(file.name for file in (self.folder / "identify.out").iterdir()),
            ["prediction.csv", "report.html", "result.json", "validation.csv"],
        )
        columns = read_columns(self.folder / "identify.out/prediction.csv")
        self.assertEqual(list(columns), ["t", "q", "q_predicted", "q_residual"])
        self.assertEqual(len(columns["q"]), 1000)

    def test_same_bytes_for_any_threads_and_engine(self):
        study = self.pendulum()
        arguments = ("run", study, "--quiet", "--set", "identify.starts=3")
        for out, more in (("one", ("--threads", 1)), ("two", ("--threads", 2))):
            self.assert_exit(run(*arguments, *more, "--out", self.folder / out), 0)
        self.assertEqual(folder_bytes(self.folder / "one"), folder_bytes(self.folder / "two"))
        values = []
        for engine in ("interpreter", "automatic"):
            change = ("--set", f"identify.engine={engine}")
            self.assert_exit(run("run", study, "--quiet", *change), 0)
            values.append([one["value"] for one in self.result()["parameters"]])
        self.assertEqual(values[0], values[1])

    def test_same_bytes_under_mpirun(self):
        study = self.pendulum()
        arguments = ("run", study, "--quiet", "--threads", 1, "--set", "identify.starts=5")
        self.assert_exit(run(*arguments, "--out", self.folder / "one"), 0)
        launcher = ["mpirun", "--oversubscribe", "-n", "2"]
        self.assert_exit(run(*arguments, "--out", self.folder / "two", launcher=launcher), 0)
        self.assertEqual(folder_bytes(self.folder / "one"), folder_bytes(self.folder / "two"))
        # One search is done by one process; the other ends without a word.
        process = run("run", study, "--out", self.folder / "three", launcher=launcher)
        self.assert_exit(process, 0)
        self.assertEqual(process.stdout.count("report "), 1)

    def start_long(self, **where):
        """Starts a search that takes minutes, one evaluation after the other."""
        return subprocess.Popen(
            [TOOL, "run", str(self.pendulum()), "--set", "identify.solver=mads",
             "--set", "identify.substeps=400", "--set", "identify.max-evaluations=100000000",
             "--set", "identify.starts=64", "--threads", "1"],
            **where,
        )  # fmt: skip

    def best_costs(self, process, reader):
        """The costs that the search shows on its terminal, one by one, for at most a minute."""
        text = ""
        begin = time.monotonic()
        while time.monotonic() < begin + 60.0:
            text += os.read(reader, 4096).decode()
            *whole, text = re.split(r"(?<=eval)", text)
            for part in whole:
                found = re.search(r"search +(?:\d+ of 64, )?best cost ([0-9.e+-]+) after \d+ eval$", part)
                if found:
                    yield float(found.group(1))
        self.fail("no such cost was shown within a minute")

    def search_on_a_terminal(self):
        """A long search whose standard error is a terminal: the process and the terminal's other end."""
        reader, writer = pty.openpty()
        process = self.start_long(stdout=subprocess.DEVNULL, stderr=writer)
        os.close(writer)
        self.addCleanup(os.close, reader)
        self.addCleanup(process.wait)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        return process, reader

    def test_a_stop_keeps_the_best(self):
        process, reader = self.search_on_a_terminal()
        costs = self.best_costs(process, reader)
        first = next(costs)
        best = next(cost for cost in costs if cost < 0.5 * first)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), 1)
        self.assertIn("stopped", os.read(reader, 65536).decode())
        result = self.result()
        self.assertEqual(result["status"], "stopped")
        # Nothing that was found before the stop is lost. Costs are shown with six digits.
        self.assertLessEqual(result["search"]["cost"], best * (1.0 + 1e-5))
        self.assertTrue((self.folder / "identify.out/prediction.csv").exists())

    def test_a_terminal_shows_the_best_cost_so_far(self):
        process, reader = self.search_on_a_terminal()
        self.assertGreater(next(self.best_costs(process, reader)), 0.0)

    def test_profiles_are_printed_and_kept(self):
        process = run("run", self.pendulum(), "--set", 'identify.profile=["c", "l"]')
        self.assert_exit(process, 0)
        self.assertIn("profiles", process.stdout)
        result = self.result()
        self.assert_documented(result)
        deviations = {one["name"]: one["deviation"] for one in result["parameters"]}
        for profile in result["profiles"]:
            self.assertEqual(profile["status"], "success")
            self.assertLess(profile["lower"], TRUTH[profile["name"]])
            self.assertGreater(profile["upper"], TRUTH[profile["name"]])
            # Nearly linear over so small an interval: 2 t deviations wide, within a tenth.
            width = profile["upper"] - profile["lower"]
            self.assertAlmostEqual(width / (3.92 * deviations[profile["name"]]), 1.0, delta=0.1)

    def test_starts_of_held_back_data(self):
        study = self.pendulum()
        rms = {}
        for start in ("model", "estimate", "data"):
            change = ("--set", f"data.validation.start={start}", "--set", "data.validation.skip=5")
            self.assert_exit(run("run", study, "--quiet", *change), 0)
            result = self.result()
            self.assert_documented(result)
            self.assertEqual(result["validation"]["start"], start)
            rms[start] = result["validation"]["outputs"][0]["residual_rms"]
        # The second experiment was released like the first: all starts are near.
        for value in rms.values():
            self.assertAlmostEqual(value, 0.005, delta=0.001)
        self.assertEqual(len(result["validation"]["experiments"][0]["start_state"]), 2)

    def test_what_simulate_makes_identify_finds(self):
        drive = PROJECT / "studies/two-mass-drive"
        for name in ("simulate.toml", "identify.toml"):
            shutil.copy(drive / name, self.folder / name)
        process = run("run", self.folder / "simulate.toml")
        self.assert_exit(process, 0)
        self.assertIn("4 states, 1 input, 2 sensors", process.stdout)
        self.assert_documented(self.result("simulate.out"))
        made = read_columns(self.folder / "simulate.out/record.csv")
        kept = read_columns(drive / "record.csv")
        self.assertEqual(list(made), list(kept))
        for name in kept:
            # The mathematical library may round otherwise; the noise is 1e-3.
            for a, b in zip(made[name], kept[name]):
                self.assertAlmostEqual(a, b, delta=1e-6)
        shutil.copy(self.folder / "simulate.out/record.csv", self.folder / "record.csv")
        self.assert_exit(run("run", self.folder / "identify.toml", "--quiet"), 0)
        truth = {one["name"]: one["value"] for one in self.result("simulate.out")["model"]["parameters"]}
        for parameter in self.result()["parameters"]:
            expected = truth[parameter["name"]]
            self.assertAlmostEqual(parameter["value"], expected, delta=4.0 * parameter["deviation"])
            self.assertLess(parameter["deviation"], 0.1 * expected, parameter["name"])

    def test_new_writes_a_study_with_its_record(self):
        study = self.folder / "mine.toml"
        process = run("new", "output-error", "-o", study)
        self.assert_exit(process, 0)
        self.assertEqual(process.stdout, f"wrote {study} and {self.folder / 'mine.csv'}\n")
        self.assert_exit(run("check", study), 0)
        process = run("run", study)
        self.assert_exit(process, 0)
        self.assertIn("residuals white", process.stdout)
        # Neither file is ever overwritten.
        study.unlink()
        process = run("new", "output-error", "-o", study)
        self.assert_exit(process, 3)
        self.assertIn("mine.csv: exists already", process.stderr)
        self.assertFalse(study.exists())
        # With data of one's own there is nothing to make.
        process = run("new", "output-error", self.folder / "mine.csv", "-o", study)
        self.assert_exit(process, 0)
        self.assertEqual(process.stdout, f"wrote {study}\n")
        self.assert_exit(run("check", study), 0)

    def test_seed_goes_to_the_starts(self):
        study = self.pendulum()
        self.assert_exit(run("run", study, "--seed", 7, "--quiet"), 0)
        self.assertIn("identify.seed=7", self.result()["overrides"])

    def test_errors_point_into_the_equations(self):
        study = self.pendulum()
        study.write_text(study.read_text().replace("- friction", "- frction"))
        process = run("check", study)
        self.assert_exit(process, 2)
        lines = study.read_text().splitlines()
        number = next(i for i, line in enumerate(lines, 1) if "frction" in line)
        column = lines[number - 1].index("frction") + 1
        self.assertEqual(
            process.stderr.strip(),
            f"{study}:{number}:{column}: unknown name 'frction', did you mean 'friction'?",
        )

    def test_the_measured_drive_does_not_creep(self):
        record = os.path.join(os.environ.get("ALEMBERT_DATA", ""), "emps", "DATA_EMPS.mat")
        if not os.path.isabs(record) or not os.path.exists(record):
            self.skipTest("ALEMBERT_DATA does not name the folder of public records")
        shutil.copy(PROJECT / "studies/linear-drive/measured.toml", self.folder / "measured.toml")
        self.assert_exit(run("run", self.folder / "measured.toml", "--quiet", "--set", f"data.file={record}"), 0)
        # 146 before steps learnt what JᵀJ leaves out.
        self.assertLessEqual(self.result("measured.out")["search"]["evaluations"], 30)

    def test_what_was_not_found_is_written_with_its_status(self):
        process = run("run", self.pendulum(), "--set", "identify.max-evaluations=2")
        self.assert_exit(process, 1)
        self.assertEqual(len(process.stderr.splitlines()), 1, process.stderr)
        self.assertIn("not-converged", process.stderr)
        self.assertEqual(self.result()["status"], "not-converged")

    def test_the_record_is_what_its_script_makes(self):
        script = self.folder / "make_record.py"
        shutil.copy(PROJECT / "studies/pendulum/make_record.py", script)
        subprocess.run([sys.executable, str(script)], check=True)
        made = read_columns(self.folder / "record.csv")
        kept = read_columns(PROJECT / "studies/pendulum/record.csv")
        self.assertEqual(list(made), list(kept))
        for name in kept:
            # The last digit may differ with the mathematical library.
            for a, b in zip(made[name], kept[name]):
                self.assertAlmostEqual(a, b, delta=1.5e-5)


if __name__ == "__main__":
    unittest.main(verbosity=2)
