"""The axis that curves of trainings are drawn over, to the end of the training."""

from collections.abc import Sequence
from dataclasses import dataclass

from boltzcore.plotting import drawing
from boltzcore.plotting.drawing import Figure
from boltzcore.training.loop import Record

ALONG = "along"  # the key in a figure's layout that names its axis, if that is one of `drawing.AXES`
POINTS = 1000  # of one line: more than a screen shows


@dataclass(frozen=True)
class Along:
    """Axis that curves are drawn over.

    axis : one of `drawing.AXES`
    work : what the work of a State counts, in words (`registry.ModelEntry.work`)
    budget, updates_per_epoch : updates in the whole training and in an epoch; the axis reaches to the end from the
        first frame on
    """

    axis: str = "epochs"
    work: str = "Work"
    budget: int | None = None
    updates_per_epoch: int | None = None

    @property
    def title(self) -> str:
        """Text below the axis."""
        return drawing.axis_titles(self.work)[self.axis]

    def where(self, record: Record) -> float:
        """Place of a record on the axis."""
        return drawing.AXES[self.axis](record)

    def reach(self, *curves: Sequence[Record]) -> list[float]:
        """Return [0, end of the training], or a round number beyond the last record if the end is unknown; other
        curves' last records are inside.
        """
        records, *others = curves
        return [0.0, max([self._end(records), *(self.where(other[-1]) for other in others if other)])]

    def _end(self, records: Sequence[Record]) -> float:
        if not records:
            return 1.0
        last = records[-1]
        if self.axis != "seconds" and self.budget and last.count:
            return self.where(last) * self.budget / last.count
        if self.budget and self.axis == "updates":
            return float(self.budget)
        if self.budget and self.updates_per_epoch and self.axis == "epochs":
            return self.budget / self.updates_per_epoch
        return drawing.round_up(max(self.where(last), 1.0))

    def blank(self, y_title: str) -> Figure:
        """A figure without data over this axis."""
        figure = drawing.blank(self.title, y_title)
        figure["layout"]["uirevision"] = self.axis
        figure["layout"]["meta"] = {ALONG: self.axis}
        return figure


EPOCHS = Along()


def thin_out(records: Sequence[Record], *, of: int = 1) -> Sequence[Record]:
    """Return at most `POINTS` records and the last; the stride doubles, so that drawn points stay in place.

    of : lines in the figure, which have fewer points each if there are more than two: a figure is sent whole
    """
    stride, most = 1, POINTS * 2 // max(of, 2)
    while len(records) > stride * most:
        stride *= 2
    shown = list(records[::stride])
    if records and shown[-1] is not records[-1]:
        shown.append(records[-1])
    return shown
