// Time within an update: a strip of its phases, played, stepped and scrubbed. All drawing is a function of the time and
// of the choice, so that going back costs nothing.
//
// A family's module exports view(trace, lab), with
//   seconds    how long each phase is played
//   stage      the element that it draws in
//   picks      [[pick, noun, count, name]] what can be chosen of, for the line "Look at"; lab.chosen is { pick, index }
//   layout(width)                     sets the width
//   draw(i, f, theme)                 draws phase i at its share f
//   icon(ink, i, x, y, side, theme)   draws the phase in the strip; or a text instead of it
//   named(i)                          the phase in a word, for below it, if the family has words for them
//   sum(i)                            the arithmetic of the choice: { title, verdict, blocks } (see `drawSum`)
// lab.home is the subject of an example, if it has one;
// lab.redraw() draws anew, lab.choose({ pick, index }) chooses, lab.still is true if nothing should move.

import { CALM, made, put, styled } from '../draw/elements.js';
import {
  clamp, digitsOf, largerIn, pointedAt, say, sharp, sigmoidAt, themeOf, fixed, waterfall,
} from '../draw/ink.js';
import { mathIn } from '../draw/math.js';

await styled(new URL('./inside.css', import.meta.url));
export const HTML = `<p class="lost" role="status" hidden></p>
<div class="whole" hidden>
  <div class="time">
    <canvas class="strip" aria-hidden="true"></canvas>
    <input class="scrub" type="range" min="0" max="1000" step="1" value="0" aria-label="Time within the update">
    <div class="keys" role="group" aria-label="Play the update">
      <button type="button" class="again">First</button><button type="button" class="before">Step back</button>
      <button type="button" class="play">Play</button><button type="button" class="next">Step</button>
      <label>Speed <select class="speed"><option value="0.5">½</option><option value="1" selected>1</option>
        <option value="2">2</option><option value="4">4</option></select></label>
      <label class="rows">Row <input class="row" type="number" min="1" step="1" inputmode="numeric"></label>
      <span class="of"></span>
    </div>
  </div>
  <div class="narration"><p class="words" aria-live="polite"></p>
    <details class="formula" open><summary hidden>Formula</summary><p class="equation"></p></details></div>
  <section class="pane"><div class="sum"><h2></h2><canvas role="img"></canvas><p class="verdict"></p></div></section>
  <p class="legend">White is on, black is off. Blue is positive, red negative; colour strength is the square root of the
    value, so that small values are visible. Green: the selection. Amber: a random number.</p>
</div>`;

const STRIP = { row: 46, side: 32, bar: 5, words: 16, least: 40 };

// Draw the blocks of a sum, one below the other: { terms, result, field?, u?, digits? } is a waterfall, with the
// sigmoid if there is a field; { height, draw(ink, theme, width, y), text } is anything else.
// part : share of the terms shown by now
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

// makeView : that of the trace's family; change(row) requests another row
// publish : called with { time, playing, speed, chosen } whenever a user has changed one of them
export const playTrace = (root, trace, makeView, change, publish) => {
  root.innerHTML = HTML;
  const $ = (name) => root.querySelector(name), buttons = Object.fromEntries(['again', 'before', 'play', 'next']
    .map((name) => [name, $(`.${name}`)]));
  const lab = { chosen: undefined, redraw: () => draw(true), get still() { return CALM.matches; },
    choose: (chosen) => { if (offers(chosen)) { lab.chosen = chosen; draw(true); publishState(); } } };
  const { phases } = trace, view = makeView(trace, lab), lasts = view.seconds;
  const offers = (chosen) => view.picks.some(([pick]) => pick === chosen?.pick);  // another update may lack units
  $('.pane').prepend(made('div', 'place', {}, view.stage));
  const begins = lasts.map((_, i) => lasts.slice(0, i).reduce((sum, each) => sum + each, 0));
  const total = begins.at(-1) + lasts.at(-1);
  let time = lasts[0] * .98, playing = false, before = 0, spoken, stripped = '', width = 0;
  let theme = themeOf(root), frame, summed, summedFor, terms, shown;

  const publishState = () => publish({ time, playing, speed: $('.speed').value, chosen: lab.chosen });
  const at = (t) => {
    let i = phases.length - 1;
    while (i && begins[i] > t) i--;
    return [i, clamp((t - begins[i]) / lasts[i])];
  };

  const drawStrip = (now) => {
    const key = `${now} ${width} ${devicePixelRatio} ${theme.ground}`;
    if (key === stripped) return;
    stripped = key;
    const canvas = $('.strip'), wide = canvas.clientWidth;
    const ink = sharp(canvas, wide, STRIP.row + (view.named ? STRIP.words : 0));
    phases.forEach((_, i) => {
      const x = wide * begins[i] / total, w = wide * lasts[i] / total;
      ink.globalAlpha = i === now ? 1 : .4;
      ink.fillStyle = theme.text;
      ink.fillRect(x + 1, STRIP.side + 6, Math.max(w - 2, 1), STRIP.bar);
      ink.globalAlpha = 1;
      const side = Math.min(w - 4, STRIP.side);
      const text = w > 14 && view.icon(ink, i, x + (w - side) / 2, 2, side, theme);
      const how = { size: 12, align: 'center', colour: theme.soft };
      if (text && w > 22) say(ink, theme, text, x + w / 2, 18, how);
      if (!view.named || w <= STRIP.least) return;
      say(ink, theme, view.named(i), x + w / 2, STRIP.row + 6, { ...how, room: w - 4 });
    });
  };
  const drawSummed = (i, f, fresh) => {
    const { pick, index } = lab.chosen, [head, canvas, below] = $('.sum').children, of = `${i} ${pick} ${index}`;
    if (fresh || of !== summedFor) {
      summed = view.sum(i);
      const { title, verdict, blocks } = summed;
      [summedFor, shown, terms] = [of, '', Math.max(1, ...blocks.map((each) => each.terms?.length ?? 0))];
      put(head, title);
      put(below, verdict);
      const words = blocks.flatMap(({ terms = [], result, text, digits = printed(terms) }) => {
        const all = terms.length ? [{ name: result, value: terms.reduce((so, { value }) => so + value, 0) }] : [];
        return [...[...terms, ...all].map(({ name, value }) => `${name} ${fixed(value, digits)}`), text];
      });
      canvas.setAttribute('aria-label', `${trace.learner}: ${title}. ${words.filter(Boolean).join(', ')}`);
    }
    const part = playing && !lab.still ? Math.min(1, Math.ceil(terms * f / .5) / terms) : 1;
    const key = `${part} ${width} ${devicePixelRatio} ${theme.ground}`;
    if (key === shown) return;
    shown = key;
    drawSum(canvas, summed.blocks, theme, part);
  };
  function draw(fresh = false) {
    if (!width) return;
    const [i, f] = at(time), { equation, kind, words } = phases[i], scrub = $('.scrub');
    view.draw(i, f, theme);
    drawSummed(i, f, fresh);
    drawStrip(i);
    scrub.value = Math.round(1_000 * time / total);
    if (spoken !== i) {
      spoken = i;
      scrub.setAttribute('aria-valuetext', `Phase ${i + 1} of ${phases.length}: ${words}`);
      $('.words').textContent = words;
      mathIn($('.equation'), equation);
      Object.assign(root.dataset, { phase: i, kind, phases: phases.length });
    }
  }

  const show = () => {
    const [i, f] = at(time), over = time >= total - .01, focused = $('.keys button:focus');
    buttons.play.textContent = playing ? 'Pause' : over ? 'Replay' : 'Play';
    buttons.before.disabled = buttons.again.disabled = !i && !playing;
    buttons.next.disabled = i === phases.length - 1 && f > .97;
    if (focused?.disabled) $('.scrub').focus({ preventScroll: true });   // keys continue there
    $('.words').setAttribute('aria-live', playing ? 'off' : 'polite');
  };
  const tick = (stamp) => {
    if (!playing || !root.isConnected) return;
    time += before ? Math.min((stamp - before) / 1_000, .1) * Number($('.speed').value) : 0;
    before = stamp;
    if (time >= total) { time = total - 1e-3; playing = false; show(); publishState(); }
    const [i] = at(time), real = time;
    if (!lab.still) draw();
    else if (i !== spoken || !playing) {                            // each phase when it ends, and nothing between
      time = begins[i] + lasts[i] * .98;
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
  // Go to the end of a phase, at which all of it is visible.
  const end = (i) => { seek(i === phases.length - 1 ? total : begins[i] + lasts[i] * .98); publishState(); };
  const go = (by) => {
    const [i, f] = at(time), to = clamp(i + (by > 0 && f < .97 ? 0 : by), 0, phases.length - 1);
    end(to);
  };
  buttons.play.onclick = () => {
    play(!playing);
    publishState();
    const below = $('.place').getBoundingClientRect().bottom > innerHeight;
    if (playing && below) $('.whole').scrollIntoView({ block: 'start', behavior: lab.still ? 'auto' : 'smooth' });
  };
  buttons.again.onclick = () => end(0);
  buttons.before.onclick = () => go(-1);
  buttons.next.onclick = () => go(1);
  $('.scrub').oninput = () => { seek(total * $('.scrub').value / 1_000); publishState(); };
  $('.speed').onchange = publishState;
  $('.scrub').onkeydown = (event) => {             // keys move by phases
    const i = at(time)[0], last = phases.length - 1, by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1,
      PageDown: -5, PageUp: 5 }[event.key], to = { Home: 0, End: last }[event.key] ?? (by && clamp(i + by, 0, last));
    if (to === undefined) return;
    end(to);
    event.preventDefault();
  };
  // Phase at a pointer in the strip.
  const inStrip = (event) => at(total * clamp(pointedAt(event)[0] / $('.strip').clientWidth))[0];
  $('.strip').onpointermove = (event) => { $('.strip').title = phases[inStrip(event)].words; };
  $('.strip').onclick = (event) => end(inStrip(event));
  const row = $('.row');
  $('.rows').hidden = !view.rows || trace.rows < 2;
  Object.assign(row, { max: trace.rows, value: trace.row + 1 });
  $('.rows').append(` of ${trace.rows.toLocaleString('en')}`);
  $('.of').textContent = `Inside update ${(trace.count + 1).toLocaleString('en')}`;
  row.onchange = () => {
    if (row.checkValidity() && row.value) change(Number(row.value) - 1); else row.value = trace.row + 1;
  };
  $('.whole').addEventListener('keydown', (event) => {                   // with these keys belong to the browser
    if (event.ctrlKey || event.metaKey || event.altKey) event.stopPropagation();
  }, { capture: true });
  root.onkeydown = (event) => {
    if (event.target.matches('input, select') || event.defaultPrevented) return;
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by) go(by); else if (event.key === ' ' && !event.target.matches('button, summary')) buttons.play.click(); else return;
    event.preventDefault();
  };
  $('.whole').hidden = false;
  const resize = () => {
    const wide = $('.pane').clientWidth;
    if (!wide || (wide === width && themeOf(root).ground === theme.ground)) return;
    [width, theme] = [wide, themeOf(root)];
    view.layout(view.stage.clientWidth / largerIn(root));
    draw(true);
  };
  const sized = new ResizeObserver(resize);
  sized.observe($('.pane'));
  resize();
  show();
  const follow = (state) => {
    if (offers(state.chosen)) lab.chosen = state.chosen;
    $('.speed').value = state.speed;
    seek(state.time);
    if (state.playing) play(true);
  };
  return { lab, resize, follow, stop: () => { playing = false; cancelAnimationFrame(frame); sized.disconnect(); } };
};
