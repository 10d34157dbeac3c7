"""What a terminal shows: lines within its width, colours where it has them; pipes get plain lines."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
import unittest

from tool import TOOL, TWO_MASSES, ToolTest, run

COLOUR = re.compile(r"\x1b\[\d+m")


def on_terminal(*arguments, columns=80, **environment):
    """Exit code and standard output of the tool on a terminal of its own."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    settings = {key: value for key, value in os.environ.items() if key != "NO_COLOR"} | {"TERM": "xterm"} | environment
    process = subprocess.Popen([TOOL, *map(str, arguments)], stdout=its, stderr=subprocess.PIPE, env=settings)
    os.close(its)
    text, end = b"", time.monotonic() + 60
    while time.monotonic() < end:
        if not select.select([ours], [], [], 1.0)[0]:
            continue
        try:
            more = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not more:
            break
        text += more
    os.close(ours)
    process.stderr.read()
    process.stderr.close()
    return process.wait(timeout=60), text.decode().replace("\r\n", "\n")


class Terminal(ToolTest):
    def setUp(self):
        super().setUp()
        self.simulated = self.write("two.toml", TWO_MASSES.replace("[simulate.sensors]", 'u2 = { kind = "spline-noise" }\n[simulate.sensors]'))
        self.study = self.write(
            "identify.toml",
            '[data]\nfile = "two.out/record.csv"\ninputs = ["u1", "u2"]\noutputs = ["y1", "y2"]\n'
            "[model]\ndegrees-of-freedom = 2\n[identify]\n",
        )

    def lines_of(self, text):
        return [line for line in COLOUR.sub("", text).splitlines() if str(self.folder) not in line]

    def test_tasks_fit_eighty_columns_and_narrower_ones(self):
        self.assertEqual(on_terminal("run", self.simulated)[0], 0)
        crank = self.folder / "crank.toml"
        self.assert_exit(run("new", "simulate-mechanism", "-o", crank), 0)
        for study in (self.study, crank):
            for columns in (80, 60):
                code, text = on_terminal("run", study, columns=columns)
                self.assertEqual(code, 0, text)
                # Tables keep their 80 columns; what is wrapped are the lines of words.
                words = [line for line in self.lines_of(text) if re.match(r"  [a-z]+ +\S|             \S", line)]
                for line in words if columns < 80 else self.lines_of(text):
                    if columns == 80 or re.match(r"  (note|warning|study|result) |  {11}[a-z]", line):
                        self.assertLessEqual(len(line), columns, line)
        # The words of a note are all there, in their order.
        plain = next(line for line in run("run", crank).stdout.splitlines() if line.startswith("  note "))
        self.assertGreater(len(plain), 200)
        self.assertIn(" ".join(plain.split()), " ".join(COLOUR.sub("", text).split()))

    def test_colours_are_for_terminals_that_want_them(self):
        code, text = on_terminal("run", self.simulated)
        self.assertEqual(code, 0)
        self.assertIn("verdict    \x1b[32mgood\x1b[0m\n", text)
        for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            code, text = on_terminal("run", self.simulated, **environment)
            self.assertEqual(code, 0)
            self.assertIn("verdict    good\n", text)
            self.assertNotIn("\x1b[3", text)
        self.assertNotIn("\x1b", run("run", self.simulated).stdout)

    def test_what_is_copied_from_a_terminal_is_not_broken(self):
        code, shown = on_terminal("new", "output-error", columns=40)
        self.assertEqual(code, 0)
        self.assertEqual(shown, run("new", "output-error").stdout)

    def test_small_matrices_are_printed(self):
        self.assert_exit(run("run", self.simulated, "--quiet"), 0)
        lines = run("run", self.study).stdout.splitlines()
        for name in "MDK":
            first = next(i for i, line in enumerate(lines) if line.startswith(f"  {name} "))
            # The lower triangle, each entry with its standard deviation.
            self.assertEqual([line.count("+-") for line in lines[first : first + 2]], [1, 2])


if __name__ == "__main__":
    unittest.main(verbosity=2)
