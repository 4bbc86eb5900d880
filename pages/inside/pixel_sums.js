// What the log-odds of a pixel add up from; and the same in words.

import { asChance, isChance, fixed } from '../draw/ink.js';
import { passes } from './pixel_numbers.js';
import { AFTER, BEFORE, COLUMNS, LEFT } from './pixel_texts.js';

export const placeOf = (i) => `row ${Math.floor(i / COLUMNS) + 1}, column ${i % COLUMNS + 1}`;
const squashed = (x) => `sigmoid(${fixed(x)})`;
export const total = (terms) => terms.reduce((so, { value }) => so + value, 0);

// Of a pixel: its bias, the damaged picture, the strongest hidden units, and all others.
export const pixelTerms = ({ pixel, seen }, answer, t) => {
  const terms = [{ name: 'bias', value: answer.bias }];
  if (answer.own !== null) terms.push({ name: `own input: ${seen[pixel] ? 'on' : 'off'}`, value: answer.own });
  if (answer.others !== null) {
    terms.push({ name: answer.own === null ? 'input' : 'other inputs', value: answer.others });
  }
  answer.units[t - 1].forEach((unit, k) => terms.push({ name: `hidden ${unit + 1}`, value: answer.terms[t - 1][k],
    unit }));
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
const spanOf = (answer) => {
  if (answer.span) return answer.span;
  let low = 0, high = 0, widest = 0;
  answer.p.forEach((_, t) => {
    let at = 0;
    for (const value of [answer.bias, answer.own ?? 0, answer.others ?? 0, ...answer.terms[t], ...answer.rest[t]]) {
      at += value;
      [low, high] = [Math.min(low, at), Math.max(high, at)];
    }
    if (Math.abs(at) > Math.abs(widest)) widest = at;
  });
  return answer.span = { low, high, widest };
};
export const jointly = (answers) => {
  const spans = answers.map(spanOf), ends = spans.map(({ widest }) => Math.abs(widest));
  return { span: [Math.min(...spans.map(({ low }) => low)), Math.max(...spans.map(({ high }) => high))],
    widest: Math.max(...ends) };
};
export const iterationWords = (t, last, kind) => `Iteration ${t} of ${last}. ${!passes(kind) ? LEFT : t === 1 ? BEFORE
  : AFTER.replace('{}', t - 1)}`;
