"""Bars for long calls: tqdm where it is installed, else a line of our own."""

import sys
import warnings


def _shows_lines(stream):
    """A terminal or a notebook: both go back to the start of the line at \\r."""
    return stream.isatty() or type(stream).__module__.startswith("ipykernel")


class _Line:
    def __init__(self, name):
        self.name, self.stream = name, None

    def __call__(self, done, total):
        if not _shows_lines(sys.stderr):
            return
        self.stream = sys.stderr
        filled = int(30 * min(done / max(total, 1), 1.0))
        self._write(f"\r{self.name} [{'#' * filled}{'.' * (30 - filled)}] {done}/{total}")

    def __del__(self):
        # The call is over. An iteration ends before it has taken all the steps that it may take, or by Ctrl-C.
        if self.stream is not None:
            self._write("\n")

    def _write(self, text):
        self.stream.write(text)
        self.stream.flush()


class _Tqdm:
    def __init__(self, name, kind):
        self.bar = kind(desc=name)

    def __call__(self, done, total):
        self.bar.total = total
        self.bar.update(done - self.bar.n)

    def __del__(self):
        self.bar.refresh()
        self.bar.close()


def bar(name):
    """A callable (done, total), whose end is the end of the call."""
    try:
        with warnings.catch_warnings():
            # In a notebook without ipywidgets tqdm warns and then draws its bar as text, which is what is wanted.
            warnings.simplefilter("ignore")
            from tqdm.auto import tqdm
    except ImportError:
        return _Line(name)
    return _Tqdm(name, tqdm)
