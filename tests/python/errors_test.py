"""Misuse ends in a clear Python exception."""

import subprocess
import sys
import unittest

import numpy

import alembert

identify = alembert.identify
signal = alembert.signal


# What an import could change: handlers of all signals, threads, those of OpenBLAS, the environment, the folder, locale, hooks,
# rounding of denormal numbers.
IMPORT = r"""
import ctypes, locale, os, re, signal, sys, threading
import numpy
numpy.linalg.inv(numpy.eye(2))

def blas():
    names = set(re.findall(r"/\S*libopenblas\S*", open("/proc/self/maps").read()))
    return [ctypes.CDLL(name).openblas_get_num_threads() for name in sorted(names)]

def state():
    handlers = {number: signal.getsignal(number) for number in signal.valid_signals()}
    caught = re.findall(r"(?:Sig(?:Blk|Ign|Cgt)|Umask):\s*(\w+)", open("/proc/self/status").read())
    tiny = float(numpy.nextafter(0.0, 1.0)) * numpy.ones(1)
    return (handlers, caught, threading.active_count(), len(os.listdir("/proc/self/task")), blas(), dict(os.environ), os.getcwd(),
            locale.setlocale(locale.LC_ALL), sys.excepthook, sys.displayhook, (tiny * 1.0)[0])

before = state()
import alembert
after = state()
assert before == after, [(a, b) for a, b in zip(before, after) if a != b]
assert blas(), "no OpenBLAS to look at"
assert not [name for name in ("libmpi", "libopen-rte") if name in open("/proc/self/maps").read()]
"""


class Errors(unittest.TestCase):
    def test_unknown_keyword_names_the_nearest(self):
        with self.assertRaisesRegex(TypeError, "did you mean \"degrees_of_freedom\""):
            identify.identify_linear(numpy.zeros((9, 1)), numpy.zeros((9, 1)), step=1.0, degree_of_freedom=1)

    def test_invalid_input_has_its_parts(self):
        with self.assertRaises(alembert.InvalidInput) as caught:
            alembert.core.chi_square_quantile(2.0, 1.0)
        self.assertIsInstance(caught.exception, ValueError)
        self.assertEqual(caught.exception.argument, "probability")
        self.assertTrue(caught.exception.rule)

    def test_wrong_types_name_the_argument(self):
        with self.assertRaisesRegex(TypeError, "value must be a number, got str"):
            alembert.core.chi_square_probability("1", 2.0)
        with self.assertRaisesRegex(TypeError, "must be an array of numbers, got str"):
            alembert.core.symmetrised("matrix")
        with self.assertRaisesRegex(TypeError, "complex"):
            alembert.core.symmetrised(numpy.eye(2) * 1j)
        with self.assertRaisesRegex(TypeError, "object"):
            alembert.core.symmetrised(numpy.array([[object()]]))

    def test_wrong_shapes_say_what_came(self):
        with self.assertRaisesRegex(alembert.InvalidInput, r"shape \(2, 2, 2\)"):
            alembert.core.symmetrised(numpy.zeros((2, 2, 2)))
        with self.assertRaisesRegex(alembert.InvalidInput, "no array of"):
            alembert.core.symmetrised([[1.0], [1.0, 2.0]])

    def test_missing_and_double_arguments(self):
        with self.assertRaisesRegex(TypeError, "needs the argument \"freedom\""):
            alembert.core.chi_square_probability(1.0)
        with self.assertRaisesRegex(TypeError, "twice"):
            alembert.core.chi_square_probability(1.0, 2.0, value=3.0)
        with self.assertRaisesRegex(TypeError, "at most 2"):
            alembert.core.chi_square_probability(1.0, 2.0, 3.0)

    def test_enums_name_their_values(self):
        with self.assertRaisesRegex(ValueError, "must be one of"):
            identify.LinearOptions(start="weakform")
        with self.assertRaisesRegex(ValueError, "did you mean \"success\""):
            alembert.core.Status("sucess")

    def test_fields_name_the_nearest(self):
        with self.assertRaisesRegex(TypeError, "did you mean \"tolerance\""):
            identify.RefineOptions(tolerence=1.0)
        with self.assertRaisesRegex(TypeError, "tolerance must be a number"):
            identify.RefineOptions().tolerance = "small"

    def test_data_errors_name_the_file(self):
        with self.assertRaises(alembert.DataError) as caught:
            alembert.io.read_csv("no/such/file.csv")
        self.assertIn("no/such/file.csv", str(caught.exception))
        self.assertEqual(caught.exception.file, "no/such/file.csv")

    def test_views_stay_valid_when_their_field_is_set(self):
        options = identify.RefineOptions(weights=numpy.arange(1000.0))
        before = options.weights
        for size in range(1, 50):
            options.weights = numpy.ones(size * 100)
        numpy.testing.assert_array_equal(before, numpy.arange(1000.0))

    def test_parts_keep_their_owner_alive(self):
        part = identify.LinearOptions(refinement={"max_iterations": 7}).refinement
        self.assertEqual(part.max_iterations, 7)

    def test_import_changes_nothing_in_the_process(self):
        subprocess.run([sys.executable, "-c", IMPORT], check=True)


if __name__ == "__main__":
    unittest.main()
