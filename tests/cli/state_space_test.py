"""The task [identify] with method = "state-space", from the study to the report; bad records."""

import json
import math
import random
import shutil
import unittest

from tool import PROJECT, ToolTest, folder_bytes, run

STUDY = """\
title = "State space"
[data]
file = "record.csv"
inputs = ["F"]
outputs = ["a", "b"]
validation = { fraction = 0.25 }
[identify]
method = "state-space"
largest-order = 12
"""


def oscillators(count=3000, noise=1e-3, dead=False):
    """Two modes under one random force, constant between samples: exact recursion with the exponential of the poles."""
    draw = random.Random(3)
    step, rows, states = 0.01, [], [0j, 0j]
    poles = [complex(-0.01 * w, w * math.sqrt(1 - 1e-4)) for w in (2 * math.pi * 6.0, 2 * math.pi * 17.0)]
    for k in range(count):
        force = draw.gauss(0.0, 1.0)
        a, b = states[0].imag + states[1].imag, states[0].imag - 0.7 * states[1].imag
        rows.append((k * step, force, a + draw.gauss(0.0, noise), 0.0 if dead else b + draw.gauss(0.0, noise)))
        for r, pole in enumerate(poles):
            z = complex(math.e) ** (pole * step)
            states[r] = z * states[r] + (z - 1.0) / pole * force
    return rows


class StateSpace(ToolTest):
    def study(self, rows, text=STUDY):
        self.write("record.csv", "t,F,a,b\n" + "".join(",".join(repr(one) for one in row) + "\n" for row in rows))
        return self.write("state-space.toml", text)

    def result(self):
        return json.loads((self.folder / "state-space.out/result.json").read_text())

    def test_two_modes_end_to_end(self):
        process = run("run", self.study(oscillators()))
        self.assert_exit(process, 0)
        self.assertIn("held out", process.stdout)
        result = self.result()
        self.assertEqual(result["verdict"]["level"], "good")
        self.assertEqual(result["states"], 4)
        for pole, frequency in zip(result["poles"], (6.0, 17.0)):
            self.assertLess(abs(pole["frequency_hz"] - frequency), 4 * pole["frequency_deviation"])
            self.assertLess(abs(pole["damping_ratio"] - 0.01), 4 * pole["damping_deviation"])
        self.assertGreater(result["validation"]["worst_fit"], 95.0)
        self.assertEqual(sorted(file.name for file in (self.folder / "state-space.out").iterdir()),
                         ["model.mat", "report.html", "result.json"])

    def test_the_same_study_gives_the_same_bytes(self):
        study = self.study(oscillators())
        self.assert_exit(run("run", study), 0)
        first = folder_bytes(self.folder / "state-space.out")
        self.assert_exit(run("run", study), 0)
        self.assertEqual(first, folder_bytes(self.folder / "state-space.out"))

    def test_the_model_file_simulates_the_record(self):
        # An independent program: NumPy runs the matrices of result.json over the inputs.
        import numpy
        rows = oscillators()
        self.assert_exit(run("run", self.study(rows, STUDY.replace("validation = { fraction = 0.25 }\n", ""))), 0)
        result = self.result()
        model = {key: numpy.array(result["model"][key]) for key in ("A", "B", "C", "D", "x0")}
        x, errors, sizes = model["x0"][:, 0], numpy.zeros(2), numpy.zeros(2)
        measured = numpy.array(rows)[:, 2:]
        for k, row in enumerate(rows):
            u = numpy.array(row[1:2])
            errors += (measured[k] - model["C"] @ x - model["D"] @ u) ** 2
            x = model["A"] @ x + model["B"] @ u
        sizes = ((measured - measured.mean(axis=0)) ** 2).sum(axis=0)
        for output, fit in zip(result["outputs"], 100 * (1 - numpy.sqrt(errors / sizes))):
            self.assertAlmostEqual(output["fit"], fit, places=6)  # both sum 3000 squares in double precision

    def test_a_dead_channel_is_named(self):
        process = run("run", self.study(oscillators(dead=True)))
        self.assert_exit(process, 3)
        self.assertIn('column "b" never changes; a dead channel?', process.stderr)

    def test_a_short_record_is_refused(self):
        process = run("run", self.study(oscillators(count=60)))
        self.assert_exit(process, 3)
        self.assertIn("at least 100 are needed", process.stderr)

    def test_without_inputs_there_is_no_model(self):
        process = run("run", self.study(oscillators(count=200), STUDY.replace('inputs = ["F"]\n', "")))
        self.assertNotEqual(process.returncode, 0)
        self.assertIn("inputs", process.stderr)

    def test_outputs_that_do_not_belong_to_the_inputs_are_bad(self):
        rows = oscillators()
        shifted = [(t, rows[-1 - k][1], a, b) for k, (t, _, a, b) in enumerate(rows)]
        process = run("run", self.study(shifted))
        self.assertEqual(self.result()["verdict"]["level"], "bad", process.stdout)
        self.assert_exit(process, 1)

    def test_the_study_of_a_frame(self):
        shutil.copytree(PROJECT / "studies/state-space", self.folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.out"))
        self.assert_exit(run("run", self.folder / "simulate.toml"), 0)
        self.assert_exit(run("run", self.folder / "identify.toml"), 0)
        result = json.loads((self.folder / "identify.out/result.json").read_text())
        truth = json.loads((self.folder / "simulate.out/result.json").read_text())["model"]["modes"]
        self.assertEqual(result["states"], 8)
        for pole, mode in zip(result["poles"], truth):
            self.assertLess(abs(pole["frequency_hz"] - mode["frequency_hz"]), 4 * pole["frequency_deviation"])


if __name__ == "__main__":
    unittest.main()
