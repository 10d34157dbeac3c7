# %% [markdown]
# # A tapped cantilever
# One accelerometer on a beam that is tapped once. Are one frequency and one damping ratio enough for it? The record is public, in the
# folder `$ALEMBERT_DATA/cantilever_impulse`.

# %%
import math
import os
import pathlib

import numpy

import alembert

record = pathlib.Path(os.environ.get("ALEMBERT_DATA", "")) / "cantilever_impulse" / "timeseries_data.lvm"
if not record.exists():
    print("left out: no $ALEMBERT_DATA/cantilever_impulse/timeseries_data.lvm")
    raise SystemExit(77)

# %% [markdown]
# ## Only the first mode
# The second mode is at 41 Hz. A record at 75 Hz ends below it: the band-limited filter takes it away.

# %%
step = 1.0 / 75.0  # s
slow = alembert.signal.resample(alembert.io.read_record(record), step)
acceleration = 9.80665 * numpy.asarray(slow.values("Acceleration"))  # g to m/s^2
equation = alembert.identify.read_equation_of_motion("x'' + a*x' + b*x = 0")

# %% [markdown]
# ## Frequency and damping, from large motion to small

# %%
ratios = []
for begin, end in ((2.0, 5.0), (5.0, 9.0), (9.0, 14.0)):  # s
    part = acceleration[round(begin / step) : round(end / step)]
    fit = alembert.identify.identify_acceleration(equation, [{"step": step, "acceleration": part}])
    a, b = fit.records[0].parameters()
    deviation = fit.records[0].deviations()[0] / (2.0 * math.sqrt(b))
    ratios.append((a / (2.0 * math.sqrt(b)), deviation))
    print(f"{begin:2.0f} to {end:2.0f} s: {math.sqrt(b) / (2.0 * math.pi):.3f} Hz, damping {100 * ratios[-1][0]:.3f} +- {100 * deviation:.3f} %, verdict {fit.verdict.level}")

# %%
pathlib.Path("tapped-cantilever.out").mkdir(exist_ok=True)
whole = alembert.identify.identify_acceleration(equation, [{"step": step, "acceleration": acceleration[round(2.0 / step) : round(20.0 / step)]}])
pathlib.Path("tapped-cantilever.out/report.html").write_text(whole.report(), encoding="utf-8")

# %% [markdown]
# ## The decision
# The damping grows as the motion dies away, by more than its standard deviations: one number does not describe this clamp. Give the damping with the
# amplitude at which it was measured.

# %%
(first, first_deviation), *_, (last, last_deviation) = ratios
print(f"damping at the end over damping at the start: {last / first:.2f}")
assert last - first > 2.0 * math.hypot(first_deviation, last_deviation)
