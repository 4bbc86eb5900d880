"""The rules of a comparison: trials, cost, what judges, and an equal tuning of the contenders."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from boltzcore.comparison.comparison import Comparison
from boltzcore.comparison.costs import AXES
from boltzcore.data.files import DataUnavailable
from boltzcore.data.source import Source
from boltzcore.measures import MEASURES
from boltzcore.measures.merit import in_general, in_words
from boltzcore.measures.paired import FEWEST
from boltzcore.parameters import Parameters, Refusal, parameter, read_number
from boltzcore.quoting import quoted, short_count
from pages.common.setting import select, several
from pages.race import contenders

Edit = Callable[[Callable[[Comparison], Comparison]], None]
PAIRS = f"Use at least 8 trials. Fewer than {FEWEST} cannot show a difference."
JUDGED = (
    "The measure that curves and tables show. If possible, the best state so far is chosen on the validation rows and "
    "shown with its value on the test rows."
)
TUNED = (
    "Each contender tries all combinations of values of these settings first and uses the best in the trials, so that "
    "none wins by a better-chosen rate."
)
VALUES = "2 to 10 values, separated by commas."
RUNS = "Runs of each combination, with seeds that the trials do not use."
GROUPED = re.compile(r"[1-9]\d{0,2}(,\d{3})+")  # a cost as this page writes it
NOT_JUDGES = ("test_converged",)  # figures that say nothing of how good a model is


@dataclass(frozen=True)
class _Target(Parameters):
    """The target, which is typed as any setting is: also with a decimal comma."""

    target: float = parameter(0.0, help="The table shows the cost of reaching this value.")


def choose(comparison: Comparison, edit: Edit, *, locked: bool) -> None:
    """How many trials, over which cost, up to where, judged by what, and whether the contenders are tuned before.

    edit : changes the comparison of the page by a function
    """
    with st.expander("Trials and cost"):
        trials, axis, budget, target = st.columns(4)
        with trials:
            _number("trials", "Trials of each", comparison.trials, PAIRS, edit, locked)
        with axis:
            titles = {name: name.capitalize() for name in AXES}

            def pick(chosen: str) -> None:
                edit(lambda now: now.changed(axis=chosen, budget=None))

            about = " ".join(f"**{name.capitalize()}**: {each}." for name, each in AXES.items())
            select("axis of costs", "Cost", AXES, titles, comparison.axis, help=about, on_pick=pick, disabled=locked)
        with budget:
            help = "The cost limit of each run; empty for the cost of the base run."
            _number("budget", "Cost limit", comparison.budget, help, edit, locked, empty=_usual_cost(comparison))
        with target:
            declared = _Target.named("target")
            _number(declared.name, declared.label, comparison.target, declared.help, edit, locked)
        _judge(comparison, edit, locked=locked)
        _tuning(comparison, edit, locked=locked)


def at_hand(data: Source) -> bool:
    """Whether data are here; those of a folder that is not there are not."""
    try:
        return data.at_hand()
    except DataUnavailable:
        return False


def absent(data: Source) -> str:
    """What Play does about data that are not here, or why it cannot; "" of all others."""
    try:
        if data.at_hand() or not data.downloadable:
            return ""
    except DataUnavailable as refusal:
        return str(refusal)
    return f"{data.title} is not on this machine yet: Play downloads it first."


def _usual_cost(comparison: Comparison) -> str:
    """What the length of the comparison's base costs; "" where that is not known before its data are here."""
    if not at_hand(comparison.base.data):
        return ""
    try:
        return short_count(comparison.cost)
    except ValueError:  # it does not fit its data, which is said
        return ""


def _judge(comparison: Comparison, edit: Edit, *, locked: bool) -> None:
    """Which figure judges the models."""
    usual = in_general(comparison.base.entry.merit[0])
    errors = [each for each in map(MEASURES.__getitem__, comparison.base.measures or ()) if each.lower]
    figures = {figure: in_words(figure).capitalize() for each in errors for figure in each.units}
    titles = {"": f"{usual.capitalize()}, on validation rows if there are any"} | figures
    titles = {key: title for key, title in titles.items() if key not in NOT_JUDGES} | (
        {comparison.figure: in_words(comparison.figure).capitalize()} if comparison.figure else {}
    )

    def pick(chosen: str) -> None:
        edit(lambda now: now.changed(figure=chosen))

    select("judged by", "Judged by", titles, titles, comparison.figure, help=JUDGED, on_pick=pick, disabled=locked)


def _tuning(comparison: Comparison, edit: Edit, *, locked: bool) -> None:
    """Draw the settings that all contenders try before the trials, and their values."""
    tuning, shared = comparison.tuning, contenders.shared_fields(comparison)
    grid = dict(tuning.grid) if tuning else {}
    titles = {name: declared.label for name, declared in shared.items()}
    several(
        "tuned fields",
        "Tune first",
        {name: titles.get(name, name) for name in (*titles, *grid)},
        list(grid),
        help=TUNED,
        on_pick=lambda chosen: edit(lambda now: contenders.with_tuned_fields(now, chosen)),
        disabled=locked,
    )
    if tuning is None:
        return
    columns = st.columns(4)
    for place, (field, values) in enumerate(grid.items()):
        with columns[place % 4]:
            change = partial(_change_values, field)
            _text(f"tuned {field}", titles.get(field, field), ", ".join(values), VALUES, change, edit, locked)
    with columns[len(grid) % 4]:
        _text("tuned trials", "Runs per value", str(tuning.trials), RUNS, _change_runs, edit, locked)
    st.caption(f"{len(tuning.settings)} settings, {tuning.count} runs of each contender.")


def _change_values(field: str, now: Comparison, text: str) -> Comparison:
    return contenders.with_tuned_values(now, field, text)


def _change_runs(now: Comparison, text: str) -> Comparison:
    trials = int(_read("trials", "Runs per value", text) or 0)
    return now.changed(tuning=replace(now.tuning, trials=trials))


def _number(
    field: str, label: str, value: float | None, help: str, edit: Edit, locked: bool, *, empty: str = ""
) -> None:
    text = "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)

    def change(now: Comparison, text: str) -> Comparison:
        return now.changed(**{field: _read(field, label, text)})

    _text(field, label, text, help, change, edit, locked, empty=empty)


def _read(field: str, label: str, text: str) -> float | None:
    if not text:
        return None
    if field == "target":
        return _Target.named(field).parse(text)
    try:
        return read_number(int, text.replace(",", "") if GROUPED.fullmatch(text) else text)
    except ValueError:
        raise Refusal(f"{label} must be a number, not {quoted(text)}.", field) from None


def _text(
    name: str,
    label: str,
    text: str,
    help: str,
    change: Callable[[Comparison, str], Comparison],
    edit: Edit,
    locked: bool,
    *,
    empty: str = "",
) -> None:
    key = f"rule {name} {text}"

    def typed() -> None:
        given = st.session_state[key].strip()
        edit(lambda now: change(now, given))

    st.text_input(label, text, key=key, on_change=typed, help=help, disabled=locked, placeholder=empty)
