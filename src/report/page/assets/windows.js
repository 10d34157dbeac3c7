// Windows of x that the reader chooses by clicking, and the lines of the study that say the same.

const kClickReach = 14;  // px from a point
const kClickMove = 4;    // px between press and release of a click

// Four significant digits, more where the window is narrow.
function windowText([from, to]) {
  const digits = Math.max(4, Math.ceil(Math.log10(Math.abs(to) / (to - from))) + 2);
  return `[${[from, to].map((v) => tomlNumber(v, digits)).join(', ')}]`;
}

// A number of TOML that is read back as a real one.
function tomlNumber(value, digits) {
  const text = String(Number(value.toPrecision(digits)));
  return /[.e]/.test(text) ? text : `${text}.0`;
}

const holds = ([from, to], x) => x >= from && x <= to;

class WindowPicker {
  constructor(figure) {
    this.figure = figure;
    this.choice = figure.spec.choice;
    this.lists = {keep: [...this.choice.keep], drop: [...this.choice.drop]};
    this.use = 'drop';
    this.bands = [];
    this.addTools();
    this.listen();
    this.update();
  }

  addTools() {
    const uses = {drop: ['Drop', `a click drops a ${this.choice.what}`],
                  keep: ['Keep only', `a click keeps a ${this.choice.what}; all others are dropped`]};
    this.switches = Object.entries(uses).map(([use, [text, title]]) => {
      const node = button(text, title, () => this.select(use));
      node.setAttribute('aria-pressed', String(use === this.use));
      node.dataset.use = use;
      return node;
    });
    this.lines = element('pre', {tabindex: 0, 'aria-label': 'lines for the study'});
    this.note = element('span', {class: 'pick-note', role: 'status'});
    this.copy = button('Copy', 'copy the lines for the study', () => this.copyLines());
    const all = button('All', `report every ${this.choice.what} again`, () => {
      this.lists = {keep: [], drop: []};
      this.update();
    });
    this.box = element('div', {class: 'picker'},
                       element('span', {class: 'pick-tools'}, 'A click on a pole: ',
                               element('span', {class: 'button-group'}, ...this.switches), all, this.copy, this.note),
                       this.lines);
    this.figure.host.after(this.box);
  }

  select(use) {
    this.use = use;
    for (const node of this.switches) node.setAttribute('aria-pressed', String(node.dataset.use === use));
  }

  // A press and a release at one place; what moves between them zooms.
  listen() {
    let begin = null;
    this.figure.host.addEventListener('mousedown', (event) => (begin = [event.clientX, event.clientY]), true);
    this.figure.host.addEventListener('click', (event) => {
      const moved = begin && Math.hypot(event.clientX - begin[0], event.clientY - begin[1]) > kClickMove;
      const over = this.figure.plot.over.getBoundingClientRect();
      if (!moved) this.pick(event.clientX - over.left, event.clientY - over.top);
    });
  }

  scales() {
    const {plot} = this.figure, w = this.figure.window();
    return [pixelMap(w.x0, w.x1, 0, plot.over.clientWidth, this.figure.spec.log_x),
            pixelMap(w.y0, w.y1, plot.over.clientHeight, 0, this.figure.logY())];
  }

  // The x of the point nearest to a place in the plot, or null.
  nearest(left, top) {
    const [px, py] = this.scales();
    let best = null;
    for (const curve of this.figure.shownCurves()) {
      if (curve.style !== 'points') continue;
      for (let i = 0; i < curve.x.length; ++i) {
        const far = Math.hypot(px(curve.x[i]) - left, py(curve.y[i]) - top);
        if (far <= kClickReach && (!best || far < best.far)) best = {far, x: curve.x[i]};
      }
    }
    return best && best.x;
  }

  pick(left, top) {
    const x = this.nearest(left, top);
    if (x === null) return;
    const list = this.lists[this.use];
    const inside = list.filter((w) => holds(w, x));
    if (inside.length) {
      this.lists[this.use] = list.filter((w) => !holds(w, x));
      return this.update();
    }
    const [mode, window] = this.around(x);
    if (mode === null) {
      return this.update(`There is no ${this.choice.what} at ${readable(x, 5)}: nothing to ${this.use}.`);
    }
    list.push(window);
    list.sort((a, b) => a[0] - b[0]);
    this.update();
  }

  // The nearest thing that was found within 1 %, with a window half way to its neighbours, at most 1 % wide on either side.
  around(x) {
    const {found} = this.choice;
    const near = found.reduce((best, f) => (best === null || Math.abs(f - x) < Math.abs(best - x) ? f : best), null);
    if (near === null || Math.abs(near - x) > 0.01 * near) return [null, null];
    const gap = Math.min(...found.filter((f) => f !== near).map((f) => Math.abs(f - near)), Infinity);
    const half = Math.min(0.01 * near, gap / 2);
    return [near, [near - half, near + half]];
  }

  text() {
    const lines = Object.entries(this.lists).filter(([, list]) => list.length)
      .map(([use, list]) => `${use} = [${list.map(windowText).join(', ')}]`);
    return lines.length ? [`[${this.choice.table}]`, ...lines].join('\n') : '';
  }

  update(note = '') {
    const text = this.text();
    const place = this.choice.keep.length + this.choice.drop.length
      ? `in place of [${this.choice.table}] of the study` : 'at the end of the study';
    this.note.textContent = note || (text ? `Paste these lines ${place} and run it again.` : '');
    this.lines.textContent = text;
    this.lines.hidden = !text;
    this.copy.hidden = !text;
    this.place();
  }

  // Bands over the plot.
  place() {
    const {plot} = this.figure;
    if (!plot) return;
    this.bands.forEach((band) => band.remove());
    const [px] = this.scales(), width = plot.over.clientWidth;
    this.bands = Object.entries(this.lists).flatMap(([use, list]) => list.map(([from, to]) => {
      const left = Math.max(0, px(from)), right = Math.min(width, px(to));
      const band = element('div', {class: `window ${use}`, title: use});
      if (right < left) band.hidden = true;
      const wide = Math.max(3, right - left);
      band.style.left = `${(left + right - wide) / 2}px`;
      band.style.width = `${wide}px`;
      plot.over.append(band);
      return band;
    }));
  }

  copyLines() {
    const selection = window.getSelection();
    selection.selectAllChildren(this.lines);
    if (navigator.clipboard) navigator.clipboard.writeText(this.text()).catch(() => document.execCommand('copy'));
    else document.execCommand('copy');
    this.note.textContent = 'Copied.';
  }
}
