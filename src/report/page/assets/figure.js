// A plot: uPlot draws axes and frame and follows the mouse; window, curves and ticks are ours.

class Figure {
  constructor(root) {
    this.root = root;
    this.host = root.querySelector('.plot');
    this.spec = JSON.parse(root.querySelector('script').textContent);
    this.curves = decodeCurves(this.spec);
    this.entries = entriesOf(this.curves);
    this.entries.forEach((e, i) => (e.shown = i < this.spec.visible));
    this.integerX = this.curves.every((c) => c.style === 'bars' && c.x.every(Number.isInteger));
    this.full = this.fullX();
    this.view = {x: null, y: null};
    this.kept = {};
    this.stacked = false;
    this.linked = true;
    this.legend = new Legend(this, root.querySelector('.legend'));
    root.querySelector('.legend').append(styleLegend(this));
    this.readout = new Readout(this);
    this.build();
    addToolbar(this, root.querySelector('.tools'));
    addKeys(this);
    if (this.spec.choice) this.picker = new WindowPicker(this);
    new ResizeObserver(() => this.resize()).observe(this.host);
  }

  // ---- what is shown -------------------------------------------------------------------------

  shownEntries() {
    return this.entries.filter((e) => e.shown);
  }

  shownCurves() {
    return this.curves.filter((c) => c.entry.shown);
  }

  styleKey() {
    if (this.entries.length === this.curves.length) return [];
    // Where each entry has one style its own swatch says it.
    const styles = (entry) => new Set(this.curves.filter((c) => c.entry === entry).map((c) => c.style));
    if (this.entries.every((entry) => styles(entry).size < 2)) return [];
    const known = new Map();
    // The first of its kind: later rounds of colours have dashes that are no part of the style.
    for (const c of this.curves) {
      const key = `${c.style} ${c.name}`;
      if (c.group && !c.isEdge && !known.has(key)) known.set(key, c);
    }
    return [...known.values()];
  }

  logY() {
    return this.spec.log_y && !this.stacked;
  }

  fullX() {
    const [min, max] = extentX(this.curves, this.spec.log_x);
    // Few points keep clear of the frame; many end at it, as a line does.
    const few = (c) => c.style === 'points' && c.x.length <= 100;
    const open = this.curves.some((c) => c.style === 'bars' || few(c));
    if (this.integerX) return [min - 0.6, max + 0.6];
    if (min === max || (open && this.curves.every((c) => c.style !== 'line'))) {
      return padded(min, max, 0.03, this.spec.log_x);
    }
    return [min, max];
  }

  // The visible range of both axes; kept until something changes, since it scans the curves.
  window() {
    if (!this.kept.window) {
      const [x0, x1] = this.view.x || this.full;
      const lanes = Math.max(1, this.shownEntries().length);
      const [y0, y1] = this.stacked ? [0, lanes] : this.view.y || this.autoY(x0, x1);
      this.kept.window = {x0, x1, y0, y1};
    }
    return this.kept.window;
  }

  autoY(x0, x1) {
    const log = this.spec.log_y, curves = this.shownCurves();
    const found = extremes(curves, x0, x1, log) || extremes(curves, -Infinity, Infinity, log);
    if (!found) return log ? [0.1, 10] : [-1, 1];
    let [min, max] = found;
    const bars = !log && curves.some((c) => c.style === 'bars');
    if (bars) [min, max] = [Math.min(0, min), Math.max(0, max)];
    // Equal but for rounding: the digits behind it are nothing to look at.
    if (!log && max - min < 1e-9 * Math.max(Math.abs(min), Math.abs(max))) max = min;
    const [low, high] = padded(min, max, 0.05, log);
    return [bars && min === 0 ? 0 : low, bars && max === 0 ? 0 : high];
  }

  // Stacked: each entry in a lane of its own, all with the same scale, first on top.
  lanes() {
    if (!this.kept.lanes) this.kept.lanes = this.findLanes();
    return this.kept.lanes;
  }

  findLanes() {
    const {x0, x1} = this.window(), log = this.spec.log_y;
    const measure = log ? Math.log10 : (v) => v;
    const lanes = this.shownEntries().map((entry) => {
      const found = extremes(entry.curves, x0, x1, log) || [1, 1];
      const [a, b] = found.map(measure);
      return {entry, middle: (a + b) / 2, half: (b - a) / 2};
    });
    const half = Math.max(...lanes.map((l) => l.half), 0) || 1;
    lanes.forEach((l, i) => (l.centre = lanes.length - i - 0.5));
    return {lanes, half, measure};
  }

  // Maps a value of the curve to a pixel, given that of the axis.
  valuePixels(curve, py) {
    if (!this.stacked) return py;
    const {lanes, half, measure} = this.lanes();
    const lane = lanes.find((l) => l.entry === curve.entry);
    return (v) => py(lane.centre + (0.46 * (measure(v) - lane.middle)) / half);
  }

  stackHeight() {
    return Math.max(300, 60 + 22 * this.shownEntries().length);
  }

  // ---- axes ----------------------------------------------------------------------------------

  ticksX({x0, x1}, length) {
    const axis = {min: x0, max: x1, log: this.spec.log_x, integer: this.integerX};
    return axisTicks(axis, length, 64, (labels) => 22 + Math.max(...labels.map((t) => textWidth(t))));
  }

  ticksY({y0, y1}, length) {
    if (this.stacked) {
      const {lanes} = this.lanes();
      return {major: lanes.map((l) => l.centre), labels: lanes.map((l) => shortened(l.entry.name)),
              minor: [], exponent: 0};
    }
    const degrees = /^(deg|°)$/.test(unitOf(this.spec.y_label));
    const axis = {min: y0, max: y1, log: this.spec.log_y, degrees};
    return axisTicks(axis, length, 34, () => 26);
  }

  axisLabel(which, ticks) {
    if (which === 'x') return labelWithPower(this.spec.x_label, ticks.exponent);
    if (!this.stacked) return labelWithPower(this.spec.y_label, ticks.exponent);
    const unit = unitOf(this.spec.y_label);
    const lane = readable(this.lanes().half / 0.46, 2);
    const size = this.spec.log_y ? `${lane} decades` : unit && unit !== '-' ? `${lane} ${unit}` : lane;
    return `${nameOf(this.spec.y_label)}, lane spacing ${size}`;
  }

  // Markers inside the window; a label only where it does not touch the one before it.
  placedMarkers(px, left, right) {
    let free = left - 40;
    return (this.spec.markers || [])
      .map((m) => ({...m, at: px(m.x)}))
      .filter((m) => m.at >= left - 0.5 && m.at <= right + 0.5)
      .sort((a, b) => a.at - b.at)
      .map((m) => {
        const half = textWidth(m.label, 11) / 2 + 2;
        const labelled = m.label !== '' && m.at - half >= free && m.at + half <= right + 16;
        if (labelled) free = m.at + half;
        return {...m, labelled};
      });
  }

  // Labels of markers stand above the frame.
  topMargin() {
    return (this.spec.markers || []).some((m) => m.label !== '') ? 16 : 8;
  }

  // ---- curves --------------------------------------------------------------------------------

  lineWidth() {
    const count = this.shownCurves().length;
    return count > 24 ? 0.9 : count > 8 ? 1.1 : 1.4;
  }

  pointRadius(curve, [first, last]) {
    const count = last - first;
    return count > 4000 ? 0.8 : count > 1000 ? 1.1 : count > 150 ? 1.5 : count > 50 ? 2.2 : 3;
  }

  pointAlpha([first, last]) {
    return last - first > 1000 ? 0.5 : last - first > 150 ? 0.65 : 1;
  }

  // Rectangles of a bar curve: bars of several curves stand side by side.
  bars(curve, px, py, frame) {
    const all = this.shownCurves().filter((c) => c.style === 'bars');
    const places = [...new Set(all.flatMap((c) => [...c.x]))].map(px).sort((a, b) => a - b);
    let room = frame.width / 8;
    for (let i = 1; i < places.length; ++i) room = Math.min(room, places[i] - places[i - 1]);
    const width = Math.max(1.5, Math.min(48, (0.72 * room) / all.length));
    const shift = (all.indexOf(curve) - all.length / 2) * width;
    const bottom = frame.top + frame.height;
    const zero = py(0);
    const base = zero === zero ? Math.max(frame.top, Math.min(bottom, zero)) : bottom;
    const found = [];
    tracePoints(curve, [0, curve.x.length - 1], px, py, (x, y) => {
      found.push([x + shift, Math.min(y, base), width, Math.abs(base - y)]);
    });
    return found;
  }

  canvasPath(u, curve) {
    const ratio = uPlot.pxRatio, {left, top, width, height} = u.bbox, w = this.window();
    const px = pixelMap(w.x0, w.x1, left, left + width, this.spec.log_x);
    const py = this.valuePixels(curve, pixelMap(w.y0, w.y1, top + height, top, this.logY()));
    const range = indexWindow(curve, w.x0, w.x1);
    const path = new Path2D();
    if (curve.style === 'bars') {
      for (const b of this.bars(curve, px, py, {top, width, height})) path.rect(...b);
      return {stroke: null, fill: path, clip: null, flags: 0};
    }
    const dot = (r) => (x, y) => (path.moveTo(x + r, y), path.arc(x, y, r, 0, 2 * Math.PI));
    if (curve.style === 'points') {
      tracePoints(curve, range, px, py, dot(ratio * this.pointRadius(curve, range)));
      u.series[1 + this.curves.indexOf(curve)].alpha = this.pointAlpha(range);
      return {stroke: null, fill: path, clip: null, flags: 0};
    }
    traceLine(curve, range, px, py, width, path);
    traceLonePoints(curve, range, px, py, dot(0.4 * ratio));
    const area = curve.band ? new Path2D() : null;
    if (area) traceBand(curve, w, px, py, width, area);
    return {stroke: path, fill: area, clip: null, flags: 0};
  }

  // ---- window --------------------------------------------------------------------------------

  zoomTo(x, y, spread = true) {
    const [a, b] = this.full;
    if (x && !(x[1] - x[0] > 1e-9 * (b - a))) return;
    this.view = {x, y};
    this.root.classList.toggle('zoomed', Boolean(x || y));
    this.refresh();
    if (spread && this.linked) {
      for (const other of linkedFigures(this)) other.zoomTo(x, null, false);
    }
  }

  reset() {
    this.zoomTo(null, null);
  }

  // Zooms by a factor about a share of the width, or moves by a share of it.
  scaleX(factor, about = 0.5, shift = 0) {
    const log = this.spec.log_x, {x0, x1} = this.window();
    const [a, b] = log ? [Math.log10(x0), Math.log10(x1)] : [x0, x1];
    const low = a + (b - a) * (about * (1 - factor) + shift);
    const high = low + (b - a) * factor;
    const [min, max] = log ? [10 ** low, 10 ** high] : [low, high];
    const [full0, full1] = this.full;
    if (min <= full0 && max >= full1) return this.zoomTo(null, this.view.y);
    if (shift && (min < full0 || max > full1)) return;
    this.zoomTo([Math.max(min, full0), Math.min(max, full1)], this.view.y);
  }

  refresh() {
    this.kept = {};
    if (!this.plot) return;
    const {x0, x1} = this.window();
    this.plot.batch(() => {
      this.curves.forEach((c, i) => {
        if (this.plot.series[i + 1].show !== c.entry.shown) {
          this.plot.setSeries(i + 1, {show: c.entry.shown}, false);
        }
      });
      this.plot.setScale('x', {min: x0, max: x1});
    });
    if (this.stacked) this.resize();
    this.root.classList.toggle('empty', this.shownEntries().length === 0);
    if (this.picker) this.picker.place();
  }

  setStacked(stacked) {
    this.stacked = stacked;
    this.view.y = null;
    this.build();
  }

  // ---- uPlot ---------------------------------------------------------------------------------

  size() {
    const width = Math.max(260, Math.floor(this.host.clientWidth));
    const height = this.stacked ? this.stackHeight() : Math.round(Math.min(360, Math.max(250, 0.42 * width)));
    return {width, height};
  }

  build() {
    this.kept = {};
    if (this.plot) this.plot.destroy();
    const data = [this.full, ...this.curves.map(() => [null, null])];
    this.plot = new uPlot(plotOptions(this), data, this.host);
    this.readout.attach(this.plot);
    this.root.dataset.drawn = 'yes';
    if (this.picker) this.picker.place();
  }

  resize() {
    const size = this.size();
    if (size.width !== this.plot.width || size.height !== this.plot.height) this.plot.setSize(size);
    if (this.picker) this.picker.place();
  }

  recolour() {
    this.legend.update();
    this.build();
  }
}

function shortened(name) {
  return name.length > 18 ? `${name.slice(0, 17)}…` : name;
}
