"""Waiting for the kernels: what is being waited for, shown without a run of the script, which runs once it is over."""

import streamlit as st
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from boltzcore.warmup import TITLES
from pages.common import lab
from pages.web.answers import NO_STORE
from pages.web.base_url import BASE_URL_OF, number, routes_at

_waiting = st.components.v2.component(
    "lab_waiting",
    html="<p class='lab-waiting'></p><p class='lab-awaited' role='status'></p>",
    css="""
.lab-waiting { margin: 0; padding: 1rem; min-height: 3.5rem; color: var(--st-text-color); font-family: var(--st-font);
  background: var(--st-secondary-background-color); border-radius: var(--st-base-radius);
  font-variant-numeric: tabular-nums; }
.lab-awaited { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); margin: 0; }
""",
    js=BASE_URL_OF
    + """
const ASKED = new WeakMap(), EVERY = 500;
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector('.lab-waiting');
  if (!ASKED.has(root)) {                         // the seconds go on in sight, and are not read out each time
    root.textContent = data.sentence;
    root.nextElementSibling.textContent = data.sentence;
  }
  clearInterval(ASKED.get(root));
  const base = baseUrlOf(data.page);
  const asking = setInterval(async () => {
    if (!root.isConnected) return clearInterval(asking);
    const waited = await fetch(`${base}/ready/${data.piece}`, { cache: 'no-store' })
      .then((answer) => answer.json()).catch(() => undefined);
    if (!waited) return;
    if (waited.sentence) { root.textContent = waited.sentence; return; }
    clearInterval(asking);
    setTriggerValue('ready', true);
  }, EVERY);
  ASKED.set(root, asking);
  return () => { if (!root.isConnected) clearInterval(asking); };
}
""",
    isolate_styles=False,
)


def wait_for(piece: str | None, *, page: str) -> bool:
    """Whether a piece of the kernels is waited for, which is shown then.

    piece : None where no kernel is needed
    """
    if piece is None or not (sentence := lab.ready(piece)):
        return False
    show_waiting(piece, sentence, page=page)
    return True


def show_waiting(piece: str, sentence: str, *, page: str) -> None:
    """Show what is waited for until a piece of the kernels is there; then the script runs again.

    piece : one of `warmup.TITLES`; sentence : of now; page : the last part of the page's own address
    """
    data = {"piece": TITLES.index(piece) + 1, "sentence": sentence, "page": page}
    _waiting(key=f"waiting {piece}", data=data, on_ready_change=lambda: None)


def _serve(request: Request) -> Response:
    piece = number(request.path_params["piece"])
    if not 1 <= piece <= len(TITLES):
        return Response(status_code=404)
    return JSONResponse({"sentence": lab.ready(TITLES[piece - 1])}, headers=NO_STORE)


ROUTES = routes_at("/ready/{piece}", _serve, "numbers")
