"""Forty kinds of misuse: each ends in a clear Python exception, none in a crash.

Every case is a line of CASES or a test of its own: name, call, exception, text that the message must hold.
"""

import concurrent.futures
import os
import signal
import subprocess
import sys
import threading
import time
import unittest

import numpy

import alembert

identify, estimate, core, model, optimize = (
    alembert.identify, alembert.estimate, alembert.core, alembert.model, alembert.optimize)
InvalidInput = alembert.InvalidInput
U, Y = numpy.random.default_rng(1).standard_normal((2, 200, 1))
EYE = numpy.eye(2)


def linear(u=U, y=Y, **options):
    return identify.identify_linear(u, y, **{"step": 0.01, **options})


def observer(**options):
    return estimate.EquationObserver(
        "x' = -k*x", {"outputs": ["x"]}, {"k": 1.0}, **{"deviation": 1.0, "density": 1.0, "sigma": 1.0, **options})


def minimise(cost):
    return optimize.minimise(optimize.Problem([{"name": "a", "guess": 1.0}], {"cost": cost}), solver="nelder-mead")


def with_nan(at=5):
    u = U.copy()
    u[at] = numpy.nan
    return u


def raising(x):
    raise KeyError("mine")


CASES = [
    # wrong shapes
    ("rows differ", lambda: linear(U, Y[:100]), InvalidInput, "as many output as input samples"),
    ("three dimensions", lambda: linear(numpy.zeros((3, 3, 3)), Y), InvalidInput, "shape (3, 3, 3)"),
    ("ragged list", lambda: core.symmetrised([[1.0], [1.0, 2.0]]), InvalidInput, "no array"),
    ("not square", lambda: core.symmetrised(numpy.zeros((2, 3))), InvalidInput, ""),
    ("matrix for a vector", lambda: observer(mean=numpy.zeros((2, 2))), InvalidInput, "mean"),
    ("too many weights", lambda: linear(refinement={"weights": [1.0, 2.0, 3.0]}), InvalidInput, "weights"),
    ("readings of another size", lambda: estimate.observe_record(observer(), [0.0, 1.0], numpy.zeros((2, 3))),
     InvalidInput, "readings"),
    # wrong types
    ("channels x samples", lambda: linear(U.T, Y.T), InvalidInput, "samples x channels"),
    ("arrays without a step", lambda: identify.identify_linear(U, Y), TypeError, 'need the keyword "step"'),
    ("a step by place", lambda: identify.identify_linear(U, Y, 0.01), TypeError, 'need the keyword "step"'),
    ("text for an array", lambda: linear("force", Y), TypeError, "array of numbers, got str"),
    ("texts in an array", lambda: linear(numpy.array([["a"], ["b"]]), Y), TypeError, "array"),
    ("complex for real", lambda: core.symmetrised(EYE * 1j), TypeError, "complex"),
    ("objects", lambda: core.symmetrised(numpy.array([[object()]])), TypeError, "object"),
    ("text for a number", lambda: core.chi_square_probability("1", 2.0), TypeError, "value must be a number, got str"),
    ("None for an array", lambda: core.symmetrised(None), TypeError, "NoneType"),
    ("float for a count", lambda: linear(degrees_of_freedom=1.5), TypeError, "degrees_of_freedom"),
    ("list for a dict", lambda: linear(refinement=[1, 2]), TypeError, "refinement must be an identify.RefineOptions"),
    ("object of another class", lambda: estimate.KinematicObserver(model.SecondOrder()), TypeError, "Mechanism"),
    ("number for a callable", lambda: minimise(3.0), TypeError, "cost must be callable"),
    # wrong values
    ("NaN in a force", lambda: linear(with_nan()), InvalidInput, "input without missing samples"),
    ("infinite step", lambda: linear(step=numpy.inf), InvalidInput, "step"),
    ("negative step", lambda: linear(step=-0.01), InvalidInput, "step"),
    ("empty arrays", lambda: linear(numpy.zeros((0, 1)), numpy.zeros((0, 1))), InvalidInput, "sample"),
    ("no experiment", lambda: identify.identify_linear([]), InvalidInput, "experiment"),
    ("negative count", lambda: core.RandomStream(1).normal_vector(-1), (InvalidInput, OverflowError, TypeError, ValueError), ""),
    ("huge count", lambda: core.RandomStream(1).normal_vector(2**62), (MemoryError, InvalidInput, OverflowError), ""),
    ("number beyond 64 bits", lambda: linear(degrees_of_freedom=2**80), (TypeError, OverflowError, ValueError), ""),
    ("unknown enum text", lambda: linear(start="weakform"), InvalidInput, "must be one of"),
    ("covariance that is none", lambda: observer(deviation=[], covariance=[[-1.0]]), InvalidInput, "covariance"),
    # wrong names
    ("unknown keyword", lambda: linear(degree_of_freedom=1), TypeError, 'did you mean "degrees_of_freedom"'),
    ("unknown field", lambda: linear(refinement={"tolerence": 1.0}), TypeError, 'did you mean "tolerance"'),
    ("argument twice", lambda: core.chi_square_probability(1.0, 2.0, value=3.0), TypeError, "twice"),
    ("argument missing", lambda: core.chi_square_probability(1.0), TypeError, 'needs the argument "freedom"'),
    ("name of another module", lambda: alembert.identify_linear, AttributeError, "alembert.identify.identify_linear"),
    ("name that is not there", lambda: alembert.signal.power_spectral, AttributeError, "power_spectral_density"),
    ("field of a part", lambda: identify.LinearOptions().max_iterations, AttributeError, ".refinement.max_iterations"),
    ("field with a slip", lambda: identify.RefineOptions().tolerence, AttributeError, "did you mean 'tolerance'"),
    ("unknown channel", lambda: alembert.record({"force": [1.0]}, step=1.0).values("forse"), InvalidInput, "did you mean"),
    ("equation with an unknown name", lambda: identify.fit_equations(
        "x' = -kk*x", {"outputs": ["x"]}, {"k": 1.0}, {"output": Y, "step": 1.0}), alembert.EquationError, "kk"),
    # callbacks
    ("callback that raises", lambda: minimise(raising), KeyError, "mine"),
    ("callback with a wrong result", lambda: minimise(lambda x: "small"), TypeError, "result of a callback"),
    ("callback with wrong arguments", lambda: minimise(lambda: 1.0), TypeError, "argument"),
    ("simulation of another size", lambda: identify.fit_function(
        lambda p, e: numpy.zeros(3), {"a": 1.0}, {"output": Y, "step": 1.0}), InvalidInput, "simulate must return"),
    # files and studies
    ("missing file", lambda: alembert.io.read_csv("no/such.csv"), alembert.DataError, "no/such.csv"),
    ("missing study", lambda: alembert.run("no/such.toml"), alembert.StudyError, "no/such.toml: the file does not exist"),
    ("device for a study", lambda: alembert.run("/dev/zero"), alembert.StudyError, "is a device"),
    ("study that is no study", lambda: alembert.run({"model": 3}), alembert.StudyError, "task table"),
]


class Misuse(unittest.TestCase):
    def test_cases(self):
        self.assertGreaterEqual(len(CASES), 34)  # with the tests below: 40 and more
        for name, call, kind, words in CASES:
            with self.subTest(name), self.assertRaises(kind) as caught:
                call()
            with self.subTest(name):
                self.assertIn(words, str(caught.exception))
                self.assertNotIn("\n", str(caught.exception).strip())

    def test_non_contiguous_and_read_only_arrays_are_read(self):
        wide = numpy.zeros((400, 3))
        wide[::2, 1:2] = U
        frozen = Y.copy()
        frozen.flags.writeable = False
        one, other = linear(wide[::2, 1:2], frozen), linear()
        numpy.testing.assert_array_equal(one.refinement.theta, other.refinement.theta)

    def test_lists_of_structs_cannot_be_changed_in_place(self):
        description = model.planar.MechanismDescription(bodies=[{"name": "arm"}])
        with self.assertRaises(TypeError):
            description.bodies[0] = {"name": "leg"}

    def test_a_deleted_array_is_kept_alive_by_its_views(self):
        options = identify.RefineOptions(weights=numpy.arange(1000.0))
        view = options.weights
        del options
        self.assertEqual(view.sum(), 499500.0)

    def test_unhashable_and_uninitialised_objects(self):
        with self.assertRaises(TypeError):
            hash(identify.RefineOptions())
        empty = estimate.KinematicObserver.__new__(estimate.KinematicObserver)
        with self.assertRaises(TypeError):
            empty.mean()

    def test_objects_are_made_once_and_by_their_class(self):
        for made, again in ((observer(), lambda one: one.__init__(
                "x' = -k*x", {"outputs": ["x"]}, {"k": 1.0}, deviation=1.0, density=1.0, sigma=1.0)),
                (identify.RefineOptions(), lambda one: one.__init__(max_iterations=3)),
                (core.Status.Success, lambda one: one.__init__("success"))):
            with self.assertRaisesRegex(TypeError, "made before"):
                again(made)
        for kind in (identify.RefineOptions, core.Status, core.RandomStream):
            with self.assertRaises(TypeError):
                kind.__init__(5, "success")

    def test_a_value_that_empties_its_own_dict(self):
        class Emptying:
            def __array__(self, dtype=None, copy=None):
                options.clear()
                return numpy.ones(1)

        options = {"weights": Emptying(), "max_iterations": 5, "tolerance": 1e-6}
        self.assertEqual(identify.LinearOptions(refinement=options).refinement.max_iterations, 5)

    def test_keyboard_interrupt_ends_a_python_callback(self):
        def slow(x):
            time.sleep(0.005)
            return float(x[0] ** 2)

        timer = threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            for _ in range(1000):
                minimise(slow)
        timer.join()

    def test_a_forked_process_can_compute(self):
        code = ("import os, numpy, alembert\n"
                "def fit():\n    u, y = numpy.random.default_rng(1).standard_normal((2, 200, 1))\n"
                "    return alembert.identify.identify_linear(u, y, step=0.01).refinement.theta.tobytes()\n"
                "first = fit()\nchild = os.fork()\n"
                "if child == 0:\n    os._exit(0 if fit() == first else 3)\n"
                "assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0\n")
        subprocess.run([sys.executable, "-c", code], check=True, timeout=100)

    def test_threads_share_the_library(self):
        expected = linear().refinement.theta
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            for found in pool.map(lambda _: linear().refinement.theta, range(32)):
                numpy.testing.assert_array_equal(found, expected)

    def test_threads_share_one_observer_without_harm(self):
        one = observer()
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            done = list(pool.map(lambda _: one.step(0.01, [0.5]).status, range(400)))
        self.assertEqual(set(map(str, done)), {"success"})
        self.assertTrue(numpy.isfinite(one.mean()).all())

    def test_two_interpreters_compute_at_once(self):
        code = ("import alembert, numpy\n"
                "u, y = numpy.random.default_rng(1).standard_normal((2, 200, 1))\n"
                "print(alembert.identify.identify_linear(u, y, step=0.01).refinement.theta.tobytes().hex())")
        both = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(2)]
        found = [process.communicate(timeout=100)[0] for process in both]
        self.assertEqual(found[0], found[1])
        self.assertGreater(len(found[0]), 16)


if __name__ == "__main__":
    unittest.main()
