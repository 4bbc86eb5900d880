"""Boltzmann Lab in the browser: `streamlit run app.py`."""

import streamlit as st
from starlette.middleware import Middleware

from pages import routes
from pages.web.hosts import Hosts
from pages.web.visitors import Visits

app = st.App(
    "pages/shell.py", routes=routes.ROUTES, middleware=[Middleware(Hosts), Middleware(Visits)], lifespan=routes.serving
)
