"""Five studies give the same numbers, to the last bit, as TOML by the tool, and by the functions of C++ and of Python."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import numpy

import alembert

SOURCE = pathlib.Path(os.environ["ALEMBERT_SOURCE"])
TOOL = os.environ["ALEMBERT_TOOL"]
NUMBERS = os.environ["ALEMBERT_NUMBERS"]


def linear(study):
    fit = alembert.identify.identify_linear(study.data.experiments, study.validation.experiments, study.settings)
    return [fit.refinement.system.M, fit.refinement.system.K, fit.deviations.K]


def linear_json(tree):
    model = tree["model"]
    return [model["mass"]["values"], model["stiffness"]["values"], model["stiffness"]["deviations"]]


def equations(study):
    fit = alembert.identify.fit_equations(
        study.equations, study.setup, study.parameters, study.data.experiments, study.options)
    return [fit.estimate.parameters, fit.estimate.trusted().deviations]


def equations_json(tree):
    parameters = tree["parameters"]
    free = [one for one in parameters if one["role"] == "free"]
    return [[one["value"] for one in parameters], [one["deviation"] for one in free]]


def acceleration(study):
    first = alembert.identify.identify_acceleration(study.equation, study.records, study.options).records[0].regression
    return [first.parameters, first.deviations]


def observed(study):
    options = study.options
    options.given = {"coordinates": True, "velocities": True, "accelerations": True}
    found = alembert.estimate.observe(study.mechanism, study.time.times(), study.readings, options).estimate
    return [found.mean[-1], found.deviation[-1]]


def observed_json(tree):
    return [[one["last"] for one in tree["states"]], [one["last_deviation"] for one in tree["states"]]]


CASES = {
    "triple-mass/identify.toml": (linear, linear_json),
    "pendulum/identify.toml": (equations, equations_json),
    "tanks/identify.toml": (equations, equations_json),
    "duffing/identify.toml": (acceleration, None),
    "four-bar/observe.toml": (observed, observed_json),
}


def flat(arrays):
    """All numbers; matrices a column after the other, as Eigen stores them."""
    return numpy.concatenate([numpy.asarray(array, float).ravel(order="F") for array in arrays])


class SameNumbers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def prepared(self, name):
        """A copy of the study, with the record that it takes from a simulation."""
        task = name.split("/")[0]
        shutil.copytree(SOURCE / "studies" / task, self.folder / task, dirs_exist_ok=True,
                        ignore=shutil.ignore_patterns("*.out"))
        if task == "triple-mass":
            self.tool(self.folder / task / "simulate.toml")
        return self.folder / name

    @staticmethod
    def tool(study, *options):
        subprocess.run([TOOL, "run", str(study), "--quiet", *options], check=False, capture_output=True, timeout=200)

    def test_tool_cpp_and_python(self):
        for name, (call, from_json) in CASES.items():
            with self.subTest(name):
                study = self.prepared(name)
                out = self.folder / "out" / name.replace("/", "-")
                self.tool(study, "--out", str(out))
                tree = json.loads((out / "result.json").read_text(encoding="utf-8"))
                result = alembert.run(study)
                python = flat(call(result.found.study))
                printed = subprocess.run([NUMBERS, str(study)], check=True, capture_output=True, text=True, timeout=200)
                cpp = numpy.array([float.fromhex(line) for line in printed.stdout.split()])
                self.assertGreater(len(python), 3)
                numpy.testing.assert_array_equal(python, cpp)
                if from_json is not None:
                    numpy.testing.assert_array_equal(python, flat(from_json(tree)))
                else:
                    same = json.dumps(result.to_dict()["records"], allow_nan=True).replace("NaN", "null")
                    self.assertEqual(json.loads(same), tree["records"])


if __name__ == "__main__":
    unittest.main()
