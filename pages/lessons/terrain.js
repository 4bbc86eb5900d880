// A landscape in a lesson: actions are reported, and mirrored on a projector.

import { made } from '../draw/elements.js';
import { mirrorPicture } from '../draw/mirror.js';
import { drawTerrain, leaveTerrain, seenOf, showTerrain } from '../draw/terrain.js';

const OFTEN = 200;                                // ms between two frames of a movement that a projector gets

export const begin = (root) => {
  let of, kept, mirror, send, sent = 0;
  const end = () => { mirror?.end(); if (kept) leaveTerrain(kept.host); };
  const publish = () => { sent = performance.now(); mirror.publish(seenOf(kept)); };
  return { end, set(data, _send, keep) {
    send = keep;
    if (of === data.of) return;
    end();
    of = data.of;
    root.replaceChildren(made('div', 'terrain'));
    kept = drawTerrain(root.firstChild, data);
    kept.moved = () => { if (performance.now() - sent > OFTEN) publish(); };
    kept.done = () => { publish(); send('did', { of, ...seenOf(kept) }); };
    mirror = mirrorPicture(`terrain ${of}`, (seen) => showTerrain(kept, seen));
  } };
};
