// Looking back: a run as this page saw it after an earlier update. Curves stay as they are now, with a line at that
// update.

import { sayStanding } from '../draw/aloud.js';
import { HERE } from '../draw/chart.js';

const FRAMES = 64, LARGEST = 32e6;                // frames that a page keeps, and characters of their JSON
const EVERY = 250;                                // ms between two of them, until they are thinned
const ALONG = 'along';                            // names a chart's axis, where that runs along the training
const MOVING = ['queued', 'starting', 'running'];

export const newBack = () => ({ kept: [], every: EVERY, due: 0, at: null, earlier: undefined, charts: new WeakMap() });

const axisOf = ({ chart }) => chart?.figure.layout.meta?.[ALONG];         // of a curve over the training

// Keep the newest frame. Once there are too many, every second one is removed and frames are added half as often, so
// that they stay spread evenly over the training.
export const keepFrame = (live) => {
  const { back, shown: { frame, parts: drawn } } = live, { count, at } = frame;
  if (!at) return;                                                       // of a race, or before there is a model
  if (back.at !== null && back.at > count) toNow(live);                  // the training was set back
  const later = back.kept.findIndex((each) => each.count >= count);
  if (later >= 0) back.kept.length = later;
  else if (MOVING.includes(frame.status) && performance.now() < back.due) return;
  const { figures, old, light, abouts, curve, beside, below } = frame;
  const still = Object.entries(drawn).map(([n, part]) => [n, axisOf(part) ? { key: part.key, curve: true } : part]);
  const parts = Object.fromEntries(still);
  const earlier = { count, at, frame: { figures, old, light, abouts, curve, beside, below }, parts };
  back.kept.push({ ...earlier, size: JSON.stringify(earlier).length });
  while (back.kept.length > FRAMES || (back.kept.length > 1 && sizeOf(back.kept) > LARGEST)) {
    back.kept = back.kept.filter((_, i) => i % 2 === 0);
    back.every *= 2;
  }
  back.due = performance.now() + back.every;
};
const sizeOf = (kept) => kept.reduce((sum, { size }) => sum + size, 0);

// The frames before now; while the slider is held, those at the time when it was grabbed.
const places = ({ back, shown }) => back.held ?? back.kept.filter(({ count }) => count < shown.frame.count);

// Return the drawn frame: an earlier one instead of now's pictures, with now's curves.
export const seen = (live) => {
  const { shown, back: { earlier } } = live;
  if (!earlier) return shown;
  const now = Object.fromEntries(Object.values(shown.parts).filter((part) => part.key).map((part) => [part.key, part]));
  const parts = {}, { frame } = earlier;
  const placed = (numbers) => numbers.filter((n) => {
    const part = earlier.parts[n];
    parts[`earlier ${n}`] = part.curve ? now[part.key] && withLine(live, now[part.key], earlier.at) : part;
    return parts[`earlier ${n}`];
  }).map((n) => `earlier ${n}`);
  const [curve = null] = placed(frame.curve === null ? [] : [frame.curve]);
  const [beside, below] = [placed(frame.beside), frame.below.map(placed)];
  parts.abouts = earlier.parts[frame.abouts];
  const figures = frame.figures.map((each) => each[0] === 'Status' ? ['Status', 'Looking back'] : each);
  const { old, light } = frame;
  return { frame: { ...shown.frame, figures, old, light, abouts: 'abouts', curve, beside, below }, parts };
};
const withLine = (live, panel, at) => {
  const { back } = live, x = at[axisOf(panel)];
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
// An earlier panel as it is drawn, without choices.
const withoutChoices = (part) => !part.key ? part : { ...part,
  pictures: part.pictures?.map((picture) => ({ ...picture, pick: null })),
  choices: part.choices?.map((choice) => ({ ...choice, kept: true })) };

// A run for a saved page: with one in `few` of the earlier frames, and each panel once.
export const packRun = ({ back, shown }, few) => {
  const panels = new Map(), numbered = (parts) => Object.fromEntries(Object.entries(parts).map(([n, part]) => {
    if (!panels.has(part)) panels.set(part, panels.size);
    return [n, panels.get(part)];
  }));
  const kept = back.kept.filter((_, i) => i % few === 0).map((each) => ({ ...each, parts: numbered(each.parts) }));
  const now = { frame: { ...shown.frame, panels: undefined }, parts: numbered(shown.parts) };
  return { now, kept, at: back.at, panels: [...panels.keys()].map(withoutChoices) };
};
export const unpackRun = (live, { now, kept, at, panels }) => {
  const named = (each) => ({ ...each,
    parts: Object.fromEntries(Object.entries(each.parts).map(([n, place]) => [n, panels[place]])) });
  live.shown = named(now);
  live.back.kept = kept.map(named);
  drawBack(live);
  live.draw();
  lookBack(live, at);
};

const goBackTo = (live, earlier) => {
  const parts = Object.fromEntries(Object.entries(earlier.parts).map(([n, part]) => [n, withoutChoices(part)]));
  Object.assign(live.back, { at: earlier.count, earlier: { ...earlier, parts } });
  drawBack(live);
  live.draw();
};
export const toNow = (live) => {
  Object.assign(live.back, { at: null, earlier: undefined });
  drawBack(live);
  live.draw();
};

// Look at the frame of an update, or the last before it; null for now.
export const lookBack = (live, at) => {
  if (at === live.back.at || !live.shown) return;
  const found = at === null ? undefined : places(live).findLast(({ count }) => count <= at);
  if (found) goBackTo(live, found); else if (live.back.at !== null) toNow(live);
};

export const drawBack = (live) => {
  const { root, back, shown } = live, line = root.querySelector('.back');
  if (!shown || !line) return;
  const slider = line.querySelector('input'), there = places(live);
  const place = back.at === null ? there.length : there.findLastIndex(({ count }) => count <= back.at);
  const where = back.at === null ? 'now' : `update ${back.at.toLocaleString('en')}`;
  line.hidden = shown.frame.at === undefined;                             // of a race
  slider.disabled = !there.length;
  if (!back.held) { slider.max = Math.max(1, there.length); slider.value = there.length ? place : 1; }
  slider.setAttribute('aria-valuetext', where);
  line.querySelector('.where').textContent = where;
  line.querySelector('button').disabled = back.at === null;
  line.classList.toggle('past', back.at !== null);
  sayStanding(live);
};

export const holdBack = (live) => {                                             // actions of the slider and the button
  const line = live.root.querySelector('.back'), slider = line.querySelector('input');
  slider.oninput = () => {
    const there = places(live), place = Number(slider.value);
    if (place >= there.length) toNow(live); else goBackTo(live, there[place]);
    live.publish();
  };
  slider.onpointerdown = () => { live.back.held = live.shown && places(live); };
  const letGo = () => { live.back.held = undefined; drawBack(live); };
  slider.onpointerup = slider.onpointercancel = slider.onchange = slider.onblur = letGo;
  line.querySelector('button').onclick = () => { toNow(live); live.publish(); slider.focus(); };
};
