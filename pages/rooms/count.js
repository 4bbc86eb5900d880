// A room as it changes, outside the script: numbers of phones and answers; the teacher's actions in pictures, for the
// projector; and a run of the script if the teacher has changed something on another page.
import { BASE, put } from '../draw/elements.js';
import { setReporter, take } from '../draw/mirror.js';

const EVERY = 100;                                // ms between two polls, each of which waits for a change
const APART = 50;                                 // ms between two reports of the teacher's actions
const FITS = 150;                                 // ms between two checks that all is in view
const STALLED = 15_000;                           // ms until a request without an answer is given up
const LOST = 2_500;                               // ms until a server that was away is polled again
const AGAIN = 5_000;                              // ms until a run of the script is requested once more

const words = ({ phones, round, answers, closed, demonstration, seconds }, minutes) => {
  const joined = `${phones} ${phones === 1 ? 'phone' : 'phones'} joined`;
  const used = minutes ? ` · ${Math.floor(seconds / 60)} of ${minutes} min` : '';
  if (!round || demonstration) return joined + used;
  return `${joined}, ${answers} answered${closed ? ' (closed)' : ''}${used}`;
};

// The teacher's page waits for a second sight: a click's own run of the script draws the change a moment later.
const follow = (it, turn) => {
  const now = performance.now(), seen = it.seen === turn || !it.steers;
  it.seen = turn;
  if (turn === it.turn || !seen || (it.asked === turn && now < it.askedAt + AGAIN)) return;
  Object.assign(it, { asked: turn, askedAt: now });
  it.send('moved', String(turn));
};

// The projector view shrinks until all of it is in view, because no one scrolls it.
const fit = (it) => {
  const page = document.querySelector('.st-key-question, .st-key-class-folded'), { style } = document.documentElement;
  const over = (page?.getBoundingClientRect().bottom ?? 0) / innerHeight, at = `${it.turn} ${innerWidth} ${innerHeight}`;
  if (it.fitted !== at) Object.assign(it, { fitted: at, fit: 1 });
  else if (over > 1) it.fit = Math.max(.5, it.fit / Math.min(over, 1.1));
  style.setProperty('--fit', it.fit);
};

const look = async (root, it) => {
  let later = EVERY;
  if (!document.hidden) {
    try {
      const { room, key, since } = it, asked = { headers: { 'X-Key': key }, cache: 'no-store',
        signal: AbortSignal.timeout?.(STALLED) };
      const again = it.seen !== it.turn && it.steers;              // its turn must be seen twice
      const query = again ? '' : `?since=${encodeURIComponent(since ?? '')}`;
      const found = await fetch(`${BASE}/join/${room}/count${query}`, asked);
      later = 1000 * found.headers.get('Retry-After') || EVERY;
      const ours = found.ok || found.headers.get('content-type')?.startsWith('text/plain');
      if (!ours) throw new Error(found.status);                    // a proxy's own page
      const standing = found.ok ? await found.json() : null, text = standing ? words(standing, it.minutes) : await found.text();
      if (it.room === room && !it.over) {
        put(root, text);
        if (standing) {
          it.standing = standing;
          it.since = standing.since;
          if (!it.steers) take(standing.pictures);
          follow(it, standing.turn);
        }
        else if ([404, 410].includes(found.status)) { it.send('moved', 'over'); it.gone = room; }
      }
    } catch { later = LOST; }
  }
  if (!it.over && it.gone !== it.room) it.timer = setTimeout(look, later, root, it);
};

// Report actions in a picture at once, but no faster than the server answers: the newest state of each goes next.
const send = async (it) => {
  it.sending = true;
  while (it.waiting.size && !it.over) {
    const [[name, state]] = it.waiting;
    it.waiting.delete(name);
    const headers = { 'X-Key': it.key, 'Content-Type': 'application/json' }, body = JSON.stringify({ name, state });
    await fetch(`${BASE}/join/${it.room}/picture`, { method: 'POST', headers, body,
      signal: AbortSignal.timeout?.(STALLED) }).catch(() => {});
    await new Promise((done) => { setTimeout(done, APART); });
  }
  it.sending = false;
};

export const begin = (root) => {
  const it = { waiting: new Map() };
  const set = ({ room, key, turn, steers, minutes }, trigger) => {
    const before = it.room;
    Object.assign(it, { room, key, turn, steers, minutes, send: trigger });
    setReporter(steers ? (name, state) => { it.waiting.set(name, state); if (!it.sending) send(it); } : undefined);
    if (!steers) it.fits ??= setInterval(fit, FITS, it);
    if (before === room) {
      if (it.standing && !it.gone) put(root, words(it.standing, minutes));  // of the current item
      return;
    }
    clearTimeout(it.timer);
    look(root, it);
  };
  return { set, end: () => { it.over = true; clearTimeout(it.timer); clearInterval(it.fits); setReporter(undefined); } };
};
