"""Samples of any RBM by exchanges with earlier models of its training (Bereux et al. 2024), and its log Z."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from boltzcore.inference.samples import LEAST as RELIABLE
from boltzcore.inference.samples import Samples
from boltzcore.learners.tempering.base import estimate
from boltzcore.learners.tempering.phases import TRAIN, Trajectory
from boltzcore.learners.tempering.trajectory import TrajectoryTempering
from boltzcore.models import RBM
from boltzcore.parameters import whole
from boltzcore.ticks import Tick, idle

CHAINS = 100
LEAST = 1e-4  # of the way: where exchanges fail over shorter steps than this, the way is no good


def sample_along(
    models: Sequence[RBM], n: int = 1000, *, mean: ArrayLike | None = None, seed: int = 0, tick: Tick = idle
) -> Samples:
    """Draw n samples of the last of some models of one training, from early to late.

    The way leads from independent pixels through the models, and where exchanges would be refused through models in
    between; of one model it is straight. That chains mix at each rung is checked by their autocorrelation; rows n,
    n + 100, n + 200, ... are of one chain, two autocorrelation times apart. log Z is by Bennett's ratio from rung to
    rung. How many rows count follows from the autocorrelation of the free energy along each chain.
    mean : (n_visible,) how often each pixel of the hottest chains is on, such as in the training rows; None for halves
    Raises ValueError for models of different sizes, a mean that is none, n out of 1 to 10,000, or a way on which
    exchanges fail: then more models of the training are wanted.

    >>> import numpy as np
    >>> from boltzcore.learners import sample_along
    >>> from boltzcore.models import RBM
    >>> two_modes = RBM(np.full((12, 4), 4.0), np.full(12, -8.0), np.full(4, -24.0))
    >>> bool(0.3 < sample_along([two_modes]).v.mean() < 0.7)  # in both of them
    True
    """
    n = whole("n", n, 1, 100 * CHAINS)
    if not models:
        raise ValueError("models must be at least one.")
    last = models[-1]
    for each in models:
        if each.W.shape != last.W.shape:
            raise ValueError(f"models must be of one size; there are {each.W.shape} and {last.W.shape} weights.")
    p = np.full(last.n_visible, 0.5) if mean is None else np.asarray(mean, np.float64)
    if p.shape != (last.n_visible,) or not ((p >= 0) & (p <= 1)).all():
        raise ValueError(f"mean must be {last.n_visible} numbers from 0 to 1.")
    learner = TrajectoryTempering(chains=CHAINS, reservoir=-(-n // CHAINS))
    going_on = Trajectory(learner, learner.begun(last, p, seed), None, way=models)
    update = 0

    def of_the_way(fraction: float = 0.0) -> None:
        tick(going_on.reached)

    while going_on.phase != TRAIN:
        going_on.update(update, of_the_way)
        update += 1
        if going_on.stride < LEAST:
            raise ValueError(
                f"Exchanges fail at {going_on.reached:.0%} of the way to the model: put earlier models of its training "
                "in front of it."
            )
    energy = last.free_energy(going_on.samples).reshape(-1, CHAINS)  # samples of a chain, one below the other
    about = energy - energy.mean()
    alike = (
        max(0.0, float((about[1:] * about[:-1]).mean() / (about**2).mean())) if len(about) > 1 and about.any() else 0.0
    )
    effective, log_z = n * (1 - alike) / (1 + alike), estimate(going_on.log_z, going_on.influence)
    return Samples(going_on.samples[:n].copy(), effective, False, effective >= RELIABLE * n, log_z)
