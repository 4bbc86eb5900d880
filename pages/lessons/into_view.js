// A part comes into sight: what has just appeared, for the way on lies over the foot of the page, or where a step begins.

import { CALM } from '../draw/elements.js';

export const begin = () => {
  let came;
  return { set({ now, part }) {
    if (!now || now === came) return;
    came = now;
    document.querySelector(`.st-key-${part}`)
      ?.scrollIntoView({ block: 'nearest', behavior: CALM.matches ? 'auto' : 'smooth' });
  } };
};
