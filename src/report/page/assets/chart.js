// The options that tie a Figure to uPlot, its buttons and its keys.

function themeColour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

const kAxisFont = `12px ${kSvgFont}`;
const kLabelFont = `13px ${kSvgFont}`;

function axisOptions(figure, which, extra) {
  let ticks = {major: [], labels: [], minor: [], exponent: 0};
  const ink = themeColour('ink'), axis = themeColour('axis'), grid = themeColour('grid');
  const onlyMajor = (u, splits) => splits.map((v, i) => (i < ticks.major.length ? v : null));
  return {
    scale: which,
    font: kAxisFont,
    labelFont: kLabelFont,
    stroke: ink,
    gap: 4,
    grid: {stroke: grid, width: 1, filter: onlyMajor},
    ticks: {stroke: axis, width: 1, size: 5, filter: onlyMajor},
    label: (u) => {
      const length = (which === 'x' ? u.bbox.width : u.bbox.height + 40) / uPlot.pxRatio;
      return fitted(figure.axisLabel(which, ticks), length, 13);
    },
    splits: (u) => {
      const length = which === 'x' ? u.bbox.width : u.bbox.height;
      const make = which === 'x' ? figure.ticksX : figure.ticksY;
      ticks = make.call(figure, figure.window(), length / uPlot.pxRatio);
      figure[`${which}Minor`] = ticks.minor;
      return [...ticks.major, ...ticks.minor];
    },
    values: (u, splits) => splits.map((v, i) => ticks.labels[i] ?? null),
    ...extra,
  };
}

function drawFrame(figure, u) {
  const {left, top, width, height} = u.bbox, context = u.ctx, ratio = uPlot.pxRatio;
  context.save();
  context.lineWidth = ratio;
  context.strokeStyle = themeColour('axis');
  context.setLineDash([]);
  context.strokeRect(left + ratio / 2, top + ratio / 2, width - ratio, height - ratio);
  drawMinorTicks(figure, u);
  context.setLineDash([1.5 * ratio, 2.5 * ratio]);
  context.strokeStyle = context.fillStyle = themeColour('muted');
  context.font = `${11 * ratio}px ${kSvgFont}`;
  context.textAlign = 'center';
  context.textBaseline = 'bottom';
  const px = (v) => u.valToPos(v, 'x');
  for (const m of figure.placedMarkers(px, 0, width / ratio)) {
    const x = left + m.at * ratio;
    context.beginPath();
    context.moveTo(x, top);
    context.lineTo(x, top + height);
    context.stroke();
    if (m.labelled) context.fillText(m.label, x, top - 2 * ratio);
  }
  context.restore();
}

// uPlot gives all ticks one length; those without a label are shorter.
function drawMinorTicks(figure, u) {
  const {left, top, height} = u.bbox, context = u.ctx, size = 3 * uPlot.pxRatio;
  context.beginPath();
  for (const v of figure.xMinor || []) {
    const x = Math.round(u.valToPos(v, 'x', true)) + 0.5;
    context.moveTo(x, top + height);
    context.lineTo(x, top + height + size);
  }
  for (const v of figure.yMinor || []) {
    const y = Math.round(u.valToPos(v, 'y', true)) + 0.5;
    context.moveTo(left, y);
    context.lineTo(left - size, y);
  }
  context.stroke();
}

function drawMinorGrid(figure, u) {
  const {left, top, width, height} = u.bbox, context = u.ctx;
  context.save();
  context.strokeStyle = themeColour('minor');
  context.lineWidth = uPlot.pxRatio;
  context.beginPath();
  for (const v of figure.xMinor || []) {
    const x = Math.round(u.valToPos(v, 'x', true)) + 0.5;
    context.moveTo(x, top);
    context.lineTo(x, top + height);
  }
  for (const v of figure.yMinor || []) {
    const y = Math.round(u.valToPos(v, 'y', true)) + 0.5;
    context.moveTo(left, y);
    context.lineTo(left + width, y);
  }
  context.stroke();
  context.restore();
}

function seriesOptions(figure, curve) {
  const colour = colourOf(curve, currentTheme());
  const solid = curve.style === 'points' || curve.style === 'bars';
  return {
    label: labelOf(curve),
    show: curve.entry.shown,
    stroke: colour,
    // The area takes the opacity of its edges too.
    fill: solid ? colour : curve.band ? alphaColour(colour, kBand / kFaint) : undefined,
    width: figure.lineWidth(),
    dash: dashOf(curve, figure.stacked),
    alpha: curve.style === 'bars' ? 0.85 : curve.style === 'faint' ? kFaint : 1,
    pxAlign: 0,
    points: {show: false},
    paths: (u) => {
      u.series[1 + figure.curves.indexOf(curve)].width = figure.lineWidth();
      return figure.canvasPath(u, curve);
    },
  };
}

function zoomToSelection(figure, u) {
  const {left, top, width, height} = u.select;
  if (width < 1 && height < 1) return;
  // A band across the whole plot means that only the other direction was chosen.
  const onlyX = height >= u.over.clientHeight - 1, onlyY = width >= u.over.clientWidth - 1;
  const x = onlyY ? figure.view.x : [u.posToVal(left, 'x'), u.posToVal(left + width, 'x')];
  const y = onlyX || figure.stacked ? null : [u.posToVal(top + height, 'y'), u.posToVal(top, 'y')];
  u.setSelect({left: 0, top: 0, width: 0, height: 0}, false);
  figure.zoomTo(x, y);
}

function plotOptions(figure) {
  const {spec} = figure;
  const labelRoom = (u, labels) => {
    const widths = (labels || []).map((t) => (t ? textWidth(t) : 0));
    return Math.max(56, 16 + Math.max(0, ...widths));
  };
  const mouseOnly = (type) => type === 'mousemove' || type === 'mouseleave';
  return {
    ...figure.size(),
    padding: [figure.topMargin(), 16, 0, 2],
    legend: {show: false},
    scales: {
      x: {time: false, distr: spec.log_x ? 3 : 1, range: () => figure.view.x || figure.full},
      y: {
        distr: figure.logY() ? 3 : 1,
        range: () => {
          const {y0, y1} = figure.window();
          return [y0, y1];
        },
      },
    },
    axes: [
      axisOptions(figure, 'x', {size: 27, labelSize: 17, labelGap: 0}),
      axisOptions(figure, 'y', {size: labelRoom, labelSize: 24, labelGap: 0}),
    ],
    series: [{}, ...figure.curves.map((c) => seriesOptions(figure, c))],
    cursor: {
      points: {show: false},
      drag: {x: true, y: true, uni: 24, dist: 4, setScale: false},
      bind: {
        dblclick: () => () => {
          figure.reset();
          return null;
        },
      },
      sync: {
        key: figure.linkKey(),
        setSeries: false,
        scales: ['x', null],
        filters: {pub: (type) => figure.linked && mouseOnly(type),
                  sub: (type) => figure.linked && mouseOnly(type)},
      },
    },
    hooks: {
      drawClear: [(u) => drawMinorGrid(figure, u)],
      draw: [(u) => drawFrame(figure, u)],
      setCursor: [(u) => figure.readout.follow(u)],
      setSelect: [(u) => zoomToSelection(figure, u)],
    },
  };
}

function toggle(text, title, on, action) {
  const node = button(text, title, () => {
    const pressed = node.getAttribute('aria-pressed') !== 'true';
    node.setAttribute('aria-pressed', String(pressed));
    action(pressed);
  });
  node.setAttribute('aria-pressed', String(on));
  return node;
}

function addToolbar(figure, host) {
  const name = `${document.documentElement.dataset.name}-${figure.root.id}`;
  const csv = () => {
    const {x0, x1} = figure.window();
    return csvOf(figure.spec, figure.shownCurves(), x0, x1);
  };
  const zoom = element('span', {class: 'button-group', role: 'group', 'aria-label': 'zoom'});
  zoom.append(button('−', 'zoom out', () => figure.scaleX(2)),
              button('+', 'zoom in', () => figure.scaleX(0.5)),
              button('Reset', 'show everything (or double-click the plot)', () => figure.reset()));
  const modes = element('span', {class: 'button-group', role: 'group', 'aria-label': 'view'});
  if (figure.entries.length > 1 && !figure.curves.some((c) => c.style === 'bars')) {
    modes.append(toggle('Stack', 'each curve in a lane of its own', false, (on) => figure.setStacked(on)));
  }
  figure.linkHost = modes;
  const files = element('span', {class: 'button-group', role: 'group', 'aria-label': 'download'});
  files.append(
    button('SVG', 'download the present view as SVG', () => {
      saveAs(new Blob([figureSvg(figure).markup], {type: 'image/svg+xml'}), `${name}.svg`);
    }),
    button('PNG', 'download the present view as PNG', async () => {
      const svg = figureSvg(figure);
      saveAs(await pngOf(svg.markup, svg.width, svg.height), `${name}.png`);
    }),
    button('CSV', 'download the numbers of the present view as CSV', () => {
      saveAs(new Blob([csv()], {type: 'text/csv'}), `${name}.csv`);
    }));
  host.append(modes, zoom, files);
  figure.csv = csv;
}

function addKeys(figure) {
  const actions = {
    '+': () => figure.scaleX(0.5), '=': () => figure.scaleX(0.5), '-': () => figure.scaleX(2),
    ArrowLeft: () => figure.scaleX(1, 0.5, -0.2), ArrowRight: () => figure.scaleX(1, 0.5, 0.2),
    0: () => figure.reset(), Escape: () => figure.reset(),
  };
  figure.host.addEventListener('keydown', (event) => {
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  });
  // The wheel alone scrolls the page; with Ctrl it zooms about the mouse.
  figure.host.addEventListener('wheel', (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const box = figure.plot.over.getBoundingClientRect();
    const about = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    figure.scaleX(event.deltaY > 0 ? 1.25 : 0.8, about);
  }, {passive: false});
}
