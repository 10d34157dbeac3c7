"""The module ``alembert::identify`` of the library: models from records.

Functions that take experiments take arrays too, samples x channels:

    identify_linear(u, y, step=0.01, degrees_of_freedom=2)

is the same as ``identify_linear([Experiment(u, y, step=0.01)], degrees_of_freedom=2)``. One experiment needs no list,
and one without inputs none: ``{"output": y, "step": 0.01}``. Names stand for the symbols of equations, and a dict for
parameters: ``{"m": 1.0, "k": {"guess": 100.0, "lower": 0.0}}``.
"""

from ._calls import prepared
from ._modules import names_of

globals().update(names_of("identify"))

for _name in __all__:  # noqa: F821
    globals()[_name] = prepared(globals()[_name])
