// A wait: polled outside the script, which runs once the wait is over.

import { BASE, made, styled } from '../draw/elements.js';

await styled(new URL('./waiting.css', import.meta.url));
const EVERY = 500;                                // ms

export const begin = (root, { sentence }) => {
  let asking;                                     // the visible seconds count on, and are not read out each time
  const [seen, spoken] = ['sentence', 'unseen'].map((name) => made('p', name, { textContent: sentence }));
  spoken.role = 'status';
  root.replaceChildren(seen, spoken);
  const set = ({ piece }, send) => {
    clearInterval(asking);
    asking = setInterval(async () => {
      const waited = await fetch(`${BASE}/ready/${piece}`, { cache: 'no-store' })
        .then((answer) => answer.json()).catch(() => undefined);
      if (!waited) return;
      if (waited.sentence) { seen.textContent = waited.sentence; return; }
      clearInterval(asking);
      send('ready', true);
    }, EVERY);
  };
  return { set, end: () => clearInterval(asking) };
};
