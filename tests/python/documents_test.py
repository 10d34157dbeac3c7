"""The Python of the documents runs and prints what they say."""

import doctest
import os
import pathlib
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["ALEMBERT_SOURCE"])
PAGES = ["README.md", "docs/python.md"]
GUIDES = ["five-minutes", "acceleration", "verdict"]


class Documents(unittest.TestCase):
    def test_examples_run(self):
        before = os.getcwd()
        for page in [*PAGES, *(f"docs/guide/{name}.md" for name in GUIDES)]:
            with tempfile.TemporaryDirectory() as folder:
                os.chdir(folder)
                try:
                    failed, tried = doctest.testfile(
                        str(SOURCE / page), module_relative=False,
                        optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
                finally:
                    os.chdir(before)
            self.assertEqual(failed, 0, page)
            self.assertGreater(tried, 1, page)

    def test_every_guide_with_python_is_named_here(self):
        found = {page.stem for page in (SOURCE / "docs/guide").glob("*.md") if ">>>" in page.read_text(encoding="utf-8")}
        self.assertEqual(found, set(GUIDES))


if __name__ == "__main__":
    unittest.main()
