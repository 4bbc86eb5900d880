// How many have joined a room and answered, counted again and again past the script.
import { EVERY } from './constants.js';

const watched = new WeakMap();

const words = ({ phones, round, answers, closed }) => {
  const joined = `${phones} ${phones === 1 ? 'phone has' : 'phones have'} joined`;
  if (!round) return joined;
  return `${joined}, ${answers} ${answers === 1 ? 'has' : 'have'} answered${closed ? '; closed' : ''}`;
};

const look = async (root) => {
  const it = watched.get(root);
  if (!it || !root.isConnected) { watched.delete(root); return; }
  let later = EVERY;
  if (!document.hidden) {
    try {
      const asked = { headers: { 'X-Key': it.key }, cache: 'no-store' };
      const found = await fetch(`${it.base}/join/${it.room}/count`, asked);
      const text = found.ok ? words(await found.json()) : await found.text();
      if (watched.get(root) === it && root.textContent !== text) root.textContent = text;
      if (found.status === 404) return;
    } catch { later = 10 * EVERY; }                                // the server is away; it may come back
  }
  it.timer = setTimeout(look, later, root);
};

export const draw = (root, { data }, base) => {
  const now = watched.get(root);
  if (now?.room === data.room) { Object.assign(now, { base, key: data.key }); return; }
  clearTimeout(now?.timer);
  watched.set(root, { base, room: data.room, key: data.key });
  look(root);
};

export const leave = (root) => {
  clearTimeout(watched.get(root)?.timer);
  watched.delete(root);
};
