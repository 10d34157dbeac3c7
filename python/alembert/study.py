"""The module ``alembert::study`` of the library, and running studies.

A study is data, model and task. ``run("study.toml")`` runs a file; ``Study({...}, records={...})`` is one of dicts
and arrays. Nothing is written unless a folder is given.
"""

import os
import pathlib

from . import _records, _toml
from ._modules import names_of
from ._results import Reproduction, Result

globals().update(names_of("study"))

_IN_MEMORY = "study.toml"


def _flat(tables, prefix=""):
    """Pairs (dotted key, TOML value) of nested dicts."""
    for name, value in tables.items():
        key = f"{prefix}{_toml.key(name)}"
        if isinstance(value, dict) and value:
            yield from _flat(value, key + ".")
        else:
            yield key, _toml.value(value)


class Study:
    """A study that was read and checked, ready to run.

    ``source`` is a path of a TOML file, or the tables of a study as a dict. Names of keys may be written with
    underscores, as keywords of Python are. ``records`` gives the content of files that the study names: a
    ``signal.Record``, or a dict of arrays (one for each column; with ``time`` or ``step``), or a list of them.
    Further keywords change the study: ``Study("frame.toml", identify={"start": "weak-form"})``.

    Raises StudyError or DataError with the first broken rule; ``problems`` of the exception has all.
    """

    def __init__(self, source, records=None, *, seed=None, folder=None, **changes):
        if isinstance(source, dict):
            self.file = pathlib.Path(folder or ".") / _IN_MEMORY
            self.text = _toml.document(_toml.with_hyphens(source))
        else:
            self.file = pathlib.Path(os.fspath(source))
            self.text = _read(self.file)
        self._given = (
            self.text, self.file, list(_flat(_toml.with_hyphens(changes))),
            {name: _records.records(value) for name, value in (records or {}).items()}, seed)
        try:
            self._loaded = _load(*self._given)  # noqa: F821
        except Exception as error:
            _add_problems(error, self._given)
            raise

    @property
    def task(self):
        """The table of the task: "simulate", "identify", "observe", "monte-carlo"."""
        return self._loaded.task

    def remarks(self):
        """What its author should know although nothing is wrong."""
        return self._loaded.remarks()

    def run(self, *, out=None, threads=0, progress=False):
        """Runs the study and returns its Result; ``out`` is a folder to write all files to, as the tool does."""
        result = Result(self._loaded.run(threads, out, progress), self)
        if out is not None:
            result.write(out)
        return result

    def export(self, target, *, to="c", name="", precision="double", step=None, force=False):
        """Writes the model for other programs, as ``alembert export`` does, and returns what is worth knowing.

        ``to`` is "c" (``target`` is a folder), "fmu", "mat" or "npz" (a file, which ``force`` replaces). ``step`` in s
        is for a study that has none.
        """
        return self._loaded.export(target, to, name, precision, step, force)

    def __repr__(self):
        return f"Study({str(self.file)!r}, task={self.task!r})"

    def __reduce__(self):
        return _rebuilt, self._given


def _rebuilt(text, file, changes, records, seed):
    made = Study.__new__(Study)
    made.text, made.file, made._given = text, file, (text, file, changes, records, seed)
    made._loaded = _load(text, file, changes, records, seed)  # noqa: F821
    return made


def _read(file):
    """The text of a study, of a regular file alone: a device would not end, a pipe would wait."""
    from ._alembert import DataError, StudyError, io

    try:
        return io.read_text_file(file)
    except UnicodeDecodeError as reason:
        raise StudyError(f"{file}: is no text of UTF-8: {reason}") from None
    except DataError as error:
        raise StudyError(str(error)) from None


def _add_problems(error, given):
    from ._alembert import DataError, StudyError

    if isinstance(error, (StudyError, DataError)):
        error.problems = list(_problems(*given))  # noqa: F821


def run(source, records=None, *, out=None, threads=0, progress=False, seed=None, **changes):
    """Runs a study and returns its Result.

    ``source`` is a path of a TOML file or a dict, ``records`` holds data in memory: see Study. ``out`` is a folder to
    write all files to. ``progress=True`` shows a bar. Further keywords change the study.
    """
    return Study(source, records, seed=seed, **changes).run(out=out, threads=threads, progress=progress)


def export(source, target, records=None, *, to="c", name="", precision="double", step=None, force=False, **changes):
    """Writes the model of a study for other programs: see Study.export()."""
    return Study(source, records, **changes).export(target, to=to, name=name, precision=precision, step=step, force=force)


def check(source, records=None, **changes):
    """All problems of a study as lines of text, as ``alembert check`` prints them; none: it can run."""
    try:
        Study(source, records, **changes)
    except Exception as error:
        problems = getattr(error, "problems", None)
        if problems is None:
            raise
        return list(problems)
    return []


def mechanism(source):
    """A ``model.planar.Mechanism`` in the words of studies.

    ``source`` is a path of a TOML file with the table [mechanism] and, for its sensors, [data.sensors] (a study will
    do), or the same as a dict: ``{"mechanism": {...}, "data": {"sensors": {...}}}``.
    """
    if not isinstance(source, dict):
        return mechanism_of_file(source)  # noqa: F821
    tables = source if "mechanism" in source else {"mechanism": source}
    return mechanism_of_text(_toml.document(_toml.with_hyphens(tables)))  # noqa: F821


def reproduce(name=None, *, full=False, threads=0, data=None, out=None, progress=False):
    """Computes a published table or figure anew and returns a Reproduction; without a name: all names with their help.

    ``data`` is the folder of public records that some need, $ALEMBERT_DATA unless given; ``full=True`` takes the full
    size, otherwise it ends within a minute; ``out`` is a folder to write result.json and report.html to.
    """
    if name is None:
        return _reproductions()  # noqa: F821
    data = data if data is not None else os.environ.get("ALEMBERT_DATA")
    found = Reproduction(_reproduce(name, full, threads, data, progress))  # noqa: F821
    if out is not None:
        found.write(out)
    return found


def keys(path=""):
    """The reference of all keys of studies, or of one table, as ``alembert keys`` prints it."""
    return _keys(path)  # noqa: F821


__all__ = sorted({*__all__, "Study", "Reproduction", "Result", "run", "check", "keys", "mechanism", "reproduce"})  # noqa: F821
