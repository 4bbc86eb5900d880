"""The smallest Boltzmann machine that shows everything: three units, with all states enumerated."""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from boltzcore.quoting import number

UNITS = 3
STATES = tuple(product((0, 1), repeat=UNITS))  # in the order of binary numbers
PAIRS = tuple(combinations(range(UNITS), 2))
# Of a drawing: where units are, the numbers of pairs and of units, and colours on a light and on a dark ground.
_CORNERS, _BESIDE = ((60, 24), (20, 92), (100, 92)), ((24, 56), (96, 56), (60, 106))
_BIASES = ((90, 28), (20, 120), (100, 120))
_STYLE = (
    "text{font:10px sans-serif;text-anchor:middle;fill:#14171b}circle{fill:#faf9f5;stroke:#14171b}"
    "path{stroke:#3a93d8}rect{fill:#3a93d8}@media (prefers-color-scheme:dark)"
    "{text{fill:#f2f0ea}circle{fill:#14171b;stroke:#f2f0ea}}"
)


@dataclass(frozen=True)
class ThreeUnits:
    """E(x) = -sum_i b_i x_i - sum_{i<j} w_ij x_i x_j over x in {0, 1}^3; p(x) = exp(-E(x)) / Z.

    b : a bias for each unit; w : a coupling for each of `PAIRS`
    """

    b: tuple[float, ...] = (0.0, 0.0, 0.0)
    w: tuple[float, ...] = (0.0, 0.0, 0.0)

    @cached_property
    def energies(self) -> NDArray[np.float64]:
        """Energies of `STATES`, in their order."""
        x = np.array(STATES, float)
        return -x @ np.array(self.b) - np.stack([x[:, i] * x[:, j] for i, j in PAIRS], axis=1) @ np.array(self.w)

    @cached_property
    def probabilities(self) -> NDArray[np.float64]:
        """Probabilities of `STATES`, in their order."""
        shares: NDArray[np.float64] = np.exp(self.energies.min() - self.energies)
        return shares / shares.sum()

    def unnormalised(self, state: int) -> float:
        """Return exp(-E), the unnormalised probability, of the state of this number in `STATES`."""
        return float(np.exp(-self.energies[state]))

    def drawing(self, column: str) -> str:
        """Return the units with their biases and couplings, and a bar for each state, as SVG.

        column : "energy", "unnormalised" or "probability", which the bars show
        """
        shown = self.energies if column == "energy" else np.exp(-self.energies)
        shown = self.probabilities if column == "probability" else shown
        longest, zero = (45, 225) if (shown < 0).any() else (90, 180)
        parts = []

        def write(x: float, y: float, text: object) -> None:
            parts.append(f'<text x="{x}" y="{y}">{text}</text>')

        for (i, j), w, (x, y) in zip(PAIRS, self.w, _BESIDE, strict=True):
            (x1, y1), (x2, y2) = _CORNERS[i], _CORNERS[j]
            dash = ' stroke-dasharray="5 4"' * (w < 0)
            parts.append(f'<path d="M{x1} {y1}L{x2} {y2}" stroke-width="{0.5 + 1.5 * abs(w):.2f}"{dash}/>')
            write(x, y, number(w, ".1f") if w else "")
        for unit, ((x, y), (beside, below), b) in enumerate(zip(_CORNERS, _BIASES, self.b, strict=True), 1):
            parts.append(f'<circle cx="{x}" cy="{y}" r="15"/>')
            write(x, y + 4, unit)
            write(beside, below, number(b, ".1f"))
        for row, (state, value) in enumerate(zip(STATES, shown, strict=True)):
            y, width = 16 + 14 * row, longest * abs(value) / max(abs(shown).max(), 1e-9)
            write(155, y, "".join(map(str, state)))
            write(305, y, number(value, ".2f"))
            parts.append(f'<rect x="{zero - width * (value < 0):.1f}" y="{y - 9}" width="{width:.1f}" height="10"/>')
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 330 130"><style>{_STYLE}</style>'
        return f"{head}{''.join(parts)}</svg>"
