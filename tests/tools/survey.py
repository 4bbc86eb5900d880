"""Models of tables on a survey whose law is known: `python -m tests.tools.survey [SEED ...]`.

Draws people from a network of 14 questions of two to five answers, learns from 2,000 rows, chooses each model's price
by 500 further ones, and prints, on 5,000 new ones: log-likelihoods per row (nats), pairs of questions that are found to
depend on each other (precision and recall against the network with its parents married), and how many of the cells that
were hidden, one in twenty, are filled in rightly, next to what others fill in.
"""

import itertools
import sys
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier
from sklearn.experimental import enable_iterative_imputer  # noqa: F401  (IterativeImputer is announced by it)
from sklearn.impute import IterativeImputer, KNNImputer, SimpleImputer

from boltzcore import Recipe, Schedule, fit
from boltzcore.data.examples import Dataset, Examples
from boltzcore.inference.filling import fill
from boltzcore.learners import GreedyMDL, PottsPseudoLikelihood, PseudoLikelihoodLBFGS
from boltzcore.models import LogLinear

QUESTIONS = {  # answers, and the questions on which they depend
    "sex": (2, ()),
    "age": (4, ()),
    "town": (3, ()),
    "school": (4, ("age",)),
    "work": (3, ("school", "age")),
    "income": (4, ("work", "school")),
    "smoker": (2, ("sex", "school")),
    "sport": (3, ("age", "work")),
    "diet": (2, ("school",)),
    "weight": (3, ("sport", "diet")),
    "health": (5, ("smoker", "weight", "age")),
    "car": (2, ("town", "income")),
    "votes": (3, ("age", "income")),
    "news": (2, ("age", "votes")),
}
TRAIN, VALIDATION, TEST = 2_000, 500, 5_000
PLENTY = 60_000  # rows that leave little but what couplings of two questions cannot say
HIDDEN = 0.05  # share of the cells
UPDATES = 1_000  # at most: all learners end by themselves
PRICES = 0.001, 0.002, 0.005, 0.01, 0.02
NAMES = list(QUESTIONS)
LEVELS = tuple(levels for levels, _ in QUESTIONS.values())
PARENTS = [[NAMES.index(name) for name in parents] for _, parents in QUESTIONS.values()]
PAIRS = set(itertools.combinations(range(len(NAMES)), 2))
MARRIED = {
    tuple(sorted(pair)) for i, of in enumerate(PARENTS) for pair in itertools.combinations((i, *of), 2)
}  # the pairs that are coupled given all other questions


def tables(seed: int) -> list[NDArray[np.float64]]:
    """Return p(answer | parents' answers) of each question: effects of single parents, and smaller ones of two."""
    rng, out = np.random.default_rng(seed), []
    for levels, of in zip(LEVELS, PARENTS, strict=True):
        shape = [LEVELS[i] for i in of]
        logits = np.broadcast_to(rng.normal(0, 0.4, levels), (*shape, levels)).copy()
        for k in range(len(of)):
            logits += rng.normal(0, 0.8, (shape[k], *[1] * (len(of) - 1 - k), levels))
        for a, b in itertools.combinations(range(len(of)), 2):
            one = [size if k in (a, b) else 1 for k, size in enumerate(shape)]
            logits += rng.normal(0, 0.3, (*one, levels))
        p = np.exp(logits)
        out.append(p / p.sum(axis=-1, keepdims=True))
    return out


def draw(laws: list[NDArray[np.float64]], n: int, seed: int) -> NDArray[np.uint8]:
    rng, x = np.random.default_rng(seed), np.zeros((n, len(laws)), np.uint8)
    for i, (law, of) in enumerate(zip(laws, PARENTS, strict=True)):
        below = np.cumsum(law[tuple(x[:, k] for k in of)] if of else np.tile(law, (n, 1)), axis=1)
        x[:, i] = np.minimum((rng.random(n)[:, None] >= below).sum(axis=1), LEVELS[i] - 1)
    return x


def log_p(laws: list[NDArray[np.float64]], x: NDArray) -> NDArray[np.float64]:
    return sum(
        np.log(law[(*(x[:, k] for k in of), x[:, i])]) for i, (law, of) in enumerate(zip(laws, PARENTS, strict=True))
    )


def network_of(x: NDArray) -> list[NDArray[np.float64]]:
    """Return the tables of the true network as the rows have them, each answer once more than it occurs."""
    out = []
    for i, of in enumerate(PARENTS):
        counts = np.ones([*(LEVELS[k] for k in of), LEVELS[i]])
        np.add.at(counts, (*(x[:, k] for k in of), x[:, i]), 1)
        out.append(counts / counts.sum(axis=-1, keepdims=True))
    return out


def learn(model: str, learner: object, rows: NDArray, held: NDArray, levels: tuple[int, ...] = LEVELS) -> object:
    parts = (Examples(each, levels=levels) for each in (rows, held, held))
    schedule = Schedule(length=UPDATES, unit="updates", every=UPDATES)
    return fit(Recipe(data=Dataset(*parts), model=model, learner=learner, schedule=schedule)).state.model


def binarised(rows: NDArray, held: NDArray, x: NDArray) -> tuple[NDArray[np.float64], object]:
    """Return (n,) log p of rows x by a fully visible machine of answers cut in two, each answer by its share of its
    half, and the machine.
    """
    cut = np.array([np.median(column) for column in rows.T])
    cut = np.where(cut >= np.array(LEVELS) - 1, np.array(LEVELS) - 2, cut)
    model = learn(
        "fvbm",
        PseudoLikelihoodLBFGS(),
        (rows > cut).astype(np.uint8),
        (held > cut).astype(np.uint8),
        (2,) * len(LEVELS),
    )
    out = model.log_likelihood((x > cut).astype(np.uint8))
    for i, levels in enumerate(LEVELS):
        shares = np.bincount(rows[:, i], minlength=levels) + 1.0
        low = np.arange(levels) <= cut[i]
        shares /= np.where(low, shares[low].sum(), shares[~low].sum())
        out += np.log(shares[x[:, i]])
    return out, model


def best_potts(rows: NDArray, held: NDArray) -> tuple[object, float]:
    """Return the model whose price does best on rows held out, and the price."""
    made = [(learn("potts", PottsPseudoLikelihood(price=price), rows, held), price) for price in PRICES]
    return max(made, key=lambda each: each[0].log_likelihood(held).mean())


def pairs_of(model: LogLinear) -> set[tuple[int, int]]:
    """Return the pairs of variables that share a term."""
    return {pair for y in model.digits() for pair in itertools.combinations(np.flatnonzero(y).tolist(), 2)}


def found(pairs: set[tuple[int, int]]) -> str:
    right = len(pairs & MARRIED)
    return f"{len(pairs):3} pairs, precision {right / max(1, len(pairs)):.2f}, recall {right / len(MARRIED):.2f}"


def others(rows: NDArray, gappy: NDArray) -> dict[str, Callable[[], NDArray]]:
    """Return imputers of rows of codes with gaps (-1)."""
    data = np.where(gappy < 0, np.nan, gappy.astype(float))

    def by(imputer: object) -> NDArray:
        return np.rint(imputer.fit(rows.astype(float)).transform(data))

    def forest() -> NDArray:
        out = by(SimpleImputer(strategy="most_frequent"))
        for i in range(data.shape[1]):
            gap = gappy[:, i] < 0
            rest = np.delete(np.arange(data.shape[1]), i)
            model = RandomForestClassifier(200, min_samples_leaf=5, random_state=0).fit(rows[:, rest], rows[:, i])
            out[gap, i] = model.predict(out[gap][:, rest])
        return out

    return {
        "most frequent": lambda: by(SimpleImputer(strategy="most_frequent")),
        "kNN (10)": lambda: by(KNNImputer(n_neighbors=10)),
        "IterativeImputer": lambda: by(IterativeImputer(random_state=0)),
        "random forest": forest,
    }


def main(seed: int) -> None:
    laws = tables(seed)
    parts = np.split(draw(laws, TRAIN + VALIDATION + TEST, seed + 1), [TRAIN, TRAIN + VALIDATION])
    rows, held, test = parts
    gappy = np.where(np.random.default_rng(seed + 2).random(test.shape) < HIDDEN, -1, test.astype(np.int16))
    made: dict[str, tuple[object, float]] = {}
    print(f"Seed {seed}: {len(MARRIED)} of {len(PAIRS)} pairs depend on each other.")

    def timed(name: str, act: Callable[[], object]) -> object:
        begin = time.perf_counter()
        made[name] = act(), time.perf_counter() - begin
        return made[name][0]

    greedy = timed("log-linear, greedy MDL", lambda: learn("log-linear", GreedyMDL(), rows, held))
    potts, price = timed("Potts", lambda: best_potts(rows, held))
    cut, _ = timed("fully visible, answers cut in two", lambda: binarised(rows, held, test))
    network = timed("true network, fitted", lambda: network_of(rows))
    plenty = learn("potts", PottsPseudoLikelihood(price=0.0, decay=1e-6), draw(laws, PLENTY, seed + 3), held)
    likelihoods = {
        "the law itself": log_p(laws, test),
        "true network, fitted": log_p(network, test),
        f"Potts, from {PLENTY:,} rows": plenty.log_likelihood(test),
        "Potts": potts.log_likelihood(test),
        "log-linear, greedy MDL": greedy.log_likelihood(test),
        "fully visible, answers cut in two": cut,
        "independent answers": sum(
            np.log((np.bincount(rows[:, i], minlength=size) + 1.0) / (TRAIN + size))[test[:, i]]
            for i, size in enumerate(LEVELS)
        ),
    }
    for name, of_row in likelihoods.items():
        seconds = f"{made[name][1]:6.2f} s" if name in made else ""
        print(f"  {name:34} {of_row.mean():8.3f}  {seconds}")
    print(f"  price of the Potts model: {price:g}; seconds for all {len(PRICES)} prices")
    strong = {pair for pair in PAIRS if potts.strengths()[pair] > 0}
    print(f"  Potts, pairs that are not 0:       {found(strong)}")
    print(f"  Potts, the {len(MARRIED)} strongest:         {found(strongest(potts.strengths()))}")
    print(f"  log-linear, pairs in terms:        {found(pairs_of(greedy))}")
    holes = gappy < 0
    fills = {"Potts": lambda: fill(potts.law, gappy).rows, "log-linear": lambda: fill(greedy, gappy).rows}
    for name, act in {**fills, **others(rows, gappy)}.items():
        filled = timed(name, act)
        print(f"  filled by {name:24} {(filled[holes] == test[holes]).mean():7.1%}  {made[name][1]:6.2f} s")


def strongest(strengths: NDArray[np.float64]) -> set[tuple[int, int]]:
    return set(sorted(PAIRS, key=lambda pair: -strengths[pair])[: len(MARRIED)])


if __name__ == "__main__":
    for each in map(int, sys.argv[1:] or ["0"]):
        main(each)
