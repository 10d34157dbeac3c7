"""What all structs of the library can do in Python: print, compare, become dicts and tables, draw, pickle."""

import functools
import html
import types

import numpy

from . import _alembert, _tables
from ._documents import document_of, fields_of
from ._hints import missing_field


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


@functools.cache
def _can_be_rebuilt(kind):
    """Whether objects of a class can be made anew by _rebuild(), or say themselves how."""
    if not kind.__module__.startswith("alembert") or "__members__" in vars(kind):
        return True
    if not fields_of(kind):
        return "__reduce__" in vars(kind)
    try:
        kind()
    except TypeError:
        return False
    return True


def _is_kept(value):
    """Whether a field can be pickled; compiled models and callbacks cannot, and are left out."""
    if isinstance(value, tuple):
        return all(map(_is_kept, value))
    return value is not None and not callable(value) and _can_be_rebuilt(type(value))


def _reduce(self):
    values = {name: getattr(self, name) for name in fields_of(type(self))}
    return _rebuild, (type(self), {name: value for name, value in values.items() if _is_kept(value)})


def _mechanism(description):
    return _alembert.model.planar.Mechanism(description)


def _reduce_mechanism(self):
    return _mechanism, (self.description(),)


def _time_axis(uniform, times, step):
    made = _alembert.signal.TimeAxis
    return made.uniform(len(times), step, times[0] if len(times) else 0.0) if uniform else made.given(times)


def _reduce_time(self):
    return _time_axis, (self.is_uniform(), self.times(), self.step() if self.is_uniform() else 0.0)


def _reduce_record(self):
    return type(self), (self.time(), self.channels(), self.samples(), self.title())


def _record_repr(self):
    names = ", ".join(channel.name for channel in self.channels())
    return f"Record({self.size()} samples of {names})"


def _html_table(self):
    rows = "".join(
        f"<tr><th style='text-align: left'>{html.escape(name)}</th>"
        f"<td style='text-align: left'><code>{html.escape(_short(getattr(self, name)))}</code></td></tr>"
        for name in fields_of(type(self)))
    return f"<table><caption>{html.escape(type(self).__name__)}</caption>{rows}</table>"


def framed(page):
    """A page of HTML inside another one."""
    return (f'<iframe srcdoc="{html.escape(page, quote=True)}" style="width: 100%; height: 40em; '
            f'border: 1px solid #ccc" sandbox="allow-scripts" title="report"></iframe>')


def _repr_html(self):
    """The report of a result that has plots, else a table of the fields."""
    document = document_of(self)
    return _html_table(self) if document is None else framed(_alembert.report.render_html(document))


def _report(self):
    """The page of the report as HTML, to be written to a file."""
    document = document_of(self)
    if document is None:
        raise ValueError(f"report: {type(self).__name__} has no plots and no report")
    return _alembert.report.render_html(document)


def _plot(self, name=None, axes=None):
    """Draws the plots of the report by matplotlib and returns their axes.

    ``name`` chooses: "frf", "modes", "residuals", "bands", "fit", or the id of one plot; an unknown one lists all.
    ``axes`` is where the first of them goes."""
    from ._plain_documents import mode_plots
    from ._plots import draw_document

    return draw_document(document_of(self), name, axes, mode_plots(self))


def _summary(self):
    """The fields that differ from their defaults, as text."""
    return repr(self)


_summary.is_plain = True  # type: ignore[attr-defined]


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
        kind.__getattr__ = missing_field
        if "__eq__" not in vars(kind):
            kind.__eq__ = _equal
            kind.__hash__ = None
        kind.to_dict = _to_dict
        kind.__reduce__ = _reduce
        kind._repr_html_ = _repr_html
        kind.plot = _plot
        if not hasattr(kind, "report"):
            kind.report = _report
        kind.to_pandas = _tables.to_pandas
        kind.to_xarray = _tables.to_xarray
        if not hasattr(kind, "summary"):
            kind.summary = _summary


def _all_classes(scope):
    for value in list(vars(scope).values()):
        if isinstance(value, type) and value.__module__.startswith("alembert") and value is not scope:
            yield value
            yield from _all_classes(value)
        elif isinstance(value, types.ModuleType) and value.__name__.startswith("alembert."):
            yield from _all_classes(value)


for _kind in set(_all_classes(_alembert)):
    _prepare(_kind)
_Mechanism = _alembert.model.planar.Mechanism
_Mechanism.__reduce__ = _reduce_mechanism
_Mechanism.__repr__ = lambda self: f"Mechanism({', '.join(self.bodies())}; {self.sensors()} sensors)"
_alembert.signal.TimeAxis.__reduce__ = _reduce_time
_Record = _alembert.signal.Record
_Record.__reduce__, _Record.__repr__, _Record.plot = _reduce_record, _record_repr, _plot
_Record.to_pandas, _Record.to_xarray = _tables.to_pandas, _tables.to_xarray
