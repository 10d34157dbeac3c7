"""Records that cannot give M, D and K, or give doubtful ones: each fault is named."""

import math
import unittest

from tool import TWO_MASSES, ToolTest, read_columns, run

SIMULATE = TWO_MASSES.replace(
    "[simulate.sensors]", 'u2 = { kind = "spline-noise", knots = 0.1 }\n[simulate.sensors]'
)
IDENTIFY = """\
[data]
file = "record.csv"
inputs = ["u1", "u2"]
outputs = ["y1", "y2"]
[model]
degrees-of-freedom = 2
[identify]
"""


class BadRecords(ToolTest):
    def columns(self, samples=4000):
        """A sound record, by columns."""
        study = self.write("two.toml", SIMULATE)
        self.assert_exit(run("run", study, "--quiet", "--set", f"simulate.samples={samples}"), 0)
        return read_columns(self.folder / "two.out/record.csv")

    def identify(self, columns, titles=None):
        titles = titles or {"t": "t [s]"}
        lines = [",".join(titles.get(name, name) for name in columns)]
        lines += [",".join(map(repr, row)) for row in zip(*columns.values())]
        self.write("record.csv", "\n".join(lines) + "\n")
        return run("run", self.write("identify.toml", IDENTIFY))

    def refused(self, columns, *words):
        process = self.identify(columns)
        self.assert_exit(process, 3)
        lines = process.stderr.splitlines()
        self.assertTrue(any(all(word in line for word in words) for line in lines), process.stderr)
        self.assertTrue(all(line.startswith(str(self.folder)) for line in lines), process.stderr)
        self.assertFalse((self.folder / "identify.out").exists())

    def remarked(self, columns, *words, titles=None):
        """The run may end well or not, but says what is odd."""
        process = self.identify(columns, titles)
        self.assertIn(process.returncode, (0, 1), process.stderr)
        text = process.stdout + process.stderr
        for word in words:
            self.assertIn(word, text)

    def test_the_sound_record_gets_no_remark(self):
        process = self.identify(self.columns())
        self.assert_exit(process, 0)
        self.assertEqual(process.stderr, "")

    def test_dead_channel(self):
        columns = self.columns()
        columns["y2"] = [0.0] * len(columns["t"])
        self.refused(columns, '"y2"', "zero throughout")

    def test_constant_channel(self):
        columns = self.columns()
        columns["y1"] = [0.25] * len(columns["t"])
        self.refused(columns, '"y1"', "constant")

    def test_duplicated_channel(self):
        columns = self.columns()
        columns["y2"] = columns["y1"]
        self.refused(columns, '"y2"', "same samples as y1")

    def test_constant_force(self):
        columns = self.columns()
        for name, force in (("u1", 3.0), ("u2", 4.0)):
            columns[name] = [force] * len(columns["t"])
        self.remarked(columns, "u1 is constant at 3", "u2 is constant at 4", "0 spectral lines")

    def test_no_force(self):
        columns = self.columns()
        for name in ("u1", "u2"):
            columns[name] = [0.0] * len(columns["t"])
        self.refused(columns, "no force moves")

    def test_short_record(self):
        whole = self.columns()
        self.refused({name: values[:4] for name, values in whole.items()}, "record longer")
        self.refused({name: values[:8] for name, values in whole.items()}, "data: the longest")

    def test_wrong_unit(self):
        columns = self.columns()
        columns["y2"] = [1000.0 * value for value in columns["y2"]]
        self.remarked(columns, "y2", "check its unit")

    def test_a_unit_of_another_kind(self):
        process = self.identify(self.columns(), {"t": "t [s]", "y2": "y2 [kN]"})
        self.assert_exit(process, 3)
        self.assertIn("kN", process.stderr)

    def test_unstable_data(self):
        columns = self.columns()
        columns["y1"] = [
            value * math.exp(0.3 * time) for time, value in zip(columns["t"], columns["y1"])
        ]
        self.remarked(columns, "y1", "grows by a factor")

    def test_aliasing(self):
        # Every 40th sample, without a filter: modes at 1.13 and 2.25 Hz, sampled at 2.5 Hz.
        columns = {name: values[::40] for name, values in self.columns(20000).items()}
        # The forces reach to 5 Hz; the responses peak at the folded modes.
        self.remarked(columns, "remark     u1 does not fall towards the Nyquist", "or aliasing")


if __name__ == "__main__":
    unittest.main(verbosity=2)
