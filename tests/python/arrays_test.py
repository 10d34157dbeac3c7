"""Arrays in and out: orders, strides, types, sizes."""

import unittest

import numpy

import alembert

core = alembert.core
signal = alembert.signal


class Arrays(unittest.TestCase):
    matrix = numpy.arange(9.0).reshape(3, 3)

    def symmetrised(self, matrix):
        return core.symmetrised(matrix)

    def test_orders_strides_and_types_give_the_same(self):
        expected = (self.matrix + self.matrix.T) / 2.0
        wide = numpy.zeros((6, 6))
        wide[::2, ::2] = self.matrix
        forms = [
            self.matrix, numpy.asfortranarray(self.matrix), self.matrix.tolist(), wide[::2, ::2],
            self.matrix[::-1][::-1], self.matrix.astype(numpy.float32), self.matrix.astype(int),
            self.matrix.astype(">f8"), tuple(map(tuple, self.matrix)),
        ]
        for form in forms:
            numpy.testing.assert_array_equal(self.symmetrised(form), expected)

    def test_read_only_arrays_are_read(self):
        frozen = self.matrix.copy()
        frozen.flags.writeable = False
        self.symmetrised(frozen)

    def test_masked_numbers_are_missing_ones(self):
        for order in ("C", "F"):
            masked = numpy.ma.masked_array(numpy.ones((3, 3), order=order), numpy.eye(3) > 0.0)
            held = alembert.model.SecondOrder(M=masked).M
            numpy.testing.assert_array_equal(numpy.isnan(held), numpy.eye(3) > 0.0)
        with self.assertRaisesRegex(alembert.InvalidInput, "masked"):
            alembert.model.SecondOrder(M=numpy.ma.masked_array([[1, 2]], [[True, False]]))
        plain = numpy.ma.masked_array(self.matrix, numpy.zeros((3, 3)))
        numpy.testing.assert_array_equal(self.symmetrised(plain), self.symmetrised(self.matrix))

    def test_arguments_are_not_changed(self):
        before = self.matrix.copy()
        self.symmetrised(self.matrix)
        numpy.testing.assert_array_equal(self.matrix, before)

    def test_results_own_their_memory(self):
        made = self.symmetrised(self.matrix)
        made[0, 0] = -1.0
        self.assertNotEqual(self.symmetrised(self.matrix)[0, 0], -1.0)

    def test_spectrum_agrees_with_numpy(self):
        values = numpy.random.default_rng(2).standard_normal(64)
        ours = signal.rfft(values)
        # n log2 n roundings: 64 x 6 x 1e-16, of sums of size 8.
        numpy.testing.assert_allclose(ours, numpy.fft.fft(values)[:len(ours)], rtol=0, atol=1e-12)

    def test_huge_sizes_raise(self):
        with self.assertRaises((MemoryError, alembert.InvalidInput, TypeError, ValueError)):
            signal.TimeAxis.uniform(-1, 1.0)
        with self.assertRaises((MemoryError, alembert.InvalidInput, OverflowError)):
            core.RandomStream(1).normal_vector(2**62)

    def test_empty_arrays_are_refused_by_name(self):
        with self.assertRaises(alembert.InvalidInput):
            core.definiteness(numpy.zeros((0, 0)))


if __name__ == "__main__":
    unittest.main()
