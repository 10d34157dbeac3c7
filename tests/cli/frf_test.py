"""The task [identify] with method = "frf" against SciPy, NumPy and closed forms; what reads its files."""

import cmath
import json
import math
import random
import unittest

from tool import ToolTest, run

try:
    import numpy
    from scipy import signal
except ImportError:
    numpy = signal = None

STUDY = """\
title = "Responses"
[data]
file = "record.csv"
inputs = ["F"]
outputs = ["a", "b"]
[identify]
method = "frf"
"""
STEP = 0.01
POLES = tuple(complex(-0.01 * w, w * math.sqrt(1 - 1e-4)) for w in (2 * math.pi * 6.0, 2 * math.pi * 17.0))
SHAPES = ((1.0, 1.0), (1.0, -0.7))


def truth(frequency, output):
    """Of two modes under a force that is held between samples: sum of (z - 1)/pole/(e - z), imaginary parts as two poles."""
    e = cmath.exp(2j * math.pi * frequency * STEP)
    total = 0.0
    for factor, pole in zip(SHAPES[output], POLES):
        z = cmath.exp(pole * STEP)
        gain = (z - 1.0) / pole
        half = gain / 1j / (e - z) / 2
        other = (gain / 1j).conjugate() / (e - z.conjugate()) / 2
        total += factor * (half + other)
    return total


def records(forces, noise=0.0, seed=5):
    """Forces and both responses, by recursion."""
    draw = random.Random(seed)
    states, rows = [0j, 0j], []
    for k, force in enumerate(forces):
        q = [(x / 1j).real for x in states]
        rows.append((k * STEP, force, q[0] + q[1] + draw.gauss(0.0, noise), q[0] - 0.7 * q[1] + draw.gauss(0.0, noise)))
        for r, pole in enumerate(POLES):
            z = cmath.exp(pole * STEP)
            states[r] = z * states[r] + (z - 1.0) / pole * force
    return rows


def white(count, seed=3):
    draw = random.Random(seed)
    return [draw.gauss(0.0, 1.0) for _ in range(count)]


class Responses(ToolTest):
    def study(self, rows, more="", text=STUDY):
        lines = ["t [s],F [N],a [m],b [m]", *(",".join(f"{value:.15g}" for value in row) for row in rows)]
        self.write("record.csv", "\n".join(lines) + "\n")
        return self.write("responses.toml", text + more)

    def table(self):
        lines = (self.folder / "responses.out/frf.csv").read_text().splitlines()
        names = lines[0].split(",")
        columns = list(zip(*([float(cell) for cell in line.split(",")] for line in lines[1:])))
        return dict(zip(names, columns))

    def responses(self, name):
        table = self.table()
        return [complex(re, im) for re, im in zip(table[name + ".re"], table[name + ".im"])]

    @unittest.skipIf(signal is None, "python3-scipy is not installed")
    def test_segments_agree_with_scipy(self):
        rows = records(white(3072), noise=0.01)
        process = run("run", self.study(rows, "segment = 512\n"))
        self.assert_exit(process, 0)
        self.assert_documented(json.loads((self.folder / "responses.out/result.json").read_text()))
        data = numpy.loadtxt(self.folder / "record.csv", delimiter=",", skiprows=1)
        options = {"fs": 1 / STEP, "nperseg": 512, "noverlap": 256, "window": "hann", "detrend": "constant"}
        for column, name in ((2, "a"), (3, "b")):
            f, cross = signal.csd(data[:, 1], data[:, column], **options)
            _, power = signal.welch(data[:, 1], **options)
            found = numpy.array(self.responses(name))
            self.assertLess(numpy.abs(numpy.array(self.table()["frequency [Hz]"]) - f).max(), 1e-9)
            # Rounding of transforms of 512 numbers; line 0 has only what the mean leaves.
            self.assertLess(numpy.abs(found - cross / power)[1:].max(), 1e-9 * numpy.abs(found).max())
            _, coherence = signal.coherence(data[:, 1], data[:, column], **options)
            self.assertLess(numpy.abs(numpy.array(self.table()[name + ".coherence"]) - coherence)[1:].max(), 1e-9)

    def test_deviations_cover_the_closed_form(self):
        # Segments of 20 s hold 40 half-power widths of 0.12 Hz in 100 Hz: away from the peaks there is no leakage to speak of.
        self.assert_exit(run("run", self.study(records(white(40000), noise=0.02), "segment = 2000\nfrom = 20.0\nto = 40.0\n")), 0)
        frequencies = self.table()["frequency [Hz]"]
        for output, name in enumerate(("a", "b")):
            deviations = self.table()[name + ".deviation"]
            inside = sum(abs(abs(found) - abs(truth(f, output))) < 2.0 * sd
                         for f, found, sd in zip(frequencies, self.responses(name), deviations))
            # 95 % of 400 lines; neighbours are correlated over 3, so that the share has a deviation of 1.9 %: four of that.
            self.assertGreater(inside / len(frequencies), 0.875)
            self.assertLess(inside / len(frequencies), 0.9999)

    def test_periods_are_exact_without_noise(self):
        draw = random.Random(9)
        period = [0.0] * 500
        for line in range(1, 200):
            phase = draw.uniform(0, 2 * math.pi)
            for k in range(500):
                period[k] += math.cos(2 * math.pi * line * k / 500 + phase)
        # The slower mode decays by exp(-0.01 2 pi 6 5) = 0.15 in a period: 15 of them leave 1e-12.
        rows = records(period * 20)
        self.assert_exit(run("run", self.study(rows, 'average = "periods"\nperiod = 500\nsettle = 15\nfrom = 0.1\nto = 39.0\n')), 0)
        for output, name in enumerate(("a", "b")):
            largest = abs(truth(6.0, output))
            for f, found in zip(self.table()["frequency [Hz]"], self.responses(name)):
                self.assertLess(abs(found - truth(f, output)), 1e-9 * largest)

    @unittest.skipIf(numpy is None, "python3-numpy is not installed")
    def test_local_polynomials_agree_with_numpy(self):
        rows = records(white(2000), noise=0.01)
        self.assert_exit(run("run", self.study(rows, 'average = "local"\nlines = 6\ndegree = 2\n')), 0)
        data = numpy.loadtxt(self.folder / "record.csv", delimiter=",", skiprows=1)
        force, response = numpy.fft.rfft(data[:, 1]), numpy.fft.rfft(data[:, 2])
        found, table = self.responses("a"), self.table()
        self.assertEqual(len(found), 999)
        for line in (1, 5, 120, 340, 600, 995, 999):
            first = min(max(line - 6, 1), 1000 - 13)
            k = numpy.arange(first, first + 13)
            r = (k - line)[:, None] ** numpy.arange(3)
            matrix = numpy.hstack([r * force[k][:, None], r]).astype(complex)
            solution, *_ = numpy.linalg.lstsq(matrix / numpy.abs(matrix).max(axis=0), response[k], rcond=None)
            expected = (solution / numpy.abs(matrix).max(axis=0))[0]
            residual = response[k] - matrix @ (solution / numpy.abs(matrix).max(axis=0))
            variance = numpy.sum(numpy.abs(residual) ** 2) / 7
            deviation = math.sqrt(0.5 * variance * numpy.linalg.pinv(matrix.conj().T @ matrix)[0, 0].real)
            self.assertAlmostEqual(table["frequency [Hz]"][line - 1], line / 20.0, places=9)
            self.assertLess(abs(found[line - 1] - expected), 1e-8 * abs(expected))
            self.assertAlmostEqual(table["a.deviation"][line - 1] / deviation, 1.0, delta=1e-5)

    def test_modes_are_found_in_both_files(self):
        self.assert_exit(run("run", self.study(records(white(20000), noise=1e-3), "segment = 4000\nto = 30.0\n")), 0)
        head = 'title = "Modes"\n[identify]\nmethod = "modes"\n[data]\n'
        sources = ('frf = "responses.out/frf.csv"\nfrequency = "frequency"\noutputs = ["a", "b"]\n',
                   'frf = "responses.out/frf.uff"\n')
        for source in sources:
            with self.subTest(source=source):
                self.assert_exit(run("run", self.write("modes.toml", head + source)), 0)
                modes = json.loads((self.folder / "modes.out/result.json").read_text())["modes"]
                self.assertEqual(len(modes), 2)
                for mode, frequency in zip(modes, (6.0, 17.0)):
                    self.assertAlmostEqual(mode["frequency_hz"] / frequency, 1.0, delta=2e-4)
                    self.assertAlmostEqual(mode["damping_ratio"] / 0.01, 1.0, delta=0.05)

    def test_what_is_wrong_is_named(self):
        cases = (
            ("period = 100\n", 2, 'period has no place without average = "periods"'),
            ('average = "periods"\n', 2, "period is missing"),
            ('average = "local"\nsegment = 100\n', 2, 'segment has no place without average = "segments"'),
            ("from = 20.0\nto = 10.0\n", 2, "must be above identify.from"),
            ("from = 20.001\nto = 20.002\n", 3, "must hold a line"),
        )
        for more, code, message in cases:
            with self.subTest(message=message):
                process = run("run", self.study(records(white(400)), more))
                self.assert_exit(process, code)
                self.assertIn(message, process.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
