"""Guides and the gallery followed as their readers follow them: commands pasted, what is printed compared."""
import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

PROJECT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(sh|text|toml)\n(.*?)^```$", re.M | re.S)
NUMBER = re.compile(r"(?<![A-Za-z_\d.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![A-Za-z_\d])")
DURATION = re.compile(r"\b\d+(?:\.\d+)? (?:ms|s|min)$")
TOLERANCE = 0.01  # another processor adds in another order; a changed method moves its numbers by more
ROUNDING = 1e-9  # residuals and relative errors below this are rounding, which differs from processor to processor
BUILDING = ("./quickstart", "export PATH")  # the tool is there already


class Fault(Exception):
    """What a reader of the page would stumble over."""


def data_folder():
    return pathlib.Path(os.environ.get("ALEMBERT_DATA", PROJECT.parent / "shared/data"))


def words(line):
    """A line without its numbers, its blanks and the time that a run took."""
    return " ".join(NUMBER.sub("#", DURATION.sub("", line.rstrip())).split())


def same(shown, printed):
    """Whether a printed line is the one that is shown."""
    if words(shown) != words(printed):
        return False
    pairs = zip(NUMBER.findall(DURATION.sub("", shown.rstrip())), NUMBER.findall(DURATION.sub("", printed.rstrip())))
    return all(close(first, second) for first, second in pairs)


def close(first, second):
    """Numbers as printed: one unit of the last digit shown, or the tolerance."""
    one, other = float(first), float(second)
    if "e" in first and max(abs(one), abs(other)) < ROUNDING:
        return True
    decimals = len(first.partition(".")[2]) if "e" not in first else 0
    return abs(one - other) <= max(1.01 * 10.0**-decimals * (decimals > 0), TOLERANCE * abs(one))


def compare(shown, printed, fix):
    """The lines to be shown; a Fault where one of them was not printed."""
    lines = printed.rstrip("\n").split("\n")
    if not shown:
        return lines if fix else []
    place, result = 0, []
    for number, line in enumerate(shown):
        if line == "...":
            result.append(line)
            continue
        may_skip = number > 0 and shown[number - 1] == "..."
        candidates = range(place, len(lines)) if may_skip else range(place, min(place + 1, len(lines)))
        alike = (lambda i: words(line) == words(lines[i])) if fix else (lambda i: same(line, lines[i]))
        found = next((i for i in candidates if alike(i)), None)
        if found is None:
            raise Fault(f"this is not printed:\n  {line}\nbut:\n  " + "\n  ".join(lines[place:] if may_skip else lines[place:place + 1]))
        result.append(lines[found].rstrip())
        place = found + 1
    if shown[-1] != "..." and place < len(lines):
        raise Fault("more is printed:\n  " + "\n  ".join(lines[place:]))
    return result


def python_module(tool):
    """The folder of the Python module in the build of the tool."""
    return pathlib.Path(tool).resolve().parents[1] / "python"


def paste(line, folder, tool):
    environment = dict(os.environ, PATH=f"{pathlib.Path(tool).resolve().parent}:{os.environ['PATH']}", ALEMBERT_DATA=str(data_folder()), NO_COLOR="1",
                       PYTHONPATH=str(python_module(tool)), PYTHONDONTWRITEBYTECODE="1", OPENBLAS_NUM_THREADS="1")
    line = re.sub(r"^python3 ", "/usr/bin/python3 ", line)  # that of the system, for which the module is built
    return subprocess.run(["bash", "-c", line], cwd=folder, env=environment, capture_output=True, text=True, timeout=600, check=False)


def run_block(text, before, folder, tool):
    """What the lines of a block print; a Fault where one fails."""
    wanted = re.search(r"<!-- exit (\d+) -->\s*$", before)
    lines = [line for line in re.sub(r"\\\n\s*", "", text).splitlines() if line and not line.startswith(BUILDING)]
    printed = ""
    for line in lines:
        done = paste(line, folder, tool)
        code = int(wanted[1]) if wanted and line is lines[-1] else 0
        if done.returncode != code:
            raise Fault(f"exit code {done.returncode}: {line}\n{done.stdout}{done.stderr}")
        printed += done.stdout + done.stderr
    return printed


def unknown_keys(snippet, folder, tool):
    """Lines about keys that no study has, in a part of a study; what else it lacks does not matter."""
    file = folder / "snippet.toml"
    file.write_text(snippet, encoding="utf-8")
    done = paste("alembert check snippet.toml", folder, tool)
    file.unlink()
    return [line for line in (done.stdout + done.stderr).splitlines() if "unknown" in line or "not valid TOML" in line]


def left_out(before, commands, slow, tool):
    """"" or what is missing for the block."""
    if commands.startswith("python3 ") and not any(python_module(tool).glob("alembert/_alembert*.so")):
        return "the Python module is not built"
    marks = re.search(r"(?:<!-- [^>]* -->\s*)*$", before)[0]
    if "<!-- slow -->" in marks and not slow:
        return "slow"
    needed = re.search(r"<!-- data (\S+) -->", marks)
    return f"no record {needed[1]}" if needed and not (data_folder() / needed[1]).exists() else ""


def follow(page, folder, tool, fix=False, slow=False, check=True):
    """Follows a page; returns its text with what was printed, and why commands were left out."""
    text = page.read_text(encoding="utf-8")
    result, end, printed, missing = "", 0, None, []
    for block in BLOCK.finditer(text):
        kind, body, before = block[1], block[2], text[end:block.start()]
        result += before
        if kind == "sh":
            why = left_out(before, body, slow, tool)
            missing += [why] if why else []
            absent = any(one != "slow" for one in missing)
            printed = None if why or absent else run_block(body, before, folder, tool)
        elif kind == "toml":
            name = re.search(r"Put this in `([\w./-]+\.toml)`[^`]*$", before)
            if name:
                (folder / name[1]).write_text(body, encoding="utf-8")
            elif check:
                wrong = unknown_keys(body, folder, tool)
                if wrong:
                    raise Fault("\n".join(wrong))
        elif check and printed is not None and not before.strip():
            body = "".join(line + "\n" for line in compare(body.splitlines(), printed, fix))
        result += f"```{kind}\n{body}```"
        end = block.end()
    return result + text[end:], missing


@contextlib.contextmanager
def place():
    """A folder for a reader: empty but for the studies and the notebooks of the gallery."""
    with tempfile.TemporaryDirectory(prefix="alembert-guide-") as name:
        shutil.copytree(PROJECT / "studies", pathlib.Path(name) / "studies", ignore=shutil.ignore_patterns("*.out"))
        shutil.copytree(PROJECT / "examples/gallery", pathlib.Path(name) / "examples/gallery")
        yield pathlib.Path(name)


def pages():
    return sorted([*PROJECT.glob("docs/guide/*.md"), *PROJECT.glob("docs/gallery/*.md")])
