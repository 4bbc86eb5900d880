"""Findings of scenes of three units, computed in place of a browser."""

import math
from random import Random

from pages.figures.three_units import PAIRS, STATES, ThreeUnits
from pages.lessons.three_units import FEW, LONG, MANY, RATE, WIDEST, Did, ThreeUnitsScene


def found(scene: ThreeUnitsScene, seed: int) -> Did:
    """Return what a visitor finds by this random seed."""
    random = Random(seed)
    if scene.act == "sample":
        gaps = [largest_gap(scene.machine, draws, random) for draws in (FEW, MANY + FEW)]
        return Did(scene.machine, draws=MANY + FEW, early=gaps[0], gap=gaps[1])
    if scene.act == "learn":
        return climb(scene.machine, scene.rows)
    by = random.uniform(0.7, 1.0) * WIDEST
    turned = (with_value(scene.machine, scene.free[0], sign * by) for sign in (1, -1))
    return next(did for machine in turned if scene.enough(did := Did(machine, turned=True)))


def with_value(machine: ThreeUnits, parameter: int, value: float) -> ThreeUnits:
    theta = [*machine.b, *machine.w]
    theta[parameter] = round(value, 1)
    return ThreeUnits(tuple(theta[:3]), tuple(theta[3:]))


def largest_gap(machine: ThreeUnits, draws: int, random: Random) -> float:
    """Return the largest difference between shares of states in a Gibbs chain and their probabilities."""
    x, counts = [0, 0, 0], dict.fromkeys(STATES, 0)
    for _ in range(draws):
        unit = random.randrange(3)
        on, off = (machine.probabilities[STATES.index((*x[:unit], k, *x[unit + 1 :]))] for k in (1, 0))
        x[unit] = int(random.random() < on / (on + off))
        counts[tuple(x)] += 1
    return max(abs(counts[state] / draws - p) for state, p in zip(STATES, machine.probabilities, strict=True))


def climb(machine: ThreeUnits, rows: tuple[float, ...]) -> Did:
    """Return what steps of gradient ascent lead to, and whether the likelihood fell at one of them."""
    functions = [[*x, *(x[i] * x[j] for i, j in PAIRS)] for x in STATES]
    fell, before = False, -math.inf
    for _ in range(LONG):
        changes = [
            RATE * sum((q - p) * f[k] for q, p, f in zip(rows, machine.probabilities, functions, strict=True))
            for k in range(6)
        ]
        theta = [value + change for value, change in zip([*machine.b, *machine.w], changes, strict=True)]
        machine = ThreeUnits(tuple(theta[:3]), tuple(theta[3:]))
        after = sum(q * math.log(p) for q, p in zip(rows, machine.probabilities, strict=True) if q)
        fell, before = fell or after < before - 1e-9, after
    return Did(machine, climbed=LONG, fell=fell)
