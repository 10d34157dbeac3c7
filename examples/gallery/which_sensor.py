# %% [markdown]
# # Which sensor to buy
# The velocity of a crank is wanted to 0.02 rad/s. Is a better encoder needed, or an accelerometer? Nothing is measured yet: simulated records tell.

# %%
import pathlib
import tomllib

import alembert

study = tomllib.loads((pathlib.Path(__file__).resolve().parents[2] / "studies" / "slider-crank" / "simulate.toml").read_text(encoding="utf-8"))
here = pathlib.Path("which-sensor").resolve()


def velocity_deviation(names, sigma):
    """Standard deviation of the velocity with these sensors and this noise of the encoder."""
    sensors = {name: dict(study["data"]["sensors"][name]) for name in names}
    sensors["encoder"] |= {"sigma": sigma, "wrap": False}
    alembert.run({**study, "data": {"sensors": sensors}}, out=here)
    observed = {key: value for key, value in study.items() if key != "simulate"}
    observed["data"] = {"sensors": sensors, "file": str(here / "record.csv"), "time": "t", "truth": {"file": str(here / "truth.csv")}}
    observed["observe"] = {"scored-from": 0.5}
    result = alembert.run(observed, out="which-sensor.out")
    velocity = result.to_dict()["truth"]["states"][1]
    print(f"{' and '.join(names)}, encoder {sigma} rad: velocity +- {velocity['reported']:.4f} rad/s, true error {velocity['rms']:.4f}, verdict {result.verdict.level}")
    return velocity["reported"]


# %%
as_it_is = velocity_deviation(["encoder"], 0.003)
better = velocity_deviation(["encoder"], 0.0003)
second = velocity_deviation(["encoder", "accel"], 0.003)

# %% [markdown]
# ## The decision
# Both purchases reach 0.02 rad/s. The accelerometer on the slider beats an encoder that is ten times as fine.

# %%
assert as_it_is > 0.02 > better > second
