// What is drawn of why a pixel is on: a function of what was answered, of the iteration, and of what is chosen.

import { put } from '../draw/elements.js';
import { fixed, gray, largest, sharp, sigmoidAt, signedBy, tile, waterfall } from '../draw/ink.js';
import { passes } from './pixel_numbers.js';
import { pixelTerms, pixelVerdict, placeOf, spanOf, total, unitTerms, unitVerdict } from './pixel_sums.js';
import { CAVITY, COLUMNS, KINDS, MEAN } from './pixel_texts.js';

const NARROW = matchMedia('(max-width: 760px)');
export const HEARS = 'What it hears';
const CURVE = { height: 100, gap: 14 }, STRONG = 127;   // of a weight's strength, either way

const frameAt = (ink, theme, i, x, y, side, thick) => {
  const cell = side / COLUMNS, [left, top] = [x + (i % COLUMNS) * cell, y + Math.floor(i / COLUMNS) * cell];
  for (const [colour, width] of [['#fff', thick + 2], [theme.dark ? '#1D4ED8' : theme.chosen, thick]]) {
    Object.assign(ink, { strokeStyle: colour, lineWidth: width });
    ink.strokeRect(left - thick / 2, top - thick / 2, cell + thick, cell + thick);
  }
};
// How wide a canvas is, asked once: the answer costs a layout of the whole page.
const roomOf = (canvas) => canvas.room ||= canvas.clientWidth;

// The picture after iteration t.
const drawPicture = (ink, theme, head, t, x, y, side) => {
  const colour = (level) => `rgb(${head.colours.subarray(3 * level, 3 * level + 3).join()})`;
  tile(ink, head.frames[t - 1], COLUMNS, x, y, side, Object.assign(colour, { key: 'levels' }), theme.line);
};

// A sum with the sigmoid below it; returns the height of a row.
const drawSum = (canvas, theme, terms, result, field, { curve = true, span = [0, 0], widest = field } = {}) => {
  const room = roomOf(canvas), row = NARROW.matches ? 40 : 32, names = Math.min(158, room * .46);
  const rows = row * (terms.length + 1), below = curve ? CURVE.height + 2 * CURVE.gap + 12 : 4;
  const ink = sharp(canvas, room, rows + below);
  waterfall(ink, theme, terms, { width: room, row, names, result, span });
  const at = { x: 24, y: rows + CURVE.gap, width: Math.min(room - 44, 300), height: CURVE.height };
  if (curve) sigmoidAt(ink, theme, { ...at, field, widest });
  const words = terms.map(({ name, value }) => `${name} ${fixed(value)}`);
  canvas.setAttribute('aria-label', `${words.join(', ')}. ${result} ${fixed(field)}.`);
  return row;
};

const drawImage = ({ theme, pixel }, canvas, head, t, words) => {
  const side = roomOf(canvas), ink = sharp(canvas, side, side);
  drawPicture(ink, theme, head, t, 1, 1, side - 2);
  frameAt(ink, theme, pixel, 1, 1, side - 2, 3);
  canvas.setAttribute('aria-label', `Restored digit after iteration ${t}. Chosen: ${placeOf(pixel)}. ${words} `
    + 'Arrow keys choose another pixel.');
};
const larger = (drawn) => `calc(${drawn}px * var(--lab-larger, 1))`;
// Where the buttons of a sum are that open its hidden units; what each opens it keeps as `opens`.
const placeButtons = (pane, terms, row) => {
  const units = [...terms.entries()].filter(([, { unit }]) => unit !== undefined);
  pane.querySelectorAll('.rows button').forEach((button, b) => {
    button.hidden = b >= units.length;
    if (button.hidden) return;
    const [i, { unit, value, chosen }] = units[b];
    Object.assign(button.style, { top: larger(i * row), height: larger(row) });
    Object.assign(button, { ariaLabel: `Hidden unit ${unit + 1} says ${fixed(value)}: open it`,
      ariaExpanded: String(chosen), opens: chosen ? undefined : unit });
  });
};
export const drawPane = (lab, pane) => {
  const { shown, data, theme } = lab, { way, head, answer } = shown;
  const t = Math.min(lab.at, head.last), { kind } = data.ways[way];
  const fits = shown.pixel === lab.pixel;                              // else its sum is still on its way
  put(pane.firstChild, KINDS[kind][1]);
  const terms = pixelTerms(lab, answer, t), field = total(terms);
  const words = fits ? pixelVerdict(lab, way, answer, t, field) : '';
  drawImage(lab, pane.querySelector('.image'), head, t, words);
  if (!fits) return;
  const where = placeOf(shown.pixel);
  put(pane.querySelector('.title'), `${where[0].toUpperCase()}${where.slice(1)}: what is added up`);
  const pictured = terms.map((term) => term.unit === undefined ? term : { ...term, draw: (ink, x, y, side) => {
    const weights = lab.numbers.tileAt(way, term.unit);
    ink.fillStyle = theme.ground;
    ink.fillRect(x, y, side, side);
    if (weights) tile(ink, weights, COLUMNS, x, y, side, signedBy(STRONG, theme), theme.line);
    frameAt(ink, theme, lab.pixel, x, y, side, 1);
  } });
  const canvas = pane.querySelector('.rows canvas');
  const row = drawSum(canvas, theme, pictured, 'log-odds', field, spanOf(answer));
  put(pane.querySelector('.verdict'), words);
  placeButtons(pane, terms, row);
};
export const drawSmall = ({ root, theme, pixel, seen, clean }) => {
  for (const [name, values] of [['seen', seen], ['clean', clean]]) {
    const canvas = root.querySelector(`.small .${name}`);
    if (!canvas) continue;
    const side = roomOf(canvas) || 84, ink = sharp(canvas, side, side);
    tile(ink, values, COLUMNS, 1, 1, side - 2, gray, theme.line);
    frameAt(ink, theme, pixel, 1, 1, side - 2, 1.5);
  }
};

// The hidden unit that is opened: its weights, what it hears and says, and its sum.
export const drawOpened = ({ root, data, theme, pixel, open, shown }) => {
  const opened = root.querySelector('.opened'), find = (name) => opened.querySelector(name);
  const { unit, head, way } = shown;
  opened.hidden = open === undefined;
  if (opened.hidden || unit?.index !== open) return;
  const { answer, index, at } = unit, { kind } = data.ways[way], passed = passes(kind), limit = largest(answer.weights);
  put(find('h3'), `Hidden unit ${index + 1}, iteration ${at}`);
  const other = find('.other');
  other.max = head.hidden;
  if (other !== document.activeElement) other.value = index + 1;       // somebody may be typing
  put(find('.about'), passed ? CAVITY : MEAN);
  put(find('.scale'), `Blue for on, red for off. One scale in all three: full colour is ±${
    limit.toFixed(2)}, its largest weight; nothing it says or hears over a weight is stronger than it.`);
  [answer.weights, answer.heard, answer.said].forEach((values, k) => {
    const canvas = opened.querySelectorAll('.tiles canvas')[k], side = roomOf(canvas), ink = sharp(canvas, side, side);
    tile(ink, values, COLUMNS, 1, 1, side - 2, signedBy(limit, theme), theme.line);
    frameAt(ink, theme, pixel, 1, 1, side - 2, 2);
  });
  const terms = unitTerms(answer, pixel, passed), field = total(terms), hears = terms.some((term) => 'pixel' in term);
  put(opened.querySelectorAll('figcaption')[1], hears ? HEARS : `${HEARS}: nothing yet`);
  put(find('.title'), passed ? `What it hears, without ${placeOf(pixel)}` : 'What it hears');
  const pictured = terms.map((term) => term.pixel === undefined ? term : { ...term, draw: (ink, x, y, side) => {
    drawPicture(ink, theme, head, Math.max(1, at - 1), x, y, side);
    frameAt(ink, theme, term.pixel, x, y, side, 1);
  } });
  const curve = kind !== 'max-product';
  drawSum(find('canvas.sum'), theme, pictured, passed ? 'cavity' : 'log-odds', field, { curve });
  put(find('.verdict'), unitVerdict(answer, pixel, kind, field));
};
