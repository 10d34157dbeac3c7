"""Observers of a mechanism from a dict: step by step, live, and over a record."""

import unittest

import numpy

import alembert
from models import arm

estimate = alembert.estimate
planar = alembert.model.planar
RATE = 2.0  # rad/s
STEP = 0.01


def readings(samples, sigma=0.001, seed=3):
    time = STEP * numpy.arange(samples)
    return time, RATE * time + sigma * numpy.random.default_rng(seed).standard_normal(samples)


class Observers(unittest.TestCase):
    def setUp(self):
        self.mechanism = planar.Mechanism(arm())

    def observer(self):
        return estimate.KinematicObserver(self.mechanism, start={"z": [0.0]}, output_noise={"density": [1.0]})

    def test_steps_find_the_rate(self):
        observer = self.observer()
        time, values = readings(2000)
        for value in values:
            step = observer.step(STEP, numpy.array([value]))
            self.assertEqual(step.status, "success")
        mean = observer.mean()
        self.assertEqual(observer.state_names()[0], "angle(arm)")
        # Within four of its own standard deviations.
        self.assertLess(abs(mean[0] - (RATE * time[-1] + RATE * STEP * 0.0)), 4.0 * observer.deviation(0) + 0.001)
        self.assertLess(abs(mean[1] - RATE), 4.0 * observer.deviation(1))

    def test_lists_and_arrays_are_the_same_reading(self):
        one, other = self.observer(), self.observer()
        _, values = readings(50)
        for value in values:
            one.step(STEP, [value])
            other.step(STEP, numpy.array([value], dtype=numpy.float64))
        numpy.testing.assert_array_equal(one.mean(), other.mean())

    def test_means_are_copies(self):
        observer = self.observer()
        observer.step(STEP, [0.0])
        before = observer.mean()
        kept = before.copy()
        observer.step(STEP, [0.1])
        numpy.testing.assert_array_equal(before, kept)

    def test_record_and_steps_agree_to_the_last_bit(self):
        time, values = readings(300)
        whole = estimate.observe_record(
            self.mechanism, time, values, {"start": {"z": [0.0]}, "output_noise": {"density": [1.0]}})
        observer = self.observer()
        observer.step(0.0, values[:1])
        for k in range(1, len(values)):
            observer.step(time[k] - time[k - 1], values[k:k + 1])
        numpy.testing.assert_array_equal(whole.mean[-1], observer.mean())

    def test_live_observer_waits_and_then_follows(self):
        live = estimate.LiveObserver(self.mechanism, output_noise={"density": [1.0]})
        time, values = readings(500)
        rows = 0
        for t, value in zip(time, values):
            live.push(t, [value])
            while live.next():
                rows += 1
        live.finish()
        while live.next():
            rows += 1
        self.assertEqual(rows, 500)
        self.assertEqual(live.taken(), 500)
        self.assertLess(abs(live.observer().mean()[1] - RATE), 4.0 * live.observer().deviation(1))

    def test_observe_judges_a_record(self):
        time, values = readings(1000)
        result = estimate.observe(self.mechanism, time, values)
        self.assertEqual(result.status, "success")
        self.assertIn(result.verdict.level, ("good", "caution", "bad"))
        self.assertEqual(result.estimate.mean.shape[0], 1000 - result.first)

    def test_a_force_in_two_stages(self):
        """A bar of known inertia on a bearing: J phi'' = T + F l; a torque cell and an encoder read, F is found."""
        inertia, length, force = 0.5, 0.4, 3.0
        description = arm()
        description["bodies"][0]["mass"] = 1.0
        description["bodies"][0]["inertia"] = inertia
        description["gravity"] = [0.0, 0.0]
        description["forces"] = [{"name": "motor", "of": "arm"}, {"name": "load", "of": "arm", "known": False}]
        description["sensors"] = [{"name": "encoder", "of": "arm", "sigma": 1e-4},
                                  {"name": "cell", "kind": "torque", "of": "motor", "sigma": 0.01}]
        mechanism = planar.Mechanism(description)
        time = 1e-3 * numpy.arange(3000)
        load = force * length * numpy.ones(3000)
        angle = 0.3 * numpy.sin(5.0 * time)
        torque = inertia * -7.5 * numpy.sin(5.0 * time) - load
        noise = numpy.random.default_rng(3).standard_normal((3000, 2))
        readings = numpy.column_stack([angle + 1e-4 * noise[:, 0], torque + 0.01 * noise[:, 1]])
        stages = estimate.observe_two_stages(mechanism, time, readings, {
            "form": "two-stage", "start": {"z": [0.0], "zd": [1.5]},
            "output_noise": {"density": [1e3], "force_density": [0.1]}})
        self.assertEqual(stages.status, "success")
        self.assertEqual(stages.direction, "f12")
        self.assertEqual(list(stages.forces.names), ["force(motor)", "force(load)"])
        # Within four of its own standard deviations and a tenth of the load.
        error = abs(stages.forces.mean[-1, 1] - load[-1])
        self.assertLess(error, 4.0 * stages.forces.deviation[-1, 1] + 0.1 * load[-1])
        joined = estimate.join_stages(mechanism, stages)
        numpy.testing.assert_array_equal(joined.mean[:, 3], stages.forces.mean[:, 1])
        sight = estimate.examine_forces(mechanism, [0.0], angle[:, None])
        self.assertTrue(sight.possible())
        # The cell feels the load one to one.
        numpy.testing.assert_allclose(sight.least, 1.0, rtol=1e-12)

    def test_wrong_readings_are_said(self):
        live = estimate.LiveObserver(self.mechanism, output_noise={"density": [1.0]})
        with self.assertRaises(alembert.InvalidInput):
            live.push(0.0, [1.0, 2.0])
        with self.assertRaisesRegex(TypeError, "readings"):
            live.push(0.0, "fast")


if __name__ == "__main__":
    unittest.main()
