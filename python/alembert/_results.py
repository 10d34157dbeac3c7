"""Results of studies."""

import html


class Result:
    """What a study has found.

    ``status`` and ``message`` say how it ended, ``verdict`` how far it can be trusted, ``found`` is the struct of the
    task with all numbers and signals; its attributes are those of the result too: ``result.modes`` is
    ``result.found.modes``.
    """

    def __init__(self, held, study):
        self._held = held
        self.study = study

    @property
    def found(self):
        """The struct of the task: study.IdentifyResult, study.SimulateResult, ..."""
        return self._held.found

    @property
    def status(self):
        """How the method ended, a core.Status; equals its text: ``result.status == "success"``."""
        return self._held.status

    @property
    def message(self):
        """What was seen and what to try; empty on success."""
        return self._held.message

    @property
    def verdict(self):
        """How far the result can be trusted, a core.Verdict with level, reasons and advice."""
        return self._held.verdict

    @property
    def seconds(self):
        """That the run took."""
        return self._held.seconds

    def to_dict(self):
        """All that result.json holds, as dicts and lists; numbers that are not known are NaN."""
        return self._held.to_dict()

    def summary(self):
        """What the command-line tool prints."""
        return self._held.summary()

    def report(self):
        """The report: one page of HTML that needs no other file."""
        return self._held.report()

    def write(self, folder):
        """Writes result.json, the signals and report.html into a folder, as the tool does.

        An earlier result there is replaced; anything else is left alone and a DataError raised."""
        self._held.write(folder)

    def to_pandas(self):
        """Tables of the result as a dict of pandas DataFrames, by the names of their keys."""
        import pandas  # type: ignore

        tables = {name: rows for name, rows in _lists_of_groups(self.to_dict())}
        return {name: pandas.json_normalize(rows) for name, rows in tables.items()}

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._held.found, name)

    def __repr__(self):
        return f"<Result of {self.study.task}: {self.status}, {self.verdict.level}>\n{self.summary()}"

    def _repr_html_(self):
        page = html.escape(self.report(), quote=True)
        return (f'<iframe srcdoc="{page}" style="width: 100%; height: 40em; border: 1px solid #ccc" '
                f'sandbox="allow-scripts" title="report"></iframe>')

    def __reduce__(self):
        raise TypeError("a Result is not pickled; pickle result.to_dict(), result.found or result.study")


def _lists_of_groups(tree, path=""):
    for name, item in tree.items():
        place = f"{path}{name}"
        if isinstance(item, dict):
            yield from _lists_of_groups(item, place + ".")
        elif isinstance(item, list) and item and all(isinstance(row, dict) for row in item):
            yield place, item
