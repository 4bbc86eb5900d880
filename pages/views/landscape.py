"""The states of a small model: all of them as a map, and the energy landscape with points that move on it."""

from pages.figures import landscape, terrain
from pages.figures.frame import Choice, Item, Panel, ViewInputs
from pages.views.equilibrium import light_of

ABOUT = (
    "Each cell of this map is a state of the visible units, with hidden units summed out; neighbouring cells differ in "
    "one unit. The size of the square is the probability of the state under the model, the size of the frame its share "
    "of the training rows: a model that has learnt its data fills each frame and nothing else. The edges show which "
    "units are on. Click a state, or the units, to see minus the free energy F, and the probability that each unit is "
    "on if it alone is resampled. The lower F, the more probable the state: its probability is e to the power of -F, "
    "the unnormalised probability, divided by Z, the sum of these over all states."
)


def every_state(inputs: ViewInputs) -> tuple[Item, ...]:
    """Return the panel of a small model's states; () for a larger one, or before there is a model."""
    snapshot = inputs.snapshot
    if snapshot.prepared is None or snapshot.state is None:
        return ()
    dataset, light = snapshot.prepared.dataset, light_of(inputs)
    found = snapshot.state.model.landscape()
    if found is None or dataset.train.gray:  # the data are gray, between the states
        return ()

    def panel() -> Panel:
        rest = f", {2**found.n_visible:,} in all"
        drawn, mass = landscape.states_of(found, dataset), landscape.mass(found, dataset)
        return Panel("Every state", drawn, rest, ABOUT, mass, light=light)

    of = *inputs.parameter_sources, light.word if light else "", light.when if light else ""
    return (Item("landscape", (*of, dataset), panel, "rows"),)


ACROSS, UP = "across", "up"  # choices
OFFERED = 20  # rows to choose the two of the map from
TERRAIN = (
    "The ground is low where states are probable: the height of a cell is \N{MINUS SIGN}T log of the summed "
    "probability of its states, exact. The states of a cell agree in equally many units with the first of two rows of "
    "the data, and with the second; states of three units are corners of a cube. Points move by Gibbs steps. The "
    "temperature T divides all energies; the model learns at T = 1. A false valley is a local minimum outside the data."
)


def energy_landscape(inputs: ViewInputs) -> tuple[Item, ...]:
    """Return the panel of a small machine's energy landscape; () for other models, or before there is a model."""
    snapshot = inputs.snapshot
    if snapshot.prepared is None or snapshot.state is None or snapshot.prepared.dataset.train.gray:
        return ()
    dataset, model = snapshot.prepared.dataset, snapshot.state.model
    if model.n_visible > terrain.MOST:
        return ()
    rows, share = terrain.rows_of(dataset)
    if not terrain.drawable(model, len(rows)):
        return ()
    options = {str(k): f"{'Pattern' if dataset.shape else 'Row'} {k + 1}" for k in range(min(len(rows), OFFERED))}
    asked = inputs.chosen.get(ACROSS, ""), inputs.chosen.get(UP, "")
    across = asked[0] if asked[0] in options else "0"
    up = asked[1] if asked[1] in options and asked[1] != across else "1" if across == "0" else "0"

    def panel() -> Panel:
        chosen = [int(across), int(up)] if len(rows) > 1 else [0]
        pick = [*chosen, *(k for k in range(len(rows)) if k not in chosen)]
        columns, names = dataset.shape[1] if dataset.shape else 0, [options[str(k)] for k in chosen]
        drawn = terrain.terrain_of(model, rows[pick], names, share=share[pick], columns=columns)
        cube = model.n_visible == terrain.CUBE
        choices = () if cube else (Choice(ACROSS, "Across", options, across), Choice(UP, "Up", options, up))
        return Panel("Energy landscape", drawn, ", exact", TERRAIN, choices=choices)

    return (Item("terrain", (*inputs.parameter_sources, dataset, across, up), panel, "rows"),)
