// What the server is asked for of why a pixel is on. Answers are kept for as long as the question is the same, weights
// for as long as the component is there.

import { fetchWithRoom } from '../stream/asking.js';
import { BASE, bytesOf } from '../draw/elements.js';
import { COLUMNS } from './pixel_texts.js';

const ANSWERS = 400, TILES = 48;                  // answers that are kept; tiles that are asked for at once

export const passes = (kind) => kind !== 'mean field';
export const wayOf = ({ ways }, model, kind) => ways.findIndex((way) => way.model === model && way.kind === kind);
export const bits = (text) => {
  const packed = bytesOf(text);
  return Uint8Array.from({ length: COLUMNS * COLUMNS }, (_, i) => packed[i >> 3] >> (7 - (i & 7)) & 1);
};

export const numbersOf = (lab) => {
  const tiles = new Map();
  let answers = new Map();
  const get = (path) => {
    const kept = answers;
    if (!kept.has(path)) {
      const coming = fetchWithRoom(`${BASE}/why/${lab.data.why}/${path}`).then((answer) => {
        if (!answer.ok || !answer.headers.get('content-type').includes('json')) throw new Error(answer.status);
        return answer.json();
      });
      coming.catch(() => kept.delete(path));
      kept.set(path, coming);
      if (kept.size > ANSWERS) kept.delete(kept.keys().next().value);
    }
    return kept.get(path);
  };
  const pixel = (way, i) => get(`${way}/pixel/${i}`);
  const head = (way) => get(String(way)).then((found) => {
    if (found.frames) return found;
    const drawn = bytesOf(found.pictures), many = COLUMNS * COLUMNS;
    found.frames = Array.from({ length: found.last }, (_, t) => drawn.subarray(t * many, (t + 1) * many));
    found.colours = bytesOf(found.colours);
    return found;
  });
  // The weights of hidden units as small pictures; whether any of them are new.
  const fetchTiles = async (way, units) => {
    const { model } = lab.data.ways[way], wanted = [...new Set(units)].filter((j) => !tiles.has(`${model} ${j}`));
    for (let k = 0; k < wanted.length; k += TILES) {
      const found = await get(`${way}/weights/${wanted.slice(k, k + TILES).join('-')}`);
      for (const [j, text] of Object.entries(found)) {
        tiles.set(`${model} ${j}`, new Int8Array(bytesOf(text).buffer));
      }
    }
    return wanted.length > 0;
  };
  const tileAt = (way, j) => tiles.get(`${lab.data.ways[way].model} ${j}`);
  return { pixel, head, fetchTiles, tileAt, forget: () => { answers = new Map(); } };
};
