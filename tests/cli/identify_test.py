"""The task [identify], from a simulated record to the matrices."""

import json
import shutil
import unittest

from tool import PROJECT, TWO_MASSES, ToolTest, folder_bytes, read_columns, run

IDENTIFY = """\
title = "Two masses"
[data]
file = "two.out/record.csv"
inputs = ["u1"]
outputs = ["y1", "y2"]
[model]
degrees-of-freedom = 2
forces = ["q1"]
[identify]
"""


class Identify(ToolTest):
    def simulated(self):
        # The second input of the shared study stays zero and is left out here.
        study = self.write("two.toml", TWO_MASSES.replace("samples = 400", "samples = 4000"))
        self.assert_exit(run("run", study, "--quiet"), 0)
        return self.write("identify.toml", IDENTIFY)

    def result(self, name="identify.out"):
        return json.loads((self.folder / name / "result.json").read_text())

    def test_the_frame_end_to_end(self):
        for name in ("simulate.toml", "identify.toml"):
            shutil.copy(PROJECT / "studies/frame-8dof" / name, self.folder / name)
        self.assert_exit(run("run", self.folder / "simulate.toml", "--quiet"), 0)
        process = run("run", self.folder / "identify.toml")
        self.assert_exit(process, 0)
        self.assertIn("8 degrees of freedom, 8 forces, 8 displacements", process.stdout)
        self.assertIn("M, D, K positive definite", process.stdout)
        self.assertIn("residuals white", process.stdout)
        self.assertEqual(process.stderr, "")
        result = self.result()
        # What the covariance expects, times two: the sum over 36 entries scatters little.
        for matrix in ("mass", "damping", "stiffness"):
            self.assertLess(result["error"][matrix], 2.0 * result["expected_error"][matrix])
        self.assertEqual(len(result["model"]["modes"]), 8)
        # Undamped circular frequencies as published; 5 standard deviations and the rounding.
        published = [5.59, 9.74, 11.14, 14.74, 15.70, 17.17, 18.42, 20.43]
        for mode, omega in zip(result["model"]["modes"], published):
            turn = 6.283185307179586
            self.assertAlmostEqual(
                mode["frequency_hz"] * turn,
                omega,
                delta=5.0 * mode["frequency_deviation"] * turn + 0.006,
            )
        # Of 108 entries 95 % should lie within 1.96 deviations; 90 is 5 deviations below.
        truth = [[100.0 if i == j else 0.0 for j in range(8)] for i in range(8)]
        mass = result["model"]["mass"]
        inside = sum(
            abs(mass["values"][i][j] - truth[i][j]) <= 1.96 * mass["deviations"][i][j]
            for i in range(8)
            for j in range(i + 1)
        )
        self.assertGreaterEqual(inside, 29)  # of 36; expected 34, deviation 1.3
        main = result["comparison"][0]["error"]
        other = next(row for row in result["comparison"] if row["name"] == "subspace")["error"]
        for matrix in ("mass", "damping", "stiffness"):
            self.assertLess(main[matrix], other[matrix])

    def triple_mass(self, spoil):
        """The three masses of studies/, identified from readings on which `spoil` has been."""
        for name in ("simulate.toml", "identify.toml"):
            shutil.copy(PROJECT / "studies/triple-mass" / name, self.folder / name)
        self.assert_exit(run("run", self.folder / "simulate.toml", "--quiet"), 0)
        file = self.folder / "simulate.out" / "record.csv"
        head = [line for line in file.read_text().splitlines() if line.startswith("#")]
        names, *rows = [
            line.split(",") for line in file.read_text().splitlines() if line and not line.startswith("#")
        ]
        spoil({name.split()[0]: i for i, name in enumerate(names)}, rows)
        file.write_text("\n".join(head + [",".join(row) for row in [names] + rows]) + "\n")
        process = run("run", self.folder / "identify.toml")
        return process, self.result()["verdict"]

    def test_a_sound_record_is_good(self):
        process, verdict = self.triple_mass(lambda columns, rows: None)
        self.assert_exit(process, 0)
        self.assertEqual(verdict, {"level": "good", "reasons": [], "advice": []})
        self.assertIn("verdict    good", process.stdout)

    def test_a_wrong_sign_is_bad(self):
        def negate(columns, rows):
            for row in rows:
                row[columns["y1"]] = repr(-float(row[columns["y1"]]))

        process, verdict = self.triple_mass(negate)
        self.assert_exit(process, 1)
        self.assertEqual(verdict["level"], "bad")
        self.assertIn("y1", verdict["reasons"][0])
        self.assertIn("y1 with the opposite sign", " ".join(verdict["advice"]))
        self.assertEqual(self.result()["alternatives"][0]["words"], "y1 with the opposite sign")
        self.assertGreater(self.result()["alternatives"][0]["gain"], 4.0)
        self.assertIn("verdict bad: y1", process.stderr)
        self.assertIn("do not use these numbers", (self.folder / "identify.out" / "report.html").read_text())

    def test_swapped_sensors_a_delay_and_a_force_in_kilonewtons_are_named(self):
        def swap(columns, rows):
            first, second = columns["y1"], columns["y2"]
            for row in rows:
                row[first], row[second] = row[second], row[first]

        def delay(columns, rows):
            for name in ("y1", "y2", "y3"):
                values = [row[columns[name]] for row in rows]
                for row, value in zip(rows, values[:2] + values[:-2]):
                    row[columns[name]] = value

        def thousandth(columns, rows):
            for row in rows:
                row[columns["u1"]] = repr(1e-3 * float(row[columns["u1"]]))

        # Exchanged readings and exchanged forces are the same slip in another order of coordinates.
        for spoil, slips in ((swap, ("y1 and y2 exchanged", "u1 and u2 exchanged")),
                             (delay, ("all outputs 2 samples late",)), (thousandth, ("u1 times 1000",))):
            process, verdict = self.triple_mass(spoil)
            self.assertNotEqual(verdict["level"], "good", verdict)
            self.assertEqual(process.returncode, 1 if verdict["level"] == "bad" else 0)
            self.assertIn(self.result()["alternatives"][0]["words"], slips)

    def test_result_has_the_documented_keys_and_files(self):
        study = self.simulated()
        self.assert_exit(run("run", study, "--set", "data.validation.fraction=0.25"), 0)
        self.assert_documented(self.result())
        self.assertEqual(
            sorted(file.name for file in (self.folder / "identify.out").iterdir()),
            [
                "damping.csv",
                "mass.csv",
                "prediction.csv",
                "report.html",
                "result.json",
                "stiffness.csv",
                "validation.csv",
            ],
        )
        columns = read_columns(self.folder / "identify.out/prediction.csv")
        for measured, predicted, residual in zip(
            columns["y1"], columns["y1_predicted"], columns["y1_residual"]
        ):
            self.assertAlmostEqual(measured - predicted, residual, places=12)

    def test_an_earlier_result_is_replaced_with_the_same_bytes(self):
        study = self.simulated()
        self.assert_exit(run("run", study, "--quiet"), 0)
        first = folder_bytes(self.folder / "identify.out")
        self.assert_exit(run("run", study, "--quiet"), 0)
        self.assertEqual(folder_bytes(self.folder / "identify.out"), first)

    def test_the_matrices_serve_as_a_model(self):
        study = self.simulated()
        self.assert_exit(run("run", study, "--quiet"), 0)
        again = self.write(
            "again.toml",
            TWO_MASSES.replace("mass = [[2.0, 0.0], [0.0, 1.0]]", 'mass = "identify.out/mass.csv"'),
        )
        self.assert_exit(run("run", again, "--quiet"), 0)

    def test_no_success_is_exit_code_one_with_a_result(self):
        study = self.simulated()
        process = run("run", study, "--set", "identify.max-iterations=1", "--quiet")
        self.assert_exit(process, 1)
        self.assertIn("not-converged", process.stderr)
        result = self.result()
        self.assertEqual(result["status"], "not-converged")
        self.assertNotEqual(result["message"], "")
        self.assertIn("mass", result["model"])

    def test_a_dead_channel_is_bad_data(self):
        study = self.simulated()
        record = self.folder / "two.out/record.csv"
        lines = record.read_text().splitlines()
        broken = [
            line if line.startswith(("#", "t")) else ",".join(line.split(",")[:-1] + ["0"])
            for line in lines
        ]
        record.write_text("\n".join(broken) + "\n")
        process = run("run", study)
        self.assert_exit(process, 3)
        self.assertEqual(len(process.stderr.splitlines()), 1, process.stderr)
        self.assertIn('column "y2" is zero throughout', process.stderr)
        self.assertFalse((self.folder / "identify.out").exists())

    def test_a_template_is_filled_from_the_record(self):
        self.simulated()
        study = self.folder / "filled.toml"
        record = self.folder / "two.out/record.csv"
        self.assert_exit(run("new", "identify", record, "-o", study), 0)
        text = study.read_text()
        self.assertIn('inputs = ["u1", "u2"]', text)
        self.assertIn('outputs = ["y1", "y2"]', text)
        # The second force is zero throughout: it is said, and the rest goes on.
        process = run("check", study)
        self.assert_exit(process, 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
