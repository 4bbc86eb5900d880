// Scrolls a part into view: a new one, because the controls cover the foot of the page, or the beginning of a step.

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
