// The law of a few units that are off or on, as a view of every state gets it: what each state's -F adds up from, how
// the state is called and drawn, and where it stands on the map.

import { bytesOf } from './elements.js';
import { gray, largest, sigma, signed, strongest, tile, fixed } from './ink.js';

export const LEVEL_GROUND = 1e-4;                 // nats that are as good as none: energies come in single precision
const MOST_TERMS = 12;                            // rows of a sum

export const grayCode = (k) => k ^ (k >> 1);             // one bit changes from each to the next
const fromGray = (code) => { let k = code; for (let rest = code >> 1; rest; rest >>= 1) k ^= rest; return k; };
export const isOn = (state, unit) => (state >> unit) & 1;
const softplus = (x) => x > 30 ? x : -Math.log(sigma(-x));
export const nats = (x) => fixed(Math.abs(x) < LEVEL_GROUND ? 0 : x);
export const unitsOf = ({ n }) => [...Array(n).keys()];
export const percent = (p) =>
  !p ? '0 %' : p < 1e-6 ? '< 0.0001 %' : `${Number((100 * p).toPrecision(p < .1 ? 2 : 3))} %`;

export const lawOf = (given) => {
  const { names, texts, columns, log_z: logZ } = given, n = names.length, share = new Float32Array(2 ** n);
  const [F, p, shares, b, theta, units, counts] = ['free_energies', 'p', 'share', 'b', 'theta', 'units', 'counts']
    .map((name) => new Float32Array(bytesOf(given[name]).buffer));
  const [there, parts] = ['there', 'parts'].map((name) => new Uint16Array(bytesOf(given[name]).buffer));
  there.forEach((state, i) => { share[state] = shares[i]; });
  const across = Math.ceil(n / 2), onIn = (state) => unitsOf({ n }).filter((i) => isOn(state, i)).length;
  const even = (state) => Math.abs(2 * onIn(state) - n);
  const data = [...there].sort((one, other) => share[other] - share[one] || even(one) - even(other) || one - other);
  const weights = Array.from(counts, (_, j) => units.subarray(j * (n + 1), (j + 1) * (n + 1)));
  return { n, names, texts, columns, logZ, F, p, share, data, b, theta, parts, weights, counts, across,
    named: !columns, tiled: columns && columns < n, width: 2 ** across, height: 2 ** (n - across) };
};

// A number for each unit as a picture of pixels; of a table, or of pixels in one line, as a strip.
export const STRIP = 9;
const picture = (ink, law, values, x, y, side, colour, frame, strip = STRIP) => {
  if (law.tiled) return tile(ink, values, law.columns, x, y, side, colour, frame);
  values.forEach((value, i) => {
    ink.fillStyle = colour(value);
    ink.fillRect(x + side * i / law.n, y, side / law.n, strip);
  });
  Object.assign(ink, { strokeStyle: frame, lineWidth: 1 });
  ink.strokeRect(x - .5, y - .5, side + 1, strip + 1);
};
export const pictureOf = (ink, law, state, x, y, side, frame, known = 2 ** law.n - 1) => picture(ink, law,
  unitsOf(law).map((i) => isOn(known, i) ? isOn(state, i) : .5), x, y, side, gray, frame);

// What -F of a state adds up from: biases of units that are on, terms of units together, hidden units.
export const fieldOf = (law, unit, state) => {
  let sum = unit[law.n];
  for (let i = 0; i < law.n; i++) if (isOn(state, i)) sum += unit[i];
  return sum;
};
const ofPart = (law, k, state) => {
  let off = law.parts[k] & ~state, sign = 1;
  for (; off; off &= off - 1) sign = -sign;
  return sign * law.theta[k];
};
const ofBiases = (law, state) => law.b.reduce((sum, b, i) => sum + (isOn(state, i) ? b : 0), 0);
export const termsOf = (law, state, theme) => {
  const { names, theta, parts, weights, counts, n } = law, many = unitsOf(law).filter((i) => isOn(state, i)).length;
  const limit = largest(...weights.map((unit) => unit.subarray(0, n)));
  const terms = theta.length && !weights.length ? []
    : [{ name: `biases, ${many} on`, value: ofBiases(law, state) }];
  theta.forEach((_, k) => terms.push({ value: ofPart(law, k, state),
    name: names.filter((_, i) => isOn(parts[k], i)).join(' · ') }));
  weights.forEach((unit, j) => {
    const field = fieldOf(law, unit, state), often = counts[j] === 1 ? '' : ` × ${Number(counts[j].toPrecision(3))}`;
    terms.push({ name: `h${j + 1}${often}, field ${fixed(field)}`, value: counts[j] * softplus(field), unit: j,
      draw: (ink, x, y, room) => picture(ink, law, unit.subarray(0, n), x, y + (law.tiled ? 0 : 4), room,
        (w) => signed(w, limit, theme), theme.line, room - 8) });
  });
  return strongest(terms, MOST_TERMS, 'more');
};

export const inWords = ({ n, names, texts, columns }, state) => {
  if (!columns) return names.map((name, i) => `${name} ${texts[i][isOn(state, i)]}`).join(', ');
  const on = names.filter((_, i) => isOn(state, i));
  return on.length === n ? 'all on' : on.length ? `on: ${on.join(', ')}` : 'all off';
};

// Where a state stands on the map of all, and the state at a place.
export const placeOf = (law, state) => [fromGray(state & (law.width - 1)), fromGray(state >> law.across)];
export const stateAt = (law, x, y) => grayCode(x) | (grayCode(y) << law.across);
