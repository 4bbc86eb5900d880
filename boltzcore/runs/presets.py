"""Trainings worth watching first, each with what to look for."""

from dataclasses import dataclass

from boltzcore.learners import CD, PCD
from boltzcore.models import RBMSetup
from boltzcore.runs.recipe import Recipe, Schedule


@dataclass(frozen=True)
class Preset:
    """A recipe with a title and one sentence on what to look for."""

    title: str
    look_for: str
    recipe: Recipe


PRESETS: dict[str, Preset] = {
    "real-digits": Preset(
        "Real digits",
        "Watch the test curve climb away from the base rate while strokes appear in the receptive fields and the fantasy particles turn into digits.",
        Recipe(model=RBMSetup(hidden=20), data="digits", learner=PCD(rate=0.02, K=5), schedule=Schedule(length=1000, every=2)),
    ),
    "too-fast": Preset(
        "Too fast",
        "A learning rate 25 times too high and a single Gibbs step: the curve climbs, then falls under the base rate, and the training pauses itself.",
        Recipe(model=RBMSetup(hidden=20), data="digits", learner=PCD(rate=0.5), schedule=Schedule(length=60)),
    ),
    "bars-and-stripes": Preset(
        "Bars & Stripes, as in the paper",
        "Four hidden units, 50,000 epochs in about a second: the curve peaks early, then falls as the weights grow, and never comes near the upper bound.",
        Recipe(
            model=RBMSetup(hidden=4),
            data="bars-and-stripes",
            learner=CD(rate=0.3, K=12, batch_size=0),
            schedule=Schedule(length=50_000, every=100),
        ),
    ),
    "mnist": Preset(
        "MNIST, 500 hidden units",
        "The size of the papers (60,000 images, fetched once where they are not at hand): too large for an exact likelihood, so the free-energy gap is shown.",
        Recipe(
            model=RBMSetup(hidden=500), data="mnist", learner=CD(rate=0.01, K=24, batch_size=200), schedule=Schedule(length=15_000, unit="updates", every=50)
        ),
    ),
}
