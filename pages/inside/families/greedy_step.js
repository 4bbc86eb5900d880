// What a greedy step was: the terms that could be bought, that are there, and the one that was bought, moved or
// dropped, with their words.

import { fixed, unsigned } from '../../frames/ink.js';

export const stepOf = (trace) => {
  const { phases, models, names } = trace, sizes = [...models[0].cardinalities];
  const find = (kind) => phases.find((phase) => phase.kind === kind);
  const offers = find('candidates'), present = find('present'), chosen = find('chosen'), pairs = find('pairs');
  const column = (i) => names?.[i] ?? `x${i + 1}`;
  const digitsOf = (term) => {
    let rest = term;
    return sizes.map((size) => { const digit = rest % size; rest = (rest - digit) / size; return digit; });
  };
  // A term by the columns that it is of; a column of more than two values has several terms.
  const nameOf = (digit, i) => digit ? [column(i) + (sizes[i] > 2 ? `(${digit})` : '')] : [];
  const briefly = (term) => digitsOf(term).flatMap(nameOf).join('·') || '1';
  const called = (term) => digitsOf(term).flatMap(nameOf).join(' · ') || 'the constant 1';
  const capital = (text) => /^(an|both|exactly|not)\b/.test(text) ? text[0].toUpperCase() + text.slice(1) : text;
  const percent = (share) =>
    `${(100 * share).toFixed((share > .1 && share < .9) || share < 1e-9 || share > 1 - 1e-9 ? 0 : 1)}\u00a0%`;
  const nats = (value) => Math.abs(value) < 1e-12 ? '0' : fixed(value, 4);        // less is rounding
  const plain = (value, digits = 4) => unsigned(value, digits);

  // -- what could be done: lines of a list -----------------------------------------------------------------
  // sign : at which the term is what its words say
  const listOf = (phase, more) => (phase?.listed ?? []).map((at, k) => ({ term: phase.term[at], words: phase.cases[k],
    price: phase.price[at], model: phase.dual[at], data: phase.data[at], ...more(at) }));
  const bought = listOf(offers, (at) => ({ gain: offers.gain[at], worth: offers.gain[at] - offers.price[at],
    sign: offers.data[at] < offers.dual[at] ? -1 : 1 }));
  const there = listOf(present, (at) => ({ value: present.value[at], adjusted: present.adjusted[at],
    sign: present.value[at] < 0 ? -1 : 1, moving: -present.adjusting[at], dropping: -present.removing[at],
    kl: [present.kl[at], present.kl[present.term.length + at]] }));
  const appended = chosen && !present?.term.includes(chosen.term[0]);
  const lists = { present: there, candidates: bought, over: bought, chosen: appended ? bought : there, pairs: [] };
  const best = chosen ? Math.max(0, lists.chosen.findIndex(({ term }) => term === chosen.term[0])) : 0;
  const title = { present: 'Terms that are there', candidates: 'Terms that could be bought',
    over: 'Terms that could be bought', pairs: 'The means of terms',
    chosen: appended ? 'Bought' : chosen?.removed[0] ? 'Dropped' : 'Moved' };

  const left = offers.looked[0] + offers.skipped[0];
  const none = { title: 'Nothing to look at', blocks: [],
    short: left ? 'No term can earn its price.' : 'No further term may come.',
    verdict: left ? 'The bound alone shows that no term is worth its price.' : 'No further term may come.' };
  return {
    phases, offers, column, digitsOf, briefly, called, capital, percent, nats, plain, bought, there, appended, lists,
    best, title, none, chosen, pairs, sizes,
  };
};
