// What the component calls: at each run of the script, with what is to be looked into.

import { styled } from '../draw/elements.js';
import { CSS, HTML } from './constants.js';
import { playTrace } from './player.js';
import { traceFrom } from './trace.js';

const KEPT = new WeakMap();

const complain = (root, text) => {
  if (!root.querySelector('.lost')) root.innerHTML = HTML;
  Object.assign(root.querySelector('.lost'), { textContent: text, hidden: !text });
};

const load = async (root, kept, base) => {
  const turn = kept.turn += 1;
  try {
    const unlessLate = (act) => (text) => { if (turn === kept.turn) act(text); };
    const trace = await traceFrom(base, kept.data.of, kept.row, unlessLate(() => load(root, kept, base)),
      unlessLate((text) => complain(root, text)));
    const { view } = await import(`./families/${trace.drawing}.js`);
    if (turn !== kept.turn || !root.isConnected) return;                 // something newer has been asked for since
    kept.row = trace.row;
    const same = kept.family === trace.family;                           // a next stage may have other picks
    const chosen = (same ? kept.player?.lab.chosen : undefined) ?? kept.data.choose;
    kept.family = trace.family;
    const formulas = root.querySelector('.formula')?.open ?? kept.data.formulas;
    const speed = root.querySelector('.speed')?.value, held = document.activeElement;
    const [name] = root.contains(held) ? held.classList : [];
    kept.player?.stop();
    const change = (row) => { kept.row = row; load(root, kept, base); };
    kept.player = playTrace(root, trace, view, change);
    root.style.minHeight = 0;
    root.querySelector('.formula').open = formulas;
    root.querySelector('.formula summary').hidden = kept.data.formulas;
    kept.player.lab.home = kept.data.choose;
    if (chosen) kept.player.lab.choose(chosen);
    if (speed) root.querySelector('.speed').value = speed;
    if (name) root.querySelector(`.${name}`)?.focus({ preventScroll: true });
  } catch (error) {
    if (turn === kept.turn) complain(root, error.message);
  }
};

export const draw = (root, { data }, base) => {
  if (!root.isConnected) return;
  styled('lab-inside-style', CSS);
  if (!KEPT.has(root)) KEPT.set(root, { turn: 0, row: data.row });
  const kept = KEPT.get(root), key = JSON.stringify([data.of, data.version, data.row]);
  if (kept.key === key) { kept.player?.resize(); return; }                // the theme may be another one
  Object.assign(kept, { data, key });
  load(root, kept, base);
};

export const leave = (root) => {
  const kept = KEPT.get(root);
  if (!kept) return;
  kept.turn += 1;                                 // what is still on its way is not drawn
  kept.player?.stop();
  KEPT.delete(root);
};
