"""Results of studies and reproductions."""

from . import _tables
from ._objects import framed


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

    def document(self):
        """The report as a document.Document: sections with texts, tables and plots."""
        return self._held.document()

    def plot(self, name=None, axes=None):
        """Draws the plots of the report by matplotlib and returns their axes.

        ``name`` chooses: "frf", "modes", "residuals", "bands", "fit", or the id of one plot; an unknown one lists
        all. ``axes`` is where the first of them goes."""
        from ._plain_documents import mode_plots
        from ._plots import draw_document

        return draw_document(self.document(), name, axes, mode_plots(self.found))

    def to_pandas(self):
        """Tables of the result as a dict of pandas DataFrames, by the names of their keys."""
        import pandas  # type: ignore

        return {name: pandas.json_normalize(rows) for name, rows in _tables.lists_of_groups(self.to_dict())}

    def to_xarray(self):
        """All arrays of the struct of the task as a Dataset of xarray."""
        return _tables.to_xarray(self.found)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self._held.found, name)

    def __dir__(self):
        return sorted({*super().__dir__(), *dir(self.found)})

    def __repr__(self):
        return f"<Result of {self.study.task}: {self.status}, {self.verdict.level}>\n{self.summary()}"

    def _repr_html_(self):
        return framed(self.report())

    def __reduce__(self):
        return _unpickled, (_Stored(self._held), self.study)


class _Stored:
    """What a pickled result holds: all but the means to write its files."""

    def __init__(self, held):
        self.found, self.status, self.message = held.found, held.status, held.message
        self.verdict, self.seconds = held.verdict, held.seconds
        self._tree, self._summary, self._document, self._page = (
            held.to_dict(), held.summary(), held.document(), held.report())

    def to_dict(self):
        return self._tree

    def summary(self):
        return self._summary

    def document(self):
        return self._document

    def report(self):
        return self._page

    def write(self, folder):
        raise TypeError("write: a result that was pickled has no files; write it before, or run its study again")


def _unpickled(held, study):
    return Result(held, study)


class Reproduction:
    """A published table or figure, computed anew: claims, tables and plots."""

    def __init__(self, held):
        self._held = held

    status = property(lambda self: self._held.status, doc="How it ended, a core.Status.")
    message = property(lambda self: self._held.message, doc="What was seen; empty on success.")
    name = property(lambda self: self._held.name, doc="As ``alembert reproduce`` calls it.")
    title = property(lambda self: self._held.title, doc="What is computed, in a line.")
    claims = property(lambda self: self._held.claims, doc="A tuple of document.Claim: measured, published, target, ok.")
    tables = property(lambda self: self._held.tables, doc="The tables behind the claims.")

    @property
    def ok(self):
        """Whether it ran and all claims hold."""
        return self.status == "success" and all(claim.ok for claim in self.claims)

    def document(self):
        """The report as a document.Document."""
        return self._held.document

    def report(self):
        """The report: one page of HTML."""
        from . import _alembert

        return _alembert.report.render_html(self.document())

    def summary(self):
        """The claims, a line each."""
        lines = [self.title]
        for claim in self.claims:
            state = "ok " if claim.ok else "NOT"
            lines.append(f"{state} {claim.name}: {claim.measured:.6g} {claim.unit} ({claim.target})".rstrip())
        return "\n".join(lines)

    def to_dict(self):
        """Name, title and claims as dicts and lists."""
        return {"name": self.name, "title": self.title, "claims": [claim.to_dict() for claim in self.claims]}

    def plot(self, name=None, axes=None):
        """Draws the figures by matplotlib; see Result.plot()."""
        from ._plots import draw_document

        return draw_document(self.document(), name, axes)

    def write(self, folder):
        """Writes result.json and report.html into a folder, as the tool does."""
        self._held.write(folder)

    def __repr__(self):
        return f"<Reproduction {self.name}: {self.status}>\n{self.summary()}"

    def _repr_html_(self):
        return framed(self.report())
