"""The task [identify] with method = "output-error", from the study to the parameters."""

import json
import shutil
import subprocess
import sys
import unittest

from tool import PROJECT, ToolTest, folder_bytes, read_columns, run

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
    unittest.main()
