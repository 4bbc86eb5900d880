// What is said to those who listen: how a training stands, what happened to it and what goes wrong, in one live region,
// once each time it becomes another. Updates are not counted aloud.

import { put } from './elements.js';

const SETTLED = 400;                              // ms: a step is over by then

const sayAloud = (live, words) => {
  if (live.aloud === words) return;
  live.aloud = words;
  clearTimeout(live.saying);
  live.saying = setTimeout(() => { live.root.querySelector('.aloud').textContent = words; }, SETTLED);
};

// What Streamlit's own messages say to the owner of a run is not said here, too.
export const sayStanding = (live) => {
  const { missing, shown, data } = live;
  if (missing || !shown) return sayAloud(live, missing ?? '');
  const { aria_text: text, summary, status } = shown.frame, happened = data.mine && status !== 'diverged' ? '' : summary;
  sayAloud(live, [text, happened].filter(Boolean).join(' '));
};

// What is wrong with what is drawn, in sight too; "" where nothing is.
export const lost = (live, text) => {
  const words = live.root.querySelector('.lost');
  put(words, text);
  words.hidden = !text;
  live.missing = text;
  sayStanding(live);
};
