"""Modes of public measured records, where they are on this machine ($ALEMBERT_DATA, else ../shared/data)."""

import json
import os
import pathlib
import unittest

from tool import PROJECT, ToolTest, run

DATA = pathlib.Path(os.environ.get("ALEMBERT_DATA", PROJECT.parent / "shared/data"))
FILES = ("cantilever_impulse/timeseries_data.lvm", "pyoma_mast/measurement_1.npy", "vibrationtesting/case1.mat", "vibrationtesting/case2.mat")


class MeasuredModes(ToolTest):
    @unittest.skipUnless(all((DATA / name).exists() for name in FILES), "a public record is not there")
    def test_the_records_have_the_modes_that_are_known_of_them(self):
        out = self.folder / "measured-modes.out"
        self.assert_exit(run("reproduce", "measured-modes", "--quiet", "--data", DATA, "--out", out), 0)
        claims = json.loads((out / "result.json").read_text())["claims"]
        self.assertGreaterEqual(len(claims), 21)
        for claim in claims:
            with self.subTest(claim=claim["name"]):
                self.assertTrue(claim["ok"], claim)
                self.assertNotEqual(claim["state"], "differs", claim)

    def test_without_records_it_says_what_is_missing(self):
        process = run("reproduce", "measured-modes", "--data", self.folder, "--out", self.folder / "none.out")
        self.assert_exit(process, 3)
        self.assertIn("timeseries_data.lvm: no such file", process.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
