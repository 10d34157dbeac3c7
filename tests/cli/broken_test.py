"""Every study under broken/ gives exactly the line and the exit code kept beside it."""

import unittest

from tool import HERE, ToolTest, run

BROKEN = HERE / "broken"


class BrokenStudies(ToolTest):
    def test_there_are_enough(self):
        self.assertGreaterEqual(len(list(BROKEN.glob("*.toml"))), 30)

    def test_check_gives_the_expected_line(self):
        for study in sorted(BROKEN.glob("*.toml")):
            with self.subTest(study=study.name):
                code, line = study.with_suffix(".expected").read_text().splitlines()
                process = run("check", study.name, cwd=BROKEN)
                self.assertEqual(process.stderr.splitlines()[:1], [line])
                self.assertEqual(process.returncode, int(code))
                self.assertEqual(process.stdout, "")

    def test_every_line_of_check_is_a_problem_with_its_place(self):
        names = [study.name for study in sorted(BROKEN.glob("*.toml"))]
        process = run("check", *names, cwd=BROKEN)
        for line in process.stderr.splitlines():
            self.assertRegex(line, r"^[\w./-]+(:\d+:\d+|:\d+)?: \S")

    def test_run_refuses_them_alike_and_writes_nothing(self):
        for name in ("step-negative", "data-column-missing", "toml-syntax"):
            with self.subTest(study=name):
                code, line = (BROKEN / f"{name}.expected").read_text().splitlines()
                out = self.folder / "out"
                process = run("run", f"{name}.toml", "--out", out, cwd=BROKEN)
                self.assertEqual(process.stderr.splitlines()[0], line)
                self.assertEqual(process.returncode, int(code))
                self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
