"""Library: data sets and a look at them, models in files, and every training that is kept."""

import dataclasses
import time
from collections.abc import Callable
from typing import Any

import streamlit as st

from boltzcore.arrays import array_names
from boltzcore.data import Dataset, Own, Source, upload
from boltzcore.data.examples import Examples
from boltzcore.data.source import FileSource
from boltzcore.figures import images, reading
from boltzcore.measures import base_rate_log_likelihood, log_likelihood, rows_to_measure
from boltzcore.measures.merit import merit
from boltzcore.models import CRBM, RBM
from boltzcore.registry import DATASETS, MODELS
from boltzcore.runs.engine import Run
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.store import Entry, Saved, trace_csv
from boltzcore.ticks import Tick
from pages.parts import address, form, lab, look
from pages.parts.dream import dream
from pages.parts.plot import picture
from pages.parts.share import model_file

VIEWS = {"data": "Data", "models": "Models", "trainings": "Trainings"}
PER_PAGE = 10
FIRST = Recipe().data.name


def progress(what: str) -> tuple[Tick, Callable[[], None]]:
    """A bar as the tick of a long piece of work, and how to take it away. Leaving the page ends the work."""
    bar, shown = st.progress(0.0, what), -1

    def tick(fraction: float = 0.0) -> None:
        nonlocal shown
        if (percent := int(fraction * 100)) != shown:
            shown = percent
            bar.progress(min(percent, 100), what)

    return tick, bar.empty


# -- data ---------------------------------------------------------------------------------------------


def data() -> None:
    address.arrive("set", DATASETS, otherwise=FIRST)
    name = st.selectbox("Data set", list(DATASETS), format_func=lambda key: DATASETS[key].title, key="set")
    address.keep("set", name)
    kind = DATASETS[name]
    st.write(kind.about)
    source = own_table() if kind is Own else options_of(name, kind)
    if source is None:
        return
    try:
        if not source.at_hand() and not fetched(source):
            return
        with st.spinner("Reading…"):
            dataset = source.load()
    except ValueError as refusal:
        st.error(str(refusal))
        return
    splits(dataset)
    st.page_link("train.py", label="Learn from it", query_params=Recipe(data=source).to_query())


def own_table() -> Own | None:
    """The table that is uploaded in this session."""
    file = st.file_uploader("Table of 0 and 1, one example a row: CSV or .npz", type=["csv", "npz"], key="own table")
    if file is None:
        return None
    kept = st.session_state.setdefault("own tables", {})
    if file.file_id not in kept:
        try:
            kept[file.file_id] = upload(file)
        except ValueError as refusal:
            st.error(str(refusal))
            return None
    return kept[file.file_id]


def options_of(name: str, kind: type[Source]) -> Source | None:
    """The data set with the options that are set below it; None while one of them cannot be taken."""
    texts: dict[str, str] = st.session_state.setdefault(f"options of {name}", {})
    wrong = False
    declarations = kind.parameters()
    for column, declared in zip(st.columns(max(len(declarations), 3)), declarations, strict=False):
        text, problem = texts.get(declared.name, declared.write(declared.default)), None
        try:
            declared.parse(text)
        except ValueError as refusal:
            problem, wrong = str(refusal), True
        with column:
            form.field_widget(
                declared,
                f"look {name}.{declared.name}",
                text,
                problem,
                on_edit=lambda key, told: texts.update({key.rpartition(".")[2]: told}),
            )
    if wrong:
        return None
    try:
        return kind.from_text(texts)
    except ValueError as refusal:
        st.error(str(refusal))
        return None


def fetched(source: Source) -> bool:
    """Offer to fetch what is not on this machine; whether it now is."""
    if not isinstance(source, FileSource):
        return False
    files = ", ".join(f"{file.name} ({look.size(file.n_bytes)})" for file in source.published)
    st.info(f"Not on this machine yet. It is fetched once, when you ask for it: {files}.")
    if not st.button("Fetch", type="primary"):
        return False
    tick, done = progress(f"Fetching {source.title}; leaving this page stops it.")
    try:
        source.load(tick)
    finally:
        done()
    return True


def splits(dataset: Dataset) -> None:
    """Sizes, and the examples themselves page by page."""
    named = {"Training": dataset.train, "Validation": dataset.validation, "Test": dataset.test}
    there = {title: split for title, split in named.items() if split is not None}
    with st.container(horizontal=True):
        for title, split in there.items():
            st.metric(f"{title} examples", f"{len(split):,}", width="content")
        height, width = dataset.shape
        st.metric(
            "Visible units",
            f"{dataset.train.n_visible:,}",
            f"{height} × {width}",
            delta_color="off",
            delta_arrow="off",
            width="content",
        )
    title = st.segmented_control("Examples", list(there), default="Training", required=True, key="split")
    split = there.get(title, dataset.train)
    examples(split, dataset.shape, title)
    if split.gray:
        st.caption("Gray pixels, drawn as black or white anew in each epoch; this is one such drawing.")


def examples(split: Examples, shape: tuple[int, int], title: str) -> None:
    pages = images.pages(len(split))
    page = st.pagination(pages, key=f"page of {len(split)}") if pages > 1 else 1
    first = (page - 1) * images.PER_PAGE
    rows = dataclasses.replace(split, v=split.v[first : first + images.PER_PAGE], x=None, weight=None).epoch(0, 0).v
    tiles = images.pixel_tiles(rows, shape)
    picture(
        tiles.png,
        f"{title} examples {first + 1} to {first + tiles.count} of {len(split)}, each drawn as pixels.",
        width=tiles.width,
    )
    st.caption(f"{title} examples {first + 1:,} to {first + tiles.count:,} of {len(split):,}.")


# -- models -------------------------------------------------------------------------------------------


def models() -> None:
    st.write(
        "Look into an RBM: an .npz file with weights W (visible × hidden) and biases b (visible) and c (hidden), as "
        "the trainings here save it. "
        "Or into a conditional RBM: W, W_vx (visible × input), W_hx (hidden × input), b_v and b_h."
    )
    file = st.file_uploader("Model file (.npz)", type=["npz"], key="model file")
    if file is None:
        return
    try:
        model = (CRBM if "W_vx" in array_names(file) else RBM).load(file)
    except ValueError as refusal:
        st.error(str(refusal))
        return
    with st.container(horizontal=True):
        st.metric("Visible units", f"{model.n_visible:,}", width="content")
        st.metric("Hidden units", f"{model.n_hidden:,}", width="content")
        if isinstance(model, CRBM):
            st.metric("Inputs", f"{model.n_x:,}", width="content")
    sources = on_this_machine()
    address.arrive("on", sources, otherwise=FIRST)
    name = st.selectbox("Data it was made for", list(sources), format_func=lambda key: DATASETS[key].title, key="on")
    address.keep("on", name)
    try:
        dataset = sources[name].load()
    except ValueError as refusal:
        st.error(str(refusal))
        return
    if dataset.train.n_visible != model.n_visible:
        st.warning(
            f"An example of {DATASETS[name].title} has {dataset.train.n_visible:,} visible units, the model has "
            f"{model.n_visible:,}: choose other data."
        )
        return
    if isinstance(model, RBM):
        likelihood(model, dataset, f"{file.file_id} {sources[name]}")
    fields, beside = st.columns(2, gap="large")
    with fields:
        weights("Receptive fields", "Weights of hidden units", model.W.T, dataset.shape)
    with beside:
        if isinstance(model, RBM):
            st.subheader("Fantasy particles", anchor=False)
            dream(model, dataset.shape, key=f"model {file.file_id}")
        elif model.n_x == dataset.train.n_visible:
            weights("Weights from the input", "Weights from the input to hidden units", model.W_hx, dataset.shape)


def weights(title: str, what: str, rows: Any, shape: tuple[int, int]) -> None:
    """Weights as tiles, page by page."""
    st.subheader(title, anchor=False)
    pages = images.pages(len(rows))
    page = st.pagination(pages, key=f"page of {title}") if pages > 1 else 1
    tiles = images.weight_tiles(rows, shape, page=page - 1)
    told = f"{what} {tiles.first} to {tiles.last} of {tiles.count}"
    picture(tiles.png, f"{told}: blue positive, red negative, white zero.")
    st.caption(f"{told}; blue is positive, red negative, white zero, darkest at ±{tiles.limit:g}.")


def on_this_machine() -> dict[str, Source]:
    """The data sets that need no fetching, the last table uploaded in this session included."""
    sources = {name: kind() for name, kind in DATASETS.items()}
    if tables := st.session_state.get("own tables"):
        sources[Own.name] = list(tables.values())[-1]
    there = {}
    for name, source in sources.items():
        try:
            if source.at_hand():
                there[name] = source
        except ValueError as refusal:  # the folder of data files is not there
            st.warning(str(refusal))
            return {FIRST: sources[FIRST]}
    return there


def likelihood(model: RBM, dataset: Dataset, key: str) -> None:
    """The log-likelihood, exact or an estimate, beside that of independent pixels."""
    kept = st.session_state.setdefault("likelihoods", {})
    if key not in kept:
        tick, done = progress(
            "Summing over every state of the smaller layer"
            if model.enumerable
            else "Estimating by annealed importance sampling"
        )
        rows = rows_to_measure(dataset, seed=0)
        kept[key] = log_likelihood(model, rows, tick=tick) | {
            "base_rate": base_rate_log_likelihood(dataset.train, rows.test)
        }
        done()
    figures = kept[key]
    kind = reading.likelihood_in(figures)
    with st.container(horizontal=True):
        for title, name in (("Training", kind.train), ("Test", kind.test)):
            st.metric(f"{title}, nats per example", reading.nats(kind, figures, name, 2), width="content")
        st.metric(
            "Test, independent pixels, nats per example", reading.figure(figures["base_rate"], 2), width="content"
        )
    how = "Exact log-likelihood"
    if kind.estimated:
        how = (
            "Log-likelihood estimated by annealed importance sampling, with three standard deviations, on average a "
            "little too high"
        )
    st.caption(f"{how}, over at most 5,000 examples of each split, evenly spread.")


# -- trainings ----------------------------------------------------------------------------------------


def trainings() -> None:
    entries = lab.engine().store.list()
    if not entries:
        st.write("No training has been started on this machine yet.")
        st.page_link("train.py", label="Start one")
        return
    awake = {run.id: run for run in lab.engine().runs()}
    pages = images.pages(len(entries), PER_PAGE)
    page = st.pagination(pages, key="page of trainings") if pages > 1 else 1
    for entry in entries[(page - 1) * PER_PAGE : page * PER_PAGE]:
        with st.container(border=True):
            training(entry, awake.get(entry.id))


def training(entry: Entry, run: Run | None) -> None:
    """One training: what it is, how it stands, what can be done with it. The index of one that is awake lags behind."""
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.updated))
    if entry.recipe is None:
        st.write(f"**{entry.name or entry.id}** · {when}")
        st.error(entry.damage)
        return
    learner, source = entry.recipe.learner, entry.recipe.data
    status, count, reached, yours = entry.status, entry.count, entry.merit, lab.has_key(entry.id)
    if run is not None and (now := run.snapshot).state is not None:
        status, count = now.status, now.state.count
        reached = merit(now.records[-1].values) if now.records else None
    st.write(f"**{entry.name or f'{learner.title} on {source.title}'}** · {status}{' · yours' if yours else ''}")
    st.write(f"{count:,} updates{'' if reached is None else f' · {goodness(entry.recipe, reached)}'}")
    settings = [f"{key.rpartition('.')[2]} {value}" for key, value in entry.recipe.to_query().items() if "." in key]
    st.caption(" · ".join([*settings, when, entry.id]))
    if entry.damage:
        st.error(entry.damage)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.page_link("train.py", label="Open", query_params={"run": entry.id})
        told = {"disabled": count == 0 or bool(entry.damage), "on_click": "ignore"}
        st.download_button("Model", lambda: model(entry.id, run), f"{entry.id}.npz", key=f"model {entry.id}", **told)
        st.download_button(
            "Trace", lambda: trace(entry.id, run), f"{entry.id}.csv", "text/csv", key=f"trace {entry.id}", **told
        )
        if yours:
            with st.popover("Delete"):
                st.write("It cannot be brought back.")
                st.button("Delete this training", key=f"delete {entry.id}", on_click=lab.delete, args=(entry.id,))


def goodness(recipe: Recipe, reached: float) -> str:
    """How good a model was at its last measurement, in words."""
    if MODELS[recipe.model.name].part == "corruption":
        return f"{recipe.corruption.title}, {reading.percent(-reached)} of pixels wrong in images not learnt from"
    return (
        f"{'estimated ' if form.estimated(recipe) else ''}training log-likelihood {look.nats(reached)} nats per example"
    )


def saved(run_id: str) -> Saved:
    """A training that sleeps, as its last checkpoint has it."""
    kept = lab.engine().store.load(run_id)
    if kept is None or kept.state is None:
        raise ValueError(f"The training {run_id} is damaged or was deleted.")
    return kept


def model(run_id: str, run: Run | None) -> bytes:
    return model_file((run.snapshot if run else saved(run_id)).state)


def trace(run_id: str, run: Run | None) -> str:
    return trace_csv((run.snapshot if run else saved(run_id)).records)


st.title("Library", anchor=False)
address.arrive("view", VIEWS, otherwise="data")
view = st.segmented_control(
    "Show", list(VIEWS), format_func=VIEWS.get, required=True, key="view", label_visibility="collapsed"
)
address.keep("view", view)
{"data": data, "models": models, "trainings": trainings}[view]()
