// Matrices: a CSV button for each, and a coloured grid on canvas for the large ones.

function decodeMatrix(root) {
  const spec = JSON.parse(root.querySelector('script').textContent);
  spec.values = new Float64Array(bytesOf(spec.values).buffer);
  spec.at = (i, j) => spec.values[i * spec.columns.length + j];
  spec.largest = spec.values.reduce((m, v) => (Math.abs(v) > m ? Math.abs(v) : m), 0);
  return spec;
}

function matrixCsv(spec) {
  const lines = spec.rows.map((name, i) => [quotedCell(name), ...spec.columns.map((_, j) => String(spec.at(i, j)))]);
  return csvText(['', ...spec.columns], lines);
}

// Colour of a value: blue below zero, red above, the stronger the larger, on a square-root measure
// so that small couplings stay visible.
function heat(value, largest) {
  if (!(Math.abs(value) > 0) || largest === 0) return null;
  const [r, g, b] = themeColour(value < 0 ? 'cold' : 'warm').split(',').map(Number);
  return `rgba(${r}, ${g}, ${b}, ${0.12 + 0.88 * Math.sqrt(Math.abs(value) / largest)})`;
}

function drawMatrix(root, spec) {
  const canvas = root.querySelector('canvas');
  const rows = spec.rows.length, columns = spec.columns.length;
  const room = Math.min(560, root.parentElement.clientWidth - 2);
  const side = Math.max(1, Math.min(18, Math.floor(room / columns), Math.floor(560 / rows)));
  const ratio = window.devicePixelRatio || 1;
  canvas.style.width = `${side * columns}px`;
  canvas.style.height = `${side * rows}px`;
  canvas.width = Math.round(side * columns * ratio);
  canvas.height = Math.round(side * rows * ratio);
  const context = canvas.getContext('2d');
  const edge = side > 5 ? 1 : 0;
  context.scale(ratio, ratio);
  for (let i = 0; i < rows; ++i) {
    for (let j = 0; j < columns; ++j) {
      const colour = heat(spec.at(i, j), spec.largest);
      if (!colour) continue;
      context.fillStyle = colour;
      context.fillRect(j * side, i * side, side - edge, side - edge);
    }
  }
  spec.side = side;
}

function addMatrix(root) {
  const spec = decodeMatrix(root);
  const name = `${document.documentElement.dataset.name}-${root.id}`;
  root.querySelector('.tools').append(button('CSV', 'download the matrix as CSV', () => {
    saveAs(new Blob([matrixCsv(spec)], {type: 'text/csv'}), `${name}.csv`);
  }));
  const canvas = root.querySelector('canvas');
  if (!canvas) return null;
  const value = root.querySelector('.heat-value');
  const rest = value.textContent;
  canvas.addEventListener('mousemove', (event) => {
    const i = Math.min(spec.rows.length - 1, Math.floor(event.offsetY / spec.side));
    const j = Math.min(spec.columns.length - 1, Math.floor(event.offsetX / spec.side));
    if (i < 0 || j < 0) return;
    value.textContent = `${spec.rows[i]}, ${spec.columns[j]}: ${readable(spec.at(i, j), 6)} ${spec.unit}`;
  });
  canvas.addEventListener('mouseleave', () => (value.textContent = rest));
  drawMatrix(root, spec);
  return () => drawMatrix(root, spec);
}
