"""The wheel that pip makes, and the installed package: complete, and importable from elsewhere."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import zipfile

SOURCE = os.environ["ALEMBERT_SOURCE"]
BUILD = os.environ["ALEMBERT_BUILD"]
CMAKE = os.environ["ALEMBERT_CMAKE"]
# The oscillator of one degree of freedom at rest stays there: the extension module computes.
USE = """
import alembert, numpy
system = alembert.model.SecondOrder(M=[[2.0]], D=[[1.0]], K=[[300.0]], L=[[1.0]])
moved = alembert.integrate.simulate(system, numpy.zeros((9, 1)), 0.01, [0.0], [0.0]).displacement
assert moved.shape == (9, 1) and not moved.any(), moved
print(alembert.__file__)
"""


def run(*command, **environment):
    # Without PYTHONPATH, which names the module of the build folder.
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run([str(part) for part in command], text=True, capture_output=True, check=False,
                          cwd="/", env={**kept, **environment})
    if done.returncode != 0:
        raise AssertionError(f"{command}: {done.stdout}{done.stderr}")
    return done.stdout


class Packaging(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        run(sys.executable, "-m", "pip", "wheel", SOURCE, "--no-index", "--no-deps", "--quiet",
            "--config-settings", f"build={BUILD}", "--wheel-dir", cls.folder)
        (cls.wheel,) = cls.folder.glob("*.whl")

    def test_pip_makes_a_wheel_without_network_that_a_venv_imports(self):
        venv = self.folder / "venv"
        run(sys.executable, "-m", "venv", "--system-site-packages", "--without-pip", venv)
        run(sys.executable, "-m", "pip", "--python", venv, "install", "--no-index", "--quiet", self.wheel)
        self.assertTrue(run(venv / "bin" / "python", "-c", USE).startswith(str(venv)))

    def test_the_wheel_has_the_types_the_licence_and_no_leftovers(self):
        names = zipfile.ZipFile(self.wheel).namelist()
        for needed in ("alembert/py.typed", "alembert/_alembert.pyi", "alembert/__init__.py"):
            self.assertIn(needed, names)
        self.assertTrue(any(name.endswith(".dist-info/LICENSE") for name in names))
        self.assertEqual([name for name in names if "__pycache__" in name], [])

    def test_a_staged_install_is_importable(self):
        run(CMAKE, "--install", BUILD, "--component", "python", "--prefix", "/opt/somewhere", DESTDIR=str(self.folder))
        (package,) = self.folder.glob("opt/somewhere/lib/python3*/dist-packages")
        self.assertTrue(run(sys.executable, "-c", USE, PYTHONPATH=str(package)).startswith(str(package)))


if __name__ == "__main__":
    unittest.main()
