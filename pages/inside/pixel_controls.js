// What is done to why a pixel is on, by mouse, finger and keys: pixels, iterations, ways to infer. Before anything was
// answered there is nothing to step through.

import { CALM, made, put } from '../draw/elements.js';
import { goAlong } from '../stream/film.js';
import { clamp, pointedAt } from '../draw/ink.js';
import { wayOf } from './pixel_numbers.js';
import { COLUMNS, KINDS } from './pixel_texts.js';

const ARROWS = { ArrowUp: [0, -1, '▲', 'up'], ArrowLeft: [-1, 0, '◀', 'left'], ArrowRight: [1, 0, '▶', 'right'],
  ArrowDown: [0, 1, '▼', 'down'] };
const PANE = `<p class="about note"></p>
  <div class="look"><canvas class="image" tabindex="0" role="application"></canvas></div>
  <div class="sum"><p class="title"></p><canvas role="img"></canvas><p class="verdict"></p></div>`;

const smoothly = (block) => ({ block, behavior: CALM.matches ? 'auto' : 'smooth' });

// lab.draw() draws anew, lab.load() asks for what is to be seen now
export const controlsOf = (lab, group) => {
  const { root } = lab, $ = (name) => root.querySelector(name);

  // -- pixels --
  const choose = (pixel) => { lab.pixel = pixel; lab.draw(); lab.load(); };
  const goTo = (key) => {
    const [x, y] = ARROWS[key], [q, r] = [lab.pixel % COLUMNS + x, Math.floor(lab.pixel / COLUMNS) + y];
    choose(clamp(r, 0, COLUMNS - 1) * COLUMNS + clamp(q, 0, COLUMNS - 1));
  };
  const arrowsOf = () => {
    const arrow = ([key, [,, textContent, name]]) =>
      made('button', '', { type: 'button', textContent, ariaLabel: `One pixel ${name}`, onclick: () => goTo(key) });
    const arrows = made('div', 'arrows', { ariaLabel: 'Choose a pixel' }, ...Object.entries(ARROWS).map(arrow));
    arrows.setAttribute('role', 'group');
    return arrows;
  };
  const newPane = () => {
    const pane = made('section', 'pane', { innerHTML: PANE }), image = pane.querySelector('.image');
    image.onpointerdown = (event) => {
      const at = (from) => clamp(Math.floor(from / image.clientWidth * COLUMNS), 0, COLUMNS - 1);
      const [column, line] = pointedAt(event).map(at);
      choose(line * COLUMNS + column);
    };
    image.onkeydown = (event) => {
      if (!ARROWS[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
      goTo(event.key);
      event.preventDefault();
    };
    image.after(arrowsOf());
    return pane;
  };

  // -- iterations --
  const halt = () => { clearInterval(lab.playing); lab.playing = undefined; };
  const seek = (at, leads = true) => {
    lab.at = at;
    if (leads) along.lead(at);
    if ($('.whole').hidden) return;
    lab.draw();
  };
  const turnTo = (at) => { if (lab.shown) { halt(); seek(at); } };
  const play = () => {
    if (!lab.shown) return;
    if (lab.playing) { halt(); lab.draw(); return; }
    if (lab.at >= lab.shown.head.last) seek(1);
    lab.playing = setInterval(() => {
      if (!root.isConnected || !lab.shown) { halt(); return; }
      const { last } = lab.shown.head;
      if (lab.at + 1 >= last) halt();
      seek(Math.min(lab.at + 1, last));
    }, lab.data.every);
    lab.draw();
  };
  const drawKeys = () => {
    const { last } = lab.shown.head, slider = $('.keys input'), { at } = lab, focused = $('.keys button:focus');
    Object.assign(slider, { max: last, value: Math.min(at, last), disabled: last === 1 });
    slider.setAttribute('aria-valuetext', `Iteration ${Math.min(at, last)} of ${last}`);
    $('.first').disabled = $('.back').disabled = at <= 1; $('.step').disabled = at >= last;
    $('.play').disabled = last === 1; $('.play').hidden = CALM.matches;
    put($('.play'), lab.playing ? 'Pause' : 'Play');
    if (focused?.disabled) slider.focus();
    for (const button of root.querySelectorAll('.ways button')) button.ariaPressed = String(button.pressed());
  };

  // -- ways --
  const drawWays = () => {
    const { data } = lab, { model, kind } = data.ways[lab.way];
    const models = [...new Set(data.ways.map((way) => way.model))];
    const now = () => data.ways[lab.way];
    const button = (textContent, pressed, to) => {
      const onclick = () => {
        lab.way = to();
        drawWays();
        [...root.querySelectorAll('.ways button')].find((each) => each.textContent === textContent)?.focus();
        lab.load();
      };
      return made('button', '', { type: 'button', textContent, pressed, onclick, ariaPressed: String(pressed()) });
    };
    const kinds = Object.keys(KINDS).filter((each) => wayOf(data, model, each) >= 0);
    const some = models.length < 2 ? [] : models.map((each) => button(each, () => now().model === each, () => {
      const same = wayOf(data, each, kind);
      return same < 0 ? data.ways.findIndex((way) => way.model === each) : same;
    }));
    $('.ways').replaceChildren(...some, ...kinds.map((each) => button(KINDS[each][0],
      () => now().kind === each, () => wayOf(data, model, each))));
  };

  const show = () => {
    $('.asks').hidden = true;
    $('.whole').hidden = false;
    root.style.minHeight = 0;
    return lab.load();
  };
  const along = goAlong(group, { follow: (at) => { halt(); seek(at, false); }, choose: (name, value) => {
    const key = name.split(' ')[1], way = lab.data.ways.findIndex((each) => each.key === key);
    if (way >= 0 && way !== lab.way) { lab.way = way; drawWays(); }
    lab.pixel = Number(value);
    show().then(() => root.scrollIntoView(smoothly('start')));
  } });
  $('.ask').onclick = () => show().then(() => $('.image')?.focus({ preventScroll: true }));
  $('.first').onclick = () => turnTo(1);
  $('.back').onclick = () => { if (lab.shown) turnTo(Math.max(1, Math.min(lab.at, lab.shown.head.last) - 1)); };
  $('.step').onclick = () => turnTo(lab.at + 1);
  $('.keys input').oninput = ({ target }) => turnTo(Number(target.value));
  $('.play').onclick = play;
  return { along, halt, newPane, drawKeys, drawWays };
};
