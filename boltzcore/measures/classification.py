"""The error of a plain classifier of the labels of rows on the hidden units of a model."""

import warnings
from typing import Any

import numpy as np

from boltzcore.data.examples import Dataset
from boltzcore.measures.activity import activities
from boltzcore.measures.measure import SHARE, Figures, MeasureContext, measure
from boltzcore.models import RBM, InfiniteRBM
from boltzcore.threads import beside, one_for_blas
from boltzcore.ticks import portion

C = 1.0  # of scikit-learn: the squared weights cost |w|**2 / (2 C) besides the log-losses of all rows
MOST = 1_000  # iterations of L-BFGS


@measure(
    {f"{split}_classification_error": SHARE for split in ("validation", "test")},
    lower=True,
    all_rows=True,
    libraries=("scikit-learn", "scipy"),
    about="The error rate on held-out rows of a logistic regression from hidden-unit probabilities to labels. Omitted "
    "for data without labels.",
)
def classification_error(model: RBM | InfiniteRBM, rows: Dataset, context: MeasureContext) -> Figures:
    """Share of held-out rows whose label logistic regression on E[h|v] misses (Ping, Liu and Ihler 2016, figure 2).

    scikit-learn's multinomial `LogisticRegression` (L-BFGS, C = 1, at most 1,000 iterations) learns from all training
    rows what label goes with the probabilities that hidden units are on; of a machine with counts each unit is taken
    once. They are not standardised: all are shares from 0 to 1, and a unit that is hardly ever on would be read mostly
    by its noise. Nothing is given of data without labels, or of a model without hidden units.
    50,000 rows of 784 pixels and 500 units take some 10 seconds of one processor, and at 1,000 iterations four times as
    much. It ticks meanwhile; scikit-learn cannot be interrupted, and where a tick raises it comes to its end unheard.
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
    learner = beside(_learner, context.tick)
    with one_for_blas(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # after the last iteration the fit is near enough
        beside(lambda: learner.fit(answers["train"], given["train"], sample_weight=rows.train.weight), context.tick)
    return {
        f"{name}_classification_error": splits[name].average(learner.predict(answers[name]) != given[name])
        for name in tested
    }


def _learner() -> Any:
    from sklearn.linear_model import LogisticRegression  # takes a second to import

    return LogisticRegression(C=C, max_iter=MOST)
