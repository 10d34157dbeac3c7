// Starts the page: figures when they come near the window, all of them before printing.

const figures = new Map();
const repaints = [];
const darkScheme = window.matchMedia('(prefers-color-scheme: dark)');

function currentTheme() {
  return document.documentElement.dataset.theme || (darkScheme.matches ? 'dark' : 'light');
}

// Figures with the same x axis zoom together.
Figure.prototype.linkKey = function linkKey() {
  const digits = this.full.map((v) => v.toPrecision(3));
  return [this.spec.x_label, this.spec.log_x, ...digits].join('|');
};

function linkedFigures(figure) {
  return [...figures.values()].filter(
    (other) => other !== figure && other.linked && other.linkKey() === figure.linkKey());
}

// The button appears once a second figure with the same axis has been drawn.
function offerLinks() {
  for (const figure of figures.values()) {
    if (figure.linkHost.querySelector('.link') || !linkedFigures(figure).length) continue;
    const node = toggle('Link', 'zoom together with the plots that have the same x axis', figure.linked,
                        (on) => (figure.linked = on));
    node.classList.add('link');
    figure.linkHost.append(node);
  }
}

function drawFigure(root) {
  if (figures.has(root.id)) return figures.get(root.id);
  const figure = new Figure(root);
  figures.set(root.id, figure);
  const zoomed = linkedFigures(figure).find((f) => f.view.x);
  if (zoomed) figure.zoomTo(zoomed.view.x, null, false);
  offerLinks();
  return figure;
}

function watchFigures(roots) {
  const observer = new IntersectionObserver((seen) => {
    for (const {isIntersecting, target} of seen) {
      if (!isIntersecting) continue;
      observer.unobserve(target);
      drawFigure(target);
    }
  }, {rootMargin: '800px 0px'});
  roots.forEach((root) => observer.observe(root));
}

// Print gets the vector picture instead of the canvas.
function preparePrint(roots) {
  for (const root of roots) {
    const svg = figureSvg(drawFigure(root)).markup;
    const page = new DOMParser().parseFromString(svg, 'image/svg+xml');
    root.querySelector('.print').replaceChildren(document.importNode(page.documentElement, true));
  }
}

function repaint() {
  for (const figure of figures.values()) figure.recolour();
  for (const paint of repaints) paint();
}

function addThemeButton() {
  const host = document.querySelector('.theme');
  host.append(button('◐', 'light or dark page', () => {
    document.documentElement.dataset.theme = currentTheme() === 'dark' ? 'light' : 'dark';
    repaint();
  }));
}

function start() {
  const roots = [...document.querySelectorAll('figure.chart')];
  for (const root of document.querySelectorAll('figure.matrix')) {
    const paint = addMatrix(root);
    if (paint) repaints.push(paint);
  }
  document.querySelectorAll('figure.animation').forEach(addAnimation);
  document.querySelectorAll('figure.shapes').forEach(addShapes);
  watchFigures(roots);
  addThemeButton();
  darkScheme.addEventListener('change', repaint);
  window.addEventListener('beforeprint', () => preparePrint(roots));
  // For the console and for tests.
  window.alembert = {figures, shapes: shapePlayers, colours: kColours, svg: figureSvg, drawAll: () => roots.map(drawFigure)};
}

start();
