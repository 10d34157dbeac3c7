"""Samples that no motion makes, and gaps: one 999 V among volts must not end a study or bend its answer in silence."""

import json
import math
import random
import unittest

from tool import ToolTest, run

STEP = 0.002
OMEGA, RATIO, GAIN = 2.0 * math.pi * 5.0, 0.02, 3.0


def driven(samples=6000):
    """t, a held random input, and the motion of q'' = gain u - 2 ratio omega q' - omega^2 q, exact."""
    draw = random.Random(3)
    damped = OMEGA * math.sqrt(1.0 - RATIO**2)
    decay, c, s = math.exp(-RATIO * OMEGA * STEP), math.cos(damped * STEP), math.sin(damped * STEP)
    a11, a12 = decay * (c + RATIO * OMEGA / damped * s), decay * s / damped
    a21, a22 = -decay * OMEGA**2 / damped * s, decay * (c - RATIO * OMEGA / damped * s)
    q, v, u, rows = 0.0, 0.0, 0.0, []
    for k in range(samples):
        if k % 10 == 0:
            u = draw.uniform(-4.0, 4.0)
        rows.append([k * STEP, u, q + draw.gauss(0.0, 2e-4)])
        rest = GAIN * u / OMEGA**2
        q, v = rest + a11 * (q - rest) + a12 * v, a21 * (q - rest) + a22 * v
    return rows


class Spikes(ToolTest):
    def table(self, name, head, rows):
        return self.write(name, head + "\n" + "\n".join(",".join(f"{value:.9g}" for value in row) for row in rows) + "\n")

    def result(self, text, *arguments):
        process = run("run", self.write("study.toml", text), *arguments)
        self.assertIn(process.returncode, (0, 1), process.stderr)
        return process, json.loads((self.folder / "study.out/result.json").read_text())

    def decay(self):
        draw = random.Random(1)
        rows = []
        for k in range(4000):
            t = k * STEP
            rows.append([t, math.exp(-RATIO * OMEGA * t) * math.cos(OMEGA * math.sqrt(1.0 - RATIO**2) * t) + draw.gauss(0.0, 1e-4)])
        rows[700][1] = 999.0
        return self.table("decay.csv", "t [s],a [m/s^2]", rows)

    def test_one_sample_of_999_ends_no_acceleration(self):
        self.decay()
        text = '[data]\nfile = "decay.csv"\nacceleration = "a"\n[model]\nequations = "x\'\' + a*x\' + b*x = 0"\n[identify]\nmethod = "acceleration"\n'
        process, result = self.result(text)
        self.assertEqual(process.returncode, 0, process.stderr)
        b = next(one for one in result["records"][0]["parameters"] if one["name"] == "b")["refined"]
        self.assertAlmostEqual(b["value"], OMEGA**2, delta=4.0 * b["deviation"] + 1e-4 * OMEGA**2)
        self.assertIn("a is 999 at 1.4 s, far beyond all others; the line between", " ".join(result["notes"]))
        process, _ = self.result(text, "--set", 'data.spikes="keep"')
        self.assertEqual(process.returncode, 1)

    def test_nor_modes_after_a_tap(self):
        self.decay()
        text = '[data]\nfile = "decay.csv"\noutputs = ["a"]\n[identify]\nmethod = "modes"\nexcitation = "taps"\n'
        _, result = self.result(text)
        self.assertEqual(len(result["modes"]), 1)
        self.assertAlmostEqual(result["modes"][0]["frequency_hz"], OMEGA / (2.0 * math.pi), delta=0.005)
        self.assertIn("a is 999 at 1.4 s", " ".join(result["notes"]))

    OUTPUT_ERROR = """
[data]
file = "driven.csv"
inputs = { u = "u" }
outputs = { y = "y" }
[model]
equations = "y'' = gain*u - 2*zeta*omega*y' - omega^2*y"
[identify]
method = "output-error"
start = "free"
between = "held"
[identify.parameters]
gain = 2.0
zeta = { guess = 0.03, lower = 0.0 }
omega = { guess = 30.0, lower = 0.0 }
"""

    def test_one_sample_of_an_input_is_named_and_bridged_on_request(self):
        rows = driven()
        rows[2500][1] = 999.0
        self.table("driven.csv", "t [s],u [V],y [m]", rows)
        _, result = self.result(self.OUTPUT_ERROR)
        self.assertIn("u is 999 at 5 s, far beyond all others; if that is no measurement", " ".join(result["notes"]))
        process, result = self.result(self.OUTPUT_ERROR, "--set", 'data.spikes="bridge"')
        for name, truth in (("gain", GAIN), ("zeta", RATIO), ("omega", OMEGA)):
            one = next(one for one in result["parameters"] if one["name"] == name)
            self.assertAlmostEqual(one["value"], truth, delta=4.0 * one["deviation"], msg=name)
        process, _ = run("run", self.folder / "study.toml", "--set", 'data.spikes="remove"'), None
        self.assert_exit(process, 3)
        self.assertIn("must be complete", process.stderr)

    def test_sound_records_and_hammers_are_left_alone(self):
        rows = driven()
        for k in range(3):
            rows[100 + k][1] = (300.0, 900.0, 400.0)[k]  # the pulse of a hammer
        self.table("driven.csv", "t [s],u [V],y [m]", rows)
        process = run("info", self.folder / "driven.csv")
        self.assertNotIn("far beyond", process.stdout)

    def test_info_names_them(self):
        process = run("info", self.decay())
        self.assert_exit(process, 0)
        self.assertIn("far beyond all others: a = 999 at 1.4 s", process.stdout)

    def test_new_takes_the_longest_part_beside_a_gap(self):
        rows = driven()
        data = self.table("gap.csv", "t [s],u [V],y [m]", rows[:1000] + rows[1800:])
        study = self.folder / "gap.toml"
        self.assert_exit(run("new", "output-error", data, "-o", study), 0)
        self.assertIn("\nfrom = 3.6 ", study.read_text())
        process = run("run", study)
        self.assertIn(process.returncode, (0, 1), process.stderr)
        # Three quarters of 4200: the rest is held back.
        self.assertIn("3150 samples", process.stdout)
        study.write_text(study.read_text().replace("\nfrom = 3.6 ", "\n# from = 3.6 "))
        process = run("run", study)
        self.assert_exit(process, 3)
        self.assertIn("data.to or data.from", process.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
