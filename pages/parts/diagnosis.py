"""What is wrong with a training, where its owner asks: what was seen, and a button that does what may help."""

from dataclasses import dataclass

import streamlit as st

from boltzcore.learners.base import State
from boltzcore.measures import Finding, diagnose
from boltzcore.runs.engine import Run
from boltzcore.runs.prepared import PreparedData
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.remedies import begun_anew, in_words, live_changes
from boltzcore.runs.training import stage_of
from pages.common import lab, pinning, presenting
from pages.common.glossary import marked
from pages.common.progress import progress
from pages.common.words import plain
from pages.parts import cockpit
from pages.parts.form import SETTING
from pages.parts.transport import begin, once, owned

_ASKED, _KEPT = "diagnosis asked", "diagnoses"
ABOUT = "Looks at hidden units, weights, steps, chains, the likelihood and the data, and says only what it sees there."


@dataclass(frozen=True)
class Diagnosis:
    """What was found of a run at an update."""

    count: int
    findings: tuple[Finding, ...]


@st.fragment
def diagnosis(run: Run | None) -> None:
    """The panel, for who may control the run. It is computed after a press of the button alone, and kept."""
    if run is None or not lab.owns(run) or lab.is_anothers(run) or presenting.alone():
        return
    kept: dict[str, Diagnosis] = st.session_state.setdefault(_KEPT, {})
    with st.container(key="diagnosis", border=True, gap="small"):
        st.subheader("Is anything wrong?", anchor=False)
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.button("Diagnose", on_click=_ask, args=(run.id,))
            said = st.empty()
        state = run.snapshot.state
        if st.session_state.get(_ASKED) == run.id and state is not None:
            kept[run.id] = _diagnosed(run.recipe, state.copy())
            st.session_state.pop(_ASKED)  # only now: what a click elsewhere has cut short is done again
        found = kept.get(run.id)
        if found is None:
            said.caption(marked(ABOUT))
            return
        n = len(found.findings)
        what = f"{n} thing{'s' * (n > 1)} to look at" if n else "nothing was seen that is wrong"
        said.markdown(f"At update {found.count:,}: {what}.")
        for finding in found.findings:
            _draw(run, finding)


def _ask(run_id: str) -> None:
    st.session_state[_ASKED] = run_id


def _diagnosed(recipe: Recipe, state: State) -> Diagnosis:
    """What is found of a training at this State, with a bar meanwhile."""
    number = stage_of(state)
    stage, data = recipe.stages[number], PreparedData.from_recipe(recipe).stages[number]
    tick, done = progress("Looking at the model, its chains and the data")
    try:
        found = diagnose(
            state.model,
            data.dataset,
            learner=stage.learner_at(state.count),
            state=state,
            annealing=stage.annealing,
            seed=stage.schedule.seed,
            tick=tick,
        )
    finally:
        done()
    return Diagnosis(state.count, tuple(found))


def _draw(run: Run, finding: Finding) -> None:
    """A finding with what to try, as a button where one can do it."""
    remedy, key = finding.remedy, finding.name.replace(" ", "-")
    name = finding.name[0].upper() + finding.name[1:]
    with st.container(key=f"found-{key}", gap="small"):
        st.markdown(f"**{marked(name)}.** {plain(finding.evidence)}")
        st.markdown(f"*Try:* {plain(remedy.advice)}")
        if changes := live_changes(run.recipe, remedy):
            label = f"Go on with {in_words(run.recipe, remedy.fields)}"
            st.button(plain(label), key=f"try-{key}", on_click=_change, args=(run, changes))
        elif (recipe := begun_anew(run.recipe, remedy)) is not None:
            label = f"Start beside it: {in_words(recipe, remedy.fields)}"
            st.button(plain(label), key=f"try-{key}", on_click=_begin, args=(run, recipe))


@owned
def _change(run: Run, changes: dict[str, float]) -> None:
    """Go on with other values of live fields."""
    lab.check_run(run)
    run.change(**changes)
    run.play()
    cockpit.fold_up()


@once
def _begin(run: Run, recipe: Recipe) -> None:
    """A training of its own, whose curve is drawn beside that of this one."""
    if not lab.may_use(recipe):  # a browser that is behind
        return
    if len(pinning.runs()) < pinning.PINS:
        pinning.pin(run)
    SETTING.put(recipe.to_query())
    begin(recipe, play=True)
