"""Upadhya and Sastry (2017), Learning RBM with a DC Programming Approach: its experiments.

Every learner of a trial starts from the same parameters, and an update of each costs the same number of Gibbs steps.
"""

import dataclasses
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from boltzcore.comparison.trial import Trial
from boltzcore.comparison.trial_training import train_trial
from boltzcore.comparison.trials import TrialStore
from boltzcore.data.examples import Dataset
from boltzcore.data.mnist import MNISTSmall
from boltzcore.home import folder
from boltzcore.inference.annealing import Annealing
from boltzcore.learners import CD, CSDCP, PCD, SDCP, SSD, CenteredGradient, State
from boltzcore.measures import MeasureContext, log_likelihood
from boltzcore.measures.climb import climb
from boltzcore.models import RBMSetup
from boltzcore.papers.study import Row, Study, left_of, one_update
from boltzcore.ticks import Tick, portion
from boltzcore.training.loop import train
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule
from boltzcore.training.status import Status


def learners(d: int, K_prime: int, rate: float, batch_size: int) -> dict[str, Any]:
    """The five learners that the paper compares, of equal cost: CD, PCD and CG take K = d K' Gibbs steps."""
    K = d * K_prime
    return {
        "CD": CD(rate, batch_size, K=K),
        "PCD": PCD(rate, batch_size, K=K),
        "CG": CenteredGradient(rate, batch_size, K=K),
        "S-DCP": SDCP(rate, batch_size, d=d, K_prime=K_prime),
        "CS-DCP": CSDCP(rate, batch_size, d=d, K_prime=K_prime),
    }


# -- figures 1 and 2: the small sets -----------------------------------------------------------------

SETS = ("shifting-bar", "bars-and-stripes")
RATES = (0.3, 0.5)
EPOCHS = {"paper": (1_000, 5_000, 10_000, 20_000, 30_000, 50_000), "quick": (1_000, 5_000, 10_000)}
TRIALS = {"paper": 25, "few": 8, "quick": 3}
CHAINS = 20  # for each row, where there are more chains than rows
_OF_CHAINS = (1_000, 5_000, 10_000, 20_000)
EPOCHS_OF_CHAINS = {"paper": _OF_CHAINS, "few": _OF_CHAINS, "quick": _OF_CHAINS[:2]}
EVERY = 250  # epochs between two records: how sharply the epoch at 90 % of the climb is known
CURVE = 2  # records between two points of the curve that a figure needs
KEY = "test_log_likelihood"


def small_recipe(data: str, learner: Any, trial: int, epochs: int) -> Recipe:
    """One trial: 4 hidden units, full batches; the trial is the seed."""
    schedule = Schedule(seed=trial, length=epochs, every=EVERY)
    return Recipe(RBMSetup(hidden=4), data, learner, schedule, measures=("log_likelihood",))


Cell = tuple[str, float, str, Any]  # data, rate, name of the learner, learner: a row of the table


def small_cells(sets: Sequence[str], chains_per_row: int = 1) -> list[Cell]:
    """The rows of figures 1 and 2."""
    return [
        (data, rate, name, learner.changed(chains_per_row=chains_per_row))
        for data in sets
        for rate in RATES
        for name, learner in learners(3, 4, rate, 0).items()
    ]


def small_parts(scale: str) -> list[Recipe]:
    """All trainings of figures 1 and 2."""
    return _trials_of(small_cells(SETS), EPOCHS[scale], TRIALS[scale])


def chains_parts(scale: str) -> list[Recipe]:
    """All trainings of figure 1 with more chains."""
    return _trials_of(small_cells(SETS[:1], CHAINS), EPOCHS_OF_CHAINS[scale], TRIALS[scale])


def small_sets(scale: str, tick: Tick, kept: Sequence[Row] = ()) -> Iterator[Row]:
    """The table of figures 1 and 2, with a chain for each row as in the paper; what of it is not kept."""
    yield from _small_rows(small_cells(SETS), EPOCHS[scale], TRIALS[scale], tick, kept)


def many_chains(scale: str, tick: Tick, kept: Sequence[Row] = ()) -> Iterator[Row]:
    """Figure 1 with more chains than the set has rows: its full batch is nine rows. What of it is not kept."""
    yield from _small_rows(small_cells(SETS[:1], CHAINS), EPOCHS_OF_CHAINS[scale], TRIALS[scale], tick, kept)


def _trials_of(cells: Sequence[Cell], epochs: tuple[int, ...], trials: int) -> list[Recipe]:
    return [small_recipe(data, learner, trial, epochs[-1]) for data, _, _, learner in cells for trial in range(trials)]


def _small_rows(
    every: Sequence[Cell], epochs: tuple[int, ...], n_trials: int, tick: Tick, kept: Sequence[Row]
) -> Iterator[Row]:
    """Mean and median exact log-likelihood over the trials of every set, rate and learner, the curve of the mean, and
    the epoch at 90 % of its climb; of those that are not kept.
    """
    store, learners_of = TrialStore(folder("trials")), {cell[:3]: cell[3] for cell in every}
    for (data, rate, name), whole in left_of([*learners_of], ("data", "rate", "learner"), kept, tick):
        curves = []
        for seed in range(n_trials):
            recipe = small_recipe(data, learners_of[data, rate, name], seed, epochs[-1])
            part = portion(whole, seed / n_trials, 1 / n_trials)
            part(0.0)
            trial = store.get(recipe) or Trial(recipe)
            if not trial.ended:
                trial = train_trial(trial, tick=part)
                store.put(trial)
            if trial.status != Status.FINISHED:
                raise RuntimeError(f"The training of {name} on {data} ended early. {trial.reason}")
            curves.append([record.values[KEY] for record in trial.records])
        yield {"data": data, "rate": rate, "learner": name, "trials": n_trials, **_summary(curves, epochs)}


def _summary(curves: list[list[float]], epochs: tuple[int, ...]) -> dict[str, Any]:
    at = [epoch // EVERY for epoch in epochs]
    mean = [statistics.fmean(values) for values in zip(*curves, strict=True)]
    median = [statistics.median(values) for values in zip(*curves, strict=True)]
    reached = climb(mean)
    return {
        "epochs": list(epochs),
        "mean": [mean[i] for i in at],
        "median": [median[i] for i in at],
        "best_mean": max(mean),
        "epoch_at_90_percent": None if reached is None else reached * EVERY,
        "curve_epochs": [EVERY * i for i in range(0, len(mean), CURVE)],
        "curve": mean[::CURVE],
    }


# -- figures 3 to 7: many hidden units ----------------------------------------------------------------

AT = {"paper": (1, 5, 10, 20, 50, 100, 200), "quick": (1, 5, 10), "sample": (1, 5, 20)}  # epochs
HIDDEN = {"paper": 500, "quick": 500, "sample": 100}
TEMPERATURES = {"paper": 10_000, "quick": 10_000, "sample": 2_000}
ANNEALING = Annealing(chains=100)


def large_recipe(learner: Any, data: str = "mnist", **setup: Any) -> Recipe:
    """One training with 500 hidden units; `setup` says how its parameters start."""
    return Recipe(RBMSetup(hidden=500, **setup), data, learner, measures=())


def five(data: str) -> dict[str, Recipe]:
    """Figures 3 and 4: K = 24, d = 6, K' = 4, batches of 200."""
    return {name: large_recipe(learner, data) for name, learner in learners(6, 4, 0.01, 200).items()}


def spectral() -> dict[str, Recipe]:
    """Figure 5: batches of 1,000; SSD takes K = 25, the others 24. The paper gives no rates; SSD's is smaller, as its
    steps are larger.
    """
    return {
        name: large_recipe(learner)
        for name, learner in (learners(6, 4, 0.01, 1000) | {"SSD": SSD(0.003, 1000, K=25)}).items()
    }


def rates() -> dict[str, Recipe]:
    """Figure 6a; of the rates the paper names only the first."""
    return {
        f"{name} {rate:g}": large_recipe(learners(6, 4, rate, 200)[name]) for rate in (0.01, 0.05, 0.1) for name in DCP
    }


def inner_steps() -> dict[str, Recipe]:
    """Figure 6b: d K' = 24."""
    return {
        f"{name} {d} x {24 // d}": large_recipe(learners(d, 24 // d, 0.01, 200)[name])
        for d in (2, 4, 6, 12)
        for name in DCP
    }


def batches() -> dict[str, Recipe]:
    """Figure 7a; the sizes are ours."""
    return {f"S-DCP {size:,}": large_recipe(SDCP(0.01, size)) for size in (100, 200, 500, 1000)}


def starts() -> dict[str, Recipe]:
    """Figure 7b, with the four starts of table 1."""
    settings = [(sigma, bias) for bias in ("zero", "base rate") for sigma in (0.001, 0.01)]
    return {
        f"{name} {sigma:g} {bias}": large_recipe(learners(6, 4, 0.01, 200)[name], sigma=sigma, visible_bias=bias)
        for sigma, bias in settings
        for name in DCP
    }


DCP = ("S-DCP", "CS-DCP")


def large_parts(cells: Mapping[str, Recipe], scale: str) -> list[Recipe]:
    """The trainings in `cells`, as large and as long as they are at a scale."""
    return [
        dataclasses.replace(
            cell,
            model=cell.model.changed(hidden=HIDDEN[scale]),
            data=MNISTSmall() if (scale, cell.data.name) == ("sample", "mnist") else cell.data,
            schedule=Schedule(length=AT[scale][-1]),
        )
        for cell in cells.values()
    ]


def large(cells: Mapping[str, Recipe], scale: str, tick: Tick, kept: Sequence[Row] = ()) -> Iterator[Row]:
    """Seconds of training per epoch and the log-likelihoods that AIS estimates, for each of the trainings in
    `cells`; a training of which rows are kept gives only the others.
    """
    length, done = AT[scale][-1], 0.0
    annealing = ANNEALING.changed(temperatures=TEMPERATURES[scale])
    there = {(row["training"], row["epoch"]) for row in kept}

    def watched(fraction: float = 0.0) -> None:
        tick(done)

    for index, (name, recipe) in enumerate(zip(cells, large_parts(cells, scale), strict=True)):
        left = {epoch for epoch in AT[scale] if (name, epoch) not in there}
        if not left:
            continue
        prepared = PreparedData.from_recipe(recipe, watched)
        # all test rows: the paper's figure is their mean
        rows = dataclasses.replace(prepared.rows, test=prepared.dataset.test.epoch(0, prepared.seed))
        one_update(recipe, prepared)
        for step in train(recipe, prepared=prepared, tick=watched):
            if step.record is not None:
                done = (index + step.record.epoch / length) / len(cells)
                if step.record.epoch in left:
                    yield {"training": name, **_estimated(step.state, step.record.epoch, rows, annealing, watched)}


def _estimated(state: State, epoch: float, rows: Dataset, annealing: Annealing, tick: Tick) -> dict[str, float]:
    found = log_likelihood(state.model, rows, MeasureContext(state.seed, state.count, annealing, tick=tick))
    return {"epoch": int(epoch), "seconds_per_epoch": state.progress.seconds / epoch, **found}


# -- all of them -------------------------------------------------------------------------------------

SOURCE = "Upadhya and Sastry 2017"
SCALES = {
    "paper": "one trial of 200 epochs",
    "quick": "one trial of 10 epochs",
    "sample": "one trial of 20 epochs with 100 hidden units, AIS with 2,000 temperatures; of MNIST the 6,000 digits "
    "that come with the project",
}


def _large_study(title: str, figure: str, reported: str, cells: Callable[[], Mapping[str, Recipe]]) -> Study:
    return Study(
        title=title,
        source=f"{SOURCE}, {figure}",
        reported=reported,
        scales=SCALES,
        rows=lambda scale, tick, kept=(): large(cells(), scale, tick, kept),
        parts=lambda scale: large_parts(cells(), scale),
        computations=(log_likelihood,),
    )


STUDIES = {
    "dcp-small": Study(
        title="S-DCP and CS-DCP against CD, PCD and CG on the two small sets",
        source=f"{SOURCE}, section 4.2.1, figures 1 and 2",
        reported="On Shifting Bar CD and PCD stay near -3.15 at both rates, CG escapes at 0.5, S-DCP and CS-DCP reach "
        "almost the same value at both, and the others need over 30,000 updates for it. On Bars & Stripes CS-DCP, "
        "S-DCP and CG end alike, and CS-DCP is at 90 % about 2,500 epochs before CG.",
        scales={"paper": "25 trials of 50,000 epochs", "quick": "3 trials of 10,000 epochs"},
        rows=small_sets,
        parts=small_parts,
        only_trainings=True,
    ),
    "dcp-chains": Study(
        title="S-DCP and CS-DCP against CD, PCD and CG on Shifting Bar with 20 chains for each row",
        source=f"{SOURCE}, section 4.2.1, figure 1",
        reported="On Shifting Bar S-DCP and CS-DCP reach almost the same value at both rates, and the others need over "
        "30,000 updates for it.",
        scales={
            "paper": "25 trials of 20,000 epochs",
            "few": "8 trials of 20,000 epochs",
            "quick": "3 trials of 5,000 epochs",
        },
        rows=many_chains,
        parts=chains_parts,
        only_trainings=True,
    ),
    "dcp-mnist": _large_study(
        title="S-DCP and CS-DCP against CD, PCD and CG on MNIST with 500 hidden units",
        figure="section 4.2.2, figure 3",
        reported="At rate 0.01 CS-DCP is at 90 % about 100 epochs before CG, and after 200 epochs all end alike.",
        cells=lambda: five("mnist"),
    ),
    "dcp-omniglot": _large_study(
        title="S-DCP and CS-DCP against CD, PCD and CG on OMNIGLOT with 500 hidden units",
        figure="section 4.2.2, figure 4",
        reported="S-DCP and CS-DCP are quickest and end best.",
        cells=lambda: five("omniglot"),
    ),
    "dcp-spectral": _large_study(
        title="SSD against the others with batches of 1,000",
        figure="section 4.2.2, figure 5",
        reported="CS-DCP and SSD perform alike and best, SSD is slightly faster, and it diverges near epoch 250.",
        cells=spectral,
    ),
    "dcp-rates": _large_study(
        title="S-DCP and CS-DCP at several rates",
        figure="section 5.1, figure 6a",
        reported="At rate 0.01 the likelihood rises in most epochs.",
        cells=rates,
    ),
    "dcp-inner-steps": _large_study(
        title="S-DCP and CS-DCP with several d and K' of one cost",
        figure="section 5.2, figure 6b",
        reported="A larger d learns faster; whatever d and K', the same value is reached in the end.",
        cells=inner_steps,
    ),
    "dcp-batches": _large_study(
        title="S-DCP with several batch sizes",
        figure="section 5.3, figure 7a",
        reported="After 200 epochs almost the same value is reached with every size.",
        cells=batches,
    ),
    "dcp-starts": _large_study(
        title="S-DCP and CS-DCP from several starts",
        figure="section 5.4, figure 7b and table 1",
        reported="Both depend little on how weights and biases start.",
        cells=starts,
    ),
}
