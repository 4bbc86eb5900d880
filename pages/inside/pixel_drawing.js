// What is drawn of why a pixel is on: a function of what was answered, of the iteration, and of what is chosen.

import { put } from '../draw/elements.js';
import { fixed, gray, sharp, sigmoidAt, signedBy, tile, waterfall } from '../draw/ink.js';
import { jointly, pixelTerms, pixelVerdict, placeOf, total } from './pixel_sums.js';
import { COLUMNS, KINDS } from './pixel_texts.js';

const NARROW = matchMedia('(max-width: 760px)');
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

// The sum of a pixel with the sigmoid below it.
const drawSum = (canvas, theme, terms, field, { span, widest }) => {
  const room = roomOf(canvas), row = NARROW.matches ? 40 : 32, names = Math.min(158, room * .46);
  const rows = row * (terms.length + 1), ink = sharp(canvas, room, rows + CURVE.height + 2 * CURVE.gap + 12);
  waterfall(ink, theme, terms, { width: room, row, names, result: 'log-odds', span });
  const at = { x: 24, y: rows + CURVE.gap, width: Math.min(room - 44, 300), height: CURVE.height };
  sigmoidAt(ink, theme, { ...at, field, widest });
  const words = terms.map(({ name, value }) => `${name} ${fixed(value)}`);
  canvas.setAttribute('aria-label', `${words.join(', ')}. log-odds ${fixed(field)}.`);
};

const drawImage = ({ theme, pixel }, canvas, head, t, words) => {
  const side = roomOf(canvas), ink = sharp(canvas, side, side);
  drawPicture(ink, theme, head, t, 1, 1, side - 2);
  frameAt(ink, theme, pixel, 1, 1, side - 2, 3);
  canvas.setAttribute('aria-label', `Restored digit after iteration ${t}. Chosen: ${placeOf(pixel)}. ${words} `
    + 'Arrow keys choose another pixel.');
};
export const drawPane = (lab, pane, k) => {
  const { shown, data, theme } = lab, way = shown.ways[k], head = shown.heads[k], answer = shown.whole[k];
  const t = Math.min(lab.at, head.last), { kind } = data.ways[way];
  const fits = shown.pixel === lab.pixel;                              // else its sum is still on its way
  pane.firstChild.hidden = shown.ways.length === 1;
  put(pane.firstChild, KINDS[kind][0]);
  put(pane.children[1], KINDS[kind][1]);
  const terms = pixelTerms(lab, answer, t), field = total(terms);
  const words = fits ? pixelVerdict(lab, way, answer, t, field) : '';
  drawImage(lab, pane.querySelector('.image'), head, t, words);
  if (!fits) return;
  const ended = shown.ways.length > 1 && t < lab.at ? `, at rest after iteration ${t}` : '';
  const where = placeOf(shown.pixel);
  put(pane.querySelector('.title'), `${where[0].toUpperCase()}${where.slice(1)}: what is added up${ended}`);
  const pictured = terms.map((term) => term.unit === undefined ? term : { ...term, draw: (ink, x, y, side) => {
    const weights = lab.numbers.tileAt(way, term.unit);
    ink.fillStyle = theme.ground;
    ink.fillRect(x, y, side, side);
    if (weights) tile(ink, weights, COLUMNS, x, y, side, signedBy(STRONG, theme), theme.line);
    frameAt(ink, theme, lab.pixel, x, y, side, 1);
  } });
  drawSum(pane.querySelector('.sum canvas'), theme, pictured, field, jointly(shown.whole));
  put(pane.querySelector('.verdict'), words);
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
