"""The short form of tools/fuzz-python: everything called with anything, in processes of their own."""

import os
import pathlib
import re
import subprocess
import sys
import unittest

import numpy

import alembert

TOOLS = pathlib.Path(os.environ.get("ALEMBERT_SOURCE", pathlib.Path(__file__).resolve().parents[2])) / "tools"


class Fuzz(unittest.TestCase):
    def test_no_call_ends_the_process(self):
        process = subprocess.run([sys.executable, TOOLS / "fuzz-python", "--blocks", "4", "--calls", "80"], capture_output=True,
                                 text=True, timeout=110, check=False)  # fmt: skip
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        calls = int(re.search(r"(\d+) calls, 0 findings", process.stdout).group(1))
        self.assertEqual(calls, 320)

    def test_what_once_ended_it_is_an_exception(self):
        """Empty structs and lists, which C++ would not give to these functions."""
        for call in (lambda: alembert.integrate.spectral_radius({}), lambda: alembert.report.identify_document({}),
                     lambda: alembert.report.output_error_document({}), lambda: alembert.report.monte_carlo_document({}),
                     lambda: alembert.report.acceleration_document({}), lambda: alembert.report.observe_document({}),
                     lambda: alembert.study.run_acceleration({}), lambda: alembert.study.write_acceleration_result({}, "."),
                     lambda: alembert.study.write_observe_result({}, "."), lambda: alembert.identify.clipped({}),
                     lambda: alembert.identify.synthesised({}, {}, []), lambda: alembert.estimate.check_square_root({}),
                     lambda: alembert.identify.input_correlations([], []),
                     lambda: alembert.identify.input_correlations(numpy.zeros((0, 0)), numpy.zeros((0, 0)))):  # fmt: skip
            with self.assertRaises((ValueError, TypeError)):
                call()


if __name__ == "__main__":
    unittest.main(verbosity=2)
