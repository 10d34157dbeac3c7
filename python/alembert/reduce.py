"""The module ``alembert::reduce`` of the library."""

from ._modules import names_of

globals().update(names_of("reduce"))
