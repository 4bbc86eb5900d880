// A run that is watched, as a component calls it.

import { drawnBy } from '../frames/mount.js';
import { watchRun } from './run.js';

export const draw = drawnBy(watchRun);
export { leave } from '../frames/mount.js';
