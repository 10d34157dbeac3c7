"""Colours of a page: what is drawn, how well it can be read and told apart."""

# Coloured pixels: axes, grid and text are grey, so these belong to curves.
COLOURED = """
const canvas = document.querySelector(`#${arguments[0]} .plot canvas`);
const copy = document.createElement('canvas');
[copy.width, copy.height] = [canvas.width, canvas.height];
const context = copy.getContext('2d', {willReadFrequently: true});
context.drawImage(canvas, 0, 0);
const {data} = context.getImageData(0, 0, copy.width, copy.height);
let count = 0;
for (let i = 0; i < data.length; i += 4) {
  const [r, g, b, alpha] = data.slice(i, i + 4);
  if (alpha > 100 && Math.max(r, g, b) - Math.min(r, g, b) > 60) ++count;
}
return count;
"""

CONTRAST = """
const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
const light = (c) => {
  const [r, g, b] = c.slice(0, 3).map((v) => { v /= 255; return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const probe = document.createElement('span');
document.body.append(probe);
const paper = light(rgb(getComputedStyle(document.body).backgroundColor));
const ratio = (colour) => {
  probe.style.color = colour;
  const l = light(rgb(getComputedStyle(probe).color));
  return (Math.max(l, paper) + 0.05) / (Math.min(l, paper) + 0.05);
};
const found = {paper};
for (const name of ['ink', 'muted', 'link', 'good', 'warning', 'bad', 'axis']) found[name] = ratio(`var(--${name})`);
const f = [...alembert.figures.values()][0];
found.curves = Math.min(...f.plot.series.slice(1).map((s) => ratio(s._stroke || s.stroke(f.plot, 1))));
probe.remove();
return found;
"""


# Linear RGB as seen with protanopia, deuteranopia and tritanopia (Machado, Oliveira, Fernandes 2009).
BLINDNESS = {
    "none": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


def times(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector)) for row in matrix]


def cie_lab(colour, blindness):
    """CIE 1976 L*a*b* (white D65) of a colour "#rrggbb" as seen with a kind of colour blindness."""
    channels = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    seen = [min(1.0, max(0.0, c)) for c in times(blindness, linear)]
    xyz = times([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]], seen)
    x, y, z = (v / w for v, w in zip(xyz, (0.9505, 1.0, 1.089)))
    x, y, z = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)
