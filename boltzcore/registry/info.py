"""Facts about learners for forms, pages and commands, as data, and what entries of several kinds share."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from boltzcore.inference import Inference
from boltzcore.learners import Learner
from boltzcore.learners.base import lower_rate
from boltzcore.models.base import FEW_ROWS


@dataclass(frozen=True)
class Suggestion:
    """Settings of a first training on data with fewer than `rows` rows and at most `columns` columns.

    length : number of updates, with a record after each `every`
    fields : fields of the learner that differ from their defaults
    """

    length: int
    every: int = 1
    fields: Mapping[str, Any] = field(default_factory=dict)
    rows: float = float("inf")
    columns: float = float("inf")


@dataclass(frozen=True)
class LearnerInfo:
    """A learner as people and forms need it.

    The sentences `cost`, `operations`, `stop_reason` and `advice` may name fields of the learner: {K} is its value of
    K, a text if it may be a fraction, and {gibbs_steps} the product of the fields that `gibbs_steps` lists. Functions
    are None if there is nothing to do or to say; those with a parameter `data` take Examples or an array of rows.

    learner : its class
    title, source : its name, with its short name in brackets at the end (a figure takes the place of -K), and its
        papers, which `papers/citations.py` lists
    about : what an update does, in a sentence or two
    family : learners of one family share a hue
    models : names of the models in the registry that it fits
    cost : what an update costs
    operations : which multiplications and additions `State.operations` counts
    stop_reason : why a training ends by the learner's own rule; "" if it has no such rule
    advice : what may help after a divergence, each as the object of "Try", or learner -> that, "" for none
    units : {figure: its unit} of what it leaves in a State's `figures` and of its `estimates`
    length : (number, "epochs" or "updates") of a training whose length is not given; one that ends by a rule of its own
        asks for as much as that may take
    suggested : settings of a first training, chosen so that it visibly learns; the first that fits the data counts
    gibbs_steps : fields whose product is the number of Gibbs steps of each chain in an update; None if there are no
        chains to compare
    keeps_chains : its States have `chains_of_model`, at the latest once it is under way
    hidden_units : False if its model has some and it makes no use of them
    check : (learner, data, names=, tick=); raises Refusal if such rows cannot be learnt from
    data_warning : (data, names=, tick=) -> warning about rows, shown before a training; "" for none
    memory : (learner, n_visible, n_hidden) -> bytes that a training carries, data and parameters not counted
    max_new_units : (learner, updates) -> hidden units that it puts into a model at most; inf if they may count a
        fraction
    divergence_sign : (learner, state) -> sign that parameters are beyond reason though finite, as the beginning of a
        sentence; "" for none
    divergence_fix : learner -> (field that may change while it runs, value to go on with after a divergence), or None
    inference : (learner, epoch) -> the inference that predicts with the model at this epoch
    estimates : (learner, state, tick=) -> figures that are too costly for every State, for records in full
    observe : (learner, state, data) -> arrays of the latest update that a page draws
    """

    learner: type[Learner]
    title: str
    source: str
    about: str
    family: str
    models: tuple[str, ...]
    cost: str = ""
    operations: str = ""
    stop_reason: str = ""
    advice: tuple[str | Callable[[Any], str], ...] = ()
    units: Mapping[str, str] = field(default_factory=dict)
    length: tuple[int, str] = (50, "epochs")
    suggested: tuple[Suggestion, ...] = ()
    gibbs_steps: tuple[str, ...] | None = None
    keeps_chains: bool = False
    hidden_units: bool = True
    check: Callable[..., None] | None = None
    data_warning: Callable[..., str] | None = None
    memory: Callable[[Any, int, int], int] | None = None
    max_new_units: Callable[[Any, int], float] | None = None
    divergence_sign: Callable[[Any, Any], str] | None = None
    divergence_fix: Callable[[Any], tuple[str, float] | None] | None = None
    inference: Callable[[Any, float], Inference] | None = None
    estimates: Callable[..., Mapping[str, float]] | None = None
    observe: Callable[[Any, Any, Any], Mapping[str, Any]] | None = None

    def suggestion(self, rows: int, columns: int) -> Suggestion:
        """Return the settings of a first training on this number of rows and columns."""
        fitting = (each for each in self.suggested if rows < each.rows and columns <= each.columns)
        return next(fitting, Suggestion(self.length[0]))


SMALLER_RATE = "a smaller rate than {rate}"
FEW_PIXELS = 100  # columns up to which an image is small, and a sweep takes well below a second


def minibatch_suggestions(**fields: Any) -> tuple[Suggestion, ...]:
    """Return suggestions for first trainings by mini-batches: few rows, whose updates are cheap, get more of them."""
    return Suggestion(10_000, 100, fields, rows=FEW_ROWS), Suggestion(3_000, 30, fields)


# Fields shared by the learners of a family.
MINIBATCHES: dict[str, Any] = {
    "models": ("rbm",),
    "advice": (SMALLER_RATE,),
    "divergence_fix": lower_rate,
    "suggested": minibatch_suggestions(),
}
