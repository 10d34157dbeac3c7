"""The records of all tasks, each with a key of its own: what one key gives depends on nothing but the seed."""

import importlib.machinery
import importlib.util
import json
import pathlib
import sys
import tempfile

import numpy

import common

HERE = pathlib.Path(__file__).resolve().parent
# Part of the sound records of each task; those of M, D, K take as long as all others together.
SHARES = {"linear": 0.15, "output error": 0.30, "acceleration": 0.30, "observe": 0.25}
SOUND, LIMITS, APART, UNSEEN = "sound", "limits", "kept apart", "outside"
# A test that knows the fault and the nearest sound record, d standard deviations of the noise away, sees the fault in 99 of 100
# records and raises one false alarm in 100 only if d is at least twice
# the quantile 2.326 of the normal distribution (lemma of Neyman and Pearson).
VISIBLE = (2.0 * 2.3263) ** 2
QUIET = 0.01  # part of the noise that the record has from which d is found


def script(name):
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), str(HERE / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    sys.dont_write_bytecode = True
    loader.exec_module(module)
    return module


class Case:
    """One record to be judged: its place in the table, and how to make it."""

    def __init__(self, task, name, kind, number, judge):
        self.task, self.name, self.kind, self.number, self.judge = task, name, kind, number, judge

    def key(self):
        return f"{self.task}/{self.kind}/{self.name}/{self.number}"

    def row(self):
        return self.task, self.name, self.kind


def distance(tool, module, number, seed, fault):
    """Square of the distance d of a spoilt record from what the model can follow, or more: by the tool's own fit, almost without noise."""
    noise = numpy.random.default_rng(seed)
    record = module.Record(number, noise, QUIET)
    fault(record, noise)
    record.alternatives = False
    with tempfile.TemporaryDirectory() as folder:
        return record.left_over(common.run_tool(tool, record, pathlib.Path(folder)))


def judge_file(module, fault, seed, number):
    """Verdict on a record of identification. A fault that no test could see is said to be hidden."""
    def judge(tool):
        noise = numpy.random.default_rng(seed)
        record = module.Record(number, noise)
        if fault is not None:
            fault(record, noise)
        level, reasons = common.verdict(tool, record)
        found = {"level": level, "wrong": (level == "good") == (fault is not None), "words": record.describe(), "reasons": reasons}
        if fault is not None:
            found["distance"] = distance(tool, module, number, seed, fault)
        return found
    return judge


def judge_observe(module, fault, seed, number):
    """Verdict on a record of an observer. A spoilt one that is called good counts where the estimates are wrong."""
    def judge(tool):
        mechanism, record = module.make(fault, number, seed)
        with tempfile.TemporaryDirectory() as folder:
            level, error, reasons = module.judge(record, pathlib.Path(folder), tool)
        wrong = level != "good" if fault is None else level == "good" and bool(error > module.FALSE_CONFIDENCE)
        return {"level": level, "wrong": wrong, "words": f"{mechanism}, error {error:.2g}", "reasons": reasons}
    return judge


def cases_of(task, module, judge, seed, sound, spoilt):
    place = list(SHARES).index(task)
    lists = ((SOUND, {"none": None}, sound), (LIMITS, module.FOR_LIMITS, spoilt), (APART, module.KEPT_APART, spoilt),
             (UNSEEN, getattr(module, "UNSEEN", {}), spoilt))
    for which, (kind, faults, count) in enumerate(lists):
        for i, (name, fault) in enumerate(faults.items()):
            for k in range(count):
                # The systems take turns, from one fault to the next too.
                yield Case(task, name, kind, k, judge(module, fault, [seed, place, which, i, k], k + count * i))


def all_cases(seed, sound, spoilt):
    for task, share in SHARES.items():
        judge = judge_observe if task == "observe" else judge_file
        few = task in ("linear", "observe")  # they have the most faults
        yield from cases_of(task, script("run-" + task.replace(" ", "-")), judge, seed, round(share * sound),
                            max(1, spoilt // 2) if few else spoilt)


class Kept:
    """Finished records in a file, a line each, so that a run that was stopped goes on."""

    def __init__(self, path, made_by):
        self.path, self.found = path, {}
        head = json.dumps({"made_by": made_by})
        if path.exists():
            first, *lines = path.read_text().splitlines()
            if first != head:
                sys.exit(f"{path}: made by another tool, other scripts or options; remove it or name another with --kept")
            self.found = {one["key"]: one for one in map(json.loads, filter(self.whole, lines))}
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join([head, *map(json.dumps, self.found.values())]) + "\n")

    @staticmethod
    def whole(line):
        return line.endswith("}")  # the last one may have been cut

    def add(self, one):
        self.found[one["key"]] = one
        with self.path.open("a") as file:
            file.write(json.dumps(one) + "\n")
