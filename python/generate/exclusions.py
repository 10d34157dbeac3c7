"""What of the C++ interface has no Python name, and why; read from exclusions.txt."""

import fnmatch
from pathlib import Path


class Exclusions:
    """Lines `pattern  reason`; a pattern is a qualified C++ name, `*` stands for any text.

    The first line that fits counts; one whose pattern begins with `!` keeps the name."""

    def __init__(self, file):
        self.lines = []
        self.used = set()
        for line in Path(file).read_text(encoding="utf-8").splitlines():
            if line.strip() and not line.startswith("#"):
                pattern, reason = line.split(None, 1)
                self.lines.append((pattern, reason.strip()))

    def reason(self, name):
        for pattern, reason in self.lines:
            if fnmatch.fnmatchcase(name, pattern.removeprefix("!")):
                self.used.add(pattern)
                return None if pattern.startswith("!") else reason
        return None

    def unused(self):
        return [pattern for pattern, _ in self.lines if pattern not in self.used]
