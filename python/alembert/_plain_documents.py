"""Documents of results that no study reports alone: spectra, responses, modes, estimates, simulations."""

import numpy

from . import _alembert

_document = _alembert.document
_signal, _identify, _estimate = _alembert.signal, _alembert.identify, _alembert.estimate


def _plot(identifier, title, x_label, y_label, curves, **more):
    return _document.Plot(id=identifier, title=title, x_label=x_label, y_label=y_label, curves=curves, **more)


def _curve(name, x, y, style="Line", group=""):
    return {"name": name, "x": x, "y": y, "style": style, "group": group or name}


def _matrices(list_of_matrices):
    return numpy.array([numpy.asarray(one) for one in list_of_matrices])


def _spectrum(found):
    # The line at 0 Hz has no place on a logarithmic axis.
    curves = [_curve(f"channel {j + 1}", found.frequencies_hz[1:], found.values[1:, j])
              for j in range(found.values.shape[1])]
    return [_plot("spectrum", "Spectrum", "frequency [Hz]", "density [unit^2/Hz]", curves, log_x=True, log_y=True)]


def _responses(found):
    f, H = found.frequencies_hz, _matrices(found.response)
    keep = f > 0.0
    spread = _matrices(found.magnitude_deviation)
    size, phase = [], []
    for i in range(H.shape[1]):
        for j in range(H.shape[2]):
            name = f"output {i + 1} / input {j + 1}"
            h = H[keep, i, j]
            size.append(_curve("magnitude", f[keep], numpy.abs(h), group=name))
            if spread.shape == H.shape:
                for sign, word in ((2.0, "upper"), (-2.0, "lower")):
                    edge = numpy.abs(h) + sign * spread[keep, i, j]
                    edge[~(edge > 0.0)] = numpy.nan
                    size.append(_curve(word, f[keep], edge, "Faint", name))
            phase.append(_curve("phase", f[keep], numpy.degrees(numpy.angle(h)), "Points", name))
    plots = [
        _plot("frf-magnitude", "Frequency responses, magnitude", "frequency [Hz]", "magnitude", size, log_x=True,
              log_y=True, caption="Pale: two standard deviations to each side"),
        _plot("frf-phase", "Frequency responses, phase", "frequency [Hz]", "phase [deg]", phase, log_x=True),
    ]
    if found.multiple_coherence.size:
        curves = [_curve(f"output {i + 1}", f[keep], found.multiple_coherence[keep, i])
                  for i in range(found.multiple_coherence.shape[1])]
        plots.append(_plot("coherence", "Multiple coherence", "frequency [Hz]", "coherence", curves, log_x=True))
    return plots


def _modes(modes):
    curves = []
    for number, mode in enumerate(modes):
        shape = numpy.asarray(mode.shape)
        if shape.size:
            places = numpy.arange(1.0, shape.size + 1.0)
            curves.append(_curve(f"{mode.frequency_hz:.4g} Hz", places, shape.real, group=f"mode {number + 1}"))
    if not curves:
        return []
    return [_plot("modes", "Mode shapes, real part", "coordinate or sensor", "shape", curves)]


def _estimate_plots(found, time=None, title=""):
    samples = found.mean.shape[0]
    x = numpy.arange(float(samples)) if time is None else numpy.asarray(time, float)
    label = "sample" if time is None else "time [s]"
    plots = []
    for j, name in enumerate(found.names):
        mean, spread = found.mean[:, j], 2.0 * found.deviation[:, j]
        curves = [_curve("estimate", x, mean), _curve("upper", x, mean + spread, "Faint", "two deviations"),
                  _curve("lower", x, mean - spread, "Faint", "two deviations")]
        plots.append(_plot(f"state-{j + 1}", f"{title}{name}", label, name, curves,
                           caption="Pale: two standard deviations to each side"))
    return plots


def _fit_plots(fit):
    from ._context import context_of

    given = context_of(fit).get("experiments")
    step = given[0].step if given else 1.0
    label = "time [s]" if given else "sample"
    plots = []
    prediction = fit.estimate.prediction
    for i, name in enumerate(fit.output_names if prediction.outputs else ()):
        y, e = prediction.outputs[0][:, i], prediction.residuals[0][:, i]
        t = step * numpy.arange(len(y))
        plots.append(_plot(f"history-{i + 1}", f"Measured and simulated {name}", label, name,
                           [_curve("measured", t, y + e, "Faint"), _curve("simulated", t, y)]))
        plots.append(_plot(f"residuals-{i + 1}", f"Residual of {name}", label, f"residual of {name}",
                           [_curve("residual", t, e)]))
    return plots


def _record(record):
    t = record.time().times()
    plots = []
    samples = record.samples()
    for j, channel in enumerate(record.channels()):
        unit = f" [{channel.unit}]" if channel.unit else ""
        plots.append(_plot(f"channel-{j + 1}", channel.name, "time [s]", channel.name + unit,
                           [_curve(channel.name, t, samples[:, j])]))
    return plots


def _motion(found):
    plots = []
    for kind in ("displacement", "velocity", "acceleration"):
        values = getattr(found, kind, None)
        if values is not None and numpy.size(values):
            k = numpy.arange(float(values.shape[0]))
            curves = [_curve(f"coordinate {j + 1}", k, values[:, j]) for j in range(values.shape[1])]
            plots.append(_plot(kind, kind.capitalize(), "sample", kind, curves))
    return plots


def plots_of(result):
    """The plots of a result; an empty list where there is nothing to draw."""
    if isinstance(result, _signal.Spectrum):
        return _spectrum(result)
    if isinstance(result, _signal.FrfResult):
        return _responses(result) if result.response else []
    if isinstance(result, _identify.EquationFit):
        return _fit_plots(result)
    if isinstance(result, _estimate.ObserverEstimate):
        return _estimate_plots(result)
    if isinstance(result, _estimate.ObserveResult):
        return _estimate_plots(result.estimate)
    if isinstance(result, _signal.Record):
        return _record(result)
    plots = []
    if hasattr(result, "measured") and isinstance(result.measured, _signal.FrfResult) and result.measured.response:
        plots += _responses(result.measured)
    return plots + mode_plots(result) + _motion(result)


def mode_plots(result):
    """The shapes of the modes of a result; none where it has none."""
    modes = getattr(result, "modes", None)
    if hasattr(modes, "modes"):
        modes = modes.modes
    return _modes(modes) if isinstance(modes, tuple) and modes and hasattr(modes[0], "shape") else []


def document_of(result):
    """A document with what there is: verdict, summary, plots; None without plots."""
    plots = plots_of(result)
    if not plots:
        return None
    blocks = []
    if not getattr(getattr(type(result), "summary", None), "is_plain", not hasattr(result, "summary")):
        blocks.append(_document.Listing(title="Summary", text=result.summary()))
    made = _document.Document(
        title=type(result).__name__, sections=[{"title": "Result", "blocks": blocks + plots}])
    verdict = getattr(result, "verdict", None)
    if isinstance(verdict, _alembert.core.Verdict):
        made.verdict = verdict
    return made
