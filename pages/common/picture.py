"""Pictures that stand still."""

import streamlit as st

from pages.web.encoding import data_uri


def picture(png: bytes, alt: str, *, width: int | str) -> None:
    """PNG bytes whose pixels stay squares when they are enlarged."""
    st.image(data_uri(png), width=width, alt=alt)
