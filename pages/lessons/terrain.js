// A landscape in a lesson: what is done with it is reported, and mirrored on a projector.

import { made } from '../draw/elements.js';
import { mirrored } from '../draw/mirror.js';
import { drawTerrain, leaveTerrain, seenOf, showTerrain } from '../draw/terrain.js';

const SELDOM = 1_000;                             // ms between two reports of what moves

export const begin = (root) => {
  let of, kept, mirror, send, told = 0;
  const end = () => { mirror?.end(); if (kept) leaveTerrain(kept.host); };
  const tell = () => {
    const seen = seenOf(kept);
    told = performance.now();
    mirror.publish(seen);
    send('did', { of, ...seen });
  };
  return { end, set(data, _send, keep) {
    send = keep;
    if (of === data.of) return;
    end();
    of = data.of;
    root.replaceChildren(made('div', 'terrain'));
    kept = drawTerrain(root.firstChild, data);
    Object.assign(kept, { done: tell, moved: () => { if (performance.now() - told > SELDOM) tell(); } });
    mirror = mirrored(`terrain ${of}`, (seen) => showTerrain(kept, seen));
  } };
};
