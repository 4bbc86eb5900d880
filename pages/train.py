"""Train: choose data, a learner and a model, and watch the log-likelihood while it learns."""

import dataclasses
import html
import time

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from boltzcore.data import Dataset, Own
from boltzcore.figures import charts, images
from boltzcore.parameters import Parameter
from boltzcore.registry import DATASETS, MODELS, learners_of
from boltzcore.runs.engine import Run, Snapshot
from boltzcore.runs.presets import PRESETS
from boltzcore.runs.recipe import Recipe
from pages.parts import form, lab
from pages.parts.plot import live_plot, picture
from pages.parts.share import share
from pages.parts.transport import MOVING, begin, current, now, settled, transport
from pages.views import VIEWS

FRAME = 0.25  # seconds between two looks at a training that moves
SELDOM = 2.0  # and at someone else's that rests
SETTLES = 1.0  # seconds after which nothing more comes of a training that rests
CHART_HEIGHT = 400
OWN = "your own"
AXES = {"epochs": "Epochs", "updates": "Updates", "transitions": "Gibbs transitions", "seconds": "Seconds"}
WORDS = {"queued": "Waiting", "starting": "Starting", "running": "Training", "stopped": "Ended", "diverged": "Diverged"}

LIKELIHOOD = (
    "How probable the model makes an image, on average: the natural logarithm, in nats per example. Higher is better. "
    "Test images (thick) were not learnt from; the base rate is what a model that knows only how often each training pixel is on would reach. "
    "The ring marks the best state so far, by the training images."
)
NO_LIKELIHOOD = (
    "**No exact log-likelihood can be had for this model**: it would take a sum over every state of its smaller layer, which has more than 25 units. "
    "The free-energy gap is drawn instead: it tells overfitting, not how good the model is."
)


# -- where the setting comes from ---------------------------------------------------------------------


def arrive() -> bool:
    """Take the setting from the address when the page opens and when the browser goes back; whether to play at once."""
    context = get_script_run_ctx()
    # A page switch forgets the state of widgets: "axis" is there from the first run of a visit on.
    if "axis" in st.session_state and not (context and context.is_history_navigation):
        return False
    query = st.query_params.to_dict()
    if "run" not in query and any(form.is_setting(key) for key in query):
        lab.leave()
    run = lab.current_run()
    form.arrive(query, run.recipe if run else None)
    return query.get("play") == "1"


def mirror(recipe: Recipe | None) -> None:
    """Write the setting into the address; texts that cannot be taken, too, so that a reload shows them again."""
    wanted = recipe.to_query() if recipe else form.texts()
    kept = {key: text for key, text in st.query_params.to_dict().items() if key in ("run", "key")}
    if st.query_params.to_dict() != wanted | kept:
        st.query_params.from_dict(wanted | kept)


# -- the form -----------------------------------------------------------------------------------------


def preset_of(recipe: Recipe | None) -> str:
    """The preset that a recipe is, whatever its seed."""
    if recipe is not None:
        for name, preset in PRESETS.items():
            if dataclasses.replace(settled(recipe), schedule=recipe.schedule.changed(seed=preset.recipe.schedule.seed)) == preset.recipe:
                return name
    return OWN


def choose_preset(name: str, *, disabled: bool) -> None:
    titles = {key: preset.title for key, preset in PRESETS.items()} | {OWN: "Settings of your own"}
    there = [*PRESETS, *([OWN] if name == OWN else [])]
    key = form.widget_key("choose preset", name)
    told = "A training worth watching, with all its settings."
    st.selectbox("Preset", there, there.index(name), titles.get, key=key, on_change=put_preset, args=(key,), disabled=disabled, help=told)


def put_preset(key: str) -> None:
    form.put(PRESETS[st.session_state[key]].recipe.to_query())


def settings(recipe: Recipe | None, problems: dict[str, str], run: Run | None, *, locked: bool, live: bool) -> None:
    """At most five controls in sight; all others under More settings."""
    texts = form.texts()
    makers = form.makers(texts)
    several = len(MODELS) > 1
    main = [f"{texts['learner']}.{first_live(makers[texts['learner']].parameters()).name}"]
    if not several:
        main.append(f"{texts['model']}.{makers[texts['model']].parameters()[0].name}")
    columns = st.columns([1.5, 1.2, 1.6, 0.8, 0.8], gap="small")
    with columns[0]:
        choose_preset(preset_of(recipe), disabled=locked)
    with columns[1]:
        form.choose("data", "Data", DATASETS, "What is learnt from. The Library tells more, and takes data of your own.", disabled=locked)
    with columns[2]:
        form.choose("learner", "Learner", learners_of(texts["model"]), "The algorithm that fits the model to the data.", disabled=locked)
    if several:
        with columns[3]:
            form.choose("model", "Model", MODELS, "What is fitted to the data.", disabled=locked)
    for column, key in zip(columns[4 if several else 3 :], main, strict=True):
        with column:
            one_field(key, problems, run, locked=locked, live=live)
    rest = [f"{owner}.{p.name}" for owner, maker in makers.items() for p in maker.parameters() if f"{owner}.{p.name}" not in main]
    with st.expander("More settings", expanded=any(key in problems for key in rest)):
        titles = {texts["learner"]: "Learner", texts["model"]: "Model", texts["data"]: "Data", "schedule": "Schedule"}
        for column, (owner, title) in zip(st.columns(len(titles), gap="medium"), titles.items(), strict=True):
            with column:
                st.markdown(f"**{title}**")
                for key in (key for key in rest if key.startswith(f"{owner}.")):
                    one_field(key, problems, run, locked=locked, live=live)


def first_live(parameters: tuple[Parameter, ...]) -> Parameter:
    return next((declared for declared in parameters if declared.live), parameters[0])


def one_field(key: str, problems: dict[str, str], run: Run | None, *, locked: bool, live: bool) -> None:
    """The widget of one field; while a training is under way a live field shows, and changes, the value of now."""
    texts = form.texts()
    owner, _, name = key.partition(".")
    declared = form.makers(texts)[owner].named(name)
    if live and declared.live and run is not None and owner == type(run.recipe.learner).__name__:
        typed = st.session_state.get("typed live", {}).get(key)
        value, problem = typed or (declared.write(getattr(now(run), name)), None)
        form.field_widget(declared, key, value, problem, on_edit=change_live, disabled=locked, live=True)
    else:
        form.field_widget(declared, key, texts.get(key, declared.write(declared.default)), problems.get(key), on_edit=form.edit, disabled=locked)


def change_live(key: str, text: str) -> None:
    """Give a live field of the run under way another value, or keep what was typed with the sentence on it."""
    run = current()
    typed = st.session_state.setdefault("typed live", {})
    name = key.partition(".")[2]
    typed.pop(key, None)
    try:
        run.change(**{name: type(run.recipe.learner).named(name).parse(text)})
    except ValueError as wrong:
        typed[key] = (text, str(wrong))


# -- what there is to say -----------------------------------------------------------------------------


def say(run: Run | None, recipe: Recipe | None, problems: dict[str, str], *, mine: bool, same: bool) -> None:
    """One place for messages, between the transport and the curve."""
    snapshot = run.snapshot if run else None
    if lab.ready():
        preparing()
    if sentence := problems.get(""):
        st.error(sentence)
    if run is not None and not mine:
        st.info("You are watching someone else's training: you see it live, and cannot touch it.")
    elif run is not None and not same:
        st.info("The settings are not those of the training below: Play starts a new one with them, and this one stays in the Library.")
    if snapshot is not None and snapshot.status == "diverged":
        with st.container(border=True):
            st.markdown(f"**The training has diverged, and was paused.** {snapshot.reason}")
            with st.container(horizontal=True):
                st.button("Back to the best state", on_click=back, args=(run,), disabled=not mine or snapshot.best is None)
                if "rate" in run.recipe.live_fields():
                    st.button("Try a tenth of the rate", on_click=slower, args=(run,), disabled=not mine or snapshot.best is None)
    elif snapshot is not None and snapshot.reason:
        (st.error if snapshot.status == "failed" else st.info)(snapshot.reason)
    if recipe is not None and not same and recipe.changes:
        told = ", ".join(f"{name} {value:g} from update {at:,} on" for at, name, value in recipe.changes)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"This link repeats live changes: {told}.")
            st.button("Leave them out", on_click=form.put, args=(settled(recipe).to_query(),))
    if recipe is not None and not recipe.data.at_hand():
        st.info(f"{recipe.data.title} is not on this machine yet: Play fetches it first, once.")
    if recipe is None and form.texts()["data"] == Own.name:
        st.page_link("library.py", label="Bring a table of your own in the Library", query_params={"view": "data", "set": Own.name})
    if (name := preset_of(recipe)) != OWN and not (same and run.recipe.changes):
        st.caption(f"**What to look for:** {PRESETS[name].look_for}")


@st.fragment(run_every=1.0)
def preparing() -> None:
    """What the first training on this machine waits for."""
    if sentence := lab.ready():
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


UNITS = "Which receptive fields are drawn, where there are too many for one picture."


def view_options(run: Run | None) -> tuple[str, int]:
    """(axis of the curves, page of hidden units), chosen outside the part that polls."""
    with st.popover("View"):
        axis = st.selectbox("Curves over", AXES, format_func=AXES.get, key="axis", help="Cost as an axis: what a training took to get there.")
        count = run.snapshot.state.model.n_hidden if run and run.snapshot.state else 0
        there = range(images.pages(count))
        shown = {i: f"{i * images.PER_PAGE + 1} to {min((i + 1) * images.PER_PAGE, count)}" for i in there}
        page = st.selectbox("Hidden units", there, format_func=shown.get, key=f"units of {count}", disabled=len(there) < 2, help=UNITS)
    return axis, page


# -- what moves ---------------------------------------------------------------------------------------


TOLD = {
    "Epoch": "Once through all training images is one epoch.",
    "Update": "One step of the learner.",
    "Test, nats": "Mean exact log-likelihood of images that are not learnt from, in nats per example.",
    "All patterns, nats": "Mean exact log-likelihood of the patterns, in nats per example. They are few: all are learnt from, and tested.",
    "Training, nats": "Mean exact log-likelihood of the training images, in nats per example.",
    "Base rate, nats": "Mean log-likelihood of the training images if each pixel were on or off on its own.",
    "Free-energy gap, nats": "Mean free energy of validation (or test) minus training images.",
}


def figures(run: Run, snapshot: Snapshot, dataset: Dataset | None) -> None:
    """Where the training stands, in figures that keep their places."""
    last = snapshot.records[-1] if snapshot.records else None
    state, length = snapshot.state, run.recipe.schedule.length
    place = f", place {snapshot.place}" if snapshot.status == "queued" else ""
    count = state.count if state else 0
    if run.recipe.schedule.unit == "epochs" and snapshot.updates_per_epoch:
        at = ("Epoch", f"{count / snapshot.updates_per_epoch:,.1f}".removesuffix(".0") + f" of {length:,}")
    else:
        at = ("Update", f"{count:,}" + (f" of {snapshot.budget:,}" if snapshot.budget else ""))
    known = last.values if last else {}
    shown = [("Status", WORDS.get(snapshot.status, snapshot.status.capitalize()) + place), at, ("Updates a second", f"{snapshot.updates_per_second:,.0f}")]
    if charts.TRAIN in known:
        same = dataset is not None and dataset.test is dataset.train
        names = {"All patterns, nats": charts.TRAIN} if same else {"Test, nats": charts.TEST, "Training, nats": charts.TRAIN}
        shown += [(name, number(known[key])) for name, key in names.items()]
        shown += [("Base rate, nats", number(snapshot.base_rate))]
    elif charts.GAP in known:
        shown += [("Free-energy gap, nats", number(known[charts.GAP]))]
    items = "".join(f'<div title="{TOLD.get(name, "")}"><dt>{html.escape(name)}</dt><dd>{html.escape(value)}</dd></div>' for name, value in shown)
    told = f'data-run="{run.id}" data-status="{snapshot.status}" data-count="{count}" data-version="{snapshot.version}" data-records="{len(snapshot.records)}"'
    st.html(f'<dl class="lab-figures" {told}>{items}</dl>')


def number(value: float | None) -> str:
    return "\N{EN DASH}" if value is None else f"{value:.3f}".replace("-", "\N{MINUS SIGN}")


def curve(run: Run, snapshot: Snapshot, dataset: Dataset | None, axis: str) -> None:
    """The log-likelihood, large; where it cannot be had, the sentence that says so and the gap."""
    records, recipe = snapshot.records, run.recipe
    common = {"family": recipe.learner.family, "axis": axis, "budget": snapshot.budget or None, "updates_per_epoch": snapshot.updates_per_epoch or None}
    if not records or charts.TRAIN in records[-1].values:
        st.markdown("**Log-likelihood**", help=LIKELIHOOD)
        figure = charts.likelihood(
            records,
            base_rate=snapshot.base_rate,
            upper_bound=charts.upper_bound(dataset) if dataset else None,
            changes=recipe.changes,
            best=snapshot.best.count if snapshot.best else None,
            **common,
        )
        told = f"{charts.told(records, charts.TEST, 'Test log-likelihood')} Base rate {number(snapshot.base_rate)}."
    else:
        st.markdown(NO_LIKELIHOOD)
        st.markdown("**Free-energy gap**", help=TOLD["Free-energy gap, nats"])
        figure, told = charts.free_energy_gap(records, changes=recipe.changes, **common), charts.told(records, charts.GAP, "Free-energy gap")
    live_plot(figure, key="curve", height=CHART_HEIGHT, alt=told, version=snapshot.version)


def look(run: Run, snapshot: Snapshot, axis: str, page: int) -> None:
    try:
        dataset = run.recipe.data.load() if snapshot.state is not None else None
    except ValueError as wrong:
        st.info(str(wrong))
        dataset = None
    figures(run, snapshot, dataset)
    curve(run, snapshot, dataset, axis)
    if dataset is not None:
        VIEWS[run.recipe.model.name](snapshot, run.recipe, dataset, axis=axis, page=page)


def lively(run: Run, snapshot: Snapshot) -> bool:
    """Whether more is to come: it moves, or has come to rest only now and settles."""
    version, since = st.session_state.get("looked", (None, 0.0))
    if version != (run.id, snapshot.version):
        since = time.monotonic()
        st.session_state["looked"] = ((run.id, snapshot.version), since)
    return snapshot.status in MOVING or time.monotonic() - since < SETTLES


def watch(run: Run, *, mine: bool, every: float, axis: str, page: int) -> None:
    """The part that polls. It only reads; when what is around it has to change, the whole page runs again."""
    polls = lively(run, run.snapshot)
    around = (run.snapshot.status, run.recipe)

    @st.fragment(run_every=every if polls else None if mine else SELDOM)
    def live() -> None:
        snapshot = run.snapshot
        if (snapshot.status, run.recipe) != around or (polls and not lively(run, snapshot)):
            st.rerun()
        look(run, snapshot, axis, page)

    live()


def preview(recipe: Recipe | None) -> None:
    """Before the first training: what is learnt from, and what will be seen."""
    left, right = st.columns(2, gap="medium")
    with left, st.container(border=True):
        st.markdown(
            "**Press Play**\n\n"
            "The **log-likelihood** is drawn here while the model learns, for training and for test images, above the **base rate** it starts from. "
            "Below it: the **receptive field** of each hidden unit, **fantasy particles** that the model dreams up, its weights, and whether it overfits."
        )
    if recipe is not None and recipe.data.at_hand():
        dataset: Dataset = recipe.data.load()
        with right:
            st.markdown(f"**What it learns from**: {recipe.data.title}, {len(dataset.train):,} images", help=recipe.data.about)
            shown = some(dataset, recipe)
            picture(shown.png, f"The first images of {recipe.data.title}.", width=shown.width)


def some(dataset: Dataset, recipe: Recipe) -> images.Tiles:
    rows = dataset.train.head(images.PER_PAGE).epoch(0, recipe.schedule.seed)
    return images.pixel_tiles(rows.v, dataset.shape)


# -- the page -----------------------------------------------------------------------------------------

STYLE = """<style>
dl.lab-figures { padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: 0; font-variant-numeric: tabular-nums; }
.lab-figures div { min-width: 8.5ch; }
.lab-figures dt { font-size: .8rem; margin: 0; }
.lab-figures dd { font-size: 1.05rem; font-weight: 600; margin: 0; white-space: nowrap; }
</style>"""

st.html(STYLE)
st.title("Train")
play_at_once = arrive()
run = current()
mine = run is None or lab.owns(run)
if run is not None and not mine and form.texts() != (watched := run.recipe.to_query()):
    form.put(watched)
reading = form.read(form.texts())
recipe, problems = reading.recipe, dict(reading.problems)
if play_at_once and recipe is not None:
    run, mine = begin(recipe, play=True), True
same = run is not None and recipe is not None and settled(recipe) == settled(run.recipe)
live = same and mine and (run.snapshot.status in MOVING or (run.snapshot.state is not None and run.snapshot.state.count > 0))
if not live:
    st.session_state.pop("typed live", None)

with st.container():  # so that what comes and goes here moves nothing else to another place of the script
    for sentence in filter(None, (lab.lost_run(), *form.refused())):
        st.warning(sentence)
settings(recipe, problems, run, locked=not mine, live=live)
with st.container(horizontal=True, vertical_alignment="center", gap="small"):
    transport(run, recipe, mine=mine, same=same)
    axis, page = view_options(run)
    taking = share(run.recipe if same else recipe, run if same else None)
with st.container():
    say(run, recipe, problems, mine=mine, same=same)
mirror(run.recipe if run is not None and same else recipe)

if run is None:
    preview(recipe)
else:
    watch(run, mine=mine, every=SELDOM if taking else FRAME, axis=axis, page=page)
