"""Boltzmann Lab in the browser: `streamlit run app.py`."""

import streamlit as st
from starlette.middleware import Middleware

from pages import routes
from pages.web.headers import SecurityHeaders
from pages.web.limiter import Shares
from pages.web.log import show_failure
from pages.web.one_server import OneServer

app = st.App(
    "pages/shell.py",
    routes=routes.ROUTES,
    middleware=[Middleware(SecurityHeaders), Middleware(OneServer), Middleware(Shares)],
    on_script_error=show_failure,
    exception_handlers=routes.HANDLERS,
    lifespan=routes.serving,
)
