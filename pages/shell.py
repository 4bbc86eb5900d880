"""Surroundings of every page: navigation, style, and the heartbeat that keeps a watched training alive."""

import streamlit as st

from boltzcore.quoting import explain
from pages.common import address, members, presenting, style
from pages.common.words import escape, warn
from pages.stream.component import beat
from pages.web.session import SESSION

MENU = {  # {section: pages}; those of "" are in the bar itself
    "": [
        st.Page("start.py", title="Start", default=True, visibility="hidden"),  # behind the logo
        st.Page("learn.py", title="Learn"),
        st.Page("train.py", title="Train"),
        st.Page("compare.py", title="Compare"),
        st.Page("denoise.py", title="Restore"),
        st.Page("step.py", title="One step", visibility="hidden"),  # opens from Train and from lessons
        st.Page("classroom.py", title="Run a class", visibility="hidden"),  # opens from Learn
    ],
    "More": [
        st.Page("papers.py", title="Papers"),
        st.Page("library.py", title="Library"),
        st.Page("reference.py", title="Reference"),
    ],
}
if st.context.is_embedded:
    address.write(st.query_params.to_dict())  # a frame of another site carries no secret
page = st.navigation(MENU, position="top")
begins = address.visit(page.url_path)
if begins or address.has_gone_back():
    presenting.arrive(st.query_params, history=address.has_gone_back())
style.dress(page.title)
with st.container(key="unseen"):  # there from the beginning: an insertion would redraw the page
    address.wait_for_browser()
    if run_id := SESSION.run:
        beat(run_id)
with st.container(key="presented"):
    members.login_bar()
    warn(SESSION.refused.get(address.DISPLAY, []))
try:
    page.run()
except OSError as error:
    st.error(escape(explain(error, "This page cannot be shown")))
if presenting.is_projected():
    st.button("Leave projector view", key="leave-projector", on_click=presenting.usual)
address.keep({address.DISPLAY: ""} | presenting.parameters())  # for pages that mirror nothing
