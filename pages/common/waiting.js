// What is waited for, asked for again and again past the script, which runs once it is there.

import { BASE, made, styled } from '../draw/elements.js';

await styled(new URL('./waiting.css', import.meta.url));
const EVERY = 500;                                // ms

export const begin = (root, { sentence }) => {
  let asking;                                     // the seconds go on in sight, and are not read out each time
  const [seen, spoken] = ['sentence', 'spoken'].map((name) => made('p', name, { textContent: sentence }));
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
