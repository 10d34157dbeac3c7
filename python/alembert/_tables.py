"""Results as tables of pandas and datasets of xarray, where these are installed."""

import numpy

from . import _alembert

_signal = _alembert.signal


def _rows(items):
    return [item.to_dict() for item in items]


def lists_of_groups(tree, path=""):
    """Lists of dicts inside nested dicts, with their dotted names."""
    for name, item in tree.items():
        place = f"{path}{name}"
        if isinstance(item, dict):
            yield from lists_of_groups(item, place + ".")
        elif isinstance(item, (list, tuple)) and len(item) and all(isinstance(row, dict) for row in item):
            yield place, item


def record_frame(record):
    """The channels of a record, by time."""
    import pandas  # type: ignore

    index = pandas.Index(record.time().times(), name="time")
    return pandas.DataFrame(record.samples(), index=index, columns=[c.name for c in record.channels()])


def struct_frames(value):
    """Tables of a result as a dict of DataFrames: lists of structs, and matrices with rows that belong together."""
    import pandas  # type: ignore

    tree = value.to_dict()
    frames = {name: pandas.json_normalize(rows) for name, rows in lists_of_groups(tree)}
    for name, item in tree.items():
        if isinstance(item, numpy.ndarray) and item.ndim == 2 and item.size and item.dtype.kind != "c":
            columns = getattr(value, "names", None)
            known = isinstance(columns, tuple) and len(columns) == item.shape[1]
            frames[name] = pandas.DataFrame(item, columns=list(columns) if known else None)
    return frames


def _arrays(tree, path=""):
    for name, item in tree.items():
        place = f"{path}{name}"
        if isinstance(item, dict):
            yield from _arrays(item, place + ".")
        elif isinstance(item, numpy.ndarray) and item.size:
            yield place, item
        elif isinstance(item, list) and item and all(isinstance(one, numpy.ndarray) for one in item):
            if len({one.shape for one in item}) == 1:
                yield place, numpy.array(item)


def record_dataset(record):
    """The channels of a record as variables over the time."""
    import xarray  # type: ignore

    samples = record.samples()
    return xarray.Dataset(
        {c.name: ("time", samples[:, j], {"units": c.unit}) for j, c in enumerate(record.channels())},
        coords={"time": ("time", record.time().times(), {"units": "s"})}, attrs={"title": record.title()})


def frf_dataset(found):
    """Responses, deviations and coherence over frequency, output and input."""
    import xarray  # type: ignore

    axes = ("frequency", "output", "input")
    cubes = {name: (axes, numpy.array(getattr(found, name))) for name in
             ("response", "ordinary_coherence", "magnitude_deviation", "phase_deviation") if getattr(found, name)}
    return xarray.Dataset({**cubes, "multiple_coherence": (axes[:2], found.multiple_coherence)},
                          coords={"frequency": ("frequency", found.frequencies_hz, {"units": "Hz"})})


def struct_dataset(value):
    """All arrays of a result; those of equal size share no axis, since only their names say what they count."""
    import xarray  # type: ignore

    return xarray.Dataset({
        name: (tuple(f"{name}_{axis}" for axis in range(item.ndim)), item) for name, item in _arrays(value.to_dict())})


def to_pandas(self):
    """A DataFrame of a record; of a result a dict of DataFrames, by the names of its fields."""
    return record_frame(self) if isinstance(self, _signal.Record) else struct_frames(self)


def to_xarray(self):
    """A Dataset of xarray with all arrays."""
    if isinstance(self, _signal.Record):
        return record_dataset(self)
    if isinstance(self, _signal.FrfResult):
        return frf_dataset(self)
    return struct_dataset(self)
