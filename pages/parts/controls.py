"""The settings of a training as widgets: a few in sight, the others under More settings."""

import secrets
from functools import partial
from typing import Any

import streamlit as st

from boltzcore.jobs.engine import Run
from boltzcore.plotting import palette
from boltzcore.registry import DATASETS, LEARNERS, MODELS, OPTIONAL_PARTS, info_of, learners_of
from boltzcore.training.recipe import Recipe
from pages.common import lab
from pages.common.glossary import marked
from pages.common.setting import field_widget
from pages.common.words import labelled
from pages.figures import naming
from pages.parts import examples, form, pins
from pages.parts.form import SETTING
from pages.parts.presets import choose_preset, preset_of, readable
from pages.parts.transport import now

MORE = "more settings"


def settings(recipe: Recipe | None, problems: dict[str, str], run: Run | None, *, locked: bool, live: bool) -> None:
    """At most five controls in sight; all others under More settings, but for what is somebody else's."""
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
            help="What is learnt from. The Library says more, and takes data of your own.",
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
        st.caption(marked(summary(last, now(run) if live else last.learner)))
    rest = [key for key in form.fields(texts) if key != main]
    if run is not None and lab.is_anothers(run):
        rest = [key for key in rest if not key.startswith(f"{texts['data']}.")]
    if any(key in problems for key in rest):
        st.session_state[MORE] = True
    more = st.expander("More settings", key=MORE, on_change="rerun")
    if more.open:  # most visitors never open it: what is in it is drawn, and sent, only then
        with more:
            more_settings(rest, last, problems, run, locked=locked, live=live)


def more_settings(
    rest: list[str], last: Recipe | None, problems: dict[str, str], run: Run | None, *, locked: bool, live: bool
) -> None:
    """The fields with these keys, a column for each part of the recipe.

    last : the last setting that could be taken; None where that was of another model, other data or another learner
    """
    texts = SETTING.texts()
    titles = {texts["learner"]: "Learner", texts["model"]: "Model", texts["data"]: "Data", "schedule": "Schedule"}
    for name in MODELS[texts["model"]].parts:
        if last is None or last.may_need(name) or any(key.startswith(f"{name}.") for key in problems):
            titles[name] = OPTIONAL_PARTS[name].title
    for column, (owner, title) in zip(st.columns(len(titles), gap="medium"), titles.items(), strict=True):
        with column:
            st.markdown(f"**{title}**")
            for key in (key for key in rest if key.startswith(f"{owner}.")):
                one_field(key, problems, run, locked=locked, live=live)
            if owner == texts["learner"] and (name := examples.of_learner(owner)):
                st.page_link("step.py", label="Inside one step of it", query_params={"example": name})


def summary(recipe: Recipe, learner: Any) -> str:
    """What is under More settings and matters first: the stages before, the size of the model, what damages its
    inputs, and what an update costs.
    """
    size = recipe.model.size if info_of(learner).hidden_units else "No hidden units"
    damage = [recipe.corruption.title] if "corruption" in recipe.entry.parts else []
    return f"{naming.stages(recipe)} {', '.join([size, *damage])}. {info_of(learner).cost}".strip()


def first_live(learner: str) -> str:
    """The key of the learner's first live field, or of its first; "" where it has none."""
    fields = LEARNERS[learner].learner.parameters()
    named = [declared.name for declared in fields if declared.live] or [declared.name for declared in fields]
    return f"{learner}.{named[0]}" if named else ""


def one_field(key: str, problems: dict[str, str], run: Run | None, *, locked: bool, live: bool) -> None:
    """The widget of one field; while a training is under way a live field shows, and changes, the value of now."""
    owner, _, name = key.partition(".")
    of_run = live and run is not None and owner == type(run.recipe.learner).__name__
    if of_run and (declared := form.fields(SETTING.texts())[key]).live:
        typed = st.session_state.get("typed live", {}).get(key)
        text, problem = typed or (declared.write(getattr(now(run), name)), None)
        # what a browser still has of a session that a server has lost is no edit of this one
        visit = st.session_state.setdefault("visit", secrets.randbelow(10**9))
        field_widget(f"live {key} {visit}", declared, text, problem, on_edit=partial(change_live, key), disabled=locked)
    else:
        SETTING.field(key, problems, disabled=locked)


def change_live(key: str, text: str) -> None:
    """Give a live field of the run under way another value, or keep what was typed with the sentence on it; beside a
    pinned run that rests it is for the training that Play then begins.
    """
    run = lab.current_run()
    if run is None or not lab.owns(run):
        return
    if pins.is_kept(run):
        pins.depart(run, key, text)
        return
    typed = st.session_state.setdefault("typed live", {})
    name = key.partition(".")[2]
    typed.pop(key, None)
    try:
        run.change(**{name: type(run.recipe.learner).named(name).parse(text)})
    except ValueError as wrong:
        typed[key] = (text, labelled(wrong, type(run.recipe.learner).parameters()))
    SETTING.refuse()
