"""Experiments of Ping and Ihler, Belief Propagation in Conditional RBMs for Structured Prediction.

All methods of a task start from the same parameters and see the same pairs; each predicts with the inference that it
was trained with, and is stopped early by its validation error. Rates come from the paper's set. Noise is drawn once.
"""

import dataclasses
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from boltzcore.data.corruption import Corruption
from boltzcore.learners import (
    LSSVM,
    MSSVM,
    BeliefPropagationMLE,
    CDPercLoss,
    ConditionalCD,
    ConditionalLR,
    MeanFieldMLE,
)
from boltzcore.learners.conditional import inference_of
from boltzcore.measures.merit import merit
from boltzcore.measures.pixels import pixel_errors
from boltzcore.models import CRBMSetup
from boltzcore.papers.study import Cell, Row, Study, images, portions, steps, training_study
from boltzcore.ticks import Tick, portion
from boltzcore.training.prepared import PreparedData
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule

METHODS: dict[str, Any] = {
    "LR": ConditionalLR(),
    "CD-1": ConditionalCD(),
    "CD-10": ConditionalCD(K=10),
    "CD-PercLoss": CDPercLoss(),
    "MLE-MF": MeanFieldMLE(),
    "MLE-BP": BeliefPropagationMLE(),
    "LSSVM": LSSVM(),
    "MSSVM": MSSVM(),
}
LONG = ("LR", "CD-1", "CD-10", "CD-PercLoss")  # methods with the longer training
NOTHING = "nothing done"


@dataclass(frozen=True)
class Task:
    """A corruption of a data set, with the errors that the paper reports.

    everywhere, changed : the paper's errors of each method, in percent of all pixels and of the changed ones
    input_weight : initial weight of each input pixel for its own output pixel, which the paper does not give
    """

    title: str
    data: str
    corruption: Corruption
    everywhere: tuple[float, ...] = ()
    changed: tuple[float, ...] = ()
    input_weight: float = 0.0

    @property
    def name(self) -> str:
        """The name of the task in tables."""
        return f"{self.data}, {self.corruption.title}"

    @property
    def errors(self) -> dict[str, dict[str, float]]:
        """{"all" or "changed": {method: the paper's error}}."""
        given = {"all": self.everywhere, "changed": self.changed}
        return {figure: dict(zip(METHODS, values, strict=True)) for figure, values in given.items()}


_ONCE = Corruption(redrawn="once")


def _patch(size: int, value: int = 0) -> Corruption:
    return _ONCE.changed(kind="patch", size=size, value=value)


TASKS = {
    "crbm-noise-10": Task(
        "Denoising MNIST, 10 % of pixels flipped",
        "mnist",
        _ONCE.changed(rate=0.1),
        (1.960, 1.925, 1.816, 1.760, 1.862, 1.688, 1.807, 1.751),
        (12.531, 12.229, 11.103, 11.121, 11.319, 10.718, 11.565, 11.023),
        4.0,
    ),
    "crbm-noise-20": Task(
        "Denoising MNIST, 20 % of pixels flipped",
        "mnist",
        _ONCE.changed(rate=0.2),
        (4.088, 4.012, 3.995, 3.970, 3.917, 3.691, 3.910, 3.804),
        (12.609, 12.597, 11.271, 10.876, 10.939, 10.409, 11.175, 10.627),
        4.0,
    ),
    "crbm-occlusion-8": Task(
        "Completing MNIST, 8 × 8 patch",
        "mnist",
        _patch(8),
        (1.468, 1.814, 1.707, 1.394, 1.492, 1.329, 1.496, 1.391),
        (61.304, 63.130, 67.925, 45.684, 49.553, 39.785, 44.037, 41.829),
        8.0,
    ),
    "crbm-occlusion-12": Task(
        "Completing MNIST, 12 × 12 patch",
        "mnist",
        _patch(12),
        (3.498, 3.983, 3.921, 3.483, 3.477, 3.117, 3.468, 3.273),
        (53.971, 58.376, 63.237, 35.755, 40.703, 36.233, 39.140, 35.712),
        8.0,
    ),
    "crbm-caltech-noise": Task(
        "Denoising silhouettes, 20 % of pixels flipped",
        "caltech101",
        _ONCE.changed(rate=0.2),
        (5.653, 5.876, 5.736, 5.622, 5.617, 5.445, 5.628, 5.549),
        (11.460, 12.423, 12.013, 10.808, 11.083, 10.731, 11.468, 11.389),
    ),
    "crbm-caltech-occlusion": Task(
        "Completing silhouettes, 12 × 12 patch",
        "caltech101",
        _patch(12, 1),
        (4.771, 5.033, 5.149, 5.081, 4.692, 4.548, 4.703, 4.534),
        (16.587, 20.300, 21.087, 15.102, 15.995, 16.541, 16.014, 14.918),
    ),
}
FROM_0 = dataclasses.replace(
    TASKS["crbm-occlusion-8"], title="Completing MNIST, 8 × 8 patch, from input weights of 0", input_weight=0.0
)
LEVELS = [Task("Completing ever larger patches", "mnist", _patch(size), input_weight=8.0) for size in range(4, 29, 4)]


@dataclass(frozen=True)
class Scale:
    """Size of the experiments.

    about : the epochs, in words
    rows : training images of MNIST, 0 for all; None for the sample that comes with the project
    epochs, long : epochs of learners that need inference, and of the others
    rates : candidate rates, chosen by validation error
    patience : epochs without a new best before a training stops
    search : scale of the shorter trainings that choose the rate; None to choose it at this scale
    """

    about: str
    rows: int | None
    epochs: int
    long: int
    hidden: int = 256
    rates: tuple[float, ...] = (0.05, 0.02, 0.01)
    patience: int = 10
    search: "Scale | None" = None

    def described(self, data: str) -> str:
        """Return the size on a data set, in words."""
        few = f"{self.rows:,} images" if self.rows else "the 6,000 images that come with the project"
        return f"{'all images' if self.rows == 0 or data != 'mnist' else few}, {self.about}"


SEARCH = Scale("10 epochs (30 for CD and LR)", rows=10_000, epochs=10, long=30, patience=4)
HOURS = 5  # hours of a task at the paper's scale, on two cores; CD-10 and MLE-BP alone take half of it
SCALES = {
    "paper": Scale(
        "50 epochs (200 for CD and LR), at the rate that is best after 10 and 30 epochs of 10,000",
        rows=0,
        epochs=50,
        long=200,
        search=SEARCH,
    ),
    "quick": Scale("30 epochs (100 for CD and LR)", rows=10_000, epochs=30, long=100),
    "short": dataclasses.replace(SEARCH, about=f"{SEARCH.about}, rate 0.02", rates=(0.02,)),
    "sample": Scale(
        "32 hidden units, 8 epochs (24 for CD and LR), rate 0.05",
        rows=None,
        epochs=8,
        long=24,
        hidden=32,
        rates=(0.05,),
        patience=5,
    ),
}
FOUR_RATES = dataclasses.replace(
    SCALES["paper"],
    about="50 epochs (200 for CD and LR), best of four rates",
    rates=(0.05, 0.02, 0.01, 0.005),
    search=None,
)


def recipe_of(task: Task, name: str, rate: float, scale: Scale) -> Recipe:
    """Return a training by a method, measured every epoch. Hidden biases start at 0, as the paper gives none."""
    return Recipe(
        CRBMSetup(hidden=scale.hidden, hidden_bias=0.0, input_weight=task.input_weight),
        images(task.data, scale.rows),
        METHODS[name].changed(rate=rate),
        Schedule(length=scale.long if name in LONG else scale.epochs, patience=scale.patience),
        corruption=task.corruption,
    )


def best_of(task: Task, name: str, scale: Scale, tick: Tick) -> Row:
    """Return the outcome of a method's training at the rate with the least validation error."""
    first = scale.search or scale
    tried = [
        {"rate": rate, **train_best(recipe_of(task, name, rate, first), part)}
        for rate, part in portions(scale.rates, portion(tick, 0.0, 0.3 if scale.search else 1.0))
    ]
    best = min(tried, key=lambda row: row["validation_all"])
    if scale.search is None:
        return best
    return {"rate": best["rate"], **train_best(recipe_of(task, name, best["rate"], scale), portion(tick, 0.3, 0.7))}


def input_errors(task: Task, scale: Scale) -> Row:
    """Return the errors of the uncorrected inputs, in percent."""
    clean = images(task.data, scale.rows).load().corrupted(task.corruption).test.epoch(0, 0)
    errors = pixel_errors(clean.v, clean.x, clean.x)
    return {"all": 100 * errors.all, "changed": 100 * errors.changed}


def train_best(recipe: Recipe, tick: Tick) -> dict[str, Any]:
    """Return the test errors of the model with the least validation error in a training, and its epoch."""
    best, lowest, shares = None, math.inf, []
    for state, record in steps(recipe, tick):
        error = -(merit(record.values, recipe.entry.merit) or 0.0)
        if record.count:
            shares.append(record.values.get("converged"))
            if error < lowest:
                best, best_epoch, lowest = state, record.epoch, error
    assert best is not None
    test = PreparedData.from_recipe(recipe).dataset.test.epoch(0, recipe.schedule.seed)
    beliefs = inference_of(recipe.learner, best_epoch).infer(best.model, test.x, tick=portion(tick, 1.0, 0.0))
    errors = pixel_errors(test.v, test.x, beliefs.v > 0.5)  # type: ignore[arg-type]
    return {
        "all": 100 * errors.all,
        "changed": 100 * errors.changed,
        "validation_all": 100 * lowest,
        "epoch": best_epoch,
        "epochs": record.epoch,
        "seconds_per_epoch": record.seconds / record.epoch,
        "converged": None if shares[0] is None else [round(100 * part, 1) for part in shares if part is not None],
    }


def table_study(
    tasks: Sequence[Task], methods: Sequence[str] = tuple(METHODS), sizes: Mapping[str, Scale] = SCALES
) -> Study:
    """Return a study of tasks with one title: the test errors in percent of each method's best model, with its epoch,
    seconds and convergence.
    """
    of = {task.name: task for task in tasks}

    def make(scale: str, cells: Sequence[Cell], tick: Tick) -> Iterator[Row]:
        chosen = sizes[scale]
        for (task, name), part in portions(cells, tick):
            yield input_errors(of[task], chosen) if name == NOTHING else best_of(of[task], name, chosen, part)

    def parts(scale: str) -> list[Recipe]:
        chosen = sizes[scale]
        return [
            recipe_of(task, name, rate, each)
            for task in tasks
            for name in methods
            for each in dict.fromkeys((chosen.search or chosen, chosen))
            for rate in chosen.rates
        ]

    return Study(
        title=tasks[0].title,
        source=f"Ping and Ihler, section 6, {'tables 1 to 3 and figure 4' if len(tasks) == 1 else 'figure 3'}",
        scales={name: scale.described(tasks[0].data) for name, scale in sizes.items()},
        names=("task", "method"),
        cells=lambda scale: [(task, name) for task in of for name in (NOTHING, *methods)],
        make=make,
        parts=parts,
        full={"paper": f"{'three rates of four and ' * bool(sizes['paper'].search)}one size of batches of five"},
        theirs="all images, 50 epochs (200 for CD)",
        cost=f"some {HOURS * len(tasks) * (1 if len(methods) > 2 else 0.5):.0f} hours on two cores",
    )


# -- studies of what the paper leaves open --------------------------------------------------------------

HEAVY = {"flip": 4.0, "patch": 8.0}  # input weights at the start with which outputs begin near their inputs
PAIR = {"MLE-BP": 0.05, "MSSVM": 0.02}  # the rates chosen by the validation errors of table 1
PAIR_SCALES = {"paper": ("quick", 8, 20), "quick": ("sample", 2, 2)}  # {scale: (scale of the tables, seeds, epochs)}
CONVERGENCE: list[Cell] = [(0.02, 1e-2, 8.0), (0.005, 1e-3, 8.0), (0.02, 1e-3, 0.0)]
CONVERGENCE_SCALES = {"paper": ("paper", 4), "quick": ("sample", 2)}  # {scale: (scale of the tables, epochs)}


def start_recipe(scale: str, name: str, weight: float) -> Recipe:
    """Return a training of logistic regression from an input weight."""
    task, size = dataclasses.replace(TASKS[name], input_weight=weight), "sample" if scale == "quick" else scale
    return recipe_of(task, "LR", 0.01, SCALES[size])


def paired_recipe(scale: str, seed: int, method: str) -> Recipe:
    """Return one training of a pair; its seed sets the start, the noise and the order of the images."""
    of, _, epochs = PAIR_SCALES[scale]
    whole = recipe_of(TASKS["crbm-noise-10"], method, PAIR[method], SCALES[of])
    return dataclasses.replace(whole, schedule=whole.schedule.changed(length=epochs, seed=seed))


def convergence_recipe(scale: str, rate: float, tolerance: float, weight: float) -> Recipe:
    """Return a training of MLE-BP with a patch of 8 × 8 and no measurements."""
    of, epochs = CONVERGENCE_SCALES[scale]
    whole = recipe_of(dataclasses.replace(TASKS["crbm-occlusion-8"], input_weight=weight), "MLE-BP", rate, SCALES[of])
    return dataclasses.replace(
        whole,
        learner=whole.learner.changed(tolerance=tolerance),
        schedule=whole.schedule.changed(length=epochs, patience=0),
        measures=(),
    )


def measure_convergence(recipe: Recipe, tick: Tick) -> Row:
    """Return the percentage of images on which BP converged, for each epoch."""
    shares = [record.values["converged"] for _, record in steps(recipe, tick) if record.count]
    return {"converged": [round(100 * share, 1) for share in shares]}


STUDIES: Mapping[str, Study] = {
    **{
        name: table_study([task], sizes=SCALES if task.data == "mnist" else SCALES | {"paper": FOUR_RATES})
        for name, task in TASKS.items()
    },
    "crbm-occlusion-8-from-0": table_study([FROM_0]),
    "crbm-sizes": table_study(LEVELS, ("CD-10", "MLE-BP")),
    "crbm-starts": training_study(
        start_recipe,
        lambda scale: [(name, weight) for name, task in TASKS.items() for weight in (0.0, HEAVY[task.corruption.kind])],
        train_best,
        title="Logistic regression at rate 0.01 by its input weight at the start",
        source="Ping and Ihler, section 6, tables 1 to 3",
        scales={"paper": "all images, at most 200 epochs", "quick": "at most 24 epochs; of MNIST 6,000 images"},
        names=("study", "input_weight"),
    ),
    "crbm-seeds": training_study(
        paired_recipe,
        lambda scale: list(product(range(PAIR_SCALES[scale][1]), PAIR)),
        train_best,
        title="MLE-BP against MSSVM in same-seed pairs, 10 % of pixels flipped",
        source="Ping and Ihler, section 6, table 1",
        scales={
            "paper": "8 seeds, 10,000 images (the paper 50,000), at most 20 epochs",
            "quick": "2 seeds, the 6,000 images that come with the project, 32 hidden units, 2 epochs",
        },
        names=("seed", "method"),
    ),
    "crbm-convergence": training_study(
        convergence_recipe,
        lambda scale: CONVERGENCE,
        measure_convergence,
        title="Convergence of BP in training by the tolerance, the rate and the input weight at the start",
        source="Ping and Ihler, section 6, figure 4",
        scales={
            "paper": "50,000 images, 4 of the 50 epochs",
            "quick": "the 6,000 images that come with the project, 32 hidden units, 2 epochs",
        },
        names=("rate", "tolerance", "input_weight"),
    ),
}
