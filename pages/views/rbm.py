"""Panels of an RBM while it trains: its likelihood, receptive fields, fantasy particles, weights, activity, gap and
reconstruction.
"""

from collections.abc import Sequence
from dataclasses import replace

from boltzcore.data.drawn import Patterns
from boltzcore.data.examples import Examples
from boltzcore.models import RBM
from boltzcore.plotting import images
from boltzcore.training.recipe import Recipe
from pages.figures import charts, columns, gradient_images, measurements, questions, recall
from pages.figures.frame import Chart, Choice, Frame, Item, Panel, Pick, Picture, ViewInputs
from pages.views import generic, likelihood
from pages.views.common import CHART_HEIGHT, data_of, same_rows

preview = generic.preview
compared = likelihood.compared


def frame(inputs: ViewInputs) -> Frame:
    """Return the frame of a training at one moment."""
    snapshot, dataset = inputs.snapshot, data_of(inputs.snapshot.prepared)
    curve = Item("curve", inputs.chart_sources, lambda: likelihood.likelihood_curve(inputs), "numbers")
    if dataset is None or snapshot.state is None:
        return Frame(likelihood.likelihood_figures(snapshot, inputs.recipe), curve)
    unit = inputs.number(UNIT, range(1, snapshot.state.model.n_hidden + 1), 1) - 1  # from 0
    of = *inputs.parameter_sources, inputs.chosen.get(PAGE), unit
    fields = Item("fields", of, lambda: _fields(inputs, unit), "samples")
    last = [Item("reconstruction", inputs.curve_sources, lambda: _reconstruction(inputs), "numbers")]
    # otherwise it is drawn large already, or zero
    if measurements.likelihood(snapshot.records) and not same_rows(dataset):
        last.append(Item("gap", inputs.curve_sources, lambda: _gap(inputs), "numbers"))
    particles = Item("particles", (snapshot.observation,), lambda: _particles(inputs), "samples")
    weights = Item("weights", inputs.parameter_sources, lambda: _weights(inputs), "numbers")
    activity = Item("activity", (snapshot.observation,), lambda: activity_panel(inputs, ACTIVITY), "numbers")
    # images are judged by the model's samples, tables by the weights of their columns
    main, other = ((fields,), particles) if dataset.shape is None else ((particles,), fields)
    if dataset.shape is not None and "batch" in snapshot.observation:
        # in a small mini-batch its rows are recognisable
        main += (Item("pulls", of, lambda: _pulls(inputs, unit), "rows"),)
    rows = (other, weights), (activity, *last)
    if isinstance(inputs.recipe.data, Patterns):
        sources = *inputs.parameter_sources, inputs.chosen.get(recall.PATTERN)
        rows = ((Item("recall", sources, lambda: recall.panel(inputs), "rows"),), *rows)
    if "shares" in snapshot.observation:
        pulled, main = main[1:], (Item("shares", (snapshot.observation,), lambda: _shares(inputs), "numbers"), main[0])
        rows = (*pulled, *rows[0]), rows[1]
    return Frame(likelihood.likelihood_figures(snapshot, inputs.recipe), curve, main, rows)


def _pulls(inputs: ViewInputs, unit: int) -> Panel:
    """Return the panel of a hidden unit's gradient: what the data add, what the samples subtract, and the change."""
    snapshot = inputs.snapshot
    view, model = snapshot.observation, snapshot.state.model
    first = inputs.page(PAGE, "", model.n_hidden)[0] * images.PER_PAGE
    offered = sorted({unit, *range(first, min(first + images.PER_PAGE, model.n_hidden))})
    choice = Choice(UNIT, "Hidden unit", {str(i + 1): f"{i + 1:,}" for i in offered}, str(unit + 1))
    found = gradient_images.pulls(model, view, unit, snapshot.prepared.dataset.shape)
    if found is None:
        return Panel(MOVES, about=PULLS, below="Available after the first update.", choices=(choice,))
    ends = "samples" if "dreams" in view else "reconstructions"
    data, of_model, change = found
    count, scale = len(view["batch"]), f"from {-data.limit:g} in red to {data.limit:g} in blue"
    drawn = (
        (data, "Data", f"in {count} images of the latest mini-batch"),
        (of_model, f"\N{MINUS SIGN} {ends}", f"in the {ends}"),
        (change, "= change", f"data minus {ends}: the direction in which its weights move"),
    )
    of = f"Covariance of each pixel with hidden unit {unit + 1}"
    pictures = tuple(
        replace(Picture.from_tiles(tiles, f"{of} {where}, {scale}.", caption=caption), limit=None)
        for tiles, caption, where in drawn
    )
    return Panel(MOVES, pictures, about=PULLS, choices=(choice,), even=True)


def _fields(inputs: ViewInputs, unit: int) -> Panel:
    model, dataset = inputs.snapshot.state.model, inputs.snapshot.prepared.dataset
    page, choices = inputs.page(PAGE, "Hidden units", model.n_hidden)
    if dataset.shape is None:
        first, limit = page * images.PER_PAGE, _limit(model)
        shown = model.W.T[first : first + images.PER_PAGE]
        units = [str(first + i + 1) for i in range(len(shown))]
        which = f"unit {units[0]}" if len(units) == 1 else f"units {units[0]} to {units[-1]}"
        rest = f", hidden {which} of {model.n_hidden:,}"
        return columns.panel("Weights by column", shown, dataset.names, units, rest=rest, choices=choices, limit=limit)
    tiles = images.weight_tiles(model.W.T, dataset.shape, page=page, limit=_limit(model))
    which = f"hidden units {tiles.first} to {tiles.last}"
    alt = f"Weights of {which}, one tile each, from {-tiles.limit:g} in red to {tiles.limit:g} in blue."
    numbers = tuple(str(i) for i in range(tiles.first, tiles.last + 1))
    clicks = "batch" in inputs.snapshot.observation
    pick = Pick(UNIT, tiles.columns, tiles.lines, numbers, str(unit + 1)) if clicks else None
    picture = Picture.from_tiles(tiles, alt, pick=pick)
    about = RECEPTIVE_FIELDS + CLICK * clicks
    return Panel("Receptive fields", (picture,), f", {which} of {tiles.count}", about, choices=choices)


def _limit(model: RBM) -> float:
    """Return the limit of the colours of weights: a few weights far beyond all others would leave the rest pale."""
    return images.symmetric_limit(images.robust_max(model.W))


def _particles(inputs: ViewInputs) -> Panel:
    if not inputs.snapshot.prepared.dataset.train.gray:  # drawn like the data
        return fantasy_particles(inputs, "particles", PARTICLES)
    return fantasy_particles(inputs, "expected", PARTICLES + IN_GREY, rest=", in shades of grey")


def fantasy_particles(inputs: ViewInputs, drawn: str, about: str, *, rest: str = "", below: str = "") -> Panel:
    """Return the panel of a frame's particles, which its array `drawn` holds."""
    if (particles := inputs.snapshot.observation.get(drawn)) is None:
        return Panel("Fantasy particles", about=about)
    dataset = inputs.snapshot.prepared.dataset
    if dataset.shape is None:
        table = questions.rows_table("particles", Examples(particles), dataset.names)
        rest = f", {len(particles)} samples from the model"
        return Panel("Fantasy particles", table, rest, about, below)
    tiles = images.pixel_tiles(particles, dataset.shape, columns=A_LINE)
    picture = Picture.from_tiles(tiles, f"{tiles.count} samples from the model.")
    return Panel("Fantasy particles", (picture,), rest, about, below)


def _weights(inputs: ViewInputs) -> Panel:
    model = inputs.snapshot.state.model
    figure = charts.weight_histogram(model.W, _limit(model), "Weight")
    return Panel("Weights", Chart(figure, CHART_HEIGHT, f"Histogram of {model.W.size:,} weights."), about=WEIGHTS)


def activity_panel(inputs: ViewInputs, about: str, numbers: Sequence[int] | None = None, none: str = "") -> Panel:
    """Return the panel of hidden activity, with the number of dead units.

    numbers : by which the units are known; None numbers them from 1
    none : a sentence for when nothing is known yet
    """
    if (activity := inputs.snapshot.observation.get("activity")) is None:
        return Panel("Hidden activity", about=about, below=none)
    if numbers is not None and len(numbers) < len(activity):  # the frame is of a State before, which had more units
        numbers = range(1, len(activity) + 1)
    figure = charts.hidden_activity(activity, family=inputs.shown.family, numbers=numbers and numbers[: len(activity)])
    dead = measurements.dead_units(activity)
    chart = Chart(figure, CHART_HEIGHT, f"Hidden activity of {len(activity)} units, {dead}.")
    return Panel("Hidden activity", chart, about=about, below=f"{dead.capitalize()}.")


def _shares(inputs: ViewInputs) -> Panel:
    """Return the panel with the shares of data, chains and model in each cluster."""
    shares = inputs.snapshot.observation["shares"]
    figure = charts.cluster_shares(shares, family=inputs.shown.family)
    defined = [(title, row) for title, row in zip(OF, shares, strict=True) if row[0] == row[0]]  # of no chains: nan
    of = [f"{title} {', '.join(measurements.percent(float(share), 0) for share in row)}" for title, row in defined]
    alt = f"Shares of {shares.shape[1] - 1} clusters, and of none: {'; '.join(of)}."
    return Panel("Cluster frequencies", Chart(figure, CHART_HEIGHT, alt), about=SHARES)


def _reconstruction(inputs: ViewInputs) -> Panel:
    alt = measurements.sentence(inputs.snapshot.records, charts.RECONSTRUCTION, "Reconstruction error")
    chart = Chart(charts.reconstruction_error(inputs.curves), CHART_HEIGHT, alt)
    return Panel("Reconstruction error", chart, ", not a likelihood", RECONSTRUCTION)


def _gap(inputs: ViewInputs) -> Panel:
    alt = measurements.sentence(inputs.snapshot.records, charts.GAP, "Free-energy gap")
    return Panel("Free-energy gap", Chart(charts.free_energy_gap(inputs.curves), CHART_HEIGHT, alt), about=ABOUT_GAP)


def goodness(recipe: Recipe, reached: float, judge: str) -> str:
    """Return the merit of a model at its last measurement, in words."""
    estimated = recipe.may_need("annealing")
    return f"{'estimated ' if estimated else ''}log-likelihood {measurements.figure(reached, 2)} nats per example"


A_LINE = 10  # fantasy particles in a line: four lines leave room for a panel below
PAGE, UNIT = "fields", "unit"  # choices of hidden units, and of one
MOVES = "Data \N{MINUS SIGN} samples = change"
PULLS = (
    "An update moves the weights of a hidden unit towards the covariance of pixels and unit in this mini-batch, and "
    "away from that in the model's own samples: persistent chains or, with contrastive divergence, reconstructions a "
    "few Gibbs steps from the rows. The tiles show the covariance with p(h = 1 | v) for the current weights, on one "
    "scale; it leaves out the means, which the biases fit. Where both covariances agree, nothing moves. Blue: on "
    "together with this unit; red: off. Click a receptive field to see another hidden unit."
)
CLICK = " Click one to see what moves its weights."
OF = ("data", "chains", "model")
SHARES = (
    "The share of each cluster, and of no cluster, among the training rows, the learner's chains and exact samples "
    "from the model, drawn by enumeration of its hidden units. Chains that cannot move between clusters keep their "
    "shares, even if those of the model change."
)
WEIGHTS = (
    "Histogram of the weights, in the colours of the receptive fields. The outermost bars include all values beyond."
)
RECEPTIVE_FIELDS = (
    "The weights between one hidden unit and all pixels: blue pixels switch the unit on, red ones off. All tiles share "
    "one scale, which at most 0.5 % of the weights exceed."
)
PARTICLES = (
    "Samples from 40 persistent Gibbs chains that started from noise. The better the model, the more they look like "
    "the data."
)
IN_GREY = (
    " The pixels of a chain are on or off. To match the grey data, a tile shows one more step without sampling: the "
    "probability of each pixel, given the probabilities of the hidden units."
)
ACTIVITY = (
    "The mean of p(h = 1 | v) of each hidden unit over the training rows. A unit below 1 % or above 99 % is dead: it "
    "hardly distinguishes the rows."
)
ABOUT_GAP = (
    "Mean free energy of validation (or test) examples minus that of training examples, in nats. Near zero the model "
    "treats both alike; a growing gap is a sign of overfitting."
)
RECONSTRUCTION = (
    "The difference between pixels and their reconstruction after one step to the hidden units and back. It is not a "
    "likelihood: it can fall (get better) while the model gets worse."
)
