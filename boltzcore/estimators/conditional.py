"""Conditional RBM, which predicts many outputs together."""

from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.callback import with_callbacks
from sklearn.utils import Tags
from sklearn.utils.validation import check_array, check_consistent_length, check_is_fitted, check_X_y

from boltzcore.data.examples import Examples
from boltzcore.estimators.base import Estimator, hidden_units
from boltzcore.inference import Inference, annealed_importance_sampling
from boltzcore.inference.samples import marginals, sums_over_states
from boltzcore.models import CRBM, CRBMSetup, enumeration
from boltzcore.models.base import Setup
from boltzcore.registry import info_of


@dataclass(kw_only=True, eq=False, repr=False)
class ConditionalRestrictedBoltzmann(Estimator):
    """A conditional RBM (`boltzcore.models.CRBM`): outputs of two labels each, given real inputs.

    Parameters: n_hidden, the number of hidden units; sigma, the standard deviation of their weights at the start;
    input_weight, the weight from each input to its own output at the start, which is for inputs that are damaged
    copies of the outputs (4 in the project's studies); and those of `Estimator`, with binarize of the outputs. The
    usual learner is `BeliefPropagationMLE()`.

    >>> import numpy as np
    >>> from boltzcore.data import flip, load
    >>> from boltzcore.estimators import ConditionalRestrictedBoltzmann
    >>> Y = np.repeat(load("bars-and-stripes").train.v, 20, axis=0)
    >>> X = flip(Y, 0.1, seed=0)
    >>> machine = ConditionalRestrictedBoltzmann(16, learner="ConditionalCD", input_weight=4.0, max_iter=100)
    >>> bool(machine.fit(X, Y).score(X, Y) > np.mean(X == Y))
    True
    """

    NAME: ClassVar[str] = "crbm"
    USUAL: ClassVar[str] = "BeliefPropagationMLE"

    n_hidden: int = field(default=64, kw_only=False)
    sigma: float = 0.01
    input_weight: float = 0.0

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.target_tags.multi_output = True
        tags.target_tags.single_output = False
        return tags

    @with_callbacks
    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Fit to inputs (n_samples, n_features), finite numbers or columns of two values, and outputs (n_samples,
        n_outputs). Raises ValueError if they are invalid.
        """
        return self._fit(X, y)

    def _examples(self, X: Any, y: Any, *, reset: bool) -> Examples:
        inputs = self._inputs(X, reset=reset)
        check_X_y(inputs, y, multi_output=True, estimator=self)
        answers = self._answers(y, reset=reset)
        if (answers >= [len(each) for each in self._classes]).any():  # a second label, after a first fit to one alone
            raise ValueError("y must hold in every row a label that was in fit: classes_ has them.")
        return Examples(answers, inputs)

    def _answers(self, y: Any, *, reset: bool = False) -> NDArray[np.uint8]:
        """Return outputs as 0 and 1, (n_samples, n_outputs). Raises ValueError for values unseen in fit."""
        if self.binarize is not None:
            y = self._as_codes(check_array(y, ensure_2d=False, input_name="y"), "y")
        return self._labels(y, reset=reset).astype(np.uint8)

    def _setup(self) -> Setup:
        hidden = hidden_units(self.n_hidden, CRBMSetup)
        return CRBMSetup(hidden=hidden, sigma=self.sigma, input_weight=self.input_weight)

    def _inputs(self, X: Any, *, reset: bool = False) -> NDArray[np.float32]:
        """Return X as numbers, (n_samples, n_features), with codes in other columns. Raises ValueError if invalid."""
        if not reset:
            check_is_fitted(self)
        rows: NDArray = check_array(self._table(X, reset=reset), estimator=self, input_name="X")
        self._check_seen(X, np.where([each is None for each in self.categories_], 0, rows))
        return rows.astype(np.float32)

    def _inference(self) -> Inference:
        """Return the inference that the learner trains for."""
        learner = self._checked_learner()
        inference = info_of(learner).inference
        return inference(learner, float(self.n_iter_)) if inference else Inference()

    def _marginals(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return p(output = its second label | inputs), (n_samples, n_outputs); 0 if `fit` had one label alone."""
        inputs, model, inference = self._inputs(X), self.model_, self._inference()
        if inference.kind in ("sum-product", "mean field") and sums_over_states(model.given(inputs[0])):
            found = np.array([[law[1] for law in marginals(model.given(row))] for row in inputs])
        else:
            found = np.asarray(inference.infer(model, inputs).v, np.float64)
        return np.where([len(each) > 1 for each in self._classes], found, 0.0)

    def predict_proba(self, X: ArrayLike) -> NDArray[np.float64]:
        """Return p(class | inputs) of each of `classes_`, (n_samples, n_classes), if y was one column, else p(output =
        its second label | inputs) of each output, (n_samples, n_outputs), as MLPClassifier does.

        Exact if there are at most 20 outputs or 20 hidden units, and the sum over their states takes at most 2**26
        factors: up to a second per row. Otherwise by the learner's inference, belief propagation or mean field: with
        weights of standard deviation 4 it was off by up to .155. LSSVM and MSSVM use theirs, without probabilities.
        """
        p = self._marginals(X)
        return np.column_stack([1 - p, p])[:, : len(self.classes_)] if self._flat else p

    def predict(self, X: ArrayLike) -> NDArray:
        """Return each output's more probable label, in the shape of y."""
        return self._as_labels((self._marginals(X) > 0.5).astype(np.int64))

    def most_likely(self, X: ArrayLike) -> NDArray:
        """Return the jointly most probable outputs, by mixed-product belief propagation, in the shape of y."""
        joint = self._inference().changed(kind="mixed-product").infer(self.model_, self._inputs(X))
        return self._as_labels((np.asarray(joint.v) > 0.5).astype(np.int64))

    def log_likelihood(self, X: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
        """Return log p(outputs | inputs), (n_samples,), nats: exact if one layer has at most 25 units, else with log Z
        of each row estimated by annealed importance sampling, which takes long.
        """
        x, v = self._inputs(X), self._answers(y)
        check_consistent_length(x, v)
        model: CRBM = self.model_
        if min(model.W.shape) <= enumeration.LIMIT:
            return model.log_likelihood(v, x)
        rbms = [model.given(row) for row in x]
        found = [annealed_importance_sampling(each, base=np.clip(each.b, -7, 7), seed=self._seed_) for each in rbms]
        energies = [each.free_energy(row[None])[0] for each, row in zip(rbms, v, strict=True)]
        return -np.array(energies) - np.array([log_z.value for log_z in found])

    def score(self, X: ArrayLike, y: ArrayLike) -> float:
        """Return the share of outputs that `predict` gets right."""
        predicted, answers = self._marginals(X) > 0.5, self._answers(y)
        check_consistent_length(predicted, answers)
        return float(np.mean(answers == predicted))
