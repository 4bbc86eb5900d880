// Keyboard access: a first Tab stop that skips to a page's main part, and focus that survives its button's removal.

import { styled } from '../draw/elements.js';

await styled(new URL('./keyboard.css', import.meta.url));
const EVERY = 100, BACK_SOON = 150;               // ms; Step is disabled for a moment while it works
const STOPS = 'a[href], button:enabled, input:enabled, select:enabled, summary, [tabindex="0"]';
const part = (key) => document.querySelector(`.st-key-${key}`);
const firstStop = (root) => {
  for (const each of root?.querySelectorAll('*') ?? []) {
    if (each.matches(STOPS) && each.checkVisibility()) return each;
    const inner = each.shadowRoot && firstStop(each.shadowRoot);
    if (inner) return inner;
  }
};
const skipLink = ({ skip, to }) => {
  const link = document.createElement('a');
  Object.assign(link, { className: 'lab-skip', href: '#stMain', textContent: skip });
  link.onclick = (event) => {
    event.preventDefault();
    to.map(part).map(firstStop).find(Boolean)?.focus();
  };
  return link;
};

// Focus lost with its button returns to the same button when that comes back, else to the nearest one.
const keepFocus = (keys, signal) => {
  let seat, keyboard = false, held = false, since;
  const on = (type, act) => addEventListener(type, act, { signal, capture: true });
  // Streamlit draws a button twice, for narrow and for wide screens
  const buttons = (key) => [...part(key)?.querySelectorAll('button') ?? []].filter((each) => each.checkVisibility());
  on('keydown', () => { keyboard = held = true; });
  on('keyup', () => { held = false; });
  on('pointerdown', () => { keyboard = false; });
  on('focusin', ({ target }) => {
    const key = keys.find((each) => part(each)?.contains(target));
    seat = key && target.matches('button') && { key, button: target, name: target.innerText,
      at: buttons(key).indexOf(target) };
    since = undefined;
  });
  const isLost = () => seat && keyboard && document.hasFocus() && (!seat.button.isConnected || seat.button.disabled)
    && [document.body, seat.button].includes(document.activeElement);
  return () => {
    if (!isLost()) { since = undefined; return; }
    since ??= performance.now();
    const distance = (i) => Math.abs(i - seat.at) + (i > seat.at) / 2;
    const there = buttons(seat.key).map((button, i) => ({ button, i })).filter(({ button }) => !button.disabled)
      .sort((one, other) => distance(one.i) - distance(other.i)).map(({ button }) => button);
    const same = there.find((button) => button.innerText === seat.name);
    if (!same && (held || performance.now() - since < BACK_SOON)) return;
    (same ?? there[0] ?? keys.map(part).map(firstStop).find(Boolean))?.focus({ focusVisible: true });
  };
};

export const begin = (_root, data) => {
  const ending = new AbortController(), link = skipLink(data), keep = keepFocus(data.keeps, ending.signal);
  document.querySelector('[data-testid="stAppViewContainer"]')?.prepend(link);
  const minded = setInterval(() => {
    keep();
    document.querySelector('[data-testid="stExpandSidebarButton"]')?.setAttribute('aria-label', 'Menu');  // as it shows
  }, EVERY);
  return { set() {}, end() { clearInterval(minded); ending.abort(); link.remove(); } };
};
