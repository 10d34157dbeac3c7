"""Studies from files, dicts and arrays: the same numbers as the tool, to the last bit."""

import json
import os
import pathlib
import pickle
import signal
import subprocess
import tempfile
import threading
import unittest

import numpy

import alembert
from models import M, STEP, linear_record

SOURCE = pathlib.Path(os.environ["ALEMBERT_SOURCE"])
TOOL = os.environ["ALEMBERT_TOOL"]
STUDIES = ["triple-mass/simulate.toml", "duffing/simulate.toml", "four-bar/simulate.toml", "slider-crank/simulate.toml",
           "two-link/simulate.toml"]


def plain(tree):
    """NaN in Python is null in JSON."""
    if isinstance(tree, dict):
        return {name: plain(item) for name, item in tree.items()}
    if isinstance(tree, list):
        return [plain(item) for item in tree]
    if isinstance(tree, float) and not numpy.isfinite(tree):
        return None
    return tree


def identify_study(**changes):
    u, y = linear_record(1500, noise=1e-4)
    study = {
        "title": "Arrays",
        "data": {"file": "record.csv", "inputs": {"u1": "f1", "u2": "f2"}, "outputs": {"y1": "x1", "y2": "x2"}},
        "model": {"coordinates": ["q1", "q2"]},
        "sensors": {"y1": {"measures": "displacement", "at": "q1"}, "y2": {"measures": "displacement", "at": "q2"}},
        "identify": {"hold": "zero", **changes},
    }
    record = {"f1": u[:, 0], "f2": u[:, 1], "x1": y[:, 0], "x2": y[:, 1], "step": STEP}
    return study, {"record.csv": record}


class Studies(unittest.TestCase):
    def test_five_studies_give_the_numbers_of_the_tool(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in STUDIES:
                out = pathlib.Path(folder) / name.replace("/", "-")
                subprocess.run([TOOL, "run", str(SOURCE / "studies" / name), "--out", str(out)],
                               check=False, capture_output=True)
                written = json.loads((out / "result.json").read_text(encoding="utf-8"))
                found = plain(alembert.run(SOURCE / "studies" / name).to_dict())
                self.assertEqual(json.loads(json.dumps(found)), written, name)

    def test_study_of_arrays_finds_the_masses(self):
        result = alembert.run(*identify_study())
        self.assertEqual(result.status, "success")
        deviation = result.deviations.M
        self.assertTrue(numpy.all(numpy.abs(result.refinement.system.M - M) <= 4.0 * deviation))

    def test_study_and_function_give_the_same_bits(self):
        u, y = linear_record(1500, noise=1e-4)
        result = alembert.run(*identify_study())
        fit = alembert.identify.identify_linear(u, y, step=STEP, degrees_of_freedom=2, refinement={"hold": "held"})
        numpy.testing.assert_array_equal(result.refinement.system.K, fit.refinement.system.K)

    def test_underscores_stand_for_hyphens(self):
        study, records = identify_study(max_iterations=1)
        result = alembert.run(study, records)
        self.assertEqual(result.status, "not-converged")

    def test_report_is_a_page_and_html_embeds_it(self):
        result = alembert.run(*identify_study())
        self.assertTrue(result.report().lstrip().lower().startswith("<!doctype html"))
        self.assertIn("srcdoc", result._repr_html_())
        self.assertIn("verdict", result.summary())

    def test_write_makes_the_files_of_the_tool(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "result"
            alembert.run(*identify_study(), out=out)
            names = {file.name for file in out.iterdir()}
            self.assertLessEqual({"result.json", "report.html", "mass.csv"}, names)

    def test_nothing_is_written_unless_asked_for(self):
        with tempfile.TemporaryDirectory() as folder:
            before = os.getcwd()
            os.chdir(folder)
            try:
                alembert.run(*identify_study())
            finally:
                os.chdir(before)
            self.assertEqual(os.listdir(folder), [])

    def test_broken_rules_name_key_and_nearest(self):
        study, records = identify_study(hold_="zero")
        with self.assertRaises(alembert.StudyError) as caught:
            alembert.run(study, records)
        self.assertIn("hold", str(caught.exception))
        self.assertEqual(len(caught.exception.problems), 1)
        self.assertEqual(alembert.check(study, records), caught.exception.problems)

    def test_missing_record_is_a_data_error(self):
        study, _ = identify_study()
        with self.assertRaises(alembert.DataError):
            alembert.run(study)

    def test_changes_are_those_of_the_tool(self):
        study, records = identify_study()
        result = alembert.run(study, records, identify={"max_iterations": 1})
        self.assertEqual(result.status, "not-converged")

    def test_found_structs_are_pickled(self):
        found = alembert.run(*identify_study()).refinement
        other = pickle.loads(pickle.dumps(found))
        numpy.testing.assert_array_equal(other.theta, found.theta)

    def test_two_results_are_compared(self):
        study, records = identify_study()
        with tempfile.TemporaryDirectory() as folder:
            for name, changes in {"one": {"hold": "zero"}, "other": {"hold": "linear"}}.items():
                alembert.run(study, records, identify=changes).write(pathlib.Path(folder) / name)
            one, other = (alembert.study.read_result_summary(pathlib.Path(folder) / name) for name in ("one", "other"))
            compared = alembert.study.compare_results(one, other)
            self.assertEqual({pair.first.name for pair in compared.quantities} >= {"M11", "K22"}, True)
            for pair in compared.quantities:
                limit = numpy.hypot(pair.first.margin, pair.second.margin)
                self.assertAlmostEqual(pair.limit, limit, delta=4e-16 * limit)
                self.assertEqual(pair.agreement, "agree" if abs(pair.second.value - pair.first.value) <= limit else "differ")
            self.assertEqual([(pair.key, pair.first, pair.second) for pair in compared.settings],
                             [("identify.hold", '"zero"', '"linear"')])
            document = alembert.report.comparison_document(compared, alembert.study.read_result_signals(one),
                                                           alembert.study.read_result_signals(other))
            self.assertIn("Signals", [section.title for section in document.sections])


class Interrupts(unittest.TestCase):
    def test_ctrl_c_ends_a_long_run(self):
        path = SOURCE / "studies" / "four-bar" / "monte-carlo.toml"
        timer = threading.Timer(0.7, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            alembert.run(path, threads=1, **{"monte-carlo": {"runs": 100000}})
        timer.join()


if __name__ == "__main__":
    unittest.main()
