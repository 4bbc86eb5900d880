"""The hidden units of an infinite RBM while it trains: the gallery of all in the order of insertion, and the inputs
that one of them, at first the newest, responds to.
"""

from boltzcore.data.examples import Examples
from boltzcore.jobs.snapshot import Snapshot
from boltzcore.learners.insertion.frank_wolfe import FrankWolfeState
from boltzcore.names import Names
from boltzcore.plotting import images
from boltzcore.quoting import number
from pages.figures import columns, measurements, questions, units
from pages.figures.frame import Choice, Column, Panel, Pick, Picture, ViewInputs
from pages.figures.units import Gallery

UNIT, PAGE = "unit", "gallery"  # choices
LARGE_TILE, SMALL_TILE = 168, 56  # pixels
ANSWERED = 24  # images

GALLERY = (
    "All hidden units in the order of insertion, row by row. Each tile shows a unit's weights; blue pixels switch the "
    "unit on, red ones off. All tiles share one scale, which only the few largest weights exceed. Units added since "
    "the previous measurement are framed in the colour of the curves. A removed unit, whose count fell to 0, stays as "
    "a ghost: pale and struck out. Click a unit, or select it in the list, for details; its frame has the colour of "
    "the text."
)
FRAMED, CLICK = "Framed: new since the last measurement. ", "Click a unit for details."
ONE = (
    "The weights of one unit, at first the newest, and the distinct training images for which it is most probably on. "
    "Its count is the multiplicity of the unit: without correction the same for all, usually 1, otherwise optimised "
    "for the likelihood. Its activity is the mean probability that it is on, over at most 5,000 training rows."
)
NONE_YET = "No unit inserted yet: the model knows only how often each pixel is on."
NONE = "No unit was inserted: the model knows only how often each pixel is on."
NO_MORE = "No unit found that is worth its penalty."
NONE_WITHIN = "No unit found in the norm ball that would raise the likelihood."


def last_update(inputs: ViewInputs) -> int:
    """Return the last update of the stage that inserts units."""
    snapshot = inputs.snapshot
    return snapshot.state.progress.from_count + inputs.recipe.timetable(snapshot.updates_per_epoch).length


def explain_empty(snapshot: Snapshot) -> str:
    """Return a sentence that says that the model has no units."""
    return NONE if snapshot.status in ("finished", "stopped") else NONE_YET


def _explain_end(inputs: ViewInputs, gallery: Gallery) -> str:
    """Return why the search ended without inserting a unit, in a sentence; "" if it did not."""
    state = inputs.snapshot.state
    if not isinstance(state, FrankWolfeState) or not state.done:
        return ""
    moved = state.count in gallery.arrived or state.count in gallery.left  # then another rule has ended the search
    return "" if moved else NONE_WITHIN if inputs.recipe.learner.ball else NO_MORE


def gallery_panel(inputs: ViewInputs, gallery: Gallery, chosen: str) -> Panel:
    if not len(gallery):
        return Panel("Gallery of units", about=GALLERY, below=explain_empty(inputs.snapshot))
    state, dataset = inputs.snapshot.state, inputs.snapshot.prepared.dataset
    page, choices = inputs.page(PAGE, "Units", len(gallery), per_page=units.PER_PAGE, newest=True)
    gone = int(gallery.removed.sum())
    rest = f", {units.count_units(len(gallery) - gone)}" + (f" and {gone:,} ghost{'s' * (gone > 1)}" if gone else "")
    if dataset.shape is None:
        return _gallery_by_column(gallery, page, dataset.names, rest, choices)
    new = max((record.count for record in inputs.snapshot.records if record.count < state.count), default=0)
    places = len(gallery) - state.count + last_update(inputs)  # present units, and one for each remaining update
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
    """Return the gallery of units of a table, each with its number; a removed one has a cross."""
    shown = range(page * units.PER_PAGE, min((page + 1) * units.PER_PAGE, len(gallery)))
    called = [f"{i + 1}{' ×' * bool(gallery.removed[i])}" for i in shown]
    below = "× marks a unit that was removed." if gallery.removed.any() else ""
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
    ended = _explain_end(inputs, gallery)
    if not len(gallery):
        return Panel("One unit", about=ONE, below=ended or explain_empty(inputs.snapshot))
    places = {str(i + 1): f"{i + 1:,}{' (removed)' * bool(gone)}" for i, gone in enumerate(gallery.removed)}
    choice = Choice(UNIT, "Unit", {"": "the newest", **places}, chosen)
    place = int(chosen) - 1 if chosen else len(gallery) - 1
    dataset = inputs.snapshot.prepared.dataset
    found = units.answer(gallery.weights[place], inputs.snapshot.prepared.rows.train, ANSWERED)
    rest, below = f", the {_ordinal(place + 1)}", f"{_describe(gallery, place, found.share)} {ended}".rstrip()
    if (shape := dataset.shape) is None:
        column = Column.from_numbers("Is on", found.probabilities, ".2f")
        table = questions.rows_table("answers", Examples(found.rows), dataset.names, column)
        return Panel("One unit", table, f"{rest}: the rows that it responds to most", ONE, below, (choice,))
    listed = ", ".join(f"{p:.2f}" for p in found.probabilities)
    weights = images.weight_tiles(gallery.weights[place, :-1][None], shape, largest=LARGE_TILE)
    ends = f"from {-weights.limit:g} in red to {weights.limit:g} in blue"
    tiles = images.pixel_tiles(found.rows, shape, columns=ANSWERED // 4, largest=SMALL_TILE)
    alt = f"The training images for which unit {place + 1} is most probably on, with probabilities {listed}."
    pictures = (
        Picture.from_tiles(weights, f"Weights of unit {place + 1}, {ends}.", caption="Its weights"),
        Picture.from_tiles(tiles, alt, caption="Most responsive training images"),
    )
    return Panel("One unit", pictures, rest, ONE, below, (choice,), abreast=True)


def _describe(gallery: Gallery, place: int, share: float) -> str:
    """Return when a unit was inserted, its count and its activity, in a sentence."""
    arrived, left = int(gallery.arrived[place]), int(gallery.left[place])
    came = f"was inserted at update {arrived:,}" if arrived > 0 else "was present at the start"
    count = number(float(gallery.counts[place]), ".3g")
    stands = f"was removed at update {left:,}" if left else f"has count {count}"
    bias = number(float(gallery.weights[place, -1]), ".3g")
    active = f"{'would be' if left else 'is'} on in {measurements.percent(share, 1)} of the training rows"
    return f"It {came}, {stands}, and {active}. Hidden bias {bias}."


def _ordinal(n: int) -> str:
    ending = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n:,}{ending}"
