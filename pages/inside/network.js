// A network of visible and hidden units: where they are, how they are drawn and named, and which one was hit.

import { made, put } from '../draw/elements.js';
import { clamp, DOTS, gray, inkOn, isChance, say, signed, signedBy, strongest, tile, fixed } from '../draw/ink.js';

export const FEW_UNITS = 12;                      // hidden units that stand in one line, what belongs to each above it
export const MOST_TERMS = 9;                             // of a sum that are named one by one
const BESIDE = 12;                                // pixels of a chosen edge that a click may miss

export const nameOfPixel = ({ shape, names }, i) =>
  shape ? `row ${Math.floor(i / shape[1]) + 1}, column ${i % shape[1] + 1}` : names?.[i] ?? `column ${i + 1}`;
export const briefPixel = ({ shape, names }, i) =>
  shape ? `r${Math.floor(i / shape[1]) + 1} c${i % shape[1] + 1}` : names?.[i] ?? `v${i + 1}`;
export const nameOfUnit = (j) => `h${j + 1}`;

// How an index is chosen by numbers that each count one thing.
//   parts : [what is counted, how many there are] of each number; the last number runs fastest
//   split(index) => the numbers from 0 on; join(numbers) => the index, undefined where there is none
export const inParts = (...parts) => ({
  parts,
  split: (index) => parts.reduceRight(([rest, ...numbers], [, size]) =>
    [Math.floor(rest / size), rest % size, ...numbers], [index]).slice(1),
  join: (numbers) => numbers.reduce((index, number, k) => index * parts[k][1] + number, 0),
});
// The numbers of a visible unit: row and column of a pixel.
export const partsOfPixel = ({ shape }, nv, of = '') => shape
  ? [[`${of}row`, shape[0]], [`${of}column`, shape[1]]] : [[`${of}column`, nv]];

// The line in which what is looked at is chosen by kind and number.
// picks : [pick, name, how many there are, (index) => which one that is, in words, () => the one to begin with,
//   the numbers that it is chosen by, as `inParts`; without them one number counts all]
// lab.home : what an example is about, to which a button leads back
export const lookAt = (lab, picks) => {
  const kind = made('select', '', { ariaLabel: 'Look at' }), which = made('span', 'which');
  const numbers = made('span', 'numbers'), home = made('button', 'home', { type: 'button', hidden: true });
  let fields = [], drawnFor;
  home.textContent = 'Back to the question';
  home.onclick = () => lab.choose(lab.home);
  kind.append(...picks.map(([pick, name]) => made('option', '', { value: pick, textContent: name })));
  kind.onchange = () => {
    const [, , , , first = () => 0] = picks.find(([pick]) => pick === kind.value);
    lab.choose({ pick: kind.value, index: first() });
  };
  const partsOf = ([, name, count, , , given]) => given ?? inParts([`number of the ${name}`, count]);
  const fill = (index, typing) => partsOf(drawnFor).split(index).forEach((number, k) => {
    if (fields[k] !== typing && Number(fields[k].value) !== number + 1) fields[k].value = number + 1;
  });
  const build = (pick) => {
    const { parts, join } = partsOf(pick), several = parts.length > 1;
    fields = parts.map(([name, size]) =>
      made('input', '', { type: 'number', min: 1, max: size, step: 1, ariaLabel: name }));
    for (const field of fields) field.onchange = () => {
      const valid = fields.every((each) => each.value && each.checkValidity());
      const index = valid ? join(fields.map((each) => Number(each.value) - 1)) : undefined;
      if (index === undefined) fill(lab.chosen.index); else lab.choose({ pick: pick[0], index });
    };
    numbers.replaceChildren(...fields.map((field, k) =>
      several ? made('label', '', {}, made('span', '', { textContent: parts[k][0] }), field) : field));
    numbers.hidden = pick[2] === 1;
  };
  const show = () => {
    const { pick } = lab.chosen, found = picks.find(([each]) => each === pick);
    const index = Math.min(lab.chosen.index, found[2] - 1), words = found[3](index);   // units may have left
    if (drawnFor !== found) { build(found); drawnFor = found; }
    kind.value = pick;
    fill(index, document.activeElement);
    put(which, words);
    home.hidden = !lab.home || (lab.home.pick === pick && lab.home.index === index);
  };
  const line = made('div', 'look-at', {}, made('span', '', { textContent: 'Look at' }), kind, numbers, which, home);
  return { line, show };
};

// Has arrow keys choose another of what is looked at.
// among() => { first, end, across, down, pick, index }: there are indices from `first` to before `end`; left and right
//   go by `across`, up and down by `down`; `pick` and `index` are where they go from, lab.chosen if not given.
export const chooseByKeys = (canvas, lab, among) => {
  canvas.onkeydown = (event) => {
    const { pick, index, first = 0, end, across = 1, down = 0 } = { ...lab.chosen, ...among() };
    const by = { ArrowLeft: -across, ArrowRight: across, ArrowUp: -down, ArrowDown: down }[event.key];
    if (!by) return;
    if (index + by >= first && index + by < end) lab.choose({ pick, index: index + by });
    event.preventDefault();
  };
};

// Where of some values, which may not be there yet, the one is that is furthest from 0.
export const furthest = (values = [0]) => values.reduce((best, value, k) =>
  Math.abs(value) > Math.abs(values[best]) ? k : best, 0);

// Which of `count` units is nearest to a point, in units of `scale`, if one is nearer than `reach`.
export const nearestOf = (count, at, x, y, [sx, sy], reach) => {
  let best = [reach];
  for (let k = 0; k < count; k++) {
    const [x0, y0] = at(k), far = Math.hypot((x - x0) / sx, (y - y0) / sy);
    if (far < best[0]) best = [far, k];
  }
  return best[1];
};

// Where the pixels of a picture are that leans back.
export const leaningOf = ({ count, columns, wide, left, top }) => {
  const rows = Math.ceil(count / columns), cell = wide / (columns + rows * .42), lean = cell * .42, flat = cell * .6;
  const pixel = (q) => [left + (q % columns + .5) * cell + (rows - .5 - Math.floor(q / columns)) * lean,
    top + (Math.floor(q / columns) + .5) * flat];
  return { columns, rows, corner: [left + rows * lean, top], cell, lean, flat, pixel, bottom: top + rows * flat,
    pixelAt: (x, y) => nearestOf(count, pixel, x, y, [cell, flat], .75) };
};

// Where units are: the hidden ones in one line, or in several where they are many; the pixels as a picture that lies
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

// Of the edges of one unit only the strongest are drawn, where there are many: how strong those are at least.
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
// All pixels at once: a picture of one dot each, laid down and leant back.
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

// A hidden unit: filled from below up to its probability, with the random number as a line across.
const GAUGES = new Map(), LEVELS = 48;
export const drawGauge = (ink, theme, x, y, r, level, chosen) => {
  const k = Math.round(level * LEVELS), dots = DOTS(), key = [k, r, dots, theme.dark].join(' '), out = r + 1;
  if (!GAUGES.has(key)) {
    if (GAUGES.size > 500) GAUGES.clear();                               // sizes of windows that are no more
    const gauge = new OffscreenCanvas(2 * out * dots, 2 * out * dots), own = gauge.getContext('2d');
    own.scale(dots, dots);
    paintGauge(own, theme, out, out, r, k / LEVELS);
    GAUGES.set(key, gauge);
  }
  ink.drawImage(GAUGES.get(key), x - out, y - out, 2 * out, 2 * out);
  if (!chosen) return;
  Object.assign(ink, { strokeStyle: theme.chosen, lineWidth: 3 });
  ink.beginPath(); ink.arc(x, y, r, 0, 7); ink.stroke();
};
const paintGauge = (ink, theme, x, y, r, level) => {
  ink.beginPath(); ink.arc(x, y, r, 0, 7);
  ink.fillStyle = '#000';
  ink.fill();
  const rise = Math.acos(clamp(1 - 2 * level, -1, 1));
  ink.beginPath(); ink.arc(x, y, r, Math.PI / 2 - rise, Math.PI / 2 + rise);
  ink.fillStyle = '#fff';
  if (level > 0) ink.fill();
  Object.assign(ink, { strokeStyle: theme.soft, lineWidth: 1.2 });
  ink.beginPath(); ink.arc(x, y, r, 0, 7); ink.stroke();
};
export const drawChance = (ink, theme, x, y, r, u, shown) => {
  const at = y + r - 2 * r * u;
  ink.globalAlpha = shown;
  Object.assign(ink, { strokeStyle: theme.lit, lineWidth: r > 12 ? 3 : 2 });
  ink.beginPath(); ink.moveTo(x - r - 2, at); ink.lineTo(x + r + 2, at); ink.stroke();
  ink.globalAlpha = 1;
};

// All hidden units as they are believed to be, or drawn; u : what was drawn for them, to be seen as far as `shown`.
export const drawHidden = (ink, theme, { hidden, radius, step, few }, count, { h, u, shown }, chosen) => {
  for (let j = 0; j < count; j++) {
    const [x, y] = hidden(j);
    drawGauge(ink, theme, x, y, radius, h?.[j] ?? 0, j === chosen);
    if (u && shown > 0) drawChance(ink, theme, x, y, radius, u[j], shown);
    if (few && step > 64) say(ink, theme, nameOfUnit(j), x + radius + 5, y, { colour: theme.soft, size: 12 });
  }
};

// An edge, as wide and as strong as its value, from -1 to 1. Whether it is busy: something goes along it.
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
// What goes along an edge, g of the way; bigger where the weight is.
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

// The weight whose edge is hit: of those of a hidden unit j or, if there is none, of a pixel q.
export const edgeAt = (place, nv, nh, j, q, x, y) => {
  const pairs = j !== undefined ? Array.from({ length: nv }, (_, k) => [k, j])
    : Array.from({ length: nh }, (_, k) => [q, k]);
  const [far, index] = pairs.map(([v, h]) => [farFromEdge(place.pixel(v), place.hidden(h), x, y), v * nh + h])
    .reduce((best, each) => each[0] < best[0] ? each : best, [BESIDE]);
  return far < BESIDE ? { pick: 'w', index } : undefined;
};

// Seconds of each phase: what is folded flies past, and the steps of a chain hurry if they are many.
const FOLD = 3, ABREAST = 6;
export const secondsOf = (phases, durations, steps) => {
  const pace = clamp(ABREAST / phases.filter(({ kind }) => steps.includes(kind)).length, .35, 1);
  return phases.map(({ kind, folded }) => folded ? FOLD : durations[kind] * (steps.includes(kind) ? pace : 1));
};

// A block of a sum: pictures of numbers two in a row, each number written where there is room.
// cells : [name, values or nothing yet, limit]
export const gridsOf = (cells, columns) => {
  const rows = Math.max(...cells.map(([, some]) => some ? Math.ceil(some.length / columns) : 1));
  const sideOf = (width) => Math.min((width - 16) / 2, 180), tall = (width) => 30 + sideOf(width) * rows / columns;
  return {
    height: (width) => Math.ceil(cells.length / 2) * tall(width), text: cells.map(([name]) => name).join(', '),
    draw: (ink, theme, width, y) => cells.forEach(([name, some, limit], k) => {
      const side = sideOf(width), x = (k % 2) * (side + 16), top = y + Math.floor(k / 2) * tall(width);
      const cell = side / columns;
      say(ink, theme, name, x, top + 8, { weight: 600, size: 12, room: side });
      if (!some) return;
      tile(ink, some, columns, x, top + 20, side, signedBy(limit, theme), theme.line);
      if (cell < 38) return;
      const digits = (value) => value && Math.abs(value) < .1 ? 3 : 2;
      some.forEach((value, q) => say(ink, theme, fixed(value, digits(value)),
        x + (q % columns + .5) * cell, top + 20 + (Math.floor(q / columns) + .5) * cell,
        { align: 'center', size: 11, colour: inkOn(value, limit, theme) }));
    }),
  };
};

// How a unit was decided, in words; u : what was drawn for it, if anything was.
export const decided = (field, p, u, name) => {
  const chance = `p = σ(${fixed(field)}) ${isChance(p)}`;
  if (u === undefined) return `${chance}. Here the probability itself counts, and no coin is tossed.`;
  const [lies, is] = u < p ? ['below', 'on'] : ['not below', 'off'];
  return `${chance} and u = ${u.toFixed(3)}: u is ${lies} p, so ${name} is ${is}.`;
};

// A sum whose numbers are not there yet; and one of what came first and of the terms that say most.
export const coming = (title) => ({ title, verdict: 'Its numbers are on their way.', blocks: [] });
export const added = (first, terms, how) =>
  ({ terms: [...first, ...strongest(terms, MOST_TERMS)], result: 'sum', ...how });
