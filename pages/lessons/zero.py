"""Lesson zero: what a Boltzmann machine is, with three units."""

from random import Random

from boltzcore.figures.three_units import STATES, ThreeUnits
from pages.lessons.lesson import Lesson, Question, Step
from pages.lessons.scripts import LONG, MANY, WIDEST
from pages.lessons.three_units import Did, ThreeUnitsScene, learnt, sampled

_START = ThreeUnits((0.4, -0.3, -0.6))
_COUPLED = ThreeUnits((0.4, -0.3, -0.6), (2.0, 0.0, 0.0))
_W12, _W13 = 3, 4  # the numbers of couplings among the parameters, after the three biases
_TURNED = 1.5  # as far as a coupling is to be turned
_ROWS = (0.4, 0.05, 0.05, 0.0, 0.0, 0.05, 0.05, 0.4)  # 000 and 111 are what is mostly seen
_REPELLED = (0.0, 0.1, 0.4, 0.0, 0.4, 0.1, 0.0, 0.0)  # units 1 and 2 are never on together
_OFF, _BOTH, _ENDS = (STATES.index(x) for x in ((0, 0, 0), (1, 1, 0), (1, 0, 1)))
_CLOSE = 0.05


def _turned(start: ThreeUnits, parameter: int, sign: int, random: Random) -> Did:
    theta = [*start.b, *start.w]
    theta[parameter] = round(sign * random.uniform(_TURNED, WIDEST), 1)
    return Did(ThreeUnits(tuple(theta[:3]), tuple(theta[3:])), turned=True)


def _value(did: Did, parameter: int) -> float:
    return (*did.machine.b, *did.machine.w)[parameter]


def _lowest(did: Did) -> int:
    """The number of the state of lowest energy."""
    return int(did.machine.energies.argmin())


def _coupling(name: str, sign: int, columns: tuple[str, ...], parameter: int = _W12) -> ThreeUnitsScene:
    return ThreeUnitsScene(
        name,
        _START,
        columns,
        enough=lambda did: did.turned and sign * _value(did, parameter) >= _TURNED,
        tried=lambda random: _turned(_START, parameter, sign, random),
        free=(parameter,),
    )


_ENERGY = Step(
    "Energy",
    "A **Boltzmann machine** is made of units that are off (0) or on (1). Three of them can stand in eight ways, its "
    "**states**: 000, 001, ... 111. Each state has a number, its **energy**: the lower, the more often the machine "
    "will show that state. Three sliders would set how much each unit likes to be on by itself (its bias), three more "
    "how much two units like to be on *together* (their coupling). Here only one coupling can be turned.",
    Question(
        "What will a positive coupling of units 1 and 2 do to the energy of the states in which both are on?",
        ("Raise it", "Lower it", "Nothing"),
    ),
    1,
    _coupling("energy", 1, ("energy",)),
    "Turn the coupling of units 1 and 2 up to at least 1.5, and watch the energies.",
    Question("Which state has the lowest energy now?", ("000", "100", "110", "111")),
    lambda did: {"000": 0, "100": 1, "110": 2, "111": 3}["".join(map(str, STATES[_lowest(did)]))],
    lambda did: did.machine.energies[_BOTH] < _START.energies[_BOTH] and _lowest(did) == _BOTH,
    "The coupling w₁₂ is taken off the energy of each state in which units 1 and 2 are both on, and of no other: 110 "
    "and 111 sink together, and 110 is the lowest. Each bias works the same way on its one unit. In short, the energy "
    "*E* of a state is *−(sum of the biases of units that are on) − (sum of the couplings of pairs that are on)*. Low "
    "energy means: units agree with their couplings.",
)
_WEIGHT = Step(
    "From energy to weight",
    "Low energy is to mean *often seen*. So each energy E is turned into a positive number, the **weight** of the "
    "state: exp(−E), which is the number e = 2.718… to the power −E. An energy of 0 has the weight 1, one of −1 the "
    "weight e.",
    Question(
        "The energy of a state sinks by 2. What happens to its weight?",
        ("It grows by 2", "It doubles", "It becomes more than seven times as large"),
    ),
    2,
    _coupling("weight", 1, ("energy", "weight")),
    "Turn the coupling up again, to at least 1.5, and watch how energy and weight of 110 move.",
    Question(
        "Compare 110 with 000, whose weight is 1. How large is the weight of 110 now?",
        ("Below 4", "From 4 to 20", "Above 20"),
    ),
    lambda did: 0 if (weight := did.machine.weight(_BOTH)) < 4 else 1 if weight <= 20 else 2,
    lambda did: (
        did.machine.weight(_BOTH) / _START.weight(_BOTH)
        > 7 ** ((_START.energies[_BOTH] - did.machine.energies[_BOTH]) / 2)
    ),
    "Each step of 1 down in energy multiplies the weight by e, about 2.72: so 2 steps by 7.4, and 4 steps by 55. "
    "Small differences of energy make large differences in how often states are seen.",
)
_PARTITION = Step(
    "One sum for all: the partition function",
    "To be probabilities the weights must add up to 1. So all eight are added, and each is divided by the sum, which "
    "is called the **partition function**, Z. The bar above the table is that sum: each piece is the weight of a "
    "state.",
    Question(
        "The coupling of units 1 and 2 is turned up. The weight of 000 stays at 1. What about its probability?",
        ("It stays", "It falls", "It rises"),
    ),
    1,
    _coupling("partition", 1, ("weight", "probability")),
    "Turn the coupling up to at least 1.5 and watch Z, and the probability of 000.",
    Question("What is the probability of 000 now?", ("Above 0.15", "From 0.05 to 0.15", "Below 0.05")),
    lambda did: 0 if (p := did.machine.probabilities[_OFF]) > 0.15 else 1 if p >= 0.05 else 2,
    lambda did: did.machine.probabilities[_OFF] < _START.probabilities[_OFF],
    "Z grew, for the weights of 110 and 111 grew, and every state is divided by it. A state's probability is the share "
    "of the bar that its piece takes, so whatever becomes more likely makes all else less likely. That is what makes "
    "Boltzmann machines hard: with 3 units Z has 8 pieces, with 30 units a billion, with 784 units (a small picture) "
    "more than there are atoms. Nobody can add up so many. So Z, and with it how probable the machine makes the data "
    "(the **likelihood**), can then only be *estimated*.",
)
_SAMPLING = Step(
    "Seeing states without adding up anything",
    "There is a way to see states as often as their probability says *without* Z: choose a unit, look only at the "
    "others, and switch it on with the probability that fits them; then the next. This is **Gibbs sampling**. The "
    "ratio of two states that differ in one unit does not need Z.",
    Question(
        "Units are flipped one at a time from 000 on, and it is counted how often each state comes. After some 5,000 "
        "flips, how will the counts compare with the probabilities?",
        (
            "They come close to them",
            "They stay near 000, where it began",
            "All eight states come about equally often",
        ),
    ),
    0,
    ThreeUnitsScene(
        "sampling",
        _COUPLED,
        ("probability",),
        enough=lambda did: did.early is not None and did.flips >= MANY,
        tried=lambda random: sampled(_COUPLED, random),
        act="sample",
    ),
    "Flip a few units one by one, then 20, then 5,000 times.",
    Question(
        "By how much are the counts off at most now? (It is said below the buttons.)",
        ("Less than 0.05", "From 0.05 to 0.15", "More than 0.15"),
    ),
    lambda did: 0 if did.gap < _CLOSE else 1 if did.gap <= 3 * _CLOSE else 2,
    lambda did: did.gap < _CLOSE and did.gap < did.early,
    "After a few flips the counts are far off, after thousands they are close: the chain forgets where it began. "
    "States that a machine makes up in this way are its **dreams**, and this is how every large machine on these "
    "pages dreams.",
)
_LEARNING = Step(
    "Why the curve on Train rises",
    "Now the machine is shown data: mostly 000 and 111. It learns by comparing. How often are two units on together "
    "in the data, and how often in its dreams? What is seen more than dreamt **pulls** a coupling up, what is dreamt "
    "more than seen **pushes** it down. The curve, which the page Train draws of every training, is the "
    "**log-likelihood**: the mean natural logarithm (ln) of the probability that the machine gives to the data. It is "
    "counted in **nats**: with one nat more, what was seen is 2.72 times as probable. Where all eight states are "
    "equally probable, it is ln ⅛ = −2.08 nats.",
    Question(
        "All couplings begin at 0. Which way will the coupling of units 1 and 2 go?",
        ("Up: they are on together more often in the data", "Down", "It stays at 0"),
    ),
    0,
    ThreeUnitsScene(
        "learning",
        ThreeUnits(),
        ("probability",),
        enough=lambda did: did.climbed >= LONG,
        tried=lambda random: learnt(ThreeUnits(), _ROWS),
        act="learn",
        rows=_ROWS,
    ),
    "Learn a few steps one by one and read the last table; then 100 steps.",
    Question("Did the log-likelihood ever fall on the way?", ("No, it rose at every step", "Yes, at times")),
    lambda did: int(did.fell),
    lambda did: not did.fell and did.machine.w[0] > 0,
    "A pull lowers the energy of what is seen, a push raises the energy of what is only dreamt. So the data's states "
    "get a larger share of Z, and the curve, which is made of their probabilities, rises. How far a coupling moves is "
    "just *seen minus dreamt*, which is the slope of the curve. Where both are equal, nothing moves any more: the "
    "machine dreams what it has seen. In large machines the dreams are samples, so the slope is a guess, and the "
    "curve trembles.",
)
_AGAIN_SIGN = Step(
    "Again: two units that shun each other",
    "As in the first step, but now the coupling of units 1 and 3 is turned **down**, below 0.",
    Question(
        "Which states will become rarer?",
        ("Those with 1 and 3 both off", "Those with 1 and 3 both on", "Those with just one of them on"),
    ),
    1,
    _coupling("again sign", -1, ("energy", "probability"), _W13),
    "Turn the coupling of units 1 and 3 down to −1.5 or less.",
    Question("Which of these states is rarest now?", ("000", "101", "110")),
    lambda did: min(range(3), key=lambda k: did.machine.probabilities[(_OFF, _ENDS, _BOTH)[k]]),
    lambda did: did.machine.probabilities[_ENDS] < _START.probabilities[_ENDS],
    "A negative coupling lifts the energy of the states in which both units are on, 101 and 111, and so they are seen "
    "less. All others gain a little, for Z has become smaller.",
    again=True,
)
_AGAIN_LEARNING = Step(
    "Again: other data",
    "In these data units 1 and 2 are never on together: 010 and 100 are what is mostly seen.",
    Question("Which way will the coupling of units 1 and 2 go?", ("Up", "Down", "It stays at 0")),
    1,
    ThreeUnitsScene(
        "again learning",
        ThreeUnits(),
        ("probability",),
        enough=lambda did: did.climbed >= LONG,
        tried=lambda random: learnt(ThreeUnits(), _REPELLED),
        act="learn",
        rows=_REPELLED,
    ),
    "Learn 100 steps.",
    Question(
        "What has become of the coupling of units 1 and 2? (Look at the last table.)",
        ("It is above 0", "It is below 0"),
    ),
    lambda did: int(did.machine.w[0] < 0),
    lambda did: did.machine.w[0] < 0 and not did.fell,
    "In the dream units 1 and 2 are on together at times, in the data never: the dream pushes the coupling down until "
    "it hardly happens any more.",
    again=True,
)

ZERO = Lesson(
    "What is a Boltzmann machine?",
    "Three units, eight states: energy, probability, dreaming and learning, with nothing left out.",
    "5 minutes",
    (_ENERGY, _WEIGHT, _PARTITION, _SAMPLING, _LEARNING, _AGAIN_SIGN, _AGAIN_LEARNING),
)
