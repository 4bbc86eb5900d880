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
from sklearn.utils import Tags, check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from boltzcore.data.examples import Examples
from boltzcore.estimators.coded_columns import CodedColumns
from boltzcore.learners import Learner
from boltzcore.learners.base import State
from boltzcore.learners.batches import MinibatchLearner, updates_per_epoch
from boltzcore.models.base import Model, Setup
from boltzcore.parameters import Refusal, whole
from boltzcore.quoting import quoted
from boltzcore.registry import MODELS, entry, info_of, learners_of
from boltzcore.training.stopping import overflow

_FIELD = "learner__"
_MOST_SEED = 2**31 - 1  # of those that are drawn


def incremental(estimator: "Estimator") -> bool:
    """Return True if it learns by mini-batches, and so also from rows that come in parts."""
    return isinstance(estimator._checked_learner(), MinibatchLearner)


@dataclass(kw_only=True, eq=False, repr=False)
class Estimator(CallbackSupportMixin, CodedColumns, BaseEstimator):
    """The base of the estimators.

    NAME : of the model, as the registry has it
    USUAL : the name of the learner where none is given

    Columns of X hold numbers, which are codes from 0 on, or strings, booleans or pandas categoricals, which get codes
    in the order of `categories_`. If `fit` saw one value of such a column alone, all others count as its second value,
    which comes out of `sample` as missing.

    Parameters that all have:

    learner : the name of a learner of the model (`boltzcore.registry.learners_of`), or one with other fields, such as
        `CD(K=10)`; None for the usual one, `USUAL`. Its fields are parameters, too: `set_params(learner__rate=0.1)`
    max_iter : passes over the rows; of learners that have no mini-batches, their own updates. None for the length that
        the learner asks for
    binarize : numbers above it are on, others off; None where all are 0 or 1
    categories : "auto", or a list of the values of each column, as in OrdinalEncoder; None in it leaves a column to
        the data
    warm_start : whether `fit` begins with the parameters of the fit before
    random_state : an int is the seed of the training, as in a `Recipe`; of a RandomState, or of None, one is drawn

    Attributes after `fit`:

    model_ : the model, of `boltzcore.models`
    n_iter_ : passes, or updates, that were made
    n_features_in_, feature_names_in_ : as scikit-learn has them
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
        """The parameters; with `deep` the learner's fields, too, as learner__rate and so on."""
        found: dict[str, Any] = super().get_params(deep=False)
        if deep:
            with suppress(Refusal):  # `fit` says what is wrong with a learner
                found |= {_FIELD + name: value for name, value in self._checked_learner().values().items()}
        return found

    def set_params(self, **params: Any) -> Self:
        """Set parameters by their names, the learner's fields among them. Raises ValueError naming one that there is
        not, or a field's value that is not allowed.
        """
        fields = {name.removeprefix(_FIELD): params.pop(name) for name in list(params) if name.startswith(_FIELD)}
        super().set_params(**params)
        if fields:
            self.learner = self._checked_learner().changed(**fields)
        return self

    def _checked_learner(self) -> Learner:
        """The learner. Raises ValueError where it is none of the model's."""
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
        """Size and start of the model."""
        found: Setup = MODELS[self.NAME].setup()
        return found

    # -- rows -----------------------------------------------------------------------------------------------

    def _examples(self, X: Any, y: Any, *, reset: bool) -> Examples:
        """Return the rows to learn from."""
        return Examples(self._rows(X, reset=reset))

    # -- training -------------------------------------------------------------------------------------------

    @with_callbacks
    def fit(self, X: ArrayLike, y: Any = None) -> Self:
        """Learn from rows, (n_samples, n_features); y is ignored. Raises ValueError where they cannot be learnt from,
        or where the training diverges.
        """
        return self._fit(X, y)

    def _fit(self, X: Any, y: Any) -> Self:
        data, learner, seed = self._examples(X, y, reset=True), self._checked_learner(), self._seed()
        if check := info_of(learner).check:
            check(learner, data)
        before = self._before(data)
        state = learner.start(self._setup().initial(data, seed=seed, before=before), data, seed=seed)
        length = updates_per_epoch(learner, data)
        passes = self._passes(learner, length)
        context = self._init_callback_context(max_subtasks=passes)
        context.call_on_fit_task_begin(estimator=self, X=X, y=y)
        # Only callbacks ask to stop between passes: else a call makes all of them.
        at_once = 1 if getattr(self, "_skl_callbacks", ()) else passes
        done = 0
        while done < passes and not state.done:
            task = context.subcontext(task_name=f"pass {done}")
            task.call_on_fit_task_begin(estimator=self, X=X, y=y)
            state = _advanced(learner, state, data, at_once * length)
            done += at_once
            fitted = partial(self._fitted, state, data, length)
            if task.call_on_fit_task_end(estimator=self, X=X, y=y, reconstruction_attributes=fitted):
                break
        self._keep(self._fitted(state, data, length), data)
        context.call_on_fit_task_end(estimator=self, X=X, y=y, reconstruction_attributes={})
        return self

    def _before(self, data: Examples) -> Any:
        """The model that a fit goes on from; None where it begins anew. Raises ValueError where that cannot be."""
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
        """Make these the attributes of what is fitted, to this data."""
        for name, value in fitted.items():
            setattr(self, name, value)

    def _fitted(self, state: State, data: Examples, length: int) -> dict[str, Any]:
        """The attributes of what a State has come to."""
        return {"model_": state.model, "n_iter_": math.ceil(state.count / length), "_seed_": state.seed} | (
            {"_state": state.copy()} if incremental(self) else {}
        )

    @available_if(incremental)
    def partial_fit(self, X: ArrayLike, y: Any = None) -> Self:
        """One more pass, over these rows: of learners with mini-batches, whose chains go on as long as batches are of
        one size.
        """
        first = not hasattr(self, "_state")
        data, learner = self._examples(X, y, reset=first), self._checked_learner()
        seed, length = self._seed() if first else self._seed_, updates_per_epoch(learner, data)
        model: Model = self._setup().initial(data, seed=seed) if first else self.model_
        state, before = learner.start(model, data, seed=seed), 0
        if not first:
            before = self.n_iter_
            at = -(-self._state.count // length) * length  # the beginning of a pass that no random number was drawn for
            kept = self._state if _alike(self._state, state) else state
            state = dataclasses.replace(kept, count=at, batches=None)
        state = _advanced(learner, state, data, length)
        self._keep(self._fitted(state, data, length), data)
        self.n_iter_ = before + 1
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        return tags

    def _checked(self, X: Any) -> NDArray:
        """Rows for what is fitted. Raises NotFittedError before, ValueError where they are not of its columns."""
        check_is_fitted(self)
        return self._rows(X)


def drawn_seed(random_state: Any) -> int:
    """A seed by an int, a RandomState or None."""
    return int(check_random_state(random_state).randint(_MOST_SEED))


def hidden_units(n_hidden: Any, setup: type[Setup]) -> int:
    """A number of hidden units that a setup takes. Raises Refusal naming n_hidden."""
    declared = setup.named("hidden")
    return whole("n_hidden", n_hidden, int(declared.low or 1), int(declared.high or 1))


def _advanced(learner: Learner, state: State, data: Examples, updates: int) -> State:
    state = learner.advance(state, data, updates=updates)
    if wrong := overflow(learner, state):
        advice = " or ".join(info_of(learner).advice) or "other settings"
        raise ValueError(f"The training diverged: {wrong}. Try {advice}.")
    return state


def _alike(one: State, other: State) -> bool:
    """Return True if arrays that two States of a learner carry on are of the same shapes."""
    if type(one) is not type(other):
        return False
    names = [field.name for field in dataclasses.fields(one) if isinstance(getattr(one, field.name), np.ndarray)]
    return all(np.shape(getattr(one, name)) == np.shape(getattr(other, name)) for name in names)
