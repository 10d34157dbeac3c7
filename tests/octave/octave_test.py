"""The Octave package: installed from its archive, offline, and called as users call it."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

TOOL = os.environ["ALEMBERT_TOOL"]
PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent
PACKAGE = PROJECT / "octave"
SKIPPED = 77  # as CTest knows it: see SKIP_RETURN_CODE


class OctaveTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        archive = cls.folder / "alembert-0.1.0.tar.gz"
        with tarfile.open(archive, "w:gz") as tar:
            tar.add(PACKAGE, "alembert-0.1.0")
        cls.place = (
            f"pkg prefix {cls.folder}/packages {cls.folder}/packages;"
            f"pkg local_list {cls.folder}/list;"
        )
        process = cls.octave(f"{cls.place} pkg install {archive}")
        if process.returncode != 0:
            raise RuntimeError(process.stdout + process.stderr)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def octave(cls, code, **environment):
        variables = dict(os.environ, ALEMBERT_TOOL=TOOL, HOME=str(cls.folder), **environment)
        return subprocess.run(
            ["octave", "--no-gui", "--norc", "--quiet", "--eval", code],
            env=variables,
            cwd=cls.folder,
            capture_output=True,
            text=True,
            timeout=200,
            check=False,
        )

    def run_script(self, name, **environment):
        script = pathlib.Path(__file__).parent / name
        process = self.octave(
            f"{self.place} pkg load alembert; project = '{PROJECT}'; source ('{script}')", **environment
        )
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        self.assertIn("all done", process.stdout)

    def test_arrays_and_studies(self):
        self.run_script("calls.m")

    def test_misuse_is_told(self):
        self.run_script("misuse.m")

    def test_every_function_is_indexed_and_has_help(self):
        index = (PACKAGE / "INDEX").read_text()
        for file in (PACKAGE / "inst").glob("*.m"):
            self.assertIn(f" {file.stem}\n", index)
            self.assertTrue(file.read_text().splitlines()[1].startswith("% "), file.name)

    def test_nothing_that_matlab_does_not_read(self):
        # Block ends, comments, operators and texts that only Octave has.
        foreign = re.compile(r'\bend(function|if|for|while|switch)\b|#|!|\+\+|\+=|"[^\']*"$|printf \("')
        for file in (PACKAGE / "inst").rglob("*.m"):
            for number, line in enumerate(file.read_text().splitlines(), 1):
                code = re.sub(r"'(?:[^']|'')*'", "''", line.split("%")[0] if line.lstrip().startswith("%") else line)
                self.assertIsNone(foreign.search(code), f"{file.name}:{number}: {line}")


if __name__ == "__main__":
    if shutil.which("octave") is None:
        print("skipped: octave is not installed")
        sys.exit(SKIPPED)
    unittest.main()
