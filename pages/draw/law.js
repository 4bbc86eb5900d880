// The law of a few binary units, as a view of every state gets it: the names and pictures of states, and their places
// on the map.

import { bytesOf } from './elements.js';
import { fixed, gray, tile } from './ink.js';

export const LEVEL_GROUND = 1e-4;                 // nats that count as none: energies come in single precision

export const grayCode = (k) => k ^ (k >> 1);             // one bit changes from each to the next
const fromGray = (code) => { let k = code; for (let rest = code >> 1; rest; rest >>= 1) k ^= rest; return k; };
export const isOn = (state, unit) => (state >> unit) & 1;
export const nats = (x) => fixed(Math.abs(x) < LEVEL_GROUND ? 0 : x);
export const unitsOf = ({ n }) => [...Array(n).keys()];
export const percent = (p) =>
  `${!p ? '0' : p < 1e-6 ? '< 0.0001' : Number((100 * p).toPrecision(p < .1 ? 2 : 3))}\u00a0%`;

export const lawOf = (given) => {
  const { names, texts, columns, log_z: logZ } = given, n = names.length, share = new Float32Array(2 ** n);
  const [F, p, shares] = ['free_energies', 'p', 'share'].map((name) => new Float32Array(bytesOf(given[name]).buffer));
  const there = new Uint16Array(bytesOf(given.there).buffer);
  there.forEach((state, i) => { share[state] = shares[i]; });
  const across = Math.ceil(n / 2), onIn = (state) => unitsOf({ n }).filter((i) => isOn(state, i)).length;
  const even = (state) => Math.abs(2 * onIn(state) - n);
  const data = [...there].sort((one, other) => share[other] - share[one] || even(one) - even(other) || one - other);
  return { n, names, texts, columns, logZ, F, p, share, data, across,
    named: !columns, tiled: columns && columns < n, width: 2 ** across, height: 2 ** (n - across) };
};

// Draw a state as a picture of pixels; for a table, or pixels in one line, as a strip.
export const STRIP = 9;
export const pictureOf = (ink, law, state, x, y, side, frame, known = 2 ** law.n - 1) => {
  const values = unitsOf(law).map((i) => isOn(known, i) ? isOn(state, i) : .5);
  if (law.tiled) return tile(ink, values, law.columns, x, y, side, gray, frame);
  values.forEach((value, i) => {
    ink.fillStyle = gray(value);
    ink.fillRect(x + side * i / law.n, y, side / law.n, STRIP);
  });
  Object.assign(ink, { strokeStyle: frame, lineWidth: 1 });
  ink.strokeRect(x - .5, y - .5, side + 1, STRIP + 1);
};

export const inWords = ({ n, names, texts, columns }, state) => {
  if (!columns) return names.map((name, i) => `${name} ${texts[i][isOn(state, i)]}`).join(', ');
  const on = names.filter((_, i) => isOn(state, i));
  return on.length === n ? 'all on' : on.length ? `on: ${on.join(', ')}` : 'all off';
};

// Place of a state on the map of all, and the state at a place.
export const placeOf = (law, state) => [fromGray(state & (law.width - 1)), fromGray(state >> law.across)];
export const stateAt = (law, x, y) => grayCode(x) | (grayCode(y) << law.across);
