"""Gray images as 0/1 rows: drawn anew each epoch, drawn once, or cut at a threshold."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Examples
from boltzcore.data.source import Source
from boltzcore.kernels import random as streams
from boltzcore.parameters import parameter


@dataclass(frozen=True)
class Gray(Source):
    """A data set of gray images and how they become 0/1."""

    binarise: str = parameter(
        "each epoch",
        choices=("each epoch", "once", "threshold"),
        help="How grey v (0..255) becomes 0/1: on with probability v/255, anew each epoch or once (seed 0, epoch 0), "
        "or on where v > threshold.",
    )
    threshold: int = parameter(
        127, low=0, high=254, help="Grey above which a pixel is on, where binarise is threshold."
    )

    def _examples(self, *splits: NDArray[np.uint8]) -> list[Examples]:
        """Splits of (n, n_visible) gray 0..255 as Examples."""
        if self.binarise == "each epoch":
            return [Examples(split, levels=256) for split in splits]
        if self.binarise == "threshold":
            return [Examples((split > self.threshold).view(np.uint8)) for split in splits]
        # One draw over all splits: each row has a stream of its own.
        drawn = streams.binarise(np.concatenate(splits), 0, 0)
        return [Examples(part) for part in np.split(drawn, np.cumsum([len(split) for split in splits])[:-1])]
