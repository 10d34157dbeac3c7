"""The module ``alembert::signal`` of the library: records, spectra, responses, splines, resampling.

``estimate_frf(u, y, step)`` takes arrays, samples x channels, or a list of experiments.
"""

from ._calls import prepared
from ._modules import names_of

globals().update(names_of("signal"))

for _name in __all__:  # noqa: F821
    globals()[_name] = prepared(globals()[_name])
