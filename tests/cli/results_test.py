"""--results mat,h5: SciPy and h5py find in result.mat and result.h5 what result.json says, bit for bit."""

import json
import math
import unittest

import tool

try:
    import numpy
    import scipy.io
except ImportError:
    scipy = None
try:
    import h5py
except ImportError:
    h5py = None

REPEATED = """\
title = "Two masses, many times"
[model]
mass = [[2.0, 0.0], [0.0, 1.0]]
stiffness = [[300.0, -100.0], [-100.0, 100.0]]
damping = { mass = 0.1, stiffness = 0.001 }
[simulate]
step = 0.01
samples = 400
inputs.u1 = { kind = "spline-noise", knots = 0.1 }
inputs.u2 = { kind = "spline-noise", knots = 0.1 }
sensors.all = { snr = 20.0 }
[identify]
refine = "none"
[monte-carlo]
runs = 3
"""
IDENTIFY = """\
[data]
file = "two.out/record.csv"
inputs = ["u1", "u2"]
outputs = ["y1", "y2"]
[model]
degrees-of-freedom = 2
[identify]
hold = "cubic"
"""


def numbers(value):
    """A list of numbers, or of equal rows of numbers, as floats; None otherwise. null is NaN."""
    if not isinstance(value, list) or not value:
        return None
    if all(item is None or type(item) in (int, float) for item in value):
        known = any(item is not None for item in value)
        return [math.nan if item is None else float(item) for item in value] if known else None
    rows = [numbers(row) for row in value]
    if any(row is None or len(row) != len(rows[0]) or isinstance(row[0], list) for row in rows):
        return None
    return rows


class ResultsTest(tool.ToolTest):
    def results_of(self, name, text, *arguments):
        """Runs a study with all forms of results; returns its folder and result.json."""
        study = self.write(name + ".toml", text)
        self.assert_exit(tool.run("run", study, "--quiet", "--results", "mat,h5", *arguments), 0)
        out = self.folder / (name + ".out")
        return out, json.loads((out / "result.json").read_text(encoding="utf-8"))

    def every_result(self):
        two_inputs = tool.TWO_MASSES.replace("[simulate.sensors]", 'u2 = { kind = "spline-noise", knots = 0.1 }\n[simulate.sensors]')
        yield self.results_of("two", two_inputs)
        yield self.results_of("identify", IDENTIFY)
        yield self.results_of("many", REPEATED)

    def same(self, place, stored, value):
        """A value of result.json against the one of another file, both in Python's forms."""
        if isinstance(value, bool) or isinstance(value, str):
            self.assertEqual(stored, value, place)
        elif value is None:  # nothing, or a number that is not finite
            finite = isinstance(stored, float) and math.isfinite(stored)
            self.assertFalse(finite or isinstance(stored, (str, bool)), place)
        elif isinstance(value, (int, float)):
            self.assertEqual(float(stored), float(value), place)
        elif isinstance(value, dict):
            extra = {"columns", "units"} if "file" in value and "values" not in value else set()
            self.assertEqual(set(stored) - extra, {self.stored_name(key) for key in value}, place)
            for key, inner in value.items():
                self.same(f"{place}/{key}", stored[self.stored_name(key)], inner)
        elif numbers(value) is not None:
            numpy.testing.assert_array_equal(
                numpy.asarray(stored, float).reshape(numpy.shape(numbers(value))), numbers(value), place
            )
        else:
            self.assertEqual(len(stored), len(value), place)
            for index, (one, other) in enumerate(zip(stored, value)):
                self.same(f"{place}/{index}", one, other)

    def assert_columns(self, out, columns, file):
        """The columns of a CSV file of the result are there with all digits."""
        expected = tool.read_columns(out / file) if file != "runs.csv" else None
        if expected is None:
            self.assertEqual(list(columns["run"]), [1.0, 2.0, 3.0])
            self.assertEqual(list(columns["status"]), ["success"] * 3)
            return
        for name, values in expected.items():
            known = [math.nan if value is None else value for value in values]
            # A uniform axis is start + k step; the file has its times rounded to decimals.
            rounding = 2 * numpy.finfo(float).eps if name == "t" else 0.0
            numpy.testing.assert_allclose(columns[name], known, rtol=rounding, err_msg=name)

    @unittest.skipIf(scipy is None, "python3-scipy is not installed")
    def test_mat(self):
        self.stored_name = lambda key: key.replace("-", "_")
        for out, result in self.every_result():
            stored = scipy.io.loadmat(out / "result.mat", simplify_cells=True)
            stored = {key: value for key, value in stored.items() if not key.startswith("__")}
            self.same("", self.with_lists(stored, result), result)
            for file, columns in self.tables(stored):
                self.assert_columns(out, columns, file)

    def with_lists(self, stored, value):
        """SciPy gives a structure array of one as a structure: put into a list where JSON has one."""
        if isinstance(value, dict) and isinstance(stored, dict):
            known = {self.stored_name(key): inner for key, inner in value.items()}
            return {key: self.with_lists(one, known.get(key)) for key, one in stored.items()}
        if isinstance(value, list) and numbers(value) is None:
            if isinstance(stored, (dict, str)) or numpy.ndim(stored) == 0:
                stored = [stored]
            return [self.with_lists(one, other) for one, other in zip(stored, value)]
        if isinstance(stored, numpy.ndarray) and stored.size == 0:
            return None if value is None else ("" if value == "" else stored)
        return stored

    def tables(self, stored):
        """All CSV files of a result with their columns."""
        if isinstance(stored, dict):
            if "columns" in stored and "units" in stored:
                yield stored["file"], stored["columns"]
            for inner in stored.values():
                yield from self.tables(inner)
        elif isinstance(stored, (list, numpy.ndarray)) and len(stored) and isinstance(stored[0], dict):
            for inner in stored:
                yield from self.tables(inner)

    @unittest.skipIf(scipy is None or h5py is None, "python3-h5py or python3-scipy is not installed")
    def test_h5(self):
        self.stored_name = lambda key: key
        for out, result in self.every_result():
            with h5py.File(out / "result.h5") as file:
                stored = self.from_h5(file)
                if "model" in file and "unknowns" in file:
                    self.assertEqual(file["experiments/1/prediction/columns/y1"].attrs["unit"], "m")
            self.same("", stored, result)
            for file, columns in self.tables(stored):
                self.assert_columns(out, columns, file)

    def from_h5(self, node):
        if isinstance(node, h5py.Group):
            if "length" in node.attrs:
                return [self.from_h5(node[str(k + 1)]) for k in range(node.attrs["length"])]
            return {key: self.from_h5(inner) for key, inner in node.items()}
        if node.shape is None:
            return None
        if h5py.check_string_dtype(node.dtype):
            value = node.asstr()[()]
            return value if isinstance(value, str) else list(value)
        value = node[()]
        return bool(value) if node.dtype == bool else value

    def test_the_folder_of_such_a_result_may_be_replaced(self):
        study = self.write("two.toml", tool.TWO_MASSES)
        for _ in range(2):
            self.assert_exit(tool.run("run", study, "--quiet", "--results", "h5,mat,h5"), 0)
        names = {file.name for file in (self.folder / "two.out").iterdir()}
        self.assertEqual(names, {"result.json", "result.mat", "result.h5", "report.html", "record.csv", "truth.csv"})
        self.assert_exit(tool.run("run", study, "--quiet"), 0)
        self.assertFalse((self.folder / "two.out/result.mat").exists())

    def test_the_same_bytes_again(self):
        study = self.write("two.toml", tool.TWO_MASSES)
        contents = []
        for _ in range(2):
            self.assert_exit(tool.run("run", study, "--quiet", "--results", "mat,h5"), 0)
            contents.append(tool.folder_bytes(self.folder / "two.out"))
        self.assertEqual(contents[0], contents[1])

    def test_unknown_formats_are_told(self):
        study = self.write("two.toml", tool.TWO_MASSES)
        for wrong in ("xls", "mat,", "mat;h5", ""):
            process = tool.run("run", study, "--results", wrong)
            self.assert_exit(process, 2)
            self.assertIn("--results: must be mat, h5 or mat,h5", process.stderr)
            self.assertFalse((self.folder / "two.out").exists())


if __name__ == "__main__":
    unittest.main(verbosity=2)
