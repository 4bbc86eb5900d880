// The equilibrium indicator: a symbol, a word that opens its explanation, and a sentence; equal texts stay in place.

import { explainBy, made, put } from './elements.js';

const SYMBOLS = { good: '\u25cf', bad: '\u25b2', unsure: '\u25c6', dark: '\u25cb' };
const TITLE = 'Chains';

export const drawLight = (host, light) => {
  host.hidden = !light;
  if (!light) return;
  const { kind, word, sentence, about, when } = light;
  if (!host.firstChild) {
    host.append(made('span', 'symbol', { ariaHidden: true }), made('button', 'term', { type: 'button' }),
      made('span', 'sentence'), made('small', ''));
  }
  const [symbol, named, says, age] = host.children;
  host.dataset.kind = kind;
  const texts = [[symbol, SYMBOLS[kind]], [named, `${TITLE}: ${word}`], [says, ` ${sentence}`], [age, ` ${when}`]];
  for (const [place, text] of texts) put(place, text);
  explainBy(named, `${TITLE}: ${word}`, `${sentence} ${about}`);
};
