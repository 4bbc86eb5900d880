// Films, as a component calls it.

import { playFilm } from './film.js';
import { drawnBy } from './mount.js';

export const draw = drawnBy(playFilm);
export { leave } from './mount.js';
