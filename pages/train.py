"""Train: choose data, a model and a learner, and watch how good the model gets while it learns."""

import dataclasses
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from boltzcore.data import Own
from boltzcore.figures import palette, reading
from boltzcore.registry import DATASETS, LEARNERS, MODELS, SECTIONS, learners_of
from boltzcore.runs.course import Course
from boltzcore.runs.engine import Run, Snapshot
from boltzcore.runs.further import further
from boltzcore.runs.presets import PRESETS
from boltzcore.runs.recipe import NAMED, Recipe
from boltzcore.warmup import needed
from pages.live.component import watch
from pages.live.scene import MOVING, stopped_early
from pages.live.waiting import wait_for
from pages.parts import address, cockpit, form, lab
from pages.parts.form import SETTING
from pages.parts.setting import field_widget, mirror, select
from pages.parts.share import share
from pages.parts.transport import begin, now, once, owned, settled, transport
from pages.parts.words import plain
from pages.views import view_of

PAGE = "train"
UNLISTED = "your own"


# -- where the setting comes from ---------------------------------------------------------------------


def arrive() -> bool:
    """Take the setting from the address when the page opens and when the browser goes back; whether to play at once."""
    if not address.arriving():
        return False
    query = st.query_params.to_dict()
    if "run" not in query and any(form.is_setting(key) for key in query):
        lab.leave()
    run = lab.current_run(arriving=True)
    SETTING.arrive(query, form.is_setting, form.from_link, run.recipe.to_query() if run else None)
    if lost := lab.arrive_pinned(history=address.went_back()):
        SETTING.refuse(*SETTING.refused(), *lost)
    return query.get("play") == "1"


# -- the form -----------------------------------------------------------------------------------------


def preset_of(recipe: Recipe | None) -> str:
    """The preset that a recipe is, whatever its seed."""
    if recipe is not None:
        for name, preset in PRESETS.items():
            if (
                dataclasses.replace(settled(recipe), schedule=recipe.schedule.changed(seed=preset.recipe.schedule.seed))
                == preset.recipe
            ):
                return name
    return UNLISTED


def shown_preset(recipe: Recipe | None, pinned: Sequence[Run]) -> tuple[str, str]:
    """(preset, heading) of the text that helps now: that of the setting, else that of the first pinned training which
    it can be compared with.
    """
    heading = "What to look for"
    if (name := preset_of(recipe)) == UNLISTED and recipe is not None:
        beside = (each.recipe for each in pinned if not reading.incomparable(each.recipe, recipe))
        if (first := next(beside, None)) is not None:
            return preset_of(first), f"{heading} beside the pinned training"
    return name, heading


def readable(recipe: Recipe | None) -> Recipe | None:
    """The setting; while something in it cannot be taken, the last one that could, so that what depends on it stays in
    its place.

    None where that one is of another model, other data or another learner.
    """
    if recipe is not None:
        st.session_state["readable"] = recipe
    last = st.session_state.get("readable")
    names = {} if last is None else last.to_query()
    return last if all(SETTING.texts()[what] == names.get(what) for what in NAMED) else None


def choose_preset(name: str, *, disabled: bool) -> None:
    titles = {key: preset.title for key, preset in PRESETS.items()} | {UNLISTED: "Settings of your own"}
    there = [*PRESETS, *([UNLISTED] if name == UNLISTED else [])]
    about = "A training worth watching, with all its settings."
    select("choose preset", "Preset", there, titles, name, help=about, on_pick=put_preset, disabled=disabled)


def put_preset(name: str) -> None:
    if (preset := PRESETS.get(name)) is not None:  # a browser that is behind may still pick UNLISTED
        SETTING.put(preset.recipe.to_query())


def settings(recipe: Recipe | None, problems: dict[str, str], run: Run | None, *, locked: bool, live: bool) -> None:
    """At most five controls in sight; all others under More settings."""
    texts = SETTING.texts()
    main = first_live(texts["learner"])
    columns = st.columns([1.4, 1.1, 1.4, 1.8, 0.8], gap="small")
    with columns[0]:
        choose_preset(preset_of(recipe), disabled=locked)
    with columns[1]:
        form.choose(
            "data",
            "Data",
            DATASETS,
            help="What is learnt from. The Library tells more, and takes data of your own.",
            disabled=locked,
        )
    with columns[2]:
        form.choose(
            "model",
            "Model",
            MODELS,
            help=" ".join(
                ["What is fitted to the data.", *(f"**{e.title}**: {e.about}" for e in MODELS.values() if e.about)]
            ),
            disabled=locked,
        )
    with columns[3]:
        families = sorted(learners_of(texts["model"]).items(), key=lambda item: palette.order(item[1].family))
        about = (
            "The algorithm that fits the model to the data: those of one family are listed together, and their "
            "curves have one colour."
        )
        form.choose("learner", "Learner", dict(families), help=about, disabled=locked)
    with columns[4]:
        if main:
            one_field(main, problems, run, locked=locked, live=live)
    last = readable(recipe)
    if last is not None:
        st.caption(summary(last, now(run) if live else last.learner))
    rest = [key for key in form.fields(texts) if key != main]
    with st.expander("More settings", expanded=any(key in problems for key in rest)):
        titles = {texts["learner"]: "Learner", texts["model"]: "Model", texts["data"]: "Data", "schedule": "Schedule"}
        for name in MODELS[texts["model"]].sections:
            if form.needed(last, name) or any(key.startswith(f"{name}.") for key in problems):
                titles[name] = SECTIONS[name].title
        for column, (owner, title) in zip(st.columns(len(titles), gap="medium"), titles.items(), strict=True):
            with column:
                st.markdown(f"**{title}**")
                for key in (key for key in rest if key.startswith(f"{owner}.")):
                    one_field(key, problems, run, locked=locked, live=live)


def summary(recipe: Recipe, learner: Any) -> str:
    """What is under More settings and matters first: the stages before, the size of the model, what damages its
    inputs, and what an update costs.
    """
    size = recipe.model.size if learner.hidden_units else "No hidden units"
    damage = [recipe.corruption.title] if "corruption" in recipe.entry.sections else []
    return f"{reading.stages(recipe)} {', '.join([size, *damage])}. {learner.cost}".strip()


def first_live(learner: str) -> str:
    """The key of the learner's first live field, or of its first; "" where it has none."""
    fields = LEARNERS[learner].parameters()
    named = [declared.name for declared in fields if declared.live] or [declared.name for declared in fields]
    return f"{learner}.{named[0]}" if named else ""


def one_field(key: str, problems: dict[str, str], run: Run | None, *, locked: bool, live: bool) -> None:
    """The widget of one field; while a training is under way a live field shows, and changes, the value of now."""
    owner, _, name = key.partition(".")
    declared = form.fields(SETTING.texts())[key]
    if live and declared.live and run is not None and owner == type(run.recipe.learner).__name__:
        typed = st.session_state.get("typed live", {}).get(key)
        text, problem = typed or (declared.write(getattr(now(run), name)), None)
        # what a browser still has of a session that a server has lost is no edit of this one
        visit = st.session_state.setdefault("visit", secrets.randbelow(10**9))
        field_widget(f"live {key} {visit}", declared, text, problem, on_edit=partial(change_live, key), disabled=locked)
    else:
        SETTING.field(key, problems, disabled=locked)


def change_live(key: str, text: str) -> None:
    """Give a live field of the run under way another value, or keep what was typed with the sentence on it."""
    run = lab.current_run()
    if run is None or not lab.owns(run):
        return
    typed = st.session_state.setdefault("typed live", {})
    name = key.partition(".")[2]
    typed.pop(key, None)
    try:
        run.change(**{name: type(run.recipe.learner).named(name).parse(text)})
    except ValueError as wrong:
        typed[key] = (text, str(wrong))
    SETTING.refuse()


# -- what there is to say -----------------------------------------------------------------------------


def say(
    run: Run | None,
    snapshot: Snapshot | None,
    recipe: Recipe | None,
    problems: dict[str, str],
    *,
    mine: bool,
    same: bool,
) -> None:
    """One place for messages, which moves nothing else."""
    piece = needed(SETTING.texts()["model"])
    if piece and (sentence := lab.ready(piece)):
        wait_for(piece, sentence, page=PAGE)
    if sentence := problems.get(""):
        st.error(plain(sentence))
    if run is not None and not mine:
        st.info("You are watching someone else's training. You see it live while it goes on, and cannot touch it.")
    elif run is not None and recipe is not None and not same:
        st.info(
            "The settings are not those of the training below: Play starts a new one with them, and this one stays in "
            "the Library."
        )
    if run is not None and mine:  # others are told in the frame, live
        say_of(run, snapshot)
    if recipe is not None and not same and recipe.changes:
        changes = ", ".join(f"{name} {value:g} from update {at:,} on" for at, name, value in recipe.changes)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"This link repeats live changes: {changes}.")
            st.button("Leave them out", on_click=SETTING.put, args=(settled(recipe).to_query(),))
    if recipe is not None and not recipe.data.at_hand():
        st.info(f"{recipe.data.title} is not on this machine yet: Play fetches it first, once.")
    elif recipe is not None and (remark := Course.of(recipe).remark()):
        st.info(plain(remark))
    if recipe is None and SETTING.texts()["data"] == Own.name:
        st.page_link(
            "library.py",
            label="Bring a table of your own in the Library",
            query_params={"view": "data", "set": Own.name},
        )


def look_for(recipe: Recipe | None, pinned: Sequence[Run]) -> None:
    """What the preset of the setting shows."""
    name, heading = shown_preset(readable(recipe), pinned)
    if name != UNLISTED:
        st.caption(f"**{heading}:** {PRESETS[name].look_for}")


def say_of(run: Run, snapshot: Snapshot) -> None:
    """What happened to a training, to its owner, and what can be done about it."""
    if snapshot.status == "diverged":
        with st.container(border=True):
            st.markdown(f"**The training has diverged, and was paused.** {plain(snapshot.reason)}")
            with st.container(horizontal=True):
                common = {"args": (run,), "disabled": snapshot.best is None}
                st.button("Back to the best state", on_click=back, **common)
                if remedy := now(run).remedy():
                    field, value = remedy
                    label = type(now(run)).named(field).label.lower()
                    st.button(f"Go on with {label} {value:g}", on_click=mended, **common)
    elif early := stopped_early(run.recipe, snapshot):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.info(f"**Stopped early:** {plain(early)}")
            st.button("Back to the best state", on_click=back, args=(run,))
    elif snapshot.reason:
        (st.error if snapshot.status == "failed" else st.info)(plain(snapshot.reason))
    if snapshot.status == "finished" and snapshot.state is not None:
        for title, recipe in further(run.recipe, (snapshot.best or snapshot.state).model).items():
            st.button(
                f"Go on as: {title}",
                icon=":material/arrow_forward:",
                on_click=go_on,
                args=(recipe,),
                help=f"Starts a training of two stages: this one once more, and then {plain(recipe.learner.title)} "
                f"from its best model on, as the nearest {title} ({recipe.model.size}): it may begin a little lower.",
            )


@once
def go_on(recipe: Recipe) -> None:
    SETTING.put(recipe.to_query())
    begin(recipe, play=True)


@owned
def back(run: Run) -> None:
    run.restore_best()


@owned
def mended(run: Run) -> None:
    """From the best state on as the learner advises."""
    if remedy := now(run).remedy():
        run.restore_best()
        run.change(**dict([remedy]))
        run.play()


def pin_buttons(run: Run | None, snapshot: Snapshot | None, pinned: Sequence[Run]) -> None:
    """Keep the curve in sight for later trainings, or let pinned ones go."""
    if run not in pinned and (run is not None or not pinned):
        st.button(
            "Pin this curve",
            on_click=pin,
            args=(run,),
            disabled=snapshot is None or snapshot.state is None,
            help="Keep this curve on the chart. Then choose another learner or rate, or New seed, and play: all are "
            f"drawn together, up to {lab.PINS} pinned ones and one more.",
        )
    names = reading.names([each.recipe for each in pinned])
    if len(pinned) == 1:
        st.button(
            "Unpin",
            on_click=unpin,
            args=(pinned[0].id,),
            help=f"Draw the pinned curve no longer: {names[0]}, training {pinned[0].id}.",
        )
    elif pinned:
        with st.popover("Unpin"):
            for each, name in zip(pinned, names, strict=True):
                st.button(f"Unpin {name}", key=f"unpin {each.id}", on_click=unpin, args=(each.id,))
            st.button("Unpin all", on_click=unpin, args=[each.id for each in pinned])


def pin(run: Run) -> None:
    """Keep this curve, or say why not."""
    try:
        lab.pin(run)
    except ValueError as refusal:
        SETTING.refuse(str(refusal))
    else:
        SETTING.refuse()


def unpin(*run_ids: str) -> None:
    """Let these curves go, and what was said when there were too many."""
    lab.unpin(*run_ids)
    SETTING.refuse()


def drawn_beside(run: Run | None, recipe: Recipe | None, pinned: Sequence[Run]) -> list[Run]:
    """The pinned trainings that can be drawn beside the one in sight; a word on why others are not, and on what the
    next click does with them.
    """
    current, names = run.recipe if run is not None else recipe, reading.names([each.recipe for each in pinned])
    shown: list[Run] = []
    reasons: dict[str, list[str]] = {}
    for each, name in zip(pinned, names, strict=True):
        if current is not None and (why := reading.incomparable(each.recipe, current)):
            reasons.setdefault(why, []).append(name)
        elif run is None or each.id != run.id:
            shown.append(each)
    if reasons:
        told = [f"{' and '.join(of)},{' each' * (len(of) > 1)} because {why}" for why, of in reasons.items()]
        st.info(f"Pinned and not drawn: {'; '.join(told)}.")
    if run is not None and run in pinned:
        st.caption(
            f"**{names[pinned.index(run)]} is pinned.** Choose another learner or rate, or New seed, and press Play: "
            "its curve is drawn beside this one."
        )
    elif run is None and shown:
        of = [name for each, name in zip(pinned, names, strict=True) if each in shown]
        told = f"{of[0]} is pinned**: its curve is" if len(of) == 1 else f"{len(of)} are pinned**: their curves are"
        st.caption(f"**{told} drawn beside that of the training you start.")
    return shown


def preview(recipe: Recipe | None) -> None:
    """Before the first training: what is learnt from, and what will be seen."""
    view = view_of(recipe.model.name if recipe else SETTING.texts()["model"])
    left, right = st.columns(2, gap="medium")
    with left, st.container(border=True):
        st.markdown(view.PREVIEW)
    if recipe is not None and recipe.data.at_hand():
        with right:
            view.preview(recipe, Course.of(recipe))


@dataclass(frozen=True)
class Standing:
    """What the page is drawn from, taken once for all of it: a training moves on at any moment.

    trained : of the run, with its live changes so far
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
        taken = form.read(SETTING.texts())
        recipe, snapshot, trained = taken.recipe, run.snapshot if run else None, run.recipe if run else None
        same = recipe is not None and trained is not None and settled(recipe) == settled(trained)
        live = same and mine and (snapshot.status in MOVING or bool(snapshot.state and snapshot.state.count))
        return cls(run, snapshot, trained, recipe, dict(taken.problems), mine, same, live)

    @property
    def begun(self) -> Recipe | None:
        """The recipe of the run, once it has begun, if the settings are its own; None else."""
        snapshot = self.snapshot
        begun = snapshot is not None and (snapshot.status in MOVING or bool(snapshot.state and snapshot.state.count))
        return self.trained if begun and self.same and not self.problems else None

    @property
    def form(self) -> tuple[Any, ...]:
        """What the settings are drawn from: where it has changed, the whole page has to be drawn anew."""
        run = self.run
        typed = st.session_state.get("typed live", {})
        return (
            run and run.id,
            self.trained,
            self.begun,
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
    run, snapshot, recipe, pinned = at.run, at.snapshot, at.recipe, lab.pinned_runs()
    with st.container(key="transport", horizontal=True, vertical_alignment="center", gap="small"):
        transport(run, snapshot, recipe, mine=at.mine, same=at.same)
        pin_buttons(run, snapshot, pinned)
        share(run.recipe if at.same else recipe, run if at.same else None, pinned)
    # what comes and goes in these moves nothing else to another place of the script
    with st.container(key="messages"):
        say(run, snapshot, recipe, at.problems, mine=at.mine, same=at.same)
        beside = drawn_beside(run, recipe, pinned)
    with st.container(key="look-for"):
        look_for(recipe, pinned)
    if run is None:
        preview(recipe)
    else:
        watch(run, at.trained, snapshot, beside, page=PAGE, mine=at.mine)


# -- the page -----------------------------------------------------------------------------------------

play_at_once = arrive()
if (run := lab.current_run()) is not None and not lab.owns(run) and SETTING.texts() != (of_it := run.recipe.to_query()):
    SETTING.put(of_it)
if play_at_once and (linked := form.read(SETTING.texts()).recipe) is not None:
    begin(linked, play=True)
at = Standing.now()
if not at.live:
    st.session_state.pop("typed live", None)
with st.container():
    for sentence in filter(None, (lab.lost_run(), *SETTING.refused())):
        st.warning(plain(sentence))
st.html(cockpit.STYLE)
with st.container():
    cockpit.fold(at.begun, run_id=at.run.id if at.run else None)
with st.container(key="title"):
    st.title("Train")
with st.container(key="settings"):
    settings(at.recipe, at.problems, at.run, locked=not at.mine, live=at.live)
shown = at.run.recipe if at.run is not None and at.same else at.recipe
# texts that cannot be taken, too, so that a reload shows them again
mirror(shown.to_query() if shown else SETTING.texts(), ours=lambda key: key not in ("run", "key", "pin"))
training(at.form)
