"""The library in ten minutes: `python -m boltzcore.tutorial` runs it, in about half a minute.

Read it from top to bottom: each step is a function. What is trained gives the same figures at every run and on every
machine.
"""

import tempfile
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from boltzcore import Comparison, Recipe, compare, data, fit
from boltzcore.estimators import RestrictedBoltzmann
from boltzcore.inference import Annealing, complete, gibbs
from boltzcore.learners import CD, PCD
from boltzcore.models import RBM, RBMSetup, load
from boltzcore.training.schedule import Schedule


def look_at_data() -> None:
    """1. A data set is rows of 0 and 1, in a part to learn from and one to test by."""
    digits = data.load("digits")
    print(
        f"1. digits: {len(digits.train.v):,} training rows, {len(digits.test.v)} test rows, each of "
        f"{digits.train.n_visible} pixels"
    )
    # Rows of your own: data.load("table.csv", bins=4), and Recipe(data=rows) takes an array or a DataFrame.


def learn(epochs: int) -> RBM:
    """2. A recipe says all that a training depends on; `fit` trains it, and `train` yields a step at a time."""
    recipe = Recipe(
        model=RBMSetup(hidden=16),
        data="digits",
        learner=PCD(rate=0.05, batch_size=20),
        schedule=Schedule(length=epochs, every=max(1, epochs // 4)),
    )
    found = fit(recipe)
    for record in found.records:
        # 16 hidden units can be enumerated, so the likelihood is exact: no reconstruction error has to stand for it.
        print(f"2. epoch {record.epoch:3.0f}: {record.values['test_log_likelihood']:7.2f} nats per held-out row")
    model = found.chosen.model
    assert isinstance(model, RBM)
    return model


def measure(model: RBM) -> None:
    """3. Of a larger model the likelihood is estimated, with an interval. Here both are at hand, and agree."""
    rows = data.load("digits")
    exact = model.log_partition()
    estimate = Annealing(chains=200, temperatures=2_000).log_partition(model, rows.train.mean())
    between = f"between {estimate.low:.3f} and {estimate.high:.3f}"
    print(f"3. log Z is {exact:.3f}; by annealing {estimate.value:.3f}, {between}")


def dream(model: RBM) -> None:
    """4. The model dreams: Gibbs sampling from noise, by compiled kernels, with a seed."""
    noise = np.random.default_rng(0).integers(0, 2, (3, model.n_visible)).astype(np.uint8)
    for row in gibbs(model, noise, 1_000, seed=0, step=0).reshape(3, 8, 8)[:1]:
        print("4. a sample:")
        for line in row:
            print("   " + "".join("# " if pixel else ". " for pixel in line))


def restore(model: RBM) -> None:
    """5. What is lost is filled in by what is known: draws of p(lost | known), and how sure each pixel is."""
    row = data.load("digits").test.v[0]
    known = np.arange(model.n_visible) < 32  # the upper half
    found = complete(model, row, known, seed=0)
    wrong = np.mean((found.mean[~known] > 0.5) != row[~known])
    print(f"5. the lower half of a digit, filled in: {wrong:.0%} of its pixels are wrong")


def race(trials: int, length: int) -> None:
    """6. Two learners at the same cost, in several trials each; a sentence says what may be claimed."""
    base = Recipe(RBMSetup(hidden=4), "bars-and-stripes", CD(rate=0.1, batch_size=0), Schedule(length, length // 5))
    found = compare(Comparison(base, {"CD-1": {}, "CD-10": {"CD.K": 10}}, trials=trials))
    print(f"6. {found.sentence(reference='CD-1')}")


def keep(model: RBM) -> None:
    """7. A model is an .npz file without pickle; a recipe is a line of JSON, or the address of a page of the app."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "digits.npz"
        model.save(file)
        same = load(file)
    assert isinstance(same, RBM)
    recipe = Recipe(data="digits", learner=PCD(rate=0.05))
    assert Recipe.from_json(recipe.to_json()) == recipe
    print(f"7. saved and loaded: {np.array_equal(model.W, same.W)}; in the app: train?{_link(recipe)}")


def _link(recipe: Recipe) -> str:
    return "&".join(f"{name}={value}" for name, value in list(recipe.to_query().items())[:3]) + "&..."


def use_scikit_learn(passes: int) -> None:
    """8. In scikit-learn it is an estimator: its `score` is a likelihood, and hidden units are features."""
    X, y = load_digits(return_X_y=True)
    machine = RestrictedBoltzmann(32, learner="PCD", max_iter=passes, binarize=7.5, random_state=0)
    machine.fit(X[:1_200])
    print(f"8. held-out log-likelihood {machine.score(X[1_200:]):.2f}")
    chain = make_pipeline(machine, LogisticRegression(max_iter=500)).fit(X[:1_200], y[:1_200])
    print(f"   share of digits recognised from its hidden units: {chain.score(X[1_200:], y[1_200:]):.3f}")


def main(scale: float = 1.0) -> None:
    """All of it. scale : how long trainings are, against the tutorial's own."""
    look_at_data()
    model = learn(max(4, round(100 * scale)))
    measure(model)
    dream(model)
    restore(model)
    race(trials=max(2, round(8 * scale)), length=max(5, round(500 * scale)))
    keep(model)
    use_scikit_learn(max(1, round(20 * scale)))
    # Where to go on: the models, learners and measures by name (python -m boltzcore learners), the app
    # (boltzcore serve), and boltzcore/README.md for a learner or a model of your own.


if __name__ == "__main__":
    main()
