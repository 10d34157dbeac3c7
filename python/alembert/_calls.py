"""Functions of the library with the short forms of arguments that Python users write."""

import functools
import re

import numpy

from . import _alembert
from ._context import remember

_RECORDS = ("experiments", "data", "held_back")
_SYMBOLS = ("inputs", "outputs", "parameters", "units")


def _is_mapping(value):
    return isinstance(value, dict)


def _experiment(value):
    if _is_mapping(value) and "output" in value and "input" not in value:
        value = {"input": numpy.zeros((len(value["output"]), 0)), **value}
    return value


def experiments(value):
    """A list of experiments from one or several."""
    if _is_mapping(value) or isinstance(value, _alembert.identify.Experiment):
        value = [value]
    return [_experiment(one) for one in value] if isinstance(value, (list, tuple)) else value


def parameters(value):
    """A list of parameters from a dict of guesses or of dicts."""
    if not _is_mapping(value):
        return value
    return [{"name": name, **(given if _is_mapping(given) else {"guess": given})} for name, given in value.items()]


def setup(value):
    """What is known of the names of equations, with plain texts for symbols and dicts for values."""
    if not _is_mapping(value):
        return value
    made = dict(value)
    for name in _SYMBOLS:
        if name in made and not isinstance(made[name], str) and not _is_mapping(made[name]):
            made[name] = [{"name": one} if isinstance(one, str) else one for one in made[name]]
    if _is_mapping(made.get("units")):
        made["units"] = [{"name": name, "unit": unit} for name, unit in made["units"].items()]
    if _is_mapping(made.get("constants")):
        made["constants"] = [{"name": name, "value": number} for name, number in made["constants"].items()]
    if _is_mapping(made.get("starts")):
        made["starts"] = [{"state": name, "value": str(start)} for name, start in made["starts"].items()]
    return made


def _values(value):
    """Numbers of parameters from a dict, in its order."""
    return list(value.values()) if _is_mapping(value) else value


_FORMS: dict = {**dict.fromkeys(_RECORDS, experiments), "parameters": parameters, "setup": setup}


def names_in(function):
    """The names of the arguments of a function, in their order."""
    text = getattr(function, "__text_signature__", None) or ""
    return re.findall(r"[(,] *(?!\*)\$?([A-Za-z_][A-Za-z_0-9]*)", text)


def _are_arrays(u, y):
    """Two arrays of numbers, or lists of them; not lists of experiments."""
    return all(isinstance(one, numpy.ndarray) or isinstance(one, (list, tuple)) and len(one) > 0
               and isinstance(one[0], (int, float, list, tuple, numpy.ndarray, numpy.number)) for one in (u, y))


def _refuse_turned(function, u, y):
    """More channels than samples cannot be identified: the arrays are turned, or too short."""
    for argument, value in (("input", u), ("output", y)):
        shape = value.shape if isinstance(value, numpy.ndarray) else ()
        if len(shape) == 2 and shape[1] > shape[0] > 0:
            rule = "must be samples x channels, with more samples than channels"
            error = _alembert.InvalidInput(f"{function}: {argument} {rule}, got {shape[0]} x {shape[1]} (turned? use .T)")
            error.function, error.item, error.argument = function, "", argument
            error.rule, error.value = rule, f"{shape[0]} x {shape[1]}"
            raise error


def _from_arrays(function, names, arguments, keywords):
    """(u, y, step=...) in place of a list of experiments; (u, y, step) where the step is an argument of its own."""
    if names[:2] == ["experiments", "step"]:
        if len(arguments) < 2 or isinstance(arguments[0], (list, tuple)) and isinstance(
                arguments[0][0], (dict, _alembert.signal.InputOutput)):
            return arguments
        return ([{"inputs": arguments[0], "outputs": arguments[1]}], *arguments[2:])
    if names[0] not in _RECORDS or len(arguments) < 2:
        return arguments
    if "step" not in keywords:
        if not _are_arrays(*arguments[:2]):
            return arguments
        raise TypeError(f"{function}: two arrays need the keyword \"step\", the time between two samples in s")
    u, y, *rest = arguments
    _refuse_turned(function, u, y)
    record = _alembert.identify.Experiment(
        input=u, output=y, step=keywords.pop("step"), start_time=keywords.pop("start_time", 0.0))
    return ([record], *rest)


def _remembered(names, bound):
    """What reports need of the arguments."""
    kept = {}
    if names[:2] == ["experiments", "step"]:
        return kept
    for name in ("experiments", "data", "held_back"):
        if name in bound and bound[name]:
            made = [one if isinstance(one, _alembert.identify.Experiment) else _alembert.identify.Experiment(**one)
                    for one in bound[name]]
            kept["held_back" if name == "held_back" else "experiments"] = made
    if "equations" in bound and "setup" in bound:
        made = bound["setup"]
        made = _alembert.model.EquationSetup(**made) if _is_mapping(made) else made
        if not made.parameters and "parameters" in bound:
            given = [one["name"] if _is_mapping(one) else one.name for one in bound["parameters"]]
            made = _alembert.model.EquationSetup(**{
                name: getattr(made, name) for name in type(made).__fields__ if name != "parameters"},
                parameters=[{"name": name} for name in given])
        kept.update(equations=bound["equations"], setup=made)
    for name in ("time", "readings"):
        if name in bound:
            kept[name] = bound[name]
    if "records" in bound and "equation" in bound:
        kind = _alembert.identify.AccelerationRecord
        kept.update(equation=bound["equation"],
                    records=[one if isinstance(one, kind) else kind(**one) for one in bound["records"]],
                    options=bound.get("options") or {})
    return kept


def prepared(function):
    """The function with the short forms; itself where no argument has one."""
    names = names_in(function)
    if isinstance(function, type) or not callable(function) or not {*_FORMS, "records", "readings"} & set(names):
        return function

    @functools.wraps(function)
    def call(*arguments, **keywords):
        __tracebackhide__ = True  # notebooks show the call of the user
        arguments = _from_arrays(function.__name__, names, arguments, keywords)
        arguments = [_FORMS.get(name, lambda given: given)(value) for name, value in zip(names, arguments)] + list(
            arguments[len(names):])
        keywords = {name: _FORMS[name](value) if name in _FORMS and name in names else value
                    for name, value in keywords.items()}
        result = function(*arguments, **keywords)
        if hasattr(type(result), "__fields__"):
            remember(result, **_remembered(names, {**dict(zip(names, arguments)), **keywords}))
        return result

    call.__text_signature__ = function.__text_signature__
    return call
