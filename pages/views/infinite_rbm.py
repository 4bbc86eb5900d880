"""What only an infinite RBM shows while it trains: the unit that came last, the gallery of all units in the order in
which they came, what one of them answers to, and how many the training chooses.
"""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from boltzcore.data import Dataset
from boltzcore.data.examples import Examples
from boltzcore.figures import anything, charts, columns, images, questions, reading, units
from boltzcore.figures.drawing import Along
from boltzcore.figures.frame import Chart, Choice, Column, Figures, Frame, Item, NamedFigure, Panel, Pick, Picture, Shot
from boltzcore.figures.units import Gallery
from boltzcore.learners.insertion.algorithm import ACCEPTED, ALPHA, EFFECTIVE, GAP, OBJECTIVE, UNITS, FrankWolfeState
from boltzcore.models import InfiniteRBM
from boltzcore.names import Names
from boltzcore.runs.engine import Snapshot
from boltzcore.runs.prepared import PreparedData
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.training import FROM_COUNT, Record
from pages.common.glossary import marked
from pages.views import rbm
from pages.views.common import CHART_HEIGHT, same_rows, shape_of, weights
from pages.views.dream import dream

PREVIEW = (
    "**Press Play**\n\n"
    "Nobody chooses the number of hidden units here: each update **inserts one**, the one along which the likelihood "
    "rises fastest. "
    "The **log-likelihood** is drawn while they arrive, beside it the **newest unit** as an image. Below: the "
    "**gallery** of all units in the order in which they came, what each of them **answers to**, how far the model is "
    "from overfitting, and what it dreams up."
)
UNIT, PAGE = "unit", "gallery"  # choices
LARGE_TILE, SMALL_TILE = 200, 84  # pixels
LEAST = 0.01  # nats that an axis spans
WEIGHED, ANSWERED = 8, 24  # images

preview = rbm.preview
goodness = rbm.goodness


def frame(shot: Shot) -> Frame:
    """A training at one moment."""
    snapshot = shot.snapshot
    curve = Item("curve", shot.drawn_of, lambda: _curve(shot))
    if snapshot.prepared is None or snapshot.state is None:
        return Frame(_figures(shot), curve)
    gallery = Gallery.from_state(snapshot.state)
    newest = Item("newest", shot.looked_of, lambda: _newest(shot, gallery))
    chosen = _chosen_unit(shot, gallery)
    of_all = Item("gallery", (*shot.looked_of, shot.chosen.get(PAGE), chosen), lambda: _gallery(shot, gallery, chosen))
    of_one = Item("unit", (*shot.looked_of, chosen), lambda: _unit(shot, gallery, chosen))
    curves = [
        Item("size", shot.drawn_of, lambda: _size(shot)),
        *([Item("by size", shot.drawn_of, lambda: _by_size(shot))] if units.at_sizes(snapshot.records) else []),
        Item("duality", shot.drawn_of, lambda: _duality(shot)),
    ]
    if any(OBJECTIVE in record.values for record in snapshot.records):
        curves.append(Item("objective", shot.drawn_of, lambda: _objective(shot)))
    if reading.likelihood(snapshot.records) and not same_rows(snapshot.prepared.dataset):  # else drawn large, or zero
        curves.insert(0, Item("gap", shot.curves_of, lambda: _gap(shot)))
    looks = (
        Item("particles", (snapshot.observation, snapshot.prepared), lambda: _particles(shot)),
        Item("activity", (snapshot.observation,), lambda: _activity(shot, gallery)),
    )
    wide = 2 if len(curves) == 4 else 3  # in threes one of four would stand alone
    rows = (tuple(curves[i : i + wide]) for i in range(0, len(curves), wide))
    return Frame(_figures(shot), curve, (newest,), ((of_all, of_one), *rows, looks))


# -- figures ------------------------------------------------------------------------------------------

COUNT, SUM, CHOSEN, SAMPLES = "Hidden units", "Alpha", "Best size", "Samples that count"
ELSEWHERE = (rbm.CLIMB, rbm.BASE_RATE, f"{rbm.BASE_RATE}, estimate")  # what the curve tells anyway
ABOUT = {
    COUNT: "Units that the model has now. An update inserts one, and may remove some.",
    SUM: "The sum of all counts: hidden units in effect, since a unit may count more or less than once.",
    CHOSEN: "Hidden units of the best state so far: by the log-likelihood of the validation images where the data have "
    "any; else the last before the gap rose, where the schedule limits it, or the best by the training images. It is "
    "what the training chooses.",
    SAMPLES: "Effective sample size: how many fresh samples would tell as much as the persistent chains do after they "
    "were reweighted. Few: distrust the step.",
}


def _figures(shot: Shot) -> Figures:
    snapshot, records = shot.snapshot, shot.snapshot.records
    known = [each for each in rbm.likelihood_figures(snapshot, shot.recipe) if each.name not in ELSEWHERE]
    shown = []
    if snapshot.state is not None and isinstance(snapshot.state.model, InfiniteRBM):
        info = snapshot.state.info
        shown.append((COUNT, f"{snapshot.state.model.n_units:,}"))
        if chosen := _chosen(records, shot.best):
            shown.append((CHOSEN, chosen))
        if ALPHA in info and info[ALPHA] != info.get(UNITS):
            shown.append((SUM, f"{info[ALPHA]:,.1f}"))
        if EFFECTIVE in info:
            shown.append((SAMPLES, f"{info[EFFECTIVE]:,.0f} of {len(snapshot.state.chains):,}"))
    return [*(NamedFigure(name, value, ABOUT[name]) for name, value in shown), *known]


def _chosen(records: Sequence[Record], best: int | None) -> str:
    """How many units the best state has; "" where nothing tells."""
    return next((f"{r.values[UNITS]:,.0f}" for r in records if r.count == best and UNITS in r.values), "")


def compared(records: Sequence[Record], recipe: Recipe, prepared: PreparedData | None) -> Figures:
    size = f"{records[-1].values[UNITS]:,.0f}" if records and UNITS in records[-1].values else reading.figure(None)
    return [NamedFigure(COUNT, size, ABOUT[COUNT]), *rbm.compared(records, recipe, prepared)]


# -- curves -------------------------------------------------------------------------------------------

MARKED = (
    " The dotted line stands at the best state, and tells how many hidden units it has. An update inserts one unit, so "
    "that over updates the curve shows what each further unit is worth."
)
OVERFITS = (
    "Mean free energy of held-out images (validation, or test where the data have no validation part) minus that of "
    "training images, in nats: how much less probable the model makes what it has not seen, for log Z cancels. It "
    "rises as the model learns its images by heart. Once it stands above the dashed line, which lies the gap limit of "
    "the schedule above its smallest value, at several measurements in a row, no further unit is inserted."
)
SIZE = (
    "How many hidden units the model has. Each of them has a count, how often it is there; alpha is the sum of all "
    "counts, drawn dotted where it is another number (beside pinned trainings only the units are drawn). Without "
    "correction every unit counts once."
)
BY_SIZE = (
    "The log-likelihood over the number of hidden units: a point for each measurement, and a line through the best of "
    "each size; training thin, validation dotted, test thick. A size comes more than once where an update removes as "
    "many units as it inserts, or more. The dotted line that stands upright is at the size of the best state."
)
DUALITY = (
    "Alpha times how much more the best unit that was found would add than the units that are there do on average, in "
    "nats. At the best of all units that could be inserted this is Frank-Wolfe's duality gap, which tells how far the "
    "model may be from the best one. The search starts from a few places only and may miss that unit, so what is "
    "drawn is an estimate, often too small: the best over the restarts. It need not fall."
)
J = (
    "J, what the corrections make larger: the log-likelihood of the training images less the penalty, lambda / 2 times "
    "the squared length of each unit's weights times its count. Exact. With the corrections line and full it never "
    "falls; the likelihood itself may, a little, where the penalty falls by more. Without correction each unit comes "
    "in whole, and nothing keeps J from falling."
)


def _end(shot: Shot) -> int:
    """The update at which the stage that inserts is to end."""
    snapshot = shot.snapshot
    return int(snapshot.state.info.get(FROM_COUNT, 0)) + shot.recipe.timetable(snapshot.updates_per_epoch).length


def _along(shot: Shot) -> Along:
    """What curves of this stage alone are drawn over: to its end, and not to that of a stage after it."""
    along = shot.along
    return replace(along, budget=min(along.budget, _end(shot))) if along.budget else along


def _curve(shot: Shot) -> Panel:
    """The log-likelihood, with the best size marked."""
    panel = rbm.likelihood_curve(shot)
    chart, records = panel.content, shot.shown.records
    assert isinstance(chart, Chart)
    figure = units.mark_size(chart.figure, records, shot.along, shot.best)
    told = _best(records, shot.best)
    alt = f"{chart.alt} {told}".strip()
    return replace(
        panel,
        content=replace(chart, figure=figure, alt=alt),
        about=panel.about + MARKED,
        below=" ".join(filter(None, (panel.below, told))),
    )


def _best(records: Sequence[Record], best: int | None) -> str:
    """When the best state was, how many units it has and, where validation images judge, that they do; "" where nothing
    tells.
    """
    found = next((r for r in records if r.count == best and UNITS in r.values), None)
    if found is None:
        return ""
    kind = reading.likelihood_in(found.values)
    judges = " by the validation images" if kind and kind.validation in found.values else ""
    return f"Best{judges}: after update {found.count:,}, with {units.counted(found.values[UNITS])}."


def _gap(shot: Shot) -> Panel:
    records, recipe = shot.snapshot.records, shot.recipe
    limit = recipe.schedule.gap_limit
    figure = units.gap(records, family=recipe.learner.family, along=_along(shot), limit=limit, changes=recipe.changes)
    alt = reading.sentence(records, charts.GAP, "Free-energy gap")
    return Panel("Free-energy gap", Chart(figure, CHART_HEIGHT, alt), ", tells overfitting", OVERFITS)


def _size(shot: Shot) -> Panel:
    figure = units.size(shot.shown, pinned=shot.beside, along=_along(shot))
    records, tell = shot.shown.records, units.size_sentence
    alt = reading.together(tell(records), shot.shown, shot.beside, tell)
    rest = ", alpha dotted" if units.alpha_apart(records) and not shot.beside else ""
    return Panel("Size", Chart(figure, CHART_HEIGHT, alt), rest, SIZE)


def _by_size(shot: Shot) -> Panel:
    snapshot, records = shot.snapshot, shot.snapshot.records
    figure = units.by_size(
        units.at_sizes(records),
        family=shot.recipe.learner.family,
        best=next((round(r.values[UNITS]) for r in records if r.count == shot.best and UNITS in r.values), None),
        base_rate=snapshot.base_rate,
        upper_bound=charts.upper_bound(snapshot.prepared.dataset),
    )
    alt = f"{reading.likelihood_sentence(records)} {units.size_sentence(records)}"
    return Panel("Log-likelihood by size", Chart(figure, CHART_HEIGHT, alt), "", BY_SIZE)


def _duality(shot: Shot) -> Panel:
    return _over_time(shot, GAP, "Duality gap", ", estimated by the best of the restarts", DUALITY)


def _objective(shot: Shot) -> Panel:
    return _over_time(shot, OBJECTIVE, "Objective J", ", exact", J)


def _over_time(shot: Shot, key: str, title: str, rest: str, about: str) -> Panel:
    figure = anything.over_time(
        shot.shown, key, pinned=shot.beside, along=_along(shot), changes=shot.recipe.changes, least=LEAST
    )

    def tell(records: Sequence[Record]) -> str:
        return reading.sentence(records, key, title)

    alt = reading.together(tell(shot.shown.records), shot.shown, shot.beside, tell)
    return Panel(title, Chart(figure, CHART_HEIGHT, alt), rest, about)


# -- units --------------------------------------------------------------------------------------------

COLOURS = "Blue pixels switch it on, red ones switch it off."
NEWEST = (
    "The hidden unit that was inserted last, its weights drawn as an image. "
    f"{COLOURS} The search looks for the weights w, a hidden bias among them, that make the inner objective small: the "
    "mean of log(1 + exp(w'v)) over the model's own samples v, less its mean over the training images, plus the "
    "penalty lambda / 2 times the squared length of w. Below 0 the unit answers the data more than it answers the "
    "model, and a little of it raises the likelihood; a whole one may be too much. "
    "Means: how bright each pixel is on average in what the model draws, as the update found it and as it left it; in "
    "the change blue pixels became brighter and red ones darker. Last come the fantasy particles that it weighs most: "
    "those for which the unit is most probably on, 1 / (1 + exp(-w'v))."
)
GALLERY = (
    "All hidden units in the order in which they came, row by row: each keeps its place for good. "
    "A unit's weights are drawn as an image, all on one scale that the few largest of them go beyond; blue pixels "
    "switch it on, red ones off. New units, which came since the measurement before, are framed in the colour of the "
    "curves. A unit that was removed, because its count fell to 0, stays as a ghost: pale, and struck out. Click on a "
    "unit, or choose it in the list beside, to see more of it: it has a frame in the colour of the text."
)
FRAMED, CLICK = "Framed: new since the last measurement. ", "Click on a unit to see more of it."
ONE = (
    "One unit: its weights, and the training images that it answers most, those for which it is most probably on, each "
    "of them once. Its count tells how often it is there: without correction once, else as often as the likelihood "
    "wants it. Its activity is the mean, over the training images, of the probability that it is on. Over at most "
    "5,000 images."
)
NONE_YET = "No unit has been inserted yet: the model knows only how often each pixel is on."
NONE = "No unit was inserted: the model knows only how often each pixel is on."
NO_MORE = "No unit worth its penalty was found."
NONE_WITHIN = "No unit within the ball of weights was found that would raise the likelihood."
SAME_MEAN = "The mean stays the data's: the biases see to that."


def _none(snapshot: Snapshot) -> str:
    """That the model has no unit, in a sentence."""
    return NONE if snapshot.status in ("finished", "stopped") else NONE_YET


def _newest(shot: Shot, gallery: Gallery) -> Panel:
    state, dataset = shot.snapshot.state, shot.snapshot.prepared.dataset
    ended = _ended(shot, gallery)
    if (place := gallery.newest) is None:
        return Panel("Newest unit", about=NEWEST, below=ended or _none(shot.snapshot))
    rest = f", the {_ordinal(place + 1)} to come"
    if (shape := dataset.shape) is None:
        told = ended or _search(state, gallery, place)
        weights_of, units_of = gallery.weights[place, :-1][None], [str(place + 1)]
        return columns.panel("Newest unit", weights_of, dataset.names, units_of, rest=rest, about=NEWEST, below=told)
    pictures = [_weights_of(gallery, place, shape, "Its weights")]
    below = [ended or _search(state, gallery, place)]
    if isinstance(state, FrankWolfeState):
        if (change := _change(state, shape)) is None:
            below.append(_same_mean(shot, state))
        else:
            pictures += change
    if (particles := shot.snapshot.observation.get("particles")) is not None:
        chosen, probabilities = units.most_on(gallery.weights[place], particles, WEIGHED)
        each = ", ".join(f"{p:.2f}" for p in probabilities)
        alt = f"The fantasy particles for which the unit is most probably on, with probabilities {each}."
        abreast = WEIGHED if len(pictures) > 1 else WEIGHED // 2  # alone they stand beside the weights
        tiles = images.pixel_tiles(chosen, shape, columns=abreast, largest=SMALL_TILE // 2)
        pictures.append(Picture.from_tiles(tiles, alt, caption="Samples that it weighs most"))
    told = " ".join(filter(None, below))
    return Panel("Newest unit", tuple(pictures), rest, NEWEST, told, abreast=True)


def _ended(shot: Shot, gallery: Gallery) -> str:
    """Why no unit was inserted any more, in a sentence; "" where that is not so."""
    state = shot.snapshot.state
    if not isinstance(state, FrankWolfeState) or not state.done:
        return ""
    moved = state.count in gallery.arrived or state.count in gallery.left  # then another rule has ended it
    return "" if moved else NONE_WITHIN if shot.recipe.learner.ball else NO_MORE


def _search(state: object, gallery: Gallery, place: int) -> str:
    """What the search for the newest unit found, in a sentence."""
    if not isinstance(state, FrankWolfeState):
        return ""
    if gallery.arrived[place] < state.count:
        return f"The last update inserted none; this one came at update {gallery.arrived[place]:,}."
    gone = " Its count fell to 0 at once, so it was removed." if gallery.left[place] else ""
    before, after = (_short(value, 2) for value in (state.before, state.after))
    return (
        f"It would raise the likelihood: its inner objective is {after} nats ({before} where the search began; below 0 "
        f"helps).{gone}"
    )


def _change(state: FrankWolfeState, shape: tuple[int, int]) -> list[Picture] | None:
    """The model's mean as the last update found it and left it, and the difference; None where it moved too little to
    be seen.
    """
    moved, on_average = units.moved(state)
    if on_average < units.STILL:
        return None
    means = images.pixel_tiles([state.mean_before, state.mean_after], shape, columns=2, largest=SMALL_TILE)
    change = images.weight_tiles([moved], shape, largest=SMALL_TILE)
    return [
        Picture.from_tiles(
            means, "The mean of the samples, before the update and after.", caption="Mean before, after"
        ),
        Picture.from_tiles(
            change,
            f"What the update changed of that mean, {on_average:.3f} a pixel on average.",
            caption="What it changed",
        ),
    ]


def _chosen_unit(shot: Shot, gallery: Gallery) -> str:
    """The number, from 1 on, of the unit that a viewer has chosen; "" for the newest, whichever it is."""
    asked = shot.chosen.get(UNIT, "")
    return asked if asked in map(str, range(1, len(gallery) + 1)) else ""


def _same_mean(shot: Shot, state: FrankWolfeState) -> str:
    """That the model's mean did not move, in a sentence."""
    return SAME_MEAN if units.has_mean(state, shot.snapshot.prepared.dataset.train) else "The mean did not move."


def _gallery(shot: Shot, gallery: Gallery, chosen: str) -> Panel:
    if not len(gallery):
        return Panel("Gallery of units", about=GALLERY, below=_none(shot.snapshot))
    state, dataset = shot.snapshot.state, shot.snapshot.prepared.dataset
    page, choices = _page(shot, len(gallery))
    gone = int(gallery.ghosts.sum())
    rest = f", {units.counted(len(gallery) - gone)}" + (f" and {gone:,} ghost{'s' * (gone > 1)}" if gone else "")
    if dataset.shape is None:
        return _gallery_by_column(gallery, page, dataset.names, rest, choices)
    new = max((record.count for record in shot.snapshot.records if record.count < state.count), default=0)
    places = len(gallery) - state.count + _end(shot)  # units that are there, and one for each update that is left
    tiles = units.tiles(gallery, dataset.shape, page=page, places=places, new=new, family=shot.recipe.learner.family)
    pick = Pick(UNIT, tiles.columns, tiles.lines, tuple(str(i) for i in range(tiles.first, tiles.last + 1)), chosen)
    ghosts = f", {gone:,} of them removed" if gone else ""
    alt = f"Weights of units {tiles.first} to {tiles.last} in the order in which they came{ghosts}."
    below = FRAMED * bool((gallery.arrived > new).any()) + CLICK
    picture = Picture.from_tiles(tiles, alt, pick=pick)
    return Panel("Gallery of units", (picture,), rest, GALLERY, below, choices)


def _gallery_by_column(
    gallery: Gallery, page: int, names: Names | None, rest: str, choices: tuple[Choice, ...]
) -> Panel:
    """The gallery of units of a table, each with its number; one that was removed has a cross."""
    shown = range(page * units.PER_PAGE, min((page + 1) * units.PER_PAGE, len(gallery)))
    called = [f"{i + 1}{' ×' * bool(gallery.ghosts[i])}" for i in shown]
    below = "× marks a unit that was removed." if gallery.ghosts.any() else ""
    limit = images.symmetric_limit(gallery.weights[:, :-1])
    return columns.panel(
        "Gallery of units",
        gallery.weights[shown.start : shown.stop, :-1],
        names,
        called,
        rest=rest,
        below=below,
        choices=choices,
        limit=limit,
    )


def _page(shot: Shot, count: int) -> tuple[int, tuple[Choice, ...]]:
    """(page of the gallery, from 0; the choice of it, where there are several): the last until somebody chooses."""
    pages = images.pages(count, units.PER_PAGE)
    asked = shot.chosen.get(PAGE, "")
    page = int(asked) if asked in map(str, range(pages)) else pages - 1
    if pages < 2:
        return page, ()
    spans = [(i * units.PER_PAGE + 1, min((i + 1) * units.PER_PAGE, count)) for i in range(pages)]
    options = {str(i): f"{first:,} to {last:,}" for i, (first, last) in enumerate(spans)}
    return page, (Choice(PAGE, "Units", options, str(page)),)


def _unit(shot: Shot, gallery: Gallery, chosen: str) -> Panel:
    if not len(gallery):
        return Panel("One unit", about=ONE, below=_none(shot.snapshot))
    places = {str(i + 1): f"{i + 1:,}{' (removed)' * bool(gone)}" for i, gone in enumerate(gallery.ghosts)}
    choice = Choice(UNIT, "Unit", {"": "the newest", **places}, chosen)
    place = int(chosen) - 1 if chosen else len(gallery) - 1
    dataset = shot.snapshot.prepared.dataset
    found = units.answer(gallery.weights[place], units.measured_rows(dataset, shot.recipe.schedule.seed), ANSWERED)
    rest, below = f", the {_ordinal(place + 1)}", _standing(gallery, place, found.share)
    if (shape := dataset.shape) is None:
        on = tuple(map(float, found.probabilities))
        column = Column("Is on", tuple(f"{p:.2f}" for p in on), on)
        table = questions.rows_table("answers", Examples(found.rows), dataset.names, column)
        return Panel("One unit", table, f"{rest}: the training rows that it answers most", ONE, below, (choice,))
    told = ", ".join(f"{p:.2f}" for p in found.probabilities)
    tiles = images.pixel_tiles(found.rows, shape, columns=ANSWERED // 4, largest=SMALL_TILE * 2 // 3)
    alt = f"The training images for which unit {place + 1} is most probably on, with probabilities {told}."
    pictures = (
        _weights_of(gallery, place, shape, "Its weights", SMALL_TILE * 2),
        Picture.from_tiles(tiles, alt, caption="Training images that it answers most"),
    )
    return Panel("One unit", pictures, rest, ONE, below, (choice,), abreast=True)


def _standing(gallery: Gallery, place: int, share: float) -> str:
    """When a unit came, how often it counts, and how active it is."""
    arrived, left = int(gallery.arrived[place]), int(gallery.left[place])
    came = f"came at update {arrived:,}" if arrived > 0 else "was there at the start"
    count = _short(float(gallery.counts[place]), 3)
    stands = f"was removed at update {left:,}" if left else f"counts {'once' if count == '1' else f'{count} times'}"
    bias = _short(float(gallery.weights[place, -1]), 3)
    active = f"{'would be' if left else 'is'} on in {reading.percent(share, 1)} of the training images"
    return f"It {came}, {stands}, and {active}. Hidden bias {bias}."


def _short(value: float, digits: int) -> str:
    """A number in so many digits, however large."""
    return f"{value:.{digits}g}".replace("-", "\N{MINUS SIGN}")


def _weights_of(
    gallery: Gallery, place: int, shape: tuple[int, int], caption: str, largest: int = LARGE_TILE
) -> Picture:
    tiles = images.weight_tiles(gallery.weights[place, :-1][None], shape, largest=largest)
    alt = f"Weights of unit {place + 1}, from {-tiles.limit:g} in red to {tiles.limit:g} in blue."
    return Picture.from_tiles(tiles, alt, caption=caption)


def _ordinal(n: int) -> str:
    ending = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n:,}{ending}"


# -- looks --------------------------------------------------------------------------------------------

PARTICLES = (
    "Samples of the model's own: 40 chains that go on while it learns. Where all counts are whole numbers the model is "
    "an RBM and the chains are Gibbs chains; else each Gibbs step is only a proposal, which is accepted or not so "
    "that the chain keeps to the model (Metropolis-Hastings). The better the model, the more they look like the data."
)
ACTIVITY = (
    "How often each hidden unit is on, over the training images: the mean of the probability that it is on, whatever "
    "its count. A unit that is on in fewer than 1 % or more than 99 % of them is dead: it tells the images hardly "
    "apart."
)


def _particles(shot: Shot) -> Panel:
    accepted = shot.snapshot.state.info.get(ACCEPTED, 1.0)
    below = f"{reading.percent(accepted, 0)} of the proposals of the last update were accepted." if accepted < 1 else ""
    return rbm.fantasy_particles(shot, "particles", PARTICLES, below=below)


def _activity(shot: Shot, gallery: Gallery) -> Panel:
    activity = shot.snapshot.observation.get("activity")
    if activity is None:
        return Panel("Hidden activity", about=ACTIVITY, below=_none(shot.snapshot))
    numbers = [place + 1 for place in gallery.there]
    if len(numbers) < len(activity):  # the look is of a State before, which had more units
        numbers = range(1, len(activity) + 1)
    family = shot.recipe.learner.family
    figure = charts.hidden_activity(activity, family=family, numbers=numbers[: len(activity)])
    dead = reading.dead(activity)
    chart = Chart(figure, CHART_HEIGHT, f"Hidden activity of {len(activity)} units, {dead}.")
    return Panel("Hidden activity", chart, about=ACTIVITY, below=f"{dead.capitalize()}.")


# -- a file -------------------------------------------------------------------------------------------


def look_into(model: InfiniteRBM, dataset: Dataset | None, names: Names | None, key: str) -> None:
    """A model out of a file: how probable it makes the data, its units and its dreams."""
    if dataset is not None:
        rbm.likelihoods(model, dataset, key)
    shape = shape_of(dataset, model.n_visible)
    shown, beside = st.columns(2, gap="large")
    with shown:
        if model.n_units:
            weights("Units", "Weights of units", model.units[:, :-1], shape, names)
            st.caption(f"They count {model.alpha:.4g} together.")
        else:
            st.caption(marked("The model has no hidden unit."))
    with beside:
        st.header("Fantasy particles", anchor=False)
        if not model.whole:
            st.caption("Of the RBM near to it: some units count a fraction, which is drawn here as weaker weights.")
        dream(model.approximation(), shape, names, key=f"model {key}", page="library")
