// Pictures in grays or in signs, curves with the point that is looked at, bars, and words below each other.

import { ease, gray, largest, lineThrough, say, signed, signedBy, tile, fixed } from '../frames/ink.js';

// A number of two digits, and a scale that reaches as far on both sides of 0.
export const rough = (x) =>
  x && Math.abs(x) < 1e-3 ? x.toExponential(0).replace('e-', 'e−') : `${Number(x.toPrecision(2))}`;
export const scaleOf = (limit) => `±${rough(limit)}`;

export const inGrays = (ink, theme, values, columns, x, y, side) =>
  tile(ink, values, columns, x, y, side, gray, theme.soft);
export const inSigns = (ink, theme, values, columns, x, y, side, limit) =>
  tile(ink, values, columns, x, y, side, signedBy(limit, theme), theme.line);

// A cell of a picture is the one that is chosen.
export const frameCell = (ink, theme, columns, x, y, side, q) => {
  const cell = side / columns, most = Math.max(cell, 5), grown = (most - cell) / 2;
  Object.assign(ink, { strokeStyle: theme.chosen, lineWidth: 2 });
  ink.strokeRect(x + (q % columns) * cell - 1 - grown, y + Math.floor(q / columns) * cell - 1 - grown,
    most + 2, most + 2);
};

// A place that waits for what is to come.
export const emptyPlace = (ink, theme, x, y, width, height) => {
  Object.assign(ink, { strokeStyle: theme.soft, lineWidth: 1 });
  ink.setLineDash([2, 3]);
  ink.strokeRect(x + .5, y + .5, width - 1, height - 1);
  ink.setLineDash([]);
};

// A curve in its frame. at : [x, y] of the point that is looked at; reach : share of the curve that is drawn
// title : above it; left, right : below its ends
export const plotIn = (ink, theme, { x, y, width, height, xs, ys, at, title, left, right, reach = 1 }) => {
  const [low, high] = [Math.min(...ys), Math.max(...ys)], span = high - low || 1, [from, to] = [xs[0], xs.at(-1)];
  const px = (a) => x + 4 + (width - 8) * (a - from) / (to - from || 1);
  const py = (b) => y + height - 4 - (height - 8) * (b - low) / span;
  say(ink, theme, title, x, y - 10, { weight: 600, size: 12, room: width });
  Object.assign(ink, { strokeStyle: theme.line, lineWidth: 1 });
  ink.strokeRect(x + .5, y + .5, width, height);
  if (low < 0 && high > 0) {
    ink.setLineDash([2, 3]);
    ink.beginPath(); ink.moveTo(x, py(0)); ink.lineTo(x + width, py(0)); ink.stroke();
    ink.setLineDash([]);
  }
  Object.assign(ink, { strokeStyle: theme.text, lineWidth: 2 });
  const shown = Math.max(1, Math.ceil(reach * xs.length));
  lineThrough(ink, Array.from(xs.slice(0, shown), (a, k) => [px(a), py(ys[k])]));
  if (at) {
    ink.fillStyle = theme.chosen;
    ink.beginPath(); ink.arc(px(at[0]), py(at[1]), 5, 0, 7); ink.fill();
  }
  const axis = { size: 11, colour: theme.soft };
  say(ink, theme, left, x, y + height + 10, { ...axis, room: width / 2 });
  say(ink, theme, right, x + width, y + height + 10, { ...axis, align: 'right', room: width / 2 });
};

// Words in lines as wide as there is room.
export const sayLines = (ink, theme, words, x, y, room, { size = 12, colour = theme.text, gap = 16 } = {}) => {
  ink.font = `400 ${size}px ${theme.font}`;
  const lines = [''];
  for (const word of words.split(' ')) {
    const longer = lines.at(-1) ? `${lines.at(-1)} ${word}` : word;
    if (ink.measureText(longer).width > room && lines.at(-1)) lines.push(word); else lines[lines.length - 1] = longer;
  }
  lines.forEach((line, k) => say(ink, theme, line, x, y + k * gap, { size, colour }));
};

// The frame that is seen when the share f of a way is over: as far on as the value has come, not evenly in time.
const keyframeAlong = (keyframes, values, f) => {
  const [first, last] = [values[0], values.at(-1)], far = ease(f, .05, .9);
  if (far >= 1 || first === last) return keyframes.at(-1);
  const past = values.findLastIndex((value) => (value - first) / (last - first) <= far);
  return keyframes[Math.max(past, 0)];
};

// The frames of a search, and where it is when the share f of phase i is over. name : of the value that tells how far
export const searchOf = (phases, name) => {
  const keyframes = phases.flatMap((phase) => phase.kind !== 'search' ? [] : phase.folded ? phase.keyframes : [phase]);
  const keyframeIn = (i, f) => {
    const phase = phases[i];
    return phase.kind !== 'search' ? keyframes.at(-1) : !phase.folded ? phase
      : keyframeAlong(phase.keyframes, phase.keyframes.map((frame) => frame[name][0]), f);
  };
  return { keyframes, keyframeIn };
};

// Values from one line, each with its name: to the right where they are more than 0, to the left where less.
export const BAR = 26;
export const barsIn = (ink, theme, bars, x0, y0, room) => {
  const top = largest(bars.map(({ value }) => value)), names = Math.min(120, room * .45);
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
