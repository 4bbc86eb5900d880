"""Speed against straightforward numpy, measured in the same run, the two in turn.

Figures are CPU seconds of this process at one thread, or wall seconds where a row takes more, the median of several
turns; `ratio` is the median of the turns' own ratios, so that a machine whose speed drifts does not tilt it.
"""

import itertools
import math
import platform
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_info

from boltzcore import threads
from boltzcore.data import load
from boltzcore.data.examples import Examples
from boltzcore.inference import Beliefs, annealed_importance_sampling, belief_propagation
from boltzcore.kernels import compiled_for
from boltzcore.kernels import spectrum as kernels
from boltzcore.learners import BSLM, CD, GreedyMDL
from boltzcore.learners.greedy import MARGIN
from boltzcore.models import FVBM, RBM, FVBMSetup, LogLinear, LogLinearSetup, RBMSetup, spectrum
from boltzcore.models.rbm import base_rate_odds
from boltzcore.models.spectrum import Layout
from boltzcore.quoting import quoted

Work = Callable[[], object]
SAME = 1e-5  # of beliefs


@dataclass(frozen=True)
class Row:
    """One row of the table: what it times, the ratio it must reach, how often; the baseline's time counts `times` over.

    threads : that ours may take; with more than one the clock on the wall counts
    """

    title: str
    target: float
    turns: int
    build: Callable[[], tuple[Work, Work]]
    times: float = 1.0
    threads: int = 1


def _sigmoid(x: NDArray[np.float32]) -> NDArray[np.float32]:
    one = np.float32(1)
    return one / (one + np.exp(-x))


def _numpy_cd(model: RBM, batches: list[NDArray[np.float32]], K: int, rate: float) -> None:
    """CD-K in float32 numpy, every product by BLAS."""
    rng = np.random.default_rng(0)
    W, b, c, step = model.W.copy(), model.b.copy(), model.c.copy(), np.float32(rate)
    for v in batches:
        n = np.float32(len(v))
        first = last = _sigmoid(v @ W + c)
        x = v
        for _ in range(K):
            h = (rng.random(last.shape, dtype=np.float32) < last).astype(np.float32)
            x = (rng.random(v.shape, dtype=np.float32) < _sigmoid(h @ W.T + b)).astype(np.float32)
            last = _sigmoid(x @ W + c)
        W += step / n * (v.T @ first - x.T @ last)
        b += step * (v.mean(axis=0) - x.mean(axis=0))
        c += step * (first.mean(axis=0) - last.mean(axis=0))


def _softplus(x: NDArray[np.float32]) -> NDArray[np.float32]:
    """(n,) sum of log(1 + e**x) over the columns."""
    return (np.maximum(x, np.float32(0)) + np.log1p(np.exp(-np.abs(x)))).sum(axis=1)


def _numpy_ais(model: RBM, base: NDArray[np.float32], betas: NDArray[np.float32], chains: int) -> NDArray[np.float64]:
    """Log weights of annealed importance sampling in float32 numpy: two products by BLAS at each temperature, fields
    used twice.
    """
    rng = np.random.default_rng(0)
    W, b, c, drift = model.W, model.b, model.c, model.b - base
    WT = np.ascontiguousarray(W.T)
    v = (rng.random((chains, len(b)), dtype=np.float32) < _sigmoid(base)).astype(np.float32)
    field, log_weights = v @ W + c, np.zeros(chains)
    for before, beta in itertools.pairwise(betas):
        scaled = beta * field
        log_weights += (beta - before) * (v @ drift) + _softplus(scaled) - _softplus(before * field)
        h = (rng.random(field.shape, dtype=np.float32) < _sigmoid(scaled)).astype(np.float32)
        v = (rng.random(v.shape, dtype=np.float32) < _sigmoid(beta * (h @ WT) + (beta * b + (1 - beta) * base))).astype(
            np.float32
        )
        field = v @ W + c
    return log_weights


def _blots(n: int, seed: int = 0) -> NDArray[np.uint8]:
    """(n, 784) images as sparse as MNIST's (13 % on), two thick strokes each: speed needs no real digits."""
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
    v = _blots(200 * batches)
    learner = CD(rate=0.01, K=K, batch_size=200)
    data = Examples(v)
    model = RBMSetup(hidden=500).initial(data, seed=0)
    state = learner.start(model, data, seed=0)
    floats = [v[i : i + 200].astype(np.float32) for i in range(0, len(v), 200)]
    return lambda: learner.advance(state, data, updates=batches), lambda: _numpy_cd(model, floats, K, 0.01)


def _annealing() -> tuple[Work, Work]:
    chains, temperatures = 100, 500
    data = Examples(_blots(2000))
    learner = CD(rate=0.1, K=1, batch_size=50)
    # trained until a third of its hidden units are on at a row of the data, as in an RBM of MNIST early on
    model = learner.advance(
        learner.start(RBMSetup(hidden=500).initial(data, seed=0), data, seed=0), data, updates=300
    ).model
    base, betas = base_rate_odds(data.mean()).astype(np.float32), np.linspace(0, 1, temperatures, dtype=np.float32)
    return lambda: annealed_importance_sampling(
        model, chains=chains, temperatures=betas, base=base
    ), lambda: _numpy_ais(model, base, betas, chains)


def _numpy_propagation(rbm: RBM, iterations: int) -> tuple[NDArray, NDArray]:
    """(v, h) of sum-product propagation in float32 numpy, messages as log-odds: two exponentials and a logarithm a
    message.
    """
    W, one = rbm.W, np.float32(1)
    factors = np.exp(W)

    def through(field: NDArray, message: NDArray) -> NDArray:
        odds = np.exp(field - message)
        return np.log((one + factors * odds) / (one + odds))

    up, down = np.zeros_like(W), np.zeros_like(W)
    for _ in range(iterations):
        up = through(rbm.c + down.sum(axis=0), down)
        down = through((rbm.b + up.sum(axis=1))[:, None], up)
    return _sigmoid(rbm.b + up.sum(axis=1)), _sigmoid(rbm.c + down.sum(axis=0))


def _transcribed_propagation(rbm: RBM, iterations: int) -> tuple[NDArray, NDArray]:
    """(v, h) of sum-product propagation as the paper writes it, in float64 numpy: Ping and Ihler, Algorithm 1 with eq.
    13, 14, 16, 17.
    """
    W, b, c = rbm.W.astype(np.float64), rbm.b.astype(np.float64), rbm.c.astype(np.float64)
    M_vh, M_hv = np.full(W.shape, 0.5), np.full(W.shape[::-1], 0.5)
    tau_v, tau_h = _logistic(b), _logistic(c)
    for _ in range(iterations):
        L1, L2 = (1 - M_hv).T * tau_h, M_hv.T * (1 - tau_h)
        M_vh = _logistic(np.log((np.exp(W) * L1 + L2) / (L1 + L2)))
        tau_v = _logistic(b + np.log(M_vh / (1 - M_vh)).sum(axis=1))
        L1, L2 = (1 - M_vh).T * tau_v, M_vh.T * (1 - tau_v)
        M_hv = _logistic(np.log((np.exp(W.T) * L1 + L2) / (L1 + L2)))
        tau_h = _logistic(c + np.log(M_hv / (1 - M_hv)).sum(axis=1))
    return tau_v, tau_h


def _logistic(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return 1 / (1 + np.exp(-x))


def _propagation(baseline: Callable[[RBM, int], tuple[NDArray, NDArray]]) -> tuple[Work, Work]:
    iterations, rng = 10, np.random.default_rng(0)
    rbm = RBM(
        *(
            rng.normal(0, deviation, shape).astype(np.float32)
            for deviation, shape in ((0.1, (1000, 500)), (0.5, 1000), (0.5, 500))
        )
    )

    def ours() -> Beliefs:
        return belief_propagation(rbm, iterations=iterations, tolerance=0)

    beliefs, (v, h) = ours(), baseline(rbm, iterations)
    if (apart := max(np.abs(beliefs.v - v).max(), np.abs(beliefs.h - h).max())) > SAME:
        raise ValueError(
            f"beliefs must be within {SAME:g} of the baseline's, not {apart:.2g} away: their times say nothing."
        )
    return _repeated(ours), _repeated(lambda: baseline(rbm, iterations))


def _repeated(work: Work) -> Work:
    """Five calls: the first of some milliseconds pays for what ran before it."""

    def five() -> None:
        for _ in range(5):
            work()

    return five


def _bars_and_stripes() -> tuple[Work, Work]:
    epochs, part = 50_000, 2_500
    data = load("bars-and-stripes", D=3).train
    learner = CD(rate=0.3, K=12, batch_size=0)
    model = RBMSetup(hidden=4).initial(data, seed=0)
    state = learner.start(model, data, seed=0)
    batch = data.v.astype(np.float32)
    # numpy's loop costs the same at every epoch: a twentieth of it is timed and taken twenty times
    return lambda: learner.advance(state, data, updates=epochs), lambda: _numpy_cd(model, [batch] * part, 12, 0.3)


def _numpy_sweep(M: NDArray[np.float64], b: NDArray[np.float64], x: NDArray[np.float64]) -> None:
    """One sweep of BSLM in float64 numpy over all rows: the fields of a step's columns are computed anew by BLAS."""
    n, d = x.shape
    columns = np.ascontiguousarray(x.T)
    for j in range(d):
        b[j] += (columns[j] - np.tanh(x @ M[j] + b[j])).sum() / n
    for j in range(d):
        for k in range(j + 1, d):
            first, second = np.tanh(x @ M[j] + b[j]), np.tanh(x @ M[k] + b[k])
            slope = 2 * columns[j] @ columns[k] - columns[k] @ first - columns[j] @ second
            M[j, k] = M[k, j] = M[j, k] + slope / (2 * n)


def _bslm() -> tuple[Work, Work]:
    sweeps, n, d = 10, 16_000, 20
    rng = np.random.default_rng(0)
    upper = np.triu(rng.normal(0, 0.185, (d, d)), 1)
    x = FVBM(upper + upper.T, rng.normal(0, 0.185, d)).sample(n, seed=0)
    data = Examples((x > 0).astype(np.uint8))
    model = FVBMSetup().initial(data, seed=0)
    learner, floats = BSLM(tau=0), x.astype(np.float64)
    state = learner.start(model, data, seed=0)

    def baseline() -> tuple[NDArray, NDArray]:
        M, b = model.M.copy(), model.b.copy()
        for _ in range(sweeps):
            _numpy_sweep(M, b, floats)
        return M, b

    found, (M, b) = learner.advance(state, data, updates=sweeps).model, baseline()
    if (apart := max(np.abs(found.M - M).max(), np.abs(found.b - b).max())) > SAME:
        raise ValueError(f"parameters must be within {SAME:g} of the baseline's, not {apart:.2g} away.")
    return lambda: learner.advance(state, data, updates=sweeps), baseline


Append = Callable[[NDArray, NDArray, float], int]


def _paper_search(data: Examples, steps: int, transform: Callable[[NDArray], None], append: Append) -> dict[int, float]:
    """Theta after so many steps of Takabatake and Akaho's Algorithms 1 to 3: each transforms p, looks for the best
    candidate, and updates p.

    append : (duals of the model, of the data, best change so far) -> the term that is best to append, or -1
    """
    n, N = data.n_visible, data.total
    states = np.arange(2**n)
    target = np.bincount(Layout((2,) * n).index(data.v), minlength=2**n) / N
    transform(target)
    p, theta = np.full(2**n, 1.0 / 2**n), dict[int, float]()
    for _ in range(steps):
        dual = p.copy()
        transform(dual)
        best, chosen, aim = 0.0, 0, 0.0
        for y, value in theta.items():
            price = float(_price(y, n, N))
            for to, gain in ((target[y], 0.0), (np.tanh(np.arctanh(dual[y]) - value), price)):
                change = float(_kl_change(dual[y], to, target[y])) - gain
                if change < best:
                    best, chosen, aim = change, y, float(to)
        if (place := append(dual, target, best)) >= 0:
            chosen, aim = place, min(max(float(target[place]), MARGIN - 1), 1 - MARGIN)
        step = np.arctanh(aim) - np.arctanh(dual[chosen])
        theta[chosen] = theta.get(chosen, 0.0) + float(step)
        p *= np.where(np.bitwise_count(states & chosen) & 1, np.exp(-step), np.exp(step))
        p /= p.sum()
    return theta


def _price(y: NDArray | int, n: int, N: float) -> NDArray[np.float64]:
    """Eq. 7 for two-valued columns."""
    price: NDArray[np.float64] = (math.log(N) / 2 + math.log(n) * np.bitwise_count(y)) / N
    return price


def _kl_change(dual: NDArray, to: NDArray, target: NDArray) -> NDArray[np.float64]:
    """Eq. 19: KL(data || model) after minus before."""
    change: NDArray[np.float64] = 0.5 * (
        (1 + target) * np.log((1 + dual) / (1 + to)) + (1 - target) * np.log((1 - dual) / (1 - to))
    )
    return change


def _numpy_transform(table: NDArray[np.float64]) -> None:
    """Walsh-Hadamard, in place."""
    width = 1
    while width < table.size:
        pairs = table.reshape(-1, 2, width)
        lower, upper = pairs[:, 0].copy(), pairs[:, 1]
        pairs[:, 0] += upper
        np.subtract(lower, upper, out=upper)
        width *= 2


def _numpy_append(n: int, N: float) -> Append:
    """Eq. 20 where the bound, eq. 21, lets a candidate win over the one of the lowest bound."""
    prices = _price(np.arange(2**n), n, N)

    def append(dual: NDArray, target: NDArray, best: float) -> int:
        bound = np.full(dual.size, np.inf)  # of the constant term, too
        bound[1:] = prices[1:] - (dual[1:] - target[1:]) ** 2 / (1 - dual[1:] ** 2)

        def changes(y: NDArray) -> NDArray[np.float64]:
            aim = np.clip(target[y], MARGIN - 1, 1 - MARGIN)
            return _kl_change(dual[y], aim, aim) + prices[y]

        first = changes(np.array([bound.argmin()]))[0]
        hopeful = np.flatnonzero(bound <= min(best, first))
        each = changes(hopeful)
        return int(hopeful[each.argmin()]) if len(each) and each.min() < best else -1

    return append


def _compiled_append(n: int, N: float) -> Append:
    """The learner's own search."""
    low = 2**12
    order = np.bitwise_count(np.arange(2**n)).astype(np.int64)
    high = math.log(n) / N * order[::low].astype(np.float64)
    prices = kernels.Prices(_price(np.arange(low), n, N), high, order[:low], order[::low], n, 0.0)
    return lambda dual, target, best: kernels.best_to_append(dual, target, prices, MARGIN, 0, 2**n // low, best)[0]


def _greedy(compiled: bool) -> tuple[Work, Work]:
    steps, data = 20, load("bayes-net", n=100_000).train
    data.distinct()  # told apart once, and not by the paper's loop
    learner = GreedyMDL()
    model = LogLinearSetup().initial(data, seed=0)
    transform = partial(spectrum.expectations, model.layout) if compiled else _numpy_transform
    append = (_compiled_append if compiled else _numpy_append)(data.n_visible, data.total)

    def ours() -> LogLinear:
        found: LogLinear = learner.advance(learner.start(model, data, seed=0), data, updates=steps).model
        return found

    def baseline() -> dict[int, float]:
        return _paper_search(data, steps, transform, append)

    theta, other = ours().theta, baseline()
    if theta.keys() != other.keys() or max(abs(theta[y] - other[y]) for y in theta) > SAME:
        raise ValueError("Both searches must buy the same terms: their times say nothing.")
    return ours, baseline


ROWS: dict[str, Row] = {
    "cd1": Row("CD-1, 784 x 500, batch 200, MNIST-like density: ten updates", 2.0, 9, lambda: _large(1, 10)),
    "cd24": Row("CD-24, 784 x 500, batch 200, MNIST-like density: two updates", 2.3, 7, lambda: _large(24, 2)),
    "ais": Row(
        "AIS, 784 x 500, 100 chains from the base rate, 500 temperatures (a twentieth of 10,000)", 2.5, 7, _annealing
    ),
    "bp": Row(
        "Sum-product BP, 1000 x 500, 10 iterations: five calls", 3.5, 15, lambda: _propagation(_numpy_propagation)
    ),
    "bp_two_threads": Row(
        "Sum-product BP, 1000 x 500, 10 iterations: five calls, wall time on two threads",
        6.0,
        15,
        lambda: _propagation(_numpy_propagation),
        threads=2,
    ),
    "bp_transcription": Row(
        "Sum-product BP, 1000 x 500, 10 iterations: five calls, against the paper's equations in float64",
        20.0,
        7,
        lambda: _propagation(_transcribed_propagation),
    ),
    "bslm": Row("BSLM, 16,000 rows (10,000 distinct) of 20 columns: ten sweeps", 8.0, 7, _bslm),
    "greedy_mdl": Row(
        "Greedy MDL, 2^20 states, 100,000 rows: 20 steps, against the paper's loop in float64",
        10.0,
        5,
        lambda: _greedy(compiled=False),
    ),
    "greedy_mdl_compiled": Row(
        "Greedy MDL, 2^20 states, 100,000 rows: 20 steps, against the paper's loop with our transform and search",
        2.0,
        9,
        lambda: _greedy(compiled=True),
    ),
    "bars_and_stripes": Row(
        "Bars & Stripes, 9 x 4, CD-12, full batch: 50,000 epochs (of numpy 2,500, taken twenty times)",
        25.0,
        5,
        _bars_and_stripes,
        20.0,
    ),
}


def _seconds(work: Work, clock: Callable[[], float]) -> float:
    began = clock()
    work()
    return clock() - began


def processor() -> str:
    """What the figures hold for: the processor, what kernels are compiled for, and what the baselines' BLAS takes it
    for.
    """
    try:
        name = next(
            line.split(":", 1)[1].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        )
    except (OSError, StopIteration):
        name = platform.processor() or platform.machine()
    blas = {library.get("architecture") for library in threadpool_info() if library["user_api"] == "blas"}
    return (
        f"{name}, kernels for {compiled_for()}, BLAS for {' and '.join(sorted(filter(None, blas))) or 'an unknown one'}"
    )


def run(names: tuple[str, ...] = ()) -> list[dict[str, float | str]]:
    """Time the rows called `names` (all where empty): [{name, title, ratio, target, seconds, baseline_seconds,
    processor}].

    Raises ValueError for an unknown name.
    """
    for name in names:
        if name not in ROWS:
            raise ValueError(f"bench must be one of {', '.join(ROWS)}, not {quoted(name)}.")
    results: list[dict[str, float | str]] = []
    with threads.one_for_blas():
        for name in names or ROWS:
            row = ROWS[name]
            ours, baseline = row.build()
            clock = time.process_time if row.threads == 1 else time.perf_counter
            with threads.use(row.threads):
                ours(), baseline()
                pairs = [(_seconds(ours, clock), _seconds(baseline, clock) * row.times) for _ in range(row.turns)]
            results.append(
                {
                    "name": name,
                    "title": row.title,
                    "ratio": statistics.median(theirs / own for own, theirs in pairs),
                    "target": row.target,
                    "seconds": statistics.median(own for own, _ in pairs),
                    "baseline_seconds": statistics.median(theirs for _, theirs in pairs),
                    "processor": processor(),
                }
            )
    return results
