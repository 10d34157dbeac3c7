"""Bars of long calls, in a terminal, in a notebook and in a file; with tqdm and without."""

import contextlib
import importlib.util
import io
import sys
import time
import unittest
import unittest.mock
import warnings

import alembert


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Notebook(io.StringIO):
    pass


Notebook.__module__ = "ipykernel.iostream"


def written(stream, call, tqdm=False):
    without = {} if tqdm else {"tqdm": None, "tqdm.auto": None}
    with unittest.mock.patch.dict(sys.modules, without), contextlib.redirect_stderr(stream):
        call()
    return stream.getvalue()


def loop(count=40):
    alembert.core.parallel_for(count, lambda i: time.sleep(0.005), threads=1, progress=True)


class Progress(unittest.TestCase):
    def test_a_line_ends_full_in_a_terminal_and_in_a_notebook(self):
        for stream in (Terminal(), Notebook()):
            text = written(stream, loop)
            self.assertGreater(text.count("\r"), 1)
            self.assertTrue(text.endswith(f"\rparallel_for [{'#' * 30}] 40/40\n"), text)

    def test_a_file_gets_no_bar(self):
        self.assertEqual(written(io.StringIO(), loop), "")

    def test_a_call_that_is_stopped_ends_its_line(self):
        def stopped():
            with self.assertRaises(ZeroDivisionError):
                alembert.core.parallel_for(40, fails_late, threads=1, progress=True)

        def fails_late(i):
            time.sleep(0.01)
            return 1 // (20 - i)

        self.assertRegex(written(Terminal(), stopped), r"\.\] \d+/40\n$")

    @unittest.skipUnless(importlib.util.find_spec("tqdm"), "tqdm is not installed")
    def test_tqdm_ends_full_and_warns_of_nothing(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            text = written(Terminal(), loop, tqdm=True)
        self.assertRegex(text.splitlines()[-1], r"parallel_for: 100%.*40/40")


if __name__ == "__main__":
    unittest.main()
