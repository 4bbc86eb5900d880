"""Error of a plain classifier of row labels from the hidden units of a model."""

import warnings
from typing import Any

import numpy as np

from boltzcore.data.examples import Dataset
from boltzcore.measures.activity import activities
from boltzcore.measures.measure import SHARE, Figures, MeasureContext, measure
from boltzcore.models import RBM, InfiniteRBM
from boltzcore.threads import one_for_blas, run_in_background
from boltzcore.ticks import portion

C = 1.0  # scikit-learn's C: the penalty is |w|**2 / (2 C), added to the log-losses of all rows
MOST = 1_000  # iterations of L-BFGS


@measure(
    {f"{split}_classification_error": SHARE for split in ("validation", "test")},
    lower=True,
    all_rows=True,
    libraries=("scikit-learn", "scipy"),
    about="The error rate, on held-out rows, of a logistic regression from hidden-unit probabilities to labels. "
    "Omitted for data without labels.",
)
def classification_error(model: RBM | InfiniteRBM, rows: Dataset, context: MeasureContext) -> Figures:
    """Return the error of logistic regression on E[h|v] for labels of held-out rows (Ping, Liu and Ihler 2016, figure
    2).

    scikit-learn's multinomial `LogisticRegression` (L-BFGS, C = 1, at most 1,000 iterations) is fitted to the hidden
    units' probabilities on all training rows; in a model with counts each unit is used once. They are not standardised,
    because a unit that is hardly ever on would add mostly noise. The result is empty without labels or hidden units.
    50,000 rows of 784 pixels and 500 units take some 10 seconds on one processor, or 40 at 1,000 iterations, with
    ticks; scikit-learn cannot be interrupted, so if a tick raises, it runs to its end unused.
    """
    given = {name: labels for name, labels in rows.labels.items() if name in rows.splits}
    tested = [name for name in given if name != "train"]
    if "train" not in given or not tested or len(np.unique(given["train"])) < 2:
        return {}
    if isinstance(model, InfiniteRBM):
        if not model.n_units:
            return {}
        model = model.once()
    splits = {name: rows.splits[name] for name in ("train", *tested)}
    answers = {
        name: activities(model, split.v, tick=portion(context.tick, 0.1 * k, 0.1))
        for k, (name, split) in enumerate(splits.items())
    }
    learner = run_in_background(_learner, context.tick)
    with one_for_blas(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # after the last iteration the fit is close enough
        run_in_background(
            lambda: learner.fit(answers["train"], given["train"], sample_weight=rows.train.weight), context.tick
        )
    return {
        f"{name}_classification_error": splits[name].average(learner.predict(answers[name]) != given[name])
        for name in tested
    }


def _learner() -> Any:
    from sklearn.linear_model import LogisticRegression  # importing it takes a second

    return LogisticRegression(C=C, max_iter=MOST)
