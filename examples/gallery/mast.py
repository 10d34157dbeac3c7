# %% [markdown]
# # A mast in the wind
# A guyed mast is measured once a year. Which change of a frequency would such a visit notice? The record is public: four minutes of wind, in
# the folder `$ALEMBERT_DATA/pyoma_mast`.

# %%
import os
import pathlib

import alembert

record = pathlib.Path(os.environ.get("ALEMBERT_DATA", "")) / "pyoma_mast" / "measurement_1.npy"
if not record.exists():
    print("left out: no $ALEMBERT_DATA/pyoma_mast/measurement_1.npy")
    raise SystemExit(77)
study = pathlib.Path(__file__).resolve().parents[2] / "studies" / "measured-modes" / "mast.toml"


def visit(name, **part):
    """The modes of one part of the record."""
    alembert.run(study, data={"file": str(record), **part}, out=f"{name}.out")
    return alembert.study.read_result_summary(f"{name}.out")


# %% [markdown]
# ## Two visits to a mast that did not change
# What the two halves of the record differ by is what a visit scatters by.

# %%
first, second = visit("first-half", to=120.0), visit("second-half", **{"from": 120.0})
comparison = alembert.study.compare_results(first, second)
pairs = [pair for pair in comparison.quantities if pair.first.name.startswith("frequency")]
for pair in pairs:
    print(f"{pair.first.name}: {pair.first.value:.4f} and {pair.second.value:.4f} Hz, "
          f"a visit notices {100 * pair.limit / pair.first.value:.2f} %")
print("found once only:", ", ".join([*comparison.only_first, *comparison.only_second]) or "none")

# %% [markdown]
# ## The decision
# The intervals are honest: the mast did not change, and no pair differs by more than its joint interval.

# %%
assert len(pairs) >= 6
assert all(abs(pair.difference) <= pair.limit for pair in pairs)
