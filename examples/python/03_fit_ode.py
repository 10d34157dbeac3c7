# %% [markdown]
# # Parameters of a differential equation
# Gravity and drag of a falling ball from the distance that it has fallen. The equation is text and runs at
# native speed.

# %%
import numpy

import alembert

# The record: here the closed form s = ln cosh(t sqrt(g c))/c with noise, else what was measured.
g, c, h = 9.81, 0.05, 0.01  # m/s^2, 1/m, s
random = alembert.core.RandomStream(1)
t = h * numpy.arange(300)
s = numpy.log(numpy.cosh(t * numpy.sqrt(g * c))) / c + 0.005 * numpy.array([random.normal() for _ in t])  # m

# %%
fit = alembert.identify.fit_equations(
    "s'' = g - c*s'^2",
    {"outputs": ["s"]},
    {"g": 5.0, "c": {"guess": 0.01, "lower": 0.0}},
    {"output": s, "step": h},
)
print(fit.summary())
assert fit.status == "success"
