"""Library: data sets with a preview, and all stored trainings."""

import dataclasses
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from typing import Any

import streamlit as st

from boltzcore.data import Dataset, Own, own
from boltzcore.data.examples import Examples
from boltzcore.data.source import FileSource, Source
from boltzcore.data.table import MOST_VALUES
from boltzcore.data.table_files import ENDINGS
from boltzcore.plotting import images
from boltzcore.quoting import Refusal, number
from boltzcore.registry import DATASETS
from boltzcore.ticks import Tick
from boltzcore.training.presets import first_on
from boltzcore.training.recipe import Recipe
from pages.common import address, lab, own_data, style
from pages.common.glossary import link_terms
from pages.common.picture import picture
from pages.common.setting import Link, Setting, keyed_fields, one_of
from pages.common.words import escape, use_labels, warn
from pages.common.working import compute
from pages.figures import generic
from pages.parts import tables, uploads
from pages.parts.trainings import ADDRESS, trainings
from pages.web.session import SESSION

VIEWS = {"data": "Data", "trainings": "Runs"}
FIRST = Recipe().data.name
ABREAST = 4  # options, wide enough for a chosen name
DRAWN = 20_000  # rows that are generated without waiting for a turn


# -- data ---------------------------------------------------------------------------------------------


def data(*, arriving: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        titles = {name: kind.title for name, kind in DATASETS.items()}
        name = address.choice(st.selectbox, "Data set", titles, "set", otherwise=FIRST)
        if name != Own.name:
            st.button("Upload a table", icon=":material/upload:", on_click=address.choose, args=("set", Own.name))
    secret = {} if name == Own.name else {"table": ""}  # it leaves the address with the table
    address.keep({"set": "" if name == FIRST else name} | secret)
    kind = DATASETS[name]
    st.write(link_terms(kind.about))
    fields = keyed_fields({"": kind})
    source = own_table(arriving=arriving) if kind is Own else options_of(own_data.source_of(name), fields)
    if source is None:
        return
    try:
        if not source.at_hand() and not offer_download(source):
            return
        if (dataset := rows_of(source)) is None:
            return
    except Refusal as refusal:
        st.error(escape(use_labels(refusal, type(source).parameters())))
        return
    query = first_on(source, dataset).to_query()  # from which another tab opens its table, too
    st.page_link("train.py", label="Train on these data", query_params=query | lab.table_parameter(query))
    splits(dataset)


def rows_of(source: Source) -> Dataset | None:
    """Return the rows of a data set; None while a large one is generated, with its progress shown."""
    if source.loaded() is None and getattr(source, "n", 0) > DRAWN:

        def draw(tick: Tick) -> None:
            source.load(tick)

        compute(f"rows of {source}", f"Sampling {source.n:,} rows", draw)
        return source.loaded()
    with st.spinner(f"Reading {source.title}…", show_time=True):
        return source.load()


def own_table(*, arriving: bool) -> Own | None:
    """Return the table that this session has uploaded or may open, with the options set below it."""
    if sentence := lab.take_table() if arriving else "":
        st.warning(escape(sentence))
    about = (
        f"One example per row and at most {MOST_VALUES} different values per column, such as 0 and 1 or any texts; "
        "numeric columns with more are cut into bins. You see how the file is read before you use it."
    )
    # replaces the uploader once a table is used, so that the file is freed
    key = f"own table {len(SESSION.table_secrets)}"
    if file := uploads.uploader("Table: text, Excel or NumPy", type=list(ENDINGS), key=key, help=about):
        tables.read_file(file)
        return None
    try:
        kept = own.load_upload(there[-1]) if (there := lab.tables()) else None
        if kept is None or (grant := lab.grant_of(kept.digest)) is None:
            address.keep({"table": ""})
            return None
        address.keep({"table": "", **lab.table_parameter(Recipe(data=kept).to_query())})
        st.caption(escape(tables.sentence_on(kept.reading()), most=tables.LONG))
        chosen = own_table_of(kept)
        tables.access(grant)
        return chosen
    except Refusal as refusal:  # it was removed or damaged since
        st.error(escape(refusal))
        return None


def own_table_of(kept: Own) -> Own | None:
    """Return an uploaded table with the options set below it, which are kept with it."""
    setting = setting_of(kept)
    with suppress(Refusal):  # refused texts stay, and are explained below
        Own.from_text({"digest": kept.digest} | setting.texts())
        setting.put(own_data.choices_of(own_data.chosen_of(kept)))
    above = st.container()
    chosen = options_of(kept, [name for name in keyed_fields({"": Own}) if name != "digest"])
    SESSION.own_data[Own.name] = chosen or own_data.chosen_of(kept)
    if chosen is None or not chosen.at_hand():
        return chosen
    with above:
        try:
            rows_of(chosen)
        except Refusal as refusal:
            st.error(escape(use_labels(refusal, Own.parameters())))
            return None
        finally:
            tables.offer_choices(chosen, setting.edit)
    st.caption(chosen.parts())
    return chosen


def setting_of(source: Source) -> Setting:
    """Return the options set below a data set."""

    def keep(texts: Link) -> None:
        if isinstance(source, Own):
            own_data.keep_choices({"digest": source.digest} | texts)  # a text left out is the default

    declared = keyed_fields({"": type(source)})
    return Setting(f"options of {source}", lambda _: declared, prefix=f"look {source.name}.", edited=keep)


def options_of(source: Source, names: Iterable[str]) -> Any:
    """Return the data set with these options as set below it; None while one of them is refused."""
    declarations, setting = {name: type(source).named(name) for name in names}, setting_of(source)
    problems = setting.problems(setting.texts())
    cells = [cell for _ in range(0, len(declarations), ABREAST) for cell in st.columns(ABREAST)]
    for column, name in zip(cells, declarations, strict=False):
        with column:
            if names := source.options(name):
                setting.several(name, names, problems, otherwise=getattr(source, name))
            else:
                setting.field(name, problems, otherwise=getattr(source, name))
    if problems:
        return None
    try:
        return source.changed(**{name: declarations[name].parse(text) for name, text in setting.texts().items()})
    except Refusal as refusal:
        st.error(escape(use_labels(refusal, declarations.values())))
        return None


def offer_download(source: Source) -> bool:
    """Offer to download data that are not on this machine; return True if they now are."""
    if not isinstance(source, FileSource):
        return False
    files = ", ".join(f"{file.name} ({style.format_bytes(file.n_bytes)})" for file in source.published)
    if not all(file.url for file in source.published):
        st.info(f"Not on this machine, and not downloadable: set BOLTZCORE_DATA to a folder that holds {files}.")
        return False
    st.info(f"Not on this machine yet. Download it once: {files}.")
    if not st.button("Download", type="primary"):
        return False
    title = f"Downloading {source.title} (leaving this page stops it)"
    bar = st.progress(0.0, title)
    try:
        source.load(lambda share: bar.progress(min(share, 1.0), f"{title}: {number(share, '.0%')}"))
    finally:
        bar.empty()
    return True


def splits(dataset: Dataset) -> None:
    """Draw the sizes of the splits, and their examples page by page."""
    titles = {"train": "Training", "validation": "Validation", "test": "Test"}
    there = {titles[name]: split for name, split in dataset.splits.items()}
    with st.container(horizontal=True):
        for title, split in there.items():
            more, n = None if split.gaps is None else f"{len(split.gaps):,} more with gaps", f"{len(split):,}"
            st.metric(f"{title} examples", n, more, delta_color="off", delta_arrow="off", width="content")
        shape = f"{dataset.shape[0]} × {dataset.shape[1]}" if dataset.shape else None
        columns = f"{dataset.train.n_visible:,}"
        st.metric("Visible units", columns, shape, delta_color="off", delta_arrow="off", width="content")
    title = st.segmented_control("Examples", list(there), default="Training", required=True, key="split")
    split = there[title := one_of(title, there, "Training")]
    examples(split, dataset, title)
    if split.gray:
        st.caption("Grey pixels are sampled as black or white in each epoch; these are one such sample.")


def examples(split: Examples, dataset: Dataset, title: str) -> None:
    pages = images.pages(len(split))
    page = st.pagination(pages, key=f"page of {len(split)}") if pages > 1 else 1
    first = (page - 1) * images.PER_PAGE
    rows = dataclasses.replace(split, v=split.v[first : first + images.PER_PAGE], x=None, weight=None).epoch(0, 0)
    which = f"{title} examples {first + 1:,} to {first + len(rows):,} of {len(split):,}"
    st.caption(f"{which}.")  # above a table, whose tools on a touch screen would cover the page numbers
    if dataset.shape is None:
        st.dataframe(generic.table(rows, dataset.names), hide_index=True)
    else:
        tiles = images.pixel_tiles(generic.brightness(rows), dataset.shape)
        picture(tiles.png, f"{which}, each drawn as pixels.", width=tiles.width)


st.title("Library", anchor=False)
warn(address.unknown_params(st.query_params, ("view", "set", "table", *ADDRESS).__contains__))
view = address.choice(
    st.segmented_control, "Show", VIEWS, "view", otherwise="data", required=True, label_visibility="collapsed"
)
address.keep({"view": ""} if view == "data" else {"view": view, "table": ""})
{"data": partial(data, arriving=address.is_arriving()), "trainings": trainings}[view]()
