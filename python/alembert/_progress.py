"""Bars for long calls: tqdm where it is installed, else a line of our own."""

import sys


class _Line:
    def __init__(self, name):
        self.name = name

    def __call__(self, done, total):
        if not sys.stderr.isatty():
            return
        share = done / max(total, 1)
        filled = int(30 * share)
        end = "\n" if done >= total else ""
        sys.stderr.write(f"\r{self.name} [{'#' * filled}{'.' * (30 - filled)}] {done}/{total}{end}")
        sys.stderr.flush()


class _Tqdm:
    def __init__(self, name, kind):
        self.bar = kind(desc=name)

    def __call__(self, done, total):
        self.bar.total = total
        self.bar.update(done - self.bar.n)
        if done >= total:
            self.bar.close()


def bar(name):
    """A callable (done, total)."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _Line(name)
    return _Tqdm(name, tqdm)
