"""Answers to queries of a model's distribution: marginals, most likely states, samples next to the data."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from functools import lru_cache

from boltzcore.data import Dataset, Examples
from boltzcore.models import LogLinear
from boltzcore.plotting import drawing, images
from boltzcore.training.status import MOVING
from pages.common.working import limit_cost
from pages.figures import generic, questions
from pages.figures.frame import Chart, Choice, Item, Panel, Picture, ViewInputs
from pages.figures.questions import Answer
from pages.web.background import in_background

AT_ONCE = 2**15  # states: larger models are queried in the background
IN_A_ROW = 9  # images
QUESTION = (
    "Set the values of any variables to see the exact probability of every other variable given these values: that of "
    "the model (coloured, with its value at the right), its share of the training rows that agree (grey) and the true "
    "probability, if known (mark). If few rows agree, their shares are unreliable; the model learns from all rows. For "
    "a variable with two values, the second one is shown."
)
STATES = (
    "The states that are most probable under the model given the values set above, their share of the training rows "
    "that agree and their true probability, if known."
)
SAMPLES = "Exact, independent samples from the model, without evidence, next to rows of the data."
AT_REST = "Answers are computed when training is paused."
UNDER_WAY = "Computing the answer."
ANSWER = "Computing the answer"
answer_in_background = in_background(limit_cost(questions.answer_query, ANSWER), ANSWER)
answer_at_once = lru_cache(maxsize=8)(questions.answer_query)


def items(inputs: ViewInputs, model: LogLinear) -> tuple[Item, tuple[Item, ...], Future | None]:
    """Return (the Ask panel; the most likely states, samples and rows; the answer that the frame waits for).

    model : the law of the frame's model (`boltzcore.inference.samples.law_of`)
    """
    dataset, family = inputs.snapshot.prepared.dataset, inputs.shown.family
    offered = questions.choices(model, dataset.names, inputs.chosen)
    given = questions.evidence(offered)
    rests = inputs.snapshot.status not in MOVING
    promise = answer_in_background(model, dataset, given) if rests and model.n_states > AT_ONCE else None
    found = promise.result() if promise and promise.done() else None
    waits = model.n_states > AT_ONCE and found is None

    def answer() -> Answer | str:
        if waits:
            return UNDER_WAY if promise else AT_REST
        return found or answer_at_once(model, dataset, given)

    def samples() -> Examples | str:
        return made if isinstance(made := answer(), str) else made.samples

    of = (*inputs.parameter_sources, str(given), found, waits, promise is None)
    sizes = model.layout.cardinalities
    question = Item(
        "question", of, lambda: question_panel(answer(), dataset, sizes, dict(given), offered, family), "rows"
    )
    states = Item("states", of, lambda: _states_panel(answer(), dataset), "rows")
    return question, (states, *row_items(of, samples, dataset)), None if found else promise


def question_panel(
    answer: Answer | str,
    dataset: Dataset,
    cardinalities: Sequence[int],
    given: Mapping[int, int],
    offered: tuple[Choice, ...],
    family: str,
) -> Panel:
    rest = f": {len(given)} of {len(cardinalities):,} variables given"
    count = questions.count_bars(cardinalities, given)
    height = questions.height(count)  # the same while it is awaited, so that nothing below moves
    if isinstance(answer, str):
        empty = drawing.fix_axes(drawing.blank("Probability", ""), [0, 1], [0, 1])
        return Panel("Ask", Chart(empty, height, answer), rest, QUESTION, answer, offered)
    bars = None
    if answer.model:
        sentence = questions.sentence(answer, dataset.names)
        bars = Chart(questions.bars(answer, dataset.names, family=family), height, sentence)
    below, file = _describe(answer, dataset, count - questions.BARS), questions.csv_of(answer, dataset.names)
    return Panel("Ask", bars, rest, QUESTION, below, offered, csv=file)


def _describe(answer: Answer, dataset: Dataset, more: int) -> str:
    left = f" {more:,} more values are not shown." if more > 0 else ""
    many = dataset.train.n_visible
    first = f" The first {questions.ASKED} of {many:,} variables can be set." if many > questions.ASKED else ""
    return f"{questions.rows_sentence(answer, dataset)}{left}{first}"


def _states_panel(answer: Answer | str, dataset: Dataset) -> Panel:
    if isinstance(answer, str):
        return Panel("Most likely states", None, "", STATES, answer)
    return Panel("Most likely states", questions.states_table(answer, dataset.names), ", given the evidence", STATES)


def row_items(
    of: tuple, drawn: Callable[[], Examples | str], dataset: Dataset, about: str = SAMPLES, doubt: str = ""
) -> tuple[Item, ...]:
    """Return samples and data rows: as images if they have a shape, else as two tables.

    of : the sources of the samples; drawn : returns them, or why there are none yet
    """
    pictured = dataset.shape is not None
    shown = "rows" if pictured else "samples"
    samples = Item("samples", (*of, dataset), lambda: _samples(drawn(), dataset, about, doubt), shown)
    return (samples,) if pictured else (samples, Item("rows", (dataset,), lambda: _rows(dataset), "rows"))


def _samples(drawn: Examples | str, dataset: Dataset, about: str, doubt: str) -> Panel:
    if isinstance(drawn, str):
        return Panel("Samples", None, "", about, drawn)
    if dataset.shape is None:
        table = questions.rows_table("samples", drawn.head(questions.ROWS), dataset.names)
        return Panel("Samples", table, ", drawn from the model", about, doubt)
    pictures = []
    data = dataset.train.spread(questions.PICTURES).epoch(0, 0)
    for caption, rows in {"Drawn from the model": drawn, "Training rows": data}.items():
        tiles = images.pixel_tiles(generic.brightness(rows), dataset.shape, columns=IN_A_ROW)
        pictures.append(Picture.from_tiles(tiles, f"{caption}, one tile each.", caption=caption))
    return Panel("Samples", tuple(pictures), " and training rows", about, doubt)


def _rows(dataset: Dataset) -> Panel:
    table = questions.rows_table("rows", dataset.train.spread(questions.ROWS), dataset.names)
    return Panel("Data", table, f", {len(table.columns[0].texts)} training rows", SAMPLES)
