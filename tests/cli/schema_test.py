"""Results hold what the JSON Schemas of docs/schema say, and the schemas are those of today."""

import json
import shutil
import subprocess
import sys
import unittest

from tool import PROJECT, TOOL, TWO_MASSES, ToolTest, run

# The words of JSON Schema that the schemas use. Others would be passed over, so there must be none.
KNOWN_WORDS = {"$schema", "title", "description", "type", "properties", "required", "items", "const", "enum"}
TYPES = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "string": lambda value: isinstance(value, str),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
}


def problems(schema, value, place="result"):
    """What of a value breaks its schema; keys that the schema has not may be there."""
    if "const" in schema:
        return [] if value == schema["const"] else [f"{place} is {value!r}, not {schema['const']!r}"]
    if "enum" in schema:
        return [] if value in schema["enum"] else [f"{place} is {value!r}, not one of {schema['enum']}"]
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if not any(TYPES[kind](value) for kind in kinds):
        return [f"{place} is {type(value).__name__}, not {kinds}"]
    found = []
    if isinstance(value, dict):
        found += [f"{place}/{key} is not there" for key in schema.get("required", []) if key not in value]
        for key, inner in schema.get("properties", {}).items():
            if key in value:
                found += problems(inner, value[key], f"{place}/{key}")
    if isinstance(value, list) and "items" in schema:
        for number, item in enumerate(value):
            found += problems(schema["items"], item, f"{place}/{number}")
    return found


def schema_of(result):
    task = result["task"]
    method = "mechanism" if result.get("model") == "mechanism" else result.get("method")
    name = f"identify-{method or 'linear'}" if task == "identify" else task
    return json.loads((PROJECT / f"docs/schema/{name}.json").read_text())


class Schema(ToolTest):
    def assert_valid(self, result):
        self.assertEqual(problems(schema_of(result), result), [])

    def result_of(self, study, *arguments):
        process = run("run", study, "--quiet", *arguments)
        self.assertIn(process.returncode, (0, 1), process.stderr)
        return json.loads((study.with_suffix(".out") / "result.json").read_text())

    def test_numbers_of_a_mechanism(self):
        study = self.folder / "arm.toml"
        self.assert_exit(run("new", "mechanism", "-o", study, "--quiet"), 0)
        self.assert_valid(self.result_of(study))
        self.assert_valid(self.result_of(study, "--set", "identify.inverse-dynamics=false"))

    def copied(self, name):
        folder = self.folder / name
        shutil.copytree(PROJECT / "studies" / name, folder, ignore=shutil.ignore_patterns("*.out"))
        return folder

    def test_results_of_templates_hold_their_schemas(self):
        for kind in ("simulate", "output-error", "free-starts", "acceleration", "modes", "state-space", "observe", "reduce", "simulate-mechanism"):
            with self.subTest(kind=kind):
                study = self.folder / f"{kind}.toml"
                self.assert_exit(run("new", kind, "-o", study), 0)
                self.assert_valid(self.result_of(study))

    def test_results_that_are_not_good_hold_them_too(self):
        folder = self.copied("pendulum")
        for change in ("identify.max-evaluations=2", "identify.parameters.km.guess=1e9", 'data.outputs.q="q_val"'):
            with self.subTest(change=change):
                self.assert_valid(self.result_of(folder / "identify.toml", "--set", change))

    def test_matrices_with_their_covariance(self):
        two = TWO_MASSES.replace("[simulate.sensors]", 'u2 = { kind = "spline-noise" }\n[simulate.sensors]')
        self.assert_valid(self.result_of(self.write("two.toml", two)))
        study = self.write(
            "identify.toml",
            '[data]\nfile = "two.out/record.csv"\ninputs = ["u1", "u2"]\noutputs = ["y1", "y2"]\n'
            "[model]\ndegrees-of-freedom = 2\n[identify]\n",
        )
        result = self.result_of(study)
        self.assert_valid(result)
        covariance = result["covariance"]
        self.assertEqual(covariance["names"], [one["name"] for one in result["unknowns"]])
        for i, one in enumerate(result["unknowns"]):
            self.assertAlmostEqual(covariance["values"][i][i], one["deviation"] ** 2, delta=1e-12 * one["deviation"] ** 2)
            for j in range(i):
                self.assertEqual(covariance["values"][i][j], covariance["values"][j][i])
        self.assert_modes_follow(result)

    def assert_modes_follow(self, result):
        """The deviations of the frequencies follow from the covariance by differences of eigenvalues of our own."""
        try:
            import numpy
        except ImportError:
            self.skipTest("python3-numpy is not installed")
        unknowns = result["unknowns"]
        model = [numpy.array(result["model"][name]["values"]) for name in ("mass", "damping", "stiffness")]
        # Entries of M, D, K are the unknowns: each stands where its value does.
        places = []
        for one in unknowns:
            found = [(m, i, j) for m in range(3) for i in range(2) for j in range(i + 1) if model[m][i, j] == one["value"]]
            self.assertEqual(len(found), 1, one["name"])
            places += found

        def frequencies(values):
            mass, damping, stiffness = (matrix.copy() for matrix in model)
            for (m, i, j), value in zip(places, values):
                (mass, damping, stiffness)[m][i, j] = (mass, damping, stiffness)[m][j, i] = value
            inverse = numpy.linalg.inv(mass)
            states = numpy.block([[numpy.zeros((2, 2)), numpy.eye(2)], [-inverse @ stiffness, -inverse @ damping]])
            return numpy.unique(numpy.round(numpy.abs(numpy.linalg.eigvals(states)), 12)) / (2 * numpy.pi)

        values = numpy.array([one["value"] for one in unknowns])
        steps = 1e-4 * numpy.array([one["deviation"] for one in unknowns])
        slopes = numpy.array([
            (frequencies(values + step * unit) - frequencies(values - step * unit)) / (2 * step)
            for step, unit in zip(steps, numpy.eye(values.size))
        ])  # fmt: skip
        variances = numpy.diag(slopes.T @ numpy.array(result["covariance"]["values"]) @ slopes)
        for mode, variance in zip(result["model"]["modes"], variances):
            # Differences of second order over steps of 1e-4 deviations: 1e-3 is plenty.
            self.assertAlmostEqual(mode["frequency_deviation"], variance**0.5, delta=1e-3 * variance**0.5)

    def test_a_wrong_result_is_seen(self):
        result = self.result_of(self.write("two.toml", TWO_MASSES))
        self.assert_valid(result)
        for spoil in (
            lambda made: made.pop("message"),
            lambda made: made.update(status=3),
            lambda made: made["model"].update(coordinates="q1"),
            lambda made: made["verdict"].update(level="fine"),
            lambda made: made["model"]["modes"][0].pop("frequency_hz"),
        ):
            made = json.loads(json.dumps(result))
            spoil(made)
            self.assertEqual(len(problems(schema_of(result), made)), 1)

    def test_schemas_use_known_words_only(self):
        def look(schema):
            self.assertLessEqual(set(schema), KNOWN_WORDS)
            for inner in schema.get("properties", {}).values():
                look(inner)
            if "items" in schema:
                look(schema["items"])

        files = sorted((PROJECT / "docs/schema").glob("*.json"))
        self.assertEqual(len(files), 12)
        for file in files:
            look(json.loads(file.read_text()))

    def test_every_key_of_a_schema_is_documented(self):
        text = (PROJECT / "docs/result.md").read_text()

        def look(schema, place):
            for key, inner in schema.get("properties", {}).items():
                self.assertIn(f"`{key}`", text, place)
                look(inner, f"{place}/{key}")
            if "items" in schema:
                look(schema["items"], place)

        for file in sorted((PROJECT / "docs/schema").glob("*.json")):
            look(json.loads(file.read_text()), file.stem)

    def test_the_schemas_are_those_of_today(self):
        process = subprocess.run(
            [sys.executable, PROJECT / "tools/result-schema", "--tool", TOOL, "--check"], capture_output=True, text=True
        )
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
