"""Charts and pictures that change while one looks: no remount, no flicker, nothing fetched from elsewhere.

`st.plotly_chart` mounts anew at each change of its data, which loses zoom and legend: `live_plot` hands
the figure to `Plotly.react` instead. Plotly's JavaScript is the one inside its Python wheel.
"""

import base64
import gzip
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from typing import Any

import streamlit as st
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from boltzcore.figures import drawing

SCRIPT = f"/vendor/plotly-{version('plotly')}.min.js"


@cache
def _script() -> bytes:
    """Plotly's JavaScript, compressed once and not for each browser of a classroom."""
    return gzip.compress(files("plotly").joinpath("package_data", "plotly.min.js").read_bytes(), 6)


def _serve(request: Request) -> Response:
    kept = {"Content-Encoding": "gzip", "Cache-Control": "public, max-age=31536000, immutable"}
    return Response(_script(), media_type="text/javascript", headers=kept)


ROUTE = Route(SCRIPT, _serve)

HTML = """
<div class="lab-plot">
  <div class="chart" role="img"></div>
  <p class="wait">Drawing&hellip;</p>
  <button class="fit" type="button" aria-pressed="false"
    title="Fit the axes to the data; once more for the fixed axes">Fit</button>
</div>
"""

CSS = """
.lab-plot { position: relative; width: 100%; height: 100%; min-height: var(--plot-height); overflow: hidden;
  font-variant-numeric: tabular-nums; }
.lab-plot .chart { position: absolute; inset: 0; }
.lab-plot .wait { position: absolute; inset: 0; display: grid; place-items: center; margin: 0;
  color: var(--st-text-color); }
.lab-plot[data-version] .wait { display: none; }
.lab-plot .fit { position: absolute; top: 0; right: 0; min-width: 44px; min-height: 28px; padding: 0 .6rem;
  font: inherit; font-size: .8rem; cursor: pointer; color: var(--st-text-color); background: var(--st-background-color);
  border: 1px solid var(--st-border-color); border-radius: var(--st-button-radius); }
.lab-plot .fit[aria-pressed="true"] { background: var(--st-text-color); color: var(--st-background-color); }
.lab-plot .fit:focus-visible { outline: 3px solid var(--st-primary-color); outline-offset: -3px; }
"""

JS = (
    """
const NARROW = 480, END = '"""
    + drawing.END
    + """';
const KEPT = new WeakMap();                       // what one chart keeps from call to call
const load = (url) => window.Plotly
  ? Promise.resolve(window.Plotly)
  : window.__labPlotly ??= new Promise((done, failed) => {
    const script = document.createElement('script');
    document.head.append(Object.assign(script, { src: url, onload: () => done(window.Plotly), onerror: failed }));
  });
const draw = (root) => {
  const { data, css, fit } = KEPT.get(root), { layout, data: traces } = structuredClone(data.figure);
  const text = css('--st-text-color'), ground = css('--st-background-color'), line = css('--st-border-color');
  layout.paper_bgcolor = layout.plot_bgcolor = 'rgba(0,0,0,0)';
  layout.font = { size: 13, ...layout.font, color: text, family: css('--st-font') };
  layout.hoverlabel = { bgcolor: ground, bordercolor: line, font: { color: text, family: css('--st-font') } };
  layout.autosize = true; delete layout.width; delete layout.height;
  if (matchMedia('(pointer: coarse)').matches) layout.dragmode = false;   // a finger scrolls the page
  for (const name of Object.keys(layout).filter((n) => fit && /^[xy]axis/.test(n))) {
    layout[name].autorange = true; delete layout[name].range;
  }
  if (KEPT.get(root).narrow = root.clientWidth < NARROW) {
    // names at the ends of lines go above them, or no plot is left
    const ends = (layout.annotations ?? []).filter((note) => note.name === END);
    // a short line's name goes to its right, or it would leave the plot
    const [low, high] = layout.xaxis.range ?? [0, 0];
    for (const note of ends) {
      const xanchor = note.x < (low + high) / 2 ? 'left' : 'right';
      Object.assign(note, { xanchor, xshift: 0, yanchor: 'bottom', yshift: 8 + (note.yshift ?? 0) });
    }
    if (ends.length) layout.margin.r = 16;
    layout.xaxis.nticks = 4; layout.xaxis.tickangle = 0;
  }
  layout.uirevision = `${layout.uirevision ?? ''}${fit}`;
  window.Plotly.react(root.querySelector('.chart'), traces, layout, { displayModeBar: false, showTips: false });
  root.dataset.version = data.version;
};
export default function ({ data, parentElement }) {
  const root = parentElement.querySelector('.lab-plot');
  const chart = root.querySelector('.chart'), fit = root.querySelector('.fit');
  const style = getComputedStyle(root), first = !KEPT.has(root);
  const kept = first ? { fit: false } : KEPT.get(root);
  KEPT.set(root, Object.assign(kept, { data, css: (name) => style.getPropertyValue(name).trim() }));
  root.style.setProperty('--plot-height', `${data.height}px`);
  chart.setAttribute('aria-label', data.alt);
  fit.setAttribute('aria-label', `Fit the axes to the data: ${data.alt}`);
  fit.onclick = () => {
    kept.fit = !kept.fit; fit.setAttribute('aria-pressed', kept.fit);
    if (window.Plotly) draw(root);
  };
  load(data.script).then(() => {
    if (!root.isConnected) return;
    draw(root);
    if (!kept.sized) (kept.sized = new ResizeObserver(() => {
      if (chart.offsetWidth) kept.narrow === root.clientWidth < NARROW ? window.Plotly.Plots.resize(chart) : draw(root);
    })).observe(root);
  }, () => { root.querySelector('.wait').textContent = 'The drawing library did not load. Reload the page.'; });
  return () => { if (!root.isConnected && window.Plotly) { kept.sized?.disconnect(); window.Plotly.purge(chart); } };
}
"""
)

_plot = st.components.v2.component("lab_plot", html=HTML, css=CSS, js=JS, isolate_styles=False)


def live_plot(figure: Mapping[str, Any], *, key: str, height: int, alt: str, version: int) -> None:
    """A Plotly figure, redrawn in place: zoom and legend stay while the data change.

    figure : plain dict of "data" and "layout"; text takes the page's theme, `layout.uirevision` says what a zoom
        belongs to
    height : pixels, kept free from the start
    alt : what the chart shows, for those who cannot see it
    version : of the data; the page carries it as `data-version` once they are drawn
    """
    data = {"figure": figure, "height": height, "alt": alt, "version": version, "script": SCRIPT}
    _plot(key=key, data=data, height=height)


def image_uri(png: bytes) -> str:
    """PNG bytes as a data URI: an image that Streamlit serves as a file is gone for a moment at each change."""
    return "data:image/png;base64," + base64.b64encode(png).decode()


def picture(png: bytes, alt: str, *, width: int | str = "stretch", caption: str | None = None) -> None:
    """PNG bytes whose pixels stay squares when they are enlarged."""
    st.image(image_uri(png), caption=caption, width=width, alt=alt)
