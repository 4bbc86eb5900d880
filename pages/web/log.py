"""The log of the server on standard error: its actions and the waiting work, a line each with its time."""

import logging
from traceback import walk_tb

import streamlit as st

from boltzcore.limits import limits
from pages.web.unstable import WStates

OURS = ("boltzcore", "pages")


def show_failure(error: Exception) -> bool:
    """Show a sentence in place of an uncaught error of a page; Streamlit has logged it."""
    if is_malformed_input(error):
        st.error("The page cannot accept what your browser sent. Reload the page.")
    else:
        st.error("An error occurred. Reload the page; if it happens again, contact the operator of this server.")
    return True


def is_malformed_input(error: BaseException | None) -> bool:
    """Return true if Streamlit could not read the value of a widget that a browser sent."""
    codes = [frame.f_code for frame, _ in walk_tb(error.__traceback__ if error else None)]
    return WStates.__getitem__.__code__ in codes[:-1]


def _shorten(record: logging.LogRecord) -> bool:
    """Log malformed input, which anyone can send, in one line, and nothing of a request cut off by a shutdown."""
    error = record.exc_info[1] if record.exc_info else None
    if is_malformed_input(error):
        record.msg, record.args = "A page sent a malformed value of a widget: %s", (type(error).__name__,)
        record.exc_info = None
    return isinstance(error, Exception | None)  # and not a cancellation


def open_log() -> None:
    """Write our own lines from "info" on, once, and log the limits that were set."""
    for name in OURS:
        logger = logging.getLogger(name)
        if not logger.handlers:
            handler = logging.StreamHandler()
            handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s", "%Y-%m-%d %H:%M:%S"))
            logger.addHandler(handler)
            logger.setLevel(logging.INFO)
    for name in ("streamlit.error_util", "uvicorn.error"):
        logging.getLogger(name).addFilter(_shorten)
    if sentence := limits().sentence:
        logging.getLogger(__name__).info("%s", sentence)
