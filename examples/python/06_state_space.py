# %% [markdown]
# # A state-space model from records
# One force, two responses, and an order that is chosen on samples held out.

# %%
import cmath
import math

import numpy

import alembert

# The record: here two modes at 6 and 17 Hz with 1 % damping under a random force; else what was measured.
step = 0.01  # s
random = alembert.core.RandomStream(3)
force = numpy.array([[random.normal()] for _ in range(3000)])  # N
responses = 1e-3 * numpy.array([[random.normal(), random.normal()] for _ in range(3000)])
for frequency, shape in ((6.0, (1.0, 1.0)), (17.0, (1.0, -0.7))):
    omega = 2.0 * math.pi * frequency
    pole = complex(-0.01 * omega, omega * math.sqrt(1.0 - 1e-4))
    z, x = cmath.exp(pole * step), 0j  # x' = pole x + F, exact for a force that is held between samples
    for k in range(3000):
        responses[k] += x.imag * numpy.array(shape)
        x = z * x + (z - 1.0) / pole * force[k, 0]

# %%
found = alembert.identify.identify_state_space([{"input": force, "output": responses, "step": step}])
print(found.reason)
print(f"{found.model.F.shape[0]} states, fits {[round(one.fit_percent, 2) for one in found.estimation.outputs]} %")
for pole, frequency in zip(found.poles, (6.0, 17.0)):
    print(f"{pole.frequency_hz:9.5f} ± {pole.frequency_deviation:.2g} Hz, damping {100 * pole.damping_ratio:.4f} %")
    assert abs(pole.frequency_hz - frequency) < 4.0 * pole.frequency_deviation
    assert abs(pole.damping_ratio - 0.01) < 4.0 * pole.damping_deviation
assert found.model.F.shape == (4, 4)
