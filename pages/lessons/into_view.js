// A part that has just appeared comes into sight: the way on lies over the foot of the page.

import { CALM } from '../draw/elements.js';

const CAME = new WeakMap();

export const draw = (root, { data }) => {
  if (!root.isConnected || !data.now || CAME.get(root) === data.now) return;
  CAME.set(root, data.now);
  document.querySelector(`.st-key-${data.part}`)
    ?.scrollIntoView({ block: 'nearest', behavior: CALM.matches ? 'auto' : 'smooth' });
};
