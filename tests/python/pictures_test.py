"""What results look like: text, HTML with the plots of the report, tables, pictures, pickles."""

import pickle
import unittest

import numpy

import alembert
from models import STEP, arm, linear_record

try:
    import matplotlib

    matplotlib.use("Agg")
except ImportError:
    matplotlib = None
try:
    import pandas
    import xarray
except ImportError:
    pandas = xarray = None

U, Y = linear_record(1500, noise=1e-4)
FIT = alembert.identify.identify_linear(U, Y, step=STEP, hold="zero")
TIME = 0.01 * numpy.arange(400)
SEEN = alembert.estimate.observe(
    alembert.model.planar.Mechanism(arm()), TIME, 2.0 * TIME + 0.001 * numpy.random.default_rng(1).standard_normal(400))
DECAY = alembert.identify.fit_equations(
    "y'' = -c*y' - k*y", {"outputs": ["y"], "starts": {"y": 1.0}}, {"c": 0.4, "k": 20.0},
    {"output": numpy.exp(-0.25 * TIME) * numpy.cos(5.0 * TIME) + 0.01 * numpy.random.default_rng(2).standard_normal(400),
     "step": 0.01})
FRF = alembert.signal.estimate_frf(U, Y, STEP, welch={"segment_samples": 256})
RESULTS = {"identify_linear": FIT, "observe": SEEN, "fit_equations": DECAY, "estimate_frf": FRF}


class Texts(unittest.TestCase):
    def test_summary_repr_and_dict(self):
        for name, result in RESULTS.items():
            self.assertGreater(len(result.summary()), 40, name)
            self.assertLess(len(repr(result).splitlines()), 60, name)
            self.assertIsInstance(result.to_dict(), dict)

    def test_html_holds_the_plots_of_the_report(self):
        for name, words in (("identify_linear", "Frequency responses at the sensors"), ("observe", "Innovation of encoder"),
                            ("fit_equations", "Autocorrelation of the residuals"), ("estimate_frf", "Multiple coherence")):
            page = RESULTS[name]._repr_html_()
            self.assertIn("<iframe srcdoc=", page)
            self.assertIn(words, page, name)

    def test_html_of_options_is_a_table(self):
        self.assertIn("<table>", alembert.identify.RefineOptions()._repr_html_())

    def test_plots_are_those_of_a_study(self):
        study = alembert.run(
            {"data": {"file": "r.csv", "inputs": ["f1", "f2"], "outputs": ["x1", "x2"]},
             "model": {"degrees-of-freedom": 2}, "identify": {"hold": "zero"}},
            {"r.csv": {"f1": U[:, 0], "f2": U[:, 1], "x1": Y[:, 0], "x2": Y[:, 1], "step": STEP}})
        from alembert._documents import document_of
        from alembert._plots import plots_of

        ours = {plot.id: plot for plot in plots_of(document_of(FIT))}
        theirs = {plot.id: plot for plot in plots_of(study.document())}
        self.assertEqual(set(ours), set(theirs))
        for name in ("response-magnitude", "residuals-1"):
            for one, other in zip(ours[name].curves, theirs[name].curves):
                numpy.testing.assert_array_equal(one.y, other.y)

    def test_pickled_results_are_the_same(self):
        for name, result in RESULTS.items():
            other = pickle.loads(pickle.dumps(result))
            self.assertEqual(type(other), type(result), name)
            self.assertEqual(other.summary(), result.summary(), name)
        self.assertIn("srcdoc", pickle.loads(pickle.dumps(FIT))._repr_html_())

    def test_pickled_results_of_studies(self):
        made = alembert.run({"model": {"mass": [[2.0]], "stiffness": [[300.0]], "damping": [[1.0]]},
                             "simulate": {"step": 0.01, "duration": 1.0,
                                          "inputs": {"u1": {"kind": "chirp", "begin": 0.1, "end": 10.0}}}})
        other = pickle.loads(pickle.dumps(made))
        self.assertEqual(other.summary(), made.summary())
        self.assertEqual(other.report(), made.report())
        with self.assertRaisesRegex(TypeError, "pickled"):
            other.write("/nowhere")


@unittest.skipIf(matplotlib is None, "matplotlib is not installed")
class Pictures(unittest.TestCase):
    def tearDown(self):
        import matplotlib.pyplot

        matplotlib.pyplot.close("all")

    def test_families_of_plots(self):
        for result, name, words in (
                (FIT, "frf", "Frequency responses"), (FIT, "modes", "Mode shapes"), (FIT, "residuals", "Residuals"),
                (FIT, "fit", "Measured and predicted"), (SEEN, "bands", "Position angle(arm)"),
                (DECAY, "residuals", "esidual"), (FRF, "frf", "Frequency responses")):
            axes = result.plot(name)
            self.assertTrue(any(words in one.get_title() for one in axes), (name, [a.get_title() for a in axes]))
            self.assertTrue(all(one.get_lines() for one in axes))

    def test_curves_are_the_data(self):
        (axes,) = FRF.plot("frf-phase")
        numpy.testing.assert_allclose(
            axes.get_lines()[0].get_ydata(), numpy.degrees(numpy.angle([h[0, 0] for h in FRF.response]))[1:])

    def test_own_axes_and_unknown_names(self):
        import matplotlib.pyplot

        axes = matplotlib.pyplot.figure().subplots()
        self.assertIs(FIT.plot("residuals-1", axes=axes)[0], axes)
        with self.assertRaisesRegex(ValueError, "no plot 'nothing'.*response-magnitude"):
            FIT.plot("nothing")
        with self.assertRaisesRegex(ValueError, "no plots"):
            alembert.identify.RefineOptions().plot()


@unittest.skipIf(pandas is None, "pandas or xarray is not installed")
class Tables(unittest.TestCase):
    def test_frames_of_a_fit(self):
        modes = FIT.to_pandas()["modes"]
        self.assertEqual(len(modes), 2)
        numpy.testing.assert_array_equal(modes["frequency_hz"], [mode.frequency_hz for mode in FIT.modes])

    def test_records_and_estimates(self):
        record = alembert.record({"a": [1.0, 2.0], "b": [3.0, 4.0]}, step=0.5, units={"a": "N"})
        self.assertEqual(record.to_pandas().loc[0.5, "b"], 4.0)
        self.assertEqual(record.to_xarray()["a"].attrs["units"], "N")
        self.assertEqual(list(SEEN.estimate.to_pandas()["mean"].columns), list(SEEN.estimate.names))

    def test_datasets(self):
        cube = FRF.to_xarray()
        self.assertEqual(cube["response"].dims, ("frequency", "output", "input"))
        self.assertEqual(cube.sizes["output"], 2)
        numpy.testing.assert_array_equal(FIT.to_xarray()["refinement.system.K"].values, FIT.refinement.system.K)


if __name__ == "__main__":
    unittest.main()
