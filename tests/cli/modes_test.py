"""The task [identify] with method = "modes", from the study to the report; bad records."""

import json
import math
import random
import shutil
import unittest

from tool import PROJECT, ToolTest, folder_bytes, run

# Eigenvalues of M, K of studies/beam-hammer/simulate.toml, damping as it gives it.
DAMPING = (0.008, 0.006, 0.007, 0.01)

STUDY = """\
title = "Modes"
[data]
file = "record.csv"
inputs = ["F"]
outputs = ["a", "b"]
[identify]
method = "modes"
"""


def oscillators(count=3000, noise=1e-3, dead=False):
    """Two modes under one random force, constant between samples: exact recursion with the exponential of the poles."""
    draw = random.Random(3)
    step, rows, states = 0.01, [], [0j, 0j]
    poles = [complex(-0.01 * w, w * math.sqrt(1 - 1e-4)) for w in (2 * math.pi * 6.0, 2 * math.pi * 17.0)]
    for k in range(count):
        force = draw.gauss(0.0, 1.0)
        q = [(x / 1j).real for x in states]
        a, b = q[0] + q[1], q[0] - 0.7 * q[1]
        rows.append((k * step, force, a + draw.gauss(0.0, noise), 0.0 if dead else b + draw.gauss(0.0, noise)))
        for r, pole in enumerate(poles):
            z = complex(math.e) ** (pole * step)
            states[r] = z * states[r] + (z - 1.0) / pole * force
    return rows


def driven_oscillators(count=3000, sign=1.0):
    """The same under a force that is linear between samples, which a is measured with: x' = w x + f, q = Re x/i."""
    draw = random.Random(5)
    step, rows, states = 0.01, [], [0j, 0j]
    poles = [complex(-0.01 * w, w * math.sqrt(1 - 1e-4)) for w in (2 * math.pi * 6.0, 2 * math.pi * 17.0)]
    forces = [draw.gauss(0.0, 1.0) for _ in range(count + 1)]
    for k in range(count):
        q = [(x / 1j).real for x in states]
        rows.append((k * step, forces[k], sign * (q[0] + q[1] + draw.gauss(0.0, 1e-4)), q[0] - 0.7 * q[1] + draw.gauss(0.0, 1e-4)))
        for r, pole in enumerate(poles):
            z = complex(math.e) ** (pole * step)
            both = (z - 1.0) / pole
            late = (both / step - 1.0) / pole
            states[r] = z * states[r] + (both - late) * forces[k] + late * forces[k + 1]
    return rows


def hammer_record(second):
    """Six blows on one mode of 6 Hz with 1 % damping, 500 samples apart; the third one comes back with a share `second` of its force."""
    draw = random.Random(8)
    step, rows, state = 0.01, [], 0j
    pole = complex(-0.01 * 12 * math.pi, 12 * math.pi * math.sqrt(1 - 1e-4))
    forces = [draw.gauss(0.0, 1e-4) for _ in range(3101)]
    for at, height in [*((50 + 500 * k, 1.0) for k in range(6)), (1050 + 25, second)]:
        for k in range(5):
            forces[at + k] += height * math.sin(math.pi * (k + 0.5) / 5)
    z = complex(math.e) ** (pole * step)
    both = (z - 1.0) / pole
    late = (both / step - 1.0) / pole
    for k in range(3100):
        q = (state / 1j).real
        rows.append((k * step, forces[k], q + draw.gauss(0.0, 1e-5), -0.7 * q + draw.gauss(0.0, 1e-5)))
        state = z * state + (both - late) * forces[k] + late * forces[k + 1]
    return rows


class Modes(ToolTest):
    def study(self, rows, text=STUDY):
        lines = ["t [s],F [N],a [m],b [m]", *(",".join(f"{value:.9g}" for value in row) for row in rows)]
        self.write("record.csv", "\n".join(lines) + "\n")
        return self.write("modes.toml", text)

    def result(self):
        return json.loads((self.folder / "modes.out/result.json").read_text())

    def test_two_modes_end_to_end(self):
        process = run("run", self.study(oscillators()))
        self.assert_exit(process, 0)
        self.assertEqual(process.stderr, "")
        result = self.result()
        self.assertEqual(result["verdict"], {"level": "good", "reasons": [], "advice": []})
        self.assertTrue(result["refined"])
        modes = result["modes"]
        self.assertEqual(len(modes), 2)
        # Four deviations, 4 numbers: beyond by chance with probability 3e-4.
        for mode, frequency, ratio in zip(modes, (6.0, 17.0), (1.0, -0.7)):
            self.assertLess(abs(mode["frequency_hz"] - frequency), 4.0 * mode["frequency_deviation"])
            self.assertLess(abs(mode["damping_ratio"] - 0.01), 4.0 * mode["damping_deviation"])
            self.assertLess(mode["damping_deviation"], 5e-4)
            self.assertAlmostEqual(mode["shape"]["real"][1] / mode["shape"]["real"][0], ratio, delta=0.01)
            self.assertIn(f"{mode['frequency_hz']:.6g}", process.stdout)
        self.assert_documented(result)
        self.assertEqual(sorted(file.name for file in (self.folder / "modes.out").iterdir()),
                         ["report.html", "result.json", "shapes.csv"])

    def test_a_driving_point_gives_modal_masses_and_a_model(self):
        process = run("run", self.study(driven_oscillators(), STUDY + 'driving-point = ["a", "F"]\n'))
        self.assert_exit(process, 0)
        result = self.result()
        self.assert_documented(result)
        for mode, frequency in zip(result["modes"], (6.0, 17.0)):
            self.assertTrue(mode["scale_trusted"], mode["scale_remark"])
            # Re x/i has w_d times the receptance of unit modal mass, so the mass is 1/w_d. A force that is linear between samples is the
            # sampled one times sinc². Noise of 1e-4 leaves residues within some 1e-3.
            turn = math.pi * frequency * 0.01
            expected = 1.0 / (2 * math.pi * frequency * (math.sin(turn) / turn)**2)
            self.assertAlmostEqual(mode["modal_mass"] / expected, 1.0, delta=0.01)
            self.assertAlmostEqual(mode["driving_phase"], 0.0, delta=1.0)
        self.assertIn("masses", process.stdout)
        # The model runs as it is, and has the modes.
        self.assert_exit(run("run", self.folder / "modes.out/modal-model.toml"), 0)
        made = json.loads((self.folder / "modes.out/modal-model.out/result.json").read_text())["model"]["modes"]
        for mode, same in zip(result["modes"], made):
            self.assertAlmostEqual(same["frequency_hz"] / mode["frequency_hz"], 1.0, delta=1e-9)

    def test_a_double_hit_is_left_out(self):
        study = STUDY + "to = 20.0\n"
        process = run("run", self.study(hammer_record(0.2), study))
        self.assert_exit(process, 0)
        self.assertIn("blow at 10.52 s: the hammer hit a second time after 250 ms", process.stdout)
        self.assertIn("left out", process.stdout)
        mode, = self.result()["modes"]
        # Four deviations: beyond by chance with probability 6e-5.
        self.assertLess(abs(mode["frequency_hz"] - 6.0), 4.0 * mode["frequency_deviation"])
        process = run("run", self.study(hammer_record(0.0), study))
        self.assert_exit(process, 0)
        self.assertNotIn("left out", process.stdout)

    def test_a_wrong_driving_point_is_named(self):
        process = run("check", self.study(oscillators(), STUDY + 'driving-point = ["c", "F"]\n'))
        self.assert_exit(process, 2)
        self.assertIn('names no response "c"', process.stderr)
        process = run("check", self.study(oscillators(), STUDY + 'driving-point = ["a"]\n'))
        self.assert_exit(process, 2)
        self.assertIn("must name a response and a force", process.stderr)

    def test_a_sensor_against_the_force_is_named(self):
        process = run("run", self.study(driven_oscillators(sign=-1.0), STUDY + 'driving-point = ["a", "F"]\n'))
        self.assert_exit(process, 0)
        self.assertEqual(self.result()["verdict"]["level"], "caution")
        self.assertIn("opposite signs", json.dumps(self.result()["verdict"]))
        self.assertFalse((self.folder / "modes.out/modal-model.toml").exists())

    def test_the_hammer_study_finds_the_modes_of_its_model(self):
        for name in ("simulate.toml", "modes.toml"):
            shutil.copy(PROJECT / "studies/beam-hammer" / name, self.folder / name)
        self.assert_exit(run("run", self.folder / "simulate.toml", "--quiet"), 0)
        truth = json.loads((self.folder / "simulate.out/result.json").read_text())["model"]["modes"]
        self.assert_exit(run("run", self.folder / "modes.toml"), 0)
        modes = self.result()["modes"]
        self.assertEqual(len(modes), 4)
        for mode, known, damping in zip(modes, truth, DAMPING):
            # The force is smooth between samples, which the model of the records takes as linear.
            self.assertAlmostEqual(mode["frequency_hz"] / known["frequency_hz"], 1.0, delta=1e-4)
            self.assertAlmostEqual(mode["damping_ratio"] / damping, 1.0, delta=0.03)

    def test_the_frame_has_its_five_modes_three_ways(self):
        # Hammer, tap, wind: the modes of the model, none else, called good. Eight blows once gave a sixth term beside 41.69 Hz, which
        # only leakage had put there.
        for source, study in (("simulate", "modes"), ("simulate-tap", "decay"), ("simulate-wind", "ambient")):
            with self.subTest(study=study):
                for name in (source, study):
                    shutil.copy(PROJECT / "studies/frame-modes" / f"{name}.toml", self.folder)
                self.assert_exit(run("run", self.folder / f"{source}.toml", "--quiet"), 0)
                truth = json.loads((self.folder / f"{source}.out/result.json").read_text())["model"]["modes"]
                self.assert_exit(run("run", self.folder / f"{study}.toml"), 0)
                # Once more: the folder of the first result is known as such and replaced.
                self.assert_exit(run("run", self.folder / f"{study}.toml", "--quiet"), 0)
                result = json.loads((self.folder / f"{study}.out/result.json").read_text())
                self.assertEqual(result["verdict"]["level"], "good", result["verdict"])
                self.assertEqual(len(result["modes"]), len(truth))
                for mode, known, damping in zip(result["modes"], truth, (0.01, 0.006, 0.005, 0.008, 0.01)):
                    # Four deviations of ten numbers: beyond by chance with probability 6e-4; and what sampled forces leave.
                    self.assertLess(abs(mode["frequency_hz"] - known["frequency_hz"]),
                                    4.0 * mode["frequency_deviation"] + 1e-5 * known["frequency_hz"])
                    self.assertLess(abs(mode["damping_ratio"] - damping), 4.0 * mode["damping_deviation"] + 1e-3 * damping)

    def test_a_geometry_moves_its_nodes(self):
        geometry = """
[geometry]
lines = ["1 2"]
rigid = ["2 3"]
[geometry.nodes]
1 = [0.0, 0.0, 0.0]
2 = [0.0, 0.0, 2.0]
3 = [1.0, 0.0, 2.0]
[geometry.sensors]
a = "2 0 3 0"
b = "3 +y"
"""
        process = run("run", self.study(oscillators(), STUDY + geometry))
        self.assert_exit(process, 0)
        self.assertIn("nodes without a sensor, which stand still in the picture: 1", process.stdout)
        result = self.result()
        self.assert_documented(result)
        places = [(one["name"], one["node"], one["direction"]) for one in result["geometry"]["sensors"]]
        self.assertEqual(places, [("a", "2", [0.0, 1.0, 0.0]), ("b", "3", [0.0, 1.0, 0.0])])
        # Dataset 55 in its columns: eigenvalue in record 8, then node label and three complex numbers.
        lines = (self.folder / "modes.out/modes.unv").read_text().splitlines()
        starts = [i for i, line in enumerate(lines) if line == "    55" and lines[i - 1] == "    -1"]
        self.assertEqual(len(starts), 2)
        for start, mode in zip(starts, result["modes"]):
            pole = complex(float(lines[start + 8][:13]), float(lines[start + 8][13:26]))
            # Six digits are written.
            self.assertAlmostEqual(abs(pole) / (2 * math.pi * mode["frequency_hz"]), 1.0, delta=2e-5)
            self.assertAlmostEqual(-pole.real / abs(pole) / mode["damping_ratio"], 1.0, delta=2e-5)
            for node, (real, imaginary) in enumerate(((0.0, 0.0), *zip(mode["shape"]["real"], mode["shape"]["imaginary"]))):
                self.assertEqual(int(lines[start + 9 + 2 * node]), node + 1)
                values = [float(lines[start + 10 + 2 * node][13 * k:13 * k + 13]) for k in range(6)]
                for value, expected in zip(values, (0.0, 0.0, real, imaginary, 0.0, 0.0)):
                    self.assertAlmostEqual(value, expected, delta=1e-5)

    def test_gaps_of_a_geometry_are_named(self):
        head = "\n[geometry]\nnodes = { 1 = [0.0, 0.0, 0.0] }\n"
        cases = (
            (head, 2, "no response has a place"),
            (head + 'sensors = { a = "2 +x" }\n', 2, 'names the node "2", which has no place'),
            (head + 'sensors = { a = "1 up" }\n', 2, "must be a node and a direction"),
            (head + 'sensors = { a = "1 0 0 0" }\n', 2, "must be a node and a direction"),
            (head + 'sensors = { c = "1 +x" }\n', 2, 'there is no response "c"'),
            (head + 'lines = ["1"]\nsensors = { a = "1 +x" }\n', 2, "must have at least 2 nodes"),
            (head + 'rigid = ["1 1"]\nsensors = { a = "1 +x" }\n', 2, "must name each node once"),
            ('\n[geometry]\nnodes = "none.csv"\nsensors = { a = "1 +x" }\n', 3, "none.csv"),
        )
        for text, code, message in cases:
            with self.subTest(message=message):
                process = run("run", self.study(oscillators(200), STUDY + text))
                self.assert_exit(process, code)
                self.assertIn(message, process.stderr)
        process = run("run", self.study(oscillators(), STUDY + head + 'sensors = { a = "1 +x" }\n'))
        self.assert_exit(process, 0)
        self.assertIn("without a place, and left out of the moving shapes: b", process.stdout)

    def test_geometry_files(self):
        self.write("nodes.csv", "1,0,0,0\n5,0,0,1.5\n")
        self.write("frame.unv", "    -1\n    15\n"
                   "         1         0         0         0  0.00000E+00  0.00000E+00  0.00000E+00\n"
                   "         5         0         0         0  0.00000E+00  0.00000E+00  1.50000E+00\n    -1\n")
        for source in ('nodes = "nodes.csv"', 'file = "frame.unv"'):
            with self.subTest(source=source):
                text = STUDY + f'\n[geometry]\n{source}\nlines = ["1 5"]\nsensors = {{ a = "5 +x", b = "5 -y" }}\n'
                self.assert_exit(run("run", self.study(oscillators(), text)), 0)
                geometry = self.result()["geometry"]
                self.assertEqual(geometry["nodes"], ["1", "5"])
                self.assertEqual(geometry["positions"], [[0.0, 0.0, 0.0], [0.0, 0.0, 1.5]])

    def test_windows_choose_the_modes(self):
        for lines, kept in (("drop = [[16.0, 18.0]]", [6.0]), ("keep = [[16.0, 18.0]]", [17.0])):
            with self.subTest(lines=lines):
                self.assert_exit(run("run", self.study(oscillators(), STUDY + f"\n[identify.poles]\n{lines}\n")), 0)
                found = [mode["frequency_hz"] for mode in self.result()["modes"]]
                self.assertEqual(len(found), len(kept))
                self.assertAlmostEqual(found[0], kept[0], delta=0.05)

    def test_the_same_study_gives_the_same_bytes(self):
        study = self.study(oscillators(1500))
        run("run", study, "--quiet", "--out", self.folder / "one")
        run("run", study, "--quiet", "--out", self.folder / "two", "--threads", "2")
        self.assertEqual(folder_bytes(self.folder / "one"), folder_bytes(self.folder / "two"))

    def test_bad_records_and_keys_are_named(self):
        cases = (
            (oscillators(200, dead=True), STUDY, 3, 'column "b" never changes; a dead channel?'),
            (oscillators(40), STUDY, 3, "has 40 samples; at least 64 are needed"),
            (oscillators(200), STUDY + "to = 60.0\n", 2, "must be below half the sampling rate of 100 Hz"),
            (oscillators(200), STUDY + "from = 20.0\nto = 10.0\n", 2, "must be above identify.from"),
            (oscillators(200), STUDY + "[identify.poles]\nkeep = [[5.0, 4.0]]\n", 2, "must have rows that rise"),
            (oscillators(2000), STUDY + "from = 10.0\nto = 10.2\n", 3, "must hold at least 8 lines"),
        )
        for rows, text, code, message in cases:
            with self.subTest(message=message):
                process = run("run", self.study(rows, text))
                self.assert_exit(process, code)
                self.assertIn(message, process.stderr)
                self.assertFalse((self.folder / "modes.out").exists())

    def test_without_forces(self):
        # One hidden white force drives both modes.
        study = self.study(oscillators(20000), STUDY.replace('inputs = ["F"]\n', "") + "order = 40\n")
        process = run("run", study)
        self.assert_exit(process, 0)
        self.assertIn("unknown forces", process.stdout)
        modes = self.result()["modes"]
        self.assertEqual(len(modes), 2)
        for mode, frequency, ratio in zip(modes, (6.0, 17.0), (1.0, -0.7)):
            self.assertLess(abs(mode["frequency_hz"] - frequency), 4.0 * mode["frequency_deviation"])
            self.assertLess(abs(mode["damping_ratio"] - 0.01), 4.0 * mode["damping_deviation"])
            self.assertAlmostEqual(mode["shape"]["real"][1] / mode["shape"]["real"][0], ratio, delta=0.05)
        self.assert_documented(self.result())
        self.assert_exit(run("run", self.study(oscillators(200), STUDY.replace('inputs = ["F"]\n', "") + "track = 4\n")), 2)

    def test_a_decay_after_a_tap(self):
        draw = random.Random(8)
        rows, step = [], 0.01
        poles = [complex(-0.005 * w, w) for w in (2 * math.pi * 6.0, 2 * math.pi * 17.0)]
        for k in range(1500):
            t = (k - 300) * step
            q = [math.exp(p.real * t) * math.sin(p.imag * t) if t > 0 else 0.0 for p in poles]
            hum = 0.05 * math.sin(2 * math.pi * 31.0 * k * step)
            a, b = q[0] + q[1] + hum, q[0] - 0.7 * q[1] + hum
            rows.append((k * step, 0.0, a + draw.gauss(0.0, 1e-3), b + draw.gauss(0.0, 1e-3)))
        study = self.study(rows, STUDY.replace('inputs = ["F"]\n', "") + 'excitation = "taps"\n')
        process = run("run", study)
        self.assert_exit(process, 0)
        result = self.result()
        self.assertEqual(result["data"], "taps")
        self.assertEqual(len(result["modes"]), 2)
        for mode, frequency, ratio in zip(result["modes"], (6.0, 17.0), (1.0, -0.7)):
            # |pole| of a damped sine with the damped frequency given, four deviations as above.
            self.assertLess(abs(mode["frequency_hz"] - frequency * math.sqrt(1 + 0.005**2)), 4.0 * mode["frequency_deviation"])
            self.assertLess(abs(mode["damping_ratio"] - 0.005), 4.0 * mode["damping_deviation"])
            self.assertAlmostEqual(mode["shape"]["real"][1] / mode["shape"]["real"][0], ratio, delta=0.01)
        self.assertEqual(len(result["harmonics"]), 1)
        self.assertAlmostEqual(result["harmonics"][0]["frequency_hz"], 31.0, delta=0.01)
        self.assertIn("no mode", process.stdout)
        self.assert_documented(result)
        self.assert_exit(run("run", self.study(rows, STUDY + 'excitation = "taps"\n')), 2)

    def frequency_responses(self, dead=False):
        """Two modes of unit modal mass, 400 lines, noise 1e-4 of the highest peak."""
        draw = random.Random(9)
        lines, poles = ["f,a.re,a.im,b.re,b.im"], ((6.0, 1.0, 1.0), (17.0, 0.8, -0.7))
        for k in range(1, 401):
            w = 2 * math.pi * 0.06 * k
            values = [0j, 0j]
            for frequency, a, b in poles:
                n = 2 * math.pi * frequency
                h = 1.0 / complex(n * n - w * w, 2 * 0.01 * n * w)
                values = [values[0] + a * h, values[1] + b * h]
            numbers = [part + draw.gauss(0.0, 3e-6) for value in values for part in (value.real, value.imag)]
            if dead:
                numbers[2:] = [0.0, 0.0]
            lines.append(",".join(f"{number:.9g}" for number in (0.06 * k, *numbers)))
        self.write("frf.csv", "\n".join(lines) + "\n")

    def test_frequency_responses_of_a_table(self):
        self.frequency_responses()
        text = STUDY.replace('file = "record.csv"\ninputs = ["F"]\n', 'frf = "frf.csv"\nfrequency = "f"\n')
        process = run("run", self.write("modes.toml", text))
        self.assert_exit(process, 0)
        result = self.result()
        self.assertEqual(len(result["modes"]), 2)
        for mode, frequency, ratio in zip(result["modes"], (6.0, 17.0), (1.0, -0.875)):
            self.assertLess(abs(mode["frequency_hz"] - frequency), 4.0 * mode["frequency_deviation"])
            self.assertLess(abs(mode["damping_ratio"] - 0.01), 4.0 * mode["damping_deviation"])
            self.assertAlmostEqual(mode["shape"]["real"][1] / mode["shape"]["real"][0], ratio, delta=0.01)
        self.assertGreater(result["choice"]["frf_fit"], 95.0)
        self.assert_documented(result)
        for change, message in ((("frequency = \"f\"\n", ""), "needs data.frequency"),
                                (('["a", "b"]', '["a", "c"]'), 'has no column "c.re"')):
            process = run("run", self.write("modes.toml", text.replace(*change)))
            self.assertIn(message, process.stderr)
            self.assertIn(process.returncode, (2, 3))
        self.frequency_responses(dead=True)
        process = run("run", self.write("modes.toml", text))
        self.assert_exit(process, 3)
        self.assertIn('the response "b" is zero throughout', process.stderr)

    def test_noise_has_no_modes(self):
        draw = random.Random(5)
        rows = [(k * 0.01, *(draw.gauss(0.0, 1.0) for _ in range(3))) for k in range(2000)]
        process = run("run", self.study(rows))
        self.assert_exit(process, 1)
        self.assertEqual(self.result()["verdict"]["level"], "bad")
        self.assertEqual(self.result()["modes"], [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
