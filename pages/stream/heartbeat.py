"""The heartbeat of a page: the run of its session learns that somebody is still here, without a run of the script."""

import streamlit as st

from pages.web.base_url import BASE_URL_OF

EVERY = 20  # seconds: a browser lets a hidden tab speak once a minute, and a run waits longer than that

_heart = st.components.v2.component(
    "lab_heart",
    html="<span hidden></span>",
    js=BASE_URL_OF
    + """
const BEATS = new WeakMap();
let last = 0;
export default function ({ data, parentElement }) {
  const root = parentElement.querySelector('span');
  const base = baseUrlOf(data.page);
  const beat = () => {
    last = Date.now();
    fetch(`${base}/live/${data.run}/alive`, { cache: 'no-store' }).catch(() => {});
  };
  clearInterval(BEATS.get(root));
  const beating = setInterval(() => root.isConnected ? beat() : clearInterval(beating), 1000 * data.every);
  BEATS.set(root, beating);
  if (Date.now() - last > 1000 * data.every) beat();
  return () => { if (!root.isConnected) clearInterval(beating); };  // it would hold on to the page that is left
}
""",
)


def beat(run_id: str, page: str) -> None:
    """Keep this run alive, as long as the page is open; page: the last part of its own address."""
    _heart(key="heart", data={"run": run_id, "page": page, "every": EVERY})
