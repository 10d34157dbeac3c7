"""A file through `alembert info`, `new` and `run`, without touching the study that `new` writes."""

import json
import math
import subprocess
import time


def call(tool, *arguments, cwd=None, seconds=120):
    return subprocess.run([tool, *map(str, arguments)], cwd=cwd, capture_output=True, text=True, timeout=seconds)


def frequency_of(result):
    """What the result says of the frequency of the oscillator, in Hz; None if nothing."""
    if result.get("method") == "modes":
        return result["modes"][0]["frequency_hz"] if result["modes"] else None
    if result.get("method") == "output-error":
        return {one["name"]: one["value"] for one in result["parameters"]}["omega"] / (2 * math.pi)
    found = {one["name"]: one for one in result["records"][0]["parameters"]} if result.get("records") else {}
    value = (found.get("b", {}).get("refined") or found.get("b", {}).get("regression") or {}).get("value")
    return math.sqrt(value) / (2 * math.pi) if value and value > 0 else None


def through(tool, file, kind, options=(), folder=None):
    """A dict of what happened: `info`, `new`, `run` (exit codes), `message` of the first that failed, and what was found."""
    folder = folder or file.parent
    done = {"info": call(tool, "info", file, *options)}
    lines = done["info"].stdout.splitlines()
    found = {"info": done["info"].returncode, "time": next((line[13:] for line in lines if line.startswith("  time ")), "")}
    study = folder / f"{file.name}.toml"
    if kind:
        done["new"] = call(tool, "new", kind, file, *options, "-o", study)
        found["new"] = done["new"].returncode
        if study.exists():
            begin = time.monotonic()
            done["run"] = call(tool, "run", study, "--quiet")
            found["seconds"] = time.monotonic() - begin
            found["run"] = done["run"].returncode
            result = study.with_suffix(".out") / "result.json"
            if result.exists():
                content = json.loads(result.read_text())
                found["verdict"] = content["verdict"]["level"]
                found["frequency"] = frequency_of(content)
    found["message"] = next((process.stderr.strip().replace(str(folder) + "/", "") for process in done.values() if process.returncode), "")
    return found
