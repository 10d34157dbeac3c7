"""Leaves a test for which a part of the browser is missing."""
import os
import sys

SKIPPED = 77


def leave_if_missing(programs):
    """Skips the whole test unless the programs and selenium are there."""
    missing = [name for name, path in programs.items() if not os.access(path, os.X_OK)]
    try:
        import selenium  # noqa: F401
    except ImportError:
        missing.append("selenium")
    if missing:
        print(f"skipped: {', '.join(missing)} is missing")
        sys.exit(SKIPPED)
