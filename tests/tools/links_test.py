"""The check of links finds files and headings that are not there, and pages that no index names."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "check-links"


class CheckLinks(unittest.TestCase):
    def run_on(self, **pages):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            subprocess.run(["git", "init", "-q", root], check=True)
            for name, text in pages.items():
                file = root / (name.replace("__", "/") + ".md")
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
            done = subprocess.run([sys.executable, TOOL, root], capture_output=True, text=True)
            return done.returncode, done.stdout.strip()

    def test_good_links_pass(self):
        code, out = self.run_on(README="[b](docs/b.md#two-words-m-d), [web](https://a.b/c), [here](#top)\n# Top\n",
                                docs__b="## Two words: `M`, D\n[up](../README.md)\n", docs__README="[b](b.md)\n")
        self.assertEqual((code, out), (0, "all links lead somewhere"))

    def test_names_a_missing_file_and_a_missing_heading(self):
        code, out = self.run_on(README="\n[a](none.md) [b](b.md#second)\n", b="# First\n")
        self.assertEqual(code, 1)
        self.assertEqual(out.splitlines(), ["README.md:2: no file none.md", "README.md:2: no heading #second in b.md"])

    def test_code_and_formulas_hold_no_links(self):
        code, _ = self.run_on(README="```\n[a](none)\n```\n\n    s[r](k+1) = 0\n\n`x[1](y)` and\n")
        self.assertEqual(code, 0)

    def test_headings_of_one_name_are_told_apart(self):
        self.assertEqual(self.run_on(README="# A\n# A\n[second](#a-1)\n")[0], 0)
        self.assertEqual(self.run_on(README="# A\n# A\n[third](#a-2)\n")[0], 1)

    def test_names_a_study_that_no_index_has(self):
        code, out = self.run_on(studies__README="[a](a/README.md)\n", studies__a__README="a\n", studies__b__README="b\n")
        self.assertEqual((code, out), (1, "studies/README.md: does not name studies/b/README.md"))


if __name__ == "__main__":
    unittest.main()
