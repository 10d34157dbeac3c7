"""The guides and the gallery as a reader follows them: every command works and prints what the page shows."""

import os
import pathlib
import sys
import tempfile
import unittest

from tool import PROJECT, TOOL

sys.path.insert(0, str(PROJECT / "tools"))
from webpages.guides import BLOCK, Fault, compare, follow, pages, place, same, unknown_keys  # noqa: E402


class Guides(unittest.TestCase):
    def test_every_page_works_line_by_line(self):
        self.assertGreaterEqual(len(pages()), 24)
        for page in pages():
            with self.subTest(page=page.name), place() as folder:
                follow(page, folder, TOOL, slow="ALEMBERT_SLOW" in os.environ)

    def test_a_wrong_page_is_found(self):
        cases = [
            ("```sh\nalembert --version\n```\n\n```text\nalembert 9.9.9\n```\n", "not printed"),
            ("```sh\nalembert rnu x.toml\n```\n", "exit code 2"),
            ("```sh\necho one; echo two\n```\n\n```text\none\n```\n", "more is printed"),
            ("<!-- exit 1 -->\n```sh\ntrue\n```\n", "exit code 0"),
            ('```toml\n[data]\nfile = "x.csv"\ncolour = 1\n[identify]\n[model]\ndegrees-of-freedom = 1\n```\n', 'unknown key "colour"'),
        ]
        for text, words in cases:
            with self.subTest(text=text), tempfile.TemporaryDirectory() as name:
                page = pathlib.Path(name) / "page.md"
                page.write_text(text, encoding="utf-8")
                with self.assertRaisesRegex(Fault, words):
                    follow(page, pathlib.Path(name), TOOL)

    def test_studies_of_the_reference_have_no_unknown_keys(self):
        text = (PROJECT / "docs/study.md").read_text(encoding="utf-8")
        snippets = [block[2] for block in BLOCK.finditer(text) if block[1] == "toml"]
        self.assertGreaterEqual(len(snippets), 5)
        for snippet in snippets:
            with self.subTest(snippet=snippet[:60]), tempfile.TemporaryDirectory() as name:
                self.assertEqual(unknown_keys(snippet, pathlib.Path(name), TOOL), [])

    def test_numbers_are_compared_and_times_are_not(self):
        self.assertTrue(same("  refine     6 iterations        1.04 s", "  refine     6 iterations        3.20 s"))
        self.assertFalse(same("  refine     6 iterations        1.04 s", "  refine     7 iterations        1.04 s"))
        self.assertFalse(same("  mass       2.00 kg", "  mass       2.10 kg"))
        # One unit of the last digit that is shown: another processor rounds otherwise.
        self.assertTrue(same("  mass       0.02 kg", "  mass       0.03 kg"))
        # Rounding differs from processor to processor; an error that is more than that does not.
        self.assertTrue(same("  residual 9.34e-12", "  residual 1.04e-11"))
        self.assertFalse(same("  residual 9.34e-12", "  residual 1.04e-08"))
        self.assertFalse(same("  residual 9.34e-05", "  residual 1.04e-04"))
        self.assertFalse(same("  verdict    good", "  verdict    bad"))
        self.assertEqual(compare(["...", "b 2"], "a 1\nb 2\n", fix=False), ["...", "b 2"])


if __name__ == "__main__":
    unittest.main()
