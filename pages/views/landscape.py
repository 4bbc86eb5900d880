"""The states of a small model, of whatever kind: all of them as a map, and one taken apart."""

from pages.figures import landscape
from pages.figures.frame import Item, Panel, ViewInputs
from pages.views.equilibrium import light_of

ABOUT = (
    "Every state that the visible units can be in, hidden units summed out, is a cell of this map: a step from one "
    "cell to the next turns one unit on or off. The square in a cell is as large as the state is probable by "
    "the model, the frame as large as its share of the training rows: a model that has learnt its data fills each "
    "frame, and nothing else. The edges show which units are on. Click a state, or the units, to turn them on "
    "and off, and see minus the free energy F, and how probable it is that each unit is on if it alone is "
    "drawn anew. The lower F, the more probable the state: e to the power of -F, divided by Z, the sum of that over "
    "all states."
)


def every_state(inputs: ViewInputs) -> tuple[Item, ...]:
    """The panel of a training of a small model; none of a larger one, or before there is a model."""
    snapshot = inputs.snapshot
    if snapshot.prepared is None or snapshot.state is None:
        return ()
    dataset, light = snapshot.prepared.dataset, light_of(inputs)
    found = snapshot.state.model.landscape()
    if found is None or dataset.train.gray:  # the data are in no states, but in shades between them
        return ()

    def panel() -> Panel:
        rest = f", {2**found.n_visible:,} in all"
        drawn, mass = landscape.states_of(found, dataset), landscape.mass(found, dataset)
        return Panel("Every state", drawn, rest, ABOUT, mass, light=light)

    of = *inputs.parameter_sources, light.word if light else "", light.when if light else ""
    return (Item("landscape", (*of, dataset), panel, "rows"),)
