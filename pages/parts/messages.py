"""Messages about a training, with the actions that they suggest."""

from contextlib import suppress

import streamlit as st

from boltzcore.data import Own
from boltzcore.jobs.engine import Run
from boltzcore.jobs.snapshot import Snapshot
from boltzcore.quoting import Refusal
from boltzcore.registry import divergence_fix, suited
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import Recipe
from boltzcore.training.starts import other_start
from boltzcore.training.stopping import has_ended
from boltzcore.warmup import needed
from pages.common import lab
from pages.common.glossary import link_terms
from pages.common.waiting import wait_for
from pages.common.words import escape
from pages.parts import cockpit, suggestion, tables
from pages.parts.form import SETTING, data_in, drop_changes, learner_of
from pages.parts.transport import begin, owner_only, show_refusals, stage_of, train_on
from pages.stream.run_frame import WORDS, stopped_early, unlearnt

TIMES = 10  # how much longer a training that has not learnt may go on


def say(
    run: Run | None,
    snapshot: Snapshot | None,
    recipe: Recipe | None,
    problems: dict[str, str],
    *,
    mine: bool,
    same: bool,
) -> None:
    """Show all messages in one place, between the transport and the training."""
    awaited = run.recipe if run is not None else recipe
    waits = awaited is not None and wait_for(needed(awaited))
    if sentence := problems.get(""):
        st.error(escape(sentence))
    if run is not None and mine and lab.is_foreign(run):
        st.warning("The table of this run was deleted or withdrawn: the run is kept, but cannot continue.")
    if run is not None and not mine:
        st.info("You are watching someone else's run live and cannot change it.")
    elif run is not None and recipe is not None and not same:
        st.info(
            "The settings differ from those of the run below. Play starts a new run; this one stays in the Library."
        )
    if run is not None and mine:  # others see it in the frame, live
        say_of(run, snapshot)
    if recipe is not None and not same and recipe.changes:
        changes = ", ".join(f"{name} {value:g} from update {at:,} on" for at, name, value in recipe.changes)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"This link repeats live changes: {changes}.")
            st.button("Leave them out", on_click=SETTING.put, args=(drop_changes(recipe).to_query(),))
    if recipe is not None and not recipe.data.at_hand():
        st.info(f"{recipe.data.title} is not on this machine yet: Play downloads it first.")
    elif recipe is not None and (data_warning := PreparedData.from_recipe(recipe).data_warning()):
        st.info(escape(data_warning))
    if run is None and recipe is not None and not waits:
        suggestion.suggest(recipe)
    if recipe is None and SETTING.texts()["data"] == Own.name and (run is None or mine):
        offer_for_table()
        st.page_link(
            "library.py",
            label="Upload your own table in the Library",
            query_params={"view": "data", "set": Own.name},
        )


def offer_for_table() -> None:
    """Offer the actions on the columns of the chosen table, if this session may open it."""
    texts = SETTING.texts()
    table = data_in(texts)
    if isinstance(table, Own) and table.at_hand() and lab.may_open(table):
        name = "log-linear"
        with suppress(Refusal):  # of columns that still need a choice
            name = suited(table.load())
        take_all = None if texts["model"] == name else (suggestion.CALLED.get(name, name), name)
        tables.offer_choices(table, lambda field, text: SETTING.edit(f"{Own.name}.{field}", text), take_all)


def say_of(run: Run, snapshot: Snapshot) -> None:
    """Show the owner of a training what happened to it, and the possible actions."""
    if snapshot.status == "diverged":
        words = f"{link_terms('**The training has diverged and was paused.**')} {escape(snapshot.reason)}"
        with cockpit.notice("Diverged", words, st.warning):
            common = {"args": (run,), "disabled": snapshot.best is None}
            st.button("Back to the best state", on_click=owner_only(Run.restore_best), **common)
            learner = learner_of(run, stage_of(run))
            if fix := divergence_fix(learner):
                field, value = fix
                label = type(learner).named(field).label.lower()
                st.button(f"Continue with {label} {value:g}", on_click=apply_fix, **common)
    elif early := stopped_early(run.recipe, snapshot):
        with cockpit.notice("Stopped early", f"**Stopped early:** {escape(early)}", st.info):
            st.button("Back to the best state", on_click=owner_only(Run.restore_best), args=(run,))
    elif sentence := unlearnt(run.recipe, snapshot):
        say_unlearnt(run, snapshot, sentence)
    elif snapshot.reason:
        way = st.error if snapshot.status == "failed" else st.info
        cockpit.notice(WORDS.get(snapshot.status, snapshot.status.capitalize()), escape(snapshot.reason), way)


def say_unlearnt(run: Run, snapshot: Snapshot, sentence: str) -> None:
    """Show that a training has ended without having learnt, and the changes that may help."""
    words = " ".join(filter(None, [f"**{escape(sentence)}**", escape(snapshot.reason)]))
    with cockpit.notice("Little learnt", words, st.info):
        if not has_ended(run.recipe.schedule, snapshot.state):
            length = min(TIMES * run.recipe.schedule.length, run.recipe.longest)
            label = f"Continue to {run.recipe.schedule.unit.removesuffix('s')} {length:,}"
            st.button(label, on_click=train_on, args=(run, length), disabled=length == run.recipe.schedule.length)
        if (start := other_start(run.recipe)) is not None:
            st.button("Start with suitable settings", on_click=go_on, args=(start,))


@show_refusals
def go_on(recipe: Recipe) -> None:
    begin(recipe, play=True)
    SETTING.put(recipe.to_query())


@owner_only
def apply_fix(run: Run) -> None:
    """Continue from the best state with the learner's suggested change."""
    if fix := divergence_fix(learner_of(run, stage_of(run))):
        lab.check_run(run)
        run.restore_best()
        run.change(**dict([fix]))
        run.play()
        cockpit.fold_up()
