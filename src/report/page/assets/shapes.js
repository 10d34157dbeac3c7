// Shapes of a structure in space: turn, play, size. Everything is drawn as SVG.

const kSvgSpace = 'http://www.w3.org/2000/svg';
const kShapePeriod = 2.0; // s of one swing
const kShapeViews = {'3D': [-60, 22], xy: [-90, 90], xz: [-90, 0], yz: [0, 0]};

function svgNode(name, attributes = {}, ...children) {
  const node = document.createElementNS(kSvgSpace, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

function rowsOf3(base64) {
  const flat = new Float64Array(bytesOf(base64).buffer);
  return Array.from({length: flat.length / 3}, (_, i) => [flat[3 * i], flat[3 * i + 1], flat[3 * i + 2]]);
}

// Right, up and towards the viewer for an azimuth and an elevation in degrees; z points upwards.
function cameraAxes([azimuth, elevation]) {
  const a = (azimuth * Math.PI) / 180, e = (elevation * Math.PI) / 180;
  return {
    right: [-Math.sin(a), Math.cos(a), 0],
    up: [-Math.cos(a) * Math.sin(e), -Math.sin(a) * Math.sin(e), Math.cos(e)],
    near: [Math.cos(a) * Math.cos(e), Math.sin(a) * Math.cos(e), Math.sin(e)],
  };
}

const dot3 = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

// Turns a complex shape so that its real part is as large as it can be: half the angle of the sum of squares.
function alignedShape({real, imaginary}) {
  let re = 0, im = 0;
  real.forEach((p, i) => p.forEach((x, k) => {
    const y = imaginary[i][k];
    re += x * x - y * y;
    im += 2 * x * y;
  }));
  const turn = -Math.atan2(im, re) / 2, c = Math.cos(turn), s = Math.sin(turn);
  const mix = (f) => real.map((p, i) => p.map((x, k) => f(x, imaginary[i][k])));
  return {real: mix((x, y) => c * x - s * y), imaginary: mix((x, y) => s * x + c * y)};
}

class ShapePlayer {
  constructor(root) {
    this.root = root;
    const spec = JSON.parse(root.querySelector('script').textContent);
    this.spec = spec;
    this.points = rowsOf3(spec.points);
    this.shapes = spec.shapes.map((s) => ({
      name: s.name, ...alignedShape({real: rowsOf3(s.real), imaginary: rowsOf3(s.imaginary)}),
    }));
    this.which = 0;
    this.phase = 0;
    this.size = 1;
    this.shown = {ghost: true, arrows: spec.arrows.length <= 60, names: false};
    this.measure();
    this.build();
    this.addTools();
    this.addPlayer();
    this.look('3D');
    new ResizeObserver(() => this.fit()).observe(this.stage);
  }

  // Middle and size of the structure at rest.
  measure() {
    const low = [0, 1, 2].map((k) => Math.min(...this.points.map((p) => p[k])));
    const high = [0, 1, 2].map((k) => Math.max(...this.points.map((p) => p[k])));
    this.middle = low.map((x, k) => (x + high[k]) / 2);
    this.span = Math.hypot(...high.map((x, k) => x - low[k])) || 1;
  }

  // Motion of the largest point is this share of the span at size 1.
  factor() {
    const {real, imaginary} = this.shapes[this.which];
    const largest = Math.max(...real.map((p, i) => Math.hypot(...p, ...imaginary[i])));
    return largest > 0 ? (0.12 * this.span * this.size) / largest : 0;
  }

  build() {
    this.stage = this.root.querySelector('.stage');
    const part = (name) => this.svg.appendChild(svgNode('g', {class: name}));
    this.svg = svgNode('svg', {role: 'img', 'aria-hidden': true});
    this.stage.append(this.svg);
    this.layers = Object.fromEntries(['ghost', 'faces', 'edges', 'arrows', 'names', 'axes'].map((n) => [n, part(n)]));
    const {lines, surfaces, arrows, names} = this.spec;
    const fill = (layer, name, count) =>
      Array.from({length: count}, () => this.layers[layer].appendChild(svgNode(name)));
    this.ghostFaces = fill('ghost', 'polygon', surfaces.length);
    this.ghostLines = fill('ghost', 'polyline', lines.length);
    this.faces = fill('faces', 'polygon', surfaces.length);
    this.edges = fill('edges', 'polyline', lines.length);
    this.dots = this.layers.edges.appendChild(svgNode('path', {class: 'dots'}));
    this.arrows = arrows.map((arrow) => {
      const node = svgNode('path');
      node.append(svgNode('title', {}, arrow.name));
      return this.layers.arrows.appendChild(node);
    });
    this.labels = names.map((name) => this.layers.names.appendChild(svgNode('text', {}, name)));
    this.axes = ['x', 'y', 'z'].map((name) => ({
      line: this.layers.axes.appendChild(svgNode('line')),
      text: this.layers.axes.appendChild(svgNode('text', {}, name)),
    }));
    this.addTurning();
  }

  addTools() {
    const host = this.root.querySelector('.shape-tools');
    const group = (...nodes) => element('span', {class: 'button-group'}, ...nodes);
    this.choice = element('select', {'aria-label': 'mode', title: 'mode'});
    this.shapes.forEach((shape, i) => this.choice.append(element('option', {value: i}, shape.name)));
    this.choice.addEventListener('change', () => this.choose(Number(this.choice.value)));
    const step = (by) => () => this.choose((this.which + by + this.shapes.length) % this.shapes.length);
    const views = Object.keys(kShapeViews).map((name) => button(name, `view ${name}`, () => this.look(name)));
    const shows = {ghost: ['At rest', 'show the structure at rest'], arrows: ['Sensors', 'show the sensors'],
                   names: ['Names', 'show the names of the nodes']};
    const switches = Object.entries(shows).map(([key, [text, title]]) =>
      toggle(text, title, this.shown[key], (on) => {
        this.shown[key] = on;
        this.draw();
      }));
    host.append(element('span', {class: 'choice'}, button('‹', 'mode before', step(-1)), this.choice,
                        button('›', 'next mode', step(1))), group(...views), group(...switches));
  }

  addPlayer() {
    const slider = (title, most, value, action) => {
      const node = element('input', {type: 'range', min: 0, max: most, value, 'aria-label': title, title});
      node.addEventListener('input', () => action(Number(node.value)));
      return node;
    };
    this.slider = slider('phase', 360, 0, (degrees) => this.seek((degrees * Math.PI) / 180));
    this.clock = element('output', {});
    this.button = button('Play', 'play or pause', () => this.toggle());
    this.button.classList.add('play');
    const size = slider('size of the motion', 300, 100, (percent) => {
      this.size = percent / 100;
      this.draw();
    });
    this.root.querySelector('.player').append(
      this.button, element('label', {}, 'phase', this.slider), this.clock, element('label', {}, 'size', size));
    this.seek(0);
  }

  choose(which) {
    this.which = which;
    this.choice.value = which;
    this.draw();
  }

  seek(phase) {
    this.phase = phase % (2 * Math.PI);
    const degrees = Math.round((this.phase * 180) / Math.PI);
    this.slider.value = degrees;
    this.clock.textContent = `${degrees}°`;
    this.draw();
  }

  toggle() {
    this.playing = !this.playing;
    this.button.textContent = this.playing ? 'Pause' : 'Play';
    if (!this.playing) return;
    this.before = performance.now();
    requestAnimationFrame((now) => this.step(now));
  }

  step(now) {
    if (!this.playing) return;
    const passed = Math.max(0, now - this.before) / 1000;
    this.before = now;
    this.seek(this.phase + (2 * Math.PI * passed) / kShapePeriod);
    requestAnimationFrame((next) => this.step(next));
  }

  look(name) {
    this.angles = [...kShapeViews[name]];
    this.fit();
  }

  turn(right, up) {
    this.angles[0] -= right;
    this.angles[1] = Math.max(-90, Math.min(90, this.angles[1] + up));
    this.draw();
  }

  addTurning() {
    let last = null;
    this.stage.addEventListener('pointerdown', (event) => {
      last = [event.clientX, event.clientY];
      this.stage.setPointerCapture(event.pointerId);
    });
    this.stage.addEventListener('pointermove', (event) => {
      if (!last) return;
      this.turn(0.5 * (event.clientX - last[0]), 0.5 * (event.clientY - last[1]));
      last = [event.clientX, event.clientY];
    });
    for (const end of ['pointerup', 'pointercancel']) this.stage.addEventListener(end, () => (last = null));
    const keys = {ArrowLeft: [-5, 0], ArrowRight: [5, 0], ArrowUp: [0, -5], ArrowDown: [0, 5]};
    this.stage.addEventListener('keydown', (event) => {
      if (!keys[event.key]) return;
      event.preventDefault();
      this.turn(...keys[event.key]);
    });
  }

  // The scale at which the structure and its motion fill the stage as it is looked at now.
  fit() {
    this.width = Math.max(200, this.stage.clientWidth);
    this.height = Math.round(Math.min(460, Math.max(260, 0.62 * this.width)));
    for (const [key, value] of Object.entries({width: this.width, height: this.height,
                                              viewBox: `0 0 ${this.width} ${this.height}`})) {
      this.svg.setAttribute(key, value);
    }
    const {right, up} = cameraAxes(this.angles);
    const reach = (axis) => 2 * Math.max(...this.points.map((p) => Math.abs(dot3(this.centred(p), axis))));
    const room = 0.3 * this.span;
    this.scale = Math.min((this.width - 40) / (reach(right) + room), (this.height - 40) / (reach(up) + room));
    this.draw();
  }

  centred(p) {
    return p.map((x, k) => x - this.middle[k]);
  }

  // Places at a phase of the motion; factor 0 is the rest.
  places(factor) {
    const {real, imaginary} = this.shapes[this.which];
    const c = factor * Math.cos(this.phase), s = factor * Math.sin(this.phase);
    // Re((a + ib) exp(iθ)) = a cos θ - b sin θ
    return this.points.map((p, i) => p.map((x, k) => x + c * real[i][k] - s * imaginary[i][k]));
  }

  draw() {
    if (!this.scale) return;
    const axes = cameraAxes(this.angles);
    const flat = (p) => {
      const q = this.centred(p);
      return [this.width / 2 + this.scale * dot3(q, axes.right), this.height / 2 - this.scale * dot3(q, axes.up),
              dot3(q, axes.near)];
    };
    const moved = this.places(this.factor());
    const now = moved.map(flat), rest = this.points.map(flat);
    this.drawStructure(now, rest);
    this.drawArrows(moved, flat);
    this.labels.forEach((label, i) => this.put(label, {x: short(now[i][0] + 6), y: short(now[i][1] - 6)}));
    this.drawAxes(axes);
    for (const key of ['ghost', 'arrows', 'names']) {
      this.layers[key].setAttribute('display', this.shown[key] ? 'inline' : 'none');
    }
  }

  put(node, attributes) {
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  }

  drawStructure(now, rest) {
    const {lines, surfaces} = this.spec;
    const path = (list, places) => list.map((i) => `${short(places[i][0])},${short(places[i][1])}`).join(' ');
    surfaces.forEach((list, k) => {
      this.ghostFaces[k].setAttribute('points', path(list, rest));
      this.faces[k].setAttribute('points', path(list, now));
    });
    lines.forEach((list, k) => {
      this.ghostLines[k].setAttribute('points', path(list, rest));
      this.edges[k].setAttribute('points', path(list, now));
    });
    this.dots.setAttribute('d', now.map(([x, y]) => `M${short(x)} ${short(y)}h0`).join(''));
    this.sortFaces(now);
  }

  // Far surfaces first.
  sortFaces(now) {
    const depth = this.spec.surfaces.map((list) => list.reduce((sum, i) => sum + now[i][2], 0) / list.length);
    const order = depth.map((_, k) => k).sort((a, b) => depth[a] - depth[b]);
    if (this.order && order.every((k, i) => k === this.order[i])) return;
    this.order = order;
    this.layers.faces.append(...order.map((k) => this.faces[k]));
  }

  drawArrows(moved, flat) {
    const length = 30 / this.scale; // px
    this.spec.arrows.forEach(({point, direction}, k) => {
      const [x1, y1] = flat(moved[point]);
      const [x2, y2] = flat(moved[point].map((x, i) => x + length * direction[i]));
      const size = Math.hypot(x2 - x1, y2 - y1);
      // A head of at most 7 px, two strokes at 30 degrees.
      const head = Math.min(7, 0.4 * size), back = Math.atan2(y1 - y2, x1 - x2);
      const stroke = (turn) => `M${short(x2)} ${short(y2)}L${short(x2 + head * Math.cos(back + turn))} ${
        short(y2 + head * Math.sin(back + turn))}`;
      const d = size < 1 ? '' : `M${short(x1)} ${short(y1)}L${short(x2)} ${short(y2)}${stroke(0.5)}${stroke(-0.5)}`;
      this.arrows[k].setAttribute('d', d);
    });
  }

  // The axes in the corner.
  drawAxes({right, up}) {
    const [x, y, length] = [34, this.height - 34, 24];
    this.axes.forEach(({line, text}, k) => {
      const dx = right[k] * length, dy = -up[k] * length;
      this.put(line, {x1: x, y1: y, x2: short(x + dx), y2: short(y + dy)});
      const seen = Math.hypot(dx, dy) > 4;
      this.put(text, {x: short(x + 1.35 * dx), y: short(y + 1.35 * dy), display: seen ? 'inline' : 'none'});
    });
  }
}

const shapePlayers = new Map();

function addShapes(root) {
  shapePlayers.set(root.id, new ShapePlayer(root));
}
