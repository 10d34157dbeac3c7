# %% [markdown]
# # Friction of a drive
# A carriage on a screw. Which friction should a controller compensate, and how well is it known? The record is public: EMPS, in the
# folder `$ALEMBERT_DATA/emps`.

# %%
import os
import pathlib

import alembert

record = pathlib.Path(os.environ.get("ALEMBERT_DATA", "")) / "emps" / "DATA_EMPS.mat"
if not record.exists():
    print("left out: no $ALEMBERT_DATA/emps/DATA_EMPS.mat")
    raise SystemExit(77)
study = pathlib.Path(__file__).resolve().parents[2] / "studies" / "linear-drive" / "measured.toml"


def fit(window):
    """Mass and friction from windows of this length; 0 takes the record as a whole."""
    return alembert.run(study, data={"file": str(record)}, identify={"window": window}, out="drive-friction.out")


# %% [markdown]
# ## The same record, cut in three ways
# If the model is right, the estimates agree within their intervals.

# %%
found = {}
for window in (0.0, 0.7, 1.0):
    result = fit(window)
    found[window] = {one["name"]: one for one in result.to_dict()["parameters"]}
    numbers = ", ".join(f"{name} {one['value']:.1f} +- {one['margin']:.1f}" for name, one in found[window].items())
    print(f"windows of {window} s: {result.verdict.level}, {numbers}")

# %% [markdown]
# ## The decision
# Feed-forward of the friction at 0.1 m/s: dry plus viscous. The two are correlated, but their sum is not: it is known better than each.

# %%
speed = 0.1  # m/s
forces = [one["Fc"]["value"] + speed * one["Fv"]["value"] for one in found.values()]
print(f"friction at {speed} m/s: {min(forces):.1f} to {max(forces):.1f} N")
assert max(forces) - min(forces) < 0.1 * min(forces)  # the three cuts agree on the sum within 10 %
# Published with the record: 20.394 N and 203.50 N s/m.
assert min(forces) - 2.0 < 20.394 + speed * 203.50 < max(forces) + 2.0
