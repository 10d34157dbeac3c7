# %% [markdown]
# # A flexible arm
# A flexible arm on a motor: its modes, and how far its tip is off while the motor turns it.

# %%
import math

import numpy

import alembert

flexible = alembert.model.flexible
mechanism = alembert.model.planar.MechanismDescription(
    gravity=[0.0, 0.0],  # the plane is level
    bodies=[{"name": "arm", "points": [{"name": "hub", "at": [0.0, 0.0]}, {"name": "tip", "at": [0.8, 0.0]}]}],
    joints=[{"a": "ground", "b": "arm.hub"}],
    coordinates=[alembert.model.planar.parse_coordinate("angle(arm)")],
    forces=[{"name": "motor", "of": "arm.hub"}])
section = flexible.rectangular_section(width=0.03, height=0.004, modulus=69e9, density=2700.0)
description = flexible.FlexibleDescription(
    mechanism=mechanism,
    bodies=[{"name": "arm", "section": section, "elements": 6,
             "lumps": [{"point": "hub", "mass": 0.0, "inertia": 2e-3}]}],
    stiffness_damping=1e-4)
arm = flexible.FlexibleMechanism(description, [0.0])

# %%
rest = flexible.find_equilibrium(arm, [0.0])
modes = alembert.model.undamped_modes(flexible.linearise(arm, rest.x))
frequencies = modes.angular_frequency / (2.0 * math.pi)
for i in range(1, 4):
    print(f"mode {i}  {frequencies[i]:8.3f} Hz")

# %%
motor = alembert.model.TimeFormula("0.2*sin(2*pi*t)")
run = alembert.integrate.simulate_flexible(arm, rest.x, [motor], {"step": 1e-3, "count": 1001})
tip = run.states[:, arm.displacement("y(arm.tip)")]
energy = run.kinetic + run.elastic + run.potential - run.work + run.loss
print(f"tip off by {1e3 * numpy.abs(tip).max():.3f} mm at most, energy balance {numpy.abs(energy).max():.1e} J")
assert run.ok and frequencies[0] == 0.0
