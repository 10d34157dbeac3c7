"""Plots of documents by matplotlib, where it is installed."""

import numpy

_STYLES = {
    "Line": {"linestyle": "-"}, "Dashed": {"linestyle": "--"}, "Faint": {"linestyle": "-", "alpha": 0.4},
    "Points": {"linestyle": "", "marker": ".", "markersize": 3.0}, "Bars": {"drawstyle": "steps-mid"},
}
# Short words for families of plots, by what their names hold.
_FAMILIES = {
    "frf": ("frf", "response"), "modes": ("mode", "shape"), "residuals": ("residual",),
    "bands": ("state", "innovation", "nis"), "fit": ("history",),
}


def _wanted(plot, name):
    if name is None:
        return True
    return plot.id == name or any(word in plot.id for word in _FAMILIES.get(name, (name,)))


def plots_of(document):
    """All plots of a document, in their order."""
    return [block for section in document.sections for block in section.blocks if hasattr(block, "curves")]


def _draw_curve(curve, x, axes, colours):
    group = curve.group or curve.name
    colour = colours.setdefault(group, f"C{len(colours) % 10}")
    label = f"{group}: {curve.name}" if curve.group and curve.group != curve.name else curve.name
    if curve.name in ("upper", "lower"):
        label = None  # the edges of a band
    axes.plot(x, curve.y, color=colour, label=label, **_STYLES[curve.style.name])


def draw(plot, axes):
    """One plot on axes of matplotlib."""
    colours, shown, x = {}, set(), numpy.zeros(0)
    for curve in plot.curves:
        x = curve.x if len(curve.x) else x
        shown.add(curve.group or curve.name)
        if plot.visible and len(shown) > plot.visible:
            break
        _draw_curve(curve, x, axes, colours)
    for marker in plot.markers:
        axes.axvline(marker.x, color="0.7", linewidth=0.8)
    axes.set_xscale("log" if plot.log_x else "linear")
    axes.set_yscale("log" if plot.log_y else "linear")
    axes.set(title=plot.title, xlabel=plot.x_label, ylabel=plot.y_label)
    if 1 < len(axes.get_legend_handles_labels()[0]) <= 12:
        axes.legend(fontsize="small")
    axes.grid(True, alpha=0.3)
    return axes


def draw_document(document, name=None, axes=None, modes=()):
    """The plots of a document; ``name`` chooses some: see Result.plot(). ``modes`` are plots beside the document."""
    plots = plots_of(document) if document is not None else []
    if not any(_wanted(plot, "modes") for plot in plots):  # the report may show the shapes already
        plots += modes
    chosen = [plot for plot in plots if _wanted(plot, name)]
    if not chosen:
        known = ", ".join(plot.id for plot in plots) or "none"
        raise ValueError(f"plot: there is no plot {name!r}; the plots of this result: {known}"
                         if name is not None else "plot: this result has no plots")
    if axes is not None:
        return [draw(chosen[0], axes)]
    import matplotlib.pyplot as pyplot  # type: ignore

    figure, grid = pyplot.subplots(len(chosen), 1, figsize=(8.0, 3.2 * len(chosen)), squeeze=False)
    made = [draw(plot, place) for plot, place in zip(chosen, grid[:, 0])]
    figure.tight_layout()
    return made
