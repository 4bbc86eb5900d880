"""The pseudo-likelihood of models whose units are all visible."""

from boltzcore.data.examples import Dataset
from boltzcore.measures.measure import NATS, SPLITS, Figures, MeasureContext, measure
from boltzcore.models import FVBM

# Those by which a model may be judged, best first: held-out rows before those that are learnt from.
MERIT = tuple(f"{split}_log_pseudo_likelihood" for split in ("validation", "train"))


@measure(
    {f"{split}_log_pseudo_likelihood": NATS for split in SPLITS},
    all_rows=True,
    title="pseudo-likelihood",
    about="How probable each column of a row is, given all others, as a natural logarithm, added up over the columns: "
    "exact, whatever the size of the model.",
)
def log_pseudo_likelihood(model: FVBM, rows: Dataset, context: MeasureContext) -> Figures:
    """Mean log-pseudo-likelihood of the rows of each split, nats per example: P_n / n of Nguyen and Wood 2016, eq. 2.1.

    The sum over the columns of how probable each is, given all others; exact, whatever the size of the model. It is
    that of all rows, for on a sample of them a training that climbs would not always rise.
    """
    figures = {}
    for name, split in rows.splits.items():
        few = split.distinct()
        figures[f"{name}_log_pseudo_likelihood"] = few.average(model.log_pseudo_likelihood(few.v, tick=context.tick))
    return figures
