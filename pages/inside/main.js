// Entry points of the component; `set` gets its data at each run of the script.

import { mirrorPicture } from '../draw/mirror.js';
import { HTML, playTrace } from './player.js';
import { headOf, traceFrom } from './trace.js';

const complain = (root, text) => {
  if (!root.querySelector('.lost')) root.innerHTML = HTML;
  Object.assign(root.querySelector('.lost'), { textContent: text, hidden: !text });
};

const load = async (root, kept) => {
  const turn = kept.turn += 1;
  try {
    const unlessLate = (act) => (text) => { if (turn === kept.turn) act(text); };
    const trace = await traceFrom(kept.data.of, kept.row, unlessLate(() => load(root, kept)),
      unlessLate((text) => complain(root, text)), kept.data.head);
    kept.drawing = trace.drawing;
    const { view } = await import(`./families/${trace.drawing}.js`);
    if (turn !== kept.turn || !root.isConnected) return;                 // a newer request has begun since
    kept.row = trace.row;
    const same = kept.family === trace.family;                           // a next stage may have other picks
    const chosen = (same ? kept.player?.lab.chosen : undefined) ?? kept.data.choose;
    kept.family = trace.family;
    const formulas = root.querySelector('.formula')?.open ?? kept.data.formulas;
    const speed = root.querySelector('.speed')?.value, held = document.activeElement;
    const [name] = root.contains(held) ? held.classList : [];
    kept.player?.stop();
    const change = (row) => { kept.row = row; load(root, kept); };
    const publish = (state) => { kept.state = state; kept.mirror?.publish({ row: kept.row, ...state }); };
    kept.player = playTrace(root, trace, view, change, publish);
    root.style.minHeight = 0;
    root.querySelector('.formula').open = formulas;
    root.querySelector('.formula summary').hidden = kept.data.formulas;
    kept.player.lab.home = kept.data.choose;
    if (chosen) kept.player.lab.choose(chosen);
    if (speed) root.querySelector('.speed').value = speed;
    if (name) root.querySelector(`.${name}`)?.focus({ preventScroll: true });
    if (kept.data.state) kept.player.follow(kept.data.state);
    kept.mirror?.end();
    kept.mirror = mirrorPicture(`inside ${kept.data.of}`, (state) => {
      if (state.row === kept.row) kept.player.follow(state); else change(state.row);
    });
  } catch (error) {
    if (turn === kept.turn) complain(root, error.message);
  }
};

export const begin = (root) => {
  const kept = { turn: 0 };
  const set = (data) => {
    const key = JSON.stringify([data.of, data.version, data.row]);
    if (kept.key === key) { kept.player?.resize(); return; }              // the theme may be another one
    kept.row ??= data.row;
    Object.assign(kept, { data, key });
    load(root, kept);
  };
  const end = () => {
    kept.turn += 1;                               // loads in progress are not drawn
    kept.mirror?.end();
    kept.player?.stop();
  };
  const saved = async () => {
    if (!kept.player) throw new Error('Nothing is drawn yet.');
    const head = { ...await headOf(kept.data.of, kept.row, undefined, '1'), rows: 1 };  // others need a server
    const state = kept.state && { ...kept.state, playing: false };
    const also = [new URL(`./families/${kept.drawing}.js`, import.meta.url).href];
    return { data: { ...kept.data, of: '', row: kept.row, head, state }, also };
  };
  return { set, saved, end };
};
