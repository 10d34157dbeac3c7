"""Keywords: the keys of studies with their names, checks and messages; every keyword has its help."""

import json
import os
import re
import unittest

import numpy

import alembert
from models import STEP, linear_record

NAMES = json.loads(open(os.environ["ALEMBERT_NAMES"], encoding="utf-8").read())
U, Y = linear_record(800, noise=1e-4)


def identify(**options):
    return alembert.identify.identify_linear(U, Y, step=STEP, alternatives=False, **options)


def study(**options):
    """The same by a study."""
    data = {"f1": U[:, 0], "f2": U[:, 1], "x1": Y[:, 0], "x2": Y[:, 1], "step": STEP}
    return alembert.run(
        {"data": {"file": "r.csv", "inputs": ["f1", "f2"], "outputs": ["x1", "x2"]},
         "model": {"degrees-of-freedom": 2}, "identify": {"alternatives": False, **options}}, {"r.csv": data})


class Keys(unittest.TestCase):
    def test_a_key_does_what_it_does_in_a_study(self):
        for options in ({"hold": "zero"}, {"hold": "linear", "max_iterations": 3}, {"free_start": False},
                        {"start": "subspace", "horizon": 12}):
            one, other = identify(**options), study(**options)
            self.assertEqual(one.status, other.status)
            numpy.testing.assert_array_equal(one.refinement.system.K, other.refinement.system.K)

    def test_checks_and_messages_are_those_of_studies(self):
        for options in ({"max_iterations": 0}, {"hold": "held"}, {"tolerance": 1.0}, {"stages": 9},
                        {"window": -1.0, "start": "weak-form"}, {"start": "subspace", "window": 0.3}):
            with self.assertRaises(alembert.InvalidInput) as ours:
                identify(**options)
            with self.assertRaises(alembert.StudyError) as theirs:
                study(**options)
            rule = ours.exception.rule + (f", got {ours.exception.value}" if ours.exception.value else "")
            self.assertIn(rule, str(theirs.exception))
            self.assertIn(ours.exception.argument, options)

    def test_a_wrong_kind_of_value_is_a_type_error(self):
        with self.assertRaisesRegex(TypeError, "max_iterations must be an integer, not a text"):
            identify(max_iterations="many")

    def test_keys_inside_other_structs(self):
        fit = alembert.identify.fit_equations(
            "x' = -k*x", {"outputs": ["x"], "starts": {"x": 1.0}}, {"k": 2.0},
            {"output": numpy.exp(-3.0 * 0.01 * numpy.arange(200)), "step": 0.01}, integrator="dormand-prince",
            solver="levenberg-marquardt")
        self.assertEqual(fit.simulation.integrator, "dormand-prince")
        self.assertAlmostEqual(fit.estimate.parameters[0], 3.0, 6)
        with self.assertRaisesRegex(alembert.InvalidInput, "integrator must be one of .* did you mean"):
            alembert.identify.fit_equations("x' = -k*x", {"outputs": ["x"]}, {"k": 2.0}, [], integrator="newmrk")


class Help(unittest.TestCase):
    def functions_with_options(self):
        for python in set(NAMES["bound"].values()):
            made = alembert
            for part in python.split(".")[1:]:
                made = getattr(made, part)
            text = getattr(made, "__doc__", None) or ""
            if callable(made) and "\nKeywords (" in text:
                yield python, text

    def test_every_keyword_of_every_function_has_its_help(self):
        count, without = 0, []
        for python, text in self.functions_with_options():
            for part in text.split("\nKeywords (")[1:]:
                keywords = re.findall(r"^    (\w+)\n((?:        .*\n?)*)", part, flags=re.M)
                self.assertTrue(keywords, python)
                count += len(keywords)
                without += [f"{python}: {name}" for name, words in keywords if not words.strip()]
        self.assertGreater(count, 400)
        self.assertEqual(without, [])


if __name__ == "__main__":
    unittest.main()
