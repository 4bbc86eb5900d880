"""Inference as it goes: the picture after each iteration, how much still changes, and what is said."""

from boltzcore import restoration
from boltzcore.figures import images
from boltzcore.figures import restoration as figures
from boltzcore.figures.frame import Chart, Frame, Item, Panel, Picture
from boltzcore.inference import Beliefs
from boltzcore.restoration import Damaged
from boltzcore.trained import SHAPE, TRAINED
from pages.live.films import Film
from pages.parts.restoring import Chosen

CHART_HEIGHT, HEIGHT = 300, 460  # pixels of the chart, and of all with its words
MARGINALS = (
    "The probability of each pixel being on, as far as is known by now: white is on, black is off, amber is in doubt."
)
RESIDUAL = (
    "The residual: the largest change of any unit's probability in an iteration, on a logarithmic scale. "
    "Inference has converged once it is at or under the tolerance, the dashed line; damping keeps a share of the old "
    "messages, which helps where it swings."
)
MESSAGES = (
    "What the hidden units that speak loudest tell each pixel, as log-odds: blue says on, red says off, white says "
    "nothing. All tiles share one scale, "
    "that of the last iteration."
)
SAYS = (
    "Mean field passes no messages. Drawn is what each of the loudest hidden units adds to the log-odds of a pixel: "
    "its probability times its weights. "
    "Blue says on, red says off."
)


def film(seen: Damaged, beliefs: Beliefs, setting: Chosen) -> Film:
    """The iterations of an inference, whose end has these beliefs."""
    of = (seen.seen.tobytes(), seen.known.tobytes(), setting.model, setting.inference, setting.choice)
    return Film(of, int(beliefs.iterations), lambda at: _frame(seen, beliefs, setting, at))


def _frame(seen: Damaged, beliefs: Beliefs, setting: Chosen, at: int) -> Frame:
    trained, inference = TRAINED[setting.model], setting.inference.changed(iterations=at)
    then = restoration.restore(trained, seen, inference, seed=setting.choice.seed)
    sentence = told(beliefs, setting, at)
    marked = then.uncertain if setting.choice.amber else None
    png = figures.digit(then.probabilities, SHAPE, doubtful=marked)
    height, width = (figures.SCALE * side for side in SHAPE)
    alt = f"Marginals after iteration {at}: {then.doubtful} pixels in doubt."
    marginals = Panel(
        "Marginals", (Picture(png, width, height, alt),), about=MARGINALS, below=f"{then.doubtful:,} pixels in doubt."
    )
    chart = figures.residuals(beliefs.residuals, inference.tolerance, at=at, end=setting.inference.iterations)
    residual = Panel("Residual", Chart(chart, CHART_HEIGHT, sentence), about=RESIDUAL)
    spoken = restoration.messages(trained.model(), beliefs, then.beliefs)
    tiles = images.weight_tiles(spoken.rows, SHAPE, limit=images.symmetric_limit(spoken.limit))
    units = ", ".join(str(unit + 1) for unit in spoken.units)
    said = Panel(
        "Messages to the pixels" if spoken.passed else "What hidden units say",
        (Picture.of(tiles, f"What hidden units {units} tell each pixel: blue on, red off, white nothing."),),
        about=MESSAGES if spoken.passed else SAYS,
        below=f"Hidden units {units}, in log-odds.",
    )
    panels = {"marginals": marginals, "residual": residual, "messages": said}
    row = tuple(Item(key, (), lambda panel=panel: panel) for key, panel in panels.items())
    return Frame(below=(row,), said=sentence)


def told(beliefs: Beliefs, setting: Chosen, at: int) -> str:
    """Where an inference stands after an iteration, in words."""
    last, tolerance = int(beliefs.iterations), setting.inference.tolerance
    sentence = f"Iteration {at} of {last}. Largest change {beliefs.residuals[at - 1]:.2g}"
    if at < last:
        return f"{sentence}."
    if beliefs.converged:
        return f"{sentence}: converged, no more than the tolerance of {tolerance:g}."
    limit = f"stopped at its limit of {last} iteration{'s' * (last > 1)} (More sets it)"
    return f"{sentence}, over the tolerance of {tolerance:g}: {limit}."
