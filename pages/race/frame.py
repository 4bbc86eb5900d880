"""The frame of a race: its progress, the curves, and a line for each contender."""

from collections.abc import Mapping, Sequence

from boltzcore.comparison.comparison import Comparison
from boltzcore.comparison.result import Result
from boltzcore.jobs.race import Race, RaceSnapshot
from boltzcore.measures.merit import sign
from boltzcore.plotting import comparison_curves, drawing
from boltzcore.quoting import number, short_count
from boltzcore.training.status import Status
from boltzcore.warmup import needed
from pages.common import lab
from pages.figures import race_table
from pages.figures.frame import Chart, Figures, Frame, Item, Line, NamedFigure, Panel
from pages.figures.race_pictures import pictures
from pages.stream.run_frame import WORDS, format_left

ABOUT = {
    "Trials": "Completed runs. Each contender is trained in the same number of trials, with the same seeds.",
    "Cost": "The cost limit of each run, which ends at the first update that reaches it.",
    "median": "The median over the trials, up to the cost that all of them have reached.",
    "difference": "The mean difference from the reference over the trials, above 0 if this contender is better, and "
    "half the width of its interval. A difference is significant if the interval excludes 0. The intervals hold "
    "simultaneously for all pairs, or for all comparisons with a reference chosen in advance.",
    "tuned": "The best setting, which the contender uses in the trials.",
    "better in": "The number of trials in which this contender is better than the reference.",
    "tried": "Settings with all their runs complete, and the median result of the best setting so far. A contender "
    "without a tuned field tries none.",
    "curves": "Each thin line is one trial; each thick line is the median over a contender's trials.",
}
DASH = "\N{EN DASH}"
NEVER = float("-inf")  # the score of a value with which a training diverged


def page_key(snapshot: RaceSnapshot) -> str:
    """Return a key of what the page draws around the frames: when it changes, the script has to run."""
    return f"{snapshot.status} {snapshot.result is not None} {snapshot.reason}"


def drawn(
    race: Race, hidden: bool, against: str | None, snapshots: Sequence[RaceSnapshot]
) -> tuple[Frame, dict[str, object]]:
    """Return the frame of a race, and its further fields as JSON holds them; `hidden`, `against` as `frame_of_race`."""
    (snapshot,) = snapshots
    return frame_of_race(snapshot, hidden=hidden, against=against), {
        "run": race.id,
        "status": snapshot.status,
        "count": round(1000 * snapshot.share),
        "records": 0,
        "around": page_key(snapshot),
        "waits": waits_of(snapshot, race.comparison),
    }


def frame_of_race(snapshot: RaceSnapshot, *, hidden: bool = False, against: str | None = None) -> Frame:
    """Return the frame of a race at one moment.

    hidden : omit whatever shows the leader, for viewers that have not made a prediction yet
    against : the contender that the others are compared with; None for the first
    """
    result, status = snapshot.result, WORDS.get(snapshot.status, snapshot.status.capitalize())
    figures = [NamedFigure("Status", status), *(() if result is None else _progress(result))]
    if result is None or hidden:
        return Frame(figures, aria_text=f"{status}.")
    curve = Item("curve", (result,), lambda: _curves(result), "numbers")
    states = tuple(trials[0].state for trials in result.trials.values())
    below = ((Item("pictures", states, lambda: pictures(result) or Panel(""), "rows"),),) if any(states) else ()
    over = snapshot.status == "finished"
    if over and result.figure:
        below += ((Item("figures", (result,), lambda: race_table.table(result, against), "numbers"),),)
    if tuning := result if result.comparison.tuning else result.tuning:
        below += ((Item("tuning", (tuning,), lambda: race_table.tuning_table(tuning), "numbers"),),)
    summary = result.sentence(against) if over else ""
    lines = _tuning(result) if result.comparison.tuning else _lines(result, against, ranked=over)
    return Frame(figures, curve, (), below, lines, summary=summary, aria_text=f"{status}.")


def _progress(result: Result) -> Figures:
    different = {each.recipe: each for trials in result.trials.values() for each in trials}
    ended = sum(each.ended and each.status != Status.STOPPED for each in different.values())
    axis = comparison_curves.TITLES[result.comparison.axis].partition(" (")[0].lower()
    title, cost = "Tuning" if result.comparison.tuning else "Trials", f"{short_count(result.comparison.cost)} {axis}"
    trials = NamedFigure(title, f"{ended} of {len(different)}", ABOUT["Trials"])
    return [trials, NamedFigure("Cost", cost, ABOUT["Cost"])]


def waits_of(snapshot: RaceSnapshot, comparison: Comparison) -> Mapping[str, object]:
    """Return the reason for waiting and the time left, in the form of a frame."""
    progress = format_left(snapshot.left) if snapshot.left else ""
    if snapshot.place:
        progress = "Waiting for resources"
    elif snapshot.result is None:
        pieces = filter(None, (needed(recipe) for _, recipe in comparison.contenders))
        progress = next(filter(None, map(lab.describe_wait, pieces)), "Finding stored trials")
    return {"wait": None, "progress": progress}


def _lines(result: Result, against: str | None, *, ranked: bool) -> tuple[Line, ...]:
    """Return a line for each contender, in their own order while they run, in the end the best first by the mean."""
    shades, dashes = comparison_curves.colours(result.comparison), comparison_curves.assign_dashes(result.comparison)
    differences = result.differences(against)
    reference = result.comparison.contender(against)
    lines: list[tuple[float, Line]] = []
    for name, outcomes in result.outcomes.items():
        flip = sign(result.figure)
        _, medians = comparison_curves.median_curve(outcomes, flip)
        found = differences.get(name)
        alone = "reference" if differences and name == reference else DASH
        difference = race_table.with_interval(found) if found else alone
        figures = [
            NamedFigure("Contender", name),
            NamedFigure("Median", number(medians[-1], ".4g") if medians else DASH, ABOUT["median"]),
            NamedFigure("Better by", difference, ABOUT["difference"]),
            NamedFigure("Better in", f"{found.better_in} of {found.n}" if found else DASH, ABOUT["better in"]),
        ]
        whole = [each.value for each in outcomes if each.whole and each.value is not None]
        lead = sum(whole) / len(whole) if whole and len(whole) == len(outcomes) else NEVER
        lines.append((lead, Line(shades[name], dashes[name], figures)))
    if ranked:
        lines.sort(key=lambda each: -each[0])
    return tuple(line for _, line in lines)


def _tuning(result: Result) -> tuple[Line, ...]:
    """Return a line for each contender while they are tuned: its progress, and the best setting so far."""
    shades, flip, tried = comparison_curves.colours(result.comparison), sign(result.figure), result.scores
    lines = []
    for name in result.comparison.names:
        scores = tried.get(name, {})
        known = [score for score in scores.values() if score is not None]
        best = max(known, default=NEVER)
        figures = [
            NamedFigure("Contender", name),
            NamedFigure("Settings tried", f"{len(known)} of {len(scores)}" if scores else "none", ABOUT["tried"]),
            NamedFigure("Best so far", result.taken[name] if best > NEVER else DASH, ABOUT["tuned"]),
            NamedFigure("Result", number(flip * best, ".4g") if best > NEVER else DASH, ABOUT["tried"]),
        ]
        lines.append(Line(shades[name], "solid", figures))
    return tuple(lines)


def _curves(result: Result) -> Panel:
    about = f"{ABOUT['curves']} It is the {result.figure_title}." if result.figure else ABOUT["curves"]
    figure, alt = comparison_curves.plot(result), comparison_curves.describe(result)
    return Panel("", Chart(figure, drawing.HEIGHT, alt), about=about)
