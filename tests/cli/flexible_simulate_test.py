"""[simulate] of mechanisms with flexible bodies: closed forms, records, state space, words of verdicts."""

import json
import math
import unittest

from tool import PROJECT, ToolTest, read_columns, run

STUDIES = PROJECT / "studies"
# docs/theory/flexible.md and docs/reproductions/manipulator-modes.md, Hz, as printed there.
MODES = {"table": (12.95, 45.30, 61.84, 126.80, 155.08, 174.21),
         "calib": (14.200, 43.497, 67.002, 129.089, 147.344, 169.899)}


class FlexibleSimulate(ToolTest):
    runs = 0

    def result(self, study, *more, code=0):
        self.runs += 1
        out = self.folder / f"out{self.runs}"
        process = run("run", STUDIES / study, "--quiet", "--out", out, *more)
        if code is not None: self.assert_exit(process, code)
        return json.loads((out / "result.json").read_text()), out

    def test_modes_of_an_arm(self):
        """Pinned and free: tan(bL) = tanh(bL), f = (bL)^2 / (2 pi L^2) sqrt(EI / rho A)."""
        result, out = self.result("flexible-arm/study.toml", "--set", "simulate.duration=0.05",
                                  "--set", "mechanism.damping.ratios=[0.0,0.0]")
        speed = math.sqrt(70e9 * 0.008**2 / 12 / 2700.0)
        for mode, root in zip(result["model"]["modes"], (3.926602312, 7.068582746, 10.21017612)):
            expected = root**2 / (2 * math.pi * 0.8**2) * speed
            # Eight cubic elements: (bL/8)^4 / 720 of the highest of these.
            self.assertAlmostEqual(mode["frequency_hz"] / expected, 1.0, delta=5e-3 if root > 10 else 1e-3)
        self.assertEqual(result["verdict"]["level"], "good")
        self.assertTrue((out / "small_motions.mat").is_file())
        self.assertLess(result["model"]["steps"]["energy_drift"], 0.01)

    def test_both_variants_of_the_manipulator(self):
        for variant, modes in MODES.items():
            result, _ = self.result(f"manipulator/{variant}.toml", "--set", "simulate.duration=0.02",
                                    "--set", "mechanism.damping.ratios=[0.0,0.0]")
            for mode, expected in zip(result["model"]["modes"], modes):
                self.assertAlmostEqual(mode["frequency_hz"], expected, delta=0.006)
            self.assertEqual(result["model"]["zeroed"], ["angle(AB.A)", "angle(AD.A)", "angle(EF.E)"])

    def test_sensors_agree_with_truth(self):
        _, out = self.result("flexible-slider-crank/study.toml", "--set", "simulate.duration=0.05")
        record, truth = read_columns(out / "record.csv"), read_columns(out / "truth.csv")
        # The encoder of a driven body reads its coordinate: its displacement there is zeroed.
        for read, true in zip(truth["encoder_true"], truth["angle_crank"]):
            self.assertAlmostEqual(read, true, delta=1e-12)
        noise = [r - t for r, t in zip(record["encoder"], truth["encoder_true"])]
        rms = math.sqrt(sum(e * e for e in noise) / len(noise))
        # 100 samples: four standard errors of sigma / sqrt(200)
        self.assertAlmostEqual(rms, 1e-4, delta=4e-4 / math.sqrt(200))
        # Crank and rod of 0.15 and 0.5 m that bend little.
        for angle, slider in zip(truth["angle_crank"], truth["slider_true"]):
            rigid = 0.15 * math.cos(angle) + math.sqrt(0.25 - (0.15 * math.sin(angle))**2)
            self.assertAlmostEqual(slider, rigid, delta=2e-3)

    def test_long_steps_are_bad(self):
        result, _ = self.result("flexible-slider-crank/study.toml", "--set", "simulate.step=0.02",
                                "--set", "simulate.substeps=1", "--set", "simulate.start.velocities=[60.0]", code=1)
        self.assertEqual(result["verdict"]["level"], "bad")
        self.assertIn("steps", " ".join(result["verdict"]["reasons"]))

    def test_soft_links_are_said(self):
        result, _ = self.result("flexible-arm/study.toml", "--set", "mechanism.bodies.arm.section.modulus=2e8",
                                "--set", "simulate.duration=0.2", code=None)
        self.assertIn(result["verdict"]["level"], ("caution", "bad"))
        self.assertIn("off straight", " ".join(result["verdict"]["reasons"]))

    def test_template_runs(self):
        process = run("new", "simulate-flexible", "--out", self.folder / "new.toml")
        self.assert_exit(process, 0)
        self.assert_exit(run("run", self.folder / "new.toml", "--quiet", "--out", self.folder / "out"), 0)


if __name__ == "__main__":
    unittest.main()
