# %% [markdown]
# # Comparing methods, with intervals
# Mass, damping and stiffness of two carts by three methods from the same record, and a count of how often the intervals
# hold the truth.

# %%
import numpy

import alembert

M, K = numpy.diag([2.0, 1.0]), numpy.array([[300.0, -100.0], [-100.0, 100.0]])
D = 0.1 * M + 0.001 * K
step = 0.01  # s
carts = alembert.model.SecondOrder(M=M, D=D, K=K, L=numpy.eye(2))


def record(seed):
    """Forces held for 0.1 s, and displacements with noise of 0.1 mm."""
    rng = numpy.random.default_rng(seed)
    force = numpy.repeat(rng.normal(size=(200, 2)), 10, axis=0)
    motion = alembert.integrate.simulate(carts, force, step, numpy.zeros(2), numpy.zeros(2), hold="zero")
    return force, motion.displacement + 1e-4 * rng.normal(size=force.shape)


# %% [markdown]
# ## One record, three methods
# `compare` runs other methods on the same data; the truth is given, so that their errors are told.

# %%
force, position = record(0)
fit = alembert.identify.identify_linear(
    force, position, step=step, hold="zero", compare=["weak-form", "subspace"], truth={"M": M, "D": D, "K": K})
for method in fit.comparison:
    print(f"{method.name:12} errors of M, D, K: {numpy.round(100 * method.error, 3)} %, residual {method.residual:.3f} x noise")
main = fit.comparison[0]
assert all(main.residual <= method.residual * 1.001 for method in fit.comparison if method.status == "success")

# %% [markdown]
# ## Are the intervals honest?
# Twenty records: how many of the 95 % intervals of the stiffness hold the truth?

# %%
inside, total = 0, 0
for seed in range(1, 21):
    one = alembert.identify.identify_linear(*record(seed), step=step, hold="zero")
    error = numpy.abs(one.refinement.system.K - K)[numpy.triu_indices(2)]
    inside += int(numpy.sum(error <= 1.96 * one.deviations.K[numpy.triu_indices(2)]))
    total += 3
print(f"{inside} of {total} intervals hold the truth")
# The errors of a record are correlated by 0.7 to 0.9, so that its three intervals may hold or fail together. Then the records that fail
# are binomial, 20 of 0.05 each: six or more, 42 intervals or fewer, have a probability of 3e-4. Of 150 other records 94.9 % hold.
assert inside >= 45

# %% [markdown]
# ## As a table and as a picture
# Where pandas and matplotlib are installed.

# %%
try:
    import matplotlib

    matplotlib.use("Agg", force=False)
    print(fit.to_pandas()["modes"])
    fit.plot("frf")
except ImportError:
    pass
