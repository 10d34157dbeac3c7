"""Runs the tool on sound and on spoilt records and counts its verdicts."""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy  # noqa: E402, after the number of threads is set

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LEVELS = ("good", "caution", "bad", "refused")


class Record:
    """A record that writes itself as record.csv and study.toml into a folder."""

    alternatives = True  # whether the tool looks for the slip behind a bad fit

    def study(self, folder):
        raise NotImplementedError

    def describe(self):
        return ""

    def left_over(self, result):
        """Sum of the squared residuals of a result over the variance of the noise, all samples of all outputs."""
        raise NotImplementedError


def squares_left(result, sigmas):
    """The same from the outputs of a result, estimation and held-back data; infinite where there are none."""
    total = 0.0
    for part in (result, result.get("validation")):
        if not part or not part.get("outputs"):
            return float("inf")
        samples = sum(one["samples"] for one in part["experiments"])
        rms = [one["residual_rms"] for one in part["outputs"]]
        if any(one is None for one in rms):
            return float("inf")
        total += samples * sum((one / sigma) ** 2 for one, sigma in zip(rms, sigmas))
    return total


class Row:
    """What became of the records of one fault."""

    def __init__(self, task, name, apart):
        self.task, self.name, self.apart = task, name, apart
        self.levels = collections.Counter()

    def count(self):
        return sum(self.levels.values())

    def text(self):
        cells = [self.name, self.count()] + [self.levels[level] for level in LEVELS]
        return "| " + " | ".join(map(str, cells)) + " |"


def run_tool(tool, record, folder):
    """Runs the tool on a record in a folder, where its result stands then; returns that result, or what it said against the record."""
    record.study(folder)
    ran = subprocess.run([tool, "run", folder / "study.toml", "--out", folder / "out", "--quiet", "--threads", "1"],
                         capture_output=True, text=True, check=False)
    if ran.returncode not in (0, 1, 2, 3):
        raise RuntimeError(f"the tool ended with {ran.returncode}: {ran.stderr}")
    if ran.returncode in (0, 1) and (folder / "out" / "result.json").exists():
        result = json.loads((folder / "out" / "result.json").read_text())
        assert (result["verdict"]["level"] == "bad") == (ran.returncode == 1), (result["verdict"], ran.returncode)
        return result
    level = "refused" if ran.returncode in (2, 3) else "bad"
    return {"verdict": {"level": level, "reasons": [ran.stderr.strip()]}}


def verdict(tool, record):
    """(level, reasons) of the tool on a record; "refused" if it says that the study or the data are wrong."""
    with tempfile.TemporaryDirectory() as name:
        found = run_tool(tool, record, pathlib.Path(name))["verdict"]
        return found["level"], found["reasons"]


def run_row(tool, task, name, make, fault, count, seed, apart=False, show=False):
    """One row of the table: `count` records of one fault (None: sound)."""
    row = Row(task, name, apart)
    for number in range(count):
        noise = numpy.random.default_rng([*seed, number])
        # The systems take turns, from one fault to the next too.
        record = make(number + count * seed[-1], noise)
        if fault is not None:
            fault(record, noise)
        level, reasons = verdict(tool, record)
        row.levels[level] += 1
        if show and (level == "good") == (fault is not None):
            print(f"{task}: {name}, {record.describe()}: {level} {reasons}", file=sys.stderr, flush=True)
    return row


def run_task(tool, task, make, for_limits, kept_apart, seeds, sound, spoilt, show=False):
    """All rows of a task: sound ones, faults that the limits were set on, faults kept apart."""
    rows = [run_row(tool, task, "none", make, None, sound, (seeds[0], 0), show=show)]
    for apart, faults, seed in ((False, for_limits, seeds[1]), (True, kept_apart, seeds[2])):
        for i, (name, fault) in enumerate(faults.items()):
            rows.append(run_row(tool, task, name, make, fault, spoilt, (seed, i), apart, show))
    return rows


HEAD = ["| fault | records | good | caution | bad | refused |", "|---|---:|---:|---:|---:|---:|"]


def rates(rows):
    """Lines with both rates of a list of rows."""
    sound = [row for row in rows if row.name == "none"]
    alarms = sum(row.count() - row.levels["good"] for row in sound)
    lines = [f"- false alarms (sound, not called good): {alarms} of {sum(row.count() for row in sound)}"]
    for apart, words in ((False, "faults that the limits were set on"), (True, "faults kept apart")):
        spoilt = [row for row in rows if row.name != "none" and row.apart == apart]
        confident = sum(row.levels["good"] for row in spoilt)
        lines.append(f"- false confidence (spoilt, called good), {words}: {confident} of {sum(row.count() for row in spoilt)}")
    return lines


def tables(rows):
    """Sound, faults for the limits and faults kept apart as three tables."""
    text = []
    for title, chosen in (("Sound", [row for row in rows if row.name == "none"]),
                          ("Faults that the limits were set on", [row for row in rows if row.name != "none" and not row.apart]),
                          ("Faults that were kept apart", [row for row in rows if row.apart])):
        text += ["", "## " + title, "", *HEAD, *(row.text() for row in chosen)]
    return text


def options_of(description, sound, spoilt):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sound", type=int, default=sound)
    parser.add_argument("--spoilt", type=int, default=spoilt, help="records of each fault")
    parser.add_argument("--tool", default=str(ROOT / "build/release/bin/alembert"))
    parser.add_argument("--all", action="store_true", help="print every wrong verdict with its reasons")
    return parser


def main(description, task, page, script, make, for_limits, kept_apart, seeds, sound=50, spoilt=3, unseen=None):
    options = options_of(description, sound, spoilt).parse_args()
    rows = run_task(options.tool, task, make, for_limits, kept_apart, seeds, options.sound, options.spoilt, options.all)
    hidden = [run_row(options.tool, task, name, make, fault, options.spoilt, (seeds[2] + 1, i))
              for i, (name, fault) in enumerate((unseen or {}).items())]
    more = ["", "## Faults that no record can show, in no rate above", "", *HEAD, *(row.text() for row in hidden)] if hidden else []
    text = "\n".join([f"# The verdict of {task} on sound and on spoilt records", "",
                      f"Made by `benchmarks/verdict/{script} --sound {options.sound} --spoilt {options.spoilt}`.", "",
                      *rates(rows), *tables(rows), *more, ""])
    print(text)
    (HERE / page).write_text(text)
