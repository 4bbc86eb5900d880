// How many have joined a room and answered, counted again and again past the script; and the script's run where the
// teacher has changed something on another page.
import { BASE, put } from '../draw/elements.js';

const EVERY = 250;                                // ms between two counts
const AGAIN = 5_000;                              // ms after which a run of the script is asked for once more

const words = ({ phones, round, answers, closed }) => {
  const joined = `${phones} ${phones === 1 ? 'phone' : 'phones'} joined`;
  if (!round) return joined;
  return `${joined}, ${answers} answered${closed ? ' (closed)' : ''}`;
};

// Seen twice: the run that a click has asked for draws it anyhow, a moment later.
const follow = (it, turn) => {
  const now = performance.now(), seen = it.seen === turn;
  it.seen = turn;
  if (turn === it.turn || !seen || (it.asked === turn && now < it.askedAt + AGAIN)) return;
  Object.assign(it, { asked: turn, askedAt: now });
  it.send('moved', String(turn));
};

const look = async (root, it) => {
  let later = EVERY;
  if (!document.hidden) {
    try {
      const { room, key } = it, asked = { headers: { 'X-Key': key }, cache: 'no-store' };
      const found = await fetch(`${BASE}/join/${room}/count`, asked);
      const ours = found.ok || found.headers.get('content-type')?.startsWith('text/plain');
      if (!ours) throw new Error(found.status);                    // a proxy's own page
      const standing = found.ok ? await found.json() : null, text = standing ? words(standing) : await found.text();
      if (it.room === room && !it.over) {
        put(root, text);
        if (standing) follow(it, standing.turn);
        else if ([404, 410].includes(found.status)) { it.send('moved', 'over'); it.gone = room; }
      }
    } catch { later = 10 * EVERY; }                                // the server is away; it may come back
  }
  if (!it.over && it.gone !== it.room) it.timer = setTimeout(look, later, root, it);
};

export const begin = (root) => {
  const it = {};
  const set = ({ room, key, turn }, send) => {
    const before = it.room;
    Object.assign(it, { room, key, turn, send });
    if (before === room) return;
    clearTimeout(it.timer);
    look(root, it);
  };
  return { set, end: () => { it.over = true; clearTimeout(it.timer); } };
};
