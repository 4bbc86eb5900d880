// Screen reader messages: the status of a training, what happened to it and errors, in one live region, once for each
// change. Updates are not counted aloud.

import { put } from './elements.js';

const SETTLED = 400;                              // ms: a step is over by then

const sayAloud = (live, words) => {
  if (live.aloud === words) return;
  live.aloud = words;
  clearTimeout(live.saying);
  live.saying = setTimeout(() => { live.root.querySelector('.aloud').textContent = words; }, SETTLED);
};

// Streamlit's own messages to the owner of a run are not repeated here.
export const sayStanding = (live) => {
  const { missing, shown, data } = live;
  if (missing || !shown) return sayAloud(live, missing ?? '');
  const { aria_text: text, summary, status } = shown.frame, happened = data.mine && status !== 'diverged' ? '' : summary;
  sayAloud(live, [text, happened].filter(Boolean).join(' '));
};

// Show and announce an error of the drawing; "" removes it.
export const lost = (live, text) => {
  const words = live.root.querySelector('.lost');
  put(words, text);
  words.hidden = !text;
  live.missing = text;
  sayStanding(live);
};
