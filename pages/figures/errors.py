"""Curves of a conditional model: wrong pixels, inference that converges (Ping and Ihler, section 6 and
figure 4).
"""

from collections.abc import Sequence
from functools import lru_cache, partial

from boltzcore.data.examples import Dataset
from boltzcore.measures.pixels import pixel_errors
from boltzcore.plotting import drawing
from boltzcore.plotting.drawing import EPOCHS, Along, Figure
from boltzcore.training.recipe import Change
from pages.figures import curve_selection
from pages.figures.curves import Line, curves
from pages.figures.naming import Curve

PERCENT = "%{y:.2f} %"


def pixel_error(
    curve: Curve,
    *,
    pinned: Sequence[Curve] = (),
    along: Along = EPOCHS,
    nothing: float | None = None,
    changes: Sequence[Change] = (),
    best: int | None = None,
) -> Figure:
    """Share of wrong pixels among all, of the validation images (of the test images where there is no such split), in
    %.

    pinned : earlier trainings on the same data and corruption, drawn thinner on the same axes, in grey where they are
        of the same family
    along : what the curves are drawn over
    nothing : the share that is wrong where nothing is done, a horizontal line
    changes : live changes, marked at the update they were made
    best : the update of the best state, that of the lowest error, marked with a ring
    """
    split = curve_selection.judged(curve.records)
    line = Line(f"{split}_error", split, 3.5)
    figure = curves(
        "Wrong pixels, %",
        curve,
        [line],
        partial(_limits, nothing=nothing),
        pinned=pinned,
        compared=lambda each: f"{curve_selection.judged(each.records)}_error",
        along=along,
        factor=100,
        hover=PERCENT,
        changes=changes,
        best=best,
        judges=[(line.key, "best")],
    )
    if nothing is not None:
        drawing.level(figure, 100 * nothing, "doing nothing", "dash", " %")
    return figure


def changed_error(curve: Curve, *, along: Along = EPOCHS) -> Figure:
    """Share of wrong pixels among those that the corruption changed, in %: what is not undone."""
    split = curve_selection.judged(curve.records)
    line = Line(f"{split}_changed_error", split, 2.0)

    def limits(values: list[float]) -> tuple[float, float]:
        return 0.0, drawing.rounded(0.0, max([10.0, *values]))[1]

    title = "Wrong, % of those changed"
    return curves(title, curve, [line], limits, along=along, factor=100, hover=PERCENT, legend=False)


def convergence(curve: Curve, *, along: Along = EPOCHS) -> Figure:
    """Share of images on which the inference converged in time, in %: training images in the epoch under way (thin)
    and test images (thick).
    """
    lines = [Line("converged", "training", 1.5), Line("test_converged", "test", 3.5)]
    title = "Converged, % of images"
    return curves(title, curve, lines, lambda _: (-3.0, 103.0), along=along, factor=100, hover=PERCENT)


@lru_cache(maxsize=16)
def doing_nothing(rows: Dataset) -> float:
    """The share of wrong pixels where corrupted images are taken as they are, over those that judge a training.

    rows : those that are measured, with inputs
    """
    judges = rows.validation or rows.test
    return pixel_errors(judges.v, judges.x, judges.x, judges.weight).all  # type: ignore[arg-type]


def _limits(values: Sequence[float], *, nothing: float | None) -> tuple[float, float]:
    """Limits, in %, that hold what was measured and the error of doing nothing, and move only in round steps.

    Errors far above doing nothing, as before the first epoch, are cut off once there are others: they would flatten all
    else.
    """
    if not values and nothing is None:
        return 0.0, 100.0
    if nothing is None or len(values) < 2:
        return 0.0, drawing.rounded(0.0, max([*values, *([] if nothing is None else [100 * nothing])]))[1]
    level = 100 * nothing
    room = max(level - min(values), 0.25 * level) / 2
    return drawing.rounded(max(0.0, min(*values, level) - room), min(max(*values, level), level + room))
