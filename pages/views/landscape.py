"""The states of a small model, of whatever kind: all of them as a map, and one taken apart."""

from pages.figures import landscape
from pages.figures.frame import Item, Panel, ViewInputs
from pages.views.equilibrium import light_of

ABOUT = (
    "Each cell of this map is a state of the visible units, with hidden units summed out; neighbouring cells differ in "
    "one unit. The size of the square is the probability of the state under the model, the size of the frame its share "
    "of the training rows: a model that has learnt its data fills each frame and nothing else. The edges show which "
    "units are on. Click a state, or the units, to see minus the free energy F, and the probability that each unit is "
    "on if it alone is resampled. The lower F, the more probable the state: its probability is e to the power of -F, "
    "the unnormalised probability, divided by Z, the sum of that over all states."
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
