// Pictures, curves, and bars.

import { clamp, largest, lineThrough, say, signed, tile, fixed } from './ink.js';

// Format a number with two digits; and a scale that is symmetric about 0.
const rough = (x) =>
  x && Math.abs(x) < 1e-3 ? x.toExponential(0).replace('e-', 'e−') : `${Number(x.toPrecision(2))}`;
export const scaleOf = (limit) => `±${rough(limit)}`;

// Draw a picture, visible to the share `shown`; a dashed frame before that.
export const pictureIn = (ink, theme, values, columns, [x, y, side, tall], colour, shown = 1, frame = theme.line) => {
  ink.globalAlpha = shown;
  if (values) tile(ink, values, columns, x, y, side, colour, frame);
  ink.globalAlpha = 1;
  if (values && shown > .05) return;
  Object.assign(ink, { strokeStyle: theme.line, lineWidth: 1 });
  ink.setLineDash([2, 3]);
  ink.strokeRect(x - .5, y - .5, side + 1, tall + 1);
  ink.setLineDash([]);
};

// Mark the chosen cell of a picture, if there is one.
export const frameCell = (ink, theme, columns, x, y, side, q) => {
  if (q === undefined) return;
  const cell = side / columns, most = Math.max(cell, 5), grown = (most - cell) / 2;
  Object.assign(ink, { strokeStyle: theme.chosen, lineWidth: 2 });
  ink.strokeRect(x + (q % columns) * cell - 1 - grown, y + Math.floor(q / columns) * cell - 1 - grown,
    most + 2, most + 2);
};

// Draw a curve in its frame. reach : share of the curve that is drawn
// also : other curves, dashed; title : above it; left, right : below its ends; low, high : [value, name] of its edges,
// named at its left, if these are not the extremes of the curve; mark : a place along it
export const plotIn = (ink, theme, {
  x, y, width, height, xs, ys, also = [], title, left, right, reach = 1, mark, low: least, high: most,
}) => {
  const all = [ys, ...also].flatMap((each) => [...each]);
  const [low, high] = least ? [least[0], most[0]] : [Math.min(...all), Math.max(...all)];
  const span = high - low || 1, [from, to] = [xs[0], xs.at(-1)];
  const px = (a) => x + 4 + (width - 8) * (a - from) / (to - from || 1);
  const py = (b) => y + height - 4 - (height - 8) * clamp((b - low) / span);
  say(ink, theme, title, x, y - 10, { weight: 600, size: 12, room: width });
  Object.assign(ink, { strokeStyle: theme.line, lineWidth: 1 });
  ink.strokeRect(x + .5, y + .5, width, height);
  if (low < 0 && high > 0) lineThrough(ink, [[x, py(0)], [x + width, py(0)]], [2, 3]);
  Object.assign(ink, { strokeStyle: theme.text, lineWidth: 2 });
  const shown = Math.max(1, Math.ceil(reach * xs.length));
  lineThrough(ink, Array.from(xs.slice(0, shown), (a, k) => [px(a), py(ys[k])]));
  for (const other of also) lineThrough(ink, Array.from(xs, (a, k) => [px(a), py(other[k])]), [4, 4]);
  const axis = { size: 11, colour: theme.soft };
  say(ink, theme, left, x, y + height + 10, { ...axis, room: width / 2 });
  say(ink, theme, right, x + width, y + height + 10, { ...axis, align: 'right', room: width / 2 });
  if (least) for (const [value, name] of [least, most]) say(ink, theme, name, x - 6, py(value), { ...axis, align: 'right' });
  if (mark === undefined) return;
  ink.fillStyle = theme.chosen;
  ink.beginPath(); ink.arc(px(mark), py(ys[xs.indexOf(mark)]), 5, 0, 7); ink.fill();
};

// Draw named values from a line: to the right if they are above 0, to the left if below.
export const BAR = 26;
export const barsIn = (ink, theme, bars, x0, y0, room) => {
  const top = largest(bars.map(({ value }) => value)), names = Math.min(170, room * .5);
  const signs = [bars.some(({ value }) => value < 0), bars.some(({ value }) => value > 0)], both = signs[0] && signs[1];
  const zero = x0 + names + (room - names - 60) * (both ? .5 : signs[0] ? 1 : 0);
  const reach = (room - names - 60) * (both ? .5 : 1);
  ink.fillStyle = theme.soft;
  ink.fillRect(zero - .5, y0, 1, bars.length * BAR);
  bars.forEach(({ name, value }, k) => {
    const y = y0 + k * BAR, far = reach * value / top;
    say(ink, theme, name, x0, y + BAR / 2, { size: 12, room: names - 6 });
    ink.fillStyle = signed(value, 1e-9, theme, .85);
    ink.fillRect(Math.min(zero, zero + far), y + 6, Math.max(Math.abs(far), 1), BAR - 12);
    say(ink, theme, fixed(value, 3), x0 + room, y + BAR / 2, { size: 12, align: 'right', weight: 600 });
  });
};
