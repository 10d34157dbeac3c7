"""Pages print their examples as they are; every example of docs/extend has a page."""

import pathlib
import re
import unittest

PROJECT = pathlib.Path(__file__).resolve().parents[2]


class Extend(unittest.TestCase):
    def test_pages_and_examples_are_the_same(self):
        examples = {file.parent.name: file.read_text(encoding="utf-8") for file in (PROJECT / "examples/extend").glob("*/main.cpp")}
        pages = {file.stem: file.read_text(encoding="utf-8") for file in (PROJECT / "docs/extend").glob("*.md") if file.stem != "README"}
        self.assertEqual(examples.keys(), pages.keys())
        self.assertGreaterEqual(len(examples), 6)
        for name, text in pages.items():
            with self.subTest(page=name):
                self.assertEqual(re.findall(r"```cpp\n(.*?)```", text, re.S), [examples[name]])

    def test_the_page_for_cpp_prints_its_program(self):
        program = (PROJECT / "examples/07_from_file/main.cpp").read_text(encoding="utf-8")
        page = (PROJECT / "docs/cpp.md").read_text(encoding="utf-8")
        self.assertEqual(re.findall(r"```cpp\n(.*?)```", page, re.S)[0], program)

    def test_files_that_pages_name_exist(self):
        for page in (PROJECT / "docs/extend").glob("*.md"):
            for name in re.findall(r"`((?:src|tests|include)/[\w./-]+)`", page.read_text(encoding="utf-8")):
                with self.subTest(page=page.name, name=name):
                    self.assertTrue("NAME" in name or (PROJECT / name).exists())


if __name__ == "__main__":
    unittest.main()
