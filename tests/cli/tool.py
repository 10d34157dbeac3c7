"""What the command-line tests share: the tool, temporary folders, small readers."""

import csv
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

TOOL = os.environ["ALEMBERT_TOOL"]
HERE = pathlib.Path(__file__).resolve().parent
PROJECT = HERE.parent.parent

# Open MPI wants to be told that root and more processes than cores are meant.
MPI_ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
}

TWO_MASSES = """\
title = "Two masses"
[model]
mass = [[2.0, 0.0], [0.0, 1.0]]
stiffness = [[300.0, -100.0], [-100.0, 100.0]]
damping = { mass = 0.1, stiffness = 0.001 }
[simulate]
step = 0.01
samples = 400
[simulate.inputs]
u1 = { kind = "spline-noise", knots = 0.1 }
[simulate.sensors]
all = { snr = 20.0 }
"""


def run(*arguments, cwd=None, launcher=(), timeout=120):
    """Runs the tool; returns the finished process with text output."""
    environment = dict(os.environ, **(MPI_ENVIRONMENT if launcher else {}))
    return subprocess.run(
        [*launcher, TOOL, *map(str, arguments)],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )


def read_columns(file):
    """The columns of a CSV file that the tool wrote, by name, without units; None is missing."""
    with open(file, encoding="utf-8", newline="") as stream:
        rows = csv.reader(line for line in stream if not line.startswith("#"))
        names = [cell.split(" [")[0] for cell in next(rows)]
        columns = {name: [] for name in names}
        for row in rows:
            for name, cell in zip(names, row):
                columns[name].append(float(cell) if cell else None)
    return columns


def folder_bytes(folder):
    """Name and content of every file in a folder."""
    return {file.name: file.read_bytes() for file in sorted(pathlib.Path(folder).iterdir())}


class ToolTest(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def assert_same_numbers(self, out, whole):
        """All files are those of a run without interruption, but for what tells of it."""
        files = folder_bytes(out)
        self.assertEqual(files["runs.csv"], whole["runs.csv"])
        result, expected = json.loads(files["result.json"]), json.loads(whole["result.json"])
        self.assertGreater(result["runs"].pop("taken_over"), 0)
        self.assertEqual(expected["runs"].pop("taken_over"), 0)
        for one in (result, expected):
            one["runs"].pop("passed_over")
        self.assertEqual(result, expected)
        self.assertIn(b"runs taken over from an earlier call", files["report.html"])
        self.assertNotIn(b"runs taken over", whole["report.html"])

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def assert_exit(self, process, code):
        self.assertEqual(process.returncode, code, process.stdout + process.stderr)

    def assert_documented(self, value):
        """Every key of a result, at any depth, stands in docs/result.md.

        Those below `settings` are keys of studies and stand in docs/study.md; parameters there
        have names of their own.
        """
        self._assert_keys_in(value, (PROJECT / "docs/result.md").read_text())

    def _assert_keys_in(self, value, documented):
        if isinstance(value, dict):
            for key, inner in value.items():
                self.assertIn(f"`{key}`", documented)
                if key == "settings":
                    self._assert_keys_in(inner, (PROJECT / "docs/study.md").read_text())
                elif key == "parameters" and isinstance(inner, dict):
                    self._assert_keys_in(list(inner.values()), documented)
                else:
                    self._assert_keys_in(inner, documented)
        elif isinstance(value, list):
            for inner in value:
                self._assert_keys_in(inner, documented)
