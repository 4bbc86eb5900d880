// Charts: a Plotly figure drawn in place, so that zoom and legend stay while the data change.

import { bytesOf, made, saved } from './elements.js';
import { largerIn } from './ink.js';

const SCRIPT = '../plotly.min.js', AS_TEXT = 'text';     // things with this meta have the colour of the text
const NARROW = 480;
export const HERE = 'here';                              // the line at the update that the page looks back at
const TICKS = 48, TITLE = 14;                     // pixels of the numbers of an axis, and of its title
export const CHARTS = new WeakMap();                     // state of a chart between drawings
export const PLOT = `<div class="chart" role="img"></div><p class="wait">Drawing&hellip;</p>
  <div class="corner"><button class="file" type="button">PNG</button><button class="file" type="button">SVG</button
  ><button class="fit" type="button" aria-pressed="false">Fit</button></div>`;

let library;
const plotly = () => library ??= window.Plotly ? Promise.resolve(window.Plotly) : new Promise((done, failed) => {
  const { href: src } = new URL(SCRIPT, import.meta.url), onload = () => done(window.Plotly);
  document.head.append(made('script', '', { src, onload, onerror: failed }));
});

// Plotly's first drawing takes several times as long as the next ones: do it while no one waits for it.
export const practise = () => plotly().then((Plotly) => {
  const off = made('div', '');
  Plotly.newPlot(off, [{ x: [0, 1], y: [0, 1] }], { width: 300, height: 200 }).then(() => Plotly.purge(off));
});

// Size of a chart, in the pixels that it is drawn with.
const roomIn = (host) => {
  const larger = largerIn(host);
  return { width: host.clientWidth / larger, height: host.clientHeight / larger };
};
const WHITE = { text: '#1B1F24', ground: '#FFFFFF', line: '#C8CCD0' };   // of a file, in any theme
const CHARACTER = .55;                            // of an average letter, in sizes of the font

// Break a title of the vertical axis that is longer than the axis into two lines.
const foldTitle = ({ yaxis, margin, font }, height) => {
  const { text } = yaxis?.title ?? {}, size = 1.2 * font.size;
  if (!text || !margin || text.length * CHARACTER * size < height - (margin.t ?? 0) - (margin.b ?? 0)) return;
  const spaces = [...text.matchAll(/ /g)].map(({ index }) => index), middle = text.length / 2;
  if (!spaces.length) return;
  const at = spaces.reduce((best, each) => Math.abs(each - middle) < Math.abs(best - middle) ? each : best);
  yaxis.title.text = `${text.slice(0, at)}<br>${text.slice(at + 1)}`;
  margin.l += 1.5 * size;
  yaxis.title.standoff += size;
};
// Return the figure of a chart in these colours, for a room of this size.
const figureIn = ({ chart, fit }, { text, ground, line }, family, { width, height }) => {
  const { layout, data: traces } = structuredClone(chart.figure), narrow = width < NARROW;
  layout.paper_bgcolor = layout.plot_bgcolor = 'rgba(0,0,0,0)';
  layout.font = { size: 13, ...layout.font, color: text, family };
  layout.hoverlabel = { bgcolor: ground, bordercolor: line, font: { color: text, family } };
  for (const { name, line: drawn } of layout.shapes ?? []) if (name === HERE) drawn.color = text;
  for (const { meta, marker } of traces) if (meta === AS_TEXT) marker.line.color = text;
  layout.autosize = true; delete layout.width; delete layout.height;
  if (matchMedia('(pointer: coarse)').matches) layout.dragmode = false;   // a finger scrolls the page
  for (const name of Object.keys(layout).filter((n) => fit && /^[xy]axis/.test(n))) {
    layout[name].autorange = true; delete layout[name].range;
  }
  if (narrow) {
    if (layout.yaxis?.title?.text && layout.margin?.l > TICKS) {              // the panel's own title says it
      delete layout.yaxis.title;
      layout.margin.l -= TITLE;
    }
    if (layout.xaxis.title) layout.xaxis.title.font = { size: layout.font.size };        // else 1.2 times as large
    const { nticks = 4, type } = layout.xaxis;
    if (type !== 'category') Object.assign(layout.xaxis, { nticks, tickangle: 0 });
  }
  foldTitle(layout, height);
  layout.uirevision = `${layout.uirevision ?? ''}${fit}`;
  return { traces, layout };
};
export const plot = (host) => {
  const kept = CHARTS.get(host), room = roomIn(host), style = getComputedStyle(host);
  const css = (name) => style.getPropertyValue(name).trim();
  const theme = { text: css('--st-text-color'), ground: css('--st-background-color'), line: css('--st-border-color') };
  const { traces, layout } = figureIn(kept, theme, css('--st-font'), room);
  kept.narrow = room.width < NARROW;
  window.Plotly.react(host.querySelector('.chart'), traces, layout, { displayModeBar: false, showTips: false });
  host.dataset.version = kept.version;
};

// Save the chart as a file, as it is seen but on white, in a room that fits its labels.
const TYPES = { png: 'image/png', svg: 'image/svg+xml' }, LEAST = { width: 640, height: 400 };
const save = async (host, format) => {
  const seen = host.querySelector('.chart'), room = roomIn(host);
  const [width, height] = ['width', 'height'].map((side) => Math.max(LEAST[side], room[side]));
  const { traces, layout } = figureIn(CHARTS.get(host), WHITE, 'sans-serif', { width, height });
  layout.paper_bgcolor = WHITE.ground;
  for (const [axis, { range }] of Object.entries(seen.layout)) {                          // as it is zoomed
    if (range && /^[xy]axis/.test(axis)) Object.assign(layout[axis], { range: [...range], autorange: false });
  }
  for (const [i, { visible }] of seen.data.entries()) if (visible !== undefined) traces[i].visible = visible;
  const how = { format, width, height, scale: format === 'png' ? 3 : 1, imageDataOnly: true };
  const image = await window.Plotly.toImage({ data: traces, layout }, how);
  saved(`${host.closest('.panel').dataset.key}.${format}`, new Blob([format === 'png' ? bytesOf(image) : image], { type: TYPES[format] }));
};

export const drawChart = (host, chart, version) => {
  const first = !CHARTS.has(host), kept = first ? { fit: false } : CHARTS.get(host);
  CHARTS.set(host, Object.assign(kept, { chart, version }));
  host.style.height = `calc(${chart.height}px * var(--lab-larger, 1))`;
  const drawn = host.querySelector('.chart'), fit = host.querySelector('.fit');
  drawn.setAttribute('aria-label', chart.alt);
  fit.hidden = !Object.values(chart.figure.layout).some((axis) => axis?.autorange === false);
  fit.setAttribute('aria-label', `Fit the axes to the data: ${chart.alt}`);
  host.querySelectorAll('.file').forEach((button) => {
    const format = button.textContent.toLowerCase();
    button.setAttribute('aria-label', `Save as ${button.textContent}: ${chart.alt}`);
    button.onclick = () => { if (window.Plotly) save(host, format); };
  });
  fit.onclick = () => {
    kept.fit = !kept.fit; fit.setAttribute('aria-pressed', kept.fit);
    if (window.Plotly) plot(host);
  };
  plotly().then(() => {
    if (!host.isConnected) return;
    plot(host);
    if (!kept.sized) (kept.sized = new ResizeObserver(() => {
      if (!drawn.offsetWidth) return;
      if (kept.narrow === roomIn(host).width < NARROW) window.Plotly.Plots.resize(drawn); else plot(host);
    })).observe(host);
  }, () => { host.querySelector('.wait').textContent = 'The chart library did not load. Reload the page.'; });
};

export const leaveChart = (host) => {
  CHARTS.get(host)?.sized?.disconnect();
  if (window.Plotly) window.Plotly.purge(host.querySelector('.chart'));
};
