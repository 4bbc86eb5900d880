"""Start: a model that generates digits, a simple form of Train, and links to the other pages."""

import streamlit as st

from boltzcore.data import Own
from pages.parts import presets, workbench

workbench.show("")
presets.offer()
with st.container(horizontal=True, gap="medium"):
    st.page_link("learn.py", label="What is a Boltzmann machine?", query_params={"lesson": "boltzmann-machine"})
    st.page_link("step.py", label="How does it learn?")
    st.page_link("denoise.py", label="Draw a digit and restore it")
    st.page_link("library.py", label="Upload your own table", query_params={"view": "data", "set": Own.name})
