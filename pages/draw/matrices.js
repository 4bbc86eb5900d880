// All parameters as matrices: in the diagonal each column's own, one for each of its values but one; off the diagonal
// those of pairs of columns. Own parameters come first, then pairs, by columns and then by values.

import { gray, inkOn, say, signedBy, tile, fixed } from './ink.js';
import { frameCell, scaleOf } from './plots.js';

export const HEAD = 36;                           // pixels of the words above a picture

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

// Draw the parameters and let one be chosen: lab.chosen is { pick: 'p', index }.
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
  // limit : of the scale of signed numbers; none for shares, from 0 black to 1 white
  const draw = (ink, theme, { x, y, wide }, { name, values, limit, chosen }) => {
    const cell = wide / side, top = y + HEAD;
    say(ink, theme, name, x, y + 8, { weight: 600, size: 12, room: wide });
    const cells = cellsOf(values);
    say(ink, theme, limit ? scaleOf(limit) : '0 to 1', x, y + 24, { size: 11, colour: theme.soft, room: wide });
    const [colour, frame] = limit ? [signedBy(limit, theme), theme.line] : [gray, theme.soft];
    tile(ink, cells, side, x, top, wide, colour, frame);
    Object.assign(ink, { strokeStyle: theme.soft, lineWidth: 1 });         // the diagonal: the columns' own
    own.forEach((_, n) => {
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
  const hit = ({ x, y, wide }, mx, my) => {
    const cell = wide / side, r = Math.floor((my - y - HEAD) / cell), c = Math.floor((mx - x) / cell);
    const index = c >= 0 && c < side && r >= 0 ? termAt.get(r * side + c) : undefined;
    return index === undefined ? undefined : { pick: 'p', index };
  };
  return { terms, side, cellsOf, draw, hit };
};
