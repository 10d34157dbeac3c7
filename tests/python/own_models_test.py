"""Models of one's own: filters on equations and on functions, output error with a callable, mechanisms, reproduce."""

import math
import os
import pathlib
import unittest

import numpy

import alembert

estimate, identify = alembert.estimate, alembert.identify
SOURCE = pathlib.Path(os.environ["ALEMBERT_SOURCE"])
STEP, SIGMA = 0.01, 0.02
NOISE = numpy.diag([1e-10, 1e-6])


def runge_kutta(x, h):
    def f(z):
        return numpy.array([z[1], -9.81 * math.sin(z[0])])

    k1 = f(x)
    k2 = f(x + 0.5 * h * k1)
    k3 = f(x + 0.5 * h * k2)
    k4 = f(x + h * k3)
    return x + h / 6.0 * (k1 + 2.0 * (k2 + k3) + k4)


def jacobian(x, h):
    d, J = 1e-6, numpy.zeros((2, 2))
    for j in range(2):
        e = numpy.eye(2)[j] * d
        J[:, j] = (runge_kutta(x + e, h) - runge_kutta(x - e, h)) / (2.0 * d)
    return J


def textbook_filter(readings):
    """The extended Kalman filter as textbooks print it, in NumPy."""
    x, P, H = numpy.array([0.5, 0.0]), numpy.eye(2), numpy.array([[1.0, 0.0]])
    for z in readings:
        F = jacobian(x, STEP)
        x, P = runge_kutta(x, STEP), F @ P @ F.T + NOISE
        S = H @ P @ H.T + SIGMA**2
        gain = P @ H.T / S
        x, P = x + (gain * (z - x[0]))[:, 0], P - gain @ S @ gain.T
    return x, P


def readings(samples=200):
    random = numpy.random.default_rng(4)
    return 0.8 * numpy.cos(3.0 * STEP * numpy.arange(samples)) + SIGMA * random.standard_normal(samples)


OPTIONS = {"mean": [0.5, 0.0], "deviation": 1.0, "process_noise": NOISE, "sigma": SIGMA}


def functions(**more):
    return {"states": ["a", "a'"], "process": lambda h, x, u: runge_kutta(x, h), "output": lambda x, u: x[:1], **more}


class Filters(unittest.TestCase):
    def equations(self, **more):
        return estimate.EquationObserver("a'' = -g*sin(a)", {"outputs": ["a"]}, {"g": 9.81}, **{**OPTIONS, **more})

    def test_equations_are_the_textbook_filter(self):
        observer = self.equations()
        for z in readings():
            self.assertEqual(observer.step(STEP, [z]).status, "success")
        x, P = textbook_filter(readings())
        # Jacobians by differences of 1e-6 err by 1e-9 or so, over 200 steps that forget.
        numpy.testing.assert_allclose(observer.mean(), x, rtol=1e-6, atol=1e-8)
        numpy.testing.assert_allclose(observer.covariance(), P, rtol=1e-5, atol=1e-10)

    def test_functions_are_the_textbook_filter(self):
        observer = estimate.FunctionObserver(functions(), **OPTIONS)
        for z in readings():
            observer.step(STEP, [z])
        numpy.testing.assert_allclose(observer.mean(), textbook_filter(readings())[0], rtol=1e-6, atol=1e-8)

    def test_given_jacobians_are_used(self):
        called = []

        def slopes(h, x, u):
            called.append(h)
            return jacobian(x, h)

        observer = estimate.FunctionObserver(
            functions(process_jacobian=slopes, output_jacobian=lambda x, u: [[1.0, 0.0]]), **OPTIONS)
        for z in readings(20):
            observer.step(STEP, [z])
        self.assertEqual(len(called), 20)
        numpy.testing.assert_allclose(observer.mean(), textbook_filter(readings(20))[0], rtol=1e-6, atol=1e-8)

    def test_a_record_is_the_steps_and_can_be_smoothed(self):
        time = STEP * numpy.arange(1, 101)
        found = estimate.observe_record(self.equations(), time, readings(100), smooth=True)
        self.assertEqual(found.names, ("a", "a'"))
        self.assertTrue(numpy.all(found.smoothed_deviation[:-1, 1] <= found.deviation[:-1, 1]))

    def test_other_filters_and_inputs(self):
        for rule in ("ekf", "iterated-ekf", "cubature", "square-root-unscented", "square-root-ekf"):
            observer = estimate.EquationObserver(
                "x' = v\nv' = u - k*x", {"inputs": ["u"], "outputs": ["x"]}, {"k": 4.0}, filter=rule, deviation=1.0,
                density=[0.0, 0.01], sigma=0.1, between="linear")
            for k in range(400):
                observer.step(0.01, [1.0, 0.25 * (1.0 - math.cos(2.0 * 0.01 * k))])
            # x = (u/k)(1 - cos 2t) is the motion from rest.
            self.assertLess(abs(observer.mean()[0] - 0.25 * (1.0 - math.cos(8.0))), 4.0 * observer.deviation(0) + 0.01)

    def test_exceptions_of_functions_reach_the_caller(self):
        broken = estimate.FunctionObserver(functions(output=lambda x, u: 1 / 0), **OPTIONS)
        with self.assertRaises(ZeroDivisionError):
            broken.step(STEP, [0.5])
        with self.assertRaises(ZeroDivisionError):
            estimate.observe_record(broken, [0.0, 0.1], [0.5, 0.5])


class OutputErrorWithACallable(unittest.TestCase):
    time = 0.02 * numpy.arange(400)

    def simulate(self, p, experiment):
        return p[0] * numpy.exp(-p[1] * self.time) * numpy.cos(p[2] * self.time)

    def test_truth_is_found_as_by_the_equations(self):
        truth = numpy.array([2.0, 0.3, 5.0])
        y = self.simulate(truth, None) + 0.01 * numpy.random.default_rng(5).standard_normal(400)
        guesses = {"a": 1.5, "d": {"guess": 0.2, "lower": 0.0}, "w": 4.9}
        data = {"output": y, "step": 0.02}
        fit = identify.fit_function(self.simulate, guesses, data)
        exact = identify.fit_equations(
            "y'' = -2*d*y' - (w^2 + d^2)*y", {"outputs": ["y"], "starts": {"y": "a", "y'": "-a*d"}}, guesses, data,
            substeps=16)
        self.assertEqual(fit.status, "success", fit.message)
        for k, name in enumerate(guesses):
            one, other = fit.parameter(name), exact.parameter(name)
            self.assertLess(abs(one.value - truth[k]), 4.0 * one.deviation)
            # The same minimum of the same cost; searches end within a thousandth of a deviation.
            self.assertLess(abs(one.value - other.value), 1e-3 * other.deviation)
            self.assertLess(abs(one.deviation - other.deviation), 1e-3 * other.deviation)

    def test_a_wrong_result_is_named(self):
        data = {"output": numpy.zeros(400), "step": 0.02}
        with self.assertRaisesRegex(alembert.InvalidInput, "simulate must return 400 x 1 outputs"):
            identify.fit_function(lambda p, e: numpy.zeros(3), {"a": 1.0}, data)


class RecordsAsTheyAre(unittest.TestCase):
    """Swings that begin anyhow, with outliers."""

    step, a, d = 0.02, 30.0, 0.3

    def swing(self, start, samples, random):
        x, angles = numpy.array(start), []

        def f(z):
            return numpy.array([z[1], -self.a * math.sin(z[0]) - self.d * z[1]])

        for _ in range(samples):
            angles.append(x[0])
            for _ in range(8):
                h = self.step / 8
                k1 = f(x)
                k2 = f(x + 0.5 * h * k1)
                k3 = f(x + 0.5 * h * k2)
                k4 = f(x + h * k3)
                x = x + h / 6.0 * (k1 + 2.0 * (k2 + k3) + k4)
        return numpy.array(angles) + 0.005 * random.standard_normal(samples)

    def swings(self):
        random = numpy.random.default_rng(6)
        return [self.swing(start, 200, random) for start in ((0.9, 0.0), (-1.2, 2.0), (0.3, -3.0))]

    def fit(self, swings, **options):
        return identify.fit_equations(
            "q'' = -a*sin(q) - d*q'", {"outputs": ["q"]}, {"a": 20.0, "d": {"guess": 0.1, "lower": 0.0}},
            [{"output": q, "step": self.step} for q in swings], start="free", **options)

    def assert_found(self, fit):
        self.assertEqual(fit.status, "success", fit.message)
        for name, truth in (("a", self.a), ("d", self.d)):
            one = fit.parameter(name)
            self.assertLess(abs(one.value - truth), 4.0 * one.deviation, name)

    def test_each_swing_has_a_start_of_its_own(self):
        fit = self.fit(self.swings())
        self.assert_found(fit)
        starts = fit.estimate.prediction.starts
        self.assertEqual(starts.shape, (2, 3))
        self.assertLess(abs(starts[0, 1] + 1.2), 0.01)

    def test_a_loss_keeps_outliers_from_deciding(self):
        swings = self.swings()
        for q in swings:
            q[7::40] += 1.0
        fit = self.fit(swings, loss="bisquare")
        self.assert_found(fit)
        self.assertEqual(len(fit.estimate.outliers), 15)
        self.assertEqual({one.sample % 40 for one in fit.estimate.outliers}, {7})

    def test_windows_have_starts_of_their_own(self):
        fit = self.fit(self.swings(), window=1.0)
        self.assert_found(fit)
        self.assertEqual(fit.estimate.windows, 12)
        self.assert_found(self.fit(self.swings(), window="automatic"))
        with self.assertRaisesRegex(alembert.InvalidInput, 'window must be a number or "automatic", got "long"'):
            self.fit(self.swings(), window="long")


class Mechanisms(unittest.TestCase):
    ARM = {"bodies": {"arm": {"mass": 1.0, "inertia": 0.1, "points": {"O": [0.0, 0.0]}}},
           "joints": [{"revolute": ["ground", "arm.O"]}], "coordinates": ["angle(arm)"]}

    def test_file_dict_and_code_give_the_same(self):
        in_words = alembert.mechanism(
            {"mechanism": self.ARM, "data": {"sensors": {"e": {"kind": "angle", "of": "arm", "sigma": 0.001}}}})
        in_code = alembert.model.planar.MechanismDescription()
        in_code.bodies = [{"name": "arm", "mass": 1.0, "inertia": 0.1, "points": [{"name": "O"}]}]
        in_code.joints = [{"kind": "revolute", "a": "ground", "b": "arm.O"}]
        in_code.coordinates = [alembert.model.planar.parse_coordinate("angle(arm)")]
        in_code.sensors = [{"name": "e", "kind": "angle", "of": "arm", "sigma": 0.001}]
        made = alembert.model.planar.Mechanism(in_code)
        self.assertEqual(in_words.bodies(), made.bodies())
        self.assertEqual(in_words.description().sensors, made.description().sensors)

    def test_the_mechanism_of_a_study(self):
        made = alembert.mechanism(SOURCE / "studies" / "four-bar" / "simulate.toml")
        self.assertEqual(made.bodies(), ("crank", "coupler", "rocker"))
        self.assertEqual(made.coordinates(), 1)

    def test_errors_name_the_place(self):
        with self.assertRaisesRegex(alembert.StudyError, "revolut"):
            alembert.mechanism({**self.ARM, "joints": [{"revolut": ["ground", "arm.O"]}]})


class Reproductions(unittest.TestCase):
    def test_names_and_a_run(self):
        names = alembert.reproduce()
        self.assertIn("discretisation", names)
        found = alembert.reproduce("discretisation")
        self.assertTrue(found.ok, found.summary())
        self.assertGreater(len(found.claims), 5)
        self.assertTrue(found.report().lstrip().lower().startswith("<!doctype html"))

    def test_an_unknown_name_names_the_nearest(self):
        with self.assertRaisesRegex(alembert.InvalidInput, "discretisation"):
            alembert.reproduce("discretization")


if __name__ == "__main__":
    unittest.main()
