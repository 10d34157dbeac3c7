"""tools/site: the study split by task, links that follow, references from declarations; tools/long-sentences finds what is too long."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT / "tools"))
from webpages import cpp_reference  # noqa: E402
from webpages.study_pages import kind_of, redirect_all, split_study  # noqa: E402

STUDY = """# The study

Begin.

## Sensors

See [identification](#identification).

## Identification

Uses [sensors](#sensors), [equations](equations.md) and the [report](../README.md).

```toml
## no heading
```

### Held-back data

More.

## All keys

Long.
"""


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


class Site(unittest.TestCase):
    def test_study_is_split_and_links_follow(self):
        with tempfile.TemporaryDirectory() as name:
            pages = pathlib.Path(name)
            write(pages / "docs/study.md", STUDY)
            write(pages / "docs/theory/x.md", "[a](../study.md#held-back-data) [b](../study.md#sensors)")
            places = split_study(pages, write)
            redirect_all(pages, places)
            self.assertEqual(places, {"identification": "study/identify-mdk.md", "held-back-data": "study/identify-mdk.md"})
            study = (pages / "docs/study.md").read_text()
            self.assertIn("[identification](study/identify-mdk.md#identification)", study)
            self.assertNotIn("Long.", study)
            part = (pages / "docs/study/identify-mdk.md").read_text()
            self.assertTrue(part.startswith("# Identification\n"))
            self.assertIn("[sensors](../study.md#sensors), [equations](../equations.md) and the [report](../../README.md)", part)
            self.assertIn("\n## Held-back data\n", part)
            self.assertEqual((pages / "docs/theory/x.md").read_text(),
                             "[a](../study/identify-mdk.md#held-back-data) [b](../study.md#sensors)")

    def test_each_table_of_keys_has_a_kind(self):
        cases = {"`study`": "study", "`[data]`": "matrices", "`[data] for equations`": "equations", "`[data.sensors.NAME]`": "mechanisms",
                 "`[observe.gate]`": "mechanisms", "`[monte-carlo.sweep]`": "monte-carlo", "`[reduce] for structures`": "structures"}
        for heading, kind in cases.items():
            self.assertEqual(kind_of(heading), kind)

    def test_comments_become_pages(self):
        self.assertEqual(cpp_reference.prose("The sum.\n\n  a + b*c\n\n@param step in s, > 0\n@throws InvalidInput if not."),
                         "The sum.\n\n```text\n  a + b*c\n```\n\n**step**: in s, > 0\n\n**Throws** `InvalidInput` if not.")
        self.assertEqual(cpp_reference.prose("Uses `a*b` and a*b."), "Uses `a*b` and a\\*b.")
        self.assertEqual(cpp_reference.declaration("int f(int a = {}) {\n  return a;\n}", "function"), "int f(int a = {});")
        self.assertEqual(cpp_reference.declaration("class A {\n public:\n  int f();\n\n private:\n  int a_;\n}", "class"),
                         "class A {\n public:\n  int f();\n\n}\n".rstrip() + ";")

    def test_long_sentences_are_found(self):
        with tempfile.TemporaryDirectory() as name:
            page = pathlib.Path(name) / "page.md"
            tool = [sys.executable, str(PROJECT / "tools/long-sentences"), "--limit", "5", str(page)]
            page.write_text("# Head\n\nOne two three. Four five six.\n\n```sh\na b c d e f g h\n```\n", encoding="utf-8")
            self.assertEqual(subprocess.run(tool, capture_output=True, check=False).returncode, 0)
            page.write_text("# Head\n\nOne two three\nfour five six.\n", encoding="utf-8")
            done = subprocess.run(tool, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn("page.md:3: 6 words", done.stdout)


if __name__ == "__main__":
    unittest.main()
