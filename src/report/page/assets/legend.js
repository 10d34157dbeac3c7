// The legend of a figure: one switch for each entry, made for two channels and for sixty-four.

const kSearchFrom = 12;  // entries above which a search box helps

function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

function button(text, title, action) {
  const node = element('button', {type: 'button', title, 'aria-label': title}, text);
  node.addEventListener('click', action);
  return node;
}

function swatch(curve, colour) {
  const ns = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(ns, 'svg');
  for (const [k, v] of Object.entries({width: 22, height: 10, 'aria-hidden': true})) {
    svg.setAttribute(k, v);
  }
  const kind = curve.style === 'points' ? 'circle' : curve.style === 'bars' || curve.band ? 'rect' : 'line';
  const shape = document.createElementNS(ns, kind);
  const geometry = {
    circle: {cx: 11, cy: 5, r: 2.6, fill: colour},
    rect: {x: 6, y: 0, width: 10, height: 10, fill: colour, opacity: curve.band ? kFaint : 1},
    line: {x1: 0, x2: 22, y1: 5, y2: 5, stroke: colour, 'stroke-width': 2,
           'stroke-dasharray': dashOf(curve).join(' ') || 'none',
           opacity: curve.style === 'faint' ? kFaint : 1},
  }[kind];
  for (const [k, v] of Object.entries(geometry)) shape.setAttribute(k, v);
  svg.append(shape);
  return svg;
}

class Legend {
  constructor(figure, host) {
    this.figure = figure;
    this.entries = figure.entries;
    this.page = Math.max(1, this.entries.filter((e) => e.shown).length);
    this.chips = this.entries.map((entry) => this.chip(entry));
    this.box = element('div', {class: 'chips', role: 'group', 'aria-label': 'curves'}, ...this.chips);
    host.append(...this.tools(), this.box);
    if (this.entries.length > kSearchFrom) {
      const longest = Math.max(...this.entries.map((e) => textWidth(e.name, 13)));
      this.box.style.setProperty('--chip', `${Math.min(300, Math.ceil(longest) + 42)}px`);
      figure.root.classList.add('many');
    }
    this.update();
  }

  chip(entry) {
    const title = 'show or hide; with Shift: show only this one';
    const node = element('button', {type: 'button', class: 'chip', title});
    node.addEventListener('click', (event) => {
      if (event.shiftKey) this.showOnly((e) => e === entry);
      else this.set(entry, !entry.shown);
    });
    return node;
  }

  tools() {
    if (this.entries.length < 4) return [];
    const row = element('div', {class: 'chip-tools'});
    row.append(button('All', 'show all curves', () => this.showOnly(() => true)),
               button('None', 'hide all curves', () => this.showOnly(() => false)));
    if (this.page < this.entries.length) {
      this.count = element('span', {class: 'chip-count', 'aria-live': 'polite'});
      row.append(button('‹', 'previous curves', () => this.turn(-1)), this.count,
                 button('›', 'next curves', () => this.turn(1)));
    }
    if (this.entries.length > kSearchFrom) row.append(this.searchBox());
    return [row];
  }

  searchBox() {
    const title = 'find curves by name; Enter shows only those found';
    const box = element('input', {type: 'search', placeholder: 'find…', title, 'aria-label': title});
    const matches = (entry) => entry.name.toLowerCase().includes(box.value.trim().toLowerCase());
    box.addEventListener('input', () => {
      this.entries.forEach((e, i) => (this.chips[i].hidden = !matches(e)));
    });
    box.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.showOnly(matches);
    });
    return box;
  }

  // Shows the next (or previous) page of curves instead of the present ones.
  turn(direction) {
    const first = Math.max(0, this.entries.findIndex((e) => e.shown));
    const pages = Math.ceil(this.entries.length / this.page);
    const page = (Math.floor(first / this.page) + direction + pages) % pages;
    this.showOnly((e, i) => Math.floor(i / this.page) === page);
  }

  set(entry, shown) {
    entry.shown = shown;
    this.update();
    this.figure.refresh();
  }

  showOnly(wanted) {
    this.entries.forEach((e, i) => (e.shown = wanted(e, i)));
    this.update();
    this.figure.refresh();
  }

  update() {
    const colours = kColours[currentTheme()];
    this.entries.forEach((entry, i) => {
      this.chips[i].replaceChildren(swatch(shapeOf(entry), colours[entry.colour]), element('span', {}, entry.name));
      this.chips[i].setAttribute('aria-pressed', String(entry.shown));
    });
    if (!this.count) return;
    const shown = this.entries.map((e, i) => (e.shown ? i + 1 : 0)).filter(Boolean);
    const run = shown.length > 1 && shown[shown.length - 1] - shown[0] === shown.length - 1;
    const text = run ? `${shown[0]}–${shown[shown.length - 1]}` : `${shown.length}`;
    this.count.textContent = `${text} of ${this.entries.length}`;
  }
}

// What line, dashes and points stand for where the curves of a group share a colour.
function styleLegend(figure) {
  const row = element('span', {class: 'style-key'});
  for (const curve of figure.styleKey()) {
    const name = curve.band && curve.band.name !== curve.name ? `${curve.name} to ${curve.band.name}` : curve.name;
    row.append(element('span', {}, swatch(curve, 'currentColor'), name));
  }
  return row;
}
