"""All stored trainings: searched, filtered, renamed by their owner, opened, exported, deleted."""

from collections.abc import Iterator

import streamlit as st

from boltzcore.home import home_problem
from boltzcore.jobs.engine import Run
from boltzcore.jobs.files import LONGEST_NAME, Saved
from boltzcore.jobs.snapshot import Snapshot
from boltzcore.plotting import images
from boltzcore.quoting import Refusal, explain
from boltzcore.training.recipe import Recipe
from boltzcore.training.trace import trace_csv
from pages.common import address, lab
from pages.common.downloads import download
from pages.common.glossary import link_terms
from pages.common.times import when
from pages.common.words import escape
from pages.figures.naming import plain
from pages.parts import form
from pages.parts.listing import Listed, matching
from pages.parts.share import model_file, names_of
from pages.views import view_of
from pages.web.session import SESSION

PER_PAGE = 10
FEW = 5  # trainings that need no search
LONGEST_SEARCH = 80  # characters
ADDRESS = FIND, MINE = ("find", "mine")  # URL parameters of the search


def trainings() -> None:
    try:
        entries = lab.engine().store.list()
    except OSError as error:
        entries, problem = None, explain(error, "The runs cannot be listed")
    if home_problem():
        st.warning("The data folder is not writable: new runs are stored elsewhere, and the system may remove them.")
    if entries is None:
        st.error(escape(problem))
        return
    if not entries:
        st.write("No runs on this machine yet.")
        st.page_link("train.py", label="Start a run")
        return
    if damaged := sum(entry.recipe is None and entry.id not in SESSION.run_keys for entry in entries):
        st.caption(f"Damaged runs that are not listed, because they may be private: {damaged:,}.")
    public = [entry for entry in entries if entry.id in SESSION.run_keys or (entry.recipe and not entry.recipe.private)]
    awake = {run.id: run for run in lab.engine().runs()}
    listed = [
        Listed.from_entry(
            entry,
            awake[entry.id].snapshot if entry.id in awake else None,
            yours=entry.id in SESSION.run_keys,
            open=entry.recipe is None or lab.may_use(entry.recipe),
        )
        for entry in public
    ]
    there = len(listed) > FEW or any(name in st.query_params for name in (FIND, MINE))
    words, mine = asked() if there else ("", False)
    found = matching(listed, words, mine=mine)
    if words.split() or mine:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.write(f"{len(found):,} of {len(listed):,} runs." if found else "No run matches.")
            st.button("Clear search", on_click=clear)
    pages = images.pages(len(found), PER_PAGE)
    sheet = st.pagination(pages, key=f"sheet {words} {mine} {pages}") if pages > 1 else 1
    st.caption(link_terms("Open a run to see or continue it, or download its model and trace."))
    for each in found[(sheet - 1) * PER_PAGE : sheet * PER_PAGE]:
        with st.container(border=True):
            training(each, awake.get(each.entry.id))
    address.keep({FIND: words, MINE: "1" if mine else ""})


# -- the search ---------------------------------------------------------------------------------------


def asked() -> tuple[str, bool]:
    """Draw the search; return its words, and whether it is among one's own alone; also set by the address."""
    address.arrive_text(FIND, LONGEST_SEARCH)
    address.arrive_switch(MINE)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        words = st.text_input(
            "Search",
            key=FIND,
            type="search",
            max_chars=LONGEST_SEARCH,
            placeholder="Name, model, learner, data, status, id",
        )
        mine = st.toggle("Only mine", key=MINE)
    return words, mine


def clear() -> None:
    """Clear the search."""
    address.choose(FIND, "")
    address.choose(MINE, False)


# -- one training -------------------------------------------------------------------------------------


def training(each: Listed, run: Run | None) -> None:
    """Draw one training with its actions."""
    entry = each.entry
    with st.container(gap=None, key=f"training-{entry.id}"):
        describe(each, when(entry.updated))
    if entry.damage:
        st.error(escape(entry.damage))
    if entry.recipe is not None:
        buttons(each, run)


def describe(each: Listed, updated: str) -> None:
    """Draw the title, the status and the settings of a training."""
    entry, recipe = each.entry, each.entry.recipe
    if recipe is None:
        st.write(f"**{escape(each.title)}** · {updated}")
        return
    st.write(f"**{escape(each.title)}** · {each.status}{' · yours' if each.yours else ''}")
    goodness = view_of(recipe.model.name).goodness
    reached = "" if each.merit is None else f" · {goodness(recipe, each.merit, entry.judge)}"
    usual = f"{escape(each.usual_title)} · " if entry.name else ""
    st.write(f"{usual}{each.count:,} update{'s' * (each.count != 1)}{reached}")
    set_otherwise = map(escape, settings(recipe, private=each.private))
    parts = [*set_otherwise, updated, *([] if each.private else [escape(entry.id)])]
    st.caption(" · ".join(parts))


def settings(recipe: Recipe, *, private: bool) -> Iterator[str]:
    """Yield the settings of each stage that differ from their defaults, by the labels of the form.

    private : leave out the options of the table that it learns from
    """
    for stage in recipe.stages:
        texts = stage.to_query()
        for key, declared in form.fields(texts).items():
            if key in texts and key != "schedule.unit" and not (private and key.startswith(f"{stage.data.name}.")):
                unit = f" {stage.schedule.unit}" if key == "schedule.length" else ""
                yield f"{declared.label} {plain(declared.parse(texts[key]))}{unit}"


def buttons(each: Listed, run: Run | None) -> None:
    """Draw the actions on a training."""
    entry, name = each.entry, each.file_name
    with st.container(horizontal=True, vertical_alignment="center"):
        st.page_link("train.py", label="Open", query_params={"run": entry.id})
        nothing = each.count == 0 or bool(entry.damage) or each.private

        def current() -> Snapshot | Saved:
            return run.snapshot if run else saved(entry.id)

        given = {"disabled": nothing, "key": f"model {entry.id}"}
        download("Model", f"{name}.npz", lambda: model(entry.recipe, current()), "samples", entry.recipe, **given)
        given["key"] = f"trace {entry.id}"
        download("Trace", f"{name}.csv", lambda: trace_csv(current().records), "numbers", entry.recipe, **given)
        if each.yours:
            with st.popover("Rename"):
                st.text_input(
                    "Name",
                    entry.name,
                    max_chars=LONGEST_NAME,
                    key=f"name {entry.id}",
                    placeholder=each.usual_title,
                    help="Everyone who sees this list sees the name. Leave empty for the default name.",
                    on_change=lambda: lab.rename(entry.id, st.session_state[f"name {entry.id}"]),
                )
            with st.popover("Delete"):
                st.write("This cannot be undone.")
                st.button("Delete this run", key=f"delete {entry.id}", on_click=lab.delete, args=(entry.id,))


def saved(run_id: str) -> Saved:
    """Return a training that is not loaded, as its last checkpoint has it."""
    kept = lab.engine().store.load(run_id)
    if kept is None or kept.state is None:
        raise Refusal(f"Run {run_id} is damaged or was deleted.")
    return kept


def model(recipe: Recipe | None, of: Snapshot | Saved) -> bytes:
    return model_file(of.state, names_of(recipe) if recipe else None)
