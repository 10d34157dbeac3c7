"""tools/check-release, and that the files of today agree on their version."""

import importlib.machinery
import importlib.util
import pathlib
import shutil
import tempfile
import unittest

PROJECT = pathlib.Path(__file__).resolve().parents[2]
loader = importlib.machinery.SourceFileLoader("check_release", str(PROJECT / "tools/check-release"))
check_release = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_release", loader))
loader.exec_module(check_release)


class Release(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.root = pathlib.Path(temporary.name)
        for name in (*check_release.PLACES, "CHANGELOG.md"):
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(PROJECT / name, self.root / name)
        self.version = check_release.versions(PROJECT)["CMakeLists.txt"]

    def change(self, name, before, after):
        text = (self.root / name).read_text(encoding="utf-8")
        self.assertIn(before, text)
        (self.root / name).write_text(text.replace(before, after), encoding="utf-8")

    def test_the_files_agree(self):
        self.assertEqual(check_release.problems(PROJECT), [])

    def test_each_file_that_disagrees_is_named(self):
        for name in list(check_release.PLACES)[1:]:
            self.change(name, self.version, "7.7.7")
            self.assertIn(f"{name}: names version 7.7.7, not {self.version}", check_release.problems(self.root))

    def test_a_version_needs_its_section(self):
        lines = check_release.problems(self.root, self.version)
        self.assertTrue(any("no section" in line for line in lines), lines)
        self.change("CHANGELOG.md", "## Unreleased", f"## Unreleased\n\n## {self.version} - 2030-01-02")
        self.assertEqual(check_release.problems(self.root, self.version), [])


if __name__ == "__main__":
    unittest.main()
