"""Records from arrays."""

import numpy

from . import _alembert

_signal = _alembert.signal


def record(data, *, step=None, time=None, units=None, title=""):
    """A ``signal.Record`` from a dict of arrays, one for each channel, or from a pandas DataFrame.

    The time is ``step`` in s, or ``time``: an array or the name of a channel.
    """
    if isinstance(data, _signal.Record):
        return data
    if hasattr(data, "to_dict") and hasattr(data, "columns"):
        data = {str(name): data[name].to_numpy() for name in data.columns}
    if not isinstance(data, dict):
        raise TypeError(f"record: data must be a dict of arrays, got {type(data).__name__}")
    channels = dict(data)
    if isinstance(time, str):
        time = channels.pop(time)
    if step is None and time is None:
        raise TypeError("record: needs step in s, or time")
    names = list(channels)
    columns = [numpy.asarray(channels[name], dtype=float).reshape(-1) for name in names]
    sizes = {len(column) for column in columns}
    if len(sizes) > 1:
        raise _alembert.InvalidInput(f"record: channels must have the same length, got {sorted(sizes)}")
    samples = numpy.column_stack(columns) if columns else numpy.zeros((0, 0))
    axis = (_signal.TimeAxis.uniform(samples.shape[0], step) if time is None
            else _signal.TimeAxis.given(time))
    made = [_signal.Channel(name=name, unit=(units or {}).get(name, "")) for name in names]
    return _signal.Record(axis, made, samples, title)


def records(value):
    """A list of records from what a user gives for a file: a record, a dict of arrays, or a list of them."""
    if isinstance(value, (list, tuple)):
        return [one for item in value for one in records(item)]
    if isinstance(value, dict):
        channels = dict(value)
        step = channels.pop("step", None)
        time = channels.pop("time", None)
        units = channels.pop("units", None)
        return [record(channels, step=step, time=time, units=units)]
    return [record(value, time="time")] if not isinstance(value, _signal.Record) else [value]
