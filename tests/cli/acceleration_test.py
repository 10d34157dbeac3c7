"""The task [identify] with method = "acceleration", from the study to the report; bad records."""

import cmath
import json
import math
import random
import shutil
import unittest

from tool import PROJECT, ToolTest, folder_bytes, read_columns, run

TRUTH = {"a": 0.01067, "b": 36.78, "c": -444.7}

STUDY = """\
title = "Decay"
[data]
file = "record.csv"
acceleration = "acc"
[model]
equations = "x'' + a*x' + b*x = 0"
[identify]
method = "acceleration"
"""
STEP = 0.005
OMEGA = 6.0


def decay(count=2000, ratio=0.003, amplitude=3.0, omega=OMEGA, noise=1e-3):
    """Acceleration of a linear oscillator in m/s2, with noise of a fixed seed."""
    draw = random.Random(7)
    damped = omega * math.sqrt(1.0 - ratio * ratio)
    return [
        amplitude * math.exp(-ratio * omega * k * STEP) * math.cos(damped * k * STEP + 0.4)
        + draw.gauss(0.0, noise)
        for k in range(count)
    ]


def forced(count=2000, a=0.06, b=36.0, force=2.0, driven=4.0):
    """x'' + a x' + b x = f cos(w t) in closed form: rows of t, x'', x', x and the force, noise on x'' alone."""
    draw = random.Random(8)
    steady = force / complex(b - driven * driven, a * driven)  # x = Re(steady exp(i w t)) and a free decay
    root = complex(-a / 2.0, math.sqrt(b - a * a / 4.0))
    rows = []
    for k in range(count):
        t = k * STEP
        free, ring = 0.05 * cmath.exp(root * t), steady * cmath.exp(1j * driven * t)
        x = [(root**n * free + (1j * driven) ** n * ring).real for n in range(3)]
        rows.append((t, x[2] + draw.gauss(0.0, 1e-3), x[1], x[0], force * math.cos(driven * t)))
    return rows


class Acceleration(ToolTest):
    def duffing(self):
        for name in ("identify.toml", "record.csv"):
            shutil.copy(PROJECT / "studies/duffing" / name, self.folder / name)
        return self.folder / "identify.toml"

    def result(self, name="identify.out"):
        return json.loads((self.folder / name / "result.json").read_text())

    def study(self, values, unit="m/s2", text=STUDY):
        header = f"t [s],acc [{unit}]" if unit else "t [s],acc"
        rows = [f"{k * STEP:.6g},{value:.9g}" for k, value in enumerate(values)]
        self.write("record.csv", "\n".join([header, *rows]) + "\n")
        return self.write("identify.toml", text)

    def findings(self):
        return [one["fault"] for one in self.result()["records"][0]["diagnosis"]["findings"]]

    def test_the_duffing_oscillator_end_to_end(self):
        process = run("run", self.duffing())
        self.assert_exit(process, 0)
        self.assertEqual(process.stderr, "")
        result = self.result()
        self.assertEqual(result["status"], "success")
        self.assertEqual(result["warnings"], [])
        self.assertTrue(result["trusted"])
        self.assertEqual(result["verdict"], {"level": "good", "reasons": [], "advice": []})
        record = result["records"][0]
        # Of the spec: regression in windows of two cycles, then output error, % of the truth.
        bounds = {"a": (0.5, 0.2), "b": (0.01, 0.005), "c": (0.1, 0.05)}
        for parameter in record["parameters"]:
            truth = TRUTH[parameter["name"]]
            for found, bound in zip(("regression", "refined"), bounds[parameter["name"]]):
                error = 100.0 * abs(parameter[found]["value"] / truth - 1.0)
                self.assertLess(error, bound, (parameter["name"], found))
            refined = parameter["refined"]
            self.assertLess(abs(refined["value"] - truth), 4.0 * refined["deviation"])
        # The amplitude of x falls by a/2 (b + 3/4 c A^2)/(b + c A^2), 3.4 % faster at 0.1 m; that of the
        # acceleration by (b + 3 c A^2)/(b + c A^2) of it.
        self.assertAlmostEqual(record["displacement_decrement"]["rate"], 1.034 * 0.01067, delta=2e-4)
        self.assertAlmostEqual(record["logarithmic_decrement"]["rate"], 0.75 * 1.034 * 0.01067, delta=3e-4)
        scores = {one["name"]: one for one in result["comparison"]}
        self.assertGreater(scores["linear"]["bic_difference"], 1000.0)
        self.assertGreater(scores["linear"]["relative_prediction_error"],
                           20.0 * scores["model"]["relative_prediction_error"])
        self.assertGreater(scores["dry-friction"]["bic_difference"], 0.0)
        self.assertAlmostEqual(result["static"]["cubic"]["coefficients"][1], 1.971 * 36.78, delta=0.6)

    def test_result_has_the_documented_keys_and_files(self):
        self.assert_exit(run("run", self.duffing()), 0)
        self.assert_documented(self.result())
        self.assertEqual(
            sorted(file.name for file in (self.folder / "identify.out").iterdir()),
            ["motion.csv", "report.html", "result.json", "windows.csv"],
        )
        columns = read_columns(self.folder / "identify.out/motion.csv")
        self.assertEqual(len(columns["displacement"]), 10832)
        # Released at 0.1 m.
        self.assertAlmostEqual(columns["displacement"][0], 0.1, delta=1e-4)
        self.assertAlmostEqual(columns["displacement_regression"][0], 0.1, delta=1e-3)
        windows = read_columns(self.folder / "identify.out/windows.csv")
        self.assertEqual(len(windows["b"]), self.result()["records"][0]["regression"]["windows"])

    def test_same_bytes_for_any_threads(self):
        study = self.duffing()
        for out, threads in (("one", 1), ("two", 2)):
            self.assert_exit(run("run", study, "--quiet", "--threads", threads,
                                 "--out", self.folder / out), 0)  # fmt: skip
        self.assertEqual(folder_bytes(self.folder / "one"), folder_bytes(self.folder / "two"))

    def test_a_good_record_has_no_findings(self):
        self.assert_exit(run("run", self.study(decay())), 0)
        self.assertEqual(self.findings(), [])
        values = {one["name"]: one["refined"] for one in self.result()["records"][0]["parameters"]}
        self.assertLess(abs(values["b"]["value"] - 36.0), 4.0 * values["b"]["deviation"])
        self.assertLess(abs(values["a"]["value"] - 0.036), 4.0 * values["a"]["deviation"])

    def test_g_is_converted(self):
        in_g = [value / 9.80665 for value in decay()]
        self.assert_exit(run("run", self.study(in_g, unit="g")), 0)
        result = self.result()
        self.assertEqual(self.findings(), [])
        self.assertAlmostEqual(result["columns"][0]["factor"], 9.80665)
        self.assertAlmostEqual(result["records"][0]["diagnosis"]["amplitude"], 3.0, delta=0.1)

    def test_known_force_and_measured_motion(self):
        lines = [",".join(f"{value:.9g}" for value in row) for row in forced()]
        self.write("record.csv", "t [s],acc [m/s2],vel [m/s],dis [m],force [m/s2]\n" + "\n".join(lines) + "\n")
        text = STUDY.replace('acceleration = "acc"', 'acceleration = "acc"\ninputs = { f = "force" }').replace("= 0", "= f")
        study = self.write("identify.toml", text)
        for columns in ((), ("velocity=vel",), ("displacement=dis",), ("velocity=vel", "displacement=dis")):
            with self.subTest(columns=columns):
                changes = [part for column in columns for part in ("--set", f"data.{column}")]
                self.assert_exit(run("run", study, *changes, "--quiet"), 0)
                record = self.result()["records"][0]
                for parameter, truth in zip(record["parameters"], (0.06, 36.0)):
                    found = parameter["regression"]
                    self.assertLess(abs(found["value"] - truth), 4.0 * found["deviation"], parameter["name"])
                    self.assertLess(found["deviation"], 0.05 * truth, parameter["name"])
        # The force left out is not explained by anything else.
        text = text.replace("= f\"", "= 0*f\"")
        self.write("identify.toml", text)
        run("run", study, "--quiet")
        wrong = self.result()["records"][0]["parameters"][1]["regression"]["value"]
        self.assertGreater(abs(wrong - 36.0), 1.0)

    def test_less_than_one_cycle(self):
        process = run("run", self.study(decay(count=150)))
        self.assert_exit(process, 1)
        self.assertIn("less than one cycle", process.stderr)
        result = self.result()
        self.assertEqual(result["status"], "not-identifiable")
        self.assertEqual(self.findings()[0], "too-short")
        self.assertIsNone(result["records"][0]["regression"])
        self.assert_documented(result)

    def test_rest_before_the_tap(self):
        values = [0.0] * 700 + decay()
        study = self.study(values)
        # No equation describes rest and decay: half of the record does not predict the other.
        self.assert_exit(run("run", study, "--quiet"), 1)
        self.assertEqual(self.result()["verdict"]["level"], "bad")
        self.assertIn("late-start", self.findings())
        self.assertFalse(self.result()["trusted"])
        self.assert_exit(run("run", study, "--quiet", "--set", "data.from=3.5"), 0)
        self.assertEqual(self.findings(), [])
        self.assertTrue(self.result()["trusted"])

    def test_clipped_signal(self):
        process = run("run", self.study([min(value, 2.2) for value in decay()]))
        self.assertIn("clipped", process.stdout)
        self.assertIn("clipped", self.findings())
        self.assertFalse(self.result()["trusted"])

    def test_drifted_sensor(self):
        drifted = [value + 1e-4 * k for k, value in enumerate(decay())]
        process = run("run", self.study(drifted))
        self.assertIn("drift", self.findings())
        self.assertIn("the sensor drifts by", process.stdout)
        diagnosis = self.result()["records"][0]["diagnosis"]
        self.assertAlmostEqual(diagnosis["drift"], 0.2, delta=0.005)
        self.assert_exit(run("run", self.study(drifted), "--set", "identify.drift=true"), 0)
        values = {one["name"]: one for one in self.result()["records"][0]["parameters"]}
        self.assertAlmostEqual(values["b"]["refined"]["value"], 36.0, delta=0.003)
        self.assertAlmostEqual(values["b"]["regression"]["value"], 36.0, delta=0.003)

    def test_offset_is_found_and_taken_off(self):
        self.assert_exit(run("run", self.study([value + 0.05 for value in decay()])), 0)
        self.assertEqual(self.findings(), ["offset"])
        record = self.result()["records"][0]
        self.assertAlmostEqual(record["refinement"]["offset"], 0.05, delta=5e-4)
        values = {one["name"]: one["regression"]["value"] for one in record["parameters"]}
        self.assertAlmostEqual(values["b"], 36.0, delta=0.01)

    def test_wrong_unit_is_asked_about(self):
        # 3 m/s2 at 6 rad/s are 0.083 m.
        in_g = [value / 9.80665 for value in decay()]
        known = STUDY.replace('acceleration = "acc"', 'acceleration = "acc"\namplitude = 0.08')
        for unit in ("", "m/s2"):
            process = run("run", self.study(in_g, unit=unit, text=known))
            self.assertIn("is the acceleration in g?", process.stdout)
            self.assertIn("unit", self.findings())
            self.assertFalse(self.result()["trusted"])
        self.assert_exit(run("run", self.study(in_g, unit="", text=known), "--set", "data.unit=g"), 0)
        self.assertEqual(self.findings(), [])
        process = run("run", self.study(decay(), text=known), "--set", "data.unit=g")
        self.assertIn("is the acceleration in m/s2?", process.stdout)
        # Gravity in a sensor that was not told its unit.
        upright = [value + 1.0 for value in in_g]
        process = run("run", self.study(upright, unit=""))
        self.assertIn("one gravity in g", process.stdout)

    def in_g(self, heading):
        """The study of the Duffing oscillator on numbers in g, without displacement and static test."""
        study = self.duffing()
        text = study.read_text().replace("amplitude = 0.1 ", "# amplitude = 0.1 ")
        study.write_text(text[:text.index("[identify.static]")])
        columns = read_columns(self.folder / "record.csv")
        rows = [f"{t:.9g},{a / 9.80665:.9g}" for t, a in zip(columns["t"], columns["acceleration"])]
        self.write("record.csv", "\n".join(["t [s],acceleration" + heading, *rows]) + "\n")
        return study

    def test_a_duffing_record_in_g_is_not_called_good(self):
        study = self.in_g("")
        process = run("run", study, "--set", "identify.compare={}")
        self.assert_exit(process, 0)
        result = self.result()
        self.assertEqual(result["verdict"]["level"], "caution")
        self.assertIn("the unit of the acceleration is not given", " ".join(result["verdict"]["reasons"]))
        self.assertEqual([one["name"] for one in result["unit_dependence"]], ["c"])
        self.assertAlmostEqual(result["unit_dependence"][0]["in_g"], 9.80665**-2, delta=1e-9)
        self.assertIn("verdict    caution", process.stdout)
        self.assertIn("warning    the unit of the acceleration is not given", process.stdout)
        # Said to be in g all is well; a displacement that contradicts m/s2 is worse than none.
        self.assert_exit(run("run", study, "--set", "data.unit=g", "--set", "identify.compare={}"), 0)
        self.assertEqual(self.result()["verdict"]["level"], "good")
        study = self.in_g(" [m/s2]")
        process = run("run", study, "--set", "data.amplitude=0.1", "--set", "identify.compare={}")
        self.assert_exit(process, 1)
        self.assertEqual(self.result()["verdict"]["level"], "bad")
        self.assertIn("is the acceleration in g?", " ".join(self.result()["verdict"]["reasons"]))

    def test_static_test_tells_the_unit(self):
        # The numbers of the record, in m/s2, taken for g: displacements and stiffness come out wrong.
        study = self.duffing()
        text = study.read_text().replace("amplitude = 0.1 ", "# amplitude = 0.1 ")
        study.write_text(text)
        record = self.folder / "record.csv"
        lines = record.read_text().splitlines()
        for k, line in enumerate(lines):
            if not line.startswith("#") and not line.startswith("t "):
                time, value = line.split(",")
                lines[k] = f"{time},{float(value) / 9.80665:.9g}"
        record.write_text("\n".join(lines) + "\n")
        process = run("run", study, "--set", "identify.compare={}")
        self.assertIn("is the acceleration in g? The cubic stiffness", process.stdout)
        self.assert_exit(process, 1)
        self.assertEqual(self.result()["verdict"]["level"], "bad")

    def test_two_modes(self):
        second = decay(amplitude=0.4, omega=2.57 * OMEGA, noise=0.0)
        process = run("run", self.study([a + b for a, b in zip(decay(), second)]))
        self.assertIn("a second mode is in the record", process.stdout)
        self.assertIn("two-modes", self.findings())
        self.assertFalse(self.result()["trusted"])

    def test_noise_alone(self):
        process = run("run", self.study(decay(amplitude=0.0, noise=1.0)))
        self.assert_exit(process, 1)
        self.assertIn("no oscillation", process.stderr)

    def test_new_writes_a_study_that_runs(self):
        study = self.folder / "new.toml"
        self.assert_exit(run("new", "acceleration", "-o", study), 0)
        process = run("run", study)
        self.assert_exit(process, 0)
        self.assertEqual(self.result("new.out")["warnings"], [])
        self.study(decay())
        other = self.folder / "mine.toml"
        self.assert_exit(run("new", "acceleration", self.folder / "record.csv", "-o", other), 0)
        self.assertIn('acceleration = "acc"', other.read_text())
        self.assert_exit(run("check", other), 0)

    def test_errors_name_the_place(self):
        cases = (
            ('"acc"', '"acx"', 3, 'identify.toml:4:16: data.acceleration: record.csv has no column "acx"'),
            ("b*x = 0", "b*x = ", 2, "identify.toml:6:"),
            ('"acceleration"', '"acceleration"\nwindwo = 1.0', 2, 'did you mean "window"'),
            ("b*x = 0", "b*x + sin(k*x) = 0", 2, 'must give a guess of "k"'),
        )
        for old, new, code, message in cases:
            with self.subTest(new=new):
                process = run("check", self.study(decay(count=400), text=STUDY.replace(old, new)),
                              cwd=self.folder)  # fmt: skip
                self.assert_exit(process, code)
                self.assertIn(message, process.stderr)
        self.write("record.csv", "t [s],acc [m]\n" + "\n".join(f"{0.1 * k},{k}" for k in range(20)))
        process = run("check", self.folder / "identify.toml")
        self.assert_exit(process, 2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
