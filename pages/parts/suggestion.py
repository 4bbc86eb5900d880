"""A suggested model for an uploaded table, shown with its settings before the first training."""

import time
from functools import partial
from typing import Any

import streamlit as st

from boltzcore.data import Own
from boltzcore.data.source import Source
from boltzcore.models.log_linear import cardinalities_of
from boltzcore.quoting import Refusal, number
from boltzcore.ticks import Tick
from boltzcore.training.recipe import Recipe
from boltzcore.training.suggested import CLEAR, SuggestedModel, recipes_for_tables, suggest_model
from boltzcore.warmup import needed
from pages.common.waiting import wait_for
from pages.common.words import escape
from pages.common.working import compute
from pages.parts.form import choose_part

CALLED = {"potts": "Potts model", "log-linear": "log-linear model"}
LONGEST = 10.0  # seconds of processor time
TOO_LONG = f"a comparison of the log-linear model and the Potts model takes more than {LONGEST:g} s on this table."
TOO_MANY = "This table has too many states for a log-linear model: the Potts model suits it."


def suggest(recipe: Recipe) -> None:
    """Show which model gives the validation rows of an uploaded table more probability, with a button that takes it."""
    source = recipe.data
    if not isinstance(source, Own) or not source.at_hand() or max(cardinalities_of(source.load().train)) <= 2:
        return
    if any(map(wait_for, map(needed, recipes_for_tables(source).values()))):
        return
    found = compute(f"suggestion {source}", "Comparing two models on the validation rows", partial(compare, source))
    if not found:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(escape(found if isinstance(found, str) else sentence(found)), width="content")
        if isinstance(found, SuggestedModel) and found.model != recipe.model.name:
            st.button(f"Use the {CALLED[found.model]}", on_click=choose_part, args=("model", found.model))


def compare(source: Source, tick: Tick) -> Any:
    """Return the comparison, or why there is none; "" if there is nothing to say."""
    began = time.thread_time()

    def timed(_fraction: float = 0.0) -> None:
        if (spent := time.thread_time() - began) > LONGEST:
            raise Refusal(TOO_LONG)
        tick(spent / LONGEST)

    try:
        return suggest_model(source, timed) or ""
    except Refusal as refusal:
        return f"No model is suggested: {refusal}"


def sentence(found: SuggestedModel) -> str:
    """Return the comparison in words."""
    if not found.means:
        return TOO_MANY
    means = ", ".join(f"{CALLED[name]} {number(found.means[name], '.2f')}" for name in reversed(found.means))
    apart = f"{number(found.difference, '.2f')} \N{PLUS-MINUS SIGN} {number(found.error, '.2f')}"
    uncertain = f" The {CALLED[found.model]} may be ahead by chance: the difference is within two standard errors."
    verdict = "" if found.difference > CLEAR * found.error else uncertain
    return f"On {found.rows:,} validation rows: {means} nats per row (difference {apart}, one standard error).{verdict}"
