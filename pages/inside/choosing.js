// The choice of what a step shows: its names in words, its controls, keys, and blocks of its sum.

import { made, put } from '../draw/elements.js';
import { clamp, fixed, inkOn, isChance, say, signedBy, strongest, tile } from '../draw/ink.js';

export const MOST_TERMS = 9;                             // of a sum that have their own rows

export const nameOfPixel = ({ shape, names }, i) =>
  shape ? `row ${Math.floor(i / shape[1]) + 1}, column ${i % shape[1] + 1}` : names?.[i] ?? `column ${i + 1}`;
export const briefPixel = ({ shape, names }, i) =>
  shape ? `r${Math.floor(i / shape[1]) + 1} c${i % shape[1] + 1}` : names?.[i] ?? `v${i + 1}`;

// Choose an index by several numbers.
//   parts : [what is counted, how many there are] of each number; the last number runs fastest
//   split(index) => the numbers from 0 on; join(numbers) => the index, undefined if there is none
export const inParts = (...parts) => ({
  parts,
  split: (index) => parts.reduceRight(([rest, ...numbers], [, size]) =>
    [Math.floor(rest / size), rest % size, ...numbers], [index]).slice(1),
  join: (numbers) => numbers.reduce((index, number, k) => index * parts[k][1] + number, 0),
});
// Numbers of a visible unit: row and column of a pixel.
export const partsOfPixel = ({ shape }, nv, of = '') => shape
  ? [[`${of}row`, shape[0]], [`${of}column`, shape[1]]] : [[`${of}column`, nv]];

// Controls that choose what is shown by kind and number.
// picks : [pick, name, how many there are, (index) => its name in words, () => the first one,
//   the numbers that choose it, as `inParts`; without them one number counts all]
// lab.home : the subject of an example, to which a button leads back
export const lookAt = (lab, picks) => {
  const kind = made('select', '', { ariaLabel: 'Look at' },
    ...picks.map(([pick, name]) => made('option', '', { value: pick, textContent: name })));
  const which = made('span', 'which'), numbers = made('span', 'numbers'), home = made('button', 'home',
    { type: 'button', hidden: true, textContent: 'Back to the question', onclick: () => lab.choose(lab.home) });
  let fields = [], drawnFor;
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
    const index = Math.min(lab.chosen.index, found[2] - 1), words = found[3](index);   // units may be gone
    if (drawnFor !== found) { build(found); drawnFor = found; }
    kind.value = pick;
    fill(index, document.activeElement);
    put(which, words);
    home.hidden = !lab.home || (lab.home.pick === pick && lab.home.index === index);
  };
  const line = made('div', 'look-at', {}, made('span', '', { textContent: 'Look at' }), kind, numbers, which, home);
  return { line, show };
};

// Choose by arrow keys.
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

// Index of the value that is furthest from 0; the values may be undefined.
export const furthest = (values = [0]) => values.reduce((best, value, k) =>
  Math.abs(value) > Math.abs(values[best]) ? k : best, 0);

// Seconds of each phase: folded ones fly past, and the steps of a chain hurry if there are many.
const FOLD = 3, ABREAST = 6;
export const secondsOf = (phases, durations, steps) => {
  const pace = clamp(ABREAST / phases.filter(({ kind }) => steps.includes(kind)).length, .35, 1);
  return phases.map(({ kind, folded }) => folded ? FOLD : durations[kind] * (steps.includes(kind) ? pace : 1));
};

// A block of a sum: pictures of numbers two in a row, each number written if there is room.
// cells : [name, values or undefined, limit]
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

// Explain how a unit was decided; u : its random number, if any.
export const explainUnit = (field, p, u, name) => {
  const chance = `p = σ(${fixed(field)}) ${isChance(p)}`;
  if (u === undefined) return `${chance}. The probability itself is used; nothing is drawn.`;
  const [lies, is] = u < p ? ['below', 'on'] : ['not below', 'off'];
  return `${chance} and u = ${u.toFixed(3)}: u is ${lies} p, so ${name} is ${is}.`;
};

// A sum that is still loading; and one of the first terms and the largest of the others.
export const loadingSum = (title) => ({ title, verdict: 'Loading …', blocks: [] });
export const added = (first, terms, how) =>
  ({ terms: [...first, ...strongest(terms, MOST_TERMS)], result: 'sum', ...how });
