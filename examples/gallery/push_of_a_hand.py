# %% [markdown]
# # The push of a hand
# A double pendulum is pushed at its tip. Two encoders are all that is measured. Was the push above 8 N?

# %%
import pathlib

import numpy

import alembert

folder = pathlib.Path(__file__).resolve().parents[2] / "studies" / "double-pendulum"
here = pathlib.Path("push").resolve()
alembert.run(folder / "simulate.toml", out=here / "record")
result = alembert.run(folder / "observe.toml", out="push-of-a-hand.out",
                      data={"file": str(here / "record" / "record.csv"), "truth": {"file": str(here / "record" / "truth.csv")}})

# %%
estimates = alembert.io.read_record("push-of-a-hand.out/estimates.csv")
time = numpy.asarray(estimates.time().times())
force, deviation = (numpy.asarray(estimates.values(name)) for name in ("force_hand_smoothed", "force_hand_smoothed_std"))
late = time > 0.5  # s, when the start is forgotten
largest = numpy.argmax(numpy.where(late, force, -numpy.inf))
print(f"largest push {force[largest]:.2f} +- {deviation[largest]:.2f} N at {time[largest]:.2f} s, verdict {result.verdict.level}")

# %% [markdown]
# ## The decision
# Two standard deviations below the estimate are still above 8 N: yes, it was.

# %%
assert force[largest] - 2.0 * deviation[largest] > 8.0 and result.verdict.level == "good"
