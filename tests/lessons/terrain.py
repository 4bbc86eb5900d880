"""Findings of scenes on an energy landscape, computed in place of a browser."""

import numpy as np

from boltzcore.measures.landscape import states_of
from boltzcore.models.landscape import at_temperature
from pages.figures.terrain import LEARNS, MOST, TEMPERATURES, corners, group_states
from pages.lessons.terrain import COOLED, MANY, Did, TerrainScene


def found(scene: TerrainScene, seed: int) -> Did:
    """Return what a visitor finds by this random seed: turns the slider to the end, and presses each button."""
    rng, model = np.random.default_rng(seed), scene.of.machine
    units, t = model.n_visible, len(TEMPERATURES) - 1 if scene.free else scene.t
    starts = rng.integers(2**units, size=scene.points) if scene.start is None else np.full(scene.points, scene.start)
    x = 2 * (starts[:, None] >> np.arange(units) & 1) - 1
    free = model.landscape(MOST).free_energies
    deepest, deep = np.flatnonzero(free <= free.min() + 1e-6), {}
    cold = [(0, COOLED)] * len(TEMPERATURES)
    for act, plan in (("Quench", cold), ("Anneal", [(k, COOLED) for k in reversed(range(len(TEMPERATURES)))])):
        if act in scene.acts:
            y = rng.choice((-1, 1), x.shape)
            for k, steps in plan:
                list(walk(model, y, TEMPERATURES[k], steps, rng))
            deep[act] = int(np.isin(states_of(y), deepest).sum())
    free = at_temperature(model, TEMPERATURES[LEARNS]).landscape(MOST).free_energies
    drawn = group_states(free, states_of(scene.of.rows), scene.of.names) if scene.of.names else corners()
    groups = [np.array(states) for _, states in drawn]  # the states of each row of the table
    law = at_temperature(model, TEMPERATURES[t]).landscape(MOST).probabilities
    p = np.array([law[states].sum() for states in groups])
    counts = np.zeros(len(groups))
    for now in walk(model, x, TEMPERATURES[t], MANY, rng):
        counts += [np.isin(now, states).sum() for states in groups]
    q = counts / (MANY * len(x))
    at = next((k for k, states in enumerate(groups) if states_of(x)[0] in states), len(groups))
    distance = np.abs(np.append(p - q, q.sum() - p.sum())).sum() / 2
    return Did(t, MANY, tuple(q), distance, at, deep)


def walk(model, x, temperature, steps, rng):
    """Yield the states of the points after each step, in which one unit of each is drawn anew."""
    each = np.arange(len(x))
    for _ in range(steps):
        unit = rng.integers(model.n_visible, size=len(x))
        field = (model.M[unit] * x).sum(axis=1) + model.b[unit]
        x[each, unit] = np.where(rng.random(len(x)) < 1 / (1 + np.exp(-2 * field / temperature)), 1, -1)
        yield states_of(x)
