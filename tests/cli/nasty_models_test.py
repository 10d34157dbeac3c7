"""Models that break, stall or mislead: each gets one clear message or status, in time, and nothing
is left half-written."""
import math
import pathlib
import unittest

from tool import ToolTest, run

OK, NOT_SUCCESSFUL, BAD_STUDY = 0, 1, 2

STUDY = """title = "nasty"

[data]
file = "record.csv"
time = "t"
inputs = {{ u = "u" }}
outputs = {{ x = "x" }}

[model]
equations = '''
{equations}
'''
{model}

[identify]
method = "output-error"
engine = "interpreter"
{identify}

[identify.parameters]
{parameters}
"""

# name: (equations, parameters, exit code, words of the message, lines of [model], of [identify])
NASTY = {
    "division by zero at the start": (
        "x' = -a*x + u/y\ny' = 1 - y", "a = 1.0", NOT_SUCCESSFUL, "not finite", "", ""),
    "division by a parameter at zero": (
        "x' = (u - x)/T", "T = { guess = 0.0, lower = 0.0 }", OK, "", "", ""),
    "logarithm of a negative number": (
        "x' = -a*x + b*log(x - 100)", "a = 1.0\nb = 1.0", NOT_SUCCESSFUL, "not finite", "", ""),
    "root of a negative number": (
        "x' = -a*sqrt(x - 1e3) + u", "a = 1.0", NOT_SUCCESSFUL, "not finite", "", ""),
    "endless growth": ("x' = a*x^3 + 1", "a = { guess = 5.0, lower = 4.0 }", NOT_SUCCESSFUL,
                       "not finite", "", ""),
    "exponential growth": ("x' = a*x + u", "a = { guess = 400.0, lower = 300.0 }", NOT_SUCCESSFUL,
                           "not finite", "", ""),
    "stiff": ("x' = -a*x + u\ny' = -1e7*(y - x)", "a = 1.0", NOT_SUCCESSFUL, "not finite", "", ""),
    "exponential overflow": ("x' = -a*x + exp(1e4*u + 1e4)", "a = 1.0", NOT_SUCCESSFUL, "not finite",
                             "", ""),
    "jump in the right-hand side": ("x' = -a*x + sign(u)", "a = 1.0", OK, "", "", ""),
    "output that is flat in its parameter": (
        "x' = -x + u + floor(a)", "a = 1.5", NOT_SUCCESSFUL, "do not determine", "", ""),
    "two parameters that enter as their product": (
        "x' = -a*b*x + u", "a = 1.0\nb = 1.0", NOT_SUCCESSFUL, "do not determine", "", ""),
    "two parameters that enter as their sum": (
        "x' = -(a + b)*x + u", "a = 0.5\nb = 0.5", NOT_SUCCESSFUL, "do not determine", "", ""),
    "parameter on a state that no output shows": (
        "x' = -a*x + u\ny' = -b*y + u", "a = 1.0\nb = 1.0", NOT_SUCCESSFUL, "these data do not determine: b", "", ""),
    "parameter that is not used": ("x' = -a*x + u", "a = 1.0\nb = 2.0", BAD_STUDY, "b", "", ""),
    "unit mismatch": ("x' = -a*x + u", "a = 1.0", BAD_STUDY, "units do not match",
                      'units = { x = "m", u = "m/s", a = "m" }', ""),
    "wrong arity": ("x' = -max(a) + u", "a = 1.0", BAD_STUDY, "max", "", ""),
    "unknown function": ("x' = -sinus(a*x) + u", "a = 1.0", BAD_STUDY, "sinus", "", ""),
    "unknown name": ("x' = -a*y + u", "a = 1.0", BAD_STUDY, "'y'", "", ""),
    "no equation for the output": ("y' = -a*y + u", "a = 1.0", BAD_STUDY, "x", "", ""),
    "definitions in a circle": ("p = q\nq = p + a\nx' = -p + u", "a = 1.0", BAD_STUDY, "circle",
                                "", ""),
    "two equations for one state": ("x' = -a*x + u\nx' = -a*x", "a = 1.0", BAD_STUDY, "x'", "", ""),
    "unbalanced bracket": ("x' = -a*(x + u", "a = 1.0", BAD_STUDY, "never closed", "", ""),
    "third derivative": ("x''' = -a*x + u", "a = 1.0", BAD_STUDY, "x", "", ""),
    "no equations": ("", "a = 1.0", BAD_STUDY, "equations", "", ""),
    "name of a function as a parameter": ("x' = -sin*x + u", "sin = 1.0", BAD_STUDY, "sin", "", ""),
    "text that asks for a command": ("x' = -a*x + system(\"ls\")", "a = 1.0", BAD_STUDY, "system",
                                     "", ""),
    "start value of an unknown state": ("x' = -a*x + u", "a = 1.0", BAD_STUDY, "z",
                                        'start = { z = 1.0 }', ""),
    "guess outside its bounds": ("x' = -a*x + u", "a = { guess = 1.0, lower = 2.0 }", BAD_STUDY,
                                 "needs a guess in [2", "", ""),
    "no periodic motion": ("x' = a*u + 1", "a = 1.0", NOT_SUCCESSFUL, "", "",
                           'start = "periodic"'),
    "nothing to estimate": ("x' = -a*x + u", "a = { guess = 1.0, fixed = true }", OK, "", "", ""),
    "a thousand states in a ring": (
        "x' = -a*x + u + s999\ns0' = x - s0\n"
        + "\n".join(f"s{i}' = s{i - 1} - s{i}" for i in range(1, 1000)),
        "a = 1.0", OK, "", "", "substeps = 1"),
    "chaos": ("x' = 10*(y - x) + 0*u\ny' = x*(a - z) - y\nz' = x*y - 8/3*z", "a = 20.0",
              NOT_SUCCESSFUL, "", "start = { x = 1.0, y = 1.0 }", ""),
}


def record(path, samples=200, step=0.05):
    """x' = -x + u with a slow and a fast sine, held input, from rest."""
    x, lines = 0.0, ["t,u,x"]
    for k in range(samples):
        t = k * step
        u = math.sin(1.3 * t) + 0.5 * math.sin(7.0 * t + 1.0)
        noise = 1e-3 * math.sin(12345.678 * (k + 1) ** 2)
        lines.append(f"{t!r},{u!r},{x + noise!r}")
        x = u + (x - u) * math.exp(-step)
    pathlib.Path(path).write_text("\n".join(lines) + "\n")


class NastyModels(ToolTest):
    def check(self, case):
        equations, parameters, code, words, model, identify = case
        folder = self.folder
        record(folder / "record.csv")
        (folder / "study.toml").write_text(STUDY.format(
            equations=equations, parameters=parameters, model=model, identify=identify))
        result = run("run", "study.toml", "--out", "out", cwd=folder, timeout=60)
        said = result.stdout + result.stderr
        self.assertEqual(result.returncode, code, said)
        self.assertIn(words, said)
        self.assertNotIn("nan", result.stderr, "numbers that are none do not belong in a message")
        if code == BAD_STUDY:
            self.assertTrue(all(line.startswith("study.toml") for line in
                                result.stderr.strip().splitlines()), result.stderr)
            self.assertFalse((folder / "out").exists())
        else:
            self.assertTrue((folder / "out" / "result.json").exists(), said)
        self.assertEqual([p.name for p in folder.iterdir() if ".part" in p.name], [])


def add(name, case):
    setattr(NastyModels, "test_" + name.replace(" ", "_").replace("-", "_"),
            lambda self: self.check(case))


for _name, _case in NASTY.items():
    add(_name, _case)

if __name__ == "__main__":
    unittest.main(verbosity=2)
