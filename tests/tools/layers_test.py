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
            (root / "tools" / "layers.txt").write_text("core:\nmodel: core\nidentify: core model\nstudy: core model identify\n"
                                                      "identify/: refine verdict\nstudy/: parts tasks\n")
            for name, text in files.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text(text)
            done = subprocess.run([sys.executable, TOOL, root], capture_output=True, text=True)
            return done.returncode, done.stdout.strip()

    def test_names_the_breach(self):
        code, out = self.run_on(
            {"src/model/a/a.cpp": '#include "alembert/core/x.hpp"\n#include "alembert/identify/y.hpp"\n',
             "src/model/a/a.hpp": ""})
        self.assertEqual((code, out), (1, "src/model/a/a.cpp:2: model may not include identify"))

    def test_private_headers_count_too(self):
        code, out = self.run_on({"src/core/a.hpp": '#include "model/private.hpp"\n'})
        self.assertEqual((code, out), (1, "src/core/a.hpp:1: core may not include model"))

    def test_private_headers_stay_in_their_module(self):
        code, out = self.run_on({"src/identify/a.hpp": '#include "model/private.hpp"\n#include "core/free.hpp"\n'})
        self.assertEqual((code, out), (1, "src/identify/a.hpp:1: model/private.hpp is private to model"))

    def test_concepts_have_an_order(self):
        code, out = self.run_on({"src/identify/verdict/v.hpp": '#include "identify/refine/r.hpp"\n',
                                 "src/identify/refine/r.hpp": '#include "identify/verdict/v.hpp"\n'})
        self.assertEqual((code, out), (1, "src/identify/refine/r.hpp:1: identify/refine may not include identify/verdict"))

    def test_tasks_do_not_include_each_other_but_monte_carlo(self):
        code, out = self.run_on({"src/study/tasks/observe/o.hpp": '#include "study/tasks/identify/i.hpp"\n',
                                 "src/study/tasks/monte_carlo/m.hpp": '#include "study/tasks/identify/i.hpp"\n'})
        self.assertEqual((code, out), (1, "src/study/tasks/observe/o.hpp:1: task observe may not include task identify"))

    def test_programs_see_public_headers_alone(self):
        code, out = self.run_on({"src/model/p.hpp": "", "examples/a/main.cpp": '#include "model/p.hpp"\n'})
        self.assertEqual((code, out), (1, "examples/a/main.cpp:1: model/p.hpp is private to model"))

    def test_a_source_has_a_header(self):
        code, out = self.run_on({"src/model/x/a.cpp": "", "src/model/x/b.hpp": "", "src/model/x/c.hpp": "",
                                 "src/model/y/d.cpp": "", "include/alembert/model/y.hpp": ""})
        self.assertEqual((code, out), (1, "src/model/x/a.cpp:1: no header has its name or its folder's"))

    def test_a_folder_can_be_looked_through(self):
        code, out = self.run_on({f"src/model/x/a{i}.hpp": "" for i in range(27)})
        self.assertEqual((code, out), (1, "src/model/x:1: 27 files, at most 26 are easy to look through"))

    def test_allowed_includes_pass(self):
        code, _ = self.run_on(
            {"include/alembert/identify/a.hpp": "#include <alembert/model/y.hpp>\n#include <vector>\n"})
        self.assertEqual(code, 0)

    def test_unknown_module_is_named(self):
        code, out = self.run_on({"src/extra/a.hpp": "\n"})
        self.assertEqual((code, out), (1, "src/extra/a.hpp:1: module extra is not in tools/layers.txt"))


if __name__ == "__main__":
    unittest.main()
