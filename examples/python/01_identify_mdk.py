# %% [markdown]
# # Mass, damping and stiffness from arrays
# Forces and displacements of a frame with three floors; its matrices are found with their deviations.

# %%
import numpy

import alembert

# The records: here from a simulation with known matrices, else from a file or a converter.
M = numpy.diag([3.0, 2.0, 1.0])
K = numpy.array([[900.0, -400.0, 0.0], [-400.0, 700.0, -300.0], [0.0, -300.0, 300.0]])
D = 0.1 * M + 0.001 * K
h = 0.01  # s
random = alembert.core.RandomStream(1)
u = numpy.column_stack([alembert.signal.spline_noise(5000, h, {"knot_step": 0.05}, random) for _ in range(3)])  # N
frame = alembert.model.SecondOrder(M=M, D=D, K=K, L=numpy.eye(3))
y = alembert.integrate.simulate(frame, u, h, numpy.zeros(3), numpy.zeros(3)).displacement  # m
y = y + 1e-4 * numpy.column_stack([random.normal_vector(len(y)) for _ in range(3)])

# %% [markdown]
# ## The call
# Arrays are samples x channels. Everything that the method knows is in the result.

# %%
fit = alembert.identify.identify_linear(u, y, step=h, degrees_of_freedom=3)
print(fit.summary())

# %% [markdown]
# ## Against the truth
# It lies within four reported deviations, entry by entry.

# %%
for name, truth in (("M", M), ("D", D), ("K", K)):
    found, deviation = getattr(fit.refinement.system, name), getattr(fit.deviations, name)
    print(name, numpy.round(found, 3).tolist())
    assert numpy.all(numpy.abs(found - truth) <= 4.0 * deviation + 1e-12), name
assert fit.status == "success"
