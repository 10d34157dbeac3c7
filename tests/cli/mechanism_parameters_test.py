"""[identify] on a mechanism: its numbers from torques and motion, and what is refused in words."""
import json
import os
import pathlib
import shutil
import unittest

from tool import PROJECT, ToolTest, run

ARM = PROJECT / "studies/robot-arm"
DRIVE = PROJECT / "studies/linear-drive"
# Of simulate.toml.
TRUE_ARM = {"upper.inertia": 0.03, "upper.centre.x": 0.18, "upper.centre.y": 0.01,
            "lower.inertia": 0.012, "lower.centre.x": 0.15, "lower.centre.y": -0.02,
            "hinge1.damping": 0.4, "hinge1.coulomb": 0.3, "hinge2.damping": 0.15, "hinge2.coulomb": 0.12}


def drive_record():
    folder = pathlib.Path(os.environ.get("ALEMBERT_DATA", PROJECT.parent / "shared/data"))
    return folder / "emps/DATA_EMPS.mat"


class MechanismParameters(ToolTest):
    def result_of(self, study):
        return json.loads((study.with_suffix(".out") / "result.json").read_text())

    def test_the_template_runs(self):
        study = self.folder / "arm.toml"
        self.assert_exit(run("new", "mechanism", "-o", study), 0)
        self.assert_exit(run("run", study, "--quiet"), 0)
        result = self.result_of(study)
        self.assertEqual((result["method"], result["model"]), ("output-error", "mechanism"))
        # The record of the template is made with these.
        for name, value in {"arm.inertia": 0.018, "arm.centre.x": 0.24, "hinge.damping": 0.08, "hinge.coulomb": 0.15}.items():
            one = next(p for p in result["parameters"] if p["name"] == name)
            self.assertLess(abs(one["value"] - value), 4.0 * one["deviation"], name)

    def test_a_robot_arm_and_what_cannot_be_found_of_it(self):
        for file in ("simulate.toml", "identify.toml"):
            shutil.copy(ARM / file, self.folder / file)
        self.assert_exit(run("run", self.folder / "simulate.toml", "--quiet"), 0)
        study = self.folder / "identify.toml"
        process = run("run", study)
        self.assert_exit(process, 0)
        self.assertIn("inertia of upper about its origin + 0.16 mass of lower", process.stdout)
        result = self.result_of(study)
        self.assertEqual(result["verdict"]["level"], "good", result["verdict"])
        found = {one["name"]: one for one in result["parameters"]}
        for name, value in TRUE_ARM.items():
            # One in 16,000 by chance, for each of ten.
            self.assertLess(abs(found[name]["value"] - value), 4.0 * found[name]["deviation"], name)
        # By the parallel axis theorem: J + m |c|^2 + m_2 l^2.
        base = {one["name"]: one for one in result["base_parameters"]}
        one = base["inertia of upper about its origin + 0.16 mass of lower"]
        truth = 0.03 + 2.0 * (0.18**2 + 0.01**2) + 1.2 * 0.4**2
        self.assertLess(abs(one["value"] - truth), 4.0 * one["deviation"])
        rules = {one["rule"]: one["status"] for one in result["inverse_dynamics"]}
        self.assertEqual(rules, {"least-squares": "success", "instruments": "success"})
        self.assertEqual(result["without_effect"], ["mass of upper"])
        self.assertIn("Base parameters", (study.with_suffix(".out") / "report.html").read_text())
        text = study.read_text()
        self.refused(text.replace('"hinge1.damping" = {}', '"upper.mass" = {}'), "upper.mass", "upper.inertia", "keep")
        self.refused(text.replace('"hinge1.damping" = {}', '"hinge3.damping" = {}'), "hinge3.damping", "hinge1.damping")
        self.refused(text.replace("sensors.torque1", "#"), "mechanism.forces.motor1", 'of = "motor1"')
        self.refused(text.replace('method = "output-error"', 'method = "output-error"\nstart = [0.0]'), "identify.start", "4 numbers")
        self.refused(text.replace("held-back = 0.25", "held-back = 0.001"), "identify.held-back", "20 samples")
        wrong = text.replace('column', 'x').replace("sensors.torque1 = {", 'sensors.torque1 = { column = "torque2", ')
        wrong = wrong.replace("sensors.torque2 = {", 'sensors.torque2 = { column = "torque1", ')
        study.write_text(wrong)
        run("run", study, "--quiet")
        self.assertNotEqual(self.result_of(study)["verdict"]["level"], "good")

    def refused(self, text, *words):
        study = self.folder / "refused.toml"
        study.write_text(text)
        process = run("run", study, "--quiet")
        self.assertGreaterEqual(process.returncode, 2, process.stdout + process.stderr)
        for word in words:
            self.assertIn(word, process.stderr)

    # Another way to the same numbers: equations, exact derivatives, another simulator.
    def test_the_measured_drive_as_a_mechanism_gives_the_numbers_of_its_equations(self):
        record = drive_record()
        if not record.exists():
            self.skipTest("the record of the drive is not there")
        found = {}
        for name in ("measured", "measured-mechanism"):
            study = self.folder / (name + ".toml")
            shutil.copy(DRIVE / study.name, study)
            process = run("run", study, "--quiet", "--set", f"data.file={record}", "--set", "data.to=5.0", timeout=600)
            self.assert_exit(process, 0)
            found[name] = {one["name"]: one for one in self.result_of(study)["parameters"]}
        pairs = {"M": "car.mass", "Fv": "rail.damping", "Fc": "rail.coulomb", "offset": "rail.preload"}
        for equation, mechanism in pairs.items():
            ours, theirs = found["measured-mechanism"][mechanism], found["measured"][equation]
            # Searches end within a hundredth of a deviation.
            self.assertLess(abs(ours["value"] - theirs["value"]), 0.02 * theirs["deviation"], mechanism)
            self.assertLess(abs(ours["deviation"] / theirs["deviation"] - 1.0), 0.02, mechanism)


if __name__ == "__main__":
    unittest.main()
