"""mypy accepts the stubs, and code that uses them."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import alembert

USE = """
import numpy
import alembert

fit = alembert.identify.identify_linear(numpy.zeros((9, 1)), numpy.zeros((9, 1)), step=0.1, degrees_of_freedom=1)
text: str = fit.summary()
mass: numpy.ndarray = fit.refinement.system.M
level: alembert.core.TrustLevel = fit.verdict.level
result = alembert.run("study.toml", threads=1)
options = alembert.identify.RefineOptions(max_iterations=3, hold="linear")
"""
WRONG = USE + "number: int = fit.summary()\n"


class Types(unittest.TestCase):
    def check(self, text):
        package = pathlib.Path(alembert.__file__).parent
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "use.py").write_text(text, encoding="utf-8")
            return subprocess.run(
                [sys.executable, "-m", "mypy", "--cache-dir", folder, "use.py"], cwd=folder, text=True,
                capture_output=True, check=False, env={**os.environ, "MYPYPATH": str(package.parent)})

    def test_stubs_and_use_are_clean(self):
        done = self.check(USE)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_wrong_use_is_found(self):
        self.assertIn('has type "str", variable has type "int"', self.check(WRONG).stdout)


if __name__ == "__main__":
    try:
        import mypy  # noqa: F401
    except ImportError:
        raise SystemExit("mypy is missing: tools/install-packages python")
    unittest.main()
