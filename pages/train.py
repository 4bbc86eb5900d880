"""Train: choose data, a model and a learner, and watch how good the model gets while it learns."""

import dataclasses
import html
import time
from functools import partial
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from boltzcore.data import Own
from boltzcore.figures import drawing, images, palette, reading
from boltzcore.figures.drawing import Along
from boltzcore.registry import DATASETS, LEARNERS, MODELS, SECTIONS, learners_of
from boltzcore.runs.course import Course
from boltzcore.runs.engine import Run, Snapshot
from boltzcore.runs.presets import PRESETS
from boltzcore.runs.recipe import NAMED, Recipe
from boltzcore.warmup import needed
from pages.parts import form, lab
from pages.parts.form import SETTING
from pages.parts.setting import field_widget, mirror, select
from pages.parts.share import share
from pages.parts.transport import MOVING, begin, drawn, now, settled, transport
from pages.views import view_of
from pages.views.common import Figures

FRAME = 0.25  # seconds between two looks at a training that moves
SELDOM = 2.0  # and at someone else's that rests
SETTLES = 1.0  # seconds after which nothing more comes of a training that rests
UNLISTED = "your own"
WORDS = {"queued": "Waiting", "starting": "Starting", "running": "Training", "stopped": "Ended", "diverged": "Diverged"}


# -- where the setting comes from ---------------------------------------------------------------------


def arrive() -> bool:
    """Take the setting from the address when the page opens and when the browser goes back; whether to play at once."""
    context = get_script_run_ctx()
    # A page switch forgets the state of widgets: that of the transport is there from the first run of a visit on.
    if drawn() and not (context and context.is_history_navigation):
        return False
    query = st.query_params.to_dict()
    if "run" not in query and any(form.is_setting(key) for key in query):
        lab.leave()
    run = lab.current_run(arriving=True)
    SETTING.arrive(query, form.is_setting, form.from_link, run.recipe.to_query() if run else None)
    if lost := lab.arrive_pinned(history=bool(context and context.is_history_navigation)):
        SETTING.refuse(*SETTING.refused(), lost)
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


def shown_preset(recipe: Recipe | None, pinned: Run | None) -> tuple[str, str]:
    """(preset, heading) of the text that helps now: that of the setting, else that of the pinned training which it can
    be compared with.
    """
    heading = "What to look for"
    if (
        (name := preset_of(recipe)) == UNLISTED
        and pinned is not None
        and recipe is not None
        and not reading.incomparable(pinned.recipe, recipe)
    ):
        return preset_of(pinned.recipe), f"{heading} beside the pinned training"
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
    """What is under More settings and matters first: the size of the model, what damages its inputs, and what an
    update costs.
    """
    size = recipe.model.size if learner.hidden_units else "No hidden units"
    damage = [recipe.corruption.title] if "corruption" in recipe.entry.sections else []
    return f"{', '.join([size, *damage])}. {learner.cost}".strip()


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
        field_widget(f"live {key}", declared, text, problem, on_edit=partial(change_live, key), disabled=locked)
    else:
        SETTING.field(key, problems, disabled=locked)


def change_live(key: str, text: str) -> None:
    """Give a live field of the run under way another value, or keep what was typed with the sentence on it."""
    run = lab.current_run()
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
    pinned: Run | None,
    *,
    mine: bool,
    same: bool,
) -> None:
    """One place for messages, between the transport and the curve."""
    piece = needed(SETTING.texts()["model"])
    if piece and lab.ready(piece):
        preparing(piece)
    if sentence := problems.get(""):
        st.error(sentence)
    if run is not None and not mine:
        how = "you see it live" if snapshot.status in (*MOVING, "paused") else "it has ended"
        st.info(f"You are watching someone else's training: {how}, and you cannot touch it.")
    elif run is not None and recipe is not None and not same:
        st.info(
            "The settings are not those of the training below: Play starts a new one with them, and this one stays in "
            "the Library."
        )
    if snapshot is not None and snapshot.status == "diverged":
        with st.container(border=True):
            st.markdown(f"**The training has diverged, and was paused.** {snapshot.reason}")
            with st.container(horizontal=True):
                st.button(
                    "Back to the best state", on_click=back, args=(run,), disabled=not mine or snapshot.best is None
                )
                if "rate" in run.recipe.live_fields():
                    st.button(
                        "Try a tenth of the rate",
                        on_click=slower,
                        args=(run,),
                        disabled=not mine or snapshot.best is None,
                    )
    elif run is not None and (patience := stopped_early(run, snapshot)):
        with st.container(horizontal=True, vertical_alignment="center"):
            at = f"{patience:,} measurement{'s' * (patience > 1)} in a row brought no new best"
            st.info(f"**Stopped early:** {at}. The best state is the one after update {snapshot.best.count:,}.")
            st.button("Back to the best state", on_click=back, args=(run,), disabled=not mine)
    elif snapshot is not None and snapshot.reason:
        (st.error if snapshot.status == "failed" else st.info)(snapshot.reason)
    if recipe is not None and not same and recipe.changes:
        changes = ", ".join(f"{name} {value:g} from update {at:,} on" for at, name, value in recipe.changes)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"This link repeats live changes: {changes}.")
            st.button("Leave them out", on_click=SETTING.put, args=(settled(recipe).to_query(),))
    if recipe is not None and not recipe.data.at_hand():
        st.info(f"{recipe.data.title} is not on this machine yet: Play fetches it first, once.")
    if recipe is None and SETTING.texts()["data"] == Own.name:
        st.page_link(
            "library.py",
            label="Bring a table of your own in the Library",
            query_params={"view": "data", "set": Own.name},
        )
    name, heading = shown_preset(readable(recipe), pinned)
    if name != UNLISTED:
        st.caption(f"**{heading}:** {PRESETS[name].look_for}")


def stopped_early(run: Run, snapshot: Snapshot) -> int:
    """After how many measurements without a new best the training ended; 0 where that is not why."""
    patience = run.recipe.schedule.patience
    early = (
        snapshot.status == "finished"
        and snapshot.best is not None
        and 0 < patience <= snapshot.state.info.get("waited", 0)
    )
    return patience if early else 0


@st.fragment(run_every=1.0)
def preparing(piece: str) -> None:
    """What the first training on this machine waits for."""
    if sentence := lab.ready(piece):
        st.info(sentence)
    else:
        st.rerun()


def back(run: Run) -> None:
    run.restore_best()


def slower(run: Run) -> None:
    """From the best state on with a tenth of the rate."""
    run.restore_best()
    declared = type(run.recipe.learner).named("rate")
    run.change(rate=max(now(run).rate / 10, declared.low or 0))
    run.play()


def pin_button(run: Run | None, snapshot: Snapshot | None, pinned: Run | None) -> None:
    """Keep the curve in sight for later trainings, or let it go."""
    if pinned is not None:
        st.button(
            "Unpin",
            on_click=lab.unpin,
            help=f"Draw the pinned curve no longer: {reading.name(pinned.recipe.learner)}, training {pinned.id}.",
        )
    else:
        about = "Keep this curve on the chart. Then choose another learner or rate and play: both are drawn together."
        st.button(
            "Pin this curve",
            on_click=lab.pin,
            args=(run,),
            disabled=snapshot is None or snapshot.state is None,
            help=about,
        )


def comparable(run: Run | None, recipe: Recipe | None, pinned: Run | None) -> Run | None:
    """The pinned training where it can be drawn beside the one in sight; else a word on why it is not."""
    if pinned is None:
        return None
    name, current = reading.name(pinned.recipe.learner), run.recipe if run is not None else recipe
    if run is not None and run.id == pinned.id:
        st.caption(
            f"**{name} is pinned.** Choose another learner or rate and press Play: its curve is drawn beside this one."
        )
    elif current is not None and (why := reading.incomparable(pinned.recipe, current)):
        st.info(f"The pinned training, {name}, is not drawn: {why}.")
    elif run is None:
        st.caption(f"**{name} is pinned**: its curve is drawn beside that of the training you start.")
    elif not pinned.snapshot.records:
        st.caption(f"{name} is pinned, and nothing of it has been measured yet.")
    else:
        return pinned
    return None


UNITS = "Which tiles of weights are drawn, where there are too many for one picture."


def view_options(recipe: Recipe | None, snapshot: Snapshot | None) -> tuple[str, int]:
    """(axis of the curves, page of weights), chosen outside the part that polls.

    Until somebody chooses an axis it is what the schedule of `recipe` counts.
    """
    axis = st.session_state.get("chosen axis") or (recipe.schedule.unit if recipe else "epochs")
    model = recipe.model.name if recipe else SETTING.texts()["model"]
    view, axes = view_of(model), drawing.axis_titles(MODELS[model].work)
    with st.popover("View"):
        about = "Cost as an axis: what a training took to get there."
        select("axis", "Curves over", axes, axes, axis, help=about, on_pick=choose_axis)
        count = view.units(snapshot) if snapshot and snapshot.state else 0
        there = range(images.pages(count))
        shown = {i: f"{i * images.PER_PAGE + 1} to {min((i + 1) * images.PER_PAGE, count)}" for i in there}
        common = {"key": f"units of {count}", "disabled": len(there) < 2, "help": UNITS}
        page = st.selectbox(view.TILES, there, format_func=shown.get, **common) if view.TILES else 0
    return axis, page


def choose_axis(axis: str) -> None:
    st.session_state["chosen axis"] = axis


# -- what moves ---------------------------------------------------------------------------------------


SPEED = "Updates a second"
TOLD = {
    "Epoch": "Once through all training rows is one epoch. The count stands still while the model is measured.",
    "Update": "One step of the learner. The count stands still while the model is measured.",
    SPEED: "Over about the last half second. The time that measuring takes counts, too.",
}


def figures(run: Run, snapshot: Snapshot) -> None:
    """Where the training stands, in figures that keep their places."""
    state, length = snapshot.state, run.recipe.schedule.length
    place = f", place {snapshot.place}" if snapshot.status == "queued" else ""
    count = state.count if state else 0
    if run.recipe.schedule.unit == "epochs" and snapshot.updates_per_epoch:
        at = ("Epoch", f"{count / snapshot.updates_per_epoch:,.1f}".removesuffix(".0") + f" of {length:,}")
    else:
        at = ("Update", f"{count:,}" + (f" of {snapshot.budget:,}" if snapshot.budget else ""))
    status = WORDS.get(snapshot.status, snapshot.status.capitalize()) + place
    shown = [
        (name, value, TOLD.get(name, ""))
        for name, value in (("Status", status), at, (SPEED, f"{snapshot.updates_per_second:,.0f}"))
    ]
    attributes = (
        f'data-run="{run.id}" data-status="{snapshot.status}" data-count="{count}" '
        f'data-version="{snapshot.version}" data-records="{len(snapshot.records)}"'
    )
    st.html(
        '<dl class="lab-figures" '
        f"{attributes}>{items(shown + view_of(run.recipe.model.name).figures(snapshot, run.recipe))}</dl>"
    )


def items(shown: Figures) -> str:
    """Figures, each with its name and what it is as a tooltip."""
    escaped = ((html.escape(text) for text in each) for each in shown)
    return "".join(f'<div title="{about}"><dt>{name}</dt><dd>{value}</dd></div>' for name, value, about in escaped)


def comparison(pinned: Run, run: Run, curves: tuple[reading.Curve, reading.Curve], course: Course | None) -> None:
    """The pinned training and this one in figures, a line each, under the colour that their curves have."""
    lines, unit = [], run.recipe.schedule.unit
    earlier, now = curves
    hues = palette.pinned(earlier.family, now.family), palette.hue(now.family)
    for title, each, colour, recipe in zip(
        ("Pinned", "This training"), curves, hues, (pinned.recipe, run.recipe), strict=True
    ):
        at = reading.at(each.records[-1], unit) if each.records else reading.figure(None)
        figures = [(title, each.name, ""), (unit.capitalize().removesuffix("s"), at, "")]
        figures += view_of(recipe.model.name).compared(each.records, recipe, course)
        lines.append(f'<dl class="lab-compare" style="border-left: 4px solid {colour}">{items(figures)}</dl>')
    st.html("".join(lines))


def look(run: Run, snapshot: Snapshot, pinned: Run | None, axis: str, page: int) -> None:
    view, recipe, course = view_of(run.recipe.model.name), run.recipe, snapshot.course
    along = Along(axis, recipe.entry.work, snapshot.budget or None, snapshot.updates_per_epoch or None)
    beside, shown = None, reading.curve(recipe.learner, snapshot.records)
    if pinned:
        beside, shown = reading.compared((pinned.recipe, pinned.snapshot.records), (recipe, snapshot.records))
    figures(run, snapshot)
    view.curve(shown, beside, snapshot, recipe, along)
    if beside:
        comparison(pinned, run, (beside, shown), course)
    if course is not None and snapshot.state is not None:
        view.show(snapshot, recipe, along, page)


def lively(run: Run, snapshot: Snapshot, pinned: Run | None) -> bool:
    """Whether more is to come: it moves, or what is pinned does, or has come to rest only now and settles."""
    version, since = st.session_state.get("looked", (None, 0.0))
    if version != (run.id, snapshot.version):
        since = time.monotonic()
        st.session_state["looked"] = ((run.id, snapshot.version), since)
    return (
        snapshot.status in MOVING
        or (pinned is not None and pinned.snapshot.status in MOVING)
        or time.monotonic() - since < SETTLES
    )


def surroundings(run: Run, snapshot: Snapshot) -> tuple[Any, ...]:
    """What is drawn around the part that polls: what was typed, too, as Streamlit may call back in a run of that part
    alone.
    """
    return snapshot.status, run.recipe, dict(SETTING.texts()), dict(st.session_state.get("typed live", {}))


def watch(run: Run, seen: Snapshot, pinned: Run | None, *, mine: bool, every: float, axis: str, page: int) -> None:
    """The part that polls. It only reads; when what is around it, drawn from the Snapshot `seen`, has to change, the
    whole page runs again.
    """
    polls = lively(run, seen, pinned)
    around = surroundings(run, seen)

    @st.fragment(run_every=every if polls else None if mine else SELDOM)
    def live() -> None:
        snapshot = run.snapshot
        if surroundings(run, snapshot) != around or (polls and not lively(run, snapshot, pinned)):
            st.rerun()
        look(run, snapshot, pinned, axis, page)

    live()


def preview(recipe: Recipe | None) -> None:
    """Before the first training: what is learnt from, and what will be seen."""
    view = view_of(recipe.model.name if recipe else SETTING.texts()["model"])
    left, right = st.columns(2, gap="medium")
    with left, st.container(border=True):
        st.markdown(view.PREVIEW)
    if recipe is not None and recipe.data.at_hand():
        with right:
            view.preview(recipe, Course.of(recipe))


# -- the page -----------------------------------------------------------------------------------------

STYLE = """<style>
dl.lab-figures, dl.lab-compare { padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: 0;
  font-variant-numeric: tabular-nums; }
dl.lab-compare { padding-left: .75rem; margin-bottom: .75rem; }
.lab-figures div, .lab-compare div { min-width: 8.5ch; }
.lab-compare div { min-width: 14ch; }
.lab-figures dt, .lab-compare dt { font-size: .8rem; margin: 0; }
.lab-figures dd, .lab-compare dd { font-size: 1.05rem; font-weight: 600; margin: 0; white-space: nowrap; }
</style>"""

st.html(STYLE)
st.title("Train")
play_at_once = arrive()
run, pinned = lab.current_run(), lab.pinned_run()
mine = run is None or lab.owns(run)
if run is not None and not mine and SETTING.texts() != (watched := run.recipe.to_query()):
    SETTING.put(watched)
taken = form.read(SETTING.texts())
recipe, problems = taken.recipe, dict(taken.problems)
if play_at_once and recipe is not None:
    run, mine = begin(recipe, play=True), True
same = run is not None and recipe is not None and settled(recipe) == settled(run.recipe)
snapshot = (
    run.snapshot if run else None
)  # one for all that is drawn around the part that polls: it moves on at any moment
live = same and mine and (snapshot.status in MOVING or (snapshot.state is not None and snapshot.state.count > 0))
if not live:
    st.session_state.pop("typed live", None)

with st.container():  # so that what comes and goes here moves nothing else to another place of the script
    for sentence in filter(None, (lab.lost_run(), *SETTING.refused())):
        st.warning(sentence)
settings(recipe, problems, run, locked=not mine, live=live)
with st.container(horizontal=True, vertical_alignment="center", gap="small"):
    transport(run, snapshot, recipe, mine=mine, same=same)
    axis, page = view_options(run.recipe if run else recipe, snapshot)
    pin_button(run, snapshot, pinned)
    taking = share(run.recipe if same else recipe, run if same else None, pinned)
with st.container():
    say(run, snapshot, recipe, problems, pinned, mine=mine, same=same)
    beside = comparable(run, recipe, pinned)
shown = run.recipe if run is not None and same else recipe
# texts that cannot be taken, too, so that a reload shows them again
mirror(shown.to_query() if shown else SETTING.texts(), ours=lambda key: key not in ("run", "key", "pin"))

if run is None:
    preview(recipe)
else:
    watch(run, snapshot, beside, mine=mine, every=SELDOM if taking else FRAME, axis=axis, page=page)
