"""The frame around every page: navigation, look, and the heartbeat that keeps a watched training alive."""

import streamlit as st

from pages.live.heart import beat
from pages.parts import address, lab, look

PAGES = (
    st.Page("start.py", title="Start", default=True),
    st.Page("train.py", title="Train"),
    st.Page("denoise.py", title="Denoise & complete"),
    st.Page("library.py", title="Library"),
)


page = st.navigation(PAGES, position="top")
look.dress(page.title)
address.visit(page.url_path)
with st.container(key="unseen"):  # there from the beginning: a page that all moves on by one place is drawn anew
    if run_id := lab.shown_run():
        beat(run_id, page.url_path)
page.run()
