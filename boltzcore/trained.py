"""Trained models that come with the project, small files in `assets/`.

Each conditional one was made by this command, with its own name and options:

    python -m boltzcore train --model crbm --learner BeliefPropagationMLE --data mnist \\
        --set split=50000/10000/10000 --set binarise=threshold --set hidden=256 --set hidden_bias=0 \\
        --patience 5 --half --out assets/NAME.npz OPTIONS

noise-10
    --set corruption.rate=0.1 --set rate=0.05 --set input_weight=0 --epochs 12
noise-20
    --set corruption.rate=0.2 --set rate=0.1 --epochs 6 --change 10000:rate:0.03 --change 12500:rate:0.01
occlusion-8
    --set corruption.kind=patch --set corruption.size=8 --set rate=0.1 --epochs 10 \\
        --change 15000:rate:0.03 --change 20000:rate:0.01
occlusion-12
    --set corruption.kind=patch --set corruption.size=12 --set rate=0.1 --epochs 7 \\
        --change 12500:rate:0.03 --change 15000:rate:0.01

The plain one, rbm, was made by

    python -m boltzcore train --model rbm --learner CSDCP --data mnist --set binarise=threshold \\
        --set hidden=256 --set rate=0.05 --set batch_size=200 --epochs 15 --every 15 --half --out assets/rbm.npz
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

from boltzcore.data.corruption import Corruption
from boltzcore.home import asset
from boltzcore.inference import Inference
from boltzcore.models import load
from boltzcore.models.base import Model

SHAPE = (28, 28)


@dataclass(frozen=True)
class Trained:
    """A model that comes with the project.

    title, about : a few words, and a sentence
    corruption : the corruption that it was trained on; None for a plain RBM, which completes instead
    inference : the inference in its training, at its best epoch
    """

    name: str
    title: str
    about: str
    corruption: Corruption | None
    inference: Inference

    def model(self) -> Any:
        """The model itself, a CRBM or an RBM, read once."""
        return _read(self.name)


@cache
def _read(name: str) -> Model:
    return load(asset(f"{name}.npz"))


def _conditional(name: str, title: str, corruption: Corruption, iterations: int) -> Trained:
    about = (
        "A conditional RBM with 256 hidden units, trained on 50,000 handwritten digits to undo this damage: "
        f"{corruption.title}."
    )
    return Trained(name, title, about, corruption, Inference(iterations=iterations))


TRAINED: dict[str, Trained] = {
    trained.name: trained
    for trained in (
        _conditional("noise-10", "Noise, a tenth flipped", Corruption(rate=0.1), 19),
        _conditional("noise-20", "Noise, a fifth flipped", Corruption(rate=0.2), 13),
        _conditional("occlusion-8", "Occlusion, 8 × 8", Corruption(kind="patch", size=8), 17),
        _conditional("occlusion-12", "Occlusion, 12 × 12", Corruption(kind="patch", size=12), 14),
        Trained(
            "rbm",
            "Plain RBM",
            "A plain RBM with 256 hidden units, trained on 60,000 digits. It has not seen damaged digits: pixels known "
            "to be lost are resampled.",
            None,
            Inference(),
        ),
    )
}
