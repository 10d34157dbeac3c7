"""Dicts as TOML text."""

import datetime
import functools
import math
import re

import numpy

_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def text(value):
    """A text with quotes."""
    letters = (_ESCAPES.get(c) or (f"\\u{ord(c):04x}" if ord(c) < 32 or ord(c) == 127 else c) for c in value)
    return '"' + "".join(letters) + '"'


def key(name):
    """The name of a key, quoted where it must be."""
    if not isinstance(name, str):
        raise TypeError(f"names of keys must be texts, got {type(name).__name__}")
    return name if _BARE.match(name) else text(name)


def _number(value):
    value = float(value)
    if math.isnan(value):
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    written = repr(value)
    return written if "." in written or "e" in written else written + ".0"


def value(item):
    """A value on one line."""
    if isinstance(item, (bool, numpy.bool_)):
        return "true" if item else "false"
    if isinstance(item, (int, numpy.integer)):
        return str(int(item))
    if isinstance(item, (float, numpy.floating)):
        return _number(item)
    if isinstance(item, str):
        return text(item)
    if hasattr(type(item), "__members__"):
        return text(item.value)
    if isinstance(item, numpy.ndarray):
        return value(item.tolist())
    if isinstance(item, (list, tuple)):
        return "[" + ", ".join(map(value, item)) + "]"
    if isinstance(item, dict):
        return "{" + ", ".join(f"{key(name)} = {value(part)}" for name, part in item.items()) + "}"
    if isinstance(item, (datetime.date, datetime.datetime)):
        return item.isoformat()
    if hasattr(item, "__fspath__"):
        return text(str(item))
    raise TypeError(f"a study cannot hold a {type(item).__name__}")


def document(tables):
    """The tables of a study as TOML."""
    lines = [f"{key(name)} = {value(item)}" for name, item in tables.items() if not isinstance(item, dict)]
    for name, table in tables.items():
        if isinstance(table, dict):
            lines += ["", f"[{key(name)}]"]
            lines += [f"{key(inner)} = {value(item)}" for inner, item in table.items() if item is not None]
    return "\n".join(lines).strip("\n") + "\n"


@functools.cache
def _known_keys():
    from ._alembert import study

    return frozenset(study._known_keys())


def with_hyphens(item):
    """Nested dicts with the names of keys as studies write them: max_iterations becomes max-iterations.

    Names of the user's own, of sensors and columns, stay as they are."""
    if isinstance(item, dict):
        return {_with_hyphens(name): with_hyphens(part) for name, part in item.items()}
    return item


def _with_hyphens(name):
    if not isinstance(name, str) or "_" not in name or name in _known_keys():
        return name
    hyphens = name.replace("_", "-")
    return hyphens if hyphens in _known_keys() else name
