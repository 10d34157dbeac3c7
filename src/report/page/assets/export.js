// What can be taken out of a figure: numbers as CSV, the picture as SVG or PNG.

function saveAs(blob, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

function quotedCell(text) {
  return /[",;\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

function csvText(header, lines) {
  return `${header.map(quotedCell).join(',')}\n${lines.map((row) => row.join(',')).join('\n')}\n`;
}

function columnName(curve) {
  return curve.unit ? `${labelOf(curve)} [${curve.unit}]` : labelOf(curve);
}

// One x column and a y column for each curve; a cell is empty where a curve has no sample.
function joinedCsv(spec, curves, inside) {
  const rows = new Map();
  curves.forEach((curve, column) => {
    for (let i = 0; i < curve.x.length; ++i) {
      const x = curve.x[i];
      if (!inside(x)) continue;
      if (!rows.has(x)) rows.set(x, new Array(curves.length).fill(''));
      if (curve.y[i] === curve.y[i]) rows.get(x)[column] = plain(curve.y[i]);
    }
  });
  const sorted = [...rows.keys()].sort((a, b) => a - b);
  return csvText([spec.x_label, ...curves.map(columnName)],
                 sorted.map((x) => [plain(x), ...rows.get(x)]));
}

// Curves that turn back in x (loops) cannot share an x column: x and y side by side for each.
function pairedCsv(spec, curves, inside) {
  const columns = curves.map((curve) => {
    const pairs = [];
    for (let i = 0; i < curve.x.length; ++i) {
      if (inside(curve.x[i])) {
        pairs.push([plain(curve.x[i]), curve.y[i] === curve.y[i] ? plain(curve.y[i]) : '']);
      }
    }
    return pairs;
  });
  const length = Math.max(0, ...columns.map((c) => c.length));
  const lines = Array.from({length}, (_, i) => columns.flatMap((c) => c[i] || ['', '']));
  return csvText(curves.flatMap((c) => [`${spec.x_label} of ${labelOf(c)}`, columnName(c)]), lines);
}

function csvOf(spec, curves, x0, x1) {
  const inside = (x) => x >= x0 && x <= x1;
  const single = curves.every((c) => c.x.every((v, i) => i === 0 || v > c.x[i - 1]));
  return (single ? joinedCsv : pairedCsv)(spec, curves, inside);
}

// Draws the SVG at three times its size, which is enough for print.
function pngOf(svg, width, height) {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => {
      const canvas = document.createElement('canvas');
      canvas.width = 3 * width;
      canvas.height = 3 * height;
      canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob(resolve, 'image/png');
    };
    image.onerror = () => reject(new Error('the picture could not be drawn'));
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  });
}
