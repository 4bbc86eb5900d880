// What the log-odds of a pixel, and of a hidden unit that it hears, add up from; and the same in words.

import { asChance, isChance, sigma, strongest, fixed } from '../draw/ink.js';
import { passes } from './pixel_numbers.js';
import { AFTER, BEFORE, COLUMNS, LEFT } from './pixel_texts.js';

const MOST = 6;                                   // pixels that are listed one by one

export const placeOf = (i) => `row ${Math.floor(i / COLUMNS) + 1}, column ${i % COLUMNS + 1}`;
const squashed = (x) => `sigmoid(${fixed(x)})`;
const near = (x) => Math.abs(x) < .005 ? '0.00' : fixed(x);
export const total = (terms) => terms.reduce((so, { value }) => so + value, 0);

// Of a pixel: its bias, the damaged picture, the strongest hidden units, and all others.
export const pixelTerms = ({ pixel, open, seen }, answer, t) => {
  const terms = [{ name: 'bias', value: answer.bias }];
  if (answer.own !== null) terms.push({ name: `own input: ${seen[pixel] ? 'on' : 'off'}`, value: answer.own });
  if (answer.others !== null) {
    terms.push({ name: answer.own === null ? 'input' : 'other inputs', value: answer.others });
  }
  answer.units[t - 1].forEach((unit, k) => terms.push({ name: `hidden ${unit + 1}`, value: answer.terms[t - 1][k], unit,
    chosen: open === unit }));
  const [[more, less], [plus, minus]] = [answer.many[t - 1], answer.rest[t - 1]];
  return [...terms, { name: `${more} others for`, value: plus }, { name: `${less} others against`, value: minus }];
};
export const pixelVerdict = ({ data, pixel, seen, lost, clean }, way, answer, t, field) => {
  const { kind } = data.ways[way], p = answer.p[t - 1], { kept } = answer;
  const before = t > 1 ? answer.p[t - 2] : answer.start, share = (x) => `${Math.round(100 * x)} %`;
  const chance = ['sum-product', 'mean field'].includes(kind) ? 'P(on)' : 'Belief in on', fresh = squashed(field);
  const words = kept
    ? `${chance} ${isChance(p)}: ${share(kept)} of ${asChance(before)} before, and ${share(1 - kept)} of ${fresh}.`
    : `${chance} = ${fresh} ${isChance(p)}.`;
  const given = lost[pixel] ? `It was lost: the model sees ${seen[pixel] ? 'white' : 'black'} there.`
    : clean && clean[pixel] !== seen[pixel] ? `The damage turned it ${seen[pixel] ? 'on' : 'off'}.` : '';
  return [words, clean ? `In truth it is ${clean[pixel] ? 'on' : 'off'}.` : '', given].filter(Boolean).join(' ');
};
// How far the sums of a pixel reach in all their iterations, and the one that ends farthest from 0.
export const spanOf = (answer) => {
  let low = 0, high = 0, widest = 0;
  answer.p.forEach((_, t) => {
    let at = 0;
    for (const value of [answer.bias, answer.own ?? 0, answer.others ?? 0, ...answer.terms[t], ...answer.rest[t]]) {
      at += value;
      [low, high] = [Math.min(low, at), Math.max(high, at)];
    }
    if (Math.abs(at) > Math.abs(widest)) widest = at;
  });
  return { span: [low, high], widest: Math.abs(widest) };
};

// Of a hidden unit: its bias, the damaged picture, the pixels that it hears most, the strongest first, and all others.
export const unitTerms = (answer, pixel, passed) => {
  const { heard } = answer, some = [...heard.keys()].filter((i) => !(passed && i === pixel) && heard[i])
    .sort((a, b) => Math.abs(heard[b]) - Math.abs(heard[a]));
  const pixels = some.map((i) => ({ name: placeOf(i).replace('column', 'col.'), value: heard[i], pixel: i }));
  const given = answer.inputs === null ? [] : [{ name: 'damaged picture', value: answer.inputs }];
  return [{ name: 'bias', value: answer.bias }, ...given, ...strongest(pixels, MOST)];
};
export const unitVerdict = (answer, pixel, kind, field) => {
  const [weight, cavity, message] = [answer.weights[pixel], field, answer.said[pixel]].map((x) => fixed(x));
  if (!passes(kind)) {
    return `It is on with probability ${asChance(answer.p)}. Times its weight of ${weight} it adds ${message}.`;
  }
  const own = answer.heard[pixel] ? `The pixel's own word, ${near(answer.heard[pixel])}, is left out. ` : '';
  const max = `If the pixel is on, the unit's better value gains max(0, ${weight} ${cavity}), if it is off max(0, ${
    cavity}). So the unit sends it the difference: ${message}.`;
  const weighed = `By this the unit would be on with q = ${squashed(field)} ${isChance(sigma(field))}. Over its `
    + `weight w = ${weight} it sends the pixel ln(1 − q + q·eʷ) = ${message}.`;
  return own + (kind === 'max-product' ? max : weighed);
};
export const iterationWords = (t, last, kind) => `Iteration ${t} of ${last}. ${!passes(kind) ? LEFT : t === 1 ? BEFORE
  : AFTER.replace('{}', t - 1)}`;
