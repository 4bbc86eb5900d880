"""Base of the estimators: their checks, their training, and the fields of a learner as their parameters."""

import dataclasses
import math
import numbers
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator
from sklearn.callback import CallbackSupportMixin, with_callbacks
from sklearn.utils import ClassifierTags, Tags, check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from boltzcore.data.examples import Examples
from boltzcore.estimators.coded_columns import CodedColumns
from boltzcore.learners import Learner
from boltzcore.learners.base import State, flat_fields
from boltzcore.learners.batches import MinibatchLearner, updates_per_epoch
from boltzcore.models.base import Model, Setup
from boltzcore.parameters import whole
from boltzcore.quoting import Refusal, quoted
from boltzcore.registry import MODELS, divergence_advice, entry, info_of, learners_of
from boltzcore.training.stopping import overflow

_FIELD = "learner__"
_MOST_SEED = 2**31 - 1  # largest random seed


def incremental(estimator: "Estimator") -> bool:
    """Return True if it learns by mini-batches, and so also from rows that come in parts."""
    return isinstance(estimator._checked_learner(), MinibatchLearner)


@dataclass(kw_only=True, eq=False, repr=False)
class Estimator(CallbackSupportMixin, CodedColumns, BaseEstimator):
    """Base class of the estimators.

    NAME : name of the model in the registry
    USUAL : name of the default learner

    Columns of X hold numbers, which are codes from 0 on, or strings, booleans or pandas categoricals, which get codes
    in the order of `categories_`. If `fit` saw one value of such a column alone, all others count as its second value,
    which comes out of `sample` as missing.

    Common parameters:

    learner : the name of a learner of the model (`boltzcore.registry.learners_of`), or one with other fields, such as
        `CD(K=10)`; None for the usual one, `USUAL`. Its fields are parameters, too: `set_params(learner__rate=0.1)`
    max_iter : passes over the rows; of learners that have no mini-batches, their own updates. None for the length that
        the learner asks for
    binarize : numbers above it are on, others off; None if all are 0 or 1
    categories : "auto", or a list of the values of each column, as in OrdinalEncoder; None in it leaves a column to
        the data
    warm_start : True if `fit` starts from the parameters of the previous fit
    random_state : an int is the seed of the training, as in a `Recipe`; a RandomState, or None, draws one

    Attributes after `fit`:

    model_ : the model, of `boltzcore.models`
    n_iter_ : number of passes, or updates
    n_features_in_, feature_names_in_ : as in scikit-learn
    categories_ : for each column the values of its codes, as a pandas Index; None for numbers. Those of a categorical
        dtype, False and True, else those in `fit`, sorted
    classes_ : the labels of y, if `fit` had one that is predicted: an array, or a list of one for each output

    >>> from boltzcore.estimators import RestrictedBoltzmann
    >>> RestrictedBoltzmann(learner="CD").set_params(learner__K=10, max_iter=5).get_params()["learner__K"]
    10
    """

    NAME: ClassVar[str]
    USUAL: ClassVar[str]

    learner: str | Learner | None = None
    max_iter: int | None = None
    binarize: float | None = None
    categories: Any = "auto"
    warm_start: bool = False
    random_state: Any = None

    # -- parameters ---------------------------------------------------------------------------------------

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters; with `deep` also the learner's fields, as learner__rate and so on."""
        found: dict[str, Any] = super().get_params(deep=False)
        if deep:
            with suppress(Refusal):  # `fit` reports an invalid learner
                found |= {_FIELD + name: value for name, value in self._checked_learner().values().items()}
        return found

    def set_params(self, **params: Any) -> Self:
        """Set parameters by name, including the learner's fields. Raises ValueError for an unknown name or an invalid
        value of a field.
        """
        fields = {name.removeprefix(_FIELD): params.pop(name) for name in list(params) if name.startswith(_FIELD)}
        super().set_params(**params)
        if fields:
            self.learner = self._checked_learner().changed(**fields)
        return self

    def _checked_learner(self) -> Learner:
        """Return the learner. Raises ValueError if it does not belong to the model."""
        fitting, asked = learners_of(self.NAME), self.USUAL if self.learner is None else self.learner
        if isinstance(asked, str):
            return entry(fitting, "learner", asked).learner()
        if not isinstance(asked, Learner) or type(asked).__name__ not in fitting:
            raise Refusal(f"learner must be one of {', '.join(fitting)}, or its name, not {quoted(asked)}.", "learner")
        return asked

    def _seed(self) -> int:
        if isinstance(self.random_state, numbers.Integral):
            return whole("random_state", self.random_state, 0, _MOST_SEED)
        return drawn_seed(self.random_state)

    def _setup(self) -> Setup:
        """Return size and initial values of the model."""
        found: Setup = MODELS[self.NAME].setup()
        return found

    # -- rows -----------------------------------------------------------------------------------------------

    def _examples(self, X: Any, y: Any, *, reset: bool) -> Examples:
        """Return the rows to learn from."""
        return Examples(self._rows(X, reset=reset))

    # -- training -------------------------------------------------------------------------------------------

    @with_callbacks
    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Fit the model to rows, (n_samples, n_features). A model of outputs takes them as y, (n_samples,) or
        (n_samples, n_outputs); others ignore y. Raises ValueError if they are invalid, or the training diverges.
        """
        return self._fit(X, y)

    def _fit(self, X: Any, y: Any) -> Self:
        data, learner, seed = self._examples(X, y, reset=True), self._checked_learner(), self._seed()
        if check := info_of(learner).check:
            check(learner, data)
        before = self._warm_start(data)
        state = learner.start(self._setup().initial(data, seed=seed, before=before), data, seed=seed)
        length = updates_per_epoch(learner, data)
        passes = self._passes(learner, length)
        context = self._init_callback_context(max_subtasks=passes)
        context.call_on_fit_task_begin(estimator=self, X=X, y=y)
        # Only callbacks need control between passes; otherwise one call makes all passes.
        at_once = 1 if getattr(self, "_skl_callbacks", ()) else passes
        done = 0
        while done < passes and not state.done:
            task = context.subcontext(task_name=f"pass {done}")
            task.call_on_fit_task_begin(estimator=self, X=X, y=y)
            state = _advance(learner, state, data, at_once * length)
            done += at_once
            fitted = partial(self._fit_attributes, state, data, length)
            if task.call_on_fit_task_end(estimator=self, X=X, y=y, reconstruction_attributes=fitted):
                break
        self._keep(self._fit_attributes(state, data, length), data)
        context.call_on_fit_task_end(estimator=self, X=X, y=y, reconstruction_attributes={})
        return self

    def _warm_start(self, data: Examples) -> Any:
        """Return the model from which a fit continues; None for a new start. Raises ValueError if it cannot."""
        if not isinstance(self.warm_start, bool | np.bool_):
            raise ValueError(f"warm_start must be True or False, not {quoted(self.warm_start)}.")
        if not self.warm_start or not hasattr(self, "model_"):
            return None
        before, wanted = self.model_, getattr(self, "n_hidden", None)
        if wanted is not None and before.n_hidden != wanted:
            raise ValueError(
                f"n_hidden must be {before.n_hidden}, as in the fit that warm_start continues, not {wanted}: set "
                "warm_start=False to start again."
            )
        if before.n_visible != data.n_visible:
            raise ValueError(
                f"The fit that warm_start continues had rows of {before.n_visible} values, these have "
                f"{data.n_visible}: set warm_start=False to start again."
            )
        return before

    def _passes(self, learner: Learner, length: int) -> int:
        if self.max_iter is not None:
            return whole("max_iter", self.max_iter, 0, 10**9)
        number, unit = info_of(learner).length
        return number if unit == "epochs" else math.ceil(number / length)

    def _keep(self, fitted: dict[str, Any], data: Examples) -> None:
        """Set the fitted attributes, for this data."""
        for name, value in fitted.items():
            setattr(self, name, value)

    def _fit_attributes(self, state: State, data: Examples, length: int) -> dict[str, Any]:
        """Return the fitted attributes for a State."""
        return {"model_": state.model, "n_iter_": math.ceil(state.count / length), "_seed_": state.seed} | (
            {"_state": state.copy()} if incremental(self) else {}
        )

    @available_if(incremental)
    def partial_fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Make one more pass, over these rows, for learners with mini-batches, whose chains continue while batches have
        the same size.
        """
        first = not hasattr(self, "_state")
        data, learner = self._examples(X, y, reset=first), self._checked_learner()
        seed, length = self._seed() if first else self._seed_, updates_per_epoch(learner, data)
        model: Model = self._setup().initial(data, seed=seed) if first else self.model_
        state, passes = learner.start(model, data, seed=seed), 1 if first else self.n_iter_ + 1
        if not first:
            at = -(-self._state.count // length) * length  # start of a pass without random numbers so far
            kept = self._state if _shapes(self._state) == _shapes(state) else state
            state = dataclasses.replace(kept, count=at, batches=None)
        state = _advance(learner, state, data, length)
        self._keep(self._fit_attributes(state, data, length), data)
        self.n_iter_ = passes
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        if getattr(self, "_flat", False):  # scorers take the column of a class from `predict_proba`
            tags.estimator_type, tags.classifier_tags = "classifier", ClassifierTags()
        return tags

    def _checked(self, X: Any) -> NDArray:
        """Return rows for the model. Raises NotFittedError before fit, ValueError if their columns do not fit."""
        check_is_fitted(self)
        return self._rows(X)


def drawn_seed(random_state: Any) -> int:
    """Return a seed from an int, a RandomState or None."""
    return int(check_random_state(random_state).randint(_MOST_SEED))


def hidden_units(n_hidden: Any, setup: type[Setup]) -> int:
    """Return a valid number of hidden units for a setup. Raises Refusal naming n_hidden."""
    declared = setup.named("hidden")
    return whole("n_hidden", n_hidden, int(declared.low or 1), int(declared.high or 1))


def _advance(learner: Learner, state: State, data: Examples, updates: int) -> State:
    state = learner.advance(state, data, updates=updates)
    if wrong := overflow(learner, state):
        raise ValueError(f"The training diverged: {wrong}. Try {divergence_advice(learner)}.")
    return state


def _shapes(state: State) -> Any:
    """Return the type of a State and the shapes of what its learner carries on."""
    return type(state), {name: np.shape(value) for name, value in flat_fields(state).items()}
