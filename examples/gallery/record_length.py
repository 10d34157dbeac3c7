# %% [markdown]
# # How long must the record be?
# Two masses on springs, forces on both, 20 dB of noise. The stiffness is wanted to 0.5 %. Before anything is measured, Monte Carlo says how long the record
# must be.

# %%
import alembert

lengths = [500, 1000, 2000, 4000]  # samples of 10 ms
study = {
    "title": "Two masses, records of several lengths",
    "model": {"mass": {"diagonal": [2.0, 1.0]}, "stiffness": [[300.0, -100.0], [-100.0, 100.0]], "damping": {"ratios": 0.02}},
    "simulate": {
        "step": 0.01, "samples": 2000,
        "inputs": {"all": {"kind": "spline-noise", "knots": 0.05}},
        "sensors": {"all": {"measures": "displacement", "snr": 20.0}},
    },
    "identify": {"refine": "exact"},
    "monte-carlo": {"runs": 20, "seed": 1, "sweep": {"simulate.samples": lengths}},
}
result = alembert.run(study, out="record-length.out")
print(result.summary())

# %% [markdown]
# ## The decision
# Take the shortest record whose median error is below 0.5 %.

# %%
errors = [one["errors"]["stiffness"]["median"] for one in result.to_dict()["points"]]
shortest = next(samples for samples, error in zip(lengths, errors) if error < 0.005)
print(f"median error of K: {[round(100 * error, 2) for error in errors]} %; measure {shortest * 0.01:.0f} s")
assert errors == sorted(errors, reverse=True)
