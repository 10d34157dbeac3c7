"""What all structs of the library can do in Python: print, compare, become dicts, pickle."""

import types

import numpy

from . import _alembert


def fields_of(kind):
    """Names of all fields of a class, those of its bases first."""
    names = []
    for cls in reversed(kind.__mro__):
        names.extend(cls.__dict__.get("__fields__", ()))
    return names


def _plain(value):
    if hasattr(type(value), "__fields__"):
        return {name: _plain(getattr(value, name)) for name in fields_of(type(value))}
    if hasattr(type(value), "__members__"):
        return value.value
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, numpy.ndarray):
        return value.copy()
    return value


def _short(value):
    if isinstance(value, numpy.ndarray):
        if value.size <= 12:
            return numpy.array2string(value, separator=", ", precision=6, max_line_width=10**9).replace("\n", "")
        return f"<array {' x '.join(map(str, value.shape))}>"
    if isinstance(value, tuple) and len(value) > 4:
        return f"<{len(value)} x {type(value[0]).__name__}>"
    if isinstance(value, tuple):
        return "(" + ", ".join(map(_short, value)) + ("," if len(value) == 1 else "") + ")"
    if hasattr(type(value), "__fields__"):
        return f"{type(value).__name__}(...)"
    text = repr(value)
    return text if len(text) <= 70 else text[:67] + "..."


def _repr(self):
    """One line for each field that differs from its default."""
    shown = []
    try:
        default = type(self)()
    except TypeError:
        default = None
    for name in fields_of(type(self)):
        value = getattr(self, name)
        if default is None or not _same(value, getattr(default, name)):
            shown.append(f"{name}={_short(value)}")
    inside = ", ".join(shown)
    if len(inside) > 90:
        inside = "\n    " + ",\n    ".join(shown)
    return f"{type(self).__name__}({inside})"


def _same(a, b):
    if isinstance(a, numpy.ndarray) or isinstance(b, numpy.ndarray):
        a, b = numpy.asarray(a), numpy.asarray(b)
        return a.shape == b.shape and a.dtype.kind == b.dtype.kind and bool(
            numpy.array_equal(a, b, equal_nan=a.dtype.kind in "fc"))
    if isinstance(a, float) and isinstance(b, float):
        return a == b or (a != a and b != b)
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(_same, a, b))
    return type(a) is type(b) and bool(a == b)


def _equal(self, other):
    if type(self) is not type(other):
        return NotImplemented
    return all(_same(getattr(self, name), getattr(other, name)) for name in fields_of(type(self)))


def _to_dict(self):
    """All fields as dicts, lists, arrays, numbers and texts."""
    return _plain(self)


def _rebuild(kind, values):
    made = kind()
    for name, value in values.items():
        setattr(made, name, value)
    return made


def _reduce(self):
    values = {name: getattr(self, name) for name in fields_of(type(self))}
    return _rebuild, (type(self), {name: value for name, value in values.items() if value is not None})


def _keys(self):
    return fields_of(type(self))


def _enum_repr(self):
    return f"{type(self).__name__}.{self.name}"


def _enum_reduce(self):
    return type(self), (self.value,)


def _prepare(kind):
    if "__members__" in vars(kind):
        kind.__repr__ = _enum_repr
        kind.__reduce__ = _enum_reduce
        return
    if fields_of(kind):
        kind.__repr__ = _repr
        if "__eq__" not in vars(kind):
            kind.__eq__ = _equal
            kind.__hash__ = None
        kind.to_dict = _to_dict
        kind.__reduce__ = _reduce


def _all_classes(scope):
    for value in list(vars(scope).values()):
        if isinstance(value, type) and value.__module__.startswith("alembert") and value is not scope:
            yield value
            yield from _all_classes(value)
        elif isinstance(value, types.ModuleType) and value.__name__.startswith("alembert."):
            yield from _all_classes(value)


for _kind in set(_all_classes(_alembert)):
    _prepare(_kind)
