"""Samples of any RBM by exchanges with earlier models of its training (Bereux et al. 2024), and its log Z."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from boltzcore.inference.samples import LEAST as RELIABLE
from boltzcore.inference.samples import Samples
from boltzcore.learners.tempering.base import estimate
from boltzcore.learners.tempering.trajectory import TRAIN, Trajectory, TrajectoryTempering
from boltzcore.models import RBM
from boltzcore.parameters import whole
from boltzcore.ticks import Tick, idle

CHAINS = 100
LEAST = 1e-4  # least step along the way, as a fraction of it: exchanges that fail over shorter steps always fail


def sample_along(
    models: Sequence[RBM], n: int = 1000, *, mean: ArrayLike | None = None, seed: int = 0, tick: Tick = idle
) -> Samples:
    """Draw n samples of the last of several models of one training, from early to late.

    The way leads from independent pixels through the models, with models in between if exchanges would be refused; of
    one model it is straight. Chains mix at each rung, as their autocorrelation shows; rows n, n + 100, n + 200, ... are
    of one chain, two autocorrelation times apart. log Z is by Bennett's ratio from rung to rung. The effective sample
    size follows from the autocorrelation of the free energy along each chain.

    Parameters
    ----------
    models : sequence of RBM
    n : int
    mean : array (n_visible,), optional
        Means of the independent pixels, such as those of the training rows; halves by default.
    seed : int
    tick : Tick

    Raises
    ------
    ValueError
        If models differ in size, `mean` is not of means, n is not from 1 to 10,000, or exchanges fail on the way, which
        then needs more models of the training.

    >>> import numpy as np
    >>> from boltzcore.learners import sample_along
    >>> from boltzcore.models import RBM
    >>> two_modes = RBM(np.full((12, 4), 4.0), np.full(12, -8.0), np.full(4, -24.0))
    >>> bool(0.3 < sample_along([two_modes]).v.mean() < 0.7)  # in both of them
    True
    """
    n = whole("n", n, 1, 100 * CHAINS)
    shapes = {model.W.shape for model in models}
    if len(shapes) != 1:
        raise ValueError(f"models must be at least one, all of one size; their weights have shapes {sorted(shapes)}.")
    last = models[-1]
    p = np.full(last.n_visible, 0.5) if mean is None else np.asarray(mean, np.float64)
    if p.shape != (last.n_visible,) or not ((p >= 0) & (p <= 1)).all():
        raise ValueError(f"mean must be {last.n_visible} numbers from 0 to 1.")
    learner = TrajectoryTempering(chains=CHAINS, reservoir=-(-n // CHAINS))
    trajectory = Trajectory(learner, learner.start_from_means(last, p, seed), way=models)
    at = trajectory.position
    while at.phase != TRAIN:
        trajectory.update(lambda fraction: tick(at.reached))
        if at.stride < LEAST:
            raise ValueError(
                f"Exchanges fail at {at.reached:.0%} of the way to the model: put earlier models of its training in "
                "front of it."
            )
    rung = trajectory.exchanges.rung
    energy = last.free_energy(rung.samples).reshape(-1, CHAINS)  # samples of a chain, one below the other
    about, rho = energy - energy.mean(), 0.0
    if len(about) > 1 and about.any():
        rho = max(0.0, float((about[1:] * about[:-1]).mean() / (about**2).mean()))
    effective, log_z = n * (1 - rho) / (1 + rho), estimate(rung.log_z, rung.influence)
    return Samples(rung.samples[:n].copy(), effective, False, effective >= RELIABLE * n, log_z)
