# %% [markdown]
# # A tap test
# A beam is tapped, one accelerometer listens. Frequency and damping from the free decay.

# %%
import math

import numpy

import alembert

# The record: here a decay of 12.5 Hz with 1 % of critical damping and noise; else what was measured.
frequency, damping, step = 12.5, 0.01, 1e-3  # Hz, -, s
random = alembert.core.RandomStream(5)
t = step * numpy.arange(2000)
omega = 2.0 * math.pi * frequency
decay = numpy.exp(-damping * omega * t) * numpy.cos(math.sqrt(1.0 - damping**2) * omega * t)
acceleration = 9.0 * decay + 0.05 * numpy.array([random.normal() for _ in t])  # m/s^2

# %%
cycles = alembert.identify.find_cycles(acceleration, step)
decrement = alembert.identify.logarithmic_decrement(cycles)
print(f"{1.0 / cycles.period:.3f} Hz, damping {100 * decrement.ratio:.3f} +- {100 * decrement.ratio_deviation:.3f} %")
assert abs(1.0 / cycles.period - frequency * math.sqrt(1.0 - damping**2)) < 0.01
assert abs(decrement.ratio - damping) < 4.0 * decrement.ratio_deviation
