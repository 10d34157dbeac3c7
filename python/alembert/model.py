"""The module ``alembert::model`` of the library: linear systems, equations as text, mechanisms, structures."""

from ._calls import prepared
from ._modules import names_of

globals().update(names_of("model"))

for _name in __all__:  # noqa: F821
    globals()[_name] = prepared(globals()[_name])
