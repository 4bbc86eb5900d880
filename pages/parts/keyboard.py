"""What a page owes to those who work it by keyboard: a first stop that leads to its heart, and focus that is not lost
with the button that had it.
"""

from collections.abc import Sequence

import streamlit as st

# Streamlit's own first stop, a link to the main part of the page, comes after this one.
_keyboard = st.components.v2.component(
    "lab_keyboard",
    html="<span hidden></span>",
    css="""
.st-key-keyboard { display: none; }
.lab-skip { position: absolute; top: 0; left: 0; z-index: 1000001; padding: .75rem 1rem; transform: translateY(-110%);
  color: light-dark(#FFFFFF, #14171B); background: light-dark(#1D4ED8, #93C5FD); }
.lab-skip:focus { transform: none; outline: 3px solid light-dark(#14171B, #FFFFFF); outline-offset: -6px; }
""",
    js="""
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

// Focus that its button has lost goes to the same button where that comes back, else to the nearest one.
const keepFocus = (keys, signal) => {
  let seat, keyboard = false, held = false, since;
  const on = (type, act) => addEventListener(type, act, { signal, capture: true });
  // Streamlit draws a button twice, for screens narrow and wide
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
  const lost = () => seat && keyboard && document.hasFocus() && (!seat.button.isConnected || seat.button.disabled)
    && [document.body, seat.button].includes(document.activeElement);
  return () => {
    if (!lost()) { since = undefined; return; }
    since ??= performance.now();
    const away = (i) => Math.abs(i - seat.at) + (i > seat.at) / 2;
    const there = buttons(seat.key).map((button, i) => ({ button, i })).filter(({ button }) => !button.disabled)
      .sort((one, other) => away(one.i) - away(other.i)).map(({ button }) => button);
    const same = there.find((button) => button.innerText === seat.name);
    if (!same && (held || performance.now() - since < BACK_SOON)) return;
    (same ?? there[0] ?? keys.map(part).map(firstStop).find(Boolean))?.focus({ focusVisible: true });
  };
};

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector('span'), app = document.querySelector('[data-testid="stAppViewContainer"]');
  if (!root.ends) {
    const ending = new AbortController(), link = skipLink(data), keep = keepFocus(data.keeps, ending.signal);
    app?.prepend(link);
    const minded = setInterval(() => root.isConnected ? keep() : root.ends(), EVERY);
    root.ends = () => { clearInterval(minded); ending.abort(); link.remove(); };
  }
  return () => { if (!root.isConnected) root.ends(); };
}
""",
    isolate_styles=False,
)


def serve(skip: str, to: Sequence[str], *, keeps: Sequence[str] = ()) -> None:
    """The page's own first stop of Tab, and its buttons that keep the focus.

    skip : what the first stop says
    to : keys of parts of the page: it leads to the first control of the first part there is
    keeps : keys of the parts where focus is kept when its button is disabled, or goes; a part that comes to have none
        leaves it to the first that has
    """
    _keyboard(key="keyboard", data={"skip": skip, "to": list(to), "keeps": list(keeps)})
