"""The frame around every page: navigation, look, and the heartbeat that keeps a watched training alive."""

import streamlit as st

from pages.parts import lab, look

PAGES = (
    st.Page("start.py", title="Start", default=True),
    st.Page("train.py", title="Train"),
    st.Page("denoise.py", title="Denoise & complete"),
    st.Page("library.py", title="Library"),
)


@st.fragment(run_every=5.0)
def heartbeat() -> None:
    """Tell the run of this session that somebody is still here, on whatever page."""
    lab.touch()


page = st.navigation(PAGES, position="top")
look.dress(page.title)
heartbeat()
page.run()
