// All parameters as matrices beside each other: each column's own in the diagonal, one for each of its values but one,
// those of two columns where these meet; first the own ones, then pairs, by columns and then by values.

import { clamp, inkOn, say, fixed } from '../frames/ink.js';
import { emptyPlace, frameCell, inGrays, inSigns, scaleOf } from './plots.js';

const SOME_NAMES = 14;                            // columns whose names stand beside the matrix
const TITLED = 18;                                // pixels of a cell from which on its column's name stands above it

const placesOf = (sizes, titled) => {
  const own = sizes.flatMap((size, column) => Array.from({ length: size }, (_, value) => ({ column,
    name: titled(column) + (size > 1 ? ` ${value + 1}` : '') })));
  const terms = own.map(({ name }, k) => ({ name, cells: [[k, k]] })), begins = sizes.map((_, column) =>
    own.findIndex((each) => each.column === column));
  for (let one = 0; one < sizes.length; one++) for (let other = one + 1; other < sizes.length; other++) {
    for (let a = 0; a < sizes[one]; a++) for (let b = 0; b < sizes[other]; b++) {
      const [k, l] = [begins[one] + a, begins[other] + b];
      terms.push({ name: `${own[k].name} and ${own[l].name}`, cells: [[k, l], [l, k]] });
    }
  }
  return { own, terms };
};

// What draws them, and what chooses a parameter in them: lab.chosen is { pick: 'p', index }.
export const matricesOf = (sizes, titled) => {
  const { own, terms } = placesOf(sizes, titled), side = own.length, matrices = new WeakMap();
  const termAt = new Map(terms.flatMap(({ cells }, n) => cells.map(([r, c]) => [r * side + c, n])));
  const cellsOf = (values) => {
    if (!matrices.has(values)) {
      const cells = new Float64Array(side * side);
      termAt.forEach((n, cell) => { cells[cell] = values[n]; });
      matrices.set(values, cells);
    }
    return matrices.get(values);
  };
  // Two, below `head` pixels.
  const layout = (width, head = 0) => {
    const left = side <= SOME_NAMES ? clamp(width * .08, 28, 60) : 0, gap = 16, top = head + (left ? 60 : 44);
    const wide = Math.min((width - left - gap - 4) / 2, 300);
    return { left, head, top, wide, xs: [left + 1, left + 1 + wide + gap], below: top + wide };
  };
  const drawNames = (ink, theme, { left, top, wide }) => {
    if (left) own.forEach(({ name }, k) => say(ink, theme, name, left - 6, top + (k + .5) * wide / side,
      { size: 11, colour: theme.soft, align: 'right', room: left - 6 }));
  };
  // limit : of the scale, of numbers with a sign; none of shares, from 0 black to 1 white
  const draw = (ink, theme, { left, head, top, wide, xs }, k, { name, values, limit, chosen }) => {
    const x = xs[k], cell = wide / side, soft = { size: 11, colour: theme.soft };
    say(ink, theme, name, x, head + 10, { weight: 600, size: 13, room: wide });
    if (!values) { emptyPlace(ink, theme, x, top, wide, wide); return; }
    const cells = cellsOf(values);
    say(ink, theme, limit ? scaleOf(limit) : '0 to 1', x, head + 28, { ...soft, room: wide });
    if (limit) inSigns(ink, theme, cells, side, x, top, wide, limit);
    else inGrays(ink, theme, cells, side, x, top, wide);
    Object.assign(ink, { strokeStyle: theme.soft, lineWidth: 1 });         // the diagonal: the columns' own
    own.forEach((each, n) => {
      const name = { ...soft, align: 'center', room: cell };
      if (left && cell > TITLED) say(ink, theme, each.name, x + (n + .5) * cell, top - 9, name);
      if (cell > 10) ink.strokeRect(x + n * cell + .5, top + n * cell + .5, cell - 1, cell - 1);
    });
    if (chosen !== undefined) {
      terms[chosen].cells.forEach(([r, c]) => frameCell(ink, theme, side, x, top, wide, r * side + c));
    }
    if (cell < 40) return;
    const onGray = (value) => value > .5 ? '#000' : '#fff';
    cells.forEach((value, n) => say(ink, theme, fixed(value), x + (n % side + .5) * cell,
      top + (Math.floor(n / side) + .5) * cell,
      { size: 11, align: 'center', colour: limit ? inkOn(value, limit, theme) : onGray(value) }));
  };
  const hit = ({ top, wide, xs }, x, y) => {
    const cell = wide / side, left = xs.find((from) => x >= from && x < from + wide);
    const r = Math.floor((y - top) / cell), c = Math.floor((x - left) / cell), index = termAt.get(r * side + c);
    return left !== undefined && r >= 0 && index !== undefined ? { pick: 'p', index, cell: [r, c] } : undefined;
  };
  // The parameter beside the chosen one, past empty places; none at the edge, and undefined of any other key.
  const beside = ({ index, cell }, key) => {
    const by = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[key];
    if (!by) return undefined;
    const inside = (k) => k >= 0 && k < side;
    let [r, c] = cell ?? terms[index].cells[0];
    do { r += by[0]; c += by[1]; } while (inside(r) && inside(c) && !termAt.has(r * side + c));
    return inside(r) && inside(c) ? { pick: 'p', index: termAt.get(r * side + c), cell: [r, c] } : null;
  };
  return { terms, side, cellsOf, layout, drawNames, draw, hit, beside };
};
