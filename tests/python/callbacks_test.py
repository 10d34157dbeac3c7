"""Python callables inside the library."""

import threading
import unittest

import numpy

import alembert

optimize = alembert.optimize


def rosenbrock(x):
    return (1.0 - x[0]) ** 2 + 100.0 * (x[1] - x[0] ** 2) ** 2


class Callbacks(unittest.TestCase):
    parameters = [{"name": "a", "guess": -1.0}, {"name": "b", "guess": 1.0}]

    def minimise(self, cost, **options):
        problem = optimize.Problem(parameters=self.parameters, objective={"cost": cost})
        return optimize.minimise(problem, solver="nelder-mead", **options)

    def test_minimum_of_a_python_function(self):
        result = self.minimise(rosenbrock, max_evaluations=20000)
        # The minimum is at (1, 1); Nelder-Mead ends when the cost no longer changes.
        numpy.testing.assert_allclose(result.parameters, [1.0, 1.0], atol=1e-3)

    def test_exceptions_reach_the_caller(self):
        def broken(_):
            raise ZeroDivisionError("mine")

        with self.assertRaisesRegex(ZeroDivisionError, "mine"):
            self.minimise(broken)

    def test_wrong_results_are_said(self):
        with self.assertRaisesRegex(TypeError, "result of a callback must be a number, got str"):
            self.minimise(lambda x: "small")

    def test_calls_from_many_threads(self):
        found, errors = [], []

        def work():
            try:
                found.append(self.minimise(rosenbrock, max_evaluations=20000).parameters)
            except Exception as error:  # noqa: BLE001
                errors.append(error)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(errors, [])
        for one in found[1:]:
            numpy.testing.assert_array_equal(one, found[0])

    def test_progress_is_called(self):
        seen = []
        alembert.core.parallel_for(5, lambda i: None, on_progress=lambda done, total: seen.append((done, total)))
        self.assertEqual(sorted(seen), [(k, 5) for k in range(1, 6)])


if __name__ == "__main__":
    unittest.main()
