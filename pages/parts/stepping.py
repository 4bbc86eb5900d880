"""A digit damaged and restored, iteration by iteration: the pictures, the residuals, and their summaries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from boltzcore import restoration
from boltzcore.data.digit_pictures import RIGHT
from boltzcore.inference import Inference
from boltzcore.plotting import images
from boltzcore.quoting import number
from boltzcore.restoration import ERASER, NONE, Choice, Damaged, Restored
from boltzcore.trained import SHAPE
from pages.figures import pixel_explanation
from pages.figures import restoration as figures
from pages.figures.frame import Chart, Frame, Item, Panel, Pick, Picture
from pages.stream.films import Film

CHART_HEIGHT, SINGLE = 300, 12
HEIGHT = 400  # pixels, about, of the pictures or of the charts: reserved
UNSHOWN = (ERASER, NONE)  # damages whose clean digit is not shown: a pad shows it, or it is unknown
COMPLETIONS = (
    "Each completion is the end of a Gibbs chain of its own: the known pixels are fixed, and the lost ones are "
    "resampled repeatedly. If the known pixels fit several digits, so do the samples, and their mean resembles none of "
    "them."
)
ALIKE = (
    "Each completion is classified by the nearest of 6,000 handwritten digits, or as no digit if even that one is too "
    "far away. This reads {right} of handwritten digits correctly."
)
NOTHING = "Nothing yet."
MARGINALS = (
    "The current probability that each pixel is on: white is on, black is off, amber is in doubt. A pixel counts as "
    "wrong if its more probable value is wrong."
)
RESIDUAL = (
    "The residual: the largest change of any unit's probability in an iteration, on a logarithmic scale. Inference has "
    "converged once the residual is below the tolerance, the dashed line. Damping keeps a share of the old "
    "messages, which helps if the residual oscillates."
)
MESSAGES = (
    "The messages in this iteration from the hidden units whose final messages are strongest, as log-odds: blue for "
    "on, red for off, white for neither. All tiles share the scale of the last iteration."
)
SAYS = (
    "Mean field passes no messages. Each tile shows what one of the strongest hidden units adds to each pixel's "
    "log-odds: its probability times its weights. Blue is for on, red for off."
)
WEIGHTS = "Their weights to all pixels: a unit that is on makes blue pixels more probable, red ones less."
KINDS = {
    "sum-product": "A message averages over both values of its sender. The sigmoid of the sum, bias and input "
    "included, is the pixel's marginal probability.",
    "max-product": "A message uses only the better value of its sender, to find the best image and hidden units "
    "together.",
    "mixed-product": "Hidden units average over both values, pixels use the better one, for the best image summed over "
    "hidden units.",
    "mean field": "There are no messages: each hidden unit adds its probability in the previous iteration times its "
    "weight.",
}


@dataclass(frozen=True, eq=False)
class Answer:
    """Restoration of a damaged digit by one model.

    key : its place on the page; by : the model and its inference in words
    """

    key: str
    by: str
    model: str
    inference: Inference
    restored: Restored

    @property
    def last(self) -> int:
        """Number of iterations of its inference; 0 if it has none."""
        return 0 if self.restored.beliefs is None else int(self.restored.beliefs.iterations)

    def after(self, at: int, seen: Damaged) -> Restored:
        """Return the restoration after an iteration, or the last one if there are fewer iterations."""
        if at >= self.last:
            return self.restored
        v = restoration.history(self.model, seen, self.inference).v[at - 1]
        return Restored(v.astype(float), self.restored.beliefs)


# -- the pictures -------------------------------------------------------------------------------------


def pictures(clean: Any, seen: Damaged, answers: Sequence[Answer], choice: Choice) -> Film:
    """Return the images of the digit, of its damage and of its restorations, after each iteration."""
    of = ("pictures", clean.tobytes(), *_of(seen, answers, choice))
    return Film(of, _last(answers), partial(_pictures, clean, seen, answers, choice))


def empty_film(clean: Any, answers: int) -> Film:
    """Return the places of the pictures if there is nothing to restore, or no model for it."""
    black = [0.0] * (SHAPE[0] * SHAPE[1])

    def frame(at: int) -> Frame:
        image, below = (black, NOTHING) if clean is None else (clean, "")
        first = _item("digit", "The digit", image, "The digit.", below=below)
        titles = ("Damaged", *["Restored"] * answers)
        row = [_item(f"nothing-{i}", title, black, NOTHING, below=NOTHING) for i, title in enumerate(titles)]
        return Frame(below=((first, *row),), summary="Nothing restored yet.")

    return Film(("nothing", None if clean is None else clean.tobytes(), answers), 1, frame)


def _pictures(clean: Any, seen: Damaged, answers: Sequence[Answer], choice: Choice, at: int) -> Frame:
    row, asked = [], any(answer.last for answer in answers)
    if choice.damage not in UNSHOWN:
        alt = "The digit before it is damaged."
        row.append(_item("digit", "The digit", clean, alt, below="28 × 28 pixels, as in MNIST.", asked=asked))
    text = _damage(clean, seen, answers, choice)
    alt = f"The damaged digit: {text}"
    row.append(_item("damaged", "Damaged", seen.seen, alt, below=text, asked=asked, lost=seen.lost))
    for answer in answers:
        then = answer.after(at, seen)
        title = "Restored" if then.tried else "Not restored"
        text = f"{then.doubtful:,} in doubt{' (amber)' if choice.amber else ''}."
        if choice.damage != NONE:
            text = f"{restoration.count_wrong(clean, then.image):,} pixels wrong, {text}"
        if then.completions is not None:
            text += f" The mean of {len(then.completions)} completions, some of them below."
        if not then.tried:
            text = "No pixel is known to be lost, so nothing changes: hide a patch or a half, or erase by hand."
        alt = f"{title} by {answer.by}: {text}"
        doubtful = then.uncertain if choice.amber else None
        name = title if len(answers) == 1 else answer.by
        below = text if len(answers) == 1 or then.tried else f"{title}. {text}"
        about = MARGINALS if then.tried else ""
        marked = {"asked": asked, "doubtful": doubtful}
        row.append(_item(answer.key, name, then.probabilities, alt, below=below, about=about, **marked))
    return Frame(below=(tuple(row),), summary=_summary(answers, at))


def _damage(clean: Any, seen: Damaged, answers: Sequence[Answer], choice: Choice) -> str:
    """Return the extent of the damage and what the models know of it, in words."""
    if choice.damage == NONE:
        return "28 × 28 pixels, undamaged."
    hidden, many = int(seen.lost.sum()), len(seen.seen)
    wrong = f"{restoration.count_wrong(clean, seen.seen):,} of {many:,} pixels wrong."
    text = f"{hidden:,} of {many:,} pixels lost (hatched)." if hidden else wrong
    return f"{text} {restoration.known_damage([answer.model for answer in answers], seen)}"


def _item(
    key: str,
    title: str,
    pixels: Any,
    alt: str,
    *,
    below: str = "",
    about: str = "",
    asked: bool = False,
    **marked: Any,
) -> Item:
    """Return one picture with its title above and a line below.

    asked : whether a click on a pixel explains it; marked : further arguments of `figures.digit`
    """

    def panel() -> Panel:
        height, width = (figures.SCALE * side for side in SHAPE)
        pick = Pick(f"pixel {key}", SHAPE[1], SHAPE[0]) if asked else None
        drawn = Picture(figures.digit(pixels, SHAPE, **marked), width, height, alt, pick=pick)
        return Panel(title, (drawn,), below=below, about=about)

    return Item(key, (), panel, "rows")


# -- the explanation of a pixel -----------------------------------------------------------------------


def reasons(seen: Damaged, answer: Answer, clean: Any, pixel: int) -> Film:
    """Return the sum that makes a pixel on or off, after each iteration of an inference that adds up terms.

    clean : the digit before, None if it is unknown; pixel : from 0
    """
    known = None if clean is None else clean.tobytes()
    of = ("reasons", seen.seen.tobytes(), seen.known.tobytes(), answer.model, answer.inference, known, pixel)
    return Film(of, answer.last, partial(_reasons, seen, answer, clean, pixel))


def _reasons(seen: Damaged, answer: Answer, clean: Any, pixel: int, at: int) -> Frame:
    history = restoration.history(answer.model, seen, answer.inference)
    found, text = pixel_explanation.sums(history, pixel)[at - 1], pixel_explanation.sentence(history, pixel, at, clean)
    terms = ", ".join(f"{name} {value:.2f}" for name, value in found.terms.items())
    chart = Chart(pixel_explanation.waterfall(history, pixel, at), CHART_HEIGHT, f"{terms}. Sum {found.total:.2f}.")
    row, column = (place + 1 for place in divmod(pixel, SHAPE[1]))
    total = Panel(f"Row {row}, column {column}", chart, f", {answer.by}", KINDS[answer.inference.kind])
    W = history.model.W
    tiles = images.weight_tiles(W.T[found.units], SHAPE, limit=images.symmetric_limit(W), columns=3)
    units = ", ".join(str(unit + 1) for unit in found.units)
    picture = Picture.from_tiles(tiles, f"Weights of hidden units {units}.")
    strongest = Panel("Strongest hidden units", (picture,), below=f"Hidden units {units}.", about=WEIGHTS)
    items = {"sum": total, "strongest": strongest}
    row_of_it = tuple(Item(key, (), lambda panel=panel: panel, "rows") for key, panel in items.items())
    return Frame(below=(row_of_it,), summary=f"Iteration {at} of {answer.last}. {text}")


# -- single completions -------------------------------------------------------------------------------


def completions(seen: Damaged, answer: Answer, choice: Choice) -> Film:
    """Return single completions, and the count of each digit among them; for a model that samples them."""
    return Film(("completions", *_of(seen, [answer], choice)), 1, lambda at: _completions(answer))


def _completions(answer: Answer) -> Frame:
    restored = answer.restored
    drawn, count = restored.completions[:SINGLE], len(restored.completions)
    tiles = images.pixel_tiles(drawn, SHAPE, columns=SINGLE // 2)
    alt = f"{SINGLE} of {count} completions, which agree with all known pixels."
    below = f"Of {count} completions {list_counts(restoration.count_digits(restored.completions))}."
    about = f"{COMPLETIONS} {ALIKE.format(right=number(RIGHT, '.0%'))}"
    single = Panel("Twelve completions", (Picture.from_tiles(tiles, alt),), f", of {count}", about, below)
    return Frame(below=((Item("single", (), lambda: single, "rows"),),))


def list_counts(counts: Mapping[str, int]) -> str:
    """Return the counts of the answers in words, the most frequent first."""
    names = {restoration.UNLIKE: "no digit", "8": "an 8"}
    first, *others = (f"{count} {{}}like {names.get(name, f'a {name}')}" for name, count in counts.items())
    parts = [first.format("looks " if first.startswith("1 ") else "look "), *(each.format("") for each in others)]
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


# -- the course of inference --------------------------------------------------------------------------


def insides(seen: Damaged, answers: Sequence[Answer], choice: Choice) -> Film:
    """Return the residuals of inference and the hidden units after each iteration, for models that have any."""
    moving = [answer for answer in answers if answer.last]
    return Film(("insides", *_of(seen, moving, choice)), _last(moving), partial(_insides, seen, moving))


def _insides(seen: Damaged, answers: Sequence[Answer], at: int) -> Frame:
    rows = tuple(_inside(seen, answer, at, several=len(answers) > 1) for answer in answers)
    return Frame(below=rows, summary=_summary(answers, at))


def _inside(seen: Damaged, answer: Answer, at: int, *, several: bool) -> tuple[Item, ...]:
    now, inference, beliefs = min(at, answer.last), answer.inference, answer.restored.beliefs
    rest = f", {answer.by}" if several else ""
    chart = figures.residuals(beliefs.residuals, inference.tolerance, at=now)
    residual = Panel("Residual", Chart(chart, CHART_HEIGHT, _residual_text(answer, now)), rest, RESIDUAL)
    spoken = restoration.messages(restoration.history(answer.model, seen, inference), now)
    tiles = images.weight_tiles(spoken.rows, SHAPE, limit=images.symmetric_limit(spoken.limit))
    units = ", ".join(str(unit + 1) for unit in spoken.units)
    alt = f"Messages from hidden units {units} to each pixel: blue for on, red for off, white for neither."
    title, about = ("Messages to pixels", MESSAGES) if spoken.passed else ("Hidden units' contributions", SAYS)
    messages = Panel(title, (Picture.from_tiles(tiles, alt),), rest, about, f"Hidden units {units}, in log-odds.")
    panels = {"residual": residual, "messages": messages}
    return tuple(Item(f"{answer.key}-{key}", (), lambda panel=panel: panel, "rows") for key, panel in panels.items())


def _of(seen: Damaged, answers: Sequence[Answer], choice: Choice) -> tuple[Any, ...]:
    """Return all that the frames of a restoration depend on."""
    models = tuple((answer.key, answer.model, answer.inference) for answer in answers)
    return seen.seen.tobytes(), seen.known.tobytes(), models, choice.without_drawings


def _last(answers: Sequence[Answer]) -> int:
    return max([1, *(answer.last for answer in answers)])


def _summary(answers: Sequence[Answer], at: int) -> str:
    """Return the progress of each inference in words; nothing for one without iterations."""
    texts = {answer.by: _residual_text(answer, min(at, answer.last)) for answer in answers if answer.last}
    return " ".join(texts.values() if len(texts) < 2 else (f"{by}: {each}" for by, each in texts.items()))


def _residual_text(answer: Answer, at: int) -> str:
    """Return the progress of one inference after an iteration, in words."""
    beliefs, last, tolerance = answer.restored.beliefs, answer.last, answer.inference.tolerance
    sentence = f"Iteration {at} of {last}. Largest change {beliefs.residuals[at - 1]:.2g}"
    if at < last:
        return f"{sentence}."
    if beliefs.converged:
        return f"{sentence}: converged, within the tolerance of {tolerance:g}."
    limit = f"stopped at the limit of {last} iteration{'s' * (last > 1)}"
    return f"{sentence}, over the tolerance of {tolerance:g}: {limit}."
