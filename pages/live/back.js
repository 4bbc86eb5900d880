// Looking back: a run as it was seen after an earlier update. Curves stay as they are now, with a line at that update.

import { sayStanding } from '../frames/aloud.js';
import { HERE } from '../frames/chart.js';
import { ALONG } from '../frames/constants.js';
import { drawPanels, drawStanding } from '../frames/frame.js';

const opening = ({ data: { open } }) => open ? `?open=${open}` : '';    // to see what was learnt from
export const CLICKED = 250, RESTS = 2_000;               // ms
const FRAMES = 64;                                // of a history that a page keeps

export const newBack = () => ({ counts: [], at: null, earlier: undefined, frames: new Map(), charts: new WeakMap() });

// The updates before now whose frames are kept. A frame names the last of all: who has the others asks for none.
const places = (live) => live.back.counts.filter((count) => count < live.shown.frame.count);
export const heardOfHistory = (live) => {
  if (!live.shown.frame.history) return;                                  // of a race there is none
  const { back, shown: { frame: { history: { count, last }, count: now } } } = live, { counts } = back;
  const before = count - last.length;
  if (count < counts.length) back.frames.clear();                         // what came after it may be another now
  const other = counts.length < before || counts.slice(before, count).some((each, i) => each !== last[i]);
  if (before && other) askForHistory(live);
  else back.counts = [...counts.slice(0, before), ...last];
  if (back.at !== null && back.at > now) toNow(live);                    // the training was set back
};
const askForHistory = async (live) => {
  const { back } = live;
  if (back.asking) return;
  back.asking = true;
  let rest = 0;
  try {
    const answer = await fetch(`${live.base}/live/${live.data.run}/history${opening(live)}`, { cache: 'no-store' });
    if (answer.ok && answer.headers.get('content-type').includes('json')) back.counts = await answer.json();
    else rest = CLICKED;
  } catch { rest = RESTS; }
  setTimeout(() => { back.asking = false; }, rest);
  if (live.back === back) drawBack(live);
};

// What is drawn: an earlier frame in the place of now's pictures, with now's curves.
const seen = (live) => {
  const { shown, back: { earlier } } = live;
  if (!earlier) return shown;
  const now = Object.fromEntries(Object.values(shown.parts).filter((part) => part.key).map((part) => [part.key, part]));
  const parts = {};
  const placed = (numbers) => numbers.filter((n) => {
    const part = earlier.panels[n];
    parts[`earlier ${n}`] = part.curve ? now[part.key] && withLine(live, now[part.key], earlier.at) : part;
    return parts[`earlier ${n}`];
  }).map((n) => `earlier ${n}`);
  const [curve = null] = placed(earlier.curve === null ? [] : [earlier.curve]);
  const [beside, below] = [placed(earlier.beside), earlier.below.map(placed)];
  parts.abouts = earlier.panels[earlier.abouts];
  return { frame: { ...shown.frame, figures: earlier.figures, old: earlier.old, light: earlier.light,
    abouts: 'abouts', curve, beside, below }, parts };
};
const withLine = (live, panel, at) => {
  const { back } = live, axis = panel.chart?.figure.layout.meta?.[ALONG], x = at[axis];
  if (x == null) return panel;
  const drawn = back.charts.get(panel);
  if (drawn?.x === x) return drawn.panel;
  const { figure } = panel.chart, line = { color: '', width: 2 };
  const shape = { name: HERE, type: 'line', x0: x, x1: x, yref: 'paper', y0: 0, y1: 1, line };
  const layout = { ...figure.layout, shapes: [...(figure.layout.shapes ?? []), shape] };
  const lined = { ...panel, chart: { ...panel.chart, figure: { ...figure, layout } } };
  back.charts.set(panel, { x, panel: lined });
  return lined;
};
// An earlier frame as it is drawn: nothing of it can be chosen.
const asKept = (earlier) => {
  for (const panel of Object.values(earlier.panels)) {
    for (const picture of panel.pictures ?? []) picture.pick = null;
    for (const choice of panel.choices ?? []) choice.kept = true;
  }
  return earlier;
};

// Of a frame what the page shows: of the panels beside and below the curve, and of the figures, some or all.
const chosenOf = (live) => {
  const { frame, parts } = seen(live), { shows, without = [] } = live.data;
  if (!shows) return { frame, parts };
  const kept = (numbers) => numbers.filter((n) => shows.includes(parts[n].key));
  const below = frame.below.map(kept).filter((row) => row.length);
  const told = (_, i) => !without.includes(frame.figures[i][0]), { abouts } = frame;
  const figures = frame.figures.filter(told), said = { ...parts, [abouts]: parts[abouts]?.filter(told) };
  return { frame: { ...frame, beside: kept(frame.beside), below, figures }, parts: said };
};

// The newest, whatever came between; or an earlier frame.
export const drawSeen = (live) => {
  const { frame, parts } = chosenOf(live);
  drawStanding(live.root, frame, parts, live);
  if (live.drawing) return;
  live.drawing = true;
  requestAnimationFrame(() => {
    live.drawing = false;
    if (!live.root.isConnected || live.ended) return;
    const { frame, parts } = chosenOf(live);
    drawPanels(live.root, frame, parts, live);
  });
};

const goBackTo = async (live, at) => {
  const { back } = live;
  back.at = at;
  drawBack(live);
  if (back.loading) return;                                              // it goes on to where the slider is by then
  back.loading = true;
  while (live.back === back && back.at !== null && back.earlier?.count !== back.at) {
    const wanted = back.at;
    let earlier = back.frames.get(wanted), why = '';
    if (!earlier) {
      try {
        const place = `${live.base}/live/${live.data.run}/history/${wanted}${opening(live)}`;
        const answer = await fetch(place, { cache: 'no-store' });
        if (answer.ok && answer.headers.get('content-type').includes('json')) earlier = asKept(await answer.json());
        else why = answer.headers.get('content-type')?.includes('plain') ? await answer.text() : 'It did not load.';
      } catch { why = 'The connection is lost.'; }
    }
    if (live.back !== back || back.at === null) break;
    if (!earlier) {
      if (back.at !== wanted) continue;
      toNow(live);
      back.words = `${why} This is how it stands now.`;
      askForHistory(live);
      break;
    }
    back.frames.delete(wanted); back.frames.set(wanted, earlier);
    if (back.frames.size > FRAMES) back.frames.delete(back.frames.keys().next().value);
    back.words = '';
    back.earlier = earlier;
    drawBack(live);
    drawSeen(live);
  }
  back.loading = false;
};
const toNow = (live) => {
  Object.assign(live.back, { at: null, earlier: undefined, words: '' });
  drawBack(live);
  drawSeen(live);
};

export const drawBack = (live) => {
  const { root, back, shown } = live, line = root.querySelector('.back');
  if (!shown || !line) return;
  const slider = line.querySelector('input'), note = line.querySelector('.lab-note'), there = places(live);
  const place = back.at === null ? there.length : there.findLastIndex((count) => count <= back.at);
  const where = back.at === null ? 'now' : `update ${back.at.toLocaleString('en')}`;
  line.hidden = !shown.frame.history;
  slider.disabled = !there.length;
  if (!back.held) { slider.max = Math.max(1, there.length); slider.value = there.length ? place : 1; }
  slider.setAttribute('aria-valuetext', where);
  line.querySelector('.where').textContent = where;
  line.querySelector('button').disabled = back.at === null;
  line.classList.toggle('past', back.at !== null);
  note.textContent = [back.words, shown.frame.history?.damage].filter(Boolean).join(' ');
  note.hidden = !note.textContent;
  sayStanding(live);
};

export const holdBack = (live) => {                                             // what the slider and the button do
  const line = live.root.querySelector('.back'), slider = line.querySelector('input');
  slider.oninput = () => {
    const there = places(live), place = Number(slider.value);
    if (place >= Number(slider.max)) toNow(live); else goBackTo(live, there[place]);
  };
  slider.onpointerdown = () => { live.back.held = true; };
  const letGo = () => { live.back.held = false; drawBack(live); };
  slider.onpointerup = slider.onpointercancel = slider.onchange = slider.onblur = letGo;
  line.querySelector('button').onclick = () => { toNow(live); slider.focus(); };
};
