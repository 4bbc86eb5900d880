"""Pinned curves: kept for later trainings, and drawn if they can be compared.

The page's address lists the pinned runs as `pin`, so that a reload keeps them; links by Share do not.
"""

from collections.abc import Sequence

import streamlit as st

from boltzcore.comparison.comparison import LONGEST_NAME, Comparison
from boltzcore.jobs.engine import Run
from boltzcore.jobs.snapshot import Snapshot
from boltzcore.quoting import Refusal, cut, listed
from boltzcore.training.presets import unseeded
from boltzcore.training.recipe import Recipe
from boltzcore.training.recipe_diff import confounders
from boltzcore.training.status import MOVING
from pages.common import lab, pinning
from pages.common.setting import Link
from pages.common.words import escape, run_action
from pages.figures import naming
from pages.parts.form import SETTING
from pages.web.session import SESSION

PIN = "pin"  # the URL parameter
RACE = (
    "Train each of these several times, with the same seeds and at the same cost, to see which is better and how "
    "certain this is."
)


def arrive(query: Link, *, history: bool) -> list[str]:
    """Take the pinned trainings of an address that was opened just now; return sentences if some are missing.

    history : the browser went back or forward, so that an address without a pin means none
    """
    asked = pinning.pins_in(query.get(PIN, ""))
    if not asked and not history:
        return []
    here = [each for each in asked if lab.engine().get(each) is not None]
    SESSION.pinned = here[: pinning.PINS]
    gone = ["Some pinned runs no longer exist."] if len(here) < len(asked) else []
    return [*gone, *([pinning.FULL] if len(here) > pinning.PINS else [])]


def parameters(pinned: Sequence[Run]) -> dict[str, str]:
    """Return the pinned trainings as URL parameters."""
    return {PIN: ",".join(run.id for run in pinned)} if pinned else {}


def pin_buttons(run: Run | None, snapshot: Snapshot | None, pinned: Sequence[Run]) -> None:
    """Draw the buttons to pin this curve and to unpin others."""
    if run not in pinned and (run is not None or not pinned):
        st.button(
            "Pin this curve",
            key="pin this",
            on_click=run_action,
            args=(SETTING.place, pinning.pin, run),
            disabled=snapshot is None or snapshot.state is None,
            help="Keep this curve on the chart. After the run, change the learner, rate or seed and press Play to draw "
            f"both curves together. Up to {pinning.PINS} can be pinned.",
        )
    names = naming.names([each.recipe for each in pinned])
    if len(pinned) == 1:
        st.button(
            "Unpin",
            key="unpin this",
            on_click=unpin,
            args=(pinned[0].id,),
            help=f"Stop drawing the pinned curve: {names[0]}, run {pinned[0].id}.",
        )
    elif pinned:
        with st.popover("Unpin", key="unpin some"):
            for each, name in zip(pinned, names, strict=True):
                st.button(f"Unpin {name}", key=f"unpin {each.id}", on_click=unpin, args=(each.id,))
            st.button("Unpin all", on_click=unpin, args=[each.id for each in pinned])


def unpin(*run_ids: str) -> None:
    """Unpin these curves, and drop the message on too many."""
    SESSION.pinned = [each for each in SESSION.pinned if each not in run_ids]
    SETTING.refuse()


def is_kept(run: Run) -> bool:
    """True if this run rests and is pinned for comparison, so that the settings are those of another run."""
    return run in pinning.runs() and run.snapshot.status not in MOVING


def filter_pinned(run: Run | None, recipe: Recipe | None, pinned: Sequence[Run]) -> list[Run]:
    """Return the pinned trainings that can be drawn with the present one; show why others cannot."""
    current = lab.recipe_of(run) if run is not None else recipe
    recipes = {each.id: lab.recipe_of(each) for each in pinned}
    names = naming.names(list(recipes.values()))
    shown: list[Run] = []
    reasons: dict[str, list[str]] = {}
    for each, name in zip(pinned, names, strict=True):
        if current is not None and (why := naming.incomparable(recipes[each.id], current)):
            reasons.setdefault(why, []).append(name)
        elif run is None or each.id != run.id:
            shown.append(each)
    if reasons:
        undrawn = [f"{' and '.join(of)} ({why})" for why, of in reasons.items()]
        st.info(f"Pinned but not drawn: {'; '.join(undrawn)}.")
    if current is not None:
        beside = [recipes[each.id] for each in shown]
        _warn_of_unlike(beside, current)
        seen = shown if run is None else [*shown, run]
        if not any(map(lab.is_foreign, seen)):  # the address would contain all of their settings
            _race_these(beside, current)
    return shown


def _race_these(drawn: Sequence[Recipe], current: Recipe) -> None:
    """Draw a link to the same trainings as a comparison: over several trials, at the same cost."""
    recipes = list({unseeded(each): each for each in (*drawn, current)}.values())  # its trials have seeds of their own
    if len(recipes) < 2:
        return
    names = [cut(name, LONGEST_NAME) for name in naming.names(recipes)]
    try:
        comparison = Comparison(current, dict(zip(names, recipes, strict=True)))
    except Refusal:  # they have too little in common
        return
    texts = comparison.to_query()
    st.page_link("compare.py", label="Race these", query_params=texts | lab.table_parameter(texts), help=RACE)


def _warn_of_unlike(drawn: Sequence[Recipe], current: Recipe) -> None:
    """Warn of pinned trainings that differ in more than learner and rate: a comparison mixes all differences."""
    names = naming.names(drawn, current)
    unlike = [(name, what) for name, each in zip(names, drawn, strict=False) if (what := confounders(each, current))]
    if unlike:
        differences = "; ".join(f"{name} also in {listed(what, '')}" for name, what in unlike)
        st.caption(escape(f"{naming.UNLIKE.strip()} Differs in more than learner and rate: {differences}."))
