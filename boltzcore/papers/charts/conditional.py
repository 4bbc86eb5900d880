"""Charts of `papers.conditional`: wrong pixels by method, by the size of the patch, and how often BP converges."""

from collections.abc import Sequence

from boltzcore.papers.charts.plots import OURS, PAPER, Curves, PlotRows, Points, Series, styles
from boltzcore.papers.conditional_tasks import LEVELS, METHODS, NOTHING, SIZES, TASKS, title_of
from boltzcore.papers.study import Row
from boltzcore.plotting.palette import hue
from boltzcore.registry import info_of

HUES = {name: hue(info_of(method.learner).family) for name, method in METHODS.items()} | {NOTHING: hue("max-margin")}
WRONG = {
    "all": ("all pixels", "The share of all pixels of the test images that the restored image has wrong."),
    "changed": ("changed pixels", "The share of wrong ones among the pixels that the damage changed."),
}
FAR = 1.5  # times the paper's largest error, from which on the error of doing nothing is told and not drawn
BY_SIZE = "The share of all pixels of the test images that are wrong in the end, by the side of the hidden patch."
SHARE = (
    "The share of training images on which the inference that a method learns with came to an end within its "
    "iterations, epoch by epoch."
)


def errors(name: str, rows: Sequence[Row]) -> PlotRows:
    """A chart of the wrong pixels of all and one of those changed, of the methods on a task."""
    if not rows:
        return []
    task, plots = TASKS[name], list[Points]()
    for place, (figure, (title, about)) in enumerate(WRONG.items()):
        theirs = {(method, ""): pair[place] for method, pair in task.reported.items()}
        ours = {row["method"]: row[figure] for row in rows}
        nothing = ours.get(NOTHING, 0.0)
        note = ""
        if nothing > FAR * max(theirs.values()):  # it would leave all else no room
            del ours[NOTHING]
            note = f"Doing nothing leaves {nothing:.3g} % wrong, which is not drawn."
        ordered = {(method, ""): ours[method] for method in (NOTHING, *METHODS) if method in ours}
        plots.append(
            Points(
                f"{_short(name)}: {title}",
                about,
                "Wrong pixels, %",
                {"": hue("BP")},
                {OURS: ordered, PAPER: theirs},
                hues=HUES,
                note=note,
            )
        )
    return [plots]


def _short(name: str) -> str:
    """What a task does, in short."""
    corruption = TASKS[name].corruption
    if corruption.kind == "patch":
        return f"Patch of {corruption.size} x {corruption.size}"
    return f"{100 * corruption.rate:g} % noise"


def sizes(rows: Sequence[Row]) -> PlotRows:
    """A line for each method, and one for doing nothing, over the side of the patch."""
    sides = {title_of(level): size for level, size in zip(LEVELS, SIZES, strict=True)}
    of = dict[str, dict[float, float]]()
    for row in rows:
        of.setdefault(row["method"], {})[sides[row["task"]]] = row["all"]
    style = styles(("CD-10", "MLE-BP", NOTHING))
    series = tuple(
        Series(method, sorted(found), [found[side] for side in sorted(found)], *style[method])
        for method, found in of.items()
    )
    plot = Curves("Wrong pixels by the patch", BY_SIZE, "Side of the patch, pixels", "Wrong pixels, %", series)
    return [[plot]] if series else []


def convergence(rows: Sequence[Row]) -> PlotRows:
    """The share of images on which belief propagation converged, by epochs."""
    found = {row["method"]: row["converged"] for row in rows if row.get("converged")}
    style = styles(("MLE-BP", "MSSVM", "LSSVM", "MLE-MF", "CD-PercLoss"))
    series = tuple(
        Series(method, list(range(1, len(share) + 1)), share, *style[method])
        for method, share in found.items()
        if method in style
    )
    marks = {"a change near here, by the paper": 3.0}
    plot = Curves("Converged", SHARE, "Epoch", "Converged, % of images", series, marks=marks, limits=(0, 100))
    return [[plot]] if series else []
