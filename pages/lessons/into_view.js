// A part that has just appeared comes into sight: the way on lies over the foot of the page.

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
