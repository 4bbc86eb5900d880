"""Training and annealing RBMs, against float32 numpy."""

import itertools

import numpy as np
from numpy.typing import NDArray

from boltzcore.bench.rows import Row, Work
from boltzcore.data import load
from boltzcore.data.examples import Examples
from boltzcore.inference import annealed_importance_sampling
from boltzcore.inference.gibbs import machine_of
from boltzcore.learners import CD, TemperedPCD
from boltzcore.learners.tempering.exchanges import FAMILIES, Exchanges, Populations, Rung, free_energies
from boltzcore.learners.tempering.parallel import Rungs
from boltzcore.models import RBM, RBMSetup
from boltzcore.models.rbm import base_rate_odds
from boltzcore.ticks import idle

SWEEPS = 10  # sweeps of exchanges that are timed


def sigmoid(x: NDArray) -> NDArray:
    """Return 1 / (1 + e**-x) in the precision of x."""
    one = np.float32(1)
    return one / (one + np.exp(-x))


def _numpy_cd(model: RBM, batches: list[NDArray[np.float32]], K: int, rate: float) -> None:
    """Run CD-K in float32 numpy, with BLAS products."""
    rng = np.random.default_rng(0)
    W, b, c, step = model.W.copy(), model.b.copy(), model.c.copy(), np.float32(rate)
    for v in batches:
        n = np.float32(len(v))
        first = last = sigmoid(v @ W + c)
        x = v
        for _ in range(K):
            h = (rng.random(last.shape, dtype=np.float32) < last).astype(np.float32)
            x = (rng.random(v.shape, dtype=np.float32) < sigmoid(h @ W.T + b)).astype(np.float32)
            last = sigmoid(x @ W + c)
        W += step / n * (v.T @ first - x.T @ last)
        b += step * (v.mean(axis=0) - x.mean(axis=0))
        c += step * (first.mean(axis=0) - last.mean(axis=0))


def _softplus(x: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the sum of log(1 + e**x) over the columns, (n,)."""
    return (np.maximum(x, np.float32(0)) + np.log1p(np.exp(-np.abs(x)))).sum(axis=1)


def _numpy_ais(model: RBM, base: NDArray[np.float32], betas: NDArray[np.float32], chains: int) -> NDArray[np.float64]:
    """Return log weights of annealed importance sampling in float32 numpy: two BLAS products at each temperature, with
    fields used twice.
    """
    rng = np.random.default_rng(0)
    W, b, c, drift = model.W, model.b, model.c, model.b - base
    WT = np.ascontiguousarray(W.T)
    v = (rng.random((chains, len(b)), dtype=np.float32) < sigmoid(base)).astype(np.float32)
    field, log_weights = v @ W + c, np.zeros(chains)
    for before, beta in itertools.pairwise(betas):
        scaled = beta * field
        log_weights += (beta - before) * (v @ drift) + _softplus(scaled) - _softplus(before * field)
        h = (rng.random(field.shape, dtype=np.float32) < sigmoid(scaled)).astype(np.float32)
        p = sigmoid(beta * (h @ WT) + (beta * b + (1 - beta) * base))
        v = (rng.random(v.shape, dtype=np.float32) < p).astype(np.float32)
        field = v @ W + c
    return log_weights


def make_blots(n: int, seed: int = 0) -> NDArray[np.uint8]:
    """Return images (n, 784) as sparse as MNIST's (13 % on), of two thick strokes: speed needs no real digits."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:28, 0:28]
    images = np.zeros((n, 28, 28), bool)
    for image in images:
        for _ in range(2):
            (y0, x0), (dy, dx) = rng.uniform(8, 20, 2), rng.normal(size=2)
            along, across = (y - y0) * dy + (x - x0) * dx, (y - y0) * dx - (x - x0) * dy
            length = np.hypot(dy, dx)
            image |= (np.abs(along) < 8.5 * length) & (np.abs(across) < 1.9 * length)
    return images.reshape(n, 784).astype(np.uint8)


def _large(K: int, batches: int) -> tuple[Work, Work]:
    v = make_blots(200 * batches)
    learner = CD(rate=0.01, K=K, batch_size=200)
    data = Examples(v)
    model = RBMSetup(hidden=500).initial(data, seed=0)
    state = learner.start(model, data, seed=0)
    floats = [v[i : i + 200].astype(np.float32) for i in range(0, len(v), 200)]
    return lambda: learner.advance(state, data, updates=batches), lambda: _numpy_cd(model, floats, K, 0.01)


def _annealing() -> tuple[Work, Work]:
    chains, temperatures = 100, 500
    model = _train(300)
    base = base_rate_odds(Examples(make_blots(2000)).mean()).astype(np.float32)
    betas = np.linspace(0, 1, temperatures, dtype=np.float32)
    return lambda: annealed_importance_sampling(
        model, chains=chains, temperatures=betas, base=base
    ), lambda: _numpy_ais(model, base, betas, chains)


def _bars_and_stripes() -> tuple[Work, Work]:
    epochs, part = 50_000, 2_500
    data = load("bars-and-stripes", D=3).train
    learner = CD(rate=0.3, K=12, batch_size=0)
    model = RBMSetup(hidden=4).initial(data, seed=0)
    state = learner.start(model, data, seed=0)
    batch = data.v.astype(np.float32)
    # numpy's loop costs the same in every epoch: a twentieth of it is timed and counted twenty times
    return lambda: learner.advance(state, data, updates=epochs), lambda: _numpy_cd(model, [batch] * part, 12, 0.3)


def _train(updates: int) -> RBM:
    """Return an RBM of 784 x 500 in early training, with a third of its hidden units on for a row of the data."""
    data, learner = Examples(make_blots(2000)), CD(rate=0.1, K=1, batch_size=50)
    start = learner.start(RBMSetup(hidden=500).initial(data, seed=0), data, seed=0)
    return learner.advance(start, data, updates=updates).model


def _numpy_exchange(model: RBM, last: RBM, chains: NDArray[np.float32], samples: NDArray[np.float32], n: int) -> None:
    """Run sweeps of parallel trajectory tempering in float32 numpy: exchanges with samples, then a Gibbs step."""
    rng, x, y = np.random.default_rng(0), chains.copy(), samples.copy()
    WT = np.ascontiguousarray(model.W.T)

    def free_energy(of: RBM, v: NDArray[np.float32]) -> NDArray[np.float32]:
        energy: NDArray[np.float32] = -(v @ of.b) - _softplus(v @ of.W + of.c)
        return energy

    y_last, field = free_energy(last, y), x @ model.W + model.c
    for _ in range(n):
        chosen = rng.permutation(len(y))[: len(x)]
        other = y[chosen] @ model.W + model.c
        x_last = free_energy(last, x)
        x_now, y_now = -(x @ model.b) - _softplus(field), -(y[chosen] @ model.b) - _softplus(other)
        accepted = np.log(rng.random(len(x), dtype=np.float32)) < (x_now - x_last) - (y_now - y_last[chosen])
        given, to = x[accepted].copy(), chosen[accepted]
        x[accepted], field[accepted] = y[to], other[accepted]
        y[to], y_last[to] = given, x_last[accepted]
        h = (rng.random(field.shape, dtype=np.float32) < sigmoid(field)).astype(np.float32)
        x = (rng.random(x.shape, dtype=np.float32) < sigmoid(h @ WT + model.b)).astype(np.float32)
        field = x @ model.W + model.c


def _exchange() -> tuple[Work, Work]:
    last, model = _train(290), _train(300)
    v = make_blots(1100)
    chains, samples = v[:100], v[100:]
    energies = free_energies(machine_of(last), samples)
    populations = Populations(chains.copy(), np.zeros(len(chains)), samples.copy(), energies.copy())
    ours = Exchanges(populations, Rung(last, samples, energies, 0.0, np.zeros(FAMILIES)), 0)
    here, x, y = machine_of(model), chains.astype(np.float32), samples.astype(np.float32)

    def sweeps() -> None:
        ours.begin(0, idle)
        for _ in range(SWEEPS):
            ours.propose(here)
            ours.run_sweep(here, 1)

    return sweeps, lambda: _numpy_exchange(model, last, x, y, SWEEPS)


def _numpy_rungs(model: RBM, base: NDArray[np.float32], ladder: NDArray[np.float32], x: NDArray[np.float32]) -> None:
    """Run a sweep of parallel tempering in float32 numpy: a Gibbs step on every rung, then both kinds of swaps."""
    rng, W, b, c, drift = np.random.default_rng(0), model.W, model.b, model.c, model.b - base
    n_rungs, chains = len(ladder), len(x) // len(ladder)
    betas, one = np.repeat(ladder, chains)[:, None], np.float32(1)
    field = x @ W + c
    h = (rng.random(field.shape, dtype=np.float32) < sigmoid(betas * field)).astype(np.float32)
    v = betas * (h @ W.T + b) + (one - betas) * base
    x = (rng.random(x.shape, dtype=np.float32) < sigmoid(v)).astype(np.float32)
    rungs, fields = x.reshape(n_rungs, chains, -1), (x @ W + c).reshape(n_rungs, chains, -1)
    for parity in range(2):
        for i in range(parity, n_rungs - 1, 2):
            before, after, f, g = ladder[i], ladder[i + 1], fields[i], fields[i + 1]
            ratio = (before - after) * ((rungs[i + 1] - rungs[i]) @ drift)
            ratio += _softplus(before * g) + _softplus(after * f) - _softplus(before * f) - _softplus(after * g)
            accepted = np.log(rng.random(chains, dtype=np.float32)) < ratio
            for each in (rungs, fields):
                each[i, accepted], each[i + 1, accepted] = each[i + 1, accepted], each[i, accepted]


def _rungs() -> tuple[Work, Work]:
    model, v = _train(300), make_blots(1000)
    learner = TemperedPCD(temperatures=10, chains=100)
    base = base_rate_odds(v.mean(axis=0)).astype(np.float32)
    ours, machine, x = Rungs(learner, model, base, v.copy(), 0), machine_of(model), v.astype(np.float32)
    return lambda: ours.run_sweep(machine, 0, 1, idle), lambda: _numpy_rungs(model, base, learner.ladder(), x)


ROWS = {
    "cd1": Row("CD-1, 784 x 500, batch 200, MNIST-like density: ten updates", 2.0, 9, lambda: _large(1, 10)),
    "cd24": Row("CD-24, 784 x 500, batch 200, MNIST-like density: two updates", 2.3, 7, lambda: _large(24, 2)),
    "ais": Row(
        "AIS, 784 x 500, 100 chains from the base rate, 500 temperatures (a twentieth of 10,000)", 2.5, 7, _annealing
    ),
    "exchange": Row(
        "PTT, 784 x 500: ten sweeps of 100 chains, exchanged with 1,000 samples, one Gibbs step each", 3.0, 9, _exchange
    ),
    "rungs": Row(
        "PT, 784 x 500: a sweep of 100 chains at ten temperatures, one Gibbs step and all swaps", 3.0, 9, _rungs
    ),
    "bars_and_stripes": Row(
        "Bars & Stripes, 9 x 4, CD-12, full batch: 50,000 epochs (of numpy 2,500, taken twenty times)",
        25.0,
        5,
        _bars_and_stripes,
        20.0,
    ),
}
