# %% [markdown]
# # How small may the model be?
# An ultrasonic horn of 316 coordinates is to be simulated with its booster. How many coordinates does each accuracy cost, and by which method?

# %%
import pathlib

import alembert

study = pathlib.Path(__file__).resolve().parents[2] / "studies" / "bar-horn" / "reduce.toml"

# %%
sizes = {}
for frequency_error, nco in ((0.01, 0.99), (0.001, 0.999)):
    result = alembert.run(study, reduce={"frequency-error": frequency_error, "nco": nco}, out="small-horn.out")
    sizes[frequency_error] = {one["method"]: one["size"] for one in result.to_dict()["smallest"]}
    print(f"error {100 * frequency_error} %, verdict {result.verdict.level}: {sizes[frequency_error]}")

# %% [markdown]
# ## The decision
# Eight coordinates by the residuals of the two modes, for either accuracy: the tighter one is free. Interior modes by rising frequency would need 28 and 50.

# %%
assert sizes[0.01]["mode-residuals"] == sizes[0.001]["mode-residuals"] < sizes[0.01]["frequency"] < sizes[0.001]["frequency"]
