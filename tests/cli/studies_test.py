"""Every study that is shipped passes check and runs."""

import json
import os
import pathlib
import shutil
import unittest

from tool import PROJECT, ToolTest, run

STUDIES = sorted((PROJECT / "studies").glob("*/*.toml"))
# Run where ALEMBERT_SLOW is set, else only checked.
SLOW = ("chain-32dof/identify.toml", "excavator/observe.toml", "linear-drive/measured-mechanism.toml")
# The public benchmark record is not shipped.
NEEDS_DATA = dict.fromkeys(("tanks/measured.toml", "tanks/published.toml"), "cascaded_tanks/dataBenchmark.csv")
NEEDS_DATA["linear-drive/measured.toml"] = "emps/DATA_EMPS.mat"
NEEDS_DATA["linear-drive/measured-mechanism.toml"] = "emps/DATA_EMPS.mat"
NEEDS_DATA |= {"measured-modes/cantilever.toml": "cantilever_impulse/timeseries_data.lvm",
               "measured-modes/frame.toml": "daisy/flexible_structure_dat.mat",
               "measured-modes/frame-state-space.toml": "daisy/flexible_structure_dat.mat",
               "measured-modes/cd-arm.toml": "daisy/CD_player_arm_dat.mat",
               "measured-modes/mast.toml": "pyoma_mast/measurement_1.npy",
               "measured-modes/case1.toml": "vibrationtesting/case1.mat",
               "measured-modes/case2.toml": "vibrationtesting/case2.mat",
               "measured-records/cantilever.toml": "cantilever_impulse/timeseries_data.lvm",
               "measured-records/pendulum.toml": "multiarm_pendulum/SinglePendulumDataForParameterEstimation.mat"}
# Files that are converted first, as the page of the study says: name, and which cells.
CONVERTED = {"measured-records/pendulum.toml": {"swings.h5": "_id", "held-back.h5": "_vad"}}
# Models that are too simple for their data, and say so.
WARNS = dict.fromkeys(("linear-drive/measured-mechanism.toml", "bouc-wen/linear.toml", "tanks/measured.toml", "tanks/published.toml"), "are not white")
WARNS |= dict.fromkeys(("linear-drive/identify.toml", "linear-drive/windows.toml", "linear-drive/measured.toml"),
                       "are not white")
WARNS |= dict.fromkeys(("measured-records/cantilever.toml", "measured-records/pendulum.toml"), "are not white")
# Masses that are wrong go into the force, and the truth beside it says so: bad, exit code 1.
WARNS["slider-crank-force/wrong-masses.toml"] = "the errors against the truth are"
BAD = ("slider-crank-force/wrong-masses.toml",)
# Blows of five samples leave the scale of M, D, K open.
WARNS["beam-hammer/identify.toml"] = "samples long"
# Janot, Gautier, Brunot (2019): kg, N s/m, N.
PUBLISHED_DRIVE = {"M": 95.109, "Fv": 203.50, "Fc": 20.394}


def data_folder():
    return pathlib.Path(os.environ.get("ALEMBERT_DATA", PROJECT.parent / "shared/data"))


def named_files(result):
    """Every file that a result names: by them a later run knows what it may replace."""
    if isinstance(result, dict):
        own = {result["file"]} if isinstance(result.get("file"), str) else set()
        return own.union(*map(named_files, result.values()))
    return set().union(*map(named_files, result)) if isinstance(result, list) else set()


class Studies(ToolTest):
    def copied(self, name):
        """A study folder of one's own, so that one study may read what another wrote."""
        folder = self.folder / name
        shutil.copytree(PROJECT / "studies" / name, folder, ignore=shutil.ignore_patterns("*.out"))
        return folder

    def test_each_runs(self):
        self.assertGreaterEqual(len(STUDIES), 3)
        for name in sorted({study.parent.name for study in STUDIES}):
            folder = self.copied(name)
            # simulate.toml first: identify.toml reads its record.
            for study in sorted(folder.glob("*.toml"), reverse=True):
                key = f"{name}/{study.name}"
                with self.subTest(study=key):
                    changes = []
                    if key in NEEDS_DATA:
                        record = data_folder() / NEEDS_DATA[key]
                        if not record.exists():
                            continue
                        key_of_file = "frf" if key.startswith("measured-modes/case") else "file"
                        changes = ["--set", f"data.{key_of_file}={record}"]
                    if key in CONVERTED:
                        changes = []
                        for file, cells in CONVERTED[key].items():
                            choice = ("--dataset", "Y" + cells, "--time", "Time" + cells)
                            self.assert_exit(run("convert", record, folder / file, *choice, "--quiet"), 0)
                    self.assert_exit(run("check", study, *changes), 0)
                    if key in SLOW and "ALEMBERT_SLOW" not in os.environ:
                        continue
                    self.assert_exit(run("run", study, *changes, timeout=600), 1 if key in BAD else 0)
                    result = json.loads((study.with_suffix(".out") / "result.json").read_text())
                    self.assertEqual(result["status"], "success")
                    written = {file.name for file in study.with_suffix(".out").iterdir()}
                    self.assertLessEqual(written - {"result.json", "report.html"}, named_files(result))
                    if key in WARNS:
                        self.assertIn(WARNS[key], "".join(result["warnings"] + result["verdict"]["reasons"]))
                    else:
                        self.assertEqual(result["warnings"], [], result["warnings"])

    def test_published_parameters_of_the_measured_drive_are_inside(self):
        record = data_folder() / NEEDS_DATA["linear-drive/measured.toml"]
        if not record.exists():
            self.skipTest("the record of the drive is not there")
        study = self.copied("linear-drive") / "measured.toml"
        for window in ("0.0", "1.0"):
            with self.subTest(window=window):
                process = run("run", study, "--quiet", "--set", f"data.file={record}", "--set", f"identify.window={window}",
                              timeout=600)
                self.assert_exit(process, 0)
                result = json.loads((study.with_suffix(".out") / "result.json").read_text())
                self.assertEqual(result["verdict"]["level"], "caution")
                self.assertIn("are not white", "".join(result["verdict"]["reasons"]))
                found = {one["name"]: one for one in result["parameters"]}
                for name, published in PUBLISHED_DRIVE.items():
                    self.assertLess(abs(found[name]["value"] - published), found[name]["margin"], name)
                    self.assertLess(found[name]["margin"], 0.2 * published, name)

    def test_each_has_a_readme(self):
        for study in STUDIES:
            self.assertTrue((study.parent / "README.md").exists(), study.parent)

    def test_frame_has_the_published_modes(self):
        study = PROJECT / "studies/frame-8dof/simulate.toml"
        out = self.folder / "frame"
        run("run", study, "--out", out, "--quiet")
        result = json.loads((out / "result.json").read_text())
        self.assertEqual(result["simulation"]["samples"], 3300)
        # Undamped circular frequencies as published, two decimals.
        published = [5.59, 9.74, 11.14, 14.74, 15.70, 17.17, 18.42, 20.43]
        modes = result["model"]["modes"]
        for mode, omega in zip(modes, published):
            self.assertAlmostEqual(mode["frequency_hz"] * 6.283185307179586, omega, delta=0.006)
        for sensor in result["experiments"][0]["sensors"]:
            # Four standard deviations, 10/ln 10 sqrt(2/3300) dB each.
            self.assertAlmostEqual(sensor["snr_db"], 20.0, delta=0.43)


if __name__ == "__main__":
    unittest.main(verbosity=2)
