# %% [markdown]
# # The motion of a mechanism in real time
# An arm with an encoder and a camera that is 50 ms late.

# %%
import math

import alembert

planar = alembert.model.planar
arm = planar.MechanismDescription(
    bodies=[{"name": "arm", "points": [{"name": "O"}, {"name": "P", "at": [0.5, 0.0]}]}],
    joints=[{"name": "O", "b": "arm.O"}],
    coordinates=[planar.parse_coordinate("angle(arm)")],
    sensors=[
        {"name": "encoder", "of": "arm", "sigma": 0.01},
        {"name": "camera", "of": "arm", "sigma": 0.003},
    ],
)
live = alembert.estimate.LiveObserver(
    planar.Mechanism(arm), output_noise={"density": [50.0]}, delays=[0.0, 0.05]  # rad^2/s^5, s
)

# %%
random = alembert.core.RandomStream(1)


def angle(t):
    """The true motion in rad."""
    return 0.8 * math.sin(2.0 * t)


for k in range(400):
    t = 0.01 * k
    live.push(t, [angle(t) + 0.01 * random.normal(), angle(t - 0.05) + 0.003 * random.normal()])
    while live.next():  # each instant whose readings are there
        pass

# %%
observer = live.observer()
print(
    f"t = {live.time():.2f} s: angle {observer.mean()[0]:.3f} +- {observer.deviation(0):.3f} rad, "
    f"true {angle(live.time()):.3f}; speed {observer.mean()[1]:.2f} rad/s"
)
assert live.started() and live.lost() == 0
assert abs(observer.mean()[0] - angle(live.time())) < 5 * observer.deviation(0)
