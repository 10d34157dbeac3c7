"""Records made ready by [data], for every task that reads records: parts, filters, other rates, trends, times that jitter."""

import json
import math
import random
import unittest
import unittest.mock

from tool import ToolTest, run

# M q'' + D q' + K q = F, 5 Hz and 2 %.
MASS, FREQUENCY, RATIO = 2.0, 5.0, 0.02
OMEGA = 2.0 * math.pi * FREQUENCY
STEP, SAMPLES = 0.004, 8000

STUDIES = {
    "identify": """
[data]
inputs = ["F"]
outputs = ["y"]
[model]
degrees-of-freedom = 1
[identify]
hold = "zero"
""",
    "output-error": """
[data]
inputs = { u = "F" }
outputs = { y = "y" }
[model]
equations = "y'' = gain*u - 2*zeta*omega*y' - omega^2*y"
[identify]
method = "output-error"
start = "free"
between = "held"
[identify.parameters]
gain = 0.4
zeta = { guess = 0.03, lower = 0.0 }
omega = { guess = 30.0, lower = 0.0 }
""",
    "modes": """
[data]
inputs = ["F"]
outputs = ["y"]
[identify]
method = "modes"
from = 2.0
to = 20.0
""",
    "acceleration": """
[data]
acceleration = "decay"
[model]
equations = "x'' + a*x' + b*x = 0"
[identify]
method = "acceleration"
""",
    "observe": """
[mechanism]
gravity = [0.0, 0.0]
bodies.arm = { points = { O = [0.0, 0.0] } }
joints = [{ revolute = ["ground", "arm.O"] }]
coordinates = ["angle(arm)"]
[data]
sensors.encoder = { column = "y", kind = "angle", of = "arm", sigma = 0.001 }
[observe]
motion = "white-jerk"
""",
}


def motion():
    """t, a held random force, the displacement that it makes, and the acceleration of a free decay."""
    draw = random.Random(11)
    damped = OMEGA * math.sqrt(1.0 - RATIO**2)
    decay, c, s = math.exp(-RATIO * OMEGA * STEP), math.cos(damped * STEP), math.sin(damped * STEP)
    # Exact for a force that is held: the free motion about its equilibrium.
    a11, a12 = decay * (c + RATIO * OMEGA / damped * s), decay * s / damped
    a21, a22 = -decay * OMEGA**2 / damped * s, decay * (c - RATIO * OMEGA / damped * s)
    q, v, force, rows = 0.0, 0.0, 0.0, []
    for k in range(SAMPLES):
        if k % 5 == 0:
            force = draw.gauss(0.0, 200.0)
        t = k * STEP
        free = math.exp(-RATIO * OMEGA * t) * math.cos(damped * t)
        rows.append([t, force, q + draw.gauss(0.0, 2e-4), free + draw.gauss(0.0, 1e-4)])
        rest = force / (MASS * OMEGA**2)
        q, v = rest + a11 * (q - rest) + a12 * v, a21 * (q - rest) + a22 * v
    return rows


class Conditioning(ToolTest):
    rows = motion()

    def data(self, name, rows):
        lines = ["t [s],F [N],y [m],decay [m/s^2]"] + [",".join(f"{value:.9g}" for value in row) for row in rows]
        return self.write(name, "\n".join(lines) + "\n")

    def found(self, task, rows, keys, expected=(0, 1)):
        """Runs the study of a task with further keys of [data]; its process and result."""
        self.data(f"{task}.csv", rows)
        text = STUDIES[task].replace("[data]", f'[data]\nfile = "{task}.csv"\n' + "\n".join(keys))
        if task == "observe":
            text = text.replace("y [m]", "y [rad]")
            file = self.folder / "observe.csv"
            file.write_text(file.read_text().replace("y [m]", "y [rad]"))
        process = run("run", self.write(f"{task}.toml", text))
        self.assertIn(process.returncode, expected, process.stdout + process.stderr)
        result = self.folder / f"{task}.out/result.json"
        return process, json.loads(result.read_text()) if result.exists() else None

    def frequency(self, task, result):
        if task in ("identify", "modes"):
            return (result["model"] if task == "identify" else result)["modes"][0]["frequency_hz"]
        if task == "output-error":
            return next(one["value"] for one in result["parameters"] if one["name"] == "omega") / (2.0 * math.pi)
        b = next(one for one in result["records"][0]["parameters"] if one["name"] == "b")
        return math.sqrt(b["refined"]["value"]) / (2.0 * math.pi)

    def assert_frequency(self, task, result):
        if task != "observe":  # an observer has none
            self.assertAlmostEqual(self.frequency(task, result), FREQUENCY, delta=0.005 * FREQUENCY)

    def heading(self, process):
        return process.stdout.splitlines()[1]

    def test_a_part_of_the_record_is_used(self):
        for task in STUDIES:
            with self.subTest(task=task):
                # The decay lasts some seconds.
                begin, end = (0.4, 3.596) if task == "acceleration" else (4.0, 27.996)
                process, result = self.found(task, self.rows, [f"from = {begin}", f"to = {end}"])
                self.assertIn(f"{round((end - begin) / STEP) + 1} samples", self.heading(process))
                self.assert_frequency(task, result)

    def test_another_rate(self):
        for task in STUDIES:
            for key, step in (("every = 3", 3 * STEP), ("resample = 0.01", 0.01)):
                with self.subTest(task=task, key=key):
                    end = [] if task != "acceleration" else ["to = 4.0"]
                    changed = STUDIES[task].replace('between = "held"', 'between = "cubic"').replace('hold = "zero"', 'hold = "cubic"')
                    with unittest.mock.patch.dict(STUDIES, {task: changed}):
                        process, result = self.found(task, self.rows, [key, *end])
                    self.assertIn(f"at {1.0 / step:.6g} Hz", self.heading(process))
                    self.assert_frequency(task, result)

    def test_hum_is_filtered_away(self):
        hum = [[t, F, y + 0.05 * math.sin(2.0 * math.pi * 50.0 * t), d + 0.5 * math.sin(2.0 * math.pi * 50.0 * t)] for t, F, y, d in self.rows]
        for task in STUDIES:
            with self.subTest(task=task):
                keys = ["filter = { below = 15.0 }", *(["from = 0.2", "to = 4.0"] if task == "acceleration" else [])]
                changed = STUDIES[task].replace('between = "held"', 'between = "cubic"').replace('hold = "zero"', 'hold = "cubic"')
                with unittest.mock.patch.dict(STUDIES, {task: changed}):
                    _, result = self.found(task, hum, keys)
                self.assert_frequency(task, result)

    def test_a_trend_is_taken_off(self):
        drifting = [[t, F, y + 3.0 + 0.05 * t, d] for t, F, y, d in self.rows]
        for task in ("identify", "output-error", "modes"):
            with self.subTest(task=task):
                _, result = self.found(task, drifting, ['detrend = "line"'])
                self.assert_frequency(task, result)

    def in_the_wind(self):
        """Two modes, 12 and 30 Hz with 1 %, under a random force that nobody measures: t, y."""
        draw = random.Random(8)
        rows, states = [], [[0.0, 0.0], [0.0, 0.0]]
        for k in range(20000):
            force = draw.gauss(0.0, 1.0)
            for state, frequency in zip(states, (12.0, 30.0)):
                decay, turn = math.exp(-0.01 * 2.0 * math.pi * frequency * 0.01), 2.0 * math.pi * frequency * 0.01
                state[0], state[1] = 2.0 * decay * math.cos(turn) * state[0] - decay**2 * state[1] + force, state[0]
            rows.append((k * 0.01, states[0][0] + states[1][0] + draw.gauss(0.0, 0.1)))
        return rows

    def test_a_large_drift_hides_no_mode(self):
        rows = self.in_the_wind()
        study = self.write("wind.toml", '[data]\nfile = "wind.csv"\noutputs = ["y"]\n[identify]\nmethod = "modes"\n')
        for drift in (0.0, 5.0):
            self.write("wind.csv", "t [s],y [m]\n" + "".join(f"{t:.9g},{y + drift * t:.9g}\n" for t, y in rows))
            self.assert_exit(run("run", study, "--quiet"), 0)
            result = json.loads((self.folder / "wind.out/result.json").read_text())
            self.assertEqual([round(one["frequency_hz"]) for one in result["modes"]], [12, 30])
            self.assertEqual("y drifts by more than it vibrates" in " ".join(result["notes"]), drift > 0.0)

    def test_times_that_jitter_are_refused_or_accepted_and_said(self):
        draw = random.Random(5)
        uneven = [[t + draw.uniform(-0.05, 0.05) * STEP, *rest] for t, *rest in self.rows]
        for task in STUDIES:
            with self.subTest(task=task):
                end = ["to = 4.0"] if task == "acceleration" else []
                if task != "observe":  # which takes any times
                    process, _ = self.found(task, uneven, end, expected=(3,))
                    self.assertIn("data.jitter", process.stderr)
                process, result = self.found(task, uneven, ["jitter = 0.1", *end])
                self.assert_frequency(task, result)
                self.assertRegex(" ".join(result["notes"]), r"times up to 0\.0\d+ of a step off an even grid of 0\.004 s are taken as even")


if __name__ == "__main__":
    unittest.main(verbosity=2)
