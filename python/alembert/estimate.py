"""The module ``alembert::estimate`` of the library: filters, observers, smoothers.

Models of one's own: ``EquationObserver(text, setup, parameters, ...)`` runs equations as native code,
``FunctionObserver({"states": [...], "process": f, "output": g}, ...)`` calls Python functions, which is slower by a
factor of ten or more.
"""

from ._calls import _values, prepared, setup as _setup
from ._modules import names_of

globals().update(names_of("estimate"))

for _name in __all__:  # noqa: F821
    globals()[_name] = prepared(globals()[_name])

_observe_record = observe_record  # noqa: F821
_Compiled = EquationObserver  # noqa: F821


def observe_record(observer, *arguments, **keywords):
    found = _observe_record(observer, *arguments, **keywords)
    if isinstance(observer, FunctionObserver):  # noqa: F821
        observer.raise_failure()
    return found


observe_record.__doc__ = _observe_record.__doc__


class EquationObserver(_Compiled):  # type: ignore
    __doc__ = _Compiled.__doc__

    def __init__(self, *arguments, **keywords):
        if arguments and isinstance(arguments[0], str):
            names = ("equations", "setup", "parameters")
            keywords = {**dict(zip(names, arguments)), **keywords}
            rest = arguments[len(names):]
            keywords["setup"] = _setup(keywords.get("setup", {}))
            given = keywords.get("parameters", [])
            if isinstance(given, dict) and "parameters" not in keywords["setup"]:
                keywords["setup"] = {**keywords["setup"], "parameters": [{"name": name} for name in given]}
            arguments = (keywords.pop("equations"), keywords.pop("setup"), _values(keywords.pop("parameters", [])), *rest)
        super().__init__(*arguments, **keywords)

    __init__.__doc__ = _Compiled.__init__.__doc__
