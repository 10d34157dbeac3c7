# %% [markdown]
# # Backlash of a coupling
# A motor turns a load through a shaft. The coupling is replaced when its backlash exceeds 0.015 rad. The torque and both angles are measured.

# %%
import pathlib

import alembert

study = pathlib.Path(__file__).resolve().parents[2] / "studies" / "two-mass-drive" / "identify.toml"

# %% [markdown]
# ## With backlash in the model and without

# %%
with_backlash = alembert.run(study, out="backlash.out")
without = alembert.run(study, identify={"parameters": {"b": {"guess": 0.0, "fixed": True}}})
for name, result in (("with", with_backlash), ("without", without)):
    fits = [output["fit"] for output in result.to_dict()["validation"]["outputs"]]
    print(f"{name} backlash: verdict {result.verdict.level}, fit on held-back data {fits[0]:.1f} and {fits[1]:.1f} %")

# %% [markdown]
# ## The decision
# The model needs the backlash, and its interval lies above the limit: replace the coupling.

# %%
b = next(one for one in with_backlash.to_dict()["parameters"] if one["name"] == "b")
print(f"backlash {b['value']:.5f} +- {b['margin']:.5f} rad (95 %)")
assert b["value"] - b["margin"] > 0.015 and with_backlash.verdict.level == "good"
