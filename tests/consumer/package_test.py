"""The installed package as other projects meet it, from a prefix that was moved after the install."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD, CMAKE = sys.argv.pop(1), sys.argv.pop(1)
HERE = pathlib.Path(__file__).resolve().parent
FILTER = HERE / "filter"
# What no program has a use for that only filters.
FOREIGN = re.compile(r"mpi|curl|ldap|hdf5|matio|openblas|nlopt|sundials|toml|fmt|deflate|mumps|metis")


def call(*command, **options):
    """Runs a command; returns the finished process with all it printed in `stdout`."""
    return subprocess.run(
        [str(part) for part in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        **options,
    )


def libraries_of(program):
    """The shared libraries that a program records."""
    listing = call("readelf", "-d", program).stdout
    return re.findall(r"\(NEEDED\).*\[(.*)\]", listing)


class PackageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.work = pathlib.Path(cls.temporary.name)
        cls.installed(CMAKE, "--install", BUILD, "--prefix", cls.work / "first")
        cls.prefix = cls.work / "moved"
        shutil.move(cls.work / "first", cls.prefix)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @staticmethod
    def installed(*command, **options):
        process = call(*command, **options)
        if process.returncode != 0:
            raise RuntimeError(process.stdout)

    def configure(self, name, *options, prefix=None):
        return call(
            CMAKE, "-S", FILTER, "-B", self.work / name, "-G", "Ninja",
            f"-DCMAKE_PREFIX_PATH={prefix or self.prefix}", *options,
        )  # fmt: skip

    def built(self, name, *options):
        """Configures and builds the filter, runs it, and returns its path."""
        for process in (self.configure(name, *options), call(CMAKE, "--build", self.work / name)):
            self.assertEqual(process.returncode, 0, process.stdout)
        program = self.work / name / "filter"
        self.assertEqual(call(program).returncode, 0)
        return program

    def hidden_libraries(self):
        """The option with which CMake does not see the folders of other libraries."""
        config = next(self.prefix.rglob("alembertConfig.cmake")).read_text()
        folders = set(re.findall(r'folder_of_\w+ "(.*)"', config)) | {"/usr/lib", "/lib"}
        folders |= {folder.replace("/usr/lib", "/lib", 1) for folder in folders}
        return "-DCMAKE_IGNORE_PATH=" + ";".join(sorted(folders))

    def test_component_needs_eigen_alone(self):
        # No other library is seen: neither by CMake's own files nor in the folders of libraries.
        packages = ("fmt", "HDF5", "MPI", "ZLIB", "PkgConfig", "nlohmann_json", "matio")
        hidden = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{package}=ON" for package in packages]
        program = self.built(
            "component", *hidden, self.hidden_libraries(),
            "-DVERSION=0.1", "-DWANTED=estimate", "-DLINKED=alembert::estimate",
        )  # fmt: skip
        cache = (self.work / "component" / "CMakeCache.txt").read_text()
        self.assertIn("alembert_LIBRARY_nlopt:FILEPATH=alembert_LIBRARY_nlopt-NOTFOUND", cache)
        self.assertEqual([name for name in libraries_of(program) if FOREIGN.search(name)], [])

    def test_whole_package_records_only_what_is_called(self):
        program = self.built("whole", "-DLINKED=alembert::alembert")
        self.assertEqual([name for name in libraries_of(program) if FOREIGN.search(name)], [])
        listing = call("ldd", program).stdout
        self.assertNotRegex(listing, r"mpi|curl|ldap")

    def test_whole_package_names_what_is_missing(self):
        process = self.configure("missing", self.hidden_libraries())
        self.assertNotEqual(process.returncode, 0)
        self.assertRegex(process.stdout, r"not\s+installed:[\s\S]*matio")

    def test_unknown_component_is_named(self):
        process = self.configure("unknown", "-DWANTED=estimates")
        self.assertNotEqual(process.returncode, 0)
        self.assertIn("there is no component estimates; the components are core", process.stdout)

    def test_version_is_checked(self):
        process = self.configure("version", "-DVERSION=9.0", "-DWANTED=core")
        self.assertNotEqual(process.returncode, 0)
        self.assertIn("9.0", process.stdout)
        self.assertIn("version: 0.", process.stdout)

    def test_pkg_config_and_a_plain_compiler(self):
        folder = next(self.prefix.rglob("alembert-estimate.pc")).parent
        environment = dict(os.environ, PKG_CONFIG_PATH=str(folder))
        ask = lambda *what: call("pkg-config", *what, env=environment)  # noqa: E731
        for file in folder.glob("*.pc"):
            self.assertEqual(ask("--validate", file.stem).stdout, "", file.name)
        flags = ask("--cflags", "alembert-estimate").stdout.split()
        compiled = self.work / "filter.o"
        process = call("g++", "-std=c++20", "-O1", "-c", *flags, FILTER / "main.cpp", "-o", compiled)
        self.assertEqual(process.returncode, 0, process.stdout)
        for package in ("alembert-estimate", "alembert"):
            program = self.work / f"by-{package}"
            libraries = ask("--libs", package).stdout.split()
            process = call("g++", compiled, *libraries, "-o", program)
            self.assertEqual(process.returncode, 0, process.stdout)
            self.assertEqual(call(program).returncode, 0)
            found = [name for name in libraries_of(program) if FOREIGN.search(name)]
            self.assertEqual(found, [], package)
        self.assertEqual(ask("--modversion", "alembert").stdout.split(".")[0], "0")

    def test_staged_install_stays_in_its_folder(self):
        stage = self.work / "stage"
        self.installed(
            CMAKE, "--install", BUILD, "--prefix", "/opt/alembert-never-there",
            env=dict(os.environ, DESTDIR=str(stage)),
        )  # fmt: skip
        self.assertFalse(pathlib.Path("/opt/alembert-never-there").exists())
        self.assertEqual([file.name for file in stage.iterdir()], ["opt"])
        root = stage / "opt" / "alembert-never-there"
        self.assertTrue((root / "bin" / "alembert").exists())
        process = self.configure(
            "staged", "-DWANTED=core", "-DLINKED=alembert::core", prefix=root
        )
        self.assertEqual(process.returncode, 0, process.stdout)


if __name__ == "__main__":
    unittest.main()
