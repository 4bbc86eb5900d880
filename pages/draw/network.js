// A network of visible and hidden units: places, drawing, and hit tests.

import { clamp, ease, gray, say, signed } from './ink.js';

export const FEW_UNITS = 12;                      // hidden units that stand in one line, each with its tables above it
const BESIDE = 12;                                // pixels by which a click may miss a chosen edge
export const nameOfUnit = (j) => `h${j + 1}`;

// Index of the unit nearest to a point out of `count`, in units of `scale`, if it is nearer than `reach`.
const nearestOf = (count, at, x, y, [sx, sy], reach) => {
  let best = [reach];
  for (let k = 0; k < count; k++) {
    const [x0, y0] = at(k), far = Math.hypot((x - x0) / sx, (y - y0) / sy);
    if (far < best[0]) best = [far, k];
  }
  return best[1];
};

// Places of the pixels of a picture that leans back.
export const leaningOf = ({ count, columns, wide, left, top }) => {
  const rows = Math.ceil(count / columns), cell = wide / (columns + rows * .42), lean = cell * .42, flat = cell * .6;
  const pixel = (q) => [left + (q % columns + .5) * cell + (rows - .5 - Math.floor(q / columns)) * lean,
    top + (Math.floor(q / columns) + .5) * flat];
  return { columns, rows, corner: [left + rows * lean, top], cell, lean, flat, pixel, bottom: top + rows * flat,
    pixelAt: (x, y) => nearestOf(count, pixel, x, y, [cell, flat], .75) };
};

// Places of units: the hidden ones in one line, or in several if there are many; the pixels as a picture that lies
// below them and leans back.
// above : pixels of the page over the hidden units; gutter : at their left; wide : the picture
export const networkOf = ({
  nv, nh, columns, width, above, gutter = 0, wide = Math.min(width * .66, 380, 72 * columns),
}) => {
  const few = nh <= FEW_UNITS, room = width - gutter - 4;
  const across = few ? nh : Math.min(nh, Math.max(8, Math.ceil(Math.sqrt(nh * 3)))), down = Math.ceil(nh / across);
  const step = Math.min(room / across, few ? 130 : 28), radius = Math.min(step / 2 - 2, few ? 20 : 11);
  const first = gutter + (room - step * across) / 2;
  const top = above + 2 * radius + 12 + (down - 1) * step + (few ? 76 : 44);
  const hidden = (j) => [first + step * (j % across + .5), above + radius + 6 + Math.floor(j / across) * step];
  const picture = leaningOf({ count: nv, columns, wide, left: (width - wide) / 2, top });
  return { ...picture, few, across, step, radius, height: picture.bottom + 24, hidden,
    hiddenAt: (x, y) => nearestOf(nh, hidden, x, y, [1, 1], Math.max(radius + 2, few ? 22 : 8)) };
};

// Least strength of an edge that is drawn: if a unit has many edges, only the strongest are drawn.
const STRONGEST = 90;
export const levelsOf = () => {
  const levels = new WeakMap();
  return (values) => {
    if (!levels.has(values)) {
      const ordered = [...values].sort((a, b) => Math.abs(b) - Math.abs(a));
      levels.set(values, Math.abs(ordered[STRONGEST] ?? 0));
    }
    return levels.get(values);
  };
};

const LINED = 9;                                  // pixels of a cell from which on each has its own frame
export const drawPixels = (ink, theme, place, values, chosen) => {
  const { cell } = place;
  if (cell < LINED) drawSheet(ink, place, values);
  for (let q = 0; q < values.length; q++) {
    if (cell < LINED && q !== chosen) continue;
    outline(ink, place, q);
    ink.fillStyle = gray(values[q]);
    ink.fill();
    Object.assign(ink, { strokeStyle: q === chosen ? theme.chosen : theme.soft, lineWidth: q === chosen ? 3 : 1 });
    ink.stroke();
  }
};
const outline = (ink, { pixel, cell, lean, flat }, q) => {
  const [x, y] = pixel(q), gap = cell * .45, half = flat * .45, slant = lean * .45;
  ink.beginPath();
  ink.moveTo(x - gap + slant, y - half); ink.lineTo(x + gap + slant, y - half);
  ink.lineTo(x + gap - slant, y + half); ink.lineTo(x - gap - slant, y + half);
  ink.closePath();
};
// Draw all pixels as a picture of one dot each that leans back.
const SHEETS = new Map();
const drawSheet = (ink, { columns, rows, corner, cell, lean, flat }, values) => {
  const size = `${columns} ${rows}`;
  if (!SHEETS.has(size)) SHEETS.set(size, new OffscreenCanvas(columns, rows));
  const sheet = SHEETS.get(size), dots = new ImageData(columns, rows);
  for (let q = 0; q < values.length; q++) {
    dots.data.fill(255 * clamp(values[q]), 4 * q, 4 * q + 3);
    dots.data[4 * q + 3] = 255;
  }
  sheet.getContext('2d').putImageData(dots, 0, 0);
  ink.save();
  ink.transform(cell, 0, -lean, flat, ...corner);
  ink.imageSmoothingEnabled = false;
  ink.drawImage(sheet, 0, 0);
  ink.restore();
};

// Draw a hidden unit: filled from below up to its probability, with the random number as a line across.
const drawGauge = (ink, theme, x, y, r, level, chosen) => {
  const rise = Math.acos(clamp(1 - 2 * level, -1, 1));
  ink.beginPath(); ink.arc(x, y, r, 0, 7);
  ink.fillStyle = '#000';
  ink.fill();
  ink.beginPath(); ink.arc(x, y, r, Math.PI / 2 - rise, Math.PI / 2 + rise);
  ink.fillStyle = '#fff';
  if (level > 0) ink.fill();
  Object.assign(ink, { strokeStyle: chosen ? theme.chosen : theme.soft, lineWidth: chosen ? 3 : 1.2 });
  ink.beginPath(); ink.arc(x, y, r, 0, 7); ink.stroke();
};
const drawChance = (ink, theme, x, y, r, u, shown) => {
  const at = y + r - 2 * r * u;
  ink.globalAlpha = shown;
  Object.assign(ink, { strokeStyle: theme.lit, lineWidth: r > 12 ? 3 : 2 });
  ink.beginPath(); ink.moveTo(x - r - 2, at); ink.lineTo(x + r + 2, at); ink.stroke();
  ink.globalAlpha = 1;
};

// Draw all hidden units by their probabilities or states; u : the random numbers, as visible as `shown`.
export const drawHidden = (ink, theme, { hidden, radius, step, few }, count, { h, u, shown }, chosen) => {
  for (let j = 0; j < count; j++) {
    const [x, y] = hidden(j);
    drawGauge(ink, theme, x, y, radius, h?.[j] ?? 0, j === chosen);
    if (u && shown > 0) drawChance(ink, theme, x, y, radius, u[j], shown);
    if (few && step > 64) say(ink, theme, nameOfUnit(j), x + radius + 5, y, { colour: theme.soft, size: 12 });
  }
};

// Values of a layer at the share f of the phase in which it is drawn: the previous values, then the probabilities p,
// then the drawn states. `coinsSeen` is the visibility of the random numbers u.
export const drawnLayer = (f, was, p, drawn) => {
  const known = ease(f, .3, .5), done = ease(f, .85, .95);
  return p.map((each, k) => ((was?.[k] ?? 0) * (1 - known) + each * known) * (1 - done) + drawn[k] * done);
};
export const coinOpacity = (f) => ease(f, .55, .7) * (1 - ease(f, .96, 1));

// Draw an edge, as wide and as strong as its value, from -1 to 1. busy : whether a message moves along it
export const drawEdge = (ink, theme, [x0, y0], [x1, y1], value, { chosen, busy, cell }) => {
  ink.strokeStyle = signed(value, 1, theme, chosen ? (busy ? 1 : .3) : busy ? .45 : .12);
  ink.lineWidth = .5 + (chosen ? 3.5 : 2.5) * Math.abs(value);
  ink.beginPath(); ink.moveTo(x0, y0); ink.lineTo(x1, y1); ink.stroke();
  if (!chosen || !busy) return;                                          // its end stands out on any pixel
  ink.beginPath(); ink.arc(x0, y0, clamp(cell / 4, 1.5, 3.5), 0, 7);
  ink.fillStyle = signed(value, 1e-9, theme);
  ink.fill();
  Object.assign(ink, { strokeStyle: '#fff', lineWidth: .75 });
  ink.stroke();
};
// Draw a message at the share g of its edge; larger for a larger weight.
export const drawMessage = (ink, theme, [x0, y0], [x1, y1], value, g) => {
  if (g <= 0 || g >= 1) return;
  ink.fillStyle = signed(value, 1e-9, theme);
  ink.beginPath();
  ink.arc(x0 + (x1 - x0) * g, y0 + (y1 - y0) * g, 1.5 + 3 * Math.sqrt(Math.abs(value)), 0, 7);
  ink.fill();
};
const farFromEdge = ([x0, y0], [x1, y1], x, y) => {
  const [dx, dy] = [x1 - x0, y1 - y0], t = clamp(((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy));
  return Math.hypot(x - x0 - t * dx, y - y0 - t * dy);
};

// Return the weight whose edge is hit, among those of a hidden unit j or, if undefined, of a pixel q.
export const edgeAt = (place, nv, nh, j, q, x, y) => {
  const pairs = j !== undefined ? Array.from({ length: nv }, (_, k) => [k, j])
    : Array.from({ length: nh }, (_, k) => [q, k]);
  const [far, index] = pairs.map(([v, h]) => [farFromEdge(place.pixel(v), place.hidden(h), x, y), v * nh + h])
    .reduce((best, each) => each[0] < best[0] ? each : best, [BESIDE]);
  return far < BESIDE ? { pick: 'w', index } : undefined;
};
