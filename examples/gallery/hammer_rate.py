# %% [markdown]
# # How fast to sample a hammer
# A cantilever is hit by a hammer. The blow lasts 3 ms. At which rate is the scale of the mass known to 1 %?

# %%
import pathlib
import re

import alembert

folder = pathlib.Path(__file__).resolve().parents[2] / "studies" / "beam-hammer"
here = pathlib.Path("hammer").resolve()

# %%
impulse = {}  # per cent
for rate in (2000, 4000):  # Hz
    alembert.run(folder / "simulate.toml", simulate={"step": 1.0 / rate, "samples": 6 * rate}, out=here)
    result = alembert.run(folder / "identify.toml", data={"file": str(here / "record.csv")}, identify={"compare": ["weak-form"]}, out="hammer-rate.out")
    impulse[rate] = float(re.search(r"known to about ([\d.]+) %", result.verdict.reasons[0])[1])
    print(f"{rate} Hz: impulse known to {impulse[rate]} %, verdict {result.verdict.level}")

# %% [markdown]
# ## The decision
# A blow of 3 ms has five samples at 2 kHz, too few for its impulse, whose error goes into M, D and K alike. Sample at 4 kHz. Modes do not depend on it.

# %%
assert impulse[4000] < 1.0 < impulse[2000]
