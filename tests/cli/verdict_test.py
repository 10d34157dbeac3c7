"""Slips that must not end as a success: run as a user would, level, reason and exit code.

Others of the kind are in identify_test (a sign, swapped sensors, a delay, kN), output_error_test (inputs and outputs
swapped), acceleration_test (a record in g) and observe_test (counts, noise stated too small).
"""

import json
import math
import random
import shutil
import unittest

from tool import PROJECT, ToolTest, run

CHAIN = """\
title = "Slip"
[data]
file = "record.csv"
time = "t"
inputs = ["u"]
outputs = ["y"]
[model]
coordinates = ["a"]
[sensors]
y = {{ measures = "displacement", at = "a" }}
[identify]
hold = "{hold}"
"""


def oscillator(forces, step, mass=1.0, damping=2.0, stiffness=400.0, feedback=0.0, held=True):
    """Displacements of m q'' + d q' + k q = u - feedback q at the samples: Runge-Kutta, 20 steps a sample.

    Returns them and the forces that act, u - feedback q. These are held from sample to sample; or `forces` is a function of time and
    the number of samples, not `held`."""
    fine = step / 20.0
    q, v, positions, acting = 0.0, 0.0, [], []
    count = forces[1] if callable(forces[0]) else len(forces)
    for k in range(count):
        u = forces[0](k * step) if callable(forces[0]) else forces[k] - feedback * q
        positions.append(q)
        acting.append(u)
        for i in range(20):
            def slope(t, x, w, u=u):
                force = u if held else forces[0](t)
                return w, (force - damping * w - stiffness * x) / mass

            t = k * step + i * fine
            a = slope(t, q, v)
            b = slope(t + 0.5 * fine, q + 0.5 * fine * a[0], v + 0.5 * fine * a[1])
            c = slope(t + 0.5 * fine, q + 0.5 * fine * b[0], v + 0.5 * fine * b[1])
            d = slope(t + fine, q + fine * c[0], v + fine * c[1])
            q += fine / 6.0 * (a[0] + 2.0 * b[0] + 2.0 * c[0] + d[0])
            v += fine / 6.0 * (a[1] + 2.0 * b[1] + 2.0 * c[1] + d[1])
    return positions, acting


def noisy(values, share, source):
    size = math.sqrt(sum(v * v for v in values) / len(values))
    return [v + share * size * source.gauss(0.0, 1.0) for v in values]


class Slips(ToolTest):
    def identify(self, forces, readings, step, hold, swapped=False):
        rows = [f"{k * step:.9g},{u:.9g},{y:.9g}" for k, (u, y) in enumerate(zip(forces, readings))]
        heading = "t [s],y [m],u [N]" if swapped else "t [s],u [N],y [m]"
        (self.folder / "record.csv").write_text("\n".join([heading] + rows) + "\n")
        (self.folder / "study.toml").write_text(CHAIN.format(hold=hold))
        process = run("run", self.folder / "study.toml")
        return process, self.verdict(process)

    def verdict(self, process):
        found = json.loads((self.folder / "study.out" / "result.json").read_text())["verdict"]
        self.assert_exit(process, 1 if found["level"] == "bad" else 0)
        return found

    def held_record(self, seed=1, samples=2000, step=0.02):
        source = random.Random(seed)
        forces = [source.gauss(0.0, 1.0) for _ in range(samples)]
        positions, _ = oscillator(forces, step)
        return forces, noisy(positions, 0.03, source), step

    def test_the_record_itself_is_good(self):
        _, verdict = self.identify(*self.held_record(), "zero")
        self.assertEqual(verdict["level"], "good", verdict)

    def test_forces_and_readings_swapped(self):
        process, verdict = self.identify(*self.held_record(), "zero", swapped=True)
        self.assertEqual(verdict["level"], "bad", verdict)
        self.assertRegex(process.stderr, "study.toml: (verdict bad|not-identifiable)")

    def test_a_held_force_taken_for_a_smooth_one(self):
        _, verdict = self.identify(*self.held_record(), "cubic")
        self.assertNotEqual(verdict["level"], "good")
        # What is left is half a sample of delay, and a held force would fit better.
        self.assertRegex(" ".join(verdict["reasons"] + verdict["advice"]), "delay|hold|held")

    def test_an_unstable_plant_under_feedback(self):
        source = random.Random(2)
        forces = [source.gauss(0.0, 1.0) for _ in range(3000)]
        # K = -30, held upright by u - 90 q.
        positions, acting = oscillator(forces, 0.02, stiffness=-30.0, feedback=90.0)
        process, verdict = self.identify(acting, noisy(positions, 0.01, source), 0.02, "zero")
        self.assertEqual(verdict["level"], "bad", verdict)
        self.assertIn("verdict bad", process.stderr)

    def test_blows_of_five_samples(self):
        # Half sines of five samples: their impulse through the samples is wrong by π²/(12·25) = 3 %.
        source, step, count = random.Random(3), 0.005, 6000
        begin = [k * 1.5 + 0.1 + 0.003 * source.random() for k in range(18)]

        def blow(t):
            return sum(100.0 * math.sin(math.pi * (t - b) / (5.0 * step)) for b in begin if 0.0 <= t - b < 5.0 * step)

        positions, acting = oscillator((blow, count), step, damping=4.0, held=False)
        _, verdict = self.identify(acting, noisy(positions, 0.001, source), step, "cubic")
        self.assertNotEqual(verdict["level"], "good")
        self.assertIn("blows", " ".join(verdict["reasons"]))


class Observers(ToolTest):
    def crank(self, change=lambda k, row: None, *settings):
        source = PROJECT / "studies/slider-crank"
        shutil.copy(source / "observe.toml", self.folder / "study.toml")
        lines = (source / "record.csv").read_text().splitlines()
        first = next(i for i, line in enumerate(lines) if not line.startswith("#"))
        self.names = [cell.split(" [")[0] for cell in lines[first].split(",")]
        rows = [line.split(",") for line in lines[first + 1:]]
        for k, row in enumerate(rows):
            change(k, row)
        (self.folder / "record.csv").write_text("\n".join(lines[:first + 1] + [",".join(row) for row in rows]) + "\n")
        arguments = [part for setting in settings for part in ("--set", setting)]
        process = run("run", self.folder / "study.toml", *arguments)
        found = json.loads((self.folder / "study.out" / "result.json").read_text())["verdict"]
        self.assert_exit(process, 1 if found["level"] == "bad" else 0)
        return found

    def test_deviations_that_are_far_too_large(self):
        """A NIS 60 times too small: all sigmas √60 times too large, and a density that goes with them."""
        scale = math.sqrt(60.0)
        verdict = self.crank(lambda k, row: None, f"data.sensors.encoder.sigma={0.003 * scale}",
                             f"data.sensors.accel.sigma={0.03 * scale}", "observe.density=9600.0")
        self.assertNotEqual(verdict["level"], "good")
        self.assertIn("smaller", " ".join(verdict["reasons"]))

    def test_innovations_that_are_a_sine(self):
        def hum(k, row):
            place = self.names.index("theta")
            row[place] = repr((float(row[place]) + 0.012 * math.sin(2.0 * math.pi * 17.0 * 0.001 * k)) % (2.0 * math.pi))

        verdict = self.crank(hum)
        self.assertNotEqual(verdict["level"], "good")
        self.assertIn("encoder", " ".join(verdict["reasons"]))


if __name__ == "__main__":
    unittest.main()
