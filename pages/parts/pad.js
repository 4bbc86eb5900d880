// A pad to draw on, or to erase on, with mouse, finger or keyboard. It sends strokes to Python, which draws them.

import { made, styled } from '../draw/elements.js';

await styled(new URL('./pad.css', import.meta.url));
// finer than the pad's units; units between points; ms after the last key
const SHARP = 2, APART = 2, WAIT = 250;
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const HTML = `<canvas class="ink" tabindex="0" role="application"></canvas>
<div class="row">
  <button class="undo" type="button">Undo</button>
  <button class="clear" type="button">Clear</button>
  <span class="pens" role="group" aria-label="Pen width"></span>
</div>
<details class="given"><summary></summary><span class="presets" role="group"></span></details>
<p class="hint"><span class="draw"></span> <span class="keys"></span></p>
<p class="status unseen" role="status"></p>`;

export const begin = (root, first) => {
  root.innerHTML = HTML;
  root.style.minHeight = 0;
  const canvas = root.querySelector('.ink'), status = root.querySelector('.status'), hint = root.querySelector('.hint');
  const given = root.querySelector('.given'), presets = root.querySelector('.presets');
  const kept = { data: first, strokes: [], now: null, at: [first.side / 2, first.side / 2], pen: first.pen };
  const paint = () => {
    const { side } = kept.data, ink = canvas.getContext('2d');
    ink.setTransform(SHARP, 0, 0, SHARP, 0, 0);
    ink.fillStyle = '#000'; ink.fillRect(0, 0, side, side);
    ink.imageSmoothingEnabled = false;
    if (kept.ground?.complete) ink.drawImage(kept.ground, 0, 0, side, side);
    (kept.data.boxed ? box : lines)(ink);
    if (kept.keys) {                              // the keyboard's pen: a ring, filled while it is down
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
  const box = (ink) => {                          // the outside is dimmed
    if (!kept.strokes.length) return;
    const { side } = kept.data, [x, y, across = x, down = y] = kept.strokes.at(-1).points;
    ink.fillStyle = '#000a'; ink.beginPath();
    ink.rect(0, 0, side, side); ink.rect(x, y, across - x, down - y);
    ink.fill('evenodd');
    ink.lineWidth = 2; ink.strokeStyle = '#fff'; ink.strokeRect(x, y, across - x, down - y);
  };
  const hatch = (ink) => {                        // stripes from the lower left to the upper right
    if (!kept.data.hatch.length) return null;
    const tile = made('canvas', '', { width: 10, height: 10 }), at = tile.getContext('2d');
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
    if (kept.data.boxed) points.length = Math.min(n, 2);                 // one corner, and the opposite one
    if (room()) points.push(x, y);
  };
  const setDown = (x, y) => {
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

  const undo = () => replace(kept.strokes.slice(0, -1));
  const press = () => root.querySelectorAll('.pens button').forEach((each) => {
    each.setAttribute('aria-pressed', +each.dataset.width === kept.pen);
  });

  canvas.width = canvas.height = first.side * SHARP;
  first.pens.forEach(([name, width], i) => {
    const button = made('button', '', { type: 'button', title: name });
    button.setAttribute('aria-label', name);
    button.append(made('i', '', { style: `width:${4 + 5 * i}px;height:${4 + 5 * i}px` }));
    button.onclick = () => { kept.pen = width; press(); paint(); };
    button.dataset.width = width;
    root.querySelector('.pens').append(button);
  });
  root.querySelector('.pens').hidden = first.pens.length < 2;
  canvas.onpointerdown = (event) => {
    if (event.button || !event.isPrimary) return;
    event.preventDefault(); canvas.focus({ preventScroll: true, focusVisible: false });
    try { canvas.setPointerCapture(event.pointerId); } catch { /* the pointer is gone already */ }
    kept.keys = false; lift(); setDown(...place(event)); paint();
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
      if (kept.down) lift(); else { kept.down = true; setDown(...kept.at); soon(); }
      status.textContent = kept.down ? 'Pen down' : 'Pen up';
    } else if (event.key === 'Backspace') { undo(); status.textContent = 'Last stroke undone'; }
    else if (event.key === 'Delete') { replace([]); status.textContent = 'Cleared'; }
    else return;
    event.preventDefault(); kept.keys = true; paint();
  };
  root.querySelector('.undo').onclick = () => undo();
  root.querySelector('.clear').onclick = () => replace([]);
  canvas.ariaDescribedByElements = [hint];
  given.open = !matchMedia('(max-width: 640px)').matches;              // on a phone the picture below should be visible
  const set = (data, _send, keep) => {
    Object.assign(kept, { data, set: keep });
    press();
    canvas.setAttribute('aria-label', data.label);
    root.querySelector('.hint .draw').textContent = data.hint;
    root.querySelector('.hint .keys').textContent = data.keys;
    given.hidden = !data.presets.length;
    given.querySelector('summary').textContent = data.forMe; presets.setAttribute('aria-label', data.forMe);
    if (presets.childElementCount !== data.presets.length) presets.replaceChildren(...data.presets.map((strokes, i) => {
      const button = made('button', '', { type: 'button', textContent: i });
      button.setAttribute('aria-label', `${data.forMe} ${i}`);
      button.onclick = () => replace(strokes);
      return button;
    }));
    if (kept.rev !== data.rev) { kept.rev = data.rev; lift(); kept.strokes = structuredClone(data.strokes); }
    if (kept.shown !== data.ground) {
      kept.shown = data.ground;
      kept.ground = data.ground ? made('img', '', { src: data.ground, onload: paint }) : null;
    }
    paint();
  };
  return { set, end: () => clearTimeout(kept.timer) };
};
