// Fetches all that draws a run before there is one, so that its first curve waits for nothing.

import { practise } from '../frames/chart.js';
import { PLOTLY } from '../frames/constants.js';

export { leave } from './main.js';                  // and with it the modules that draw
export const draw = (root, given, base) => { practise(base + PLOTLY).catch(() => {}); };
