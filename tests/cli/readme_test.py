"""README as a newcomer pastes it: every line of the shell and every study, one after another, in an empty folder."""

import os
import re
import subprocess
import unittest

from tool import PROJECT, TOOL, ToolTest

# Lines that build the tool: the tests have it already.
BUILDING = ("./quickstart", "export PATH")


def blocks():
    """Code of README in its order: language, text, and the words before it."""
    text = (PROJECT / "README.md").read_text(encoding="utf-8")
    end = 0
    for found in re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.M | re.S):
        yield found.group(1), found.group(2), text[end : found.start()]
        end = found.end()


class Readme(ToolTest):
    def paste(self, line):
        environment = dict(os.environ, PATH=f"{os.path.dirname(TOOL)}:{os.environ['PATH']}")
        done = subprocess.run(["bash", "-c", line], cwd=self.folder, env=environment, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, f"{line}\n{done.stdout}{done.stderr}")
        return done.stdout

    def test_every_line_of_the_shell_works_in_its_order(self):
        lines = [line for kind, text, _ in blocks() if kind == "sh" for line in text.splitlines()]
        self.assertEqual([line for line in lines if line.startswith("./")], ["./quickstart"])
        shown = [self.paste(line) for line in lines if not line.startswith(BUILDING)]
        self.assertGreaterEqual(len(shown), 5)
        self.assertIn("verdict    good", shown[-1])
        self.assertTrue((self.folder / "identify.out/report.html").exists())

    def test_every_study_runs_under_the_name_that_the_text_gives_it(self):
        ran = 0
        for kind, text, before in blocks():
            if kind != "toml":
                continue
            name = re.findall(r"Put this in `([\w-]+\.toml)`", before)[-1]
            (self.folder / name).write_text(text)
            self.assertIn("verdict    good", self.paste(f"alembert run {name}"))
            ran += 1
        self.assertGreaterEqual(ran, 2)


if __name__ == "__main__":
    unittest.main()
