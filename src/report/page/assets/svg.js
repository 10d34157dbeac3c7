// A figure as SVG: the current view with axes, ticks, labels, curves and legend, on white.

const kSvgFont = 'Helvetica, Arial, "Liberation Sans", "DejaVu Sans", sans-serif';
const kPaper = {ink: '#1a1a1a', muted: '#555555', axis: '#444444', grid: '#e3e3e3', minor: '#f2f2f2'};

const textWidth = (() => {
  let context = null;
  return (text, size = 12) => {
    context = context || document.createElement('canvas').getContext('2d');
    context.font = `${size}px ${kSvgFont}`;
    return context.measureText(text).width;
  };
})();

// Text that fits into a width, cut with an ellipsis if need be.
function fitted(text, width, size) {
  if (textWidth(text, size) <= width) return text;
  let end = text.length;
  while (end > 1 && textWidth(`${text.slice(0, end)}…`, size) > width) --end;
  return `${text.slice(0, end)}…`;
}

function xmlText(text) {
  const known = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'};
  // Control characters other than tab and line ends are not allowed in XML at all.
  return String(text).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"]/g, (c) => known[c]);
}

const short = (v) => String(Math.round(v * 100) / 100);

function tag(name, attributes, content = '') {
  const list = Object.entries(attributes).map(([k, v]) => ` ${k}="${xmlText(v)}"`).join('');
  return content === '' ? `<${name}${list}/>` : `<${name}${list}>${content}</${name}>`;
}

function svgLabel(x, y, text, attributes = {}) {
  return tag('text', {x: short(x), y: short(y), ...attributes}, xmlText(text));
}

class PathText {
  constructor() {
    this.parts = [];
  }
  moveTo(x, y) {
    this.parts.push(`M${short(x)} ${short(y)}`);
  }
  lineTo(x, y) {
    this.parts.push(`L${short(x)} ${short(y)}`);
  }
  dot(x, y) {
    this.parts.push(`M${short(x)} ${short(y)}h0`);
  }
  rect(x, y, w, h) {
    this.parts.push(`M${short(x)} ${short(y)}h${short(w)}v${short(h)}h${short(-w)}z`);
  }
  text() {
    return this.parts.join('');
  }
}

function svgCurve(figure, curve, frame) {
  const colour = colourOf(curve, 'light');
  const path = new PathText();
  const range = indexWindow(curve, frame.window.x0, frame.window.x1);
  const py = figure.valuePixels(curve, frame.py);
  if (curve.style === 'bars') {
    for (const b of figure.bars(curve, frame.px, py, frame)) path.rect(...b);
    return tag('path', {d: path.text(), fill: colour, 'fill-opacity': 0.85});
  }
  const round = {fill: 'none', stroke: colour, 'stroke-linecap': 'round'};
  if (curve.style === 'points') {
    tracePoints(curve, range, frame.px, py, (x, y) => path.dot(x, y));
    const size = 2 * figure.pointRadius(curve, range);
    return tag('path', {d: path.text(), ...round, 'stroke-width': size, opacity: figure.pointAlpha(range)});
  }
  traceLine(curve, range, frame.px, py, frame.width, path);
  const dash = dashOf(curve, figure.stacked);
  const line = {d: path.text(), fill: 'none', stroke: colour, 'stroke-width': figure.lineWidth(),
                'stroke-linejoin': 'round'};
  if (dash.length) line['stroke-dasharray'] = dash.join(' ');
  if (curve.style === 'faint') line.opacity = kFaint;
  const lone = new PathText();
  traceLonePoints(curve, range, frame.px, py, (x, y) => lone.dot(x, y));
  let area = '';
  if (curve.band) {
    const outline = new PathText();
    traceBand(curve, frame.window, frame.px, py, frame.width, outline);
    area = tag('path', {d: outline.text(), fill: colour, 'fill-opacity': kBand});
  }
  const dots = lone.parts.length ? tag('path', {d: lone.text(), ...round, 'stroke-width': 2.4}) : '';
  return area + tag('path', line) + dots;
}

function svgAxes(figure, frame) {
  const {left, top, width, height, px, py, ticks} = frame;
  const bottom = top + height, right = left + width;
  const lines = (values, at, style) => {
    const path = new PathText();
    for (const v of values) at(path, v);
    return path.parts.length ? tag('path', {d: path.text(), fill: 'none', ...style}) : '';
  };
  const vertical = (p, v) => (p.moveTo(px(v), top), p.lineTo(px(v), bottom));
  const horizontal = (p, v) => (p.moveTo(left, py(v)), p.lineTo(right, py(v)));
  const grid = {stroke: kPaper.grid, 'stroke-width': 0.75};
  const minor = {stroke: kPaper.minor, 'stroke-width': 0.75};
  const mark = {stroke: kPaper.axis, 'stroke-width': 0.9};
  return [
    lines(ticks.x.minor, vertical, minor), lines(ticks.y.minor, horizontal, minor),
    lines(ticks.x.major, vertical, grid), lines(ticks.y.major, horizontal, grid),
    lines(ticks.x.major, (p, v) => (p.moveTo(px(v), bottom), p.lineTo(px(v), bottom + 5)), mark),
    lines(ticks.x.minor, (p, v) => (p.moveTo(px(v), bottom), p.lineTo(px(v), bottom + 3)), mark),
    lines(ticks.y.major, (p, v) => (p.moveTo(left, py(v)), p.lineTo(left - 5, py(v))), mark),
    lines(ticks.y.minor, (p, v) => (p.moveTo(left, py(v)), p.lineTo(left - 3, py(v))), mark),
    tag('rect', {x: left, y: top, width, height, fill: 'none', ...mark}),
    ...ticks.x.major.map((v, i) =>
      svgLabel(px(v), bottom + 18, ticks.x.labels[i], {'text-anchor': 'middle'})),
    ...ticks.y.major.map((v, i) =>
      svgLabel(left - 8, py(v) + 4, ticks.y.labels[i], {'text-anchor': 'end'})),
    svgLabel(left + width / 2, bottom + 37, fitted(figure.axisLabel('x', ticks.x), width, 13),
             {'text-anchor': 'middle', 'font-size': 13}),
    svgLabel(0, 0, fitted(figure.axisLabel('y', ticks.y), height + 40, 13),
             {'text-anchor': 'middle', 'font-size': 13,
              transform: `translate(14 ${short(top + height / 2)}) rotate(-90)`}),
  ].join('\n');
}

function svgMarkers(figure, frame) {
  const bottom = frame.top + frame.height;
  return figure.placedMarkers(frame.px, frame.left, frame.left + frame.width).map((m) => {
    const line = {x1: short(m.at), x2: short(m.at), y1: frame.top, y2: bottom, stroke: kPaper.muted,
                  'stroke-width': 0.8, 'stroke-dasharray': '1.5 2.5'};
    const label = m.labelled
      ? svgLabel(m.at, frame.top - 4, m.label, {fill: kPaper.muted, 'font-size': 11, 'text-anchor': 'middle'})
      : '';
    return tag('line', line) + label;
  }).join('');
}

// A sample of a curve's line, point or bar, centred on the line y.
function svgSwatch(x, y, curve, colour) {
  if (curve.style === 'bars') {
    return tag('rect', {x: short(x + 6), y: short(y - 5), width: 10, height: 10, fill: colour});
  }
  if (curve.style === 'points') {
    return tag('circle', {cx: short(x + 11), cy: short(y), r: 2.4, fill: colour});
  }
  const line = {x1: short(x), x2: short(x + 22), y1: short(y), y2: short(y), stroke: colour,
                'stroke-width': 1.6, opacity: curve.style === 'faint' ? kFaint : 1};
  const dash = dashOf(curve);
  if (dash.length) line['stroke-dasharray'] = dash.join(' ');
  return tag('line', line);
}

// Legend rows that fit into the width; returns the markup and its height.
function svgLegend(figure, left, top, width) {
  const items = figure.shownEntries().map((e) => ({
    text: e.name, curve: shapeOf(e), colour: kColours.light[e.colour],
  }));
  for (const curve of figure.styleKey()) items.push({text: curve.name, curve, colour: kPaper.ink});
  if (items.length < 2 || figure.stacked) return {markup: '', height: 0};
  let x = left, y = top + 8;
  const parts = [];
  for (const item of items) {
    const wide = 22 + 6 + textWidth(item.text) + 18;
    if (x > left && x + wide > left + width) {
      x = left;
      y += 18;
    }
    parts.push(svgSwatch(x, y, item.curve, item.colour), svgLabel(x + 28, y + 4, item.text));
    x += wide;
  }
  return {markup: parts.join(''), height: y + 12 - top};
}

function figureSvg(figure, width = 720, height = 340) {
  const window = figure.window();
  const inner = {top: figure.topMargin(), height: (figure.stacked ? figure.stackHeight() : height) - 56};
  const ticksY = figure.ticksY(window, inner.height);
  const left = 32 + Math.ceil(Math.max(34, ...ticksY.labels.map((t) => textWidth(t))));
  const frame = {...inner, left, width: width - left - 14, window};
  frame.ticks = {x: figure.ticksX(window, frame.width), y: ticksY};
  frame.px = pixelMap(window.x0, window.x1, left, left + frame.width, figure.spec.log_x);
  frame.py = pixelMap(window.y0, window.y1, frame.top + frame.height, frame.top, figure.logY());
  const legend = svgLegend(figure, left, frame.top + frame.height + 50, frame.width);
  const total = frame.top + frame.height + 48 + legend.height;
  const clip = `clip-${figure.root.id}`;
  const box = {x: left, y: frame.top, width: frame.width, height: frame.height};
  const curves = figure.shownCurves().map((c) => svgCurve(figure, c, frame)).join('\n');
  const markup = tag('svg', {
    xmlns: 'http://www.w3.org/2000/svg', width, height: total, viewBox: `0 0 ${width} ${total}`,
    'font-family': kSvgFont, 'font-size': 12, fill: kPaper.ink, role: 'img',
  }, [
    tag('title', {}, xmlText(figure.spec.title || figure.root.id)),
    tag('rect', {width, height: total, fill: '#ffffff'}),
    tag('clipPath', {id: clip}, tag('rect', box)),
    svgAxes(figure, frame), svgMarkers(figure, frame),
    tag('g', {'clip-path': `url(#${clip})`}, curves || ' '),
    legend.markup,
  ].join('\n'));
  return {markup, width, height: total};
}
