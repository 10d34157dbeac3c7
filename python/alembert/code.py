"""The module ``alembert::code`` of the library."""

from ._modules import names_of

globals().update(names_of("code"))
