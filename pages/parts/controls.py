"""The settings of a training as widgets: the most important ones, or all of them."""

from collections.abc import Collection
from functools import partial
from typing import Any

import streamlit as st

from boltzcore.data.drawn import Patterns
from boltzcore.jobs.engine import Run
from boltzcore.plotting import palette
from boltzcore.quoting import Refusal
from boltzcore.registry import DATASETS, LEARNERS, MODELS, OPTIONAL_PARTS, info_of, learners_of
from boltzcore.training.recipe import Recipe
from pages.common import lab
from pages.common.glossary import link_terms
from pages.common.setting import Link, field_widget
from pages.common.words import use_labels
from pages.figures import naming
from pages.parts import examples, form, pins
from pages.parts.drawn_patterns import draw_patterns
from pages.parts.form import SETTING
from pages.parts.presets import choose_preset, preset_of, readable
from pages.parts.transport import stage_of
from pages.web.session import SESSION


def knobs(
    recipe: Recipe | None, problems: dict[str, str], run: Run | None, *, also: Collection[str], locked: bool, live: bool
) -> None:
    """Draw the data, the learner, its rate and the hidden units.

    recipe : of the form, None while something in it is refused; also : "preset" and "model" to choose these, too
    """
    texts = SETTING.texts()
    with st.container(key="knobs"):
        if "preset" in also:
            choose_preset(preset_of(recipe), disabled=locked)
        about = "The examples to learn from. The Library describes them, and you can upload your own there."
        form.choose("data", "Data", DATASETS, help=about, disabled=locked)
        if "model" in also:
            about = " ".join(f"**{each.title}**: {each.about}" for each in MODELS.values() if each.about)
            form.choose("model", "Model", MODELS, help=f"The model to fit. {about}", disabled=locked)
        families = sorted(learners_of(texts["model"]).items(), key=lambda item: palette.order(item[1].family))
        about = "The learning algorithm. Algorithms of one family share a colour."
        form.choose("learner", "Learner", dict(families), help=about, disabled=locked)
        for key in main_fields(texts):
            one_field(key, problems, run, locked=locked, live=live)


def settings(recipe: Recipe | None, problems: dict[str, str], run: Run | None, *, locked: bool, live: bool) -> None:
    """Draw all settings but those of another visitor's data; the fields in a column for each part of the recipe."""
    texts = SETTING.texts()
    knobs(recipe, problems, run, also=("preset", "model"), locked=locked, live=live)
    if texts["data"] == Patterns.name:
        draw_patterns(disabled=locked)
    # while something is refused, the last setting that was not; None if that was of another model, data or learner
    last = readable(recipe)
    if last is not None:
        st.caption(link_terms(summary(last, form.learner_of(run) if live else last.learner)))
    rest = [key for key in form.fields(texts) if key not in main_fields(texts)]
    if run is not None and lab.is_foreign(run):
        rest = [key for key in rest if not key.startswith(f"{texts['data']}.")]
    titles = {texts["learner"]: "Learner", texts["model"]: "Model", texts["data"]: "Data", "schedule": "Schedule"}
    for name in MODELS[texts["model"]].parts:
        if last is None or last.may_need(name) or any(key.startswith(f"{name}.") for key in problems):
            titles[name] = OPTIONAL_PARTS[name].title
    if LEARNERS[texts["learner"]].learner.begins_empty:  # the model's fields set its start
        del titles[texts["model"]]
    for column, (owner, title) in zip(st.columns(len(titles), gap="medium"), titles.items(), strict=True):
        with column:
            st.markdown(f"**{title}**")
            mine = [key for key in rest if key.startswith(f"{owner}.")]
            minor = [key for key in mine if form.fields(texts)[key].minor]
            for key in mine[: len(mine) - len(minor)]:
                one_field(key, problems, run, locked=locked, live=live)
            if minor:
                with st.expander("More", expanded=any(key in texts or key in problems for key in minor)):
                    for key in minor:
                        one_field(key, problems, run, locked=locked, live=live)
            if owner == texts["learner"] and (name := examples.of_learner(owner)):
                st.page_link("step.py", label="See one step of this learner", query_params={"example": name})


def summary(recipe: Recipe, learner: Any) -> str:
    """Return the earlier stages, the size of the model, the corruption of its inputs, and the cost of an update."""
    size = recipe.model.size if info_of(learner).hidden_units else "No hidden units"
    damage = [recipe.corruption.title] if "corruption" in recipe.entry.parts else []
    return f"{naming.stages(recipe)} {', '.join([size, *damage])}. {info_of(learner).cost}".strip()


def first_live(learner: str) -> str:
    """Return the key of the learner's first live field, or of its first; "" if it has none."""
    fields = LEARNERS[learner].learner.parameters()
    named = [declared.name for declared in fields if declared.live] or [declared.name for declared in fields]
    return f"{learner}.{named[0]}" if named else ""


def main_fields(texts: Link) -> list[str]:
    """Return the keys of the most important fields: the learner's first live one, and the number of hidden units."""
    asked = first_live(texts["learner"]), f"{texts['model']}.hidden"
    return [key for key in asked if key in form.fields(texts)]


def one_field(key: str, problems: dict[str, str], run: Run | None, *, locked: bool, live: bool) -> None:
    """Draw the widget of one field; during a training a live field shows, and changes, the present value."""
    owner, _, name = key.partition(".")
    of_run = live and run is not None and owner == type(run.recipe.learner).__name__
    if of_run and (declared := form.fields(SETTING.texts())[key]).live:
        typed = SESSION.live_texts.get(key)
        text, problem = typed or (declared.write(getattr(form.learner_of(run), name)), None)
        # a value that a browser still has of a session lost by the server is no edit
        of_visit, on_edit = f"live {key} {SESSION.visit}", partial(change_live, key)
        field_widget(of_visit, declared, text, problem, on_edit=on_edit, disabled=locked)
    else:
        SETTING.field(key, problems, disabled=locked)


def change_live(key: str, text: str) -> None:
    """Change a live field of the run under way, or keep the typed text with the sentence on it; if a pinned run rests,
    or the field's stage is still to come, the value is for the training that Play begins next.
    """
    run = lab.current_run()
    if run is None or not lab.owns(run):
        return
    if pins.is_kept(run) or stage_of(run) + 1 < len(run.recipe.stages):
        SETTING.edit(key, text)
        SESSION.departed = run.id, dict(SETTING.texts())
        return
    typed = SESSION.live_texts
    name = key.partition(".")[2]
    typed.pop(key, None)
    try:
        run.change(**{name: type(run.recipe.learner).named(name).parse(text)})
    except Refusal as wrong:
        typed[key] = (text, use_labels(wrong, type(run.recipe.learner).parameters()))
    SETTING.refuse()
