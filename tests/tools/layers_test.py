"""The layer check finds a breach and names file, line and both modules."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "check-layers"


class CheckLayers(unittest.TestCase):
    def run_on(self, files):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "tools").mkdir()
            (root / "tools" / "layers.txt").write_text("core:\nmodel: core\nidentify: core model\n")
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
            done = subprocess.run([sys.executable, TOOL, root], capture_output=True, text=True)
            return done.returncode, done.stdout.strip()

    def test_names_the_breach(self):
        code, out = self.run_on(
            {"src/model/a.cpp": '#include "alembert/core/x.hpp"\n#include "alembert/identify/y.hpp"\n'})
        self.assertEqual((code, out), (1, "src/model/a.cpp:2: model may not include identify"))

    def test_private_headers_count_too(self):
        code, out = self.run_on({"src/core/a.cpp": '#include "model/private.hpp"\n'})
        self.assertEqual((code, out), (1, "src/core/a.cpp:1: core may not include model"))

    def test_allowed_includes_pass(self):
        code, _ = self.run_on(
            {"include/alembert/identify/a.hpp": "#include <alembert/model/y.hpp>\n#include <vector>\n"})
        self.assertEqual(code, 0)

    def test_unknown_module_is_named(self):
        code, out = self.run_on({"src/extra/a.cpp": "\n"})
        self.assertEqual((code, out), (1, "src/extra/a.cpp:1: module extra is not in tools/layers.txt"))


if __name__ == "__main__":
    unittest.main()
