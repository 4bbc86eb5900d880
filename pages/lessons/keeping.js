// What was said in lessons, kept on this machine where somebody wants it: in the browser's own storage.

import { PLACE } from './constants.js';
import { made } from '../frames/elements.js';
import { dress as dressFrames } from '../frames/mount.js';

const KEEP = 'Keep my progress on this machine', BLOCKED = 'This browser keeps nothing for this page.';
const ASKED = new WeakSet();                      // roots that have told what was kept

// Storage may be forbidden, or full: then there is none.
const storage = (act) => {
  try {
    return act(localStorage);
  } catch {
    return undefined;
  }
};
const kept = () => storage((place) => place.getItem(PLACE)) ?? null;
const put = (said) => storage((place) => { place.setItem(PLACE, JSON.stringify(said)); return true; });
const read = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return null;                                  // it was written by something else
  }
};

export const draw = (root, { data, setStateValue }) => {
  if (!root.isConnected) return;
  dressFrames();
  const known = kept();
  if (known !== null && data.taken) put(data.said);
  else if (known !== null && !ASKED.has(root)) {
    ASKED.add(root);
    setStateValue('kept', { said: read(known) });
  }
  if (!data.control) return root.replaceChildren();
  const box = root.querySelector('input') ?? made('input', '', { type: 'checkbox' });     // in place: it has the focus
  const told = root.querySelector('small') ?? made('small', '', { role: 'status' });
  box.checked = known !== null;
  box.onchange = () => {
    if (!box.checked) storage((place) => place.removeItem(PLACE));
    else if (put(data.said)) setStateValue('kept', { said: data.said });
    else [box.checked, told.textContent] = [false, BLOCKED];
  };
  if (!box.isConnected) root.replaceChildren(made('label', '', {}, box, KEEP), told);
};
