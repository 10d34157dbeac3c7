"""alembert export: models as C that gives the library's numbers, and matrices for other programs."""

import re
import shutil
import subprocess
import unittest

from tool import PROJECT, TWO_MASSES, ToolTest, run

# A study of each kind that can be exported, and what it needs beside. One study's record: another is made first.
STUDIES = [
    ("tanks/simulate.toml", []),
    ("duffing/simulate.toml", []),
    ("two-mass-drive/simulate.toml", []),
    ("frame-8dof/simulate.toml", []),
    ("hammer-test/simulate.toml", []),
    ("chain-32dof/simulate.toml", []),
    ("bar-horn/reduce.toml", ["--step", "1e-6"]),
    ("tanks/identify.toml", []),
    ("pendulum/identify.toml", []),
    ("linear-drive/identify.toml", []),
]
STRICT = ["-std=c99", "-O2", "-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror"]


def compilers():
    return [name for name in ("gcc", "clang") if shutil.which(name)]


@unittest.skipUnless(compilers(), "no C compiler")
class Export(ToolTest):
    def export(self, study, *arguments):
        folder = self.folder / "program"
        shutil.rmtree(folder, ignore_errors=True)
        process = run("export", study, "--to", "c", "--out", folder, "--name", "model", *arguments)
        self.assert_exit(process, 0)
        self.assertRegex(process.stdout, r"step +at most \d+ sums")
        self.assertRegex(process.stdout, r"memory +\d+ bytes kept, variables of \d+ bytes on the stack")
        return folder

    def replay(self, folder, compiler, *arguments, flags=STRICT):
        compiled = subprocess.run([compiler, *flags, "model.c", "model_test.c", "-o", "replay", "-lm"], cwd=folder,
                                  capture_output=True, text=True, check=False)
        self.assertEqual(compiled.returncode, 0, compiled.stderr)
        return subprocess.run(["./replay", "model_record.txt", *arguments], cwd=folder, capture_output=True, text=True,
                              check=False)

    def test_studies_give_the_same_numbers(self):
        for name, arguments in STUDIES:
            with self.subTest(study=name):
                folder = self.export(PROJECT / "studies" / name, *arguments)
                for compiler in compilers():
                    ran = self.replay(folder, compiler)
                    self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
                    # The rule, 1e-9 of the size of each output, and that it was the whole record.
                    found = re.search(r"(\d+) samples, largest difference (\S+)", ran.stdout)
                    self.assertLessEqual(float(found[2]), 1e-9)
                    lines = (folder / "model_record.txt").read_text().splitlines()
                    self.assertEqual(int(found[1]), len(lines) - 1)

    def test_a_state_space_model(self):
        shutil.copytree(PROJECT / "studies/state-space", self.folder / "study")
        study = self.folder / "study"
        self.assert_exit(run("run", study / "simulate.toml", "--quiet"), 0)
        folder = self.export(study / "identify.toml")
        ran = self.replay(folder, compilers()[0])
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)

    def test_identified_matrices(self):
        shutil.copytree(PROJECT / "studies/triple-mass", self.folder / "study")
        study = self.folder / "study"
        self.assert_exit(run("run", study / "simulate.toml", "--quiet"), 0)
        folder = self.export(study / "identify.toml")
        ran = self.replay(folder, compilers()[0])
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)

    def test_floats(self):
        folder = self.export(PROJECT / "studies/tanks/simulate.toml", "--precision", "float")
        self.assertIn("typedef float model_real;", (folder / "model.h").read_text())
        ran = self.replay(folder, compilers()[0])
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)

    def test_the_replay_notices_another_model(self):
        folder = self.export(PROJECT / "studies/tanks/simulate.toml")
        source = folder / "model.c"
        text = source.read_text()
        self.assertEqual(text.count("2.0 * (k2[i] + k3[i])"), 1)
        source.write_text(text.replace("2.0 * (k2[i] + k3[i])", "2.0001 * (k2[i] + k3[i])"))
        ran = self.replay(folder, compilers()[0])
        self.assertEqual(ran.returncode, 1, ran.stdout)
        self.assertIn("differs by more than 1e-09", ran.stdout)

    def test_a_newer_export_replaces_an_older_one_and_nothing_else(self):
        study = PROJECT / "studies/tanks/simulate.toml"
        folder = self.export(study)
        self.assert_exit(run("export", study, "--to", "c", "--out", folder, "--name", "other"), 0)
        self.assertEqual({file.name for file in folder.iterdir()},
                         {"other.c", "other.h", "other_test.c", "other_record.txt"})
        (folder / "notes.txt").write_text("mine")
        process = run("export", study, "--to", "c", "--out", folder)
        self.assert_exit(process, 3)
        self.assertIn("holds notes.txt", process.stderr)
        self.assertEqual((folder / "notes.txt").read_text(), "mine")


ARM = "arm-linux-gnueabihf-gcc"


@unittest.skipUnless(shutil.which(ARM) and shutil.which("qemu-arm"),
                     "no cross compiler and emulator: tools/install-packages arm")
class OnArm(Export):
    """The same programs on an emulated 32-bit ARM: the rule is the same, 1e-9."""

    def replay(self, folder, compiler, *arguments, flags=STRICT):
        compiled = subprocess.run([ARM, *flags, "-static", "model.c", "model_test.c", "-o", "replay", "-lm"], cwd=folder,
                                  capture_output=True, text=True, check=False)
        self.assertEqual(compiled.returncode, 0, compiled.stderr)
        return subprocess.run(["qemu-arm", "./replay", "model_record.txt", *arguments], cwd=folder, capture_output=True,
                              text=True, check=False)

    def test_studies_give_the_same_numbers(self):
        for name, arguments in STUDIES[:5]:
            with self.subTest(study=name):
                ran = self.replay(self.export(PROJECT / "studies" / name, *arguments), ARM)
                self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)


class Matrices(ToolTest):
    def setUp(self):
        super().setUp()
        self.study = self.folder / "study.toml"
        self.study.write_text(TWO_MASSES)

    def test_npz_holds_the_matrices_of_the_study(self):
        import numpy
        process = run("export", self.study, "--to", "npz")
        self.assert_exit(process, 0)
        with numpy.load(self.folder / "study.npz") as found:
            numpy.testing.assert_array_equal(found["M"], [[2.0, 0.0], [0.0, 1.0]])
            numpy.testing.assert_array_equal(found["K"], [[300.0, -100.0], [-100.0, 100.0]])
            # x' = A x + B u with x = (q, q'), written out by hand: M^-1 = diag(1/2, 1).
            damping = 0.1 * found["M"] + 0.001 * found["K"]
            numpy.testing.assert_allclose(found["D"], damping, rtol=1e-15)
            numpy.testing.assert_allclose(found["A"][2:, :2], [[-150.0, 50.0], [100.0, -100.0]], rtol=1e-14)
            numpy.testing.assert_allclose(found["A"][:2, 2:], numpy.eye(2), atol=0)
            # F is the exponential of A h, by its eigenvalues.
            values, vectors = numpy.linalg.eig(found["A"])
            exponential = (vectors * numpy.exp(0.01 * values)) @ numpy.linalg.inv(vectors)
            numpy.testing.assert_allclose(found["F"], exponential.real, atol=1e-12)
            self.assertEqual(found["step"].item(), 0.01)

    def test_mat_holds_the_same(self):
        try:
            import numpy
            from scipy.io import loadmat
        except ImportError:
            self.skipTest("no SciPy")
        for form in ("mat", "npz"):
            self.assert_exit(run("export", self.study, "--to", form), 0)
        mat = loadmat(self.folder / "study.mat")
        with numpy.load(self.folder / "study.npz") as npz:
            for name in npz.files:
                numpy.testing.assert_array_equal(mat[name], npz[name])

    def test_a_file_is_replaced_only_by_force(self):
        self.assert_exit(run("export", self.study, "--to", "npz"), 0)
        process = run("export", self.study, "--to", "npz")
        self.assert_exit(process, 3)
        self.assertIn("--force replaces it", process.stderr)
        self.assert_exit(run("export", self.study, "--to", "npz", "--force"), 0)


class Refused(ToolTest):
    def refuse(self, study, *words, arguments=("--to", "c"), code=2):
        process = run("export", study, *arguments, "--out", self.folder / "out")
        self.assert_exit(process, code)
        self.assertEqual(len(process.stderr.splitlines()), 1, process.stderr)
        for word in words:
            self.assertIn(word, process.stderr)
        self.assertFalse((self.folder / "out").exists())

    def test_what_cannot_be_exported_says_why(self):
        studies = PROJECT / "studies"
        self.refuse(studies / "bar-horn/reduce.toml", "--step")
        self.refuse(studies / "slider-crank/observe.toml", "cannot be exported yet")
        self.refuse(studies / "two-link/simulate.toml", "cannot be exported yet")
        self.refuse(studies / "frame-8dof/monte-carlo.toml", "no model to export")
        self.refuse(studies / "bouc-wen/simulate.toml", "band-limited", "--set")
        self.refuse(studies / "tanks/simulate.toml", "only linear models have matrices", arguments=("--to", "mat"))

    def test_wrong_arguments(self):
        study = PROJECT / "studies/tanks/simulate.toml"
        self.refuse(study, "--to", arguments=("--to", "java"))
        self.refuse(study, "--precision", arguments=("--to", "c", "--precision", "half"))


if __name__ == "__main__":
    unittest.main()
