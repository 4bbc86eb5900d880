// What a component calls at each run of the script, with what the script has to say.

import { CSS, HTML } from './constants.js';
import { styled } from './elements.js';

const MOUNTED = new WeakMap();                    // what one component keeps from call to call

export const dress = () => styled('lab-live-style', CSS);

// make(root, base) : begins what is drawn, { set(data, send), end() }
export const drawnBy = (make) => (root, { data, setTriggerValue }, base) => {
  if (!root.isConnected) return;
  dress();
  if (!MOUNTED.has(root)) {
    root.innerHTML = HTML;
    MOUNTED.set(root, make(root, base));
  }
  MOUNTED.get(root).set(data, setTriggerValue);
};
export const leave = (root) => MOUNTED.get(root)?.end();
export const forget = (root) => MOUNTED.delete(root);
