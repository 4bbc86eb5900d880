"""Presets of machines that choose the number of their units."""

from dataclasses import replace

from boltzcore.learners import CD, FrankWolfe
from boltzcore.models import InfiniteRBMSetup, RBMSetup
from boltzcore.runs.presets.preset import Preset
from boltzcore.runs.recipe import Recipe
from boltzcore.runs.schedule import Schedule

_INSERTING = Recipe(
    model=InfiniteRBMSetup(),
    data="digits",
    learner=FrankWolfe(correction="none", lambda_=0.025, steps=200, rate=0.2),
    schedule=Schedule(length=150, unit="updates", every=5, gap_limit=0.5),
)
_WHOLE_UNITS = Recipe(
    model=InfiniteRBMSetup(),
    data="bars-and-stripes",
    learner=FrankWolfe(correction="none", lambda_=0.01, restarts=10),
    schedule=Schedule(length=30, unit="updates"),
)
_AFTER_INSERTING = Recipe(
    model=RBMSetup(hidden=60),
    data="digits",
    learner=CD(rate=0.05, K=10, batch_size=50),
    schedule=Schedule(length=2_000, unit="updates", every=50),
    before=replace(_INSERTING, schedule=Schedule(length=60, unit="updates", every=5)),
)

PRESETS: dict[str, Preset] = {
    "units-arrive": Preset(
        "size",
        "How many units does it need?",
        "Nobody says how many. They come one by one while you watch, each where it helps most, until the model "
        "begins to learn its images by heart.",
        "Nobody says how many hidden units: each update inserts the one that helps most, and the gallery fills as "
        "you watch. The test curve rises steeply, then by less and less. Once new images fall too far behind those "
        "that it learns (the free-energy gap has risen above its line) the training stops itself, after more than "
        "100 units, and the ring on the dotted validation curve marks the size that it chooses.",
        _INSERTING,
    ),
    "whole-units": Preset(
        "size",
        "Is a whole unit too much?",
        "Each new unit comes in whole. Six of them help; then each one spoils what was there.",
        "The paper's step: each unit comes in whole, and counts once. The curve rises for six units, then falls, and "
        "the training pauses itself; press Play and it goes on, far below the base rate. Pin the curve, choose the "
        "preset “What if units count just enough?”, and play: both are drawn together.",
        _WHOLE_UNITS,
    ),
    "corrected-counts": Preset(
        "size",
        "What if units count just enough?",
        "The same search, but how much each unit counts is worked out anew each time. What it climbs never falls, "
        "and units that are no use leave.",
        "The same data, penalty and search as in “Is a whole unit too much?”, but after each insertion how often each "
        "unit counts, and all biases, are optimised anew: likelihood less penalty (J) never falls. Watch ghosts in "
        "the gallery: units whose count falls to 0 leave by themselves. Pin the curve, choose that preset, and play "
        "to see both.",
        replace(_WHOLE_UNITS, learner=_WHOLE_UNITS.learner.changed(correction="full")),
    ),
    "fw-then-cd": Preset(
        "size",
        "Does a good start pay?",
        "60 units found one by one, then trained on together: far ahead step by step, and behind by the clock.",
        "Frank-Wolfe inserts 60 units, and CD takes them over where they are. Pin the curve, choose the preset “What "
        "if it starts at random?”, and play: as many units, drawn at random. Per update the first is far ahead; "
        "choose Curves over: Seconds of training, and it is behind, for an insertion takes as long as hundreds of "
        "CD's updates.",
        _AFTER_INSERTING,
    ),
    "cd-from-random": Preset(
        "size",
        "What if it starts at random?",
        "60 units drawn at random and trained together, to be compared with “Does a good start pay?”.",
        "60 hidden units whose weights are drawn at random, and the same CD as in “Does a good start pay?”. Pin the "
        "curve, choose that preset, and play.",
        replace(_AFTER_INSERTING, before=None),
    ),
}
