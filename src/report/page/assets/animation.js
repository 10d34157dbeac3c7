// Moving bodies: play, pause, scrub, speed. The drawing itself is in the page; only poses change.

function poseOf(spec, frame, body) {
  const at = (frame * spec.bodies + body) * 3;
  return [spec.poses[at], spec.poses[at + 1], spec.poses[at + 2]];
}

function placedPoint(spec, frame, body, x, y) {
  if (body < 0) return [x, y];
  const [px, py, angle] = poseOf(spec, frame, body);
  const c = Math.cos(angle), s = Math.sin(angle);
  return [px + c * x - s * y, py + s * x + c * y];
}

function showFrame(root, spec, frame) {
  for (const node of root.querySelectorAll('[data-body]')) {
    const [x, y, angle] = poseOf(spec, frame, Number(node.dataset.body));
    node.setAttribute('transform', `translate(${x} ${y}) rotate(${(angle * 180) / Math.PI})`);
  }
  for (const node of root.querySelectorAll('[data-ends]')) {
    const [a, ax, ay, b, bx, by] = node.dataset.ends.split(' ').map(Number);
    const [x1, y1] = placedPoint(spec, frame, a, ax, ay);
    const [x2, y2] = placedPoint(spec, frame, b, bx, by);
    for (const [name, value] of Object.entries({x1, y1, x2, y2})) node.setAttribute(name, value);
  }
}

// Drives the slider with the clock of the screen.
class Player {
  constructor(root, spec) {
    this.root = root;
    this.spec = spec;
    this.speed = spec.speed;
    this.time = spec.times[0];
    this.playing = false;
    const last = spec.times.length - 1;
    this.slider = element('input', {type: 'range', min: 0, max: last, value: 0, 'aria-label': 'time'});
    this.slider.addEventListener('input', () => this.seek(Number(this.slider.value)));
    this.clock = element('output', {});
    this.button = button('Play', 'play or pause', () => this.toggle());
    this.button.classList.add('play');
    root.querySelector('.player').append(this.button, this.slider, this.clock, this.speeds());
    this.seek(0);
  }

  speeds() {
    const select = element('select', {'aria-label': 'speed', title: 'speed'});
    for (const factor of [0.125, 0.25, 0.5, 1, 2, 4]) {
      const speed = this.spec.speed * factor;
      const option = element('option', {value: speed});
      option.textContent = `${readable(speed, 3)} ×`;
      option.selected = factor === 1;
      select.append(option);
    }
    select.addEventListener('change', () => (this.speed = Number(select.value)));
    return select;
  }

  seek(frame) {
    this.time = this.spec.times[frame];
    this.show(frame);
  }

  show(frame) {
    showFrame(this.root, this.spec, frame);
    this.slider.value = frame;
    this.clock.textContent = `t = ${this.spec.times[frame].toFixed(3)} s`;
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
    const {times} = this.spec;
    this.time += ((now - this.before) / 1000) * this.speed;
    this.before = now;
    if (this.time > times[times.length - 1]) this.time = times[0];
    const frame = Math.min(times.length - 1, lowerBound(times, this.time));
    this.show(frame);
    requestAnimationFrame((next) => this.step(next));
  }
}

const players = new Map();

function addAnimation(root) {
  const spec = JSON.parse(root.querySelector('script').textContent);
  spec.times = decodeX(spec.times, []);
  spec.poses = decodeY(spec.poses);
  players.set(root.id, new Player(root, spec));
}
