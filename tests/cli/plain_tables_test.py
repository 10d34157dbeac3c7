"""Tables that the tool writes, read by NumPy and pandas without options; and our own of earlier versions, with comment lines."""

import json
import shutil
import unittest

import tool
from tool import PROJECT, ToolTest, read_columns, run

try:
    import numpy
except ImportError:
    numpy = None
try:
    import pandas
except ImportError:
    pandas = None

# Tasks whose result has tables with names: the study, and what has to run before it.
STUDIES = {
    "frame-modes": ("simulate.toml",),
    "duffing": ("simulate.toml", "identify.toml"),
    "pendulum": ("identify.toml",),
    "slider-crank": ("observe.toml",),
    "triple-mass": ("simulate.toml", "identify.toml"),
}
MATRICES = {"mass.csv", "damping.csv", "stiffness.csv", "covariance.csv", "shapes.csv"}


class PlainTables(ToolTest):
    def tables(self):
        """Every table with names that these studies write."""
        found = []
        for name, files in STUDIES.items():
            folder = self.folder / name
            shutil.copytree(PROJECT / "studies" / name, folder, ignore=shutil.ignore_patterns("*.out"))
            for file in files:
                process = run("run", folder / file, "--quiet")
                self.assertIn(process.returncode, (0, 1), process.stderr)
            for out in sorted(folder.glob("*.out")):
                found += sorted(file for file in out.glob("*.csv") if file.name not in MATRICES)
        self.assertGreater(len(found), 8)
        return found

    def many_runs(self):
        text = tool.TWO_MASSES.replace('[simulate.sensors]', 'u2 = { kind = "spline-noise" }\n[simulate.sensors]')
        study = self.write("many.toml", text + '[identify]\nrefine = "none"\n[monte-carlo]\nruns = 3\n')
        self.assert_exit(run("run", study, "--quiet"), 0)
        return self.folder / "many.out/runs.csv"

    @unittest.skipIf(numpy is None or pandas is None, "python3-numpy or python3-pandas is not installed")
    def test_numpy_and_pandas_read_all_tables_as_they_are(self):
        for file in self.tables():
            with self.subTest(file=file.relative_to(self.folder)):
                ours = read_columns(file)
                table = numpy.genfromtxt(file, delimiter=",", names=True)
                self.assertEqual(len(table.dtype.names), len(ours))
                frame = pandas.read_csv(file)
                self.assertEqual([name.split(" [")[0] for name in frame.columns], list(ours))
                for (name, values), field in zip(ours.items(), table.dtype.names):
                    known = numpy.array([numpy.nan if value is None else value for value in values])
                    numpy.testing.assert_array_equal(table[field], known, name)
                    column = frame.iloc[:, list(ours).index(name)].to_numpy()
                    # The own parser of pandas is off by up to 1e-12 where numbers are small.
                    numpy.testing.assert_allclose(column.astype(float), known, rtol=1e-11, err_msg=name)

    @unittest.skipIf(numpy is None or pandas is None, "python3-numpy or python3-pandas is not installed")
    def test_runs_of_a_monte_carlo_too(self):
        file = self.many_runs()
        self.assertEqual(list(numpy.genfromtxt(file, delimiter=",", names=True)["run"]), [1, 2, 3])
        self.assertEqual(list(pandas.read_csv(file)["status"]), ["success"] * 3)

    def test_no_table_begins_with_a_comment(self):
        study = self.write("two.toml", tool.TWO_MASSES)
        self.assert_exit(run("run", study, "--quiet"), 0)
        for name in ("record.csv", "truth.csv"):
            self.assertTrue((self.folder / "two.out" / name).read_text().startswith("t [s],"))

    def test_tables_with_comments_are_read_as_before(self):
        plain = self.write("plain.csv", "t [s],F [N]\n0,1\n0.1,2\n0.2,4\n")
        notes = self.write("notes.csv", '# title = "Old"\n# step = 0.1 s, start = 0 s\nt [s],F [N]\n0,1\n0.1,2\n0.2,4\n')
        for file in (plain, notes):
            self.assert_exit(run("convert", file, self.folder / f"{file.stem}.out.csv", "--quiet"), 0)
        self.assertEqual((self.folder / "plain.out.csv").read_bytes(), (self.folder / "notes.out.csv").read_bytes())

    def test_a_simulated_record_keeps_its_step(self):
        study = self.write("two.toml", tool.TWO_MASSES.replace("step = 0.01", "step = 0.0033333333333333335"))
        self.assert_exit(run("run", study, "--quiet"), 0)
        result = json.loads((self.folder / "two.out/result.json").read_text())
        process = run("info", self.folder / "two.out/record.csv")
        self.assertIn("(300 Hz)", process.stdout)
        self.assertEqual(result["simulation"]["step"], 1 / 300)


if __name__ == "__main__":
    unittest.main(verbosity=2)
