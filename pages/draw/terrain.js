// An energy landscape: a map by height, points that move by Gibbs steps, and the exact law at each temperature.
// In the index of a state unit 0 is the lowest bit.

import { CALM, bytesOf, made, put, styled, svg } from './elements.js';
import { clamp, gray, sigma } from './ink.js';

await styled(new URL('./terrain.css', import.meta.url));
const KEPT = new WeakMap();                       // state of a picture between drawings
const TICK = 90;                                  // ms between two frames of a movement
const MANY = 2_000, COOLED = 160, POINTS = 20;    // steps, also at each temperature of an annealing; points
const MIXED = .1;                                 // distance from the exact law above which points have not mixed

const floats = (text) => new Float32Array(bytesOf(text).buffer);
const sum = (values) => values.reduce((all, each) => all + each, 0);
const random = (n) => Math.floor(Math.random() * n);
const share = (p) => !p ? '0' : p < .0005 ? '<0.001' : p.toFixed(3);

// -- the machine --------------------------------------------------------------------------------------

const landOf = (given) => {
  const model = Object.fromEntries(Object.entries(given.model).map(([name, text]) => [name, floats(text)]));
  const groupOf = new Map();
  given.groups.forEach(({ states }, k) => {
    for (const state of new Uint16Array(bytesOf(states).buffer)) groupOf.set(state, k);
  });
  return { ...given, model, heights: given.heights.map(floats), groupOf,
    placeOf: new Map(given.keys.map((key, k) => [key, k])), deep: new Set(given.deepest) };
};
const bitsOf = (state, n) => Uint8Array.from({ length: n }, (_, i) => state >> i & 1);
const stateOf = (v) => v.reduce((state, on, i) => state | on << i, 0);
const agreement = (n, differ) => { let left = n; for (let x = differ; x; x &= x - 1) left--; return left; };
const placeOf = ({ units, patterns: [a, b], placeOf: places }, state) => places.get(a === undefined ? state
  : agreement(units, state ^ a) * (units + 1) + agreement(units, state ^ b));

// Do one Gibbs step at temperature T, in place: for a fully visible machine one unit, for an RBM both layers.
const move = ({ units, model: { M, W, b, c } }, v, T) => {
  if (M) {
    const i = random(units);
    let field = b[i];
    for (let k = 0; k < units; k++) field += M[i * units + k] * (2 * v[k] - 1);
    v[i] = Math.random() < sigma(2 * field / T);
    return;
  }
  const h = c.map((bias, j) =>
    Math.random() < sigma(v.reduce((all, on, i) => all + on * W[i * c.length + j], bias) / T));
  for (let i = 0; i < units; i++) {
    v[i] = Math.random() < sigma(h.reduce((all, on, j) => all + on * W[i * h.length + j], b[i]) / T);
  }
};

// -- what is drawn ------------------------------------------------------------------------------------

const SIZE = 100;                                 // of the map, in its own units
const tile = ({ columns, units }, state) => {
  const side = Math.ceil(units / columns), cells = Array.from({ length: units }, (_, i) =>
    svg('rect', { x: i % columns, y: Math.floor(i / columns), width: 1.04, height: 1.04, fill: gray(state >> i & 1) }));
  return svg('svg', { viewBox: `0 0 ${columns} ${side}`, class: 'tile', 'aria-hidden': 'true' }, ...cells);
};

const buildMap = (kept) => {
  const { land } = kept, cube = land.links.length > 0, half = cube ? 7 : SIZE / land.units;
  const at = land.places.map(([x, y]) => [SIZE * x, SIZE * y]);
  const links = land.links.map(([i, j]) => {
    const [[x1, y1], [x2, y2]] = [i, j].map((key) => at[land.placeOf.get(key)]);
    return svg('line', { x1, y1, x2, y2, class: 'link' });
  });
  kept.cells = at.map(([x, y]) => svg('g', { class: 'cell' }, cube ? svg('circle', { cx: x, cy: y, r: half })
    : svg('polygon', { points: [[0, -half], [half, 0], [0, half], [-half, 0]].map(([dx, dy]) => [x + dx, y + dy]) }),
    svg('title')));
  const mark = (text, place, dy) => svg('text', { x: at[place][0], y: at[place][1] + dy, class: 'mark' }, text);
  const marks = cube ? land.groups.map(({ name }, k) => mark(name, kept.groupPlaces[k], 14))
    : land.names.map((name, k) => mark(name.split(' ').at(-1), placeOf(land, land.patterns[k]), 2.4));
  kept.points = kept.chains.map(() => svg('circle', { r: cube ? 2.2 : 1.5, class: 'point' }));
  const axes = cube ? [] : [svg('text', { x: SIZE / 2, y: SIZE + 15, class: 'axis' }, `more like ${land.names[0]} →`),
    svg('text', { x: -9, y: SIZE / 2, class: 'axis', transform: `rotate(-90 -9 ${SIZE / 2})` },
      `more like ${land.names[1]} →`)];
  kept.map.setAttribute('viewBox', '-16 -10 134 128');
  kept.map.replaceChildren(...links, ...kept.cells, ...marks, ...axes, ...kept.points);
  Object.assign(kept, { at, half });
};

const drawMap = (kept) => {
  const { land, t } = kept, heights = land.heights[t], T = land.temperatures[t];
  const [low, high] = [Math.min(...heights), Math.max(...heights)];
  const learns = t === land.learns && land.share;
  kept.cells.forEach((cell, k) => {
    const p = Math.exp(-heights[k] / T), more = learns ? land.share[k] - p : 0;
    cell.style.setProperty('--deep', clamp((high - heights[k]) / (high - low || 1)));
    cell.style.setProperty('--edge', Math.abs(more) < .01 ? 0 : .5 + 2 * Math.sqrt(Math.abs(more)));
    cell.setAttribute('class', `cell ${more > 0 ? 'dig' : 'fill'}`);
    put(cell.lastChild, `Height ${heights[k].toFixed(2)}, probability ${share(p)}`);
  });
  put(kept.low, low.toFixed(1));
  put(kept.high, high.toFixed(1));
  kept.edges.hidden = !learns;
  kept.map.setAttribute('aria-label', `${land.alt} Shown at temperature ${T}: heights from ${low.toFixed(2)} to ${
    high.toFixed(2)}.`);
};

const drawPoints = (kept) => kept.points.forEach((point, k) => {
  const [x, y] = kept.at[placeOf(kept.land, stateOf(kept.chains[k]))];
  const turn = 2.4 * k, reach = kept.chains.length < 2 ? 0 : .5 * kept.half * Math.sqrt((k + .5) / kept.chains.length);
  point.style.transform = `translate(${x + reach * Math.cos(turn)}px, ${y + reach * Math.sin(turn)}px)`;
});

const sharesOf = ({ counts, steps, chains }) => [...counts].map((each) => each / (steps * chains.length || 1));
const distance = (kept) => {                       // total variation over the groups and all other states
  const p = kept.land.groups.map((each) => each.p[kept.t]), q = sharesOf(kept);
  return .5 * (sum(p.map((each, k) => Math.abs(each - q[k]))) + Math.abs(sum(p) - sum(q)));
};
const drawLaw = (kept) => {
  const { land, steps } = kept, p = land.groups.map((each) => each.p[kept.t]), q = sharesOf(kept);
  const rest = [1 - sum(p), 1 - sum(q)], names = land.groups.map(({ name }) => name);
  const whole = land.groupOf.size === 2 ** land.units;
  kept.rows.forEach(({ row, cells }, k) => {
    row.hidden = k === names.length && whole;
    [p[k] ?? rest[0], steps ? q[k] ?? rest[1] : 0].forEach((value, j) => {
      put(cells[j].firstChild, j && !steps ? '–' : share(Math.max(0, value)));
      cells[j].lastChild.style.setProperty('--share', clamp(value));
    });
  });
  const far = distance(kept), deep = Object.entries(kept.deep).map(([how, n]) =>
    `${how}: ${n} of ${kept.chains.length} points in a deepest valley.`);
  const mixing = steps < MANY || far < MIXED ? '' : ' Not mixed: points stay in the valleys that they were in.';
  put(kept.summary, deep.length ? deep.join(' ') : !steps ? 'Points have made no step at this temperature.'
    : `${steps.toLocaleString('en')} ${steps > 1 ? 'steps' : 'step'} of each point. Distance from the exact law: ${
      far.toFixed(2)}.${mixing}`);
};

const redraw = (kept) => {
  const T = kept.land.temperatures[kept.t];
  Object.assign(kept.slider, { value: kept.t, ariaValueText: `Temperature ${T}` });
  put(kept.output, `T = ${T}`);
  if (kept.play) put(kept.play, kept.doing === 'Play' ? 'Pause' : 'Play');
  drawMap(kept);
  drawPoints(kept);
  drawLaw(kept);
};

// -- what is done -------------------------------------------------------------------------------------

const forget = (kept) => Object.assign(kept, { counts: new Float64Array(kept.land.groups.length), steps: 0 });
const atTemperature = (kept, t) => { if (t !== kept.t) { kept.t = t; forget(kept); } };
const restart = (kept) => {
  const { land } = kept, count = land.points ?? POINTS;
  kept.chains = Array.from({ length: count }, () => bitsOf(land.start ?? random(2 ** land.units), land.units));
  forget(kept);
};
const walk = (kept, times) => {
  const { land, chains, counts } = kept, T = land.temperatures[kept.t];
  for (let k = 0; k < times; k++) for (const v of chains) {
    move(land, v, T);
    const group = land.groupOf.get(stateOf(v));
    if (group !== undefined) counts[group]++;
  }
  kept.steps += times;
};

// Each action is a plan of [temperature, steps], run one drawing after another.
const PLANS = {
  Step: function* (kept) { yield [kept.t, 1]; },
  Play: function* (kept) { for (;;) yield [kept.t, 1]; },
  '2,000 steps': function* (kept) { for (let k = 0; k < 20; k++) yield [kept.t, MANY / 20]; },
  Quench: function* ({ land }) { for (let k = 0; k < 4 * land.temperatures.length; k++) yield [0, COOLED / 4]; },
  Anneal: function* ({ land }) {
    for (let t = land.temperatures.length - 1; t >= 0; t--) for (let k = 0; k < 4; k++) yield [t, COOLED / 4];
  },
};
const USUAL = Object.keys(PLANS).slice(0, 3), RESTARTS = ['Quench', 'Anneal'];
const rest = (kept) => {
  clearTimeout(kept.later);
  if (RESTARTS.includes(kept.doing)) {
    kept.deep[kept.doing] = kept.chains.filter((v) => kept.land.deep.has(stateOf(v))).length;
  }
  kept.plan = kept.doing = undefined;
  redraw(kept);
  put(kept.aloud, kept.summary.textContent);         // not at each of many steps
  kept.done?.(kept);
};
const go = (kept) => {
  const began = performance.now();
  do {
    const { value, done } = kept.plan.next();
    if (done) return rest(kept);
    atTemperature(kept, value[0]);
    walk(kept, value[1]);
  } while (CALM.matches && kept.doing !== 'Play');
  if (!kept.host.isConnected) return;
  redraw(kept);
  kept.moved?.(kept);
  kept.later = setTimeout(() => go(kept), Math.max(20, TICK - (performance.now() - began)));
};
const act = (kept, name) => {
  if (kept.doing && kept.doing !== 'Play') return;
  if (kept.doing) { rest(kept); if (name === 'Play') return; }
  if (RESTARTS.includes(name)) restart(kept);
  Object.assign(kept, { doing: name, plan: PLANS[name](kept) });
  go(kept);
};

// -- all of it ----------------------------------------------------------------------------------------

const PARTS = `<div class="ground"><svg class="map" role="img"></svg><p class="legend"><span class="low"></span>
  <span class="shade"></span><span class="high"></span><span>height, −T log p</span></p>
  <p class="edges"><span class="dig"></span>more data than model: learning digs <span class="fill"></span>more model
  than data: learning fills</p></div>
  <div class="side"><label>Temperature<input type="range" min="0"><output></output></label><div class="acts"></div>
  <p class="summary"></p><p class="unseen" role="status"></p><table><thead><tr><th scope="col">State</th>
  <th scope="col">Exact</th><th scope="col">Points</th></tr></thead><tbody></tbody></table></div>`;

const buildLaw = (kept) => {
  const { land } = kept, names = [...land.groups.map(({ name }) => name), 'All others'];
  kept.rows = names.map((name, k) => {
    const first = k < land.groups.length ? new Uint16Array(bytesOf(land.groups[k].states).buffer)[0] : undefined;
    const picture = land.columns && first !== undefined ? [tile(land, first)] : [];
    const cells = ['exact', 'points'].map((kind) => made('td', kind, {}, made('span', 'number'), made('i', '')));
    return { cells, row: made('tr', '', {}, made('th', '', { scope: 'row' }, ...picture, name), ...cells) };
  });
  kept.host.querySelector('tbody').replaceChildren(...kept.rows.map(({ row }) => row));
};

const newTerrain = (host) => {
  host.innerHTML = PARTS;
  const find = (what) => host.querySelector(what);
  const kept = { host, deep: {}, map: find('svg'), low: find('.low'), high: find('.high'), edges: find('.edges'),
    slider: find('input'), output: find('output'), acts: find('.acts'), summary: find('.summary'), aloud: find('.unseen') };
  kept.slider.oninput = () => { atTemperature(kept, Number(kept.slider.value)); redraw(kept); kept.moved?.(kept); };
  kept.slider.onchange = () => kept.done?.(kept);
  return kept;
};

// Draw a landscape; points stay if the number of units is the same. Returns the state of the picture.
export const drawTerrain = (host, { terrain: given }) => {
  if (!KEPT.has(host)) KEPT.set(host, newTerrain(host));
  const kept = KEPT.get(host), land = landOf(given), fresh = kept.land?.units !== land.units;
  const of = JSON.stringify([land.keys, land.patterns, land.names, land.groups.map((each) => each.name + each.states)]);
  kept.land = land;
  if (fresh) {
    kept.t = land.temperature ?? land.learns;
    restart(kept);
    kept.slider.max = land.temperatures.length - 1;
    kept.slider.parentElement.hidden = !!land.fixed;
    kept.acts.replaceChildren(...(land.acts ?? USUAL).map((name) => made('button', '', { type: 'button', name,
      textContent: name, onclick: () => act(kept, name) })));
    kept.play = kept.acts.querySelector('[name="Play"]');
  }
  if (kept.of !== of) {
    kept.of = of;
    kept.groupPlaces = land.groups.map(({ states }) => placeOf(land, new Uint16Array(bytesOf(states).buffer)[0]));
    buildMap(kept);
    buildLaw(kept);
  }
  forget(kept);
  redraw(kept);
  return kept;
};
export const showTerrain = (kept, seen) => {       // a state that another page has sent
  Object.assign(kept, { t: seen.t, steps: seen.steps, counts: Float64Array.from(seen.counts), deep: seen.deep,
    chains: seen.chains.map((state) => bitsOf(state, kept.land.units)) });
  redraw(kept);
};
export const seenOf = (kept) => ({ t: kept.t, steps: kept.steps, counts: [...kept.counts], deep: kept.deep,
  chains: kept.chains.map(stateOf), shares: sharesOf(kept), distance: distance(kept),
  at: kept.land.groupOf.get(stateOf(kept.chains[0])) ?? kept.land.groups.length });
export const leaveTerrain = (host) => clearTimeout(KEPT.get(host)?.later);
