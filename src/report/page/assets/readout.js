// Values under the mouse: a dot on each curve and a small table beside the cursor.

const kMostRows = 10;
const kReach = 40;    // pixels from the cursor beyond which a sample is not "here"
const kGapReach = 6;  // the same where the samples at the cursor are missing

class Readout {
  constructor(figure) {
    this.figure = figure;
    this.box = element('div', {class: 'readout', 'aria-hidden': 'true'});
    this.dots = [];
  }

  attach(plot) {
    this.dots = [];
    plot.over.append(this.box);
    this.box.hidden = true;
  }

  // The sample of a curve nearest to the cursor, in pixels of the plot, or null.
  find(u, curve, left, top) {
    const {figure} = this, w = figure.window();
    const px = pixelMap(w.x0, w.x1, 0, u.over.clientWidth, figure.spec.log_x);
    const axis = pixelMap(w.y0, w.y1, u.over.clientHeight, 0, figure.logY());
    const py = figure.valuePixels(curve, axis);
    let best = null;
    const consider = (i, reach = kReach) => {
      const x = px(curve.x[i]), y = py(curve.y[i]);
      const far = curve.ascending ? Math.abs(x - left) : Math.hypot(x - left, y - top);
      if (far <= reach && (!best || far < best.far)) best = {curve, i, x, y, far};
    };
    if (curve.ascending) {
      const {index, gap} = nearestSample(curve, u.posToVal(left, 'x'));
      if (index >= 0) consider(index, gap ? kGapReach : kReach);
    } else {
      for (let i = 0; i < curve.x.length; ++i) consider(i);
    }
    if (best) best.distance = Math.abs(best.y - top);
    return best;
  }

  follow(u) {
    const {left, top} = u.cursor;
    const found = left < 0 ? [] : this.figure.shownCurves().map((c) => this.find(u, c, left, top));
    const hits = found.filter(Boolean).sort((a, b) => a.distance - b.distance);
    this.place(u, hits.slice(0, 24));
    // Linked plots move the cursor line only: the table stands where the mouse is.
    const here = hits.length > 0 && u.cursor.event != null && top >= 0;
    this.box.hidden = !here;
    if (here) this.fill(u, hits, left, top);
  }

  place(u, hits) {
    while (this.dots.length < hits.length) {
      const dot = element('div', {class: 'dot'});
      u.over.append(dot);
      this.dots.push(dot);
    }
    this.dots.forEach((dot, i) => {
      const hit = hits[i];
      dot.hidden = !hit || hit.y < 0 || hit.y > u.over.clientHeight || hit.x < 0;
      if (dot.hidden) return;
      dot.style.transform = `translate(${hit.x}px, ${hit.y}px)`;
      dot.style.background = colourOf(hit.curve, currentTheme());
    });
  }

  fill(u, hits, left, top) {
    const {spec} = this.figure;
    const nearest = hits[0];
    const shown = new Set(hits.slice(0, kMostRows));
    const unit = unitOf(spec.x_label);
    const x = nearest.curve.x[nearest.i];
    const head = element('div', {class: 'readout-x'}, `${nameOf(spec.x_label)} = ${readable(x, 6)} ${unit === '-' ? '' : unit}`);
    const table = element('table');
    // Legend order is easier to read than order by distance, which changes as the mouse moves.
    const order = [...shown].sort((a, b) => this.figure.curves.indexOf(a.curve) - this.figure.curves.indexOf(b.curve));
    for (const hit of order) table.append(this.row(hit, hit === nearest && hits.length > 1));
    const more = hits.length > kMostRows ? [element('div', {class: 'more'}, `and ${hits.length - kMostRows} more`)] : [];
    this.box.replaceChildren(head, table, ...more);
    const wide = this.box.offsetWidth, high = this.box.offsetHeight;
    const toLeft = left + 18 + wide > u.over.clientWidth && left - 18 - wide > -40;
    const y = Math.max(-4, Math.min(top + 14, u.over.clientHeight - high - 4));
    this.box.style.transform = `translate(${toLeft ? left - 18 - wide : left + 18}px, ${y}px)`;
  }

  row(hit, strong) {
    const {curve} = hit;
    const colour = colourOf(curve, currentTheme());
    const unit = curve.unit === '-' ? '' : curve.unit;
    const row = element('tr', strong ? {class: 'nearest'} : {});
    row.append(element('td', {}, swatch(curve, colour)), element('td', {}, labelOf(curve)),
               element('td', {class: 'value'}, readable(curve.y[hit.i])), element('td', {}, unit));
    return row;
  }
}
