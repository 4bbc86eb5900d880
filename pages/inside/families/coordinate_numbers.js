// The parameters of a sweep, biases and then couplings: what each is called, and when its turn is.

import { briefPixel } from '../network.js';

const capital = (text) => text[0].toUpperCase() + text.slice(1);

export const numbersOf = (trace, d) => {
  const name = (j) => trace.shape ? briefPixel(trace, j) : trace.names?.[j] ?? `x${j + 1}`;
  const firstOf = (j) => j * (2 * d - j - 1) / 2;                        // the number of the coupling of j and j + 1
  const pairOf = (index) => {
    let j = 0;
    while (firstOf(j + 1) <= index) j++;
    return [j, index - firstOf(j) + j + 1];
  };
  const numberOf = (j, k) => firstOf(Math.min(j, k)) + Math.abs(j - k) - 1;
  // When a parameter moves: 0, 1, ... as the sweep goes.
  const turnOf = (j, k) => k === undefined ? j : d + numberOf(j, k);
  const turn = (step) => step.j ? turnOf(step.j[0], step.k?.[0]) : -1;
  const symbol = (j, k) => k === undefined ? `b${j + 1}` : d < 10 ? `m${j + 1}${k + 1}` : `m${j + 1},${k + 1}`;
  const called = (j, k) => k === undefined ? `bias of ${name(j)}` : `coupling of ${name(j)} and ${name(k)}`;
  const titleOf = (j, k) => `${capital(called(j, k))}, ${symbol(j, k)}`;
  return { name, pairOf, numberOf, turnOf, turn, symbol, called, titleOf };
};
