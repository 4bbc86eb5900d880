"""Boltzmann Lab in the browser: `streamlit run app.py`."""

import streamlit as st
from starlette.middleware import Middleware

from pages.live import routes
from pages.live.hosts import Hosts
from pages.live.visitors import Visits

app = st.App(
    "pages/frame.py", routes=routes.ROUTES, middleware=[Middleware(Hosts), Middleware(Visits)], lifespan=routes.serving
)
