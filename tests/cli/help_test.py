"""Help pages, completion scripts, usage errors."""

import re
import subprocess
import sys
import unittest

from tool import PROJECT, TOOL, ToolTest, run

COMMANDS = ["run", "observe", "tune", "export", "check", "new", "info", "convert", "open", "compare", "doctor", "reproduce", "keys", "completion"]


class Help(ToolTest):
    def test_pages_fit_eighty_columns_and_have_an_example(self):
        for arguments in [[], *([command] for command in COMMANDS)]:
            with self.subTest(arguments=arguments):
                process = run(*arguments, "--help")
                self.assert_exit(process, 0)
                self.assertEqual(process.stderr, "")
                for line in process.stdout.splitlines():
                    self.assertLessEqual(len(line), 80, line)
                    self.assertEqual(line, line.rstrip(), line)
                self.assertIn("usage: alembert", process.stdout)
                self.assertIn("examples:\n  ", process.stdout)

    def test_main_page_lists_every_command(self):
        page = run("--help").stdout
        for command in COMMANDS:
            self.assertIn(f"\n  {command} ", page)

    def test_help_is_also_a_word(self):
        self.assertEqual(run("help").stdout, run("--help").stdout)
        self.assertEqual(run("help", "run").stdout, run("run", "--help").stdout)

    def test_version(self):
        process = run("--version")
        self.assert_exit(process, 0)
        self.assertRegex(process.stdout, r"^alembert \d+\.\d+\.\d+\ncommit ([0-9a-f]{7,40}\+?|unknown)\ncompiler .+\nlibraries Eigen \d")

    def test_usage_errors_are_one_line_with_a_suggestion(self):
        cases = [
            (["rnu", "x.toml"], 'unknown command "rnu"; did you mean run?'),
            (["frobnicate"], "commands: run, observe, tune, export, check"),
            (["run", "x.toml", "--thread", "4"], "unknown option --thread; did you mean --threads?"),
            (["--versoin"], "did you mean --version?"),
            (["run"], "STUDY is required"),
            ([], "a command is needed"),
            (["run", "x.toml", "--threads", "many"], "--threads"),
            # A negative number is the value of an option, not an option.
            (["run", "x.toml", "--threads", "-3"], "--threads: Value -3 not in range"),
            (["run", "a.toml", "b.toml"], "b.toml"),
            (["completion", "csh"], "SHELL"),
            (["new", "simulte"], 'did you mean "simulate"?'),
            (["reproduce", "discretization"], 'did you mean "discretisation"?'),
            (["keys", "simulat"], 'did you mean "simulate"?'),
        ]
        for arguments, expected in cases:
            with self.subTest(arguments=arguments):
                process = run(*arguments)
                self.assert_exit(process, 2)
                self.assertEqual(len(process.stderr.splitlines()), 1, process.stderr)
                self.assertIn(expected, process.stderr)
                self.assertEqual(process.stdout, "")


class Reference(ToolTest):
    def test_every_command_and_option_is_documented(self):
        process = subprocess.run(
            [sys.executable, PROJECT / "tools/command-reference", TOOL, "--check"], capture_output=True, text=True
        )
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        page = (PROJECT / "docs/commands.md").read_text(encoding="utf-8")
        guide = (PROJECT / "docs/command-line.md").read_text(encoding="utf-8")
        for command in COMMANDS:
            self.assertIn(f"alembert {command}", guide)
            part = page.split(f"## alembert {command}\n")[1].split("\n## ")[0]
            for option in re.findall(r"(?<!\S)--[a-z-]+", run(command, "--help").stdout.split("examples:")[0]):
                self.assertIn(option, part, command)


class Keys(ToolTest):
    def test_the_document_is_what_the_tool_prints(self):
        printed = run("keys", "--markdown").stdout
        self.assertIn(printed, (PROJECT / "docs/study.md").read_text(encoding="utf-8"))

    def test_one_table(self):
        process = run("keys", "simulate.sensors")
        self.assert_exit(process, 0)
        self.assertIn("\n  sigma ", process.stdout)
        self.assertNotIn("[model]", process.stdout)


class Completion(ToolTest):
    def test_bash_script_completes(self):
        script = self.write("completion.bash", run("completion", "bash").stdout)
        subprocess.run(["bash", "-n", script], check=True)
        self.write("a.toml", "")
        self.write("b.csv", "")

        def complete(*words):
            program = (
                f"source {script}\nCOMP_WORDS=({' '.join(repr(word) for word in words)})\n"
                f"COMP_CWORD={len(words) - 1}\n_alembert\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n"
            )
            process = subprocess.run(
                ["bash", "-c", program], cwd=self.folder, capture_output=True, text=True, check=True
            )
            return process.stdout.split()

        self.assertEqual(complete("alembert", "re"), ["reproduce"])
        self.assertEqual(complete("alembert", "run", "--th"), ["--threads"])
        self.assertEqual(complete("alembert", "run", ""), ["a.toml"])
        self.assertEqual(complete("alembert", "run", "--quiet", ""), ["a.toml"])
        self.assertEqual(complete("alembert", "run", "--threads", ""), [])
        self.assertEqual(complete("alembert", "info", "--dataset", "d"), [])
        self.assertEqual(complete("alembert", "new", "s"), ["simulate", "simulate-flexible", "state-space", "simulate-mechanism"])
        self.assertIn("b.csv", complete("alembert", "info", ""))
        self.assertEqual(complete("alembert", "reproduce", "disc"), ["discretisation"])
        self.assertEqual(complete("alembert", "completion", ""), ["bash", "zsh", "fish"])
        self.assertEqual(complete("alembert", "open", "a"), [])
        self.assertEqual(complete("alembert", "keys", "simulate.st"), ["simulate.start"])

    def test_zsh_script_is_valid(self):
        text = run("completion", "zsh").stdout
        self.assertTrue(text.startswith("#compdef alembert\n"))
        for command in COMMANDS:
            self.assertIn(f"        {command})\n", text)
        subprocess.run(["zsh", "-n", self.write("_alembert", text)], check=True)

    def test_fish_script_names_every_command_and_option(self):
        text = run("completion", "fish").stdout
        for command in COMMANDS:
            self.assertIn(f"__fish_use_subcommand -a {command} ", text)
            for option in re.findall(r"^  --([a-z-]+)", run(command, "--help").stdout, re.M):
                self.assertRegex(text, rf"from {command}' -l {option}\b")
        # Quotes are closed on every line: inside of them a backslash takes the next letter as it is.
        for line in text.splitlines():
            self.assertEqual(re.sub(r"'([^'\\]|\\.)*'", "", line).count("'"), 0, line)


if __name__ == "__main__":
    unittest.main(verbosity=2)
