# %% [markdown]
# # Five minutes from arrays to M, D, K
# Two carts on springs. Two forces and two displacements were recorded; the model is unknown.

# %%
import numpy

import alembert

rng = numpy.random.default_rng(7)
step = 0.01  # s
M, K = numpy.diag([2.0, 1.0]), numpy.array([[300.0, -100.0], [-100.0, 100.0]])
D = 0.1 * M + 0.001 * K
force = numpy.repeat(rng.normal(size=(400, 2)), 10, axis=0)  # N, held for 0.1 s
carts = alembert.model.SecondOrder(M=M, D=D, K=K, L=numpy.eye(2))
motion = alembert.integrate.simulate(carts, force, step, numpy.zeros(2), numpy.zeros(2), hold="zero")
position = motion.displacement + 1e-4 * rng.normal(size=force.shape)  # m

# %% [markdown]
# ## One call
# The forces are constant between samples, so we say `hold="zero"`.

# %%
fit = alembert.identify.identify_linear(
    force, position, step=step, degrees_of_freedom=2, hold="zero"
)
print(fit.summary())

# %% [markdown]
# In a notebook the result itself is the report with its plots.

# %%
fit

# %% [markdown]
# ## What to look at
# First the verdict, then the numbers with their deviations.

# %%
print(fit.verdict.level, list(fit.verdict.reasons))
system = fit.refinement.system
print("K =", numpy.round(system.K, 2).tolist(), "+-", numpy.round(fit.deviations.K, 2).tolist())
for mode in fit.modes:
    print(f"{mode.frequency_hz:.4f} +- {mode.frequency_deviation:.1g} Hz, damping {100 * mode.damping:.3f} %")
assert numpy.all(numpy.abs(system.K - K) <= 4.0 * fit.deviations.K)
