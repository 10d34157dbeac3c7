"""Results of functions as documents: the tables and plots of the reports that studies have."""

import numpy

from . import _alembert
from ._context import context_of

_document = _alembert.document
_identify = _alembert.identify
_study = _alembert.study
_LEFT_OUT = ("What was asked", "Files")


def fields_of(kind):
    """Names of all fields of a class, those of its bases first."""
    names = []
    for cls in reversed(kind.__mro__):
        names.extend(cls.__dict__.get("__fields__", ()))
    return names


def _filled(made, result):
    for name in fields_of(type(result)):
        value = getattr(result, name)
        if value is not None:
            setattr(made, name, value)
    return made


def _experiments(predictions, residuals, step, inputs):
    """The records of a fit where they are not known: what was predicted and what was left."""
    return [_identify.Experiment(input=numpy.zeros((len(y), inputs)), output=y + e, step=step)
            for y, e in zip(predictions, residuals)]


def _measured(experiments):
    return _study.MeasuredData(
        experiments=experiments, sources=[{"file": f"experiment {k + 1}"} for k in range(len(experiments))])


def _output_sensors(problem, names):
    kinds = (("displacement", problem.outputs.displacement), ("velocity", problem.outputs.velocity),
             ("acceleration", problem.outputs.acceleration))
    sensors = []
    for i, name in enumerate(names):
        motion, rows = next(((m, r) for m, r in kinds if r.size and r[i].any()), kinds[0])
        weights = rows[i]
        alone = numpy.flatnonzero(weights)
        single = len(alone) == 1 and weights[alone[0]] == 1.0
        sensors.append(_study.OutputSensor(
            column={"name": name}, motion=motion, weights=weights, coordinate=int(alone[0]) if single else -1))
    return sensors


def _linear(fit):
    context = context_of(fit)
    given = context.get("experiments") or _experiments(
        fit.refinement.predictions, fit.refinement.residuals, fit.records.step, fit.problem.L.shape[1])
    L, names = fit.problem.L, fit.names
    study = _study.IdentifyStudy(
        title="Mass, damping and stiffness",
        model={"system": {"L": L}, "coordinates": names.coordinates, "inputs": names.inputs,
               "displacement_units": [""] * L.shape[0], "velocity_units": [""] * L.shape[0],
               "acceleration_units": [""] * L.shape[0], "force_units": [""] * L.shape[1]},
        inputs=[{"name": name} for name in names.inputs],
        outputs=_output_sensors(fit.problem, names.outputs), data=_measured(given))
    study.settings.unknowns = fit.problem.unknowns
    if fit.validation is not None and context.get("held_back"):
        study.validation = _measured(context["held_back"])
    result = _filled(_study.IdentifyResult(), fit)
    if not context.get("held_back"):
        result.validation = None
    result.study = study
    return _study.complete, result, _alembert.report.identify_document


def _equations(fit):
    context = context_of(fit)
    if "equations" not in context:
        return None
    model = _alembert.model.parse_equations(context["equations"], context["setup"])
    study = _study.OutputErrorStudy(
        title="Parameters of differential equations", equations=context["equations"], setup=context["setup"],
        model=model, inputs=[{"name": name} for name in fit.input_names],
        outputs=[{"name": name} for name in fit.output_names], parameters=fit.parameters,
        parameter_units=[""] * len(fit.parameters), data=_measured(context["experiments"]))
    study.options.output_error.simulation = fit.simulation
    result = _filled(_study.OutputErrorOutcome(), fit)
    result.validation = None  # the records that were held back are not known
    result.study = study
    return _study.complete, result, _alembert.report.output_error_document


def _observed(found):
    context = context_of(found)
    if "time" not in context:
        return None
    mechanism, first = found.mechanism, found.first
    time, readings = numpy.asarray(context["time"], float), numpy.asarray(context["readings"], float)
    readings = readings.reshape(len(time), -1)
    study = _study.ObserveStudy(
        title="Motion of a mechanism", mechanism=mechanism,
        columns=[{"column": sensor.name} for sensor in mechanism.description().sensors], source="arrays",
        time=_alembert.signal.TimeAxis.given(time[first:]), readings=readings[first:], options=found.options)
    result = _filled(_study.ObserveResult(), found)
    result.study = study
    return _study.complete, result, _alembert.report.observe_document


def _acceleration(fit):
    context = context_of(fit)
    if "records" not in context:
        return None
    study = _study.AccelerationStudy(
        title="One degree of freedom from acceleration", equation=context["equation"], records=context["records"],
        columns=[{"name": "acceleration", "unit": "m/s^2"}],
        sources=[{"file": f"record {k + 1}"} for k in range(len(context["records"]))], options=context["options"])
    result = _filled(_study.AccelerationOutcome(), fit)
    result.study = study
    return _study.complete, result, _alembert.report.acceleration_document


_REPORTS = {
    _identify.LinearIdentification: _linear,
    _identify.EquationFit: _equations,
    _identify.AccelerationFit: _acceleration,
    _alembert.estimate.ObserveResult: _observed,
}


def document_of(result):
    """The document of a result, with the sections of the report; None for one that has no plots."""
    from . import _plain_documents

    make = next((_REPORTS[kind] for kind in type(result).__mro__ if kind in _REPORTS), None)
    made = make(result) if make is not None else None
    if made is None:
        return _plain_documents.document_of(result)
    complete, filled, write = made
    complete(filled)
    document = write(filled)
    document.verdict = result.verdict
    document.sections = [section for section in document.sections if section.title not in _LEFT_OUT]
    return document
