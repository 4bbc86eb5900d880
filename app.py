"""Boltzmann Lab in the browser: `streamlit run app.py`."""

import streamlit as st

from pages.parts import lab, plot

app = st.App("pages/frame.py", routes=[plot.ROUTE], lifespan=lab.open_while_serving)
