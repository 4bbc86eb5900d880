"""Train: choose data, a model and a learner, and watch how good the model gets while it learns."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from boltzcore.jobs.engine import Run
from boltzcore.jobs.snapshot import Snapshot
from boltzcore.quoting import quoted
from boltzcore.training.prepared import PreparedData
from boltzcore.training.presets import PRESETS
from boltzcore.training.recipe import Recipe
from boltzcore.training.status import MOVING
from boltzcore.warmup import needed
from pages.common import address, keyboard, lab, pinning
from pages.common.glossary import marked
from pages.common.setting import mirror
from pages.common.words import warn
from pages.inside.component import inside
from pages.inside.sources import mark_of, of_run
from pages.parts import cockpit, form, opened, pins, recorded
from pages.parts.controls import settings
from pages.parts.diagnosis import diagnosis
from pages.parts.form import SETTING
from pages.parts.messages import say
from pages.parts.pins import drawn_beside, pin_buttons
from pages.parts.presets import look_for, question
from pages.parts.share import share
from pages.parts.transport import begin, settled, transport
from pages.stream.component import watch
from pages.views import view_of

PAGE = "train"


def arrive() -> bool:
    """Take the setting from the address when the page opens and when the browser goes back; whether to play at once:
    not where a part of the setting was not understood, nor for who goes back to such a link.
    """
    if not address.arriving():
        return False
    query = st.query_params.to_dict()
    if "run" not in query and any(form.is_setting(key) for key in query):
        lab.leave()
    no_table = lab.take_table()
    run = lab.current_run(arriving=True)
    if run is not None and any(form.is_setting(key) for key in query):
        lab.follow(run)  # the address holds the setting beside it
    seen = run.recipe.to_query() if run and not lab.is_anothers(run) else None
    SETTING.arrive(query, form.is_setting, form.from_link, seen)
    taken = not SETTING.refused()
    SETTING.refuse(
        *SETTING.refused(),
        *filter(None, [lab.lost_run(), no_table]),
        *pins.arrive(query, history=address.went_back()),
        *address.strange(query, understood),
    )
    if "play" in query and query["play"] != "1":
        SETTING.refuse(*SETTING.refused(), f"play must be 1, not {quoted(query['play'])}: press Play to begin.")
    asked = query.get("play") == "1" and "run" not in query and not address.went_back()
    if asked and not taken:
        SETTING.refuse(
            "Not all of the link can be taken, so that nothing begins by itself: press Play to train what is shown.",
            *SETTING.refused(),
        )
    return asked and taken


def understood(key: str) -> bool:
    """Whether a URL parameter means something here; what a setting makes of its own, it says itself."""
    return key in ("run", "key", "play", "table", pins.PIN) or form.is_setting(key)


def preview(recipe: Recipe | None) -> None:
    """Before the first training: what is learnt from, and what will be seen."""
    view = view_of(recipe.model.name if recipe else SETTING.texts()["model"])
    left, right = st.columns(2, gap="medium")
    with left, st.container(border=True):
        st.markdown(marked(view.PREVIEW))
    if recipe is not None and recipe.data.at_hand():
        with right:
            view.preview(recipe, PreparedData.from_recipe(recipe))


def look_inside(run: Run | None, snapshot: Snapshot | None) -> None:
    """The next update taken apart, where somebody wants to see it."""
    if run is None or not opened.is_open(run.id):
        return
    rests = snapshot.state is not None and snapshot.status not in MOVING
    # while it moves, what was seen last stays, and with it what was chosen
    version = opened.seen(run.id, mark_of(run, snapshot) if rests else "")
    if not version:
        st.caption("What Step would do is taken apart here as soon as the training rests.")
        return
    if snapshot.status == "finished":
        st.caption("The training is over: this is what one update more would do.")
    inside(of_run(run), page=PAGE, version=version)


@dataclass(frozen=True)
class Standing:
    """What the page is drawn from, taken once for all of it: a training moves on at any moment.

    trained : of the run, with its live changes so far; without its data where these are not this session's to see
    recipe : of the form; None while something in it cannot be taken, and `problems` say what
    mine : whether this session may control the run; same : whether the run is one of `recipe`
    live : whether the form shows what the run has now
    """

    run: Run | None
    snapshot: Snapshot | None
    trained: Recipe | None
    recipe: Recipe | None
    problems: dict[str, str]
    mine: bool
    same: bool
    live: bool

    @classmethod
    def now(cls) -> "Standing":
        run = lab.current_run()
        mine = run is None or lab.owns(run)
        snapshot = run.snapshot if run else None
        if run is not None and lab.is_anothers(run):
            return cls(run, snapshot, lab.recipe_of(run), None, {}, mine, same=True, live=False)
        taken = form.read(SETTING.texts())
        recipe, trained = taken.recipe, run.recipe if run else None
        same = recipe is not None and trained is not None and settled(recipe) == settled(trained)
        same = same and not pins.departed(run)
        live = same and mine and (snapshot.status in MOVING or bool(snapshot.state and snapshot.state.count))
        return cls(run, snapshot, trained, recipe, dict(taken.problems), mine, same, live)

    @property
    def anothers(self) -> bool:
        """Whether the run learns from data of somebody else, of which the address and Share say nothing."""
        return self.run is not None and lab.is_anothers(self.run)

    @property
    def readable(self) -> Recipe | None:
        """What the settings are of, as far as this session may see it; None while something in them cannot be taken."""
        return self.trained if self.anothers else self.recipe

    @property
    def own(self) -> Recipe | None:
        """The recipe of the run, if the settings are its own; None else."""
        return self.trained if self.same else None

    @property
    def form(self) -> tuple[Any, ...]:
        """What the settings are drawn from: where it has changed, the whole page has to be drawn anew."""
        run = self.run
        typed = st.session_state.get("typed live", {})
        return (
            run and run.id,
            self.trained,
            self.own,
            run is not None and cockpit.is_open(run.id),
            self.mine,
            self.live,
            dict(SETTING.texts()),
            dict(typed),
            SETTING.refused(),
        )


@st.fragment
def training(form_drawn: tuple[Any, ...]) -> None:
    """The transport, what there is to say, and what is shown: runs alone after a click on the transport, and when a
    training comes to another status.
    """
    at = Standing.now()
    if at.form != form_drawn:
        st.rerun()
    run, snapshot, recipe, pinned = at.run, at.snapshot, at.recipe, pinning.runs()
    with st.container(key="transport", horizontal=True, vertical_alignment="center", gap="small"):
        transport(run, snapshot, recipe, mine=at.mine, same=at.same)
        pin_buttons(run, snapshot, pinned)
        opened.button(run if at.same else None, mine=at.mine)
        known = None if at.anothers else at.trained if at.same else recipe
        share(known, run if at.same else None)
    # what comes and goes in these moves nothing else to another place of the script
    with st.container(key="messages"):
        say(run, snapshot, recipe, at.problems, page=PAGE, mine=at.mine, same=at.same)
        beside = drawn_beside(run, recipe, pinned)
    with st.container(key="look-for"):
        look_for(at.readable, pinned)
    with st.container(key="inside"):
        look_inside(run if at.same else None, snapshot)
    with st.container(key="seen"):
        if run is None:
            preview(recipe)
        elif not snapshot.records and (piece := needed(at.trained)) and lab.ready(piece):
            if at.trained == next(iter(PRESETS.values())).recipe:
                recorded.learning(page=PAGE)
        else:
            watch(run, at.trained, snapshot, beside, page=PAGE, mine=at.mine)
    shown = at.trained if at.same else recipe
    # texts that cannot be taken, too, so that a reload shows them again
    texts = shown.to_query() if shown else SETTING.texts()
    texts = {} if at.anothers else texts
    mirror(texts | lab.parameters() | lab.table_parameter(texts) | pins.parameters(pinned))


play_at_once = arrive()
run = lab.current_run()
another = lab.follow(run)
if (
    run is not None
    and (another or not lab.owns(run))
    and SETTING.texts() != lab.admitted(of_it := lab.recipe_of(run).to_query())
):
    SETTING.put(of_it, SETTING.refused())
if play_at_once and (linked := form.read(SETTING.texts()).recipe) is not None:
    try:
        begin(linked, play=True)
    except ValueError as refusal:  # who has not logged in
        SETTING.refuse(str(refusal))
at = Standing.now()
if not at.live:
    st.session_state.pop("typed live", None)
with st.container():
    warn(SETTING.refused())
st.html(cockpit.STYLE)
keyboard.serve("Skip to Play and Pause", ["transport"], keeps=["transport", "line", "messages"])
with st.container():
    shown = at.own if at.run else at.recipe
    named = at.run.name if at.run else ""
    cockpit.fold(shown, run_id=at.run.id if at.run else None, name=named or question(shown))
with st.container(key="title"):
    st.title("Train", anchor=False)
with st.container(key="settings"):
    settings(at.readable, at.problems, at.run, locked=not at.mine, live=at.live)
training(at.form)
diagnosis(at.run if at.same else None)
