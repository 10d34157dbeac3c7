# %% [markdown]
# # A spring with memory
# Is a linear spring enough, or does the force remember the motion? The record is public: the Bouc-Wen benchmark, in `$ALEMBERT_DATA/bouc_wen`.

# %%
import os
import pathlib

import numpy

import alembert

folder = pathlib.Path(os.environ.get("ALEMBERT_DATA", "")) / "bouc_wen"
if not folder.exists():
    print("left out: no $ALEMBERT_DATA/bouc_wen")
    raise SystemExit(77)
studies = pathlib.Path(__file__).resolve().parents[2] / "studies" / "bouc-wen"
step = 1.0 / 750.0  # s

# %% [markdown]
# ## One period of the steady state
# The training record has five periods. The first is a transient; the mean of the others has less noise. Another multisine is held back.

# %%
record = alembert.io.read_record(folder / "train.h5")
force, motion = (numpy.asarray(record.values(name)) for name in ("u", "y"))
held = [numpy.asarray(alembert.io.read_record(folder / f"{name}_multisine.mat", step=step).values(f"{name}_multisine")) for name in ("uval", "yval")]
records = {
    "record.csv": {"u": force[:8192], "y": motion.reshape(5, 8192)[1:].mean(axis=0), "step": step},
    "test.csv": {"u": held[0], "y": held[1], "step": step},
}

# %% [markdown]
# ## With memory and without

# %%
rms = {}
for name in ("linear", "identify"):
    result = alembert.run(studies / f"{name}.toml", records, data={"validation": {"file": "test.csv"}}, out=f"hysteresis-{name}.out")
    rms[name] = result.to_dict()["validation"]["outputs"][0]["residual_rms"]
    print(f"{name}: verdict {result.verdict.level}{', ' + result.verdict.reasons[0].split(':')[0] if result.verdict.reasons else ''}")
    print(f"  held-back residual {1e6 * rms[name]:.2f} um of {1e6 * held[1].std():.0f} um")

# %% [markdown]
# ## The decision
# The linear spring misses a large part of the motion, and its residuals are not noise. With the memory of the Bouc-Wen force the held-back record is
# predicted far better: the joint has hysteresis, and a linear stiffness depends on the level of the test.

# %%
assert rms["identify"] < 0.1 * rms["linear"]
