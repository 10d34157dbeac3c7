# %% [markdown]
# # Modes from records
# Frequencies, damping and shapes of a structure from one force and two responses.

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
found = alembert.identify.identify_record_modes([{"inputs": force, "outputs": responses}], step=step)
for mode in found.modes:
    ratio = (mode.shape[1] / mode.shape[0]).real
    print(f"{mode.frequency_hz:9.5f} ± {mode.frequency_deviation:.2g} Hz, damping {100 * mode.damping_ratio:.4f} ± "
          f"{100 * mode.damping_deviation:.2g} %, second response over first {ratio:.3f}")
assert len(found.modes) == 2
for mode, frequency in zip(found.modes, (6.0, 17.0)):
    assert abs(mode.frequency_hz - frequency) < 4.0 * mode.frequency_deviation
    assert abs(mode.damping_ratio - 0.01) < 4.0 * mode.damping_deviation
