"""Links from a figure or table: a race, if it compares learners, and a training."""

from functools import cache
from urllib.parse import urlencode

import streamlit as st

from boltzcore.papers import STUDIES
from boltzcore.papers.exhibits import Exhibit
from boltzcore.training.recipe import Recipe


def races(shown: Exhibit) -> None:
    """Its comparisons of learners, to be run and changed on Compare."""
    for title, address in _races(shown):
        st.link_button(f"Open as a race: {title}", address)


def training(name: str, scale: str) -> None:
    """The first training of a study, to be watched on Train."""
    if address := _training(name, scale):
        st.link_button("Open in Train", address, help="The first of its trainings.")


@cache
def _races(shown: Exhibit) -> list[tuple[str, str]]:
    return [(title, f"compare?{urlencode(made().to_query())}") for title, made in shown.races.items()]


@cache
def _training(name: str, scale: str) -> str:
    first = next((part for part in STUDIES[name].parts(scale) if isinstance(part, Recipe)), None)
    return "" if first is None else f"train?{urlencode(first.to_query())}"
