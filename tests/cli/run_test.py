"""The command `run`: what it writes, says and returns."""

import hashlib
import json
import math
import os
import unittest

from tool import PROJECT, TWO_MASSES, ToolTest, read_columns, run


class Run(ToolTest):
    def test_writes_result_report_and_records(self):
        study = self.write("two.toml", TWO_MASSES)
        process = run("run", study)
        self.assert_exit(process, 0)
        out = self.folder / "two.out"
        self.assertEqual(
            sorted(file.name for file in out.iterdir()),
            ["record.csv", "report.html", "result.json", "truth.csv"],
        )
        self.assertIn("Two masses", process.stdout)
        self.assertIn("2 degrees of freedom", process.stdout)
        self.assertIn(str(out / "report.html"), process.stdout)
        # The report says which study it is from.
        checksum = hashlib.sha256(study.read_bytes()).hexdigest()
        self.assertIn(checksum, (out / "report.html").read_text(encoding="utf-8"))
        self.assertEqual(process.stderr, "")
        self.assertEqual([f.name for f in self.folder.iterdir() if f.name.startswith(".")], [])

    def test_result_echoes_the_settings_that_were_used(self):
        study = self.write("two.toml", TWO_MASSES)
        run("run", study, "--quiet", "--set", 'simulate.method="newmark"', "--seed", "17")
        result = json.loads((self.folder / "two.out/result.json").read_text())
        settings = result["settings"]["simulate"]
        self.assertEqual(settings["method"], "newmark")
        self.assertEqual(settings["newmark"], {"beta": 0.25, "gamma": 0.5})
        self.assertEqual(settings["seed"], 17)
        self.assertNotIn("hold", settings)  # newmark does not look at it
        self.assertNotIn("stages", settings)

    def test_result_has_the_documented_keys(self):
        study = self.write("two.toml", TWO_MASSES)
        run("run", study, "--quiet")
        result = json.loads((self.folder / "two.out/result.json").read_text())
        self.assert_documented(result)
        self.assertEqual(result["format"], "alembert-result-2")
        self.assertEqual(result["task"], "simulate")
        self.assertEqual(result["status"], "success")
        self.assertEqual(len(result["model"]["modes"]), 2)
        # det(K - w^2 M) = 2 w^4 - 500 w^2 + 20000 = 0, plus light damping.
        squares = [(500 - sign * math.sqrt(500**2 - 8 * 20000)) / 4 for sign in (1, -1)]
        for mode, square in zip(result["model"]["modes"], squares):
            self.assertAlmostEqual(mode["frequency_hz"], math.sqrt(square) / 2 / math.pi, places=9)
            # Proportional damping: zeta = (a / w + b w) / 2.
            ratio = (0.1 / math.sqrt(square) + 0.001 * math.sqrt(square)) / 2
            self.assertAlmostEqual(mode["damping_ratio"], ratio, places=9)

    def test_records_hold_what_result_says(self):
        study = self.write("two.toml", TWO_MASSES)
        run("run", study, "--quiet")
        result = json.loads((self.folder / "two.out/result.json").read_text())
        record = result["experiments"][0]["record"]
        columns = read_columns(self.folder / "two.out" / record["file"])
        for channel in record["channels"]:
            values = columns[channel["name"]]
            self.assertEqual(len(values), record["samples"])
            self.assertEqual(min(values), channel["min"])
            self.assertEqual(max(values), channel["max"])
            rms = math.sqrt(sum(x * x for x in values) / len(values))
            self.assertAlmostEqual(rms, channel["rms"], delta=1e-12 * rms)

    def test_signal_to_noise_ratio_is_the_one_asked_for(self):
        study = self.write("two.toml", TWO_MASSES)
        run("run", study, "--quiet", "--set", "simulate.samples=4000")
        columns = read_columns(self.folder / "two.out/record.csv")
        truth = read_columns(self.folder / "two.out/truth.csv")
        for measured, true in (("y1", "q1_displacement"), ("y2", "q2_displacement")):
            power = sum(x * x for x in truth[true])
            noise = sum((y - x) ** 2 for y, x in zip(columns[measured], truth[true]))
            # The noise power of N samples scatters by sqrt(2/N) relative; four of them.
            bound = 4 * 10 / math.log(10) * math.sqrt(2 / 4000)
            self.assertAlmostEqual(10 * math.log10(power / noise), 20.0, delta=bound)

    def test_step_response_in_the_csv_is_the_closed_form(self):
        mass, damping, stiffness, force = 2.0, 4.0, 50.0, 10.0
        study = self.write(
            "one.toml",
            f"[model]\nmass = {mass}\nstiffness = {stiffness}\ndamping = {damping}\n"
            '[simulate]\nstep = 0.01\nduration = 3.0\nhold = "zero"\n'
            f'[simulate.inputs]\nu1 = {{ kind = "steps", times = [0.0], levels = [{force}] }}\n',
        )
        self.assert_exit(run("run", study, "--quiet"), 0)
        columns = read_columns(self.folder / "one.out/record.csv")
        decay = damping / 2 / mass
        omega = math.sqrt(stiffness / mass - decay**2)
        self.assertEqual(len(columns["y1"]), 300)
        for k, value in enumerate(columns["y1"]):
            t = 0.01 * k
            wave = math.cos(omega * t) + decay / omega * math.sin(omega * t)
            expected = force / stiffness * (1 - math.exp(-decay * t) * wave)
            # Rounding of 300 steps of a map whose powers stay below 5.
            self.assertAlmostEqual(value, expected, delta=300 * 5 * 0.2 * 2.2e-16)

    def test_set_and_seed_change_the_study(self):
        study = self.write("two.toml", TWO_MASSES)
        out = self.folder / "changed"
        process = run(
            "run", study, "--out", out, "--seed", 7, "--quiet",
            "--set", "simulate.samples=50", "--set", "simulate.method=newmark",
        )  # fmt: skip
        self.assert_exit(process, 0)
        self.assertEqual(process.stdout, "")
        result = json.loads((out / "result.json").read_text())
        self.assertEqual(result["simulation"]["samples"], 50)
        self.assertEqual(result["simulation"]["method"], "newmark")
        self.assertEqual(result["simulation"]["seed"], 7)
        self.assertIn("simulate.samples=50", result["overrides"])

    def test_errors_of_set_name_the_option(self):
        study = self.write("two.toml", TWO_MASSES)
        process = run("run", study, "--set", "simulate.step=-1.0")
        self.assert_exit(process, 2)
        self.assertTrue(process.stderr.startswith("--set simulate.step: simulate.step must be"))
        process = run("run", study, "--set", "simulate.step")
        self.assert_exit(process, 2)
        self.assertIn("key=value", process.stderr)
        process = run("run", study, "--seed", "-1")
        self.assert_exit(process, 2)
        self.assertTrue(process.stderr.startswith("--seed: "))

    def test_experiments_have_numbered_files(self):
        study = self.write("two.toml", TWO_MASSES)
        run("run", study, "--quiet", "--set", "simulate.experiments=3")
        names = sorted(file.name for file in (self.folder / "two.out").glob("*.csv"))
        self.assertEqual(names, [f"{s}-0{i}.csv" for s in ("record", "truth") for i in (1, 2, 3)])

    def test_a_result_replaces_an_earlier_one_but_not_other_files(self):
        study = self.write("two.toml", TWO_MASSES)
        self.assert_exit(run("run", study, "--quiet"), 0)
        self.assert_exit(run("run", study, "--quiet"), 0)
        precious = self.folder / "precious"
        precious.mkdir()
        (precious / "thesis.tex").write_text("years of work")
        process = run("run", study, "--out", precious)
        self.assert_exit(process, 3)
        self.assertEqual(len(process.stderr.splitlines()), 1)
        self.assertEqual((precious / "thesis.tex").read_text(), "years of work")

    def test_a_result_with_a_file_of_the_user_is_left_alone(self):
        study = self.write("two.toml", TWO_MASSES)
        self.assert_exit(run("run", study, "--quiet"), 0)
        out = self.folder / "two.out"
        (out / "notes.txt").write_text("what I saw")
        before = (out / "record.csv").read_bytes()
        process = run("run", study, "--seed", 2)
        self.assert_exit(process, 3)
        self.assertEqual(len(process.stderr.splitlines()), 1, process.stderr)
        self.assertIn("two.out: holds notes.txt", process.stderr)
        self.assertEqual((out / "notes.txt").read_text(), "what I saw")
        self.assertEqual((out / "record.csv").read_bytes(), before)
        (out / "notes.txt").unlink()
        (out / "plots").mkdir()
        process = run("run", study)
        self.assert_exit(process, 3)
        self.assertIn("holds plots", process.stderr)

    def test_a_result_json_of_another_program_is_left_alone(self):
        study = self.write("two.toml", TWO_MASSES)
        out = self.folder / "theirs"
        out.mkdir()
        (out / "result.json").write_text('{"score": 3}')
        process = run("run", study, "--out", out)
        self.assert_exit(process, 3)
        self.assertIn("result.json of another program", process.stderr)
        self.assertEqual((out / "result.json").read_text(), '{"score": 3}')

    def test_the_record_begins_when_the_data_begin(self):
        rows = "".join(f"{12.5 + 0.01 * k:.2f},{k % 7}\n" for k in range(100))
        self.write("forces.csv", "t [s],F [N]\n" + rows)
        study = self.write(
            "two.toml",
            TWO_MASSES.replace("step = 0.01\nsamples = 400\n", "")
            .replace('u1 = { kind = "spline-noise", knots = 0.1 }', "")
            + '[data]\nfile = "forces.csv"\ninputs = { u1 = "F" }\n',
        )
        self.assert_exit(run("run", study, "--quiet"), 0)
        out = self.folder / "two.out"
        result = json.loads((out / "result.json").read_text())
        self.assertEqual(result["simulation"]["start"], 12.5)
        self.assertEqual(result["experiments"][0]["truth"]["start"], 12.5)
        for name in ("record.csv", "truth.csv"):
            times = next(iter(read_columns(out / name).values()))
            self.assertEqual(len(times), 100)
            self.assertAlmostEqual(times[0], 12.5, delta=1e-12)
            self.assertAlmostEqual(times[-1], 13.49, delta=1e-9)

    def test_methods_without_hold_say_so(self):
        study = self.write("two.toml", TWO_MASSES.replace("samples = 400", 'samples = 400\nhold = "linear"'))
        self.assert_exit(run("run", study, "--quiet"), 0)
        result = json.loads((self.folder / "two.out/result.json").read_text())
        self.assertEqual(result["simulation"]["hold"], "linear")
        # Another method for one run: the hold of the study does not apply, which is noted.
        process = run("run", study, "--set", "simulate.method=newmark")
        self.assert_exit(process, 0)
        result = json.loads((self.folder / "two.out/result.json").read_text())
        self.assertIsNone(result["simulation"]["hold"])
        self.assertIn("simulate.hold has no effect", result["notes"][0])
        process = run("run", study, "--set", "simulate.method=newmark", "--set", "simulate.hold=zero")
        self.assert_exit(process, 2)
        self.assertTrue(process.stderr.startswith("--set simulate.hold: "), process.stderr)

    def test_an_undamped_system_has_no_negative_damping(self):
        study = self.write("two.toml", TWO_MASSES)
        process = run("run", study, "--set", "model.damping={ mass = 0.0 }")
        self.assert_exit(process, 0)
        self.assertNotIn("-0.0", process.stdout)
        result = json.loads((self.folder / "two.out/result.json").read_text())
        self.assertEqual([str(m["damping_ratio"]) for m in result["model"]["modes"]], ["0.0", "0.0"])

    def test_motion_without_bounds_ends_with_exit_code_one(self):
        study = self.write("two.toml", TWO_MASSES)
        process = run("run", study, "--set", "model.damping={ diagonal = [-500.0, 1.0] }")
        self.assert_exit(process, 1)
        self.assertIn("experiment 1", process.stderr)
        self.assertFalse((self.folder / "two.out").exists())

    def test_more_memory_than_there_is(self):
        study = self.write("two.toml", TWO_MASSES)
        changes = ["--set", "simulate.samples=1000000000", "--set", "simulate.experiments=1000"]
        process = run("run", study, *changes)
        self.assert_exit(process, 2)
        self.assertIn("GB of memory", process.stderr)

    def test_a_study_that_is_not_there(self):
        process = run("run", self.folder / "none.toml")
        self.assert_exit(process, 2)
        self.assertIn("none.toml: cannot open: No such file", process.stderr)

    def test_an_unwritable_folder_is_one_line(self):
        study = self.write("two.toml", TWO_MASSES)
        for out in ("/proc/none/out", study / "out"):
            process = run("run", study, "--out", out)
            self.assert_exit(process, 3)
            self.assertEqual(len(process.stderr.splitlines()), 1, process.stderr)

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_a_full_standard_output_is_an_error(self):
        import subprocess

        from tool import TOOL

        with open("/dev/full", "w", encoding="utf-8") as full:
            process = subprocess.run(
                [TOOL, "keys"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
            )
        self.assertEqual(process.returncode, 3)
        self.assertEqual(len(process.stderr.splitlines()), 1, process.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
