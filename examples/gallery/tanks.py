# %% [markdown]
# # Two tanks that overflow
# Which model of two cascaded tanks predicts a record that it has not seen? The record is public, in `$ALEMBERT_DATA/cascaded_tanks`.

# %%
import os
import pathlib

import alembert

record = pathlib.Path(os.environ.get("ALEMBERT_DATA", "")) / "cascaded_tanks" / "dataBenchmark.csv"
if not record.exists():
    print("left out: no $ALEMBERT_DATA/cascaded_tanks/dataBenchmark.csv")
    raise SystemExit(77)
studies = pathlib.Path(__file__).resolve().parents[2] / "studies" / "tanks"

# %% [markdown]
# ## Two models, one judge
# Both are fitted to the first record. The second record judges them.

# %%
held_back = {}
for name in ("published", "measured"):
    result = alembert.run(studies / f"{name}.toml", data={"file": str(record)}, out=f"tanks-{name}.out")
    output = result.to_dict()["validation"]["outputs"][0]
    held_back[name] = output["residual_rms"]
    print(f"{name}: {len(result.to_dict()['parameters'])} parameters, held-back residual {output['residual_rms']:.3f} V, verdict {result.verdict.level}")

# %% [markdown]
# ## The decision
# The larger model predicts clearly better, so its additional terms are real. Its verdict is still `caution`: two parameters end at bounds. Use it to
# predict the level, not to quote its parameters.

# %%
assert held_back["measured"] < 0.7 * held_back["published"]
