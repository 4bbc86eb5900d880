// Frames: figures, the curve, the panels next to it and below: each with a chart, pictures, a table or states.

import { CHARTS, PLOT, drawChart, leaveChart, plot } from './chart.js';
import { csvFile, explainBy, made, put, saved, styled } from './elements.js';
import { drawLight } from './light.js';
import { drawPictures } from './picture.js';
import { drawStates, leaveStates, redrawStates } from './states.js';
import { drawTable } from './table.js';
import { drawTerrain, leaveTerrain } from './terrain.js';

await styled(new URL('./live.css', import.meta.url), new URL('./states.css', import.meta.url));
export const HTML = `<p class="unseen aloud" role="status"></p>
<p class="lost" hidden></p>
<div class="film" role="group" aria-label="Step through" hidden>
  <button type="button">First</button><button type="button">Back</button><button type="button">Step</button>
  <button type="button" class="play">Play</button><input type="range" aria-label="Position" step="1">
</div>
<dl class="lab-figures"></dl>
<p class="lab-waits" hidden><span class="what"></span><span class="progress"></span></p>
<p class="lab-light" hidden></p>
<div class="back" role="group" aria-label="Look back at the training" hidden>
  <span class="name" aria-hidden="true">Look back</span><input type="range" aria-label="Look back" min="0" step="1">
  <span class="where"></span><button type="button">Now</button>
</div>
<p class="conclusion" hidden></p>
<div class="stage"><div class="curve"></div><div class="beside"></div></div>
<div class="lab-lines"></div>
<div class="below-rows"></div>`;

const nameFigure = (place, name, about) => {       // a button if there is an explanation
  if (!!about !== !!place.firstElementChild) {
    place.replaceChildren(...(about ? [made('button', 'term', { type: 'button' })] : []));
  }
  const named = place.firstElementChild ?? place;
  put(named, name);
  if (about) explainBy(named, name, about);
};

const FIGURE = '<dt></dt><dd> <small></small></dd>';
// when : the time of a figure that was measured earlier; old : whether that is long ago
const drawFigures = (list, figures, old = false) => {
  figures.forEach(([name, value, about, when], i) => {
    const place = list.children[i] ?? list.appendChild(made('div', '', { innerHTML: FIGURE }));
    const [text, age] = place.lastChild.childNodes, at = when ? ` ${when}` : '';
    nameFigure(place.firstChild, name, about);
    if (text.data !== value) text.data = value;
    put(age, at);
    place.classList.toggle('old', Boolean(when && old));
  });
  while (list.children.length > figures.length) list.lastChild.remove();
};

// Panels: each has one place of a frame, and replaces the previous content.

const drawChoices = (head, choices, choose) => {
  const host = head.querySelector('.choices'), lists = host.querySelectorAll('select');
  const offered = JSON.stringify(choices.map(({ name, title, options, kept }) => [name, title, options, kept]));
  if (host.offered === offered) return choices.forEach(({ value }, i) => { lists[i].value = value; });
  host.offered = offered;
  while (host.children.length > choices.length) host.lastChild.remove();
  choices.forEach(({ name, title, options, value, kept }, i) => {          // in place, so that an open one stays open
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
  <p class="lab-light" hidden></p><div class="body"></div><p class="lab-note"></p>
  <button class="save" type="button" hidden>Save as CSV</button>`;
const panelOf = (key) => {
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

const drawPanel = (cell, panel, version, live) => {
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
  const { title, rest, below, choices, chart, pictures, table, states, terrain } = panel, body = cell.querySelector('.body');
  cell.querySelector('strong').textContent = title;
  put(cell.querySelector('.rest'), rest);
  put(cell.querySelector('.lab-note'), below);
  cell.querySelector('.lab-note').hidden = !below;
  cell.querySelector('.head').hidden = !title;
  drawAbout(cell, panel);
  const save = cell.lastElementChild;
  Object.assign(save, { hidden: !panel.csv, ariaLabel: `Save as CSV: ${title}` });
  save.onclick = () => saved(`${cell.dataset.key}.csv`, csvFile(panel.csv));
  drawLight(cell.querySelector('.lab-light'), panel.light);
  drawChoices(cell.querySelector('.head'), choices, live.choose);
  const kind = chart ? 'chart' : pictures ? 'pictures' : table ? 'table' : states ? 'states' : terrain ? 'terrain' : 'none';
  if (cell.dataset.kind !== kind) { leaveDrawn(cell); body.replaceChildren(); cell.dataset.kind = kind; }
  body.classList.toggle('abreast', !!panel.abreast);
  body.classList.toggle('even', !!panel.even);
  if (pictures) drawPictures(cell, panel, live.choose);
  if (table) drawTable(cell, title, table);
  if (states) drawStates(body.firstChild ?? body.appendChild(made('div', 'states')), panel);
  if (terrain) drawTerrain(body.firstChild ?? body.appendChild(made('div', 'terrain')), panel);
  if (!chart) return;
  const host = body.firstChild ?? body.appendChild(made('div', 'lab-plot', { innerHTML: PLOT }));
  drawChart(host, chart, version);
};

const leaveDrawn = (place) => {
  place.querySelectorAll('.lab-plot').forEach(leaveChart);
  place.querySelectorAll('.states').forEach(leaveStates);
  place.querySelectorAll('.terrain').forEach(leaveTerrain);
};
export const leavePanels = (place) => {
  for (const cell of place.matches('.panel') ? [place] : place.querySelectorAll('.panel')) {
    clearTimeout(cell.later);
    sight.unobserve(cell);
    leaveDrawn(cell);
  }
};

const drawRow = (row, numbers, parts, version, live) => {
  const there = new Set(numbers.map((n) => parts[n].key));
  for (const cell of [...row.children]) if (!there.has(cell.dataset.key)) { leavePanels(cell); cell.remove(); }
  numbers.forEach((n, i) => {
    const { key } = parts[n];
    const cell = [...row.children].find((each) => each.dataset.key === key) ?? panelOf(key);
    if (row.children[i] !== cell) row.insertBefore(cell, row.children[i] ?? null);
    drawPanel(cell, parts[n], version, live);
  });
};

const CHARACTER = 9, GAP = 12;                    // pixels of a bold character, and between two columns
const PHONE = matchMedia('(max-width: 640px)');
const drawLines = (host, lines) => {
  host.lines = lines;
  const again = (i, j) => lines[i].figures[j][0] === lines[i - 1]?.figures[j]?.[0];
  lines.forEach(({ colour, dash, figures }, i) => {
    const line = host.children[i] ?? host.appendChild(made('dl', 'lab-compare'));
    line.style.setProperty('--hue', colour); line.dataset.dash = dash;
    // an invisible one is no button
    drawFigures(line, figures.map((each, j) => again(i, j) ? [...each.slice(0, 2), ''] : each));
  });
  const columns = Math.max(1, ...lines.map(({ figures }) => figures.length));
  // On a phone all but the names stand side by side, or in two columns if that is too wide; if there is room for the
  // names, each has one row.
  const widths = [...Array(columns).keys()].map((j) => Math.max(...lines.map(({ figures }) =>
    Math.max(figures[j]?.[1].length ?? 0, ...(figures[j]?.[0] ?? '').split(' ').map((word) => .8 * word.length)))));
  const wide = (from) => widths.slice(from).reduce((sum, width) => sum + CHARACTER * width + GAP, GAP);
  const fit = wide(1) < host.clientWidth;
  host.classList.toggle('rows', wide(0) < host.clientWidth);
  host.style.setProperty('--columns', columns);
  host.style.setProperty('--few', fit ? Math.max(1, columns - 1) : 2);
  // A column has its heading once; two columns on a phone count as none.
  const once = fit || !PHONE.matches;
  lines.forEach(({ figures }, i) => figures.forEach((_, j) =>
    host.children[i].children[j].firstChild.classList.toggle('unseen', once && again(i, j))));
  while (host.children.length > lines.length) host.lastChild.remove();
};

// Draw the wait, counting its seconds on between frames; the time left is hidden if both do not fit.
const LATE = 10_000;                              // ms without a message that end a count
const LONG = 100, MOMENT = 1;                     // seconds: shown as minutes; too few to show
const seconds = (s) => s < LONG ? `${s} s` : `${Math.floor(s / 60)} min ${s % 60} s`;
export const drawWaits = ({ root, waits, heard }) => {
  const line = root.querySelector('.lab-waits');
  line.hidden = !waits;
  if (!waits) return;
  const { wait, progress, at } = waits, late = performance.now() - heard > LATE;
  const so = wait ? wait.seconds + (performance.now() - at) / 1_000 : 0, about = Math.round(wait?.about ?? 0);
  const gone = Math.floor(so), of = so < about ? `of about ${about < LONG ? about : seconds(about)}` : 'so far';
  const counted = so >= MOMENT && !late ? `${wait.what}: ${seconds(gone)} ${of}` : '';
  const texts = { what: counted, progress: late ? '' : progress };
  for (const [name, text] of Object.entries(texts)) put(line.querySelector(`.${name}`), text);
};

// Make a list that scrolls reachable by keyboard.
const reach = (list) => { if (PHONE.matches) list.tabIndex = 0; else list.removeAttribute('tabindex'); };
PHONE.addEventListener('change', () => {
  document.querySelectorAll('.lab-figures').forEach(reach);
  document.querySelectorAll('.lab-lines').forEach((host) => { if (host.lines) drawLines(host, host.lines); });
});
export const drawStanding = (root, frame, parts, live) => {   // cheap, and the response to a click
  const list = root.querySelector('.lab-figures'), conclusion = root.querySelector('.conclusion');
  const { run, status, count, records } = frame;
  const abouts = parts[frame.abouts];
  drawFigures(list, frame.figures.map(([name, value, when], i) => [name, value, abouts?.[i] ?? '', when]), frame.old);
  list.hidden = !frame.figures.length;
  reach(list);
  drawLight(root.querySelector('.lab-light'), frame.light);
  if (run) Object.assign(list.dataset, { run, status, count, records, version: versionOf(frame) });
  put(conclusion, frame.summary); conclusion.hidden = !frame.summary || live.data.mine;
};

export const drawPanels = (root, frame, parts, live) => {
  const below = root.querySelector('.below-rows'), stage = root.querySelector('.stage'), version = versionOf(frame);
  stage.classList.toggle('alone', !frame.beside.length);
  drawRow(stage.querySelector('.curve'), frame.curve == null ? [] : [frame.curve], parts, version, live);
  drawRow(stage.querySelector('.beside'), frame.beside, parts, version, live);
  drawLines(root.querySelector('.lab-lines'), frame.lines);
  frame.below.forEach((numbers, i) => {
    const row = below.children[i] ?? below.appendChild(made('div', 'row'));
    drawRow(row, numbers, parts, version, live);
  });
  while (below.children.length > frame.below.length) { leavePanels(below.lastChild); below.lastChild.remove(); }
  root.dataset.version = version;
  root.style.minHeight = 0;
};

const versionOf = (frame) => Number(frame.version.split('-')[1]);

// Redraw everything in the colours of the theme if the theme has changed since the last call.
const GROUNDS = new WeakMap();
export const followTheme = (root) => {
  const ground = getComputedStyle(root).getPropertyValue('--st-background-color'), before = GROUNDS.get(root);
  GROUNDS.set(root, ground);
  if (before === undefined || before === ground) return;
  root.querySelectorAll('.lab-plot').forEach((host) => { if (CHARTS.has(host) && window.Plotly) plot(host); });
  root.querySelectorAll('.states').forEach(redrawStates);
};
