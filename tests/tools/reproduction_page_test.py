"""The page of a reproduction: every row of a table has the cells of its header."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROJECT = pathlib.Path(__file__).resolve().parents[2]
TOOL = PROJECT / "tools" / "reproduction-page"

RESULT = {
    "name": "x",
    "title": "Title",
    "source": "",
    "full": True,
    "claims": [
        {
            "name": "|H| of a",
            "measured": 1.0,
            "published": None,
            "reference": None,
            "target": "<= 1",
            "source": "own promise",
            "state": "beyond the source",
            "reason": "",
            "ok": True,
        },
        {
            "name": "rate",
            "measured": 2.0,
            "published": 3.0,
            "reference": None,
            "target": "3 +- 0.5",
            "source": "Paper2000, table 1",
            "state": "differs",
            "reason": "other data",
            "ok": True,
        },
    ],
    "tables": [
        {
            "title": "Circles",
            "row_title": "step [s]",
            "columns": ["|z| = 1", "|z| = 2"],
            "rows": ["0.1", "0.2"],
            "values": [[1.0, None], [3.0, 4.0]],
            "caption": "What it shows.",
        }
    ],
}


def tables(page):
    """The tables of a page: for each row the number of its cells; an escaped bar ends no cell."""
    found = [[]]
    for line in page.splitlines():
        if line.startswith("|"):
            found[-1].append(len(re.findall(r"(?<!\\)\|", line)) - 1)
        elif found[-1]:
            found.append([])
    return [rows for rows in found if rows]


def pages():
    return [page for page in (PROJECT / "docs" / "reproductions").rglob("*.md") if page.name != "README.md"]


class ReproductionPage(unittest.TestCase):
    def page(self, result):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "result.json").write_text(json.dumps(result))
            done = subprocess.run([sys.executable, TOOL, folder], capture_output=True, text=True, check=True)
            return done.stdout

    def test_bars_in_cells_do_not_make_columns(self):
        self.assertEqual(tables(self.page(RESULT)), [[6] * 4, [3] * 4])

    def test_the_command_says_what_was_run(self):
        full, quick = self.page(RESULT), self.page(RESULT | {"full": False})
        self.assertIn("The full form, made by\n", full)
        self.assertIn("alembert reproduce x --full --out x.out\ntools/reproduction-page x.out > docs/reproductions/full/x.md\n", full)
        self.assertIn("The quick form, made by\n", quick)
        self.assertIn("alembert reproduce x --out x.out\ntools/reproduction-page x.out > docs/reproductions/x.md\n", quick)

    def test_claims_have_state_and_source(self):
        page = self.page(RESULT)
        self.assertIn("| rate | 2 | 3 | 3 +- 0.5 | differs: other data | Paper2000, table 1 |", page)
        self.assertIn("2 claims: 0 reproduced, 1 differs, 1 beyond the source; 0 not kept.", page)
        broken = [RESULT["claims"][0] | {"ok": False}]
        self.assertIn("**not kept**", self.page(RESULT | {"claims": broken}))

    def test_the_index_counts_the_states_of_the_pages(self):
        folder = PROJECT / "docs" / "reproductions"
        done = subprocess.run([sys.executable, TOOL, "--index", folder], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, (folder / "README.md").read_text(), "make the index anew")
        for page in pages():
            self.assertIn(f"({page.relative_to(folder)})", done.stdout)

    def test_every_reproduction_has_a_page(self):
        names = re.findall(r'^      {"([\w-]+)"', (PROJECT / "reproductions" / "registry.cpp").read_text(), re.M)
        self.assertGreater(len(names), 10)
        made = {page.stem for page in pages()}
        for name in names:
            self.assertIn(name, made)
        for page in pages():
            option = " --full" if page.parent.name == "full" else ""
            self.assertIn(f"alembert reproduce {page.stem}{option} --out", page.read_text())

    def test_every_difference_has_its_reason(self):
        for page in pages():
            self.assertNotIn("no reason is known", page.read_text(), page.name)

    def test_captions_follow_their_table(self):
        self.assertIn("| 0.2 | 3 | 4 |\n\nWhat it shows.", self.page(RESULT))

    def test_pages_of_the_project_have_even_rows(self):
        self.assertTrue(pages())
        for page in pages():
            for rows in tables(page.read_text()):
                self.assertEqual(set(rows), {rows[0]}, page.name)


if __name__ == "__main__":
    unittest.main()
