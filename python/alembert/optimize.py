"""The module ``alembert::optimize`` of the library."""

from ._modules import names_of

globals().update(names_of("optimize"))
