// Time within an update: a strip of its phases, played, stepped and scrubbed. All that is drawn is a function of where
// one is in time and of what is chosen, so that going back costs nothing.
//
// A family's module exports view(trace, lab), with
//   seconds    how long each phase is played
//   first      the phase that is seen first, where that is not the first
//   stage      the element that it draws in
//   picks      [[pick, noun, count, name]] what can be chosen of, for the line "Look at"; lab.chosen is { pick, index }
//   layout(width)                     there is so much room now
//   draw(i, f, theme)                 phase i, of which the share f is over
//   icon(ink, i, x, y, side, theme)   the phase in the strip; or a text instead of it
//   named(i)                          the phase in a word, for below it, if the family has words for them
//   sum(i)                            the arithmetic of what is chosen: { title, verdict, blocks } (see `drawSum`)
// lab.home is what the example is about, where it is about something
// and lab.redraw() draws anew, lab.choose({ pick, index }) chooses, lab.still says whether nothing is to move, and
// lab.traces are all that are drawn: their scales are one.

import { CALM, made, put } from '../frames/elements.js';
import {
  clamp, digitsOf, largerIn, pointedAt, say, sharp, sigmoidAt, themeOf, fixed, waterfall,
} from '../frames/ink.js';
import { HTML } from './constants.js';
import { mathIn } from '../frames/math.js';

export const NOW = 'now';                         // what is chosen at first in some views: whatever moves
const STRIP = { row: 46, side: 32, bar: 5, names: 64, words: 16, least: 28 };

// Phases of traces that happen at the same time: where their kinds agree, first come first; else one of them waits.
const alongside = (traces) => {
  if (traces.length === 1) return traces[0].phases.map((_, i) => [i]);
  const [a, b] = traces.map(({ phases }) => phases.map(({ kind, folded }) => `${kind} ${folded > 0}`));
  const common = Array.from({ length: a.length + 1 }, () => new Int32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) for (let j = b.length - 1; j >= 0; j--) {
    common[i][j] = a[i] === b[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
  }
  const slots = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    if (i < a.length && j < b.length && a[i] === b[j]) slots.push([i++, j++]);
    else if (j >= b.length || (i < a.length && common[i + 1][j] >= common[i][j + 1])) slots.push([i++, null]);
    else slots.push([null, j++]);
  }
  return slots;
};

// Blocks of a sum, one below the other: { terms, result, field?, u?, digits? } a waterfall, with the sigmoid where
// there is a field; { height, draw(ink, theme, width, y), text } anything else.
// part : share of the terms that are shown by now
const printed = (terms) => digitsOf(terms.map(({ value }) => value));
const SUM = { row: 26, curve: 100, gap: 14 };
export const drawSum = (canvas, blocks, theme, part) => {
  const width = canvas.clientWidth, names = Math.min(140, width * .36);
  const tall = ({ terms, field, height }) => terms
    ? SUM.row * (terms.length + 1) + (field === undefined ? 0 : SUM.curve + 2 * SUM.gap + 14)
    : typeof height === 'function' ? height(width) : height;
  const ink = sharp(canvas, width, Math.max(1, blocks.reduce((sum, block) => sum + tall(block) + SUM.gap, 0)));
  let y = 0;
  for (const block of blocks) {
    const { terms, result, field, u, draw, digits = terms && printed(terms) } = block;
    if (draw) draw(ink, theme, width, y);
    if (terms) {
      const below = y + waterfall(ink, theme, terms, { width, top: y, row: SUM.row, names, result, part, digits });
      const place = { x: 24, y: below + SUM.gap, width: Math.min(width - 44, 300), height: SUM.curve };
      if (field !== undefined) sigmoidAt(ink, theme, { ...place, field, u, known: part >= 1 });
    }
    y += tall(block) + SUM.gap;
  }
};

// views : of each trace's family
export const playTraces = (root, traces, views, change) => {
  root.innerHTML = HTML;
  const $ = (name) => root.querySelector(name), buttons = Object.fromEntries(['again', 'before', 'play', 'next']
    .map((name) => [name, $(`.${name}`)]));
  const slots = alongside(traces);
  const lab = { traces, chosen: undefined, redraw: () => draw(true), get still() { return CALM.matches; },
    choose: (chosen) => { lab.chosen = chosen; draw(true); } };
  const panes = traces.map((trace, k) => {
    const view = views[k](trace, lab), sum = made('div', 'sum', { innerHTML:
      '<h2></h2><canvas role="img"></canvas><p class="verdict"></p>' });
    const name = made('h2', 'whose', { textContent: trace.learner, hidden: traces.length === 1 });
    $('.stages').append(made('section', 'pane', {}, made('div', 'place', {}, name, view.stage), sum));
    return { trace, view, sum, name, shown: '' };
  });
  root.classList.toggle('pair', traces.length > 1);
  const lasts = slots.map((slot) => Math.max(...slot.map((i, k) => i === null ? 0 : panes[k].view.seconds[i])));
  const begins = lasts.map((_, s) => lasts.slice(0, s).reduce((sum, each) => sum + each, 0));
  const total = begins.at(-1) + lasts.at(-1);
  const first = slots.findIndex(([i]) => i === (panes[0].view.first ?? 0));
  let time = begins[first] + lasts[first] * .98, playing = false, before = 0, spoken = '', stripped = '', width = 0;
  let theme = themeOf(root), frame;

  const at = (t) => {
    let s = slots.length - 1;
    while (s && begins[s] > t) s--;
    return [s, clamp((t - begins[s]) / lasts[s])];
  };
  // Where a trace is in a slot: one that waits has done what it did last, or has not begun.
  const where = (s, f, k) => {
    if (slots[s][k] !== null) return [slots[s][k], f, false];
    let past = s;
    while (past >= 0 && slots[past][k] === null) past--;
    return past < 0 ? [0, 0, true] : [slots[past][k], 1, true];
  };
  const leading = (s) => slots[s].findIndex((i) => i !== null);
  // What happens in a slot: to both, where it is the same; else to each, by name.
  const wordsOf = (s) => {
    const all = slots[s].map((i, k) => i === null ? '' : traces[k].phases[i].words);
    if (all.every((each) => each === all[0])) return all[0];
    return all.map((each, k) => each && `${traces[k].learner}${all.includes('') ? ' alone' : ''}: ${each}`)
      .filter(Boolean).join(' ');
  };

  const drawStrip = (s) => {
    const key = `${s} ${width} ${theme.ground}`;
    if (key === stripped) return;
    stripped = key;
    const canvas = $('.strip'), wide = canvas.clientWidth, left = traces.length > 1 ? STRIP.names : 0;
    const words = traces.length === 1 && panes[0].view.named ? STRIP.words : 0;
    const ink = sharp(canvas, wide, STRIP.row * traces.length + words);
    panes.forEach(({ trace, view }, k) => {
      const top = k * STRIP.row;
      if (left) say(ink, theme, trace.learner, 0, top + STRIP.side / 2, { size: 12, room: left - 6 });
      slots.forEach((slot, n) => {
        if (slot[k] === null) return;
        const x = left + (wide - left) * begins[n] / total, w = (wide - left) * lasts[n] / total;
        ink.globalAlpha = n === s ? 1 : .4;
        ink.fillStyle = theme.text;
        ink.fillRect(x + 1, top + STRIP.side + 6, Math.max(w - 2, 1), STRIP.bar);
        ink.globalAlpha = 1;
        const side = Math.min(w - 4, STRIP.side);
        const text = w > 14 && view.icon(ink, slot[k], x + (w - side) / 2, top + 2, side, theme);
        const how = { size: 12, align: 'center', colour: theme.soft };
        if (text && w > 22) say(ink, theme, text, x + w / 2, top + 18, how);
        if (words && w > STRIP.least) {
          say(ink, theme, view.named(slot[k]), x + w / 2, STRIP.row + 6, { ...how, room: w - 4 });
        }
      });
    });
  };
  const drawPane = (pane, i, f, fresh) => {
    const { view, sum, trace } = pane, { pick, index } = lab.chosen, [head, canvas, below] = sum.children;
    view.draw(i, f, theme);
    const of = `${i} ${pick} ${index}`;
    if (fresh || of !== pane.of) {
      Object.assign(pane, { of, shown: '', summed: view.sum(i) });
      const { title, verdict, blocks } = pane.summed;
      pane.terms = Math.max(1, ...blocks.map((each) => each.terms?.length ?? 0));
      const whose = traces.length > 1 ? `${trace.learner}: ${title}` : title;
      put(head, whose);
      put(below, verdict);
      const words = blocks.flatMap(({ terms = [], result, text, digits = printed(terms) }) => {
        const all = terms.length ? [{ name: result, value: terms.reduce((so, { value }) => so + value, 0) }] : [];
        return [...[...terms, ...all].map(({ name, value }) => `${name} ${fixed(value, digits)}`), text];
      });
      canvas.setAttribute('aria-label', `${trace.learner}: ${title}. ${words.filter(Boolean).join(', ')}`);
    }
    const part = playing && !lab.still ? Math.min(1, Math.ceil(pane.terms * f / .5) / pane.terms) : 1;
    const shown = `${part} ${width} ${theme.ground}`;
    if (shown === pane.shown) return;
    pane.shown = shown;
    drawSum(canvas, pane.summed.blocks, theme, part);
  };
  function draw(fresh = false) {
    if (!width) return;
    const [s, f] = at(time);
    panes.forEach((pane, k) => {
      const [i, done, waits] = where(s, f, k);
      put(pane.name, traces[k].learner + (waits ? ', waits' : ''));
      drawPane(pane, i, done, fresh);
    });
    drawStrip(s);
    const k = leading(s), { equation, kind } = traces[k].phases[slots[s][k]], scrub = $('.scrub'), words = wordsOf(s);
    scrub.value = Math.round(1_000 * time / total);
    if (spoken !== `${s}`) {
      spoken = `${s}`;
      scrub.setAttribute('aria-valuetext', `Phase ${s + 1} of ${slots.length}: ${words}`);
      $('.words').textContent = words;
      mathIn($('.equation'), equation);
      Object.assign(root.dataset, { slot: s, kind, slots: slots.length });
    }
  }

  const show = () => {
    const [s, f] = at(time), over = time >= total - .01, focused = $('.keys button:focus');
    buttons.play.textContent = playing ? 'Pause' : over ? 'Again' : 'Play';
    buttons.before.disabled = buttons.again.disabled = !s && !playing;
    buttons.next.disabled = s === slots.length - 1 && f > .97;
    if (focused?.disabled) $('.scrub').focus({ preventScroll: true });   // keys go on from there
    $('.words').setAttribute('aria-live', playing ? 'off' : 'polite');
  };
  const tick = (stamp) => {
    if (!playing || !root.isConnected) return;
    time += before ? Math.min((stamp - before) / 1_000, .1) * Number($('.speed').value) : 0;
    before = stamp;
    if (time >= total) { time = total - 1e-3; playing = false; show(); }
    const [s] = at(time), real = time;
    if (!lab.still) draw();
    else if (`${s}` !== spoken || !playing) {                            // each phase as it ends, and nothing between
      time = begins[s] + lasts[s] * .98;
      draw();
      time = playing ? real : time;
    }
    frame = requestAnimationFrame(tick);
  };
  const play = (on) => {
    cancelAnimationFrame(frame);
    [playing, before, theme] = [on, 0, themeOf(root)];
    if (on && time >= total - .01) time = 0;
    show();
    if (on) frame = requestAnimationFrame(tick); else draw(true);
  };
  const seek = (t) => { [playing, time, theme] = [false, clamp(t, 0, total - 1e-3), themeOf(root)]; draw(); show(); };
  // To where a phase is over, and all of it is to be seen.
  const end = (s) => seek(s === slots.length - 1 ? total : begins[s] + lasts[s] * .98);
  const go = (by) => {
    const [s, f] = at(time), to = clamp(s + (by > 0 && f < .97 ? 0 : by), 0, slots.length - 1);
    end(to);
  };
  buttons.play.onclick = () => {
    play(!playing);
    const below = $('.stages').firstChild.firstChild.getBoundingClientRect().bottom > innerHeight;
    if (playing && below) $('.whole').scrollIntoView({ block: 'start', behavior: lab.still ? 'auto' : 'smooth' });
  };
  buttons.again.onclick = () => end(0);
  buttons.before.onclick = () => go(-1);
  buttons.next.onclick = () => go(1);
  $('.scrub').oninput = () => seek(total * $('.scrub').value / 1_000);
  $('.scrub').onkeydown = (event) => {             // keys go phase by phase
    const s = at(time)[0], last = slots.length - 1, by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1,
      PageDown: -5, PageUp: 5 }[event.key], to = { Home: 0, End: last }[event.key] ?? (by && clamp(s + by, 0, last));
    if (to === undefined) return;
    end(to);
    event.preventDefault();
  };
  // The phase that is pressed or pointed at in the strip.
  const inStrip = (event) => {
    const left = traces.length > 1 ? STRIP.names : 0, wide = $('.strip').clientWidth - left;
    return at(total * clamp((pointedAt(event)[0] - left) / wide))[0];
  };
  $('.strip').onpointermove = (event) => { $('.strip').title = wordsOf(inStrip(event)); };
  $('.strip').onclick = (event) => end(inStrip(event));
  const row = $('.row');
  $('.rows').hidden = !panes[0].view.rows || traces[0].rows < 2;
  Object.assign(row, { max: traces[0].rows, value: traces[0].row + 1 });
  $('.rows').append(` of ${traces[0].rows.toLocaleString('en')}`);
  $('.of').textContent = `Inside update ${(traces[0].count + 1).toLocaleString('en')}`;
  row.onchange = () => {
    if (row.checkValidity() && row.value) change(Number(row.value) - 1); else row.value = traces[0].row + 1;
  };
  $('.whole').addEventListener('keydown', (event) => {                   // with these, keys are the browser's
    if (event.ctrlKey || event.metaKey || event.altKey) event.stopPropagation();
  }, { capture: true });
  root.onkeydown = (event) => {
    if (event.target.matches('input, select') || event.defaultPrevented) return;
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by) go(by); else if (event.key === ' ' && !event.target.matches('button, summary')) play(!playing); else return;
    event.preventDefault();
  };
  $('.whole').hidden = false;
  const resize = () => {
    const wide = $('.stages').clientWidth;
    if (!wide || (wide === width && themeOf(root).ground === theme.ground)) return;
    [width, theme] = [wide, themeOf(root)];
    panes.forEach(({ view }) => view.layout(view.stage.clientWidth / largerIn(root)));
    draw(true);
  };
  const sized = new ResizeObserver(resize);
  sized.observe($('.stages'));
  resize();
  show();
  return { lab, resize, stop: () => { playing = false; cancelAnimationFrame(frame); sized.disconnect(); } };
};
