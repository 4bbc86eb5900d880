"""Start and Train: a few settings and Play; all settings on demand; and the running training."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from boltzcore.data.drawn import Patterns
from boltzcore.jobs.engine import Run
from boltzcore.jobs.snapshot import Snapshot
from boltzcore.quoting import Refusal, quoted
from boltzcore.training.prepared import PreparedData
from boltzcore.training.presets import PRESETS
from boltzcore.training.recipe import Recipe
from boltzcore.training.status import MOVING
from boltzcore.warmup import needed
from pages.common import address, keyboard, lab, pinning
from pages.common.setting import mirror
from pages.common.words import warn
from pages.inside.component import inside
from pages.inside.sources import mark_of, of_run
from pages.parts import cockpit, form, pins, recordings, step_toggle
from pages.parts.controls import knobs, main_fields, settings
from pages.parts.diagnosis import diagnosis
from pages.parts.form import SETTING
from pages.parts.messages import say
from pages.parts.pins import filter_pinned, pin_buttons
from pages.parts.presets import look_for, preset_of, question, readable
from pages.parts.share import fill_gaps, share
from pages.parts.transport import begin, draw_more, play, transport
from pages.stream.component import watch
from pages.views import view_of
from pages.web.session import SESSION

FIRST = next(iter(PRESETS.values())).recipe
LEAD = "A Boltzmann machine learns from the difference between data and its own samples. Press Play and watch."


def arrive(page: str) -> bool:
    """Take the setting from the address when the page opens and when the browser goes back. Return True to play at
    once: not if a part of the setting was refused, nor after going back to such a link.
    """
    if not address.is_arriving():
        return False
    query = st.query_params.to_dict()
    if "run" not in query and any(form.is_setting(key) for key in query):
        SESSION.run = ""
    if not page and not query and address.has_gone_back():  # Start as at the beginning
        SESSION.run = ""
        SETTING.put(FIRST.to_query())
    no_table = lab.take_table()
    run = lab.current_run(arriving=True)
    if run is not None and any(form.is_setting(key) for key in query):
        lab.follow(run)  # the address also contains the setting
    seen = run.recipe.to_query() if run and not lab.is_foreign(run) else None
    SETTING.arrive(query, form.is_setting, form.from_link, seen)
    if run is None and query.get("data") == Patterns.name and "play" not in query:
        cockpit.put_open(None)  # the pad is in the settings
    taken = not SETTING.refused()
    SETTING.refuse(
        *SETTING.refused(),
        *filter(None, [lab.lost_run(), no_table]),
        *pins.arrive(query, history=address.has_gone_back()),
        *address.unknown_params(query, is_known),
    )
    if "play" in query and query["play"] != "1":
        SETTING.refuse(*SETTING.refused(), f"play must be 1, not {quoted(query['play'])}: press Play to start.")
    asked = query.get("play") == "1" and "run" not in query and not address.has_gone_back()
    if asked and not taken:
        SETTING.refuse(
            "Parts of the link are invalid, so training does not start automatically: press Play to start.",
            *SETTING.refused(),
        )
    return asked and taken


def is_known(key: str) -> bool:
    """True if the page knows a URL parameter; refused values of the setting are reported by the setting."""
    return key in ("run", "key", "play", "table", pins.PIN) or form.is_setting(key)


def preview(recipe: Recipe | None) -> None:
    """Draw, before the first training, a trained model at work if it has learnt such data, else the data."""
    if recipe is not None and recipe.model.name == FIRST.model.name and recipe.data.name.startswith("mnist"):
        recordings.draw_digits()
    elif recipe is not None and recipe.data.at_hand():
        view_of(recipe.model.name).preview(recipe, PreparedData.from_recipe(recipe))


def look_inside(run: Run | None, snapshot: Snapshot | None) -> None:
    """Draw the next update taken apart if slow motion is on."""
    if run is None or run.id not in SESSION.inside:
        return
    rests = snapshot.state is not None and snapshot.status not in MOVING
    # while it moves, the last version stays, with its choice
    version = step_toggle.shown_version(run.id, mark_of(run, snapshot) if rests else "")
    if not version:
        st.caption("The next step is shown in detail here when training pauses.")
        return
    if snapshot.status == "finished":
        st.caption("Training is complete. This is what one more update would do.")
    inside(of_run(run), version=version)


@dataclass(frozen=True)
class PageState:
    """State that the page is drawn from, taken once per run of the script: a training moves on at any moment.

    trained : of the run, with its live changes so far; without its data if this session may not see these
    recipe : of the form; None while a field of it is refused, as `problems` explain
    mine : whether this session may control the run; same : whether the run is one of `recipe`
    live : whether the form shows the run's present settings
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
    def now(cls) -> "PageState":
        run = lab.current_run()
        mine = run is None or lab.owns(run)
        snapshot = run.snapshot if run else None
        if run is not None and lab.is_foreign(run):
            return cls(run, snapshot, lab.recipe_of(run), None, {}, mine, same=True, live=False)
        taken = form.read(SETTING.texts())
        recipe, trained = taken.recipe, run.recipe if run else None
        same = run is not None and form.is_of(run, recipe)
        live = same and (snapshot.status in MOVING or snapshot.count > 0)
        return cls(run, snapshot, trained, recipe, dict(taken.problems), mine, same, live)

    @property
    def is_foreign(self) -> bool:
        """True if the run learns from another session's data, which the address and Share omit."""
        return self.run is not None and lab.is_foreign(self.run)

    @property
    def readable(self) -> Recipe | None:
        """Recipe of the settings as far as this session may see it; None while one of them is refused."""
        return self.trained if self.is_foreign else self.recipe

    @property
    def own(self) -> Recipe | None:
        """The recipe of the run, if the settings are its own; None otherwise."""
        return self.trained if self.same else None

    @property
    def all_settings(self) -> bool:
        """True if all settings are shown: on demand, if a hidden one is refused, and if they are not the run's."""
        run_id = self.run.id if self.run else None
        refused = {key for key in self.problems if key} - set(main_fields(SETTING.texts()))
        return cockpit.is_open(run_id) or bool(refused) or (self.run is not None and self.own is None)

    @property
    def form(self) -> tuple[Any, ...]:
        """Values that the settings are drawn from: when one changes, the whole page must be drawn again."""
        run = self.run
        typed = SESSION.live_texts
        return (
            run and run.id,
            self.trained,
            self.own,
            self.all_settings,
            self.mine,
            self.live,
            dict(SETTING.texts()),
            dict(typed),
            SETTING.refused(),
        )


@st.fragment
def training(form_drawn: tuple[Any, ...], page: str) -> None:
    """Draw the transport, the messages and the frames: runs alone after a click on the transport, and when the status
    of the training changes.
    """
    at = PageState.now()
    if at.form != form_drawn:
        st.rerun()
    run, snapshot, recipe, pinned = at.run, at.snapshot, at.recipe, pinning.runs()
    whole = run is not None or at.all_settings
    if whole:
        with st.container(key="transport", horizontal=True, vertical_alignment="center", gap="small"):
            transport(run, snapshot, recipe, mine=at.mine, same=at.same)
            pin_buttons(run, snapshot, pinned)
            step_toggle.toggle(run if at.same else None, mine=at.mine)
            look_for(at.readable, pinned)
            fill_gaps(run if at.same and not at.is_foreign else None)
            share(None if at.is_foreign else at.trained if at.same else recipe, run if at.same else None)
            draw_more(run, snapshot, recipe, mine=at.mine, same=at.same)
    # containers for parts that come and go, so that the others keep their place in the script
    with st.container(key="messages"):
        say(run, snapshot, recipe, at.problems, mine=at.mine, same=at.same)
        beside = filter_pinned(run, recipe, pinned)
    with st.container(key="inside"):
        look_inside(run if at.same else None, snapshot)
    with st.container(key="seen"):
        if run is None or (not snapshot.records and (piece := needed(at.trained)) and lab.describe_wait(piece)):
            if whole:
                preview(readable(recipe))
        else:
            watch(run, at.trained, snapshot, beside, mine=at.mine)
    shown = at.trained if at.same else recipe
    # refused texts, too, so that a reload shows them again
    texts = shown.to_query() if shown else SETTING.texts()
    untouched = not page and run is None and shown == FIRST
    texts = {} if at.is_foreign or untouched else texts
    of_run = lab.table_parameter(at.trained.to_query()) if at.trained else {}  # without which it could not continue
    mirror(texts | lab.parameters() | of_run | lab.table_parameter(texts) | pins.parameters(pinned))


def simple(at: PageState, page: str) -> None:
    """Draw, before the first training, a picture, a few settings and Play."""
    picture, form_of_it = st.columns(2, gap="medium", vertical_alignment="center")
    with picture:
        preview(readable(at.recipe))
    with form_of_it:
        knobs(at.recipe, at.problems, None, also=("preset",) if page else (), locked=False, live=False)
        with st.container(key="begin", horizontal=True, gap="small"):
            with st.container(key="transport", width="content"):
                play(None, at.recipe, "")
            with st.container(key="line", width="content"):  # keeps the focus on the button that hides them
                st.button("All settings", on_click=cockpit.put_open, args=(None,))


def show(page: str) -> None:
    """Draw the page.

    page : the last part of its own address; "" for Start
    """
    play_at_once = arrive(page)
    run = lab.current_run()
    another = lab.follow(run)
    if (
        run is not None
        and (another or not lab.owns(run))
        and SETTING.texts() != lab.drop_closed_tables(of_it := lab.recipe_of(run).to_query())
    ):
        SETTING.put(of_it, SETTING.refused())
    if play_at_once and (linked := form.read(SETTING.texts()).recipe) is not None:
        try:
            begin(linked, play=True)
        except Refusal as refusal:  # a visitor without a login
            SETTING.refuse(str(refusal))
    at = PageState.now()
    if another or not at.live:
        SESSION.live_texts.clear()
    whole = at.all_settings
    with st.container():
        warn(SETTING.refused())
    st.html(cockpit.STYLE)
    keyboard.serve("Skip to Play and Pause", ["transport"], keeps=["transport", "line", "messages"])
    with st.container():
        if at.run is not None or whole:
            name = at.run.name if at.run else ""
            recipe = at.own if at.run else at.recipe
            cockpit.fold(recipe, run_id=at.run.id if at.run else None, name=name or question(recipe))
    with st.container(key="title"):
        st.title("Train" if page else "Boltzmann Lab", anchor=False)
        if at.run is None and not whole:
            name = preset_of(at.recipe) if page else ""
            st.markdown(f"**{PRESETS[name].title}** {PRESETS[name].about}" if name in PRESETS else LEAD)
    with st.container(key="settings"):
        if whole:
            settings(at.readable, at.problems, at.run, locked=not at.mine, live=at.live)
    with st.container(key="simple"):
        if at.run is None and not whole:
            simple(at, page)
    training(at.form, page)
    diagnosis(at.run if at.same else None)
