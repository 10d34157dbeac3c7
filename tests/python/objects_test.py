"""Structs, enums and classes as Python objects."""

import copy
import pickle
import unittest

import numpy

import alembert

identify = alembert.identify
signal = alembert.signal


class Structs(unittest.TestCase):
    def options(self):
        return identify.RefineOptions(max_iterations=5, weights=[1.0, 2.0], hold="linear")

    def test_fields_by_place_and_name(self):
        channel = signal.Channel("force", "N")
        self.assertEqual((channel.name, channel.unit, channel.description), ("force", "N", ""))

    def test_equality_and_copies(self):
        self.assertEqual(self.options(), self.options())
        other = self.options()
        other.weights[1] = 3.0
        self.assertNotEqual(self.options(), other)
        self.assertEqual(copy.deepcopy(other), other)

    def test_pickling(self):
        options = identify.LinearOptions(degrees_of_freedom=2, refinement=self.options())
        self.assertEqual(pickle.loads(pickle.dumps(options)), options)
        self.assertEqual(pickle.loads(pickle.dumps(alembert.core.Status.Unstable)), "unstable")

    def test_to_dict_is_plain(self):
        made = self.options().to_dict()
        self.assertEqual(made["max_iterations"], 5)
        self.assertEqual(made["hold"], "linear")
        numpy.testing.assert_array_equal(made["weights"], [1.0, 2.0])

    def test_repr_shows_what_differs_from_the_defaults(self):
        text = repr(self.options())
        self.assertIn("max_iterations=5", text)
        self.assertNotIn("gauss_stages", text)

    def test_enums(self):
        status = alembert.core.Status.NotConverged
        self.assertEqual(status, "not-converged")
        self.assertEqual(status, alembert.core.Status("not-converged"))
        self.assertEqual(str(status), "not-converged")
        self.assertEqual(repr(status), "Status.NotConverged")
        self.assertEqual({status: 1}["not-converged"], 1)

    def test_parts_are_shared_with_their_owner(self):
        options = identify.LinearOptions()
        options.refinement.max_iterations = 11
        self.assertEqual(options.refinement.max_iterations, 11)

    def test_random_streams_are_those_of_the_library(self):
        one, other = alembert.core.RandomStream(7, 2), alembert.core.RandomStream(7, 2)
        self.assertEqual(one.uniform(), other.uniform())
        self.assertEqual(one.normal_vector(5).shape, (5,))


class Records(unittest.TestCase):
    def test_record_from_arrays(self):
        record = alembert.record({"u": numpy.arange(4.0), "y": [1, 2, 3, 4]}, step=0.5, units={"u": "N"})
        self.assertEqual(record.size(), 4)
        self.assertEqual([c.unit for c in record.channels()], ["N", ""])
        numpy.testing.assert_array_equal(record.time().times(), [0.0, 0.5, 1.0, 1.5])
        numpy.testing.assert_array_equal(record.values("y"), [1.0, 2.0, 3.0, 4.0])
        self.assertEqual(record.time()[2], 1.0)

    def test_unknown_channel_names_the_nearest(self):
        record = alembert.record({"force": [1.0, 2.0]}, step=1.0)
        with self.assertRaisesRegex(alembert.InvalidInput, "did you mean 'force'"):
            record.values("forse")


if __name__ == "__main__":
    unittest.main()
