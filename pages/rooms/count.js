// How many have joined a room and answered, counted again and again past the script; and the script's run where the
// teacher has changed something on another page.
import { put } from '../draw/elements.js';
import { EVERY } from './constants.js';

const AGAIN = 5_000;                              // ms after which a run of the script is asked for once more
const watched = new WeakMap();

const words = ({ phones, round, answers, closed }) => {
  const joined = `${phones} ${phones === 1 ? 'phone has' : 'phones have'} joined`;
  if (!round) return joined;
  return `${joined}, ${answers} ${answers === 1 ? 'has' : 'have'} answered${closed ? '; closed' : ''}`;
};

// Seen twice: the run that a click has asked for draws it anyhow, a moment later.
const follow = (it, turn) => {
  const now = performance.now(), seen = it.seen === turn;
  it.seen = turn;
  if (turn === it.turn || !seen || (it.asked === turn && now < it.askedAt + AGAIN)) return;
  Object.assign(it, { asked: turn, askedAt: now });
  it.send('moved', String(turn));
};

const look = async (root) => {
  const it = watched.get(root);
  if (!it || !root.isConnected) { watched.delete(root); return; }
  let later = EVERY;
  if (!document.hidden) {
    try {
      const asked = { headers: { 'X-Key': it.key }, cache: 'no-store' };
      const found = await fetch(`${it.base}/join/${it.room}/count`, asked);
      const ours = found.ok || found.headers.get('content-type')?.startsWith('text/plain');
      if (!ours) throw new Error(found.status);                    // a proxy's own page
      const standing = found.ok ? await found.json() : null, text = standing ? words(standing) : await found.text();
      if (watched.get(root) === it) {
        put(root, text);
        if (standing) follow(it, standing.turn);
        else if ([404, 410].includes(found.status)) { it.send('moved', 'over'); return; }
      }
    } catch { later = 10 * EVERY; }                                // the server is away; it may come back
  }
  it.timer = setTimeout(look, later, root);
};

export const draw = (root, { data: { room, key, turn }, setTriggerValue: send }, base) => {
  const now = watched.get(root);
  if (now?.room === room) { Object.assign(now, { base, key, turn, send }); return; }
  clearTimeout(now?.timer);
  watched.set(root, { base, room, key, turn, send });
  look(root);
};

export const leave = (root) => {
  clearTimeout(watched.get(root)?.timer);
  watched.delete(root);
};
