"""A pad to draw on, or to rub out on, with mouse, finger or keyboard. It sends Python strokes, and Python draws
them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from boltzcore.data.strokes import PENS, POINTS, SIDE, Stroke, plain_strokes, strokes_from
from boltzcore.plotting import palette
from pages.common.words import plain
from pages.web.encoding import data_uri

HTML = """
<div class="pad">
  <canvas class="ink" tabindex="0" role="application" aria-describedby="keys"></canvas>
  <div class="row">
    <button class="undo" type="button">Undo</button>
    <button class="clear" type="button">Clear</button>
    <span class="pens" role="group" aria-label="Width of the pen"></span>
  </div>
  <details class="given"><summary></summary><span class="presets" role="group"></span></details>
  <p class="hint" id="keys"><span class="draw"></span> <span class="keys"></span></p>
  <p class="said" role="status"></p>
</div>
"""

CSS = """
.pad { max-width: 360px; margin: 0 auto 0 0; color: var(--st-text-color); font-family: var(--st-font); }
.ink { display: block; box-sizing: border-box; width: 100%; aspect-ratio: 1; background: #000;
  border: 1px solid var(--st-border-color); touch-action: none; cursor: crosshair; }
.ink:focus { outline: none; }
.ink:focus-visible { outline: 3px solid var(--st-primary-color); outline-offset: 2px; }
.row { display: flex; flex-wrap: wrap; align-items: center; gap: .4rem; margin-top: .5rem; }
[hidden] { display: none !important; }
.pens { display: flex; gap: .25rem; margin-left: auto; }
button { font: inherit; font-size: .9rem; min-height: 36px; min-width: 36px; padding: 0 .7rem; color: inherit;
  cursor: pointer; background: var(--st-background-color); border: 1px solid var(--st-border-color);
  border-radius: var(--st-button-radius); }
button:hover { border-color: var(--st-primary-color); }
button:focus-visible { outline: 3px solid var(--st-primary-color); outline-offset: -1px; }
.pens button { display: grid; place-items: center; padding: 0; }
.pens i { display: block; border-radius: 50%; background: currentColor; }
.pens button[aria-pressed="true"] { background: var(--st-text-color); color: var(--st-background-color); }
summary { font-size: .85rem; line-height: 24px; margin-top: .25rem; cursor: pointer; }
summary:focus-visible { outline: 3px solid var(--st-primary-color); outline-offset: -1px; }
.presets { display: grid; grid-template-columns: repeat(10, 1fr); gap: 2px; width: 100%; }
.presets button { padding: 0; min-width: 24px; min-height: 32px; }
.hint { font-size: .8rem; line-height: 1.35; margin: .5rem 0 0; opacity: .8; }
.said { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); margin: 0;
  white-space: nowrap; }
@media (max-width: 640px) { .ink { max-width: max(200px, 34vh); } }  /* what comes of a stroke is in sight above */
@media (pointer: coarse) {
  button { min-height: 44px; min-width: 44px; }
  .presets { grid-template-columns: repeat(5, 1fr); }
  .presets button { min-height: 44px; }
  summary { line-height: 44px; margin: 0; }
  .hint .keys { display: none; }
}
"""

JS = """
const KEPT = new WeakMap();                       // what one pad keeps from call to call
// finer than the pad's units; units between points; ms after the last key
const SHARP = 2, APART = 2, WAIT = 250;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const make = (name, settings) => Object.assign(document.createElement(name), settings);
export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector('.pad');
  const canvas = root.querySelector('.ink'), said = root.querySelector('.said');
  const first = !KEPT.has(root);
  const kept = first
    ? { strokes: [], now: null, at: [data.side / 2, data.side / 2], keys: false, pen: data.pen }
    : KEPT.get(root);
  KEPT.set(root, kept);
  kept.data = data; kept.set = setStateValue;
  const paint = () => {
    const { side } = kept.data, ink = canvas.getContext('2d');
    ink.setTransform(SHARP, 0, 0, SHARP, 0, 0);
    ink.fillStyle = '#000'; ink.fillRect(0, 0, side, side);
    ink.imageSmoothingEnabled = false;
    if (kept.ground?.complete) ink.drawImage(kept.ground, 0, 0, side, side);
    (kept.data.boxed ? box : lines)(ink);
    if (kept.keys) {                              // the pen of the keyboard: a ring, filled while it is down
      ink.lineWidth = 2; ink.strokeStyle = '#fff'; ink.fillStyle = '#808080'; ink.beginPath();
      ink.arc(kept.at[0], kept.at[1], Math.max(kept.pen / 2, 6), 0, 7); if (kept.down) ink.fill(); ink.stroke();
      ink.strokeStyle = '#000'; ink.lineWidth = 1; ink.stroke();
    }
    root.dataset.strokes = kept.strokes.length;
  };
  const lines = (ink) => {
    ink.strokeStyle = hatch(ink) ?? kept.data.colour; ink.lineCap = ink.lineJoin = 'round';
    for (const { width, points } of kept.strokes) {
      ink.lineWidth = width; ink.beginPath(); ink.moveTo(points[0], points[1]);
      for (let i = 0; i < points.length; i += 2) ink.lineTo(points[i], points[i + 1] + (points.length === 2 ? .01 : 0));
      ink.stroke();
    }
  };
  const box = (ink) => {                          // what lies outside is dimmed
    if (!kept.strokes.length) return;
    const { side } = kept.data, [x, y, across = x, down = y] = kept.strokes.at(-1).points;
    ink.fillStyle = '#000a'; ink.beginPath();
    ink.rect(0, 0, side, side); ink.rect(x, y, across - x, down - y);
    ink.fill('evenodd');
    ink.lineWidth = 2; ink.strokeStyle = '#fff'; ink.strokeRect(x, y, across - x, down - y);
  };
  const hatch = (ink) => {                        // stripes from the lower left to the upper right
    if (!kept.data.hatch.length) return null;
    const tile = make('canvas', { width: 10, height: 10 }), at = tile.getContext('2d');
    const [ground, stripe] = kept.data.hatch;
    at.fillStyle = ground; at.fillRect(0, 0, 10, 10);
    at.fillStyle = stripe;
    for (let y = 0; y < 10; y++) for (let x = 0; x < 10; x++) if ((x + y) % 10 < 5) at.fillRect(x, y, 1, 1);
    return ink.createPattern(tile, 'repeat');
  };
  const send = () => {
    clearTimeout(kept.timer); kept.timer = 0;
    kept.set('drawn', { rev: kept.data.rev, strokes: kept.strokes });
  };
  const soon = () => { clearTimeout(kept.timer); kept.timer = setTimeout(send, WAIT); };
  const room = () => kept.strokes.reduce((count, { points }) => count + points.length / 2, 0) < kept.data.points;
  const put = (stroke, x, y) => {
    const inside = (value) => Math.round(Math.min(Math.max(value, 0), kept.data.side));
    const points = stroke.points, n = points.length;
    [x, y] = [inside(x), inside(y)];
    if (n && Math.hypot(x - points[n - 2], y - points[n - 1]) < APART) return;
    if (kept.data.boxed) points.length = Math.min(n, 2);                 // one corner, and the one across
    if (room()) points.push(x, y);
  };
  const begin = (x, y) => {
    if (!room()) return;
    if (kept.data.boxed) kept.strokes = [];
    kept.now = { width: kept.pen, points: [] };
    put(kept.now, x, y);
    kept.strokes.push(kept.now);
  };
  const lift = () => { kept.now = null; kept.down = false; };
  const replace = (strokes) => { lift(); kept.strokes = structuredClone(strokes); paint(); send(); };
  const place = (event) => {
    const box = canvas.getBoundingClientRect(), scale = kept.data.side / box.width;
    return [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
  };

  if (first) {
    canvas.width = canvas.height = data.side * SHARP;
    data.pens.forEach(([name, width], i) => {
      const button = make('button', { type: 'button', title: name });
      button.setAttribute('aria-label', name);
      button.append(make('i', { style: `width:${4 + 5 * i}px;height:${4 + 5 * i}px` }));
      button.onclick = () => { kept.pen = width; press(); paint(); };
      button.dataset.width = width;
      root.querySelector('.pens').append(button);
    });
    root.querySelector('.pens').hidden = data.pens.length < 2;
    canvas.onpointerdown = (event) => {
      if (event.button || !event.isPrimary) return;
      event.preventDefault(); canvas.focus({ preventScroll: true, focusVisible: false });
      try { canvas.setPointerCapture(event.pointerId); } catch { /* a pointer that is gone already */ }
      kept.keys = false; lift(); begin(...place(event)); paint();
    };
    canvas.onpointermove = (event) => {
      if (!kept.now || kept.keys || !event.isPrimary) return;
      const all = event.getCoalescedEvents?.() ?? [];
      for (const each of all.length ? all : [event]) put(kept.now, ...place(each));
      paint();
    };
    canvas.onpointerup = canvas.onpointercancel = (event) => {
      if (kept.now && !kept.keys && event.isPrimary) { lift(); send(); }
    };
    canvas.onblur = () => { if (kept.keys) { kept.keys = false; lift(); paint(); } };
    canvas.onkeydown = (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const arrow = ARROWS[event.key];
      if (arrow) {
        const step = kept.data.side / (event.shiftKey ? 7 : 28);
        kept.at = kept.at.map((value, i) => Math.min(Math.max(value + step * arrow[i], 0), kept.data.side));
        if (kept.down && kept.now) { put(kept.now, ...kept.at); soon(); }
      } else if (event.key === ' ') {
        if (kept.down) lift(); else { kept.down = true; begin(...kept.at); soon(); }
        said.textContent = kept.down ? 'Pen down' : 'Pen up';
      } else if (event.key === 'Backspace') { undo(); said.textContent = 'Last stroke taken back'; }
      else if (event.key === 'Delete') { replace([]); said.textContent = 'Cleared'; }
      else return;
      event.preventDefault(); kept.keys = true; paint();
    };
    root.querySelector('.undo').onclick = () => undo();
    root.querySelector('.clear').onclick = () => replace([]);
  }
  const undo = () => replace(kept.strokes.slice(0, -1));
  const press = () => root.querySelectorAll('.pens button').forEach((each) => {
    each.setAttribute('aria-pressed', +each.dataset.width === kept.pen);
  });
  press();
  canvas.setAttribute('aria-label', data.label);
  root.querySelector('.hint .draw').textContent = data.hint;
  root.querySelector('.hint .keys').textContent = data.keys;
  const given = root.querySelector('.given'), presets = root.querySelector('.presets');
  given.hidden = !data.presets.length;
  if (first) given.open = !matchMedia('(max-width: 640px)').matches;   // there the picture below is wanted in sight
  given.querySelector('summary').textContent = data.forMe; presets.setAttribute('aria-label', data.forMe);
  if (presets.childElementCount !== data.presets.length) presets.replaceChildren(...data.presets.map((strokes, i) => {
    const button = make('button', { type: 'button', textContent: i });
    button.setAttribute('aria-label', `${data.forMe} ${i}`);
    button.onclick = () => replace(strokes);
    return button;
  }));
  if (kept.rev !== data.rev) { kept.rev = data.rev; lift(); kept.strokes = structuredClone(data.strokes); }
  if (kept.shown !== data.ground) {
    kept.shown = data.ground;
    kept.ground = data.ground ? make('img', { src: data.ground, onload: paint }) : null;
  }
  paint();
  return () => { if (!root.isConnected) clearTimeout(kept.timer); };
}
"""

INK, HATCH = "#FFFFFF", ("#333333", palette.LOST)  # the ground and the stripes of what is rubbed out
KEYS = "Keyboard: arrows move the pen, Space sets it down or lifts it, Backspace undoes, Delete clears."

_pad = st.components.v2.component("lab_pad", html=HTML, css=CSS, js=JS)


def pad(
    key: str,
    *,
    rev: str,
    strokes: Sequence[Stroke],
    label: str,
    hint: str,
    presets: Sequence[Sequence[Stroke]] = (),
    for_me: str = "",
    pens: Mapping[str, float] = PENS,
    ground: bytes = b"",
    boxed: bool = False,
) -> list[Stroke]:
    """The strokes on the pad, white on black; over a picture they are hatched: what they cover is lost.

    rev : another one puts `strokes` on the pad; otherwise what was drawn stays
    label, hint : its name, and what one does with it; how the keyboard draws is added
    presets : drawings that a button each puts on the pad, under the words `for_me`
    pens : {name: width}, an odd number; the middle one is taken up first
    ground : PNG bytes of a square picture under the strokes
    boxed : one stroke drags a box, from corner to corner
    What the browser sends and is no drawing has its sentence below, and changes nothing.
    """
    kept: dict[str, Any] = st.session_state.setdefault(f"on pad {key}", {})
    if kept.get("rev") != rev:
        kept |= {"rev": rev, "strokes": list(strokes)}
    settings = {
        "rev": rev,
        "strokes": plain_strokes(kept["strokes"]),
        "side": SIDE,
        "points": POINTS,
        "pens": list(pens.items()),
        "pen": list(pens.values())[len(pens) // 2],
        "colour": INK,
        "hatch": HATCH if ground else (),
        "boxed": boxed,
        "label": label,
        "hint": hint,
        "keys": KEYS,
        "presets": [plain_strokes(each) for each in presets],
        "forMe": for_me,
        "ground": data_uri(ground) if ground else "",
    }
    drawn = _pad(key=key, data=settings, default={"drawn": None}, on_drawn_change=lambda: None).drawn
    if isinstance(drawn, Mapping) and drawn.get("rev") == rev:
        try:
            kept["strokes"] = strokes_from(drawn.get("strokes"))
        except ValueError as refusal:
            st.error(plain(refusal))
    return kept["strokes"]
