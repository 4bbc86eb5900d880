// Charts: a Plotly figure drawn in place, so that zoom and legend stay while the data change.

import { bytesOf, made, saved } from './elements.js';
import { largerIn } from './ink.js';

const SCRIPT = '../plotly.min.js', AS_TEXT = 'text';     // what has this meta is in the colour of the text
const NARROW = 480;
export const HERE = 'here';                              // the line at the update that is looked back at
const TICKS = 48;                                 // pixels of the numbers of an axis
export const CHARTS = new WeakMap();                     // what one chart keeps from drawing to drawing
export const PLOT = `<div class="chart" role="img"></div><p class="wait">Drawing&hellip;</p>
  <div class="corner"><button class="file" type="button">PNG</button><button class="file" type="button">SVG</button
  ><button class="fit" type="button" aria-pressed="false">Fit</button></div>`;

let library;
const plotly = () => library ??= window.Plotly ? Promise.resolve(window.Plotly) : new Promise((done, failed) => {
  const { href: src } = new URL(SCRIPT, import.meta.url), onload = () => done(window.Plotly);
  document.head.append(made('script', '', { src, onload, onerror: failed }));
});

// Plotly's first drawing takes some times as long as the next ones: to be had where nobody waits for it.
export const practise = () => plotly().then((Plotly) => {
  const off = made('div', '');
  Plotly.newPlot(off, [{ x: [0, 1], y: [0, 1] }], { width: 300, height: 200 }).then(() => Plotly.purge(off));
});

// The room of a chart, in the pixels that it is drawn with.
const roomIn = (host) => {
  const larger = largerIn(host);
  return { width: host.clientWidth / larger, height: host.clientHeight / larger };
};
export const plot = (host) => {
  const kept = CHARTS.get(host), { layout, data: traces } = structuredClone(kept.chart.figure);
  const style = getComputedStyle(host), css = (name) => style.getPropertyValue(name).trim();
  const text = css('--st-text-color'), ground = css('--st-background-color'), line = css('--st-border-color');
  layout.paper_bgcolor = layout.plot_bgcolor = 'rgba(0,0,0,0)';
  layout.font = { size: 13, ...layout.font, color: text, family: css('--st-font') };
  layout.hoverlabel = { bgcolor: ground, bordercolor: line, font: { color: text, family: css('--st-font') } };
  for (const { name, line: drawn } of layout.shapes ?? []) if (name === HERE) drawn.color = text;
  for (const { meta, marker } of traces) if (meta === AS_TEXT) marker.line.color = text;
  layout.autosize = true; delete layout.width; delete layout.height;
  if (matchMedia('(pointer: coarse)').matches) layout.dragmode = false;   // a finger scrolls the page
  for (const name of Object.keys(layout).filter((n) => kept.fit && /^[xy]axis/.test(n))) {
    layout[name].autorange = true; delete layout[name].range;
  }
  kept.narrow = roomIn(host).width < NARROW;
  if (kept.narrow) {
    if (layout.yaxis?.title && layout.margin?.l > TICKS) {              // the panel's own title says it
      delete layout.yaxis.title;
      layout.margin.l = TICKS;
    }
    if (layout.xaxis.title) layout.xaxis.title.font = { size: layout.font.size };        // else 1.2 times as large
    const { nticks = 4, type } = layout.xaxis;
    if (type !== 'category') Object.assign(layout.xaxis, { nticks, tickangle: 0 });
  }
  layout.uirevision = `${layout.uirevision ?? ''}${kept.fit}`;
  window.Plotly.react(host.querySelector('.chart'), traces, layout, { displayModeBar: false, showTips: false });
  host.dataset.version = kept.version;
};

// The chart as a file, as it is seen, on the ground of the page. Of a copy, as Plotly writes into what it draws.
const TYPES = { png: 'image/png', svg: 'image/svg+xml' };
const save = async (host, format, name) => {
  const { data, layout } = host.querySelector('.chart'), { width, height } = roomIn(host);
  const whole = structuredClone({ data, layout });
  whole.layout.paper_bgcolor = getComputedStyle(host).getPropertyValue('--st-background-color').trim();
  const how = { format, width, height, scale: format === 'png' ? 3 : 1, imageDataOnly: true };
  const image = await window.Plotly.toImage(whole, how);
  saved(`${name}.${format}`, new Blob([format === 'png' ? bytesOf(image) : image], { type: TYPES[format] }));
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
    button.hidden = !chart.file;
    button.setAttribute('aria-label', `Save as ${button.textContent}: ${chart.alt}`);
    button.onclick = () => { if (window.Plotly) save(host, format, chart.file); };
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
