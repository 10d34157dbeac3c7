# %% [markdown]
# # Do three tests agree?
# A mass between leaf springs is released three times; the acceleration is recorded for five cycles. Is the test repeatable, and does the spring soften?

# %%
import pathlib

import alembert

study = pathlib.Path(__file__).resolve().parents[2] / "studies" / "duffing" / "repeated.toml"
result = alembert.run(study, out="three-releases.out")
print(result.summary())

# %% [markdown]
# ## The decision
# The spread between the tests is what the noise explains, so the test is repeatable and the mean may be used. The cubic stiffness is negative by many standard
# deviations: the spring softens, by 12 % of its force at 0.1 m.

# %%
b, c = (next(one for one in result.to_dict()["repeatability"]["refined"] if one["name"] == name) for name in ("b", "c"))
print(f"loss of force at 0.1 m: {-100 * c['mean'] * 0.1**2 / b['mean']:.1f} %")
assert c["mean"] + 10.0 * c["spread"] < 0.0 and result.verdict.level == "good"
