# %% [markdown]
# # A friction model of one's own
# A carriage on a rail, pushed by a known force. How much of the friction is viscous, how much dry?

# %%
import numpy

import alembert

# The record: here simulated with known parameters, else what was measured.
rail = "x'' = (u - Fv*x' - Fc*tanh(x'/0.01))/m"
truth = {"m": 2.0, "Fv": 1.5, "Fc": 4.0}  # kg, N s/m, N
step = 0.005  # s
t = step * numpy.arange(2000)
u = 12.0 * numpy.sin(3.0 * t) + 6.0 * numpy.sin(11.0 * t)  # N


def acceleration(v, force):
    return (force - truth["Fv"] * v - truth["Fc"] * numpy.tanh(v / 0.01)) / truth["m"]


# Runge-Kutta with 20 steps between samples, the force as a straight line between them.
x, v, path = 0.0, 0.0, []
fine = step / 20
for k in range(len(t)):
    path.append(x)
    for j in range(20):
        force = [numpy.interp(t[k] + (j + part) * fine, t, u) for part in (0.0, 0.5, 1.0)]
        k1 = acceleration(v, force[0])
        k2 = acceleration(v + 0.5 * fine * k1, force[1])
        k3 = acceleration(v + 0.5 * fine * k2, force[1])
        k4 = acceleration(v + fine * k3, force[2])
        x += fine * v + fine**2 / 6 * (k1 + k2 + k3)
        v += fine / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
random = alembert.core.RandomStream(3)
measured = numpy.array(path) + 1e-3 * numpy.array([random.normal() for _ in t])  # m

# %% [markdown]
# ## The model is text
# It is compiled, so a search over thousands of simulations takes a moment. The force is a straight line between
# samples, and we say so; left out, the warnings of the fit would name it.

# %%
fit = alembert.identify.fit_equations(
    rail,
    {"inputs": ["u"], "outputs": ["x"]},
    {name: {"guess": 1.0, "lower": 0.0} for name in ("m", "Fv", "Fc")},
    {"input": u, "output": measured, "step": step},
    between="linear",
)
print(fit.summary())

# %% [markdown]
# ## Is dry friction needed?
# The same record without it: the fit tells.

# %%
simple = alembert.identify.fit_equations(
    "x'' = (u - Fv*x')/m",
    {"inputs": ["u"], "outputs": ["x"]},
    {name: {"guess": 1.0, "lower": 0.0} for name in ("m", "Fv")},
    {"input": u, "output": measured, "step": step},
    between="linear",
)
print("residual with dry friction", fit.estimate.prediction.rms[0], "m, without", simple.estimate.prediction.rms[0], "m")
for parameter, value in zip(("m", "Fv", "Fc"), fit.estimate.parameters):
    print(parameter, round(value, 3), "true", truth[parameter])
assert simple.estimate.prediction.rms[0] > 3.0 * fit.estimate.prediction.rms[0]
