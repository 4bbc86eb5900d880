"""Waiting for the kernels."""

import streamlit as st

from pages.common import lab
from pages.common.working import EVERY


def wait_for(piece: str | None) -> bool:
    """Show the wait for a piece of the kernels and return True; return False if it is ready. When it is, the script
    runs again.

    piece : one of `warmup.TITLES`; None if no kernel is needed
    """
    if piece is None or not lab.describe_wait(piece):
        return False
    _watch(piece)
    return True


@st.fragment(run_every=EVERY)
def _watch(piece: str) -> None:
    if not (sentence := lab.describe_wait(piece)):
        st.rerun()
    st.status(sentence)
