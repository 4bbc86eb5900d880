"""Train: choose data, a learner and a model, and watch the log-likelihood while it learns."""

import dataclasses
import html
import time

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from boltzcore.data import Dataset, Own
from boltzcore.figures import charts, images, palette, reading
from boltzcore.parameters import Parameter
from boltzcore.registry import DATASETS, MODELS, learners_of
from boltzcore.runs.engine import Run, Snapshot
from boltzcore.runs.presets import PRESETS
from boltzcore.runs.recipe import Recipe
from pages.parts import form, lab
from pages.parts.plot import live_plot, picture
from pages.parts.share import share
from pages.parts.transport import MOVING, begin, drawn, now, settled, transport
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
ESTIMATE = (
    "This model is too large for its exact likelihood, a sum over every state of its smaller layer. Annealed importance sampling (AIS) estimates it here: "
    "{chains:,} chains go from {start} to the model in {temperatures:,} temperatures. The band is three standard errors of log Z to either side, "
    "not of the sample of images. "
    "On average the estimate of log Z is too low, which flatters the model: distrust it where the band is wide or few chains count. "
)
NO_LIKELIHOOD = (
    "**The log-likelihood is not among the measures of this training.** The free-energy gap is drawn instead: it tells overfitting, not how good the model is."
)


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
    form.arrive(query, run.recipe if run else None)
    if lost := lab.arrive_pinned(history=bool(context and context.is_history_navigation)):
        form.refuse(lost)
    return query.get("play") == "1"


def mirror(recipe: Recipe | None) -> None:
    """Write the setting into the address; texts that cannot be taken, too, so that a reload shows them again."""
    wanted = recipe.to_query() if recipe else form.texts()
    kept = {key: text for key, text in st.query_params.to_dict().items() if key in ("run", "key", "pin")}
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


def told_preset(recipe: Recipe | None, pinned: Run | None) -> str:
    """The preset whose text helps now: that of the setting, else that of the pinned training which it is compared with."""
    if (name := preset_of(recipe)) == OWN and pinned is not None and recipe is not None and recipe.data == pinned.recipe.data:
        return preset_of(pinned.recipe)
    return name


def readable(recipe: Recipe | None) -> Recipe | None:
    """The setting; while something in it cannot be taken, the last one that could, so that what depends on it stays in its place."""
    if recipe is not None:
        st.session_state["readable"] = recipe
    return st.session_state.get("readable")


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
        families = sorted(learners_of(texts["model"]).items(), key=lambda item: list(palette.FAMILIES).index(item[1].family))
        told = "The algorithm that fits the model to the data: those of one family are listed together, and their curves have one colour."
        form.choose("learner", "Learner", dict(families), told, disabled=locked)
    if several:
        with columns[3]:
            form.choose("model", "Model", MODELS, "What is fitted to the data.", disabled=locked)
    for column, key in zip(columns[4 if several else 3 :], main, strict=True):
        with column:
            one_field(key, problems, run, locked=locked, live=live)
    last = readable(recipe)
    if last is not None and type(last.learner).__name__ == texts["learner"] and (cost := getattr(now(run) if live else last.learner, "cost", "")):
        st.caption(cost)
    rest = [f"{owner}.{p.name}" for owner, maker in makers.items() for p in maker.parameters() if f"{owner}.{p.name}" not in main]
    with st.expander("More settings", expanded=any(key in problems for key in rest)):
        titles = {texts["learner"]: "Learner", texts["model"]: "Model", texts["data"]: "Data", "schedule": "Schedule"}
        if form.estimated(last) or any(key.startswith("annealing.") for key in problems):
            titles["annealing"] = "Estimate (AIS)"
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
    run = lab.current_run()
    typed = st.session_state.setdefault("typed live", {})
    name = key.partition(".")[2]
    typed.pop(key, None)
    try:
        run.change(**{name: type(run.recipe.learner).named(name).parse(text)})
    except ValueError as wrong:
        typed[key] = (text, str(wrong))


# -- what there is to say -----------------------------------------------------------------------------


def say(run: Run | None, snapshot: Snapshot | None, recipe: Recipe | None, problems: dict[str, str], pinned: Run | None, *, mine: bool, same: bool) -> None:
    """One place for messages, between the transport and the curve."""
    if lab.ready():
        preparing()
    if sentence := problems.get(""):
        st.error(sentence)
    if run is not None and not mine:
        how = "you see it live" if snapshot.status in (*MOVING, "paused") else "it has ended"
        st.info(f"You are watching someone else's training: {how}, and you cannot touch it.")
    elif run is not None and recipe is not None and not same:
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
    if (name := told_preset(readable(recipe), pinned)) != OWN:
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


def pin_button(run: Run | None, snapshot: Snapshot | None, pinned: Run | None) -> None:
    """Keep the curve in sight for later trainings, or let it go."""
    if pinned is not None:
        st.button("Unpin", on_click=lab.unpin, help=f"Draw the pinned curve no longer: {reading.name(pinned.recipe.learner)}, training {pinned.id}.")
    else:
        told = "Keep this curve on the chart. Then choose another learner or rate and play: the two are drawn together."
        st.button("Pin this curve", on_click=lab.pin, args=(run,), disabled=snapshot is None or snapshot.state is None, help=told)


def comparable(run: Run | None, recipe: Recipe | None, pinned: Run | None) -> Run | None:
    """The pinned training where it can be drawn beside the one in sight; else a word on why it is not."""
    if pinned is None:
        return None
    name, current = reading.name(pinned.recipe.learner), run.recipe if run is not None else recipe
    if run is not None and run.id == pinned.id:
        st.caption(f"**{name} is pinned.** Choose another learner or rate and press Play: its curve is drawn beside this one.")
    elif current is not None and current.data != pinned.recipe.data:
        st.info(f"The pinned training, {name}, is not drawn: its data are other data than these, and log-likelihoods of different data cannot be compared.")
    elif run is None:
        st.caption(f"**{name} is pinned**: its curve is drawn beside that of the training you start.")
    elif not pinned.snapshot.records:
        st.caption(f"{name} is pinned, and nothing of it has been measured yet.")
    else:
        return pinned
    return None


UNITS = "Which receptive fields are drawn, where there are too many for one picture."


def view_options(recipe: Recipe | None, snapshot: Snapshot | None) -> tuple[str, int]:
    """(axis of the curves, page of hidden units), chosen outside the part that polls.

    Until somebody chooses an axis it is what the schedule of `recipe` counts.
    """
    axis = st.session_state.get("chosen axis") or (recipe.schedule.unit if recipe else "epochs")
    with st.popover("View"):
        key = form.widget_key("axis", axis)
        told = "Cost as an axis: what a training took to get there."
        st.selectbox("Curves over", AXES, list(AXES).index(axis), AXES.get, key=key, on_change=choose_axis, args=(key,), help=told)
        count = snapshot.state.model.n_hidden if snapshot and snapshot.state else 0
        there = range(images.pages(count))
        shown = {i: f"{i * images.PER_PAGE + 1} to {min((i + 1) * images.PER_PAGE, count)}" for i in there}
        page = st.selectbox("Hidden units", there, format_func=shown.get, key=f"units of {count}", disabled=len(there) < 2, help=UNITS)
    return axis, page


def choose_axis(key: str) -> None:
    st.session_state["chosen axis"] = st.session_state[key]


# -- what moves ---------------------------------------------------------------------------------------


TEST, ALL, TRAINING, SPEED = "Test, nats", "All patterns, nats", "Training, nats", "Updates a second"
BASE_RATE, GAP, CLIMB, COUNTING, BEST = "Base rate, training, nats", "Free-energy gap, nats", "90 % of climb", "AIS chains that count", "Best, nats"
TOLD = {
    "Epoch": "Once through all training images is one epoch. The count stands still while the model is measured.",
    "Update": "One step of the learner. The count stands still while the model is measured.",
    SPEED: "Over about the last half second. The time that measuring takes counts, too.",
    TEST: "Mean exact log-likelihood of images that are not learnt from, in nats per example.",
    ALL: "Mean exact log-likelihood of the patterns, in nats per example. They are few: all are learnt from, and tested.",
    TRAINING: "Mean exact log-likelihood of the training images, in nats per example.",
    BASE_RATE: "Mean log-likelihood of the training images if each pixel were on or off on its own.",
    GAP: "Mean free energy of validation (or test) minus training images.",
    CLIMB: "The first measurement at which 90 % of the way from the first to the best test log-likelihood so far is reached.",
    BEST: "The highest test log-likelihood so far, in nats per example.",
    COUNTING: "Effective sample size: how many chains of equal weight would tell as much as those of the estimate. Few: distrust it.",
}
ESTIMATED = " An estimate by annealed importance sampling: \N{PLUS-MINUS SIGN} is three standard errors of log Z alone, not of the sample of images."


def figures(run: Run, snapshot: Snapshot, dataset: Dataset | None) -> None:
    """Where the training stands, in figures that keep their places."""
    records, state, length = snapshot.records, snapshot.state, run.recipe.schedule.length
    place = f", place {snapshot.place}" if snapshot.status == "queued" else ""
    count = state.count if state else 0
    if run.recipe.schedule.unit == "epochs" and snapshot.updates_per_epoch:
        at = ("Epoch", f"{count / snapshot.updates_per_epoch:,.1f}".removesuffix(".0") + f" of {length:,}")
    else:
        at = ("Update", f"{count:,}" + (f" of {snapshot.budget:,}" if snapshot.budget else ""))
    known = records[-1].values if records else {}
    shown = [("Status", WORDS.get(snapshot.status, snapshot.status.capitalize()) + place), at, (SPEED, f"{snapshot.updates_per_second:,.0f}")]
    if kind := reading.likelihood(records):
        same = dataset is not None and dataset.test is dataset.train
        shown += [(name, reading.nats(kind, known, key)) for name, key in ({ALL: kind.train} if same else {TEST: kind.test, TRAINING: kind.train}).items()]
        shown += [(CLIMB, reading.climb(records, run.recipe.schedule.unit)), (BASE_RATE, reading.figure(snapshot.base_rate))]
        if kind.estimated:
            shown += [(COUNTING, reading.counting(known, run.recipe))]
    elif charts.GAP in known:
        shown += [(GAP, reading.figure(known[charts.GAP]))]
    told = f'data-run="{run.id}" data-status="{snapshot.status}" data-count="{count}" data-version="{snapshot.version}" data-records="{len(records)}"'
    st.html(f'<dl class="lab-figures" {told}>{"".join(item(*each, kind, dataset) for each in shown)}</dl>')


def item(name: str, value: str, kind: reading.Likelihood | None, dataset: Dataset | None) -> str:
    """One figure with its name and its tooltip, which tells of a log-likelihood how it was measured."""
    about = TOLD.get(name, "")
    if name in (TEST, ALL, TRAINING, BASE_RATE, BEST) and dataset is not None:
        about += f" Measured over {reading.measured(dataset.test if name in (TEST, BEST) else dataset.train)}."
    if kind and kind.estimated and name in (TEST, ALL, TRAINING, BEST):
        name, about = f"{name}, estimate", about.replace("exact ", "") + ESTIMATED
    return f'<div title="{html.escape(about)}"><dt>{html.escape(name)}</dt><dd>{html.escape(value)}</dd></div>'


def comparison(run: Run, curves: tuple[reading.Curve, reading.Curve], dataset: Dataset | None) -> None:
    """The pinned training and this one in figures, a line each, under the colour that their curves have."""
    lines, unit = [], run.recipe.schedule.unit
    earlier, now = curves
    for title, each, colour in (("Pinned", earlier, palette.pinned(earlier.family, now.family)), ("This training", now, palette.hue(now.family))):
        records, kind = each.records, reading.likelihood(each.records)
        told = [
            (title, each.name),
            (unit.capitalize().removesuffix("s"), reading.at(records[-1], unit) if records else reading.figure(None)),
            (ALL if dataset is not None and dataset.test is dataset.train else TEST, reading.last(records)),
            (BEST, reading.best(records)),
            (CLIMB, reading.climb(records, unit)),
        ]
        border = f"border-left: 4px solid {colour}"
        lines.append(f'<dl class="lab-compare" style="{border}">{"".join(item(*figure, kind, dataset) for figure in told)}</dl>')
    st.html("".join(lines))


def curve(run: Run, snapshot: Snapshot, dataset: Dataset | None, pinned: Run | None, axis: str) -> None:
    """The log-likelihood, large; where it cannot be had, the sentence that says so and the gap."""
    records, recipe = snapshot.records, run.recipe
    common = {"axis": axis, "budget": snapshot.budget or None, "updates_per_epoch": snapshot.updates_per_epoch or None}
    kind = reading.likelihood(records)
    beside, shown = None, reading.curve(recipe.learner, records)
    if pinned:
        beside, shown = reading.compared((pinned.recipe, pinned.snapshot.records), (recipe, records))
    if kind or not records:
        if kind and kind.estimated:
            st.markdown("**Log-likelihood, estimated by AIS**", help=ESTIMATE.format(**recipe.annealing.values()) + LIKELIHOOD + over(dataset))
        else:
            st.markdown("**Log-likelihood**", help=LIKELIHOOD + over(dataset))
        figure = charts.likelihood(
            shown,
            pinned=beside,
            base_rate=snapshot.base_rate,
            upper_bound=charts.upper_bound(dataset) if dataset else None,
            changes=recipe.changes,
            best=snapshot.best.count if snapshot.best else None,
            **common,
        )
        told = f"{reading.likelihood_told(records)} Base rate {reading.figure(snapshot.base_rate)}."
        if beside:
            told = f"{shown.name}: {told} Pinned, {beside.name}: {reading.likelihood_told(beside.records)}"
    else:
        st.markdown(NO_LIKELIHOOD)
        st.markdown("**Free-energy gap**", help=TOLD[GAP])
        figure = charts.free_energy_gap(records, family=recipe.learner.family, changes=recipe.changes, **common)
        told = reading.told(records, charts.GAP, "Free-energy gap")
    live_plot(figure, key="curve", height=CHART_HEIGHT, alt=told, version=snapshot.version)
    if beside:
        comparison(run, (beside, shown), dataset)


def over(dataset: Dataset | None) -> str:
    """How many images a log-likelihood is measured over, in a sentence; empty where the data are not there."""
    if dataset is None:
        return ""
    if dataset.test is dataset.train:
        return f" Measured over {reading.measured(dataset.train)}."
    return f" Measured over {reading.measured(dataset.train)} to learn from, and {reading.measured(dataset.test)} to test with."


def look(run: Run, snapshot: Snapshot, pinned: Run | None, axis: str, page: int) -> None:
    try:
        dataset = run.recipe.data.load() if snapshot.state is not None else None
    except ValueError as wrong:
        st.info(str(wrong))
        dataset = None
    figures(run, snapshot, dataset)
    curve(run, snapshot, dataset, pinned, axis)
    if dataset is not None:
        VIEWS[run.recipe.model.name](snapshot, run.recipe, dataset, axis=axis, page=page)


def lively(run: Run, snapshot: Snapshot, pinned: Run | None) -> bool:
    """Whether more is to come: it moves, or what is pinned does, or has come to rest only now and settles."""
    version, since = st.session_state.get("looked", (None, 0.0))
    if version != (run.id, snapshot.version):
        since = time.monotonic()
        st.session_state["looked"] = ((run.id, snapshot.version), since)
    return snapshot.status in MOVING or (pinned is not None and pinned.snapshot.status in MOVING) or time.monotonic() - since < SETTLES


def watch(run: Run, seen: Snapshot, pinned: Run | None, *, mine: bool, every: float, axis: str, page: int) -> None:
    """The part that polls. It only reads; when what is around it, drawn from the Snapshot `seen`, has to change, the whole page runs again."""
    polls = lively(run, seen, pinned)
    around = (seen.status, run.recipe)

    @st.fragment(run_every=every if polls else None if mine else SELDOM)
    def live() -> None:
        snapshot = run.snapshot
        if (snapshot.status, run.recipe) != around or (polls and not lively(run, snapshot, pinned)):
            st.rerun()
        look(run, snapshot, pinned, axis, page)

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
dl.lab-figures, dl.lab-compare { padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: 0; font-variant-numeric: tabular-nums; }
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
if run is not None and not mine and form.texts() != (watched := run.recipe.to_query()):
    form.put(watched)
taken = form.read(form.texts())
recipe, problems = taken.recipe, dict(taken.problems)
if play_at_once and recipe is not None:
    run, mine = begin(recipe, play=True), True
same = run is not None and recipe is not None and settled(recipe) == settled(run.recipe)
snapshot = run.snapshot if run else None  # one for all that is drawn around the part that polls: it moves on at any moment
live = same and mine and (snapshot.status in MOVING or (snapshot.state is not None and snapshot.state.count > 0))
if not live:
    st.session_state.pop("typed live", None)

with st.container():  # so that what comes and goes here moves nothing else to another place of the script
    for sentence in filter(None, (lab.lost_run(), *form.refused())):
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
mirror(run.recipe if run is not None and same else recipe)

if run is None:
    preview(recipe)
else:
    watch(run, snapshot, beside, mine=mine, every=SELDOM if taking else FRAME, axis=axis, page=page)
