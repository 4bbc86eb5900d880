// Every state of a few binary units: a map of them next to the data, and one of them in numbers.
// In the index of a state unit 0 is the lowest bit. States that differ in one unit alone are neighbours on the map.

import { CALM, made, put } from './elements.js';
import { clamp, gray, isChance, largerIn, sharp, sigma, themeOf } from './ink.js';
import {
  LEVEL_GROUND, STRIP, grayCode, inWords, isOn, lawOf, nats, percent, pictureOf, placeOf, stateAt, unitsOf,
} from './law.js';

const STATES = new WeakMap();                     // state of a panel between drawings
const BETWEEN = 30;                               // ms between two frames of a movement
const MOVES = 250;                                // ms in which a drawing moves to its new values
const PEAKS = 10, REACH = 14;                     // likeliest states, pixels around a finger
const IN_ORDER = 900;                             // ms without news after which the likeliest are sorted
const WIDE = 6;                                   // units side by side: if there are more, each is small
const CELL = 44, PICTURED = 24, ROOMY = 30;       // pixels of a cell: at most; to show pictures at the edge, or in it

// -- the map ------------------------------------------------------------------------------------------

const geometry = (law, width) => {
  const fit = (gutter) => Math.floor(2 * Math.min(CELL, (width - gutter) / law.width)) / 2;
  const plain = fit(0), pictured = law.tiled && fit(plain + 5) >= PICTURED && law.n - law.across > 0;
  const track = pictured ? 0 : Math.min(7, plain), cell = fit(pictured ? plain + 5 : law.across * track + 5);
  return { cell, pictured, track, left: pictured ? cell + 5 : (law.n - law.across) * track + 4,
    top: pictured ? cell + 5 : law.across * track + 4 };
};
const drawEdges = (ink, theme, law, { cell, pictured, track, left, top }) => {
  const low = law.width - 1;
  const square = (on, x, y, width, height) => {
    ink.fillStyle = gray(on);
    ink.fillRect(x, y, width, height);
  };
  for (let x = 0; x < law.width; x++) {
    if (pictured) { pictureOf(ink, law, grayCode(x), left + x * cell + 1, 1, cell - 2, theme.line, low); continue; }
    for (let i = 0; i < law.across; i++) square(isOn(grayCode(x), i), left + x * cell, i * track, cell, track - 1);
  }
  for (let y = 0; y < law.height; y++) {
    const state = grayCode(y) << law.across;
    if (pictured) { pictureOf(ink, law, state, 1, top + y * cell + 1, cell - 2, theme.line, ~low); continue; }
    for (let i = law.across; i < law.n; i++) {
      square(isOn(state, i), (i - law.across) * track, top + y * cell, track - 1, cell);
    }
  }
  if (pictured) return;
  Object.assign(ink, { strokeStyle: theme.soft, lineWidth: 1 });
  ink.strokeRect(left - .5, -.5, law.width * cell + 1, law.across * track);
  ink.strokeRect(-.5, top - .5, (law.n - law.across) * track, law.height * cell + 1);
};

const drawGrid = (ink, theme, { width: right, height: low }, { cell, left, top }) => {
  Object.assign(ink, { strokeStyle: theme.line, lineWidth: 1, globalAlpha: cell < 8 ? .4 : 1 });
  ink.beginPath();
  for (let x = 0; x < right; x++) ink.rect(left + x * cell, top, cell, low * cell);
  for (let y = 0; y < low; y++) ink.rect(left, top + y * cell, right * cell, cell);
  ink.stroke();
  ink.globalAlpha = 1;
};

const drawMap = (kept, theme) => {
  const { law, canvas, chosen, shown } = kept, higher = (one, other) => Math.max(one, other);
  const most = shown.reduce(higher, law.share.reduce(higher, 0));
  const at = kept.at = geometry(law, canvas.clientWidth), { cell, left, top } = at;
  kept.host.style.setProperty('--lit', theme.lit);
  kept.host.style.setProperty('--chosen', theme.chosen);
  const width = canvas.clientWidth, height = Math.ceil(top + law.height * cell + 2);
  const ink = sharp(canvas, width, height), [x, y] = placeOf(law, chosen);
  ink.fillStyle = theme.second;
  ink.fillRect(left + x * cell, top, cell, law.height * cell);
  ink.fillRect(left, top + y * cell, law.width * cell, cell);
  drawEdges(ink, theme, law, at);
  drawGrid(ink, theme, law, at);
  const square = (value, state) => {
    const side = (cell - 2) * Math.sqrt(value / most), [x, y] = placeOf(law, state);
    if (side > .3) ink.rect(left + (x + .5) * cell - side / 2, top + (y + .5) * cell - side / 2, side, side);
  };
  Object.assign(ink, { fillStyle: theme.soft, strokeStyle: theme.text, lineWidth: cell < 8 ? 1 : 1.5 });
  ink.beginPath(); shown.forEach(square); ink.fill();
  ink.beginPath(); for (const state of law.data) square(law.share[state], state); ink.stroke();
  if (cell >= ROOMY) for (let state = 0; state < 2 ** law.n; state++) {
    const [x, y] = placeOf(law, state);
    pictureOf(ink, law, state, left + x * cell + 3, top + y * cell + 3, law.tiled ? 12 : cell - 6, theme.line);
  }
  Object.assign(ink, { strokeStyle: theme.chosen, lineWidth: 1 });
  for (const i of unitsOf(law)) {
    const [x, y] = placeOf(law, chosen ^ (1 << i));
    ink.strokeRect(left + x * cell + .5, top + y * cell + .5, cell - 1, cell - 1);
  }
  ink.lineWidth = 3;
  ink.strokeRect(left + x * cell - .5, top + y * cell - .5, cell + 1, cell + 1);
  kept.full.textContent = percent(most);
};

// Return the state under a pointer; for a finger, the likeliest one nearby.
const pointedAt = ({ law, at, canvas, shown }, { clientX, clientY }) => {
  const from = canvas.getBoundingClientRect(), { cell, left, top } = at;
  const [x, y] = [(clientX - from.left - left) / cell, (clientY - from.top - top) / cell];
  const within = (k, count) => clamp(Math.floor(k), 0, count - 1);
  const reach = cell < 24 && matchMedia('(pointer: coarse)').matches ? REACH / cell : 0;
  let best = stateAt(law, within(x, law.width), within(y, law.height)), most = 0;
  for (let r = within(y - reach, law.height); reach && r <= within(y + reach, law.height); r++) {
    for (let q = within(x - reach, law.width); q <= within(x + reach, law.width); q++) {
      const state = stateAt(law, q, r), value = Math.max(shown[state], law.share[state]);
      if (value > most) [best, most] = [state, value];
    }
  }
  return best;
};

// -- the likeliest states -----------------------------------------------------------------------------

const likely = ({ p, share }) => (state) => Math.max(p[state], share[state]);
// Sort them once nothing new has come for a while and no finger is on them.
const scheduleSort = (kept) => {
  clearTimeout(kept.settling);
  kept.settling = setTimeout(() => {
    const { host, law, peaks, listed } = kept, value = likely(law);
    if (!host.isConnected) return;
    if (peaks.matches(':hover, :focus-within')) return scheduleSort(kept);
    listed.sort((one, other) => value(other) - value(one));
    animate(kept);
  }, IN_ORDER);
};
const drawPeaks = (kept, theme) => {
  const { law, shown, peaks } = kept, value = likely(law), fresh = kept.ranked !== law;
  const dots = devicePixelRatio * largerIn(peaks);
  if (fresh) {                      // states that stay among them keep their places until the training rests
    kept.ranked = law;
    const first = Array.from(law.p.keys()).sort((one, other) => value(other) - value(one)).slice(0, PEAKS);
    const others = first.filter((state) => !kept.listed.includes(state));
    kept.listed = kept.listed.length
      ? kept.listed.map((state) => first.includes(state) ? state : others.shift()) : first;
  }
  const most = Math.max(...kept.listed.map(value), 1e-9);
  kept.listed.forEach((state, k) => {
    const button = peaks.children[k] ?? peaks.appendChild(made('button', 'peak', { type: 'button',
      innerHTML: '<canvas aria-hidden="true"></canvas><span class="model"></span><span class="data"></span>' }));
    const [small, model, data] = button.children, drawn = `${state} ${theme.ground} ${dots}`;
    const changed = button.drawn !== drawn;
    button.onclick = () => pickState(kept, state);
    if (changed) {
      button.drawn = drawn;
      const longer = Math.max(law.columns, Math.ceil(law.n / law.columns));
      const side = law.tiled ? 30 * law.columns / longer : 40;
      small.style.width = `${side + 2}px`;
      pictureOf(sharp(small, side + 2, law.tiled ? 32 : STRIP + 2), law, state, 1, 1, side, theme.soft);
    }
    button.classList.toggle('picked', state === kept.chosen);
    if (fresh || changed) button.ariaLabel = `${inWords(law, state)}: ${percent(law.p[state])} by the model, `
      + `${percent(law.share[state])} of the data`;
    button.ariaCurrent = String(state === kept.chosen);
    model.style.width = `${100 * shown[state] / most}%`;
    data.style.width = `${100 * law.share[state] / most}%`;
  });
  while (peaks.children.length > kept.listed.length) peaks.lastChild.remove();
};

// -- the chosen state ---------------------------------------------------------------------------------

const buildUnits = (kept) => {
  const { law, units } = kept;
  units.classList.toggle('named', law.named);
  put(kept.hint, GIBBS + (law.columns > WIDE ? '' : CHANGE));
  units.classList.toggle('wide', law.columns > WIDE);
  units.style.setProperty('--columns', law.columns || 1);
  units.replaceChildren(...unitsOf(law).map((i) => {
    const button = made('button', 'unit', { type: 'button', tabIndex: i ? -1 : 0, innerHTML:
      '<span class="lamp"></span><span class="chance"><span></span></span><span class="name"></span>'
      + '<span class="flip"></span>' });
    button.onclick = () => pickState(kept, kept.chosen ^ (1 << i));
    button.onfocus = () => { for (const each of units.children) each.tabIndex = each === button ? 0 : -1; };
    return button;
  }));
};
const unitKeys = (kept, event) => {
  const { law, units } = kept, line = law.columns || 1, at = [...units.children].indexOf(event.target);
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: line, ArrowUp: -line }[event.key];
  if (at < 0 || step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  units.children[at + step]?.focus();
};

const updateUnits = (kept, energy, flipped) => {
  const { law, chosen, units } = kept;
  [...units.children].forEach((button, i) => {
    const on = isOn(chosen, i), change = flipped[i] - energy, chance = sigma(on ? change : -change);
    const [lamp, level, name, flip] = button.children, value = law.texts[i][on];
    button.ariaPressed = String(!!on);
    button.ariaLabel = `${law.names[i]}, ${value}. Flipping it to ${law.texts[i][1 - on]} changes F by `
      + `${nats(change)}. If resampled alone, it is ${law.texts[i][1]} with p ${isChance(chance)}.`;
    lamp.style.background = gray(on);
    level.style.setProperty('--p', chance);
    name.textContent = law.named ? `${law.names[i]} ${value}` : '';
    flip.textContent = nats(change);
  });
};

const updateState = (kept) => {
  const { law, chosen, canvas, host } = kept, energy = law.F[chosen], p = percent(law.p[chosen]);
  const above = law.p.filter((p) => p > law.p[chosen]).length, shares = percent(law.share[chosen]);
  const flipped = unitsOf(law).map((i) => law.F[chosen ^ (1 << i)]);
  const lowest = flipped.indexOf(Math.min(...flipped)), place = `${(above + 1).toLocaleString('en')} of `
    + law.p.length.toLocaleString('en'), [x, y] = placeOf(law, chosen);
  updateUnits(kept, energy, flipped);
  const least = flipped[lowest] - energy;
  kept.down = least < -LEVEL_GROUND ? chosen ^ (1 << lowest) : undefined;
  kept.downhill.ariaDisabled = String(kept.down === undefined);
  kept.so.textContent = least > LEVEL_GROUND ? 'A local minimum: flipping any unit raises F.'
    : kept.down === undefined ? 'No flip lowers F.'
    : `Downhill: ${law.names[lowest]} to ${law.texts[lowest][1 - isOn(chosen, lowest)]}, F ${nats(least)}.`;
  const values = [nats(-energy), p, shares, place];
  kept.values.forEach((value, i) => { value.textContent = values[i]; });
  const minusLogZ = `${law.logZ < 0 ? '+' : '−'} ${Math.abs(law.logZ).toFixed(2)}`;
  kept.equation.textContent = `p = e^(−F) / Z = e^(${nats(-energy)} ${minusLogZ}) = ${p}`;
  Object.assign(canvas, { ariaValueNow: y * law.width + x + 1, ariaValueText:
    `${inWords(law, chosen)}: F ${nats(energy)} nats, ${p} by the model, ${shares} of the data` });
  host.dataset.state = chosen;
  host.dataset.energy = energy;
};

const pickState = (kept, state) => {
  if (state === kept.chosen) return;
  kept.chosen = state;
  updateState(kept);
  animate(kept);
};

// -- all of it ----------------------------------------------------------------------------------------

const animate = (kept) => {                          // until the drawing shows the newest values
  if (kept.going) return;
  kept.going = requestAnimationFrame((now) => {
    kept.going = undefined;
    const { host, law, from, shown } = kept, part = CALM.matches ? 1 : clamp((now - kept.began) / MOVES);
    if (!host.isConnected || !kept.canvas.clientWidth) return;
    if (part < 1 && now - kept.drawnAt < BETWEEN) return animate(kept);
    kept.drawnAt = now;
    for (let state = 0; state < shown.length; state++) shown[state] = from[state] + (law.p[state] - from[state]) * part;
    const theme = themeOf(host);
    drawMap(kept, theme);
    drawPeaks(kept, theme);
    if (part < 1) animate(kept);
  });
};

const PLAYGROUND = `<div class="parts"><div class="map"><canvas role="slider" tabindex="0" aria-valuemin="1"></canvas>
  <p class="legend"><span class="model"></span>model <span class="data"></span>data
  <span class="picked"></span>selected, and one flip away <span>a full square is <b class="full"></b></span></p>
  <p class="caption">The most likely states, by model (filled) or data (frame), whichever is larger</p>
  <div class="peaks" role="group" aria-label="Most likely states"></div></div>
  <div class="play"><div class="units" role="group" aria-label="Units of the selected state"></div>
  <p class="hint"><span class="amber"></span><span></span></p>
  <div class="acts"><button type="button">Downhill</button><button type="button">Next data</button>
  <button type="button">All off</button></div><p class="so"></p>
  <dl><div><dt>Minus free energy, −F, nats</dt><dd></dd></div><div><dt>By the model</dt><dd></dd></div>
  <div><dt>Of the data</dt><dd></dd></div><div><dt>Rank</dt><dd></dd></div></dl><p class="equation"></p></div></div>`;

const GIBBS = 'the probability that the unit is on in a Gibbs step of this unit alone';
const CHANGE = '; the number is the change of F by a flip';
const newStates = (host) => {
  host.innerHTML = PLAYGROUND;
  const find = (what) => host.querySelector(what), [downhill, next, off] = host.querySelectorAll('.acts button');
  const kept = { host, listed: [], canvas: find('.map canvas'), full: find('.full'), peaks: find('.peaks'),
    units: find('.units'), so: find('.so'), values: [...host.querySelectorAll('dd')], equation: find('.equation'),
    hint: find('.amber + span'), downhill };
  const { canvas, units } = kept, point = (event) => pickState(kept, pointedAt(kept, event));
  canvas.onclick = point;                         // a finger that begins to scroll here chooses nothing
  canvas.onpointermove = (event) => { if (event.pointerType === 'mouse' && event.buttons) point(event); };
  canvas.onkeydown = (event) => {
    const { law, chosen } = kept, [x, y] = placeOf(law, chosen);
    const step = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    pickState(kept, stateAt(law, (x + step[0] + law.width) % law.width, (y + step[1] + law.height) % law.height));
  };
  units.onkeydown = (event) => unitKeys(kept, event);
  downhill.onclick = () => { if (kept.down !== undefined) pickState(kept, kept.down); };
  next.onclick = () => pickState(kept, kept.law.data[(kept.law.data.indexOf(kept.chosen) + 1) % kept.law.data.length]);
  off.onclick = () => pickState(kept, 0);
  kept.sized = new ResizeObserver(() => redrawStates(host));
  kept.sized.observe(host);
  return kept;
};

export const redrawStates = (host) => {
  const kept = STATES.get(host);
  if (kept?.law) animate(kept);
};

export const drawStates = (host, { states: given }) => {
  if (!STATES.has(host)) STATES.set(host, newStates(host));
  const kept = STATES.get(host), law = lawOf(given), names = JSON.stringify([given.names, given.texts, given.columns]);
  if (kept.names !== names) {
    const shown = Float32Array.from(law.p);
    Object.assign(kept, { names, law, chosen: law.data[0] ?? 0, listed: [], shown });
    buildUnits(kept);
  }
  Object.assign(kept, { law, from: Float32Array.from(kept.shown), began: performance.now() });
  Object.assign(kept.canvas, { ariaValueMax: law.p.length,
    ariaLabel: `Map of every state. Arrow keys turn one unit on or off. ${given.alt}` });
  updateState(kept);
  animate(kept);
  scheduleSort(kept);
};

export const leaveStates = (host) => {
  const kept = STATES.get(host);
  kept?.sized.disconnect();
  clearTimeout(kept?.settling);
};
