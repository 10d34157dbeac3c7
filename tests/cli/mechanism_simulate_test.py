"""[simulate] of mechanisms: records of a known motion, against closed forms, and back to [observe]."""

import importlib.util
import json
import math
import shutil
import sys
import unittest

from tool import PROJECT, ToolTest, folder_bytes, read_columns, run

STUDIES = PROJECT / "studies"
# Joints are closed to 1e-13 of their size; accelerations of some 100 m/s^2 keep 1e-10 of that.
CLOSED = 1e-9


def closed_forms(study):
    """The script that made the shipped record of a study, for its closed formulas."""
    spec = importlib.util.spec_from_file_location(study.replace("-", "_"), STUDIES / study / "make_record.py")
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    spec.loader.exec_module(module)
    return module


def rms(values):
    return math.sqrt(sum(v * v for v in values) / len(values))


class Simulated(ToolTest):
    def simulated(self, study, *more):
        """Columns of record and truth of a shipped study."""
        out = self.folder / "out"
        process = run("run", STUDIES / study / "simulate.toml", "--quiet", "--out", out, *more)
        self.assert_exit(process, 0)
        self.assertEqual(process.stderr, "")
        return read_columns(out / "record.csv"), read_columns(out / "truth.csv")

    def assert_close(self, values, expected, what, tolerance=CLOSED):
        self.assertEqual(len(values), len(expected))
        worst = max(abs(a - b) for a, b in zip(values, expected))
        self.assertLess(worst, tolerance, what)


class AgainstClosedForms(Simulated):
    """What the sensors would read without errors."""

    def test_slider_crank(self):
        forms = closed_forms("slider-crank")
        _, truth = self.simulated("slider-crank")
        motion = [forms.crank(t) for t in truth["t"]]
        self.assertEqual(len(motion), forms.SAMPLES)
        for i, column in enumerate(("angle_crank", "angle_crank_velocity", "angle_crank_acceleration")):
            self.assert_close(truth[column], [m[i] for m in motion], column)
        self.assert_close(truth["encoder_true"], [m[0] for m in motion], "encoder")
        self.assert_close(truth["accel_true"], [forms.slider_acceleration(*m) for m in motion], "accelerometer")

    def test_two_link(self):
        forms = closed_forms("two-link")
        _, truth = self.simulated("two-link")
        upper = [forms.joint(0.9, 0.7, -1.2, t) for t in truth["t"]]
        lower = [forms.joint(0.7, 1.1, 0.9, t) for t in truth["t"]]
        tip = [forms.tip_specific_force(u, v) for u, v in zip(upper, lower)]
        self.assert_close(truth["q1_true"], [u[0] for u in upper], "q1")
        self.assert_close(truth["q2_true"], [v[0] for v in lower], "q2")
        self.assert_close(truth["angle_lower_upper_acceleration"], [v[2] for v in lower], "acceleration")
        self.assert_close(truth["along_true"], [f[0] for f in tip], "along")
        self.assert_close(truth["across_true"], [f[1] for f in tip], "across")

    def test_four_bar(self):
        forms = closed_forms("four-bar")
        record, truth = self.simulated("four-bar")
        rate, along = [], []
        for t in truth["t"]:
            values = self.four_bar(forms, t)
            rate.append(values[0])
            along.append(values[1])
        self.assert_close(truth["encoder_true"], [forms.crank_angle(t) for t in truth["t"]], "encoder")
        self.assert_close(truth["gyro_true"], rate, "gyroscope")
        self.assert_close(truth["accel_true"], along, "accelerometer")
        # No noise: counts are those of the closed form, which divides in another order; an angle on
        # the very edge of a count may fall to either side.
        counts = [math.floor(forms.crank_angle(t) / (2.0 * math.pi) * forms.COUNTS) % forms.COUNTS for t in truth["t"]]
        different = sum(a != b for a, b in zip(record["counts"], counts))
        self.assertLessEqual(different, 1)

    @staticmethod
    def four_bar(forms, t):
        """Rate of the coupler and what its accelerometer reads, from the loop a + b = d + c."""
        a, b, c = forms.CRANK, forms.COUPLER, forms.ROCKER
        q, w, al = forms.crank_angle(t), 5.0 + 1.2 * math.cos(3.0 * t), -3.6 * math.sin(3.0 * t)
        angle = forms.coupler(t)[0]
        pin = (a * math.cos(q) + b * math.cos(angle), a * math.sin(q) + b * math.sin(angle))
        rocker = math.atan2(pin[1], pin[0] - forms.GROUND)
        # Velocities along and across the rocker and the coupler.
        rate = -a * w * math.sin(q - rocker) / (b * math.sin(angle - rocker))
        rocker_rate = a * w * math.sin(q - angle) / (c * math.sin(rocker - angle))
        second = (
            c * rocker_rate**2
            - a * (al * math.sin(q - rocker) + w**2 * math.cos(q - rocker))
            - b * rate**2 * math.cos(angle - rocker)
        ) / (b * math.sin(angle - rocker))
        x = -a * (al * math.sin(q) + w**2 * math.cos(q)) - 0.5 * b * (
            second * math.sin(angle) + rate**2 * math.cos(angle)
        )
        y = a * (al * math.cos(q) - w**2 * math.sin(q)) + 0.5 * b * (
            second * math.cos(angle) - rate**2 * math.sin(angle)
        )
        return rate, x * math.cos(angle) + (y + forms.GRAVITY) * math.sin(angle)

    def test_three_rrr(self):
        forms = closed_forms("three-rrr")
        _, truth = self.simulated("three-rrr")
        plate = [forms.plate(t) for t in truth["t"]]
        for leg in range(3):
            arms = [forms.arm_angle(leg, x[0], y[0], turn[0]) for x, y, turn in plate]
            # The angle of a body counts its turns, the closed form has it within one.
            errors = [math.remainder(a - b, 2.0 * math.pi) for a, b in zip(truth[f"arm{leg + 1}_true"], arms)]
            self.assert_close(errors, [0.0] * len(errors), f"arm {leg + 1}")
        self.assert_close(truth["gyro_true"], [turn[1] for _, _, turn in plate], "gyroscope")
        for name, pick in (("ax_true", lambda c, s, x, y: c * x + s * y), ("ay_true", lambda c, s, x, y: c * y - s * x)):
            expected = [
                pick(math.cos(turn[0]), math.sin(turn[0]), x[2], y[2]) for x, y, turn in plate
            ]
            self.assert_close(truth[name], expected, name)


BOTH = """\

[observe]
density = 160.0
smooth = true
start.velocity-sigma = 20.0
scored-from = 0.5
"""


class RoundTrip(Simulated):
    def both(self):
        """The slider-crank with [simulate] and [observe] in one study."""
        text = (STUDIES / "slider-crank/simulate.toml").read_text(encoding="utf-8")
        return self.write("crank.toml", text + BOTH)

    def test_simulate_then_observe(self):
        study = self.both()
        process = run("run", study)
        self.assert_exit(process, 0)
        self.assertIn("3 bodies, 4 joints, 1 coordinate, 2 sensors, 3000 samples at 1000 Hz", process.stdout)
        self.assertIn("prescribed motion", process.stdout)
        made = self.folder / "crank.out"
        result = json.loads((made / "result.json").read_text())
        self.assert_documented(result)
        self.assertEqual(result["task"], "simulate")
        self.assertEqual(result["warnings"], [])
        self.assertIn("fix the coordinate at all places tried", result["model"]["seen"][0])
        self.assertEqual([s["column"] for s in result["sensors"]], ["theta", "a"])
        seen = self.folder / "seen.out"
        process = run("run", study, "--set", "data.file=crank.out/record.csv", "--out", seen)
        self.assert_exit(process, 0)
        # Not "not consistent", which holds the word too.
        self.assertRegex(process.stdout, "; (consistent|on the safe side)\n")
        self.assertTrue(json.loads((seen / "result.json").read_text())["consistency"]["good"])
        truth = read_columns(made / "truth.csv")
        estimates = read_columns(seen / "estimates.csv")
        for column in ("angle_crank", "angle_crank_velocity", "angle_crank_acceleration"):
            errors = [e - z for e, z in zip(estimates[column], truth[column])]
            if column == "angle_crank":  # the first reading says nothing of whole turns
                errors = [math.remainder(error, 2.0 * math.pi) for error in errors]
            ratios = [error / std for error, std in zip(errors, estimates[column + "_std"])]
            # The standard deviations are honest, as in the test of the shipped record.
            self.assertTrue(0.5 < rms(ratios[500:]) < 1.5, f"{column}: {rms(ratios[500:])}")

    def test_an_absolute_encoder_goes_round(self):
        study = self.both()
        encoder = "simulate.sensors.encoder={ bits = 12, range = [0.0, 6.2831853] }"
        self.assert_exit(run("run", study, "--quiet", "--set", encoder), 0)
        made = self.folder / "crank.out"
        self.assertEqual(json.loads((made / "result.json").read_text())["warnings"], [])
        levels = [a * 4096 / 6.2831853 for a in read_columns(made / "record.csv")["theta"]]
        self.assertEqual({round(level) for level in levels} - set(range(4096)), set())
        self.assertLess(max(abs(level - round(level)) for level in levels), 1e-6)
        # Six turns of a smooth motion in 3000 samples meet both ends of the turn.
        self.assertLess(min(levels), 10)
        self.assertGreater(max(levels), 4085)
        seen = self.folder / "seen.out"
        process = run("run", study, "--set", "data.file=crank.out/record.csv", "--out", seen)
        self.assert_exit(process, 0)
        self.assertTrue(json.loads((seen / "result.json").read_text())["consistency"]["good"])

    def test_other_studies_are_observed(self):
        for name in ("two-link", "four-bar", "three-rrr"):
            folder = self.folder / name
            shutil.copytree(STUDIES / name, folder, ignore=shutil.ignore_patterns("*.out"))
            self.assert_exit(run("run", folder / "simulate.toml", "--quiet"), 0)
            process = run("run", folder / "observe.toml", "--set", "data.file=simulate.out/record.csv")
            self.assert_exit(process, 0)
            result = json.loads((folder / "observe.out/result.json").read_text())
            self.assertEqual(result["warnings"], [], name)

    def test_same_bytes_for_any_threads(self):
        study = self.both()
        for out, threads in (("one", 1), ("two", 2)):
            process = run("run", study, "--quiet", "--threads", threads, "--set", "simulate.experiments=3",
                          "--out", self.folder / out)  # fmt: skip
            self.assert_exit(process, 0)
        one, two = folder_bytes(self.folder / "one"), folder_bytes(self.folder / "two")
        self.assertEqual(one, two)
        self.assertIn("record-03.csv", one)
        self.assertNotEqual(one["record-01.csv"], one["record-02.csv"])

    def test_new_seed_new_noise_same_truth(self):
        _, first = self.simulated("slider-crank")
        record, second = self.simulated("slider-crank", "--seed", "5")
        self.assertEqual(first, second)
        self.assertNotEqual(record["a"], self.simulated("slider-crank")[0]["a"])

    def test_report_shows_the_mechanism(self):
        self.simulated("four-bar")
        report = (self.folder / "out/report.html").read_text(encoding="utf-8")
        for text in ("The mechanism as it moves", "Motion of the coordinates", "Velocity of the coordinates",
                     "Records of the sensor", "What the sensors see", "prescribed motion"):  # fmt: skip
            self.assertIn(text, report)

    def test_template(self):
        study = self.folder / "new.toml"
        self.assert_exit(run("new", "simulate-mechanism", "-o", study), 0)
        self.assert_exit(run("check", study), 0)
        self.assert_exit(run("run", study), 0)
        process = run("run", study, "--set", "data.file=new.out/record.csv", "--out", self.folder / "seen")
        self.assert_exit(process, 0)
        self.assertRegex(process.stdout, "; (consistent|on the safe side)\n")


class BadInput(Simulated):
    def refused(self, *changes, words, code=2):
        study = STUDIES / "slider-crank/simulate.toml"
        arguments = [part for change in changes for part in ("--set", change)]
        process = run("run", study, "--out", self.folder / "out", *arguments)
        self.assert_exit(process, code)
        self.assertEqual(len(process.stderr.strip().splitlines()), 1, process.stderr)
        self.assertIn(words, process.stderr)
        self.assertFalse((self.folder / "out").exists())

    def test_each_is_one_clear_line(self):
        motion = "simulate.motion="
        self.refused(motion + '{"angle(rod)"="t"}', words='the mechanism has no coordinate "angle(rod)"')
        self.refused(motion + '{"angle(crank)"="2*t + sin(t"}', words="simulate.motion.angle(crank)")
        self.refused(motion + '{"angle(crank)"="2*x"}', words="unknown name 'x'")
        self.refused(motion + '{"angle(crank)"="log(t - 1)"}', words="is not finite at t = 0 s")
        self.refused("simulate.step=0", words="simulate.step must be above 0")
        self.refused("simulate.step=-0.1", words="simulate.step must be above 0")
        self.refused("data.sensors={}", words="data.sensors must name at least one sensor")
        self.refused("data.file=a.csv", words="data.file has no place with [simulate]")
        self.refused(motion + '{"angle(crank)"={file="no.csv", column="x"}}', words="no.csv", code=3)

    def test_a_formula_is_wrong_at_its_place(self):
        text = (STUDIES / "slider-crank/simulate.toml").read_text(encoding="utf-8")
        study = self.write("crank.toml", text.replace("speed*t", "spd*t"))
        line = next(i for i, row in enumerate(text.splitlines(), 1) if "speed*t" in row)
        process = run("check", study)
        self.assert_exit(process, 2)
        self.assertIn(f"crank.toml:{line}:19: simulate.motion.angle(crank): unknown name 'spd'", process.stderr)

    def test_an_impossible_position_has_its_time(self):
        text = (STUDIES / "four-bar/simulate.toml").read_text(encoding="utf-8")
        # A coupler of 0.15 m cannot span from the crank pin to the rocker's circle at q = pi: the
        # pin is 0.5 m from the foot, the rocker and coupler reach 0.45 m. That begins where
        # 0.17 - 0.08 cos q = 0.2025: cos q = -0.40625, q = 1.98917 rad.
        text = text.replace("A = [-0.175, 0.0], B = [0.175, 0.0]", "A = [-0.075, 0.0], B = [0.075, 0.0]")
        text = text.replace('"0.4 + 5*t + 0.4*sin(3*t)"', '"0.4 + t"').replace(", start = [0.2, 0.15, 0.7]", "")
        text = text.replace(", start = [0.4, 0.15, 1.6]", "")
        study = self.write("bar.toml", text)
        self.assert_exit(run("check", study), 0)
        process = run("run", study)
        self.assert_exit(process, 2)
        self.assertEqual(len(process.stderr.strip().splitlines()), 1, process.stderr)
        self.assertIn("simulate.motion: at t = 1.59 s, angle(crank) = 1.99", process.stderr)
        self.assertRegex(process.stderr, "'revolute [a-zA-Z.-]+' cannot be closed: it stays open by")
        self.assertFalse((self.folder / "bar.out").exists())


if __name__ == "__main__":
    unittest.main(verbosity=2)
