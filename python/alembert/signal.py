"""The module ``alembert::signal`` of the library."""

from ._modules import names_of

globals().update(names_of("signal"))
