// The curves of a figure: decoding, extremes, and lines reduced to what a pixel can show.

// Chosen by search: every pair stays apart (20 of CIE 1976) for the three kinds of colour blindness,
// and each has a contrast of 3 with the paper. tests/browser checks it.
const kColours = {
  light: ['#004093', '#ae3a0e', '#217e54', '#a5528e', '#d77f00', '#3590ff', '#33283f', '#611d0d'],
  dark: ['#72a7ff', '#e07a2a', '#22de86', '#ca78a7', '#ece336', '#7d66ff', '#d2f3ff', '#857a50'],
};
// The colours repeat after eight; a dash pattern tells the rounds apart.
const kDashes = [[], [8, 3], [2, 2.5], [9, 3, 2, 3], [14, 3], [5, 2, 1.5, 2, 1.5, 2], [3, 4], [12, 3, 4, 3]];
const kDashed = [6, 3.5];
const kFaint = 0.42;  // opacity
const kBand = 0.2;    // of the area of a band

// A colour #rrggbb with an opacity.
function alphaColour(colour, alpha) {
  return colour + Math.round(255 * alpha).toString(16).padStart(2, '0');
}

function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

// Differences of sample numbers, seven bits to a byte, lowest first.
function decodeIndices(base64) {
  const bytes = bytesOf(base64), indices = [];
  let index = 0, value = 0, weight = 1;
  for (const byte of bytes) {
    value += (byte & 127) * weight;
    weight *= 128;
    if (byte < 128) {
      indices.push((index += value));
      value = 0;
      weight = 1;
    }
  }
  return indices;
}

function decodeX(x, earlier) {
  if ('same' in x) return earlier[x.same].x;
  if ('f64' in x) return new Float64Array(bytesOf(x.f64).buffer);
  if ('index' in x) return Float64Array.from(decodeIndices(x.index), (k) => x.start + k * x.step);
  return Float64Array.from({length: x.count}, (_, k) => x.start + k * x.step);
}

function decodeY(y) {
  if ('f64' in y) return new Float64Array(bytesOf(y.f64).buffer);
  const values = new Float32Array(bytesOf(y.f32).buffer);
  return y.offset ? Float64Array.from(values, (v) => v + y.offset) : values;
}

function isAscending(x) {
  for (let i = 1; i < x.length; ++i) if (!(x[i] >= x[i - 1])) return false;
  return true;
}

function decodeCurves(spec) {
  const curves = [];
  for (const c of spec.curves) {
    const x = decodeX(c.x, curves);
    const ascending = 'same' in c.x ? curves[c.x.same].ascending : isAscending(x);
    const unit = c.unit || unitOf(spec.y_label);
    curves.push({name: c.name, group: c.group, style: c.style, unit, x, y: decodeY(c.y), ascending});
  }
  joinBands(curves);
  return curves;
}

// Two pale curves of one group, one behind the other, are the edges of a band.
function joinBands(curves) {
  for (let i = 1; i < curves.length; ++i) {
    const [first, second] = [curves[i - 1], curves[i]];
    const pale = first.style === 'faint' && second.style === 'faint';
    if (!pale || !second.group || first.group !== second.group || first.isEdge) continue;
    first.band = second;
    second.isEdge = true;
  }
}

// Legend entries: a curve alone, or all curves of a group, which share colour and switch.
function entriesOf(curves) {
  const entries = [], byGroup = new Map();
  for (const curve of curves) {
    let entry = curve.group ? byGroup.get(curve.group) : null;
    if (!entry) {
      entry = {name: curve.group || curve.name, curves: [], colour: entries.length % 8, shown: true};
      entry.dash = kDashes[Math.floor(entries.length / 8) % kDashes.length];
      entries.push(entry);
      if (curve.group) byGroup.set(curve.group, entry);
    }
    entry.curves.push(curve);
    curve.entry = entry;
  }
  return entries;
}

// In lanes of their own curves need no dashes to be told apart.
function dashOf(curve, stacked = false) {
  if (curve.style === 'dashed') return kDashed;
  return curve.style === 'line' && !stacked ? curve.entry.dash : [];
}

// What was measured is darker on paper, and lighter at night, than the model in the colour of its entry.
const kMeasured = ['measured', 'recorded'];

function colourOf(curve, theme) {
  const colour = kColours[theme][curve.entry.colour];
  const beside = curve.entry.curves.some((c) => c.style === 'line' && !kMeasured.includes(c.name));
  if (!beside || !kMeasured.includes(curve.name)) return colour;
  const ink = theme === 'dark' ? 255 : 0;
  const parts = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  return '#' + parts.map((part) => Math.round(0.4 * part + 0.6 * ink).toString(16).padStart(2, '0')).join('');
}

// The curve whose look stands for an entry in the legend.
function shapeOf(entry) {
  return entry.curves.find((c) => c.style === 'line') || entry.curves[entry.curves.length - 1];
}

function labelOf(curve) {
  return curve.group ? `${curve.group} ${curve.name}` : curve.name;
}

// First index whose x is >= value; x ascends.
function lowerBound(x, value) {
  let low = 0, high = x.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (x[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Index range [first, last] to draw in the window [x0, x1]: one more on each side, so that lines
// run to the edge.
function indexWindow(curve, x0, x1) {
  if (!curve.ascending) return [0, curve.x.length - 1];
  const first = lowerBound(curve.x, x0), last = lowerBound(curve.x, x1);
  return [Math.max(0, first - 1), Math.min(curve.x.length - 1, last)];
}

// Smallest and largest y of curves within [x0, x1]; null when there is no value.
function extremes(curves, x0, x1, positive) {
  let min = Infinity, max = -Infinity;
  for (const curve of curves) {
    const [first, last] = indexWindow(curve, x0, x1);
    for (let i = first; i <= last; ++i) {
      const v = curve.y[i];
      if (!(curve.x[i] >= x0 && curve.x[i] <= x1) || (positive && !(v > 0))) continue;
      if (v < min) min = v;
      if (v > max) max = v;
    }
  }
  return min <= max ? [min, max] : null;
}

function extentX(curves, positive) {
  let min = Infinity, max = -Infinity;
  for (const {x} of curves) {
    for (const v of x) {
      if (positive && !(v > 0)) continue;
      if (v < min) min = v;
      if (v > max) max = v;
    }
  }
  return min <= max ? [min, max] : [positive ? 1 : 0, positive ? 10 : 1];
}

// Widens [min, max] by a share of its length, on the axis' own measure.
function padded(min, max, share, log) {
  if (log) {
    const by = Math.max(share * Math.log10(max / min), 0.08);
    return [min / 10 ** by, max * 10 ** by];
  }
  const by = max > min ? share * (max - min) : Math.abs(min) * 0.1 || 1;
  return [min - by, max + by];
}

// Pixel of a value: linear or logarithmic.
function pixelMap(min, max, from, to, log) {
  if (log) {
    const low = Math.log10(min), scale = (to - from) / (Math.log10(max) - low);
    return (v) => (v > 0 ? from + (Math.log10(v) - low) * scale : NaN);
  }
  const scale = (to - from) / (max - min);
  // Far outside the window a coordinate needs no accuracy, and canvases dislike huge numbers.
  return (v) => Math.max(-1e6, Math.min(1e6, from + (v - min) * scale));
}

// Sends a line to sink.moveTo / sink.lineTo. Where more than four points share a pixel column, only
// its first, lowest, highest and last point are sent: the picture is the same.
function traceLine(curve, [first, last], px, py, columns, sink) {
  const {x, y} = curve;
  const reduce = curve.ascending && last - first > 4 * columns;
  let pen = false, column = null;
  const draw = (a, b) => {
    if (pen) sink.lineTo(a, b);
    else sink.moveTo(a, b);
    pen = true;
  };
  const flush = () => {
    if (!column || column.count < 2) return void (column = null);
    const [early, late] = column.lowAt < column.highAt ? ['low', 'high'] : ['high', 'low'];
    draw(column.x, column[early]);
    draw(column.x, column[late]);
    draw(column.x, column.last);
    column = null;
  };
  for (let i = first; i <= last; ++i) {
    const a = px(x[i]), b = py(y[i]);
    if (!(a === a && b === b)) {
      flush();
      pen = false;
    } else if (!reduce) {
      draw(a, b);
    } else if (column && Math.floor(a) === column.at) {
      if (b < column.low) [column.low, column.lowAt] = [b, i];
      if (b > column.high) [column.high, column.highAt] = [b, i];
      column.last = b;
      ++column.count;
    } else {
      flush();
      draw(a, b);
      column = {at: Math.floor(a), x: a, low: b, lowAt: i, high: b, highAt: i, last: b, count: 1};
    }
  }
  flush();
}

// Sends the outline of a band to the sink: along one edge and back along the other. Where the edges
// do not have the same gaps there is no telling what lies between them.
function traceBand(curve, {x0, x1}, px, py, columns, sink) {
  const [there, back] = [curve, curve.band].map((edge) => {
    const pieces = [];
    traceLine(edge, indexWindow(edge, x0, x1), px, py, columns, {
      moveTo: (a, b) => pieces.push([[a, b]]),
      lineTo: (a, b) => pieces[pieces.length - 1].push([a, b]),
    });
    return pieces;
  });
  if (there.length !== back.length) return;
  there.forEach((piece, k) => {
    [...piece, ...back[k].reverse()].forEach(([a, b], i) => (i ? sink.lineTo(a, b) : sink.moveTo(a, b)));
  });
}

// Calls sink(x, y, i) for every point in the window.
function tracePoints(curve, [first, last], px, py, sink) {
  for (let i = first; i <= last; ++i) {
    const a = px(curve.x[i]), b = py(curve.y[i]);
    if (a === a && b === b) sink(a, b, i);
  }
}

// A lone sample between two gaps has no line: it is drawn as a dot.
function traceLonePoints(curve, [first, last], px, py, sink) {
  const {y} = curve;
  for (let i = first; i <= last; ++i) {
    // Neighbours beyond the ends are undefined and count as gaps.
    if (y[i] === y[i] && !(Math.abs(y[i - 1]) >= 0) && !(Math.abs(y[i + 1]) >= 0)) {
      const a = px(curve.x[i]), b = py(y[i]);
      if (a === a && b === b) sink(a, b);
    }
  }
}

// The sample with a value that is nearest to x, and whether missing ones are nearer.
function nearestSample({x, y}, value) {
  const at = lowerBound(x, value);
  let left = at - 1, right = at;
  const gap = !(Math.abs(y[left]) >= 0) || !(Math.abs(y[right]) >= 0);
  while (left >= 0 && !(y[left] === y[left])) --left;
  while (right < x.length && !(y[right] === y[right])) ++right;
  const toLeft = left >= 0 && (right >= x.length || value - x[left] <= x[right] - value);
  return {index: toLeft ? left : right < x.length ? right : -1, gap: gap && left >= 0 && right < x.length};
}
