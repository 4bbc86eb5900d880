"""Queries to a log-linear model: given the values of some variables, the probability of every value of all others, with
the share of the training rows and the truth, if that is known.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Dataset, Examples
from boltzcore.data.table_text import probabilities_csv
from boltzcore.measures.kl import MOST_STATES as TRUTH_STATES
from boltzcore.measures.kl import log_probabilities
from boltzcore.models import LogLinear
from boltzcore.models.state_probabilities import draw, marginals_of, most_likely_of, select_states
from boltzcore.names import Names, code_of, column_names, texts_of_values
from boltzcore.plotting import drawing, palette
from boltzcore.plotting.drawing import Figure
from boltzcore.quoting import Refusal, cut
from boltzcore.ticks import Tick, idle
from pages.figures.charts import top_text
from pages.figures.frame import Choice, Column, Table

ASKED = 26  # variables that may be given: no model has more variables of two or more values
VALUES = 64  # of a variable that may be chosen
ANY = ""
BARS = 48  # in the chart
LIKELY, ROWS, PICTURES = 12, 12, 36  # states, rows in a table, rows as images
MODEL, DATA, TRUTH = "model", "data", "truth"
_NAME, _LABEL, _SHORT = 24, 22, 12  # characters: of a name, of a label next to a bar, of the name in it
_BAR, _AROUND = 22, 92  # pixels: of a bar with its gap, and around all bars

Evidence = Mapping[int, int]
Laws = Mapping[int, NDArray[np.float64]]


@dataclass(frozen=True, eq=False)
class Answer:
    """Answer of a model, and of the data and the truth, given some evidence.

    given : {variable: value}
    model, data, truth : {variable: (values,) probabilities or shares} of the variables that are not given; None if
        no row agrees with the evidence, or the truth is unknown
    agreeing : the training rows, by their weights, that agree with the evidence
    states, likely : (k, variables) the most likely states, and {source: (k,) their probabilities}
    samples : rows drawn from the model, without evidence
    """

    given: Evidence
    model: Laws
    data: Laws | None
    truth: Laws | None
    agreeing: float
    states: NDArray[np.int64]
    likely: Mapping[str, NDArray[np.float64]]
    samples: Examples


def answer_query(
    model: LogLinear, dataset: Dataset, given: tuple[tuple[int, int], ...], seed: int = 0, *, tick: Tick = idle
) -> Answer:
    """Return the answer, computed by sums over a table of all states, and of the truth if it is known.

    No evidence is impossible for a model of this kind; the answer to very improbable evidence is given as it is.
    """
    evidence = dict(given)
    rest = model.conditioned(evidence)
    p = rest.probabilities(tick=tick)
    found = dict(zip(model.left(evidence), marginals_of(p, rest.layout), strict=False))
    states, likely = most_likely_of(p, rest.layout, LIKELY)
    states = model.with_evidence(states, evidence)
    rows = draw(p, rest.layout, PICTURES, seed) if rest is model else model.sample(PICTURES, seed)
    samples = Examples(rows, levels=dataset.train.levels)
    by: dict[str, NDArray[np.float64]] = {MODEL: likely}
    agree = _select_rows(dataset.train.distinct(), evidence)
    data, agreeing = None, 0.0
    if agree is not None and agree.weight is not None:
        agreeing = agree.total
        data = {i: np.bincount(agree.v[:, i], agree.weight, len(found[i])) / agreeing for i in found}
        by[DATA] = np.array([agree.weight[(agree.v == each).all(axis=1)].sum() for each in states]) / agreeing
    truth = None
    if dataset.truth is not None and model.n_states <= TRUTH_STATES:
        known = _truth(dataset, model.layout.cardinalities)
        there = select_states(known, model.layout, evidence)
        if chance := there.sum():  # otherwise these values never occur together in truth
            truth = dict(zip(model.left(evidence), marginals_of(there, rest.layout), strict=False))
            by[TRUTH] = known[model.layout.index(states)] / chance
    return Answer(evidence, found, data, truth, agreeing, states, by, samples)


@lru_cache(maxsize=2)
def _truth(dataset: Dataset, cardinalities: tuple[int, ...]) -> NDArray[np.float64]:
    """Return (states,) true probabilities, for columns with these numbers of values."""
    assert dataset.truth is not None
    return np.exp(log_probabilities(dataset.truth, LogLinear(cardinalities).layout))


def _select_rows(rows: Examples, given: Evidence) -> Examples | None:
    """Return the distinct rows that agree with the evidence, with their weights; None if there are none."""
    assert rows.weight is not None
    agree = np.flatnonzero(np.all([rows.v[:, i] == value for i, value in given.items()], axis=0) & (rows.weight > 0))
    return Examples(rows.v[agree], weight=rows.weight[agree], levels=rows.levels) if len(agree) else None


# -- what may be asked --------------------------------------------------------------------------------


def choices(model: LogLinear, names: Names | None, chosen: Mapping[str, str]) -> tuple[Choice, ...]:
    """Return a choice for each of the first `ASKED` variables: any, or one of its first `VALUES` values, as texts."""
    columns, made = column_names(names, model.n_visible), []
    for i in range(min(model.n_visible, ASKED)):
        texts = texts_of_values(names, i, int(model.cardinalities[i]))[:VALUES]
        options, code = {ANY: "any"} | {text: cut(text, _NAME) for text in texts}, None
        with suppress(Refusal):  # a choice made for another model, which fits two values of this one
            code = code_of(chosen.get(f"given{i}", ANY), texts)
        made.append(Choice(f"given{i}", cut(columns[i], _NAME), options, ANY if code is None else texts[code]))
    return tuple(made)


def evidence(offered: Sequence[Choice]) -> tuple[tuple[int, int], ...]:
    """Return the choices as evidence, ((variable, value), ...)."""
    return tuple((i, list(each.options).index(each.value) - 1) for i, each in enumerate(offered) if each.value != ANY)


def value_text(names: Names | None, i: int, value: int) -> str:
    """Name of a value of a variable: its category, or its code."""
    texts = names.categories[i] if names and names.categories else ()
    return cut(texts[value], _NAME) if value < len(texts) else str(value)


def unseen(dataset: Dataset, count: int) -> tuple[tuple[int, int], ...]:
    """Return, as evidence, values of the first `count` binary variables that no training row combines: those that are
    most probable in truth. () if every combination occurs, or the truth is unknown.
    """
    if dataset.truth is None:
        return ()
    codes = np.indices((2,) * count).reshape(count, -1).T
    there = {tuple(row) for row in dataset.train.v[:, :count].tolist()}
    absent = [tuple(row) for row in codes.tolist() if tuple(row) not in there]
    if not absent:
        return ()
    law = _truth(dataset, (2,) * dataset.train.n_visible)
    layout = LogLinear((2,) * dataset.train.n_visible).layout
    found = max(absent, key=lambda row: select_states(law, layout, dict(enumerate(row))).sum())
    return tuple(enumerate(found))


def mean_error(answer: Answer) -> float | None:
    """Return the mean difference of the model's probabilities from the true ones, over all values of all variables that
    are not given; None if the truth is unknown.
    """
    if answer.truth is None:
        return None
    return float(np.mean([np.abs(law - answer.truth[i]).mean() for i, law in answer.model.items()]))


# -- answers ------------------------------------------------------------------------------------------


def bars(answer: Answer, names: Names | None, *, family: str) -> Figure:
    """Draw bars of the conditional probability of every value of the variables that are not given, the model's with the
    data's, the truth as a mark, and the model's as a number; of a binary variable the second value alone. At most
    `BARS`.
    """
    shown = _shown_bars(answer)
    columns = column_names(names, len(answer.model) + len(answer.given))
    full = drawing.labels([f"{columns[i]} = {value_text(names, i, value)}" for i, value in shown], 60)
    ticks = drawing.labels([f"{cut(columns[i], _SHORT)} = {value_text(names, i, value)}" for i, value in shown], _LABEL)
    figure = drawing.blank("Probability", "")
    common = {"y": full, "hovertemplate": "%{y}<br>%{fullData.name} %{x:.4f}<extra></extra>"}
    flat = {"type": "bar", "orientation": "h"}
    if answer.data is not None:
        # an outline, on which the mark of the truth is visible
        marker = {"color": palette.translucent(palette.PINNED, 0.35), "line": {"width": 1, "color": palette.PINNED}}
        figure["data"].append(common | flat | {"name": DATA, "x": _of(answer.data, shown), "marker": marker})
    of_model = _of(answer.model, shown)
    marker = {"color": palette.hue(family), "line": {"width": 0}}
    figure["data"].append(common | flat | {"name": MODEL, "x": of_model, "marker": marker})
    if answer.truth is not None:
        line = {"symbol": "line-ns", "size": 18, "line": {"width": 2.5, "color": palette.REFERENCE}}
        mark = {"type": "scatter", "mode": "markers", "name": TRUTH, "x": _of(answer.truth, shown), "marker": line}
        figure["data"].append(common | mark | {"meta": palette.AS_TEXT})
    of_data = [""] * len(shown) if answer.data is None else [f" ({value:.3f})" for value in _of(answer.data, shown)]
    numbers = [f"{value:.3f}{data}" for value, data in zip(of_model, of_data, strict=True)]
    texts = {"mode": "text", "text": numbers, "textposition": "middle right"}
    texts |= {"type": "scatter", "name": "model, in figures", "x": [1.0] * len(shown), "y": full}
    figure["data"].append(texts | {"textfont": {"size": 12}, "cliponaxis": False, "hoverinfo": "skip"})
    left = 14 + round(6.2 * min(max(map(len, ticks), default=1), _LABEL))
    signs = {
        MODEL: f'<span style="color:{palette.hue(family)}">\N{BLACK SQUARE}</span> {MODEL}',
        DATA: f'<span style="color:{palette.PINNED}">\N{WHITE SQUARE}</span> {DATA}, in brackets',
        TRUTH: f"<b>|</b> {TRUTH}",
    }
    # From the left edge of the chart on: Plotly's own legend is no wider than the plot, too narrow on a phone.
    legend = "   ".join(sign for name, sign in signs.items() if name in [trace["name"] for trace in figure["data"]])
    figure["layout"]["annotations"].append(top_text(legend, 4 - left))
    figure["layout"] |= {"barmode": "group", "bargap": 0.25, "hovermode": "closest", "uirevision": "answer"}
    figure["layout"]["margin"] = {"l": left, "r": 44 if answer.data is None else 92, "t": 36, "b": 46}
    figure["layout"]["xaxis"] |= {"range": [0, 1], "autorange": False, "nticks": 5}
    axis = {"type": "category", "autorange": "reversed", "showgrid": False, "tickfont": {"size": 12}}
    figure["layout"]["yaxis"] |= axis | {"tickvals": full, "ticktext": ticks}
    return figure


def count_bars(cardinalities: Sequence[int], given: Evidence) -> int:
    """Return the number of bars of an answer, drawn or not: one for a binary variable."""
    return sum(1 if size == 2 else size for i, size in enumerate(cardinalities) if i not in given)


def height(bars: int) -> int:
    """Return the height of this number of bars, in pixels."""
    return _AROUND + _BAR * max(2, min(bars, BARS))


def sentence(answer: Answer, names: Names | None) -> str:
    """Return the text alternative of the bars."""
    columns = column_names(names, len(answer.model) + len(answer.given))
    parts = [
        f"{cut(columns[i], _NAME)} {value_text(names, i, value)} {answer.model[i][value]:.3f}"
        + (f", in the data {answer.data[i][value]:.3f}" if answer.data is not None else "")
        for i, value in _shown_bars(answer)[:12]
    ]
    evidence = ", ".join(f"{cut(columns[i], _NAME)} {value_text(names, i, value)}" for i, value in answer.given.items())
    return f"Given {evidence or 'nothing'}, by the model: {'; '.join(parts) or 'no variable remains'}."


def csv_of(answer: Answer, names: Names | None) -> str:
    """CSV file of the model's probabilities, as `query --out` writes it, and the data's shares; "" if none is left."""
    columns = column_names(names, len(answer.model) + len(answer.given))
    lines = [
        (columns[i], text, chance)
        for i, law in answer.model.items()
        for text, chance in zip(texts_of_values(names, i, len(law)), law.tolist(), strict=True)
    ]
    given = [(columns[i], texts_of_values(names, i, value + 1)[value]) for i, value in answer.given.items()]
    shares = [share for i in answer.model for share in answer.data[i].tolist()] if answer.data else []
    return probabilities_csv(given, lines, shares) if lines else ""


def rows_sentence(answer: Answer, dataset: Dataset) -> str:
    """Return the number of training rows that the data shares are based on, in a sentence."""
    total = dataset.train.total
    rows = "training rows" if dataset.train.gaps is None else "training rows without gaps"
    if not answer.given:
        return f"Data shares are of {total:,.0f} {rows}."
    if answer.data is None:
        return f"None of {total:,.0f} {rows} agrees with the evidence."
    return f"{answer.agreeing:,.0f} of {total:,.0f} {rows} agree with the evidence."


def states_table(answer: Answer, names: Names | None) -> Table:
    """Return the most likely states that agree with the evidence, with their probabilities given it."""
    listed = [
        Column.from_numbers(title, answer.likely[key], ".3g")
        for key, title in ((MODEL, "Model"), (DATA, "Data"), (TRUTH, "Truth"))
        if key in answer.likely
    ]
    return Table("states", (*listed, *_columns(answer.states, names, [each.title for each in listed])))


def rows_table(name: str, rows: Examples, names: Names | None, first: Column | None = None) -> Table:
    """Return rows of codes as words, after a first column, which by default numbers them."""
    row = first or Column.from_numbers("Row", range(1, len(rows) + 1), "d")
    return Table(name, (row, *_columns(rows.v, names, [row.title])))


def _columns(rows: NDArray[Any], names: Names | None, taken: Sequence[str]) -> list[Column]:
    titles = [cut(name, _NAME) for name in column_names(names, rows.shape[1])]
    if len({*titles, *taken}) < len(titles) + len(taken):
        titles = [f"{i + 1}. {title}" for i, title in enumerate(titles)]
    return [
        Column(title, tuple(value_text(names, i, int(code)) for code in rows[:, i])) for i, title in enumerate(titles)
    ]


def _shown_bars(answer: Answer) -> list[tuple[int, int]]:
    """Return (variable, value) of each bar, of at most `BARS`."""
    every = ((i, x) for i, law in answer.model.items() for x in (range(len(law)) if len(law) != 2 else (1,)))
    return list(islice(every, BARS))


def _of(laws: Laws, shown: Sequence[tuple[int, int]]) -> list[float]:
    return [round(float(laws[i][value]), 6) for i, value in shown]
