"""alembert tune: noise levels of an observer from its record."""

import json
import shutil
import unittest

from tool import PROJECT, ToolTest, run

SLIDER = PROJECT / "studies/slider-crank-force"


class Tune(ToolTest):
    def setUp(self):
        super().setUp()
        for file in ("simulate.toml", "observe.toml"):
            shutil.copy(SLIDER / file, self.folder / file)
        self.assert_exit(run("run", self.folder / "simulate.toml", "--quiet"), 0)

    def test_levels_come_near_the_best_and_can_be_pasted(self):
        out = self.folder / "tuned"
        process = run("tune", self.folder / "observe.toml", "--out", out)
        self.assert_exit(process, 0)
        self.assertIn("above the least that these levels can reach", process.stdout)
        result = json.loads((out / "result.json").read_text())
        self.assertEqual(result["verdict"]["level"], "good")
        # What is promised: errors at most 15 % above the least ones, which they cannot be below.
        self.assertGreaterEqual(result["excess"], 0.0)
        self.assertLess(result["excess"], 0.15)
        for error in result["errors"]:
            self.assertGreater(error["rms"], 0.0)
        # The arguments that it prints give the run that it speaks of.
        changes = [part for key in result["keys"] for part in ("--set", f"{key['key']}={key['value']}")]
        again = self.folder / "again"
        self.assert_exit(run("run", self.folder / "observe.toml", "--out", again, *changes), 0)
        truth = json.loads((again / "result.json").read_text())["truth"]
        errors = {one["name"]: one["rms"] for one in truth["states"]}
        for one in result["errors"]:
            # Levels are written with four digits, and errors grow with small powers of them.
            self.assertAlmostEqual(errors[one["name"]] / one["rms"], 1.0, delta=1e-3)

    def test_quiet_prints_the_lines_alone(self):
        process = run("tune", self.folder / "observe.toml", "--quiet")
        self.assert_exit(process, 0)
        lines = process.stdout.splitlines()
        self.assertEqual([line for line in lines if line.startswith("[")], ["[observe]", "[observe.forces]"])
        self.assertTrue(any(line.startswith("density = [") for line in lines), lines)
        self.assertEqual(process.stderr, "")

    def test_what_has_no_levels_is_refused(self):
        process = run("tune", self.folder / "simulate.toml")
        self.assert_exit(process, 2)
        self.assertIn("no table [observe]", process.stderr)


if __name__ == "__main__":
    unittest.main()
