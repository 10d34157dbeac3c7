"""Ends a test for which a part of the browser is missing: a page that nobody looked at has not passed."""
import os
import sys


def fail_if_missing(programs):
    """Fails the whole test unless the programs and selenium are there."""
    missing = [name for name, path in programs.items() if not os.access(path, os.X_OK)]
    try:
        import selenium  # noqa: F401
    except ImportError:
        missing.append("selenium")
    if missing:
        sys.exit(f"{', '.join(missing)} is missing: tools/install-packages test")
