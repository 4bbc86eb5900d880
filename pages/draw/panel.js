// Panels: one place of a frame, drawn in place of what was there.

import { drawChart, leaveChart, PLOT } from './chart.js';
import { explainBy, made, put } from './elements.js';
import { drawLight } from './light.js';
import { drawStates, leaveStates } from './states.js';
import { drawTable } from './table.js';

const minus = (number) => `\u2212${number}`;

const swap = (host, next) => {                    // decoded before it is shown: nothing is blank in between
  const turn = host.turn = (host.turn ?? 0) + 1, before = host.querySelector('img.drawn');
  if (!before) { host.shown = turn; return host.append(next); }
  if (before.src === next.src) { host.shown = turn; return before.alt = next.alt; }
  next.decode().catch(() => {}).then(() => {
    if (turn < host.shown || !host.isConnected) return;                  // a newer one was decoded earlier
    host.shown = turn;
    host.querySelector('img.drawn').replaceWith(next);
  });
};

const picked = ({ columns, lines, values }, { target, clientX, clientY }) => {
  const { left, top, width, height } = target.getBoundingClientRect();
  const at = (from, size, count) => Math.min(count - 1, Math.max(0, Math.floor((from / size) * count)));
  const place = at(clientY - top, height, lines) * columns + at(clientX - left, width, columns);
  return values.length ? values[place] : String(place);
};

// Over the picture, which does not know the colour of the text.
export const frameTile = (sheet, pick) => {
  const { values, value } = pick ?? {}, at = !value ? -1 : values.length ? values.indexOf(value) : Number(value);
  const frame = sheet.querySelector('.chosen') ?? made('div', 'chosen');
  if (at < 0) return frame.remove();
  const { columns, lines } = pick, place = (of, count) => `${100 * of / count}%`;
  Object.assign(frame.style, { width: place(1, columns), height: place(1, lines), left: place(at % columns, columns),
    top: place(Math.floor(at / columns), lines) });
  sheet.append(frame);
};

const drawPicture = (host, picture, choose) => {
  const { src, alt, width, height, caption, limit, pick } = picture;
  const words = host.querySelector('figcaption') ?? host.appendChild(made('figcaption', ''));
  put(words, caption); words.hidden = !caption;
  const sheet = host.querySelector('.sheet') ?? host.appendChild(made('div', 'sheet'));
  swap(sheet, Object.assign(made('img', 'drawn', { decoding: 'sync' }), { src, alt, width, height }));
  host.classList.toggle('picks', !!pick);
  host.pick = pick;
  frameTile(sheet, pick);
  host.onclick = (event) => {                                          // for a keyboard the choice offers the same
    const value = pick && event.target.matches('img.drawn') ? picked(pick, event) : undefined;
    if (value !== undefined) choose(pick.name, value);
  };
  host.querySelector('.scale')?.remove();
  if (limit == null) return;
  const [low, high] = [made('span', '', { textContent: minus(limit) }), made('span', '', { textContent: limit })];
  const bar = made('span', 'bar', { role: 'img',
    ariaLabel: `Colour scale from minus ${limit} in red over zero in white to ${limit} in blue.` });
  const line = host.appendChild(made('div', 'scale'));
  line.append(low, bar, high);
};

const drawPictures = (cell, panel, choose) => {
  const body = cell.querySelector('.body');
  panel.pictures.forEach((picture, i) => {
    const host = body.children[i] ?? body.appendChild(made('figure', ''));
    drawPicture(host, picture, choose);
  });
  while (body.children.length > panel.pictures.length) body.lastChild.remove();
};

const drawChoices = (head, choices, choose) => {
  const host = head.querySelector('.choices'), lists = host.querySelectorAll('select');
  const offered = JSON.stringify(choices.map(({ name, title, options, kept }) => [name, title, options, kept]));
  if (host.offered === offered) return choices.forEach(({ value }, i) => { lists[i].value = value; });
  host.offered = offered;
  while (host.children.length > choices.length) host.lastChild.remove();
  choices.forEach(({ name, title, options, value, kept }, i) => {          // in place, so that one that is open stays
    const label = host.children[i] ?? host.appendChild(made('label', '', {}, made('span', ''), made('select', '')));
    const [words, list] = label.children;
    words.textContent = title;
    Object.assign(list, { name, disabled: !!kept, ariaLabel: title, onchange: () => choose(name, list.value) });
    while (list.length > options.length) list.lastChild.remove();
    options.forEach(([each, text], k) => {
      const option = list.options[k] ?? list.appendChild(made('option', ''));
      if (option.value === each && option.textContent === text) return;
      Object.assign(option, { value: each, textContent: text });
    });
    list.value = value;
  });
};

const drawAbout = (cell, { title, about }) => {
  const button = cell.querySelector('.about');
  button.hidden = !about;
  button.setAttribute('aria-label', `What is this: ${title}`);
  if (about) explainBy(button, title, about);
};

const PANEL = `<div class="head"><p class="title"><strong></strong><span class="rest"></span>
  <button class="about" type="button">?</button></p><div class="choices"></div></div>
  <p class="lab-light" hidden></p><div class="body"></div><p class="lab-note"></p>`;
export const panelOf = (key) => {
  const cell = made('section', 'panel', { innerHTML: PANEL });
  cell.dataset.key = key;
  sight.observe(cell);
  return cell;
};

const SELDOM = 1_000;                             // ms between two drawings of what is out of sight
const sight = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    target.outOfSight = !isIntersecting;
    if (isIntersecting) target.waiting?.();
  }
}, { rootMargin: '200px' });

export const drawPanel = (cell, panel, version, live) => {
  if (cell.wanted === panel) return;
  cell.wanted = panel;
  const now = () => {
    clearTimeout(cell.later);
    cell.waiting = undefined;
    cell.drawnAt = performance.now();
    if (cell.isConnected) drawNow(cell, cell.wanted, version, live);
  };
  const left = cell.outOfSight && cell.drawn ? SELDOM - (performance.now() - cell.drawnAt) : 0;
  if (left <= 0) return now();
  cell.waiting = now;
  clearTimeout(cell.later);
  cell.later = setTimeout(now, left);
};

const drawNow = (cell, panel, version, live) => {
  cell.drawn = panel;
  const { title, rest, below, choices, chart, pictures, table, states } = panel, body = cell.querySelector('.body');
  cell.querySelector('strong').textContent = title;
  put(cell.querySelector('.rest'), rest);
  put(cell.querySelector('.lab-note'), below);
  cell.querySelector('.lab-note').hidden = !below;
  cell.querySelector('.head').hidden = !title;
  drawAbout(cell, panel);
  drawLight(cell.querySelector('.lab-light'), panel.light);
  drawChoices(cell.querySelector('.head'), choices, live.choose);
  const kind = chart ? 'chart' : pictures ? 'pictures' : table ? 'table' : states ? 'states' : 'none';
  if (cell.dataset.kind !== kind) { leaveDrawn(cell); body.replaceChildren(); cell.dataset.kind = kind; }
  body.classList.toggle('abreast', !!panel.abreast);
  body.classList.toggle('even', !!panel.even);
  if (pictures) drawPictures(cell, panel, live.choose);
  if (table) drawTable(cell, title, table);
  if (states) drawStates(body.firstChild ?? body.appendChild(made('div', 'states')), panel);
  if (!chart) return;
  const host = body.firstChild ?? body.appendChild(made('div', 'lab-plot', { innerHTML: PLOT }));
  drawChart(host, chart, version);
};

const leaveDrawn = (place) => {
  place.querySelectorAll('.lab-plot').forEach(leaveChart);
  place.querySelectorAll('.states').forEach(leaveStates);
};
export const leavePanels = (place) => {
  for (const cell of place.matches('.panel') ? [place] : place.querySelectorAll('.panel')) {
    clearTimeout(cell.later);
    sight.unobserve(cell);
    leaveDrawn(cell);
  }
};
