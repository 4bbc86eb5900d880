"""Drawn patterns: a few small images that are stored in the recipe itself."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from boltzcore.data.examples import Dataset, Examples
from boltzcore.data.source import Source
from boltzcore.parameters import parameter
from boltzcore.quoting import Refusal
from boltzcore.ticks import Tick

MOST_PATTERNS = 20
SIDES = 4, 8, 16
RING, CROSS, ARROW = "3c7ee7c3c3e77e3c", "181818ffff181818", "183c7eff18181818"  # two hexadecimal digits are 8 pixels


@dataclass(frozen=True)
class Patterns(Source):
    """Up to 20 drawn images of 4 × 4, 8 × 8 or 16 × 16 pixels; training and test rows are the patterns themselves.

    >>> from boltzcore.data import load
    >>> load("patterns", bits="00ff00ff00ff00ff").train.v.reshape(8, 8)[:, 0].tolist()
    [0, 1, 0, 1, 0, 1, 0, 1]
    """

    name: ClassVar[str] = "patterns"
    title: ClassVar[str] = "Your patterns"
    about: ClassVar[str] = (
        f"Up to {MOST_PATTERNS} images of 4 × 4, 8 × 8 or 16 × 16 pixels, drawn by hand and kept in the link. Test "
        "rows are the training rows."
    )

    side: int = parameter(8, low=SIDES[0], high=SIDES[-1], help="Width and height of the patterns: 4, 8 or 16 pixels.")
    bits: str = parameter(
        RING + CROSS + ARROW,
        pattern=f"([0-9a-f]{{4}}){{1,{MOST_PATTERNS * SIDES[-1] ** 2 // 16}}}",
        help="Pixels in hexadecimal, four to a digit, line by line, pattern after pattern: 4 digits are a pattern of "
        "4 × 4, 16 digits one of 8 × 8, 64 digits one of 16 × 16.",
        label="Pixels",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.side not in SIDES:
            raise Refusal(f"side must be 4, 8 or 16, not {self.side}.", "side")
        digits = self.side**2 // 4
        if len(self.bits) % digits or len(self.bits) > MOST_PATTERNS * digits:
            raise Refusal(
                f"bits must be 1 to {MOST_PATTERNS} patterns of {digits} digits for side = {self.side}, not "
                f"{len(self.bits):,} digits.",
                "bits",
            )

    def _load(self, tick: Tick) -> Dataset:
        v = np.unpackbits(np.frombuffer(bytes.fromhex(self.bits), np.uint8)).reshape(-1, self.side**2)
        rows = Examples(v)
        return Dataset(rows, None, rows, shape=(self.side, self.side))


def hex_of(pixels: NDArray) -> str:
    """Return the pixels of an image, 0 or 1, in the format of `Patterns.bits`."""
    return np.packbits(pixels).tobytes().hex()
