"""The form of a training: its model, data and learner, and their fields."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cache, partial
from types import MappingProxyType
from typing import Any

from boltzcore.data.own import Own
from boltzcore.data.source import Source
from boltzcore.jobs.engine import Run
from boltzcore.learners import Learner
from boltzcore.parameters import Parameter, texts_of
from boltzcore.quoting import Refusal, cut, quoted
from boltzcore.registry import DATASETS, LEARNERS, MODELS, entry, learners_of
from boltzcore.training.prepared import PreparedData
from boltzcore.training.presets import PRESETS
from boltzcore.training.recipe import BEFORE, NAMED, Recipe, declarations
from boltzcore.training.starts import start_for
from pages.common import lab
from pages.common.entries import owners
from pages.common.own_data import keep_choices, source_of
from pages.common.setting import Link, Setting, keyed_fields, select
from pages.common.words import use_labels
from pages.web.session import SESSION

WHOLE = ("measures", "changes")  # written as one text in a link


@dataclass(frozen=True)
class Reading:
    """Recipe read from the texts, or None and a sentence for each field that was refused."""

    recipe: Recipe | None
    problems: Mapping[str, str] = field(default_factory=dict)


def fields(texts: Link) -> Mapping[str, Parameter]:
    """Return {key in the link: declaration} of the fields of the recipe that the texts describe."""
    return _fields(*(texts[name] for name in NAMED))


@cache  # by names in the registry alone: others are refused
def _fields(*names: str) -> Mapping[str, Parameter]:
    return MappingProxyType(keyed_fields(declarations(dict(zip(NAMED, names, strict=True)))))


def _present(texts: Link) -> Link:
    """Return the texts with the live changes of the session's run if they are its settings: the form shows these."""
    run = lab.current_run()
    if run is None or not lab.owns(run) or not run.recipe.changes or not is_of(run, read(texts).recipe):
        return texts
    return current_recipe(run).to_query()


def _on_same_data(texts: Link) -> Link:
    """Return the texts with the data's fields of the last stage in all stages, which learn from the same data."""
    data, stages = f"{texts['data']}.", {BEFORE * key.count(BEFORE) for key in texts}
    fields = {key: text for key, text in texts.items() if key.startswith(data)}
    others = {key: text for key, text in texts.items() if not key.replace(BEFORE, "").startswith(data)}
    return others | {stage + key: text for key, text in fields.items() for stage in stages}


def _edited(texts: Link) -> None:
    """Edit the data of earlier stages too, keep the choices for a table with it, and go back to the session's run with
    its present settings.
    """
    SETTING.put(texts := _on_same_data(texts))
    if texts.get("data") == Own.name:
        keep_choices(texts_of(texts, Own.name))
    run = lab.current_run()
    if run is not None and lab.owns(run) and run.recipe.changes and read(texts).recipe == current_recipe(run):
        SETTING.put(run.recipe.to_query())


SETTING = Setting("setting", fields, admitted=lab.drop_closed_tables, present=_present, edited=_edited)


def drop_changes(recipe: Recipe) -> Recipe:
    """Return a recipe without its live changes, and those of its earlier stages."""
    return replace(recipe, changes=(), before=recipe.before and drop_changes(recipe.before))


def is_of(run: Run, recipe: Recipe | None) -> bool:
    """True if a recipe of the form is that of a run, and not that of a new training which was edited from it since."""
    departed = bool(run.recipe.changes) and SESSION.departed == (run.id, SETTING.texts())
    return recipe is not None and drop_changes(recipe) == drop_changes(run.recipe) and not departed


def learner_of(run: Run, stage: int = -1) -> Learner:
    """Return the learner of a stage of a run with the live changes so far: a link may repeat some that are to come."""
    return run.recipe.stages[stage].learner_at(run.snapshot.count)


def current_recipe(run: Run) -> Recipe:
    """Return the recipe of a run as if it had begun with its live changes; those to come stay."""
    to_come = tuple(each for each in run.recipe.changes if each[0] > run.snapshot.count)
    return replace(run.recipe, learner=learner_of(run), changes=to_come)


def read(texts: Link) -> Reading:
    """Return the recipe that the texts describe, or a sentence for each refused field."""
    try:
        recipe = Recipe.from_query(texts)
        lab.check(recipe)
        check_fit(recipe)
    except Refusal as wrong:
        return Reading(None, {each.field if "." in each.field else "": _in_words(each, texts) for each in wrong.all})
    return Reading(recipe)


def check_fit(recipe: Recipe) -> None:
    """Raise Refusal if a recipe does not fit its data, such as a patch or a batch larger than they are, or if they
    are unavailable. Data that would have to be downloaded are not checked.
    """
    if recipe.data.at_hand() or not recipe.data.downloadable:
        PreparedData.from_recipe(recipe)


def _in_words(refusal: Refusal, texts: Link) -> str:
    """Return a refusal in the labels of the page."""
    owner = owners().get(refusal.field.rpartition(".")[0] or texts["data"])  # a refusal of a table names no owner
    sentence = use_labels(refusal, owner.parameters()) if owner else str(refusal)
    return sentence[:1].upper() + sentence[1:]


# -- the link -----------------------------------------------------------------------------------------


def is_setting(key: str) -> bool:
    """True if a URL parameter belongs to a recipe."""
    owner, dot, _ = key.partition(".")
    return key in (*NAMED, "preset", *WHOLE) or key.startswith(BEFORE) or (bool(dot) and owner in owners())


def from_link(link: Link) -> tuple[dict[str, str], list[str]]:
    """Return (texts, sentences on refused values) of a link's parameters; valid values are kept.

    A value out of bounds stays in the texts, so that its field shows it with its sentence.
    """
    given = lab.drop_closed_tables(link)
    refused = [lab.NOT_OPEN] if len(given) < len(link) else []
    if (name := given.pop("preset", None)) is not None:
        try:
            given = entry(PRESETS, "preset", name).recipe.to_query() | given
        except Refusal:
            otherwise = "" if given else next(iter(PRESETS.values())).title
            refused.append(_absent(f"preset {quoted(name)}", name, PRESETS, otherwise))
    usual_names, texts = Recipe().to_query(), {}
    for what, table in (("model", MODELS), ("data", DATASETS), ("learner", LEARNERS)):
        options = learners_of(texts["model"]) if what == "learner" else table
        # a link written by hand may name a learner by its fields alone
        named = [name for name in options if any(key.startswith(f"{name}.") for key in given)]
        usual = usual_names[what] if usual_names[what] in options else next(iter(options))
        texts[what] = named[0] if len(named) == 1 and what not in given else usual
        if what in given:
            if (name := given[what]) in options:
                texts[what] = name
            else:
                of = f" of the model {texts['model']}" if what == "learner" else ""
                refused.append(_absent(f"{what} {quoted(name)}{of}", name, options, options[texts[what]].title))
    if not given:
        return next(iter(PRESETS.values())).recipe.to_query(), refused
    there = fields(texts)
    earlier = [key for key in given if key.startswith(BEFORE) and is_setting(key.replace(BEFORE, ""))]
    texts |= {key: text for key, text in given.items() if key in there}
    strangers = [key for key in given if key not in (*there, *NAMED, *WHOLE, *earlier)]
    refused += [f"{cut(key)} is not a field of this setting and is ignored." for key in strangers]
    same = {key: text for key, text in texts.items() if key in NAMED or key.startswith(f"{texts['data']}.")}
    for keys in (*([key] for key in WHOLE if key in given), *([earlier] if earlier else [])):
        piece = {key: given[key] for key in keys}
        try:
            Recipe.from_query(same | piece)
            texts |= piece
        except Refusal as wrong:
            what = "previous stage" if keys == earlier else keys[0]
            refused.append(f"{_in_words(wrong, texts)} The link's {what} is ignored.")
    return texts, refused + list(read(texts).problems.values())


def _absent(what: str, name: str, options: Collection[str], otherwise: str) -> str:
    """Return a sentence on an unknown name, with up to three similar names."""
    near = [each for each in options if name and each.startswith(name)] or get_close_matches(name, options)
    meant = f" Did you mean {' or '.join(near[:3])}?" if near else ""
    return f"There is no {what}.{meant}" + (f" {otherwise} is used instead." if otherwise else "")


# -- the choices --------------------------------------------------------------------------------------


def choose(what: str, label: str, options: Mapping[str, Any], *, help: str, disabled: bool = False) -> None:
    """Draw the choice of a model, data or learner.

    Another one starts from its suggested settings. The data stay, for another learner the model and earlier stages too.
    """
    titles = {name: option.title for name, option in options.items()}
    value, on_pick = SETTING.texts()[what], partial(choose_part, what)
    select(f"choose {what}", label, titles, titles, value, help=help, on_pick=on_pick, disabled=disabled)


def data_in(texts: Link) -> Source:
    """Return the data set that the texts describe, with its defaults if a field of it is refused."""
    kind = DATASETS[texts["data"]]
    try:
        return kind.from_text(texts_of(texts, kind.name))
    except Refusal:  # the field says so itself
        return kind()


def choose_part(what: str, name: str) -> None:
    """Put another model, data set or learner into the setting."""
    before = SETTING.texts()
    now = {key: before[key] for key in NAMED} | {what: name}
    if now["learner"] not in (offered := learners_of(now["model"])):
        now["learner"] = next(iter(offered))
    data = source_of(name) if what == "data" else data_in(before)
    start = start_for(now["model"], data, now["learner"]).to_query()
    stays = () if what == "data" else (data.name,)
    if what == "learner":
        stays += now["model"], *MODELS[now["model"]].parts, BEFORE.rstrip(".")
    kept = {key: text for key, text in before.items() if key.partition(".")[0] in stays}
    SETTING.put({key: text for key, text in start.items() if key.partition(".")[0] not in stays} | kept)
