"""Presets on images of 28 x 28 pixels, of which 60,000 are fetched once."""

from boltzcore.data.mnist import MNIST
from boltzcore.inference import Annealing
from boltzcore.learners import CD, FrankWolfe
from boltzcore.models import InfiniteRBMSetup, RBMSetup
from boltzcore.runs.presets.preset import Preset
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.schedule import Schedule

PRESETS: dict[str, Preset] = {
    "mnist-units": Preset(
        "size",
        "Which strokes make up a digit?",
        "Units for large digits arrive, two or three a second: first blots as large as a digit, then finer and "
        "finer strokes.",
        "Each unit is found from 10,000 images of 28 × 28 pixels, two or three a second (60,000 images are fetched "
        "once). Watch the newest unit: first come blots as large as a digit, then finer ones; and the fantasy "
        "particles, which turn from dust into strokes.",
        Recipe(
            model=InfiniteRBMSetup(),
            data=MNIST(rows=10_000, binarise="threshold", split="50000/10000/10000"),
            learner=FrankWolfe(correction="none", lambda_=0.05, steps=300, M=100, rate=0.05),
            schedule=Schedule(length=100, unit="updates", every=10, between=10),
            annealing=Annealing(temperatures=10_000, tolerance=0.05),
        ),
    ),
    "mnist": Preset(
        "dream",
        "How good does it get at full size?",
        "500 hidden units and 60,000 handwritten digits, as in the papers. How good it is cannot be computed: it is "
        "estimated, and you see how reliably.",
        "The size of the papers: an exact likelihood is out of reach, so annealing estimates it every half epoch, "
        "with an interval (seconds each; 60,000 images are fetched once). Pin the curve after an epoch or two, "
        "choose S-DCP, of equal cost, and see how far ahead it is after half an epoch.",
        Recipe(
            model=RBMSetup(hidden=500),
            data="mnist",
            learner=CD(rate=0.01, K=24, batch_size=200),
            schedule=Schedule(length=3_000, unit="updates", every=150, between=150),
            annealing=Annealing(temperatures=3000, tolerance=0.05),
        ),
    ),
}
