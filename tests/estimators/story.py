"""`python -m tests.estimators.story`: what a user of scikit-learn does with the estimators, on 8 x 8 digits, beside
what scikit-learn has for it.
"""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.datasets import load_digits
from sklearn.experimental import enable_iterative_imputer  # noqa: F401
from sklearn.impute import IterativeImputer, KNNImputer, SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.neural_network import BernoulliRBM
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Binarizer

from boltzcore.estimators import RestrictedBoltzmann
from boltzcore.inference import Annealing
from boltzcore.learners import PCD
from boltzcore.models import RBM

MISSING = 0.1


def timed(act: Callable[[], Any]) -> tuple[Any, float]:
    """(what it gives, the seconds it takes)."""
    began = time.perf_counter()
    found = act()
    return found, time.perf_counter() - began


def log_likelihood(machine: BernoulliRBM, X: np.ndarray, mean: np.ndarray) -> float:
    """Of scikit-learn's RBM, which has none of its own: with log Z by AIS."""
    rbm = RBM(
        machine.components_.T.astype(np.float32),
        machine.intercept_visible_.astype(np.float32),
        machine.intercept_hidden_.astype(np.float32),
    )
    return float(np.mean(-rbm.free_energy(X)) - Annealing().log_partition(rbm, mean).value)


def main() -> None:
    """Print the table."""
    X, y = load_digits(return_X_y=True)
    train, test, labels, expected = train_test_split(X, y, random_state=0, stratify=y)
    binary = Binarizer(threshold=7.5).fit(train)
    rows, held_out = binary.transform(train), binary.transform(test)

    print("The same work: 64 hidden units, PCD-1, rate 0.05, batches of 10, 20 passes")
    for _ in range(2):  # the first compiles, or reads what was compiled
        ours, seconds = timed(
            lambda: RestrictedBoltzmann(
                64, learner=PCD(rate=0.05, K=1, batch_size=10), max_iter=20, binarize=7.5, random_state=0
            ).fit(train)
        )
    theirs, their_seconds = timed(
        lambda: BernoulliRBM(64, learning_rate=0.05, batch_size=10, n_iter=20, random_state=0).fit(rows)
    )
    mean = rows.mean(axis=0)
    print(f"  RestrictedBoltzmann  {seconds:6.2f} s  log-likelihood of held-out rows {ours.score(test):8.2f} nats")
    their_height = log_likelihood(theirs, held_out, mean)
    print(f"  BernoulliRBM         {their_seconds:6.2f} s  log-likelihood of held-out rows {their_height:8.2f} nats")

    print("A grid search over hidden units and rate by held-out log-likelihood")
    machine = RestrictedBoltzmann(learner="CD", max_iter=20, binarize=7.5, random_state=0)
    grid = {"n_hidden": [16, 64], "learner__rate": [0.01, 0.05, 0.2]}
    search, seconds = timed(lambda: GridSearchCV(machine, grid, cv=3).fit(train))
    print(f"  {seconds:6.2f} s  best {search.best_params_}, {search.score(test):.2f} nats on held-out rows")

    print("Features for a classifier")
    plain = LogisticRegression(max_iter=1000).fit(rows, labels).score(held_out, expected)
    pipeline = make_pipeline(search.best_estimator_, LogisticRegression(max_iter=1000)).fit(train, labels)
    print(f"  accuracy {pipeline.score(test, expected):.3f} on hidden units, {plain:.3f} on pixels")

    print(f"{MISSING:.0%} of the pixels missing: share of these that are filled wrongly")
    gone = np.random.default_rng(0).random(held_out.shape) < MISSING
    holes = np.where(gone, np.nan, held_out)
    best = RestrictedBoltzmann(64, learner=PCD(rate=0.05), max_iter=100, random_state=0).fit(rows)
    ways = {
        "RestrictedBoltzmann.impute": lambda: best.impute(holes),
        "KNNImputer": lambda: KNNImputer().fit(rows).transform(holes) > 0.5,
        "IterativeImputer": lambda: IterativeImputer(random_state=0).fit(rows).transform(holes) > 0.5,
        "SimpleImputer (most frequent)": lambda: SimpleImputer(strategy="most_frequent").fit(rows).transform(holes),
    }
    for name, fill in ways.items():
        filled, seconds = timed(fill)
        print(f"  {name:30} {np.mean(filled[gone] != held_out[gone]):6.3f}  {seconds:6.2f} s")


if __name__ == "__main__":
    main()
