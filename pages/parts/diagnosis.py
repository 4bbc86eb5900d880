"""Diagnosis of a training at its owner's request: its problems, and a button that may fix each."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

import streamlit as st

from boltzcore.jobs.engine import Run
from boltzcore.jobs.work import Work
from boltzcore.learners.base import State
from boltzcore.measures.diagnosis import Finding, diagnose
from boltzcore.ticks import Tick
from boltzcore.training.loop import Record
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import Recipe
from boltzcore.training.remedies import apply_remedy, describe, live_changes
from pages.common import lab, pinning, presenting, working
from pages.common.glossary import link_terms
from pages.common.words import escape
from pages.parts import cockpit
from pages.parts.form import SETTING
from pages.parts.transport import begin, owner_only, stage_of
from pages.web.session import SESSION

WORK = "Checking the model, its chains and the data"
ABOUT = "Checks hidden units, weights, step sizes, chains, the likelihood and the data."


class Diagnosis(NamedTuple):
    """Diagnosis of a training at a State, and the work that makes its findings."""

    state: State
    work: Work


def _find(recipe: Recipe, state: State, records: Sequence[Record], tick: Tick) -> Iterator[list[Finding]]:
    """Yield the findings on a training at a State, after these records."""
    number = state.progress.stage
    stage, data = recipe.stages[number], PreparedData.from_recipe(recipe).stages[number]
    yield working.limit_cost(diagnose, WORK)(
        state.model,
        data.dataset,
        learner=stage.learner_at(state.count),
        state=state,
        records=[(record.count, record.values) for record in records],
        annealing=stage.annealing,
        seed=stage.schedule.seed,
        tick=tick,
    )


def diagnosis(run: Run | None) -> None:
    """Draw the panel, for the owner of the run. The diagnosis is computed in the background after a press of the button
    alone, and kept.
    """
    if run is None or not lab.owns(run) or lab.is_foreign(run) or presenting.is_bare():
        return
    moves = _moves(SESSION.diagnoses.get(run.id))
    st.fragment(_panel, run_every=working.EVERY if moves else None)(run, moves, SETTING.refused())


def _panel(run: Run, moved: bool, refused: list[str]) -> None:
    asked = SESSION.diagnoses.get(run.id)
    if SESSION.remedy_taken or _moves(asked) != moved or SETTING.refused() != refused:
        SESSION.remedy_taken = False
        st.rerun()  # the whole page depends on the change
    with st.container(key="diagnosis", border=True, gap="small"):
        st.header("Is anything wrong?", anchor=False)
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.button("Diagnose", on_click=_ask, args=(run,), disabled=moved)
            if asked is None:
                st.caption(link_terms(ABOUT))
            elif moved:
                working.show_progress(asked.work, WORK)
            else:
                _say(asked)
        for findings in asked.work.made if asked is not None and not moved else ():
            for finding in findings:
                _draw(run, asked.state.progress.stage, finding)


def _moves(asked: Diagnosis | None) -> bool:
    return asked is not None and asked.work.is_active


@owner_only
def _ask(run: Run) -> None:
    now = run.snapshot
    if now.state is None:
        return  # before the first update there is nothing to diagnose
    state = now.state.copy()
    work = working.begin("diagnosis", partial(_find, run.recipe, state, now.records))
    SESSION.diagnoses[run.id] = Diagnosis(state, work)


def _say(asked: Diagnosis) -> None:
    """Show the number of problems found, or why the diagnosis failed."""
    if not asked.work.made:
        st.error(escape(asked.work.snapshot.reason or "Cancelled."))
        return
    n = len(asked.work.made[0])
    what = f"{n} problem{'s' * (n > 1)} found" if n else "no problem found"
    st.markdown(f"At update {asked.state.count:,}: {what}.")


def _draw(run: Run, stage: int, finding: Finding) -> None:
    """Draw a finding on a stage with the change to try, as a button if one can make it."""
    remedy, key, recipe = finding.remedy, finding.name.replace(" ", "-"), run.recipe.stages[stage]
    name, now = finding.name[0].upper() + finding.name[1:], run.snapshot
    moves_on = stage == stage_of(run) and now.status != "finished"
    with st.container(key=f"found-{key}", gap="small"):
        st.markdown(f"**{link_terms(name)}.** {escape(finding.evidence)}  \n*Try:* {escape(remedy.advice)}")
        if moves_on and (changes := live_changes(recipe, remedy, now.count)):
            label = f"Continue with {describe(recipe, remedy.fields)}"
            st.button(escape(label), key=f"try-{key}", on_click=_change, args=(run, stage, changes))
        elif (recipe := apply_remedy(run.recipe, remedy, now.count)) is not None:
            label = f"Start a new run: {describe(recipe, remedy.fields)}"
            st.button(escape(label), key=f"try-{key}", on_click=_begin, args=(run, recipe))


@owner_only
def _change(run: Run, stage: int, changes: dict[str, float]) -> None:
    """Continue with other values of live fields, unless the run has left the stage."""
    SESSION.remedy_taken = True
    lab.check_run(run)
    if stage == stage_of(run):
        run.change(**changes)
        run.play()
        cockpit.fold_up()


@owner_only
def _begin(run: Run, recipe: Recipe) -> None:
    """Begin a new training, whose curve is drawn with that of this one."""
    begin(recipe, play=True)
    SETTING.put(recipe.to_query())
    if len(pinning.runs()) < pinning.PINS:
        pinning.pin(run)
    SESSION.remedy_taken = True
