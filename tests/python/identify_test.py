"""M, D and K from arrays: against the truth, in all forms of calling."""

import unittest

import numpy

import alembert
from models import D, K, M, STEP, linear_record

HOLD = {"hold": "held"}


class IdentifyLinear(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.u, cls.y = linear_record(noise=1e-4)
        cls.fit = alembert.identify.identify_linear(
            cls.u, cls.y, step=STEP, degrees_of_freedom=2, refinement=HOLD)

    def test_matrices_are_those_of_the_truth_within_four_deviations(self):
        fit = self.fit
        self.assertEqual(fit.status, "success", fit.message)
        for name, truth in (("M", M), ("D", D), ("K", K)):
            found, deviation = getattr(fit.refinement.system, name), getattr(fit.deviations, name)
            # 12 numbers below 4 deviations each: probability of a false alarm 12 x 6e-5.
            self.assertTrue(numpy.all(numpy.abs(found - truth) <= 4.0 * deviation), f"{name}: {found} +- {deviation}")

    def test_list_of_experiments_gives_the_same_bits(self):
        record = alembert.identify.Experiment(input=self.u, output=self.y, step=STEP)
        other = alembert.identify.identify_linear([record], degrees_of_freedom=2, refinement=HOLD)
        numpy.testing.assert_array_equal(other.refinement.system.M, self.fit.refinement.system.M)

    def test_options_struct_and_keywords_are_the_same(self):
        options = alembert.identify.LinearOptions(degrees_of_freedom=2)
        options.refinement.hold = alembert.signal.BetweenSamples("held")
        other = alembert.identify.identify_linear(self.u, self.y, options, step=STEP)
        numpy.testing.assert_array_equal(other.refinement.theta, self.fit.refinement.theta)

    def test_float32_and_other_orders_are_taken(self):
        u = numpy.ascontiguousarray(self.u)
        y = numpy.asfortranarray(self.y)
        other = alembert.identify.identify_linear(u, y, step=STEP, degrees_of_freedom=2, refinement=HOLD)
        numpy.testing.assert_array_equal(other.refinement.theta, self.fit.refinement.theta)
        rough = alembert.identify.identify_linear(
            self.u.astype(numpy.float32), self.y.astype(numpy.float32), step=STEP, refinement=HOLD)
        # Rounding of 24 bits, 6e-8 of y, is far below the noise of 1e-4.
        numpy.testing.assert_allclose(rough.refinement.system.M, self.fit.refinement.system.M, rtol=1e-2, atol=1e-2)

    def test_summary_is_text_with_the_modes(self):
        self.assertIn("Hz", self.fit.summary())


if __name__ == "__main__":
    unittest.main()
