"""The Python of the documents runs and prints what they say."""

import doctest
import os
import pathlib
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["ALEMBERT_SOURCE"])
PAGES = ["README.md", "docs/python.md"]


class Documents(unittest.TestCase):
    def test_examples_run(self):
        before = os.getcwd()
        for page in PAGES:
            with tempfile.TemporaryDirectory() as folder:
                os.chdir(folder)
                try:
                    failed, tried = doctest.testfile(
                        str(SOURCE / page), module_relative=False,
                        optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
                finally:
                    os.chdir(before)
            self.assertEqual(failed, 0, page)
            self.assertGreater(tried, 3, page)


if __name__ == "__main__":
    unittest.main()
