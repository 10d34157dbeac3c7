"""The check of strays finds what nobody expects at the root, and traces of compilers anywhere."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "check-strays"


class CheckStrays(unittest.TestCase):
    def run_on(self, *names):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name in names:
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text("")
            done = subprocess.run([sys.executable, TOOL, root], capture_output=True, text=True)
            return done.returncode, done.stdout.strip()

    def test_what_belongs_there_passes(self):
        self.assertEqual(self.run_on("README.md", "src/core/a.cpp", "build/a.o", "studies/a.out/core")[0], 0)

    def test_names_a_file_at_the_root(self):
        code, out = self.run_on("README.md", "notes.txt")
        self.assertEqual(code, 1)
        self.assertTrue(out.startswith("notes.txt: nobody expects it"), out)

    def test_names_traces_of_compilers_anywhere(self):
        code, out = self.run_on(".json", "src/core/a.gcda")
        self.assertEqual(code, 1)
        self.assertEqual([line.split(":")[0] for line in out.splitlines()], [".json", "src/core/a.gcda"])


if __name__ == "__main__":
    unittest.main()
