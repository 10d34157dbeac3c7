# %% [markdown]
# # Four swings of one pendulum
# The same measured pendulum, let go four times. Do the four estimates agree within their standard deviations? The record is public, in
# `$ALEMBERT_DATA/multiarm_pendulum`.

# %%
import math
import os
import pathlib

import numpy

import alembert

record = pathlib.Path(os.environ.get("ALEMBERT_DATA", "")) / "multiarm_pendulum" / "SinglePendulumDataForParameterEstimation.mat"
if not record.exists():
    print("left out: no $ALEMBERT_DATA/multiarm_pendulum")
    raise SystemExit(77)
try:
    from scipy.io import loadmat
except ImportError:
    print("left out: no SciPy, which reads cells of MATLAB")
    raise SystemExit(77) from None

# %% [markdown]
# ## One fit for each swing
# The file holds angle and rate at 1 kHz in cells; every fifth sample is enough. Upright is 0 there, hanging is 0 here.

# %%
swings = loadmat(record, squeeze_me=True)["Y_id"]
frequency, decay, reported = [], [], []
for number, swing in enumerate(swings, 1):
    angle, rate = numpy.asarray(swing, dtype=float)
    angle = angle - math.pi
    fit = alembert.identify.fit_equations(
        "th'' = -w2*sin(th) - d*th'",
        {"outputs": ["th"], "starts": {"th": "a0", "th'": "v0"}},
        {"w2": 60.0, "d": {"guess": 0.1, "lower": 0.0}, "a0": angle[0], "v0": rate[0]},
        {"output": angle[::5], "step": 0.005})
    frequency.append(math.sqrt(fit.parameter("w2").value) / (2.0 * math.pi))
    reported.append(frequency[-1] * 0.5 * fit.parameter("w2").deviation / fit.parameter("w2").value)
    decay.append(fit.parameter("d").value)
    print(f"swing {number}: {frequency[-1]:.5f} +- {reported[-1]:.5f} Hz, damping {decay[-1]:.4f} 1/s, verdict {fit.verdict.level}")

# %%
pathlib.Path("pendulum-swings.out").mkdir(exist_ok=True)
pathlib.Path("pendulum-swings.out/report.html").write_text(fit.report(), encoding="utf-8")

# %% [markdown]
# ## The decision
# Every verdict is `caution`: the residuals are not white, so the deviations of one swing may be too small. The spread between the swings is the honest
# uncertainty: quote the mean with it.

# %%
spread = numpy.std(frequency, ddof=1)
print(f"frequency {numpy.mean(frequency):.5f} Hz, spread {spread:.5f} Hz; damping {numpy.mean(decay):.4f} 1/s, spread {numpy.std(decay, ddof=1):.4f} 1/s")
assert spread > 2.0 * numpy.median(reported)  # what one swing reports is too small
assert spread < 1e-3 * numpy.mean(frequency)
# Published with the record: w2 = 64.22 1/s^2, without an interval.
assert abs(numpy.mean(frequency) - math.sqrt(64.22) / (2.0 * math.pi)) < 0.005 * numpy.mean(frequency)
