// Numbers as text, and the ticks of an axis.

function superscript(n) {
  return String(n).replace(/[-0-9]/g, (c) => (c === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[c]));
}

function withMinus(text) {
  return text.replace(/-/g, '−');
}

// Text with a fixed count of significant digits; outside 0.001 .. 1e6 with a power of 1000.
function readable(value, digits = 5) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? '–' : value > 0 ? '∞' : '−∞';
  if (value === 0) return '0';
  const exponent = Math.floor(Math.log10(Math.abs(value)));
  if (exponent >= -3 && exponent < 6) {
    return withMinus(exponent >= digits ? value.toFixed(0) : value.toPrecision(digits));
  }
  const power = 3 * Math.floor(exponent / 3);
  return `${withMinus((value / 10 ** power).toPrecision(digits))} × 10${superscript(power)}`;
}

// Shortest text without the noise of binary fractions (0.1 + 0.2), for CSV files.
function plain(value) {
  return String(Number(value.toPrecision(12)));
}

function unitOf(label) {
  const found = /\[([^[\]]*)\]\s*$/.exec(label);
  return found ? found[1] : '';
}

function nameOf(label) {
  return label.replace(/\s*\[[^[\]]*\]\s*$/, '');
}

// "displacement [m]" with exponent -3 becomes "displacement [10⁻³ m]".
function labelWithPower(label, exponent) {
  if (!exponent) return label;
  const unit = unitOf(label);
  const factor = `10${superscript(exponent)}`;
  return `${nameOf(label)} [${unit && unit !== '-' ? `${factor} ${unit}` : factor}]`;
}

function niceStep(span, most, axis) {
  const raw = span / Math.max(1, most);
  if (axis.degrees && raw >= 5) {
    const step = [15, 45, 90, 180, 360].find((s) => s >= raw);
    if (step) return step;
  }
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].find((m) => m * power >= raw * (1 - 1e-9)) * power;
  return axis.integer ? Math.max(1, step) : step;
}

function multiples(min, max, step) {
  const values = [];
  const slack = 1e-9 * (max - min);
  for (let k = Math.ceil((min - slack) / step); k * step <= max + slack; ++k) {
    values.push(Number((k * step).toPrecision(12)));
    if (values.length > 200) break;
  }
  return values;
}

// One power of 1000 for all labels of a linear axis, so that they stay short.
function commonExponent(values) {
  const largest = values.reduce((m, v) => Math.max(m, Math.abs(v)), 0);
  if (largest === 0 || (largest < 1e5 && largest >= 5e-3)) return 0;
  return 3 * Math.floor(Math.log10(largest) / 3 + 1e-9);
}

function decimalsOf(step) {
  for (let d = 0; d < 12; ++d) {
    const scaled = step * 10 ** d;
    if (Math.abs(scaled - Math.round(scaled)) < 1e-6 * scaled) return d;
  }
  return 12;
}

function linearTicks(axis, most) {
  const step = niceStep(axis.max - axis.min, most, axis);
  const major = multiples(axis.min, axis.max, step);
  const exponent = commonExponent(major);
  const decimals = decimalsOf(step / 10 ** exponent);
  const labels = major.map((v) => withMinus((v / 10 ** exponent || 0).toFixed(decimals)));
  return {major, labels, minor: [], exponent};
}

function logLabel(value, powers) {
  if (!powers) return String(Number(value.toPrecision(6)));
  const exponent = Math.floor(Math.log10(value) + 1e-9);
  const mantissa = Math.round(value / 10 ** exponent);
  return `${mantissa === 1 ? '' : `${mantissa}·`}10${superscript(exponent)}`;
}

// Numbers head · 10^e inside the axis: those with e a multiple of `every`, and the ones between.
function logMarks(axis, heads, every) {
  const low = Math.floor(Math.log10(axis.min)), high = Math.ceil(Math.log10(axis.max));
  const inside = (v) => v >= axis.min * (1 - 1e-9) && v <= axis.max * (1 + 1e-9);
  const major = [], minor = [];
  for (let e = low; e <= high; ++e) {
    for (let m = 1; m < 10; ++m) {
      const value = Number(`${m}e${e}`);
      if (!inside(value)) continue;
      if (heads.includes(m) && e % every === 0) major.push(value);
      else if (every === 1 || m === 1) minor.push(value);
    }
  }
  const powers = major.length > 0 && (major[0] < 1e-3 || major[major.length - 1] > 1e4);
  return {major, labels: major.map((v) => logLabel(v, powers)), minor, exponent: 0};
}

function logTicks(axis, length, spacing, room) {
  const decade = length / Math.log10(axis.max / axis.min);
  const every = Math.max(1, Math.ceil(room(['10⁻¹⁰']) / decade));
  const tens = logMarks(axis, [1], every);
  if (tens.major.length > 2) return tens;
  // Few powers of ten in sight: numbers between them, if their labels keep apart.
  for (const [heads, closest] of [[[1, 2, 5], Math.log10(2)], [[1, 3], Math.log10(3)]]) {
    const marks = logMarks(axis, heads, 1);
    if (marks.major.length > 1 && closest * decade >= room(marks.labels)) return marks;
  }
  if (tens.major.length > 1) return tens;
  return linearTicks(axis, Math.max(2, Math.floor(length / spacing)));
}

// Ticks of an axis {min, max, log, degrees, integer} that is `length` pixels long, about `spacing`
// pixels apart. `room(labels)` gives the pixels that the widest label needs; ticks are thinned until
// labels keep apart.
function axisTicks(axis, length, spacing, room) {
  if (axis.log) return logTicks(axis, length, spacing, room);
  for (let most = Math.max(2, Math.floor(length / spacing)); ; --most) {
    const ticks = linearTicks(axis, most);
    const gap = length / Math.max(1, ticks.major.length);
    if (most <= 2 || gap >= room(ticks.labels)) return ticks;
  }
}
