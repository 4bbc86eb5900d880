"""The rules of a comparison: trials, cost, the judging figure, and the tuning of the contenders."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from boltzcore.comparison.comparison import Comparison
from boltzcore.comparison.costs import AXES
from boltzcore.comparison.result import count_settings
from boltzcore.data.source import Source
from boltzcore.measures import MEASURES
from boltzcore.measures.merit import describe_measure
from boltzcore.measures.paired import FEWEST
from boltzcore.parameters import Parameter, Parameters, parameter
from boltzcore.quoting import Refusal, quoted, read_count, short_count
from boltzcore.warmup import needed
from pages.common import lab
from pages.common.setting import select, several, show_refusals
from pages.common.waiting import wait_for
from pages.common.words import escape
from pages.figures.generic import headline
from pages.race import contenders
from pages.race.editing import edit
from pages.web.session import SESSION

Change = Callable[[Comparison, str], Comparison]
Declared = Iterable[Parameter]
PAIRS = f"Use at least 8 trials. Fewer than {FEWEST} cannot show a difference."
JUDGED = (
    "The measure that curves and tables show. If possible, the best state so far is chosen on the validation rows and "
    "shown with its value on the test rows."
)
TUNED = (
    "Each contender first tries all combinations of the settings that it has and uses the best one in the trials. "
    "Trying more is an advantage; the result states how many each tried."
)
VALUES = "2 to 10 values, separated by commas."
RUNS = "Runs of each combination, with seeds that the trials do not use."
NOT_JUDGES = ("test_converged",)  # figures that are no measure of quality


@dataclass(frozen=True)
class _Rules(Parameters):
    """The numeric rules; `Comparison` checks the bounds of each."""

    trials: int = parameter(8, label="Trials of each", help=PAIRS)
    budget: int = parameter(
        1, label="Cost limit", help="The cost limit of each run; empty for the cost of the base run."
    )
    target: float = parameter(0.0, help="The table shows the cost of reaching this value.")


def choose(comparison: Comparison, *, locked: bool) -> None:
    """Draw the rules of a comparison: its trials, cost, target, the figure that judges, and the tuning."""
    with st.expander("Trials and cost"):
        trials, axis, budget, target = st.columns(4)
        with trials:
            _number("trials", comparison, locked)
        with axis:
            titles = {name: name.capitalize() for name in AXES}

            def pick(chosen: str) -> None:
                edit(lambda now: now.changed(axis=chosen, budget=None), "axis")

            about = " ".join(f"**{name.capitalize()}**: {each}." for name, each in AXES.items())
            select("axis of costs", "Cost", AXES, titles, comparison.axis, help=about, on_pick=pick, disabled=locked)
        with budget:
            _number("budget", comparison, locked, empty=_cost(comparison))
        with target:
            _number("target", comparison, locked)
        _judge(comparison, locked=locked)
        _tuning(comparison, locked=locked)
    wait_for(needed(comparison.base))  # kernels count its costs


def is_here(data: Source) -> bool:
    """True if data are on this machine; False if their folder is missing."""
    try:
        return data.at_hand()
    except Refusal:
        return False


def absent(data: Source) -> str:
    """Return what Play does about data that are not on this machine, or why it cannot; "" for all others."""
    try:
        if data.at_hand() or not data.downloadable:
            return ""
    except Refusal as refusal:
        return str(refusal)
    return f"{data.title} is not on this machine yet: Play downloads it first."


def tuning_cost(comparison: Comparison) -> str:
    """Return the settings that contenders try, all runs and their cost, in a sentence; "" without a tuning."""
    if not (first := sum(comparison.tuning_runs.values())):
        return ""
    trials = comparison.trials * len(comparison.names)
    total = f", about {cost} {comparison.axis} in all" if (cost := _cost(comparison, first + trials)) else ""
    return f"{count_settings(comparison, 'tries')}: {first:,} runs before the {trials:,} trials{total}."


def _cost(comparison: Comparison, runs: int = 1) -> str:
    """Return the cost of some runs of the comparison; "" if its data or its kernels are missing, or it does not fit."""
    if not is_here(comparison.base.data) or ((piece := needed(comparison.base)) and lab.describe_wait(piece)):
        return ""
    try:
        return short_count(runs * comparison.cost)
    except Refusal:  # it does not fit its data, as a message says
        return ""


def _judge(comparison: Comparison, *, locked: bool) -> None:
    """Draw the choice of the figure that judges the models."""
    usual = describe_measure(comparison.base.entry.merit[0])
    errors = [each for each in map(MEASURES.__getitem__, comparison.base.measures or ()) if each.lower]
    figures = [figure for each in errors for figure in each.units if figure not in NOT_JUDGES]
    figures += [comparison.figure] if comparison.figure else []
    first = f"{usual.capitalize()}, on validation rows if there are any"
    titles = {"": first} | {key: headline(key) for key in figures}

    def pick(chosen: str) -> None:
        edit(lambda now: now.changed(figure=chosen), "figure")

    select("judged by", "Judged by", titles, titles, comparison.figure, help=JUDGED, on_pick=pick, disabled=locked)


def _tuning(comparison: Comparison, *, locked: bool) -> None:
    """Draw the settings that contenders try before the trials, and their values."""
    tuning, known, grid = comparison.tuning, contenders.tunable_fields(comparison), contenders.grid_of(comparison)
    labels, titles, only = [declared.label for declared, _ in known.values()], {}, {}
    for field, (declared, owners) in known.items():
        titles[field] = declared.label + f" ({declared.symbol or field})" * (labels.count(declared.label) > 1)
        only[field] = "" if len(owners) == len(comparison.names) else f"Only {', '.join(owners)}."
    partly = [f"{titles[field]}: {owners}" for field, owners in only.items() if owners]
    several(
        "tuned fields",
        "Tune first",
        titles,
        list(grid),
        help=escape(" ".join([TUNED, *partly])),
        on_pick=lambda chosen: edit(lambda now: contenders.with_tuned_fields(now, chosen)),
        disabled=locked,
    )
    if tuning is None:
        return
    columns = [column for _ in range(len(grid) // 4 + 1) for column in st.columns(4)]
    for place, (field, values) in enumerate(grid.items()):
        with columns[place]:
            change, help = partial(contenders.with_tuned_values, field), escape(f"{VALUES} {only[field]}")
            text, declared = ", ".join(values), [known[field][0]]
            _text(f"tuned {field}", titles[field], text, help, change, locked, declared=declared)
    with columns[len(grid)]:
        _text("tuned trials", "Runs per value", str(tuning.trials), RUNS, _change_runs, locked)


def _change_runs(now: Comparison, text: str) -> Comparison:
    return now.changed(tuning=now.tuning and replace(now.tuning, trials=_read("Runs per value", text)))


def _number(field: str, comparison: Comparison, locked: bool, *, empty: str = "") -> None:
    declared, value = _Rules.named(field), getattr(comparison, field)
    text = "" if value is None else f"{value:g}" if declared.kind is float else str(value)

    def change(now: Comparison, text: str) -> Comparison:
        read = declared.parse if declared.kind is float else partial(_read, declared.label)
        return now.changed(**{field: read(text) if text else None})

    _text(field, declared.label, text, declared.help, change, locked, empty=empty, declared=[declared])


def _read(label: str, text: str) -> int:
    try:
        return read_count(text)
    except ValueError:
        raise Refusal(f"{label} must be a whole number such as 1,200,000 or 1.2 million, not {quoted(text)}.") from None


def _text(
    name: str, label: str, text: str, help: str, change: Change, locked: bool, empty: str = "", declared: Declared = ()
) -> None:
    shown, problem = SESSION.refused_texts.get(name, (text, None))
    key = f"rule {name} {shown}"

    def typed() -> None:
        given = st.session_state[key].strip()
        edit(lambda now: change(now, given), name, given, declared)

    st.text_input(label, shown, key=key, on_change=typed, help=help, disabled=locked, placeholder=empty)
    show_refusals(f"rule {name}", problem)
