"""Boltzmann Lab in the browser: `streamlit run app.py`."""

import streamlit as st

from pages.live import routes

app = st.App("pages/frame.py", routes=routes.ROUTES, lifespan=routes.serving)
