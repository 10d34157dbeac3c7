"""What a name that is not there may have meant."""

import difflib
import sys

from ._documents import fields_of

_DEEPEST = 3


def _parts_with(value, name, path, depth):
    """Paths of the fields of that name in the parts of a struct, those near the top first."""
    parts = [(field, getattr(value, field)) for field in fields_of(type(value))]
    parts = [(field, part) for field, part in parts if hasattr(type(part), "__fields__")]
    for field, part in parts:
        if name in fields_of(type(part)):
            yield f"{path}{field}.{name}"
    for field, part in parts if depth < _DEEPEST else []:
        yield from _parts_with(part, name, f"{path}{field}.", depth + 1)


def _near(name, names):
    return difflib.get_close_matches(name, [one for one in names if not one.startswith("_")], 1)


def missing_field(self, name):
    """The AttributeError of a struct: where a part has the name, or the nearest name."""
    text = f"{type(self).__name__} has no attribute {name!r}"
    if not name.startswith("_"):
        found = sorted(_parts_with(self, name, ".", 1), key=lambda path: path.count("."))[:3]
        near = _near(name, dir(type(self)))
        text += f"; there is {', '.join(found)}" if found else f"; did you mean {near[0]!r}?" if near else ""
    raise AttributeError(text)


def missing_name(module):
    """The function __getattr__ of a module: it names the module that has the name, or the nearest name."""

    def __getattr__(name):
        text = f"module {module!r} has no attribute {name!r}"
        if not name.startswith("_"):
            others = [one for one in sys.modules if one.startswith("alembert.") and not one.startswith("alembert._")]
            found = [one for one in sorted(others) if name in vars(sys.modules[one])][:2]
            near = _near(name, vars(sys.modules[module]))
            text += (f"; there is {', '.join(f'{one}.{name}' for one in found)}" if found
                     else f"; did you mean {near[0]!r}?" if near else "")
        raise AttributeError(text)

    return __getattr__
