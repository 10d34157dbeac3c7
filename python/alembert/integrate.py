"""The module ``alembert::integrate`` of the library."""

from ._modules import names_of

globals().update(names_of("integrate"))
