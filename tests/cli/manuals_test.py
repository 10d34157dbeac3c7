"""tools/manuals: a page for each command with the words of its help, and completions."""

import gzip
import re
import shutil
import subprocess
import unittest

from tool import PROJECT, TOOL, ToolTest, run


class Manuals(ToolTest):
    def setUp(self):
        super().setUp()
        self.share = self.folder / "share"
        subprocess.run([PROJECT / "tools/manuals", TOOL, self.share], check=True)
        self.commands = re.findall(r"^  ([a-z]+) ", run("--help").stdout.split("commands:")[1].split("options:")[0], re.M)

    def page(self, name):
        return self.share / f"man/man1/{name}.1.gz"

    def test_every_command_has_a_page_with_its_options(self):
        self.assertGreaterEqual(len(self.commands), 12)
        for command in self.commands:
            text = gzip.decompress(self.page(f"alembert-{command}").read_bytes()).decode().replace("\\-", "-")
            for option in re.findall(r"^  (?:-\w, )?(--[a-z-]+)", run(command, "--help").stdout, re.M):
                self.assertIn(f"\\fB{option}\\fR", text, command)
        main = gzip.decompress(self.page("alembert").read_bytes()).decode().replace("\\-", "-")
        for command in self.commands:
            self.assertIn(f"alembert-{command}(1)", main)

    @unittest.skipUnless(shutil.which("groff"), "groff is not there")
    def test_groff_shows_the_pages_without_a_warning(self):
        for page in sorted((self.share / "man/man1").iterdir()):
            source = gzip.decompress(page.read_bytes())
            shown = subprocess.run(
                ["groff", "-man", "-Tutf8", "-ww", "-P-c"], input=source, capture_output=True, check=True
            )
            self.assertEqual(shown.stderr.decode(), "", page.name)
            words = " ".join(re.sub(r"\x1b\[[\d;]*m|.\x08", "", shown.stdout.decode()).split())
            self.assertIn("SYNOPSIS alembert", words)

    def test_the_same_help_gives_the_same_bytes(self):
        again = self.folder / "again"
        subprocess.run([PROJECT / "tools/manuals", TOOL, again], check=True)
        for file in self.share.rglob("*"):
            if file.is_file():
                self.assertEqual(file.read_bytes(), (again / file.relative_to(self.share)).read_bytes(), file.name)

    def test_completions_are_those_of_the_tool(self):
        for shell, place in {
            "bash": "bash-completion/completions/alembert",
            "zsh": "zsh/vendor-completions/_alembert",
            "fish": "fish/vendor_completions.d/alembert.fish",
        }.items():
            self.assertEqual((self.share / place).read_text(encoding="utf-8"), run("completion", shell).stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
