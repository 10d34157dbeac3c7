"""alembert export --to fmu: units that keep the rules of FMI 2.0 and give the library's numbers."""

import ctypes
import shutil
import unittest

import fmi2
from tool import PROJECT, TWO_MASSES, ToolTest, run

REAL = ctypes.c_double


@unittest.skipUnless(shutil.which("cc") or shutil.which("gcc"), "no C compiler")
class Fmu(ToolTest):
    def unit(self, study, *arguments):
        file = self.folder / "model.fmu"
        self.assert_exit(run("export", study, "--to", "fmu", "--out", file, "--name", "model", "--force", *arguments), 0)
        # A library that is loaded stays so under its path: each has a folder of its own.
        folder = self.folder / f"unit-{len(list(self.folder.iterdir()))}"
        unit = fmi2.Unit(file, folder)
        self.assertEqual(fmi2.problems_of(unit.root), [])
        self.assertEqual(unit.library.fmi2GetVersion(), b"2.0")
        self.assertEqual(unit.library.fmi2GetTypesPlatform(), b"default")
        return unit

    def record(self, unit):
        """Rows of inputs and outputs of each sample."""
        lines = (unit.resources / "model_record.txt").read_text().splitlines()[1:]
        outputs = len(unit.references["output"])
        rows = [[float(cell) for cell in line.split()] for line in lines]
        return [row[:-outputs] for row in rows], [row[-outputs:] for row in rows]

    def experiment(self, unit):
        default = unit.root.find("DefaultExperiment")
        return float(default.get("startTime")), float(default.get("stepSize"))

    def co_simulated(self, unit, instance, rows):
        start, step = self.experiment(unit)
        inputs = unit.references["input"]
        count = len(inputs)
        instance.begin(start, rows[0][:count])
        found = []
        for k, row in enumerate(rows):
            instance.set(inputs, row[:count])
            if len(row) == 2 * count and count:  # a line between the samples
                instance.set_slopes(inputs, 1, [(b - a) / step for a, b in zip(row[:count], row[count:])])
            if len(row) == 4 * count and count:  # a polynomial: derivatives times powers of the step
                for order in (1, 2, 3):
                    instance.set_slopes(inputs, order, [one / step**order
                                                        for one in row[order * count:(order + 1) * count]])
            found.append(instance.get(unit.references["output"]))
            if k + 1 < len(rows):
                instance.DoStep(REAL(start + k * step), REAL(step), 1)
        return found

    def assert_same(self, found, wanted, part):
        for column in range(len(wanted[0])):
            size = max(abs(row[column]) for row in wanted)
            worst = max(abs(a[column] - b[column]) for a, b in zip(found, wanted))
            self.assertLessEqual(worst, part * size)

    def test_studies_run_in_co_simulation(self):
        # tanks holds its inputs, hammer-test has lines between samples, the frame a cubic spline.
        for name in ("tanks/simulate.toml", "hammer-test/simulate.toml", "frame-8dof/simulate.toml"):
            with self.subTest(study=name):
                unit = self.unit(PROJECT / "studies" / name)
                rows, wanted = self.record(unit)
                rows, wanted = rows[:1500], wanted[:1500]
                self.assert_same(self.co_simulated(unit, unit.instantiate(), rows), wanted, 1e-9)

    def test_model_exchange_with_a_method_of_the_importer(self):
        unit = self.unit(PROJECT / "studies/tanks/simulate.toml")
        self.assertIsNotNone(unit.root.find("ModelExchange"))
        rows, wanted = self.record(unit)
        rows, wanted = rows[:200], wanted[:200]
        start, step = self.experiment(unit)
        instance = unit.instantiate(fmi2.MODEL_EXCHANGE)
        instance.begin(start, rows[0])
        count = len(unit.rates)
        vector = REAL * count
        states = vector()
        instance.GetContinuousStates(states, ctypes.c_size_t(count))
        x = list(states)

        def rates(t, state):
            instance.SetTime(REAL(t))
            instance.SetContinuousStates(vector(*state), ctypes.c_size_t(count))
            values = vector()
            instance.GetDerivatives(values, ctypes.c_size_t(count))
            return list(values)

        # Heun's method, 400 steps a sample: another method than the unit's own. Its error, of order h^2, is far
        # below 1e-6 where the equations are smooth; at the kinks of the overflow it is of order h.
        found = []
        fine = 400
        h = step / fine
        for k, row in enumerate(rows):
            instance.set(unit.references["input"], row)
            instance.SetContinuousStates(vector(*x), ctypes.c_size_t(count))
            found.append(instance.get(unit.references["output"]))
            for j in range(fine):
                t = start + k * step + j * h
                a = rates(t, x)
                b = rates(t + h, [one + h * slope for one, slope in zip(x, a)])
                x = [one + 0.5 * h * (p + q) for one, p, q in zip(x, a, b)]
        self.assert_same(found, wanted, 1e-4)

    def test_parameters_and_saved_states(self):
        unit = self.unit(PROJECT / "studies/tanks/simulate.toml")
        rows, wanted = self.record(unit)
        start, step = self.experiment(unit)
        instance = unit.instantiate()
        parameter = unit.references["parameter"][0]
        instance.SetupExperiment(0, REAL(0.0), REAL(start), 0, REAL(0.0))
        value = instance.get([parameter])[0]
        instance.set([parameter], [1.1 * value])
        instance.EnterInitializationMode()
        instance.ExitInitializationMode()
        with self.assertRaises(RuntimeError):  # fixed from now on
            instance.set([parameter], [value])
        instance.set(unit.references["input"], rows[0])
        saved = ctypes.c_void_p()
        instance.GetFMUstate(ctypes.byref(saved))
        instance.DoStep(REAL(start), REAL(3 * step), 1)
        once = instance.get(unit.references["local"])
        self.assertNotEqual(once[0], wanted[3][0])
        instance.SetFMUstate(saved)
        for k in range(3):
            instance.DoStep(REAL(start + k * step), REAL(step), 1)
        self.assertEqual(instance.get(unit.references["local"]), once)
        instance.FreeFMUstate(ctypes.byref(saved))
        instance.Terminate()
        instance.FreeInstance()

    def test_misuse_is_an_error_and_no_crash(self):
        unit = self.unit(PROJECT / "studies/tanks/simulate.toml")
        self.assertIsNone(unit.instantiate(guid="{another}"))
        start, step = self.experiment(unit)
        instance = unit.instantiate()
        for wrong in (lambda: instance.DoStep(REAL(start), REAL(step), 1), lambda: instance.get([10000]),
                      lambda: instance.set([0], [float("nan")]),
                      lambda: instance.set(unit.references["output"], [0.0] * len(unit.references["output"])),
                      instance.ExitInitializationMode,
                      lambda: instance.SetupExperiment(0, REAL(0.0), REAL(start + 5.0), 0, REAL(0.0))):
            with self.assertRaises(RuntimeError):
                wrong()
        instance.begin(start, [0.0])
        for length in (0.5 * step, 0.0, -step, float("nan"), 1.01 * step):
            with self.assertRaises(RuntimeError):
                instance.DoStep(REAL(start), REAL(length), 1)
        with self.assertRaises(RuntimeError):
            instance.DoStep(REAL(start + step), REAL(step), 1)
        instance.DoStep(REAL(start), REAL(step), 1)

    def test_a_linear_model_is_for_co_simulation_alone(self):
        study = self.folder / "study.toml"
        study.write_text(TWO_MASSES)
        unit = self.unit(study)
        self.assertIsNone(unit.root.find("ModelExchange"))
        self.assertIsNone(unit.instantiate(fmi2.MODEL_EXCHANGE))
        self.assertIsNotNone(unit.instantiate())

    def test_the_rules_find_what_is_wrong(self):
        unit = self.unit(PROJECT / "studies/tanks/simulate.toml")
        variables = unit.root.findall("ModelVariables/ScalarVariable")
        for name, value in (("causality", "parameter"), ("name", variables[1].get("name")), ("valueReference", "x")):
            before = variables[0].get(name)
            variables[0].set(name, value)
            self.assertNotEqual(fmi2.problems_of(unit.root), [], name)
            variables[0].set(name, before)
        structure = unit.root.find("ModelStructure")
        structure.remove(structure.find("Derivatives"))
        self.assertNotEqual(fmi2.problems_of(unit.root), [])

    def test_the_same_study_gives_the_same_unit(self):
        study = PROJECT / "studies/tanks/simulate.toml"
        contents = []
        for name in ("a.fmu", "b.fmu"):
            self.assert_exit(run("export", study, "--to", "fmu", "--out", self.folder / name), 0)
            contents.append((self.folder / name).read_bytes())
        self.assertEqual(contents[0], contents[1])


if __name__ == "__main__":
    unittest.main()
