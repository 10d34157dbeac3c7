"""The commands `new`, `info` and `reproduce`."""

import json
import math
import time
import unittest

from tool import ToolTest, folder_bytes, run


class New(ToolTest):
    def test_a_template_checks_and_runs(self):
        study = self.folder / "chain.toml"
        self.assert_exit(run("new", "simulate", "-o", study), 0)
        process = run("check", study)
        self.assert_exit(process, 0)
        self.assertEqual(process.stdout, f"{study}: ok\n")
        self.assert_exit(run("run", study), 0)
        self.assertEqual(run("new", "simulate").stdout, study.read_text())

    def test_a_template_is_filled_from_data(self):
        rows = ["t [s],F a [kN],F b,hole"]
        rows += [f"{k / 500},{math.sin(k / 9)},{math.cos(k / 7)}," for k in range(800)]
        data = self.write("forces.csv", "\n".join(rows) + "\n")
        (self.folder / "studies").mkdir()
        study = self.folder / "studies/forced.toml"
        self.assert_exit(run("new", "simulate", data, "-o", study), 0)
        text = study.read_text()
        self.assertIn('file = "../forces.csv"', text)
        self.assertIn('u1 = "F a"', text)
        self.assertNotIn("hole", text)
        self.assert_exit(run("run", study, "--quiet"), 0)
        result = json.loads((self.folder / "studies/forced.out/result.json").read_text())
        self.assertEqual(result["simulation"]["samples"], 800)
        self.assertAlmostEqual(result["simulation"]["step"], 0.002, places=12)

    def columns_of(self, kind, header, rows=400):
        """The study that `new` writes for columns of these names, and the process."""
        lines = [header]
        for k in range(rows):
            lines.append(",".join([f"{k / 100}"] + [f"{math.sin(0.3 * k + c):.6f}" for c in range(header.count(","))]))
        data = self.write("data.csv", "\n".join(lines) + "\n")
        study = self.folder / f"{kind}.toml"
        study.unlink(missing_ok=True)
        process = run("new", kind, data, "-o", study)
        return (study.read_text() if study.exists() else ""), process

    def test_quantities_are_guessed_from_units_and_names_and_the_guess_is_written_down(self):
        for header in ("t,F,a1,a2", "t,force,acc_1,acc_2", "t,Kraft [kN],Beschl. 1 [g],Beschl. 2 [g]", "t,a1,Hammer,a2"):
            with self.subTest(header=header):
                text, process = self.columns_of("modes", header)
                self.assert_exit(process, 0)
                names = [name.split(" [")[0] for name in header.split(",")[1:]]
                force = next(name for name in names if name.lower() in ("f", "force", "kraft", "hammer"))
                others = ", ".join(f'"{name}"' for name in names if name != force)
                self.assertIn(f'inputs = ["{force}"]', text)
                self.assertIn(f"outputs = [{others}]", text)
                comment = " ".join(line[2:] for line in text.splitlines() if line.startswith("# "))
                self.assertIn("Guessed, please confirm:", comment)
                self.assertIn(f"{force}: force (by its ", comment)
                self.assertIn(": acceleration (by its ", comment)

    def test_a_force_is_never_taken_for_an_angle(self):
        text, process = self.columns_of("observe", "t,F,enc,acc")
        self.assert_exit(process, 0)
        self.assertIn('column = "enc", kind = "angle"', text)
        self.assertIn('column = "acc", kind = "acceleration"', text)
        text, process = self.columns_of("observe", "t,force [N],acc [m/s^2]")
        self.assert_exit(process, 3)
        self.assertIn("no column that looks like an angle (force: force, acc: acceleration)", process.stderr)
        text, process = self.columns_of("output-error", "t,x,F")
        self.assertIn('inputs = { u = "F" }', text)
        self.assertIn('outputs = { y = "x" }', text)
        text, process = self.columns_of("acceleration", "t,force,a1")
        self.assertIn('acceleration = "a1"', text)
        text, process = self.columns_of("acceleration", "t,force")
        self.assert_exit(process, 3)
        self.assertIn("no column that looks like an acceleration (force: force)", process.stderr)

    def test_a_free_motion_needs_no_input(self):
        text, process = self.columns_of("output-error", "t,theta")
        self.assert_exit(process, 0)
        self.assertNotIn("gain", text.split("[identify")[0].replace("# ", ""))
        self.assert_exit(run("check", self.folder / "output-error.toml"), 0)

    def test_a_long_record_of_a_tap_is_cut_behind_it(self):
        rows = ["t [s],acc [m/s^2]"]
        for k in range(30000):
            t = k / 1000 - 2.0
            motion = 40 * math.exp(-0.4 * t) * math.sin(50 * t) + 30 * math.exp(-3 * t) * math.sin(600 * t)
            tap = 200 * math.exp(-(((t - 0.002) / 0.001) ** 2))
            rows.append(f"{k / 1000:.3f},{(motion if t > 0 else 0) + tap + 1e-3 * math.sin(k * k):.6f}")
        data = self.write("tap.csv", "\n".join(rows) + "\n")
        study = self.folder / "tap.toml"
        self.assert_exit(run("new", "acceleration", data, "-o", study), 0)
        begin = time.monotonic()
        process = run("run", study, "--quiet")
        self.assert_exit(process, 0)
        self.assertLess(time.monotonic() - begin, 10.0)
        result = json.loads((self.folder / "tap.out/result.json").read_text())
        stiffness = next(one for one in result["records"][0]["parameters"] if one["name"] == "b")
        # x'' + 0.8 x' + (50^2 + 0.4^2) x = 0.
        self.assertAlmostEqual(math.sqrt(stiffness["refined"]["value"]), 50.0, delta=0.05)

    def test_nothing_is_overwritten(self):
        study = self.write("mine.toml", "precious")
        process = run("new", "simulate", "-o", study)
        self.assert_exit(process, 3)
        self.assertIn("exists already", process.stderr)
        self.assertEqual(study.read_text(), "precious")


class Info(ToolTest):
    def sine(self, step=0.01, frequency=7.3):
        rows = ["t [s],a [m],b"]
        for k in range(1000):
            t = k * step
            hole = "" if k == 5 else f"{math.sin(2 * math.pi * frequency * t):.9f}"
            rows.append(f"{t:.6f},{hole},{k}")
        return self.write("sine.csv", "\n".join(rows) + "\n")

    def test_shows_channels_rate_and_peaks(self):
        process = run("info", self.sine())
        self.assert_exit(process, 0)
        self.assertIn("1000 samples", process.stdout)
        self.assertIn("step 0.01 s (100 Hz)", process.stdout)
        line = next(row for row in process.stdout.splitlines() if row.startswith("  a "))
        self.assertIn(" m ", line)
        self.assertIn(" 7.3", line)
        self.assertEqual(line.split()[5], "1")  # one sample is missing

    def test_reads_what_run_writes(self):
        from tool import TWO_MASSES

        study = self.write("two.toml", TWO_MASSES)
        run("run", study, "--quiet")
        process = run("info", self.folder / "two.out/truth.csv")
        self.assert_exit(process, 0)
        self.assertIn("q2_acceleration", process.stdout)
        self.assertIn("400 samples", process.stdout)

    def test_bad_data_is_one_line_and_exit_code_three(self):
        for name, text in [("a.csv", "t,x\n0,1\n1,zwei\n"), ("b.unknown", "x"), ("c.csv", "")]:
            with self.subTest(name=name):
                process = run("info", self.write(name, text))
                self.assert_exit(process, 3)
                self.assertEqual(len(process.stderr.splitlines()), 1, process.stderr)
                self.assertIn(name, process.stderr)
        process = run("info", self.folder / "none.csv")
        self.assert_exit(process, 3)
        self.assertIn("none.csv", process.stderr)


class Reproduce(ToolTest):
    def test_lists_names(self):
        process = run("reproduce")
        self.assert_exit(process, 0)
        self.assertIn("discretisation", process.stdout)

    def test_discretisation_meets_its_claims(self):
        process = run("reproduce", "discretisation", "--out", self.folder / "out", timeout=60)
        self.assert_exit(process, 0)
        result = json.loads((self.folder / "out/result.json").read_text())
        self.assertTrue((self.folder / "out/report.html").exists())
        self.assertGreater(len(result["claims"]), 5)
        for claim in result["claims"]:
            self.assertEqual(
                sorted(claim),
                ["measured", "name", "ok", "published", "reason", "reference", "source", "state", "target", "unit"],
            )
            self.assertTrue(claim["ok"], claim)
            self.assertIn(claim["state"], ["reproduced", "beyond the source"], claim)
            self.assertIn(f"{claim['name']} [{claim['source']}]", " ".join(process.stdout.split()))
        states = result["states"]
        self.assertEqual(sum(states.values()), len(result["claims"]))
        self.assertGreater(states["reproduced"], 0)
        counts = f"{states['reproduced']} reproduced, 0 differ, {states['beyond the source']} beyond the source"
        self.assertIn(counts, process.stdout)
        self.assertIn(counts, (self.folder / "out/report.html").read_text())
        self.check_tables(process.stdout, result["tables"])

    def check_tables(self, text, tables):
        """Tables fit into 80 columns, with each heading flush right over its numbers."""
        lines = text[: text.index("   measured")].splitlines()
        for line in lines:
            self.assertLessEqual(len(line), 80, line)
        for table in tables:
            begin = lines.index(table["title"]) + 1
            shown = []
            while begin < len(lines) and lines[begin].startswith(table["row_title"]):
                header = lines[begin]
                ends = []
                for heading in table["columns"][len(shown) :]:
                    at = header.find("  " + heading, ends[-1] if ends else 0)
                    if at < 0:
                        break
                    ends.append(at + 2 + len(heading))
                    shown.append(heading)
                self.assertGreater(len(ends), 0, header)
                for line in lines[begin + 1 : begin + 1 + len(table["rows"])]:
                    for end in ends:
                        self.assertNotEqual(line[end - 1], " ", line)
                        self.assertIn(line[end : end + 1], ("", " "), line)
                begin += len(table["rows"]) + 2
            self.assertEqual(shown, table["columns"])

    def test_the_same_files_for_any_number_of_threads(self):
        for threads in (1, 3):
            out = self.folder / str(threads)
            self.assert_exit(
                run("reproduce", "discretisation", "--quiet", "--threads", threads, "--out", out), 0
            )
        self.assertEqual(folder_bytes(self.folder / "1"), folder_bytes(self.folder / "3"))

    def test_an_unwritable_folder_is_known_before_the_work(self):
        precious = self.folder / "precious"
        precious.mkdir()
        (precious / "notes.txt").write_text("mine")
        process = run("reproduce", "discretisation", "--out", precious)
        self.assert_exit(process, 3)
        self.assertEqual(len(process.stderr.splitlines()), 1, process.stderr)
        self.assertEqual(process.stdout, "")


if __name__ == "__main__":
    unittest.main(verbosity=2)
