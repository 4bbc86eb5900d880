"""The hidden units of an infinite RBM while it trains: the one that came last, the gallery of all in the order in which
they came, and what one of them answers to.
"""

from boltzcore.data.examples import Examples
from boltzcore.jobs.snapshot import Snapshot
from boltzcore.learners.insertion.frank_wolfe import INNER, FrankWolfeState
from boltzcore.names import Names
from boltzcore.plotting import images
from boltzcore.quoting import number
from pages.figures import columns, measurements, questions, units
from pages.figures.frame import Choice, Column, Panel, Pick, Picture, ViewInputs
from pages.figures.units import Gallery

UNIT, PAGE = "unit", "gallery"  # choices
LARGE_TILE, SMALL_TILE = 200, 84  # pixels
WEIGHED, ANSWERED = 8, 24  # images

COLOURS = "Blue pixels switch it on, red ones switch it off."
NEWEST = (
    f"The weights of the last inserted hidden unit, drawn as an image. {COLOURS} The search looks for the weights w, "
    "including the hidden bias, that minimise the inner objective: the mean of log(1 + exp(w'v)) over the model's own "
    "samples v, less its mean over the training images, plus the penalty lambda / 2 times the squared length of w. "
    "Below 0 the unit responds more to the data than to the model, and a small count of it raises the likelihood; a "
    "whole unit may be too much. Means: the mean brightness of each pixel in the model's samples before and after the "
    "update; in the change, blue pixels became brighter and red ones darker. Last are the fantasy particles for which "
    "the unit is most probably on, with probability 1 / (1 + exp(-w'v))."
)
GALLERY = (
    "All hidden units in the order of insertion, row by row. Each tile shows a unit's weights; blue pixels switch the "
    "unit on, red ones off. All tiles share one scale, which the few largest weights exceed. Units added since the "
    "previous measurement are framed in the colour of the curves. A removed unit, whose count fell to 0, stays as a "
    "ghost: pale and struck out. Click a unit, or select it in the list, for details; its frame has the colour of the "
    "text."
)
FRAMED, CLICK = "Framed: new since the last measurement. ", "Click a unit for details."
ONE = (
    "The weights of one unit and the distinct training images for which it is most probably on. Its count is the "
    "multiplicity of the unit: 1 without correction, otherwise optimised for the likelihood. Its activity is the mean "
    "probability that it is on, over at most 5,000 training images."
)
NONE_YET = "No unit inserted yet: the model knows only how often each pixel is on."
NONE = "No unit was inserted: the model knows only how often each pixel is on."
NO_MORE = "No unit found that is worth its penalty."
NONE_WITHIN = "No unit found in the norm ball that would raise the likelihood."
SAME_MEAN = "The mean already matches the data, due to the biases."


def end(inputs: ViewInputs) -> int:
    """The update at which the stage that inserts is to end."""
    snapshot = inputs.snapshot
    return snapshot.state.progress.from_count + inputs.recipe.timetable(snapshot.updates_per_epoch).length


def none_yet(snapshot: Snapshot) -> str:
    """That the model has no unit, in a sentence."""
    return NONE if snapshot.status in ("finished", "stopped") else NONE_YET


def newest(inputs: ViewInputs, gallery: Gallery) -> Panel:
    state, dataset = inputs.snapshot.state, inputs.snapshot.prepared.dataset
    ended = _ended(inputs, gallery)
    if (place := gallery.newest) is None:
        return Panel("Newest unit", about=NEWEST, below=ended or none_yet(inputs.snapshot))
    rest = f", the {_ordinal(place + 1)} inserted"
    if (shape := dataset.shape) is None:
        below = ended or _search(state, gallery, place)
        weights_of, units_of = gallery.weights[place, :-1][None], [str(place + 1)]
        return columns.panel("Newest unit", weights_of, dataset.names, units_of, rest=rest, about=NEWEST, below=below)
    pictures = [_weights_of(gallery, place, shape)]
    below = [ended or _search(state, gallery, place)]
    if isinstance(state, FrankWolfeState):
        if (change := _change(state, shape)) is None:
            below.append(_same_mean(inputs, state))
        else:
            pictures += change
    if (particles := inputs.snapshot.observation.get("particles")) is not None:
        found = units.answer(gallery.weights[place], Examples(particles), WEIGHED)
        each = ", ".join(f"{p:.2f}" for p in found.probabilities)
        alt = f"The fantasy particles for which the unit is most probably on, with probabilities {each}."
        abreast = WEIGHED if len(pictures) > 1 else WEIGHED // 2  # alone they stand beside the weights
        tiles = images.pixel_tiles(found.rows, shape, columns=abreast, largest=SMALL_TILE // 2)
        pictures.append(Picture.from_tiles(tiles, alt, caption="Most responsive samples"))
    text = " ".join(filter(None, below))
    return Panel("Newest unit", tuple(pictures), rest, NEWEST, text, abreast=True)


def _ended(inputs: ViewInputs, gallery: Gallery) -> str:
    """Why no unit was inserted any more, in a sentence; "" where that is not so."""
    state = inputs.snapshot.state
    if not isinstance(state, FrankWolfeState) or not state.done:
        return ""
    moved = state.count in gallery.arrived or state.count in gallery.left  # then another rule has ended it
    return "" if moved else NONE_WITHIN if inputs.recipe.learner.ball else NO_MORE


def _search(state: object, gallery: Gallery, place: int) -> str:
    """What the search for the newest unit found, in a sentence."""
    if not isinstance(state, FrankWolfeState):
        return ""
    if gallery.arrived[place] < state.count:
        return f"The last update inserted no unit; this one was inserted at update {gallery.arrived[place]:,}."
    gone = " Its count fell to 0 at once, so it was removed." if gallery.left[place] else ""
    found = number(state.figures[INNER], ".2g")
    return f"Inserting it raises the likelihood: its inner objective is {found} nats (below 0 helps).{gone}"


def _change(state: FrankWolfeState, shape: tuple[int, int]) -> list[Picture] | None:
    """The model's mean as the last update found it and left it, and the difference; None where it moved too little to
    be seen.
    """
    moved = state.mean_after - state.mean_before
    on_average = float(abs(moved).mean())
    if on_average < units.STILL:
        return None
    means = images.pixel_tiles([state.mean_before, state.mean_after], shape, columns=2, largest=SMALL_TILE)
    change = images.weight_tiles([moved], shape, largest=SMALL_TILE)
    return [
        Picture.from_tiles(means, "The samples' mean, before the update and after.", caption="Mean before, after"),
        Picture.from_tiles(
            change,
            f"Change of the mean by the update, {on_average:.3f} per pixel on average.",
            caption="Change",
        ),
    ]


def chosen_unit(inputs: ViewInputs, gallery: Gallery) -> str:
    """The number, from 1 on, of the unit that a viewer has chosen; "" for the newest, whichever it is."""
    asked = inputs.chosen.get(UNIT, "")
    return asked if asked in map(str, range(1, len(gallery) + 1)) else ""


def _same_mean(inputs: ViewInputs, state: FrankWolfeState) -> str:
    """That the model's mean did not move, in a sentence."""
    from_data = abs(state.mean_after - inputs.snapshot.prepared.dataset.train.mean()).mean()
    return SAME_MEAN if from_data < units.STILL else "The mean did not change."


def gallery_panel(inputs: ViewInputs, gallery: Gallery, chosen: str) -> Panel:
    if not len(gallery):
        return Panel("Gallery of units", about=GALLERY, below=none_yet(inputs.snapshot))
    state, dataset = inputs.snapshot.state, inputs.snapshot.prepared.dataset
    page, choices = inputs.page(PAGE, "Units", len(gallery), per_page=units.PER_PAGE, newest=True)
    gone = int(gallery.ghosts.sum())
    rest = f", {units.counted(len(gallery) - gone)}" + (f" and {gone:,} ghost{'s' * (gone > 1)}" if gone else "")
    if dataset.shape is None:
        return _gallery_by_column(gallery, page, dataset.names, rest, choices)
    new = max((record.count for record in inputs.snapshot.records if record.count < state.count), default=0)
    places = len(gallery) - state.count + end(inputs)  # units that are there, and one for each update that is left
    tiles = units.tiles(gallery, dataset.shape, page=page, places=places, new=new, family=inputs.shown.family)
    pick = Pick(UNIT, tiles.columns, tiles.lines, tuple(str(i) for i in range(tiles.first, tiles.last + 1)), chosen)
    ghosts = f", {gone:,} of them removed" if gone else ""
    alt = f"Weights of units {tiles.first} to {tiles.last} in the order of insertion{ghosts}."
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


def unit_panel(inputs: ViewInputs, gallery: Gallery, chosen: str) -> Panel:
    if not len(gallery):
        return Panel("One unit", about=ONE, below=none_yet(inputs.snapshot))
    places = {str(i + 1): f"{i + 1:,}{' (removed)' * bool(gone)}" for i, gone in enumerate(gallery.ghosts)}
    choice = Choice(UNIT, "Unit", {"": "the newest", **places}, chosen)
    place = int(chosen) - 1 if chosen else len(gallery) - 1
    dataset = inputs.snapshot.prepared.dataset
    found = units.answer(gallery.weights[place], units.measured_rows(dataset, inputs.recipe.schedule.seed), ANSWERED)
    rest, below = f", the {_ordinal(place + 1)}", _standing(gallery, place, found.share)
    if (shape := dataset.shape) is None:
        column = Column.from_numbers("Is on", found.probabilities, ".2f")
        table = questions.rows_table("answers", Examples(found.rows), dataset.names, column)
        return Panel("One unit", table, f"{rest}: the rows that it responds to most", ONE, below, (choice,))
    listed = ", ".join(f"{p:.2f}" for p in found.probabilities)
    tiles = images.pixel_tiles(found.rows, shape, columns=ANSWERED // 4, largest=SMALL_TILE * 2 // 3)
    alt = f"The training images for which unit {place + 1} is most probably on, with probabilities {listed}."
    pictures = (
        _weights_of(gallery, place, shape, SMALL_TILE * 2),
        Picture.from_tiles(tiles, alt, caption="Most responsive training images"),
    )
    return Panel("One unit", pictures, rest, ONE, below, (choice,), abreast=True)


def _standing(gallery: Gallery, place: int, share: float) -> str:
    """When a unit came, how often it counts, and how active it is."""
    arrived, left = int(gallery.arrived[place]), int(gallery.left[place])
    came = f"was inserted at update {arrived:,}" if arrived > 0 else "was present at the start"
    count = number(float(gallery.counts[place]), ".3g")
    stands = f"was removed at update {left:,}" if left else f"has count {count}"
    bias = number(float(gallery.weights[place, -1]), ".3g")
    active = f"{'would be' if left else 'is'} on in {measurements.percent(share, 1)} of the training images"
    return f"It {came}, {stands}, and {active}. Hidden bias {bias}."


def _weights_of(gallery: Gallery, place: int, shape: tuple[int, int], largest: int = LARGE_TILE) -> Picture:
    tiles = images.weight_tiles(gallery.weights[place, :-1][None], shape, largest=largest)
    alt = f"Weights of unit {place + 1}, from {-tiles.limit:g} in red to {tiles.limit:g} in blue."
    return Picture.from_tiles(tiles, alt, caption="Its weights")


def _ordinal(n: int) -> str:
    ending = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n:,}{ending}"
