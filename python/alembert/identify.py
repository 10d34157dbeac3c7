"""The module ``alembert::identify`` of the library: models from records.

Functions that take experiments take arrays too, samples x channels:

    identify_linear(u, y, step=0.01, degrees_of_freedom=2)

is the same as ``identify_linear([Experiment(u, y, step=0.01)], degrees_of_freedom=2)``.
"""

import functools

from ._modules import names_of

globals().update(names_of("identify"))
_EXPERIMENTS = ("experiments", "data")


def _from_arrays(function):
    """The function for arrays: (u, y, step=...) in place of a list of experiments."""

    @functools.wraps(function)
    def call(*arguments, **keywords):
        if "step" in keywords and len(arguments) >= 2:
            u, y, *rest = arguments
            record = Experiment(  # noqa: F821
                input=u, output=y, step=keywords.pop("step"), start_time=keywords.pop("start_time", 0.0))
            arguments = ([record], *rest)
        elif arguments and isinstance(arguments[0], Experiment):  # noqa: F821
            arguments = ([arguments[0]], *arguments[1:])
        return function(*arguments, **keywords)

    return call


for _name in __all__:  # noqa: F821
    _text = getattr(globals()[_name], "__text_signature__", None) or ""
    if callable(globals()[_name]) and _text.startswith(tuple(f"({word}" for word in _EXPERIMENTS)):
        globals()[_name] = _from_arrays(globals()[_name])
