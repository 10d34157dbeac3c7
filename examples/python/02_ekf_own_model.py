# %% [markdown]
# # A Kalman filter on a model of one's own
# Angle and speed of a pendulum of 1 m from a noisy angle sensor. The model is text and runs at native speed.

# %%
import math

import alembert

pendulum = alembert.estimate.EquationObserver(
    "a'' = -g*sin(a)",
    {"outputs": ["a"]},
    {"g": 9.81},
    mean=[0.5, 0.0],  # rad, rad/s
    deviation=1.0,
    process_noise=[[1e-10, 0.0], [0.0, 1e-6]],  # that each step adds
    sigma=0.02,  # rad, of the sensor
)

# %%
random = alembert.core.RandomStream(1)
angle, speed, step = 1.0, 0.0, 0.01  # what a real sensor would see
for k in range(500):
    speed -= step * 9.81 * math.sin(angle)
    angle += step * speed
    assert pendulum.step(step, [angle + 0.02 * random.normal()]).status == "success"
mean, deviation = pendulum.mean(), [pendulum.deviation(i) for i in range(2)]
print(f"angle {mean[0]:.3f} +- {deviation[0]:.3f} rad, true {angle:.3f}")
print(f"speed {mean[1]:.3f} +- {deviation[1]:.3f} rad/s, true {speed:.3f}")

# %% [markdown]
# ## The same with Python functions
# Any functions will do: nothing is compiled, and a step takes some ten times longer.

# %%
import numpy


def process(step, x, u):
    speed = x[1] - step * 9.81 * math.sin(x[0])
    return [x[0] + step * speed, speed]


other = alembert.estimate.FunctionObserver(
    {"states": ["angle", "speed"], "process": process, "output": lambda x, u: x[:1]},
    mean=[0.5, 0.0], deviation=1.0, process_noise=numpy.diag([1e-10, 1e-6]), sigma=0.02,
)
random = alembert.core.RandomStream(1)
angle, speed = 1.0, 0.0
for k in range(500):
    angle, speed = process(step, [angle, speed], [])
    other.step(step, [angle + 0.02 * random.normal()])
print(other.mean())
# The discretisation of the functions is that of the truth here: within four deviations of it.
assert abs(other.mean()[0] - angle) < 4.0 * other.deviation(0)
