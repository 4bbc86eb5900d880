"""Lesson zero: what a Boltzmann machine is, with three units."""

from pages.figures.three_units import STATES, ThreeUnits
from pages.lessons.lesson import Lesson, Question, Step
from pages.lessons.three_units import LONG, MANY, Did, ThreeUnitsScene

_START = ThreeUnits((0.4, -0.3, -0.6))
_COUPLED = ThreeUnits((0.4, -0.3, -0.6), (2.0, 0.0, 0.0))
_W12, _W13 = 3, 4  # the numbers of couplings among the parameters, after the three biases
_TURNED = 2.0  # as far as a coupling is to be turned
_ROWS = (0.4, 0.05, 0.05, 0.0, 0.0, 0.05, 0.05, 0.4)  # 000 and 111 are what is mostly seen
_REPELLED = (0.0, 0.1, 0.4, 0.0, 0.4, 0.1, 0.0, 0.0)  # units 1 and 2 are never on together
_OFF, _BOTH, _ENDS = (STATES.index(x) for x in ((0, 0, 0), (1, 1, 0), (1, 0, 1)))
_CLOSE = 0.05


def _value(did: Did, parameter: int) -> float:
    return (*did.machine.b, *did.machine.w)[parameter]


def _lowest(did: Did) -> int:
    """The number of the state of lowest energy."""
    return int(did.machine.energies.argmin())


def _coupling(
    name: str, sign: int, columns: tuple[str, ...], parameter: int = _W12, *, total: bool = False
) -> ThreeUnitsScene:
    return ThreeUnitsScene(
        name,
        _START,
        columns,
        enough=lambda did: did.turned and sign * _value(did, parameter) >= _TURNED,
        total=total,
        free=(parameter,),
    )


_ENERGY = Step(
    "Energy",
    "A **Boltzmann machine** is made of units that are off (0) or on (1). Three of them can stand in eight ways, its "
    "**states**: 000, 001, ... 111. Each state has a number, its **energy**: the lower, the more often the machine "
    "shows that state. Each unit has a **bias**, which says how much it likes to be on by itself. Here the biases are "
    "0.4, −0.3 and −0.6, the numbers at the circles. The bias of a unit that is on is taken off the energy: 001 has "
    "0 − (−0.6) = 0.6. Any two units have a **coupling**, which says how much they like to be on *together*. All three "
    "couplings are 0 at first, and one of them can be turned.",
    Question(
        "What will a positive coupling of units 1 and 2 do to the energy of the states in which both are on?",
        ("Raise it", "Lower it", "Nothing"),
    ),
    1,
    _coupling("energy", 1, ("energy",)),
    "Turn the coupling of units 1 and 2 up to 2 or more, and watch the energies.",
    Question("Which state has the lowest energy now?", ("000", "100", "110", "111")),
    lambda did: {"000": 0, "100": 1, "110": 2, "111": 3}["".join(map(str, STATES[_lowest(did)]))],
    lambda did: did.machine.energies[_BOTH] < _START.energies[_BOTH] and _lowest(did) == _BOTH,
    "The coupling of units 1 and 2, w₁₂ for short, is taken off the energy of each state in which both are on, and of "
    "no other: 110 and 111 sink together, and 110 is the lowest. It works as a bias does, but on two units at once. In "
    "short, the energy *E* of a state is *−(sum of the biases of units that are on) − (sum of the couplings of pairs "
    "that are on)*. Low energy means: the units stand as their biases and couplings like it.",
)
_UNNORMALISED = Step(
    "From energy to probability",
    "Low energy is to mean *often seen*. So each energy E is turned into a positive number, the **unnormalised "
    "probability** of the state: 2.718 to the power −E, written exp(−E). (The number 2.718... is called e.) An energy "
    "of 0 gives 1, an energy of −1 gives 2.718, an energy of 1 gives 1 / 2.718 = 0.37. Each step begins anew: the "
    "coupling is 0 again.",
    Question(
        "The energy of a state sinks by 2. What happens to its unnormalised probability?",
        ("It grows by 2", "It doubles", "It becomes more than seven times as large"),
    ),
    2,
    _coupling("unnormalised", 1, ("energy", "unnormalised")),
    "Turn the coupling up to 2 or more, and watch the state 110: its energy, and its exp(−E).",
    Question(
        "Compare 110 with 000, whose unnormalised probability is 1. How large is that of 110 now?",
        ("Below 4", "From 4 to 20", "Above 20"),
    ),
    lambda did: 0 if (found := did.machine.unnormalised(_BOTH)) < 4 else 1 if found <= 20 else 2,
    lambda did: (
        did.machine.unnormalised(_BOTH) / _START.unnormalised(_BOTH)
        > 7 ** ((_START.energies[_BOTH] - did.machine.energies[_BOTH]) / 2)
    ),
    "With a coupling of 2 the energy of 110 goes from −0.1 to −2.1, and exp(−E) from 1.11 to 8.17: more than seven "
    "times as much. Each step of 1 down in energy multiplies it by e, so 2 steps by 2.72 × 2.72 = 7.4, and 4 steps by "
    "55. Small differences of energy make large differences in how often states are seen.",
)
_PARTITION = Step(
    "One sum for all: the partition function",
    "Probabilities must add up to 1. So all eight unnormalised probabilities are added, and each is divided by "
    "the sum, which is called the **partition function**, Z. The bar above the table is that sum: each piece belongs "
    "to a state, from 000 on the left to 111 on the right. The probability of a state is the share of the whole bar "
    "that its piece takes.",
    Question(
        "The coupling of units 1 and 2 is turned up. The unnormalised probability of 000 stays at 1. What about its "
        "probability?",
        ("It stays", "It falls", "It rises"),
    ),
    1,
    _coupling("partition", 1, ("unnormalised", "probability"), total=True),
    "Turn the coupling up to 2 or more, and watch Z, and the probability of 000.",
    Question("What is the probability of 000 now?", ("Above 0.15", "From 0.05 to 0.15", "Below 0.05")),
    lambda did: 0 if (p := did.machine.probabilities[_OFF]) > 0.15 else 1 if p >= 0.05 else 2,
    lambda did: did.machine.probabilities[_OFF] < _START.probabilities[_OFF],
    "The bar grew, for the pieces of 110 and 111 grew. That of 000 is as long as before, but of a longer bar. So "
    "whatever becomes more likely makes all else less likely. That is what makes Boltzmann machines hard: with 3 units "
    "Z has 8 pieces, with 30 units a billion, with 784 units (a small picture) more than there are atoms. Nobody can "
    "add up so many. So Z, and with it how probable the machine makes the data (the **likelihood**), can then only be "
    "*estimated*, from some of the states.",
)
_SAMPLING = Step(
    "Seeing states without adding up anything",
    "Can one see states as often as their probability says *without* Z? **Gibbs sampling** tries it. Choose a unit, "
    "and leave the others as they are. Then only two states are left: one with that unit off, one with it on. Draw one "
    "of the two by chance. If the second has three times the exp(−E) of the first, it comes three times as often: "
    "these two numbers are enough. Then choose the next unit. Here the coupling of units 1 and 2 is 2.",
    Question(
        "One unit after the other is drawn anew, from 000 on, and it is counted how often each state comes. After some "
        "5,000 draws, how will the shares of the states compare with their probabilities?",
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
        enough=lambda did: did.early is not None and did.draws >= MANY,
        act="sample",
    ),
    "Draw a few units one by one (the ring shows which it was), then 20, then 5,000.",
    Question(
        "By how much are the shares off at most now? (It is said below the buttons.)",
        ("Less than 0.05", "From 0.05 to 0.15", "More than 0.15"),
    ),
    lambda did: 0 if did.gap < _CLOSE else 1 if did.gap <= 3 * _CLOSE else 2,
    lambda did: did.gap < _CLOSE and did.gap < did.early,
    "After a few draws the shares are far off, after thousands they are close: the chain of states forgets where it "
    "began. States that a machine makes up in this way are its **dreams**, and this is how every large machine on "
    "these pages dreams.",
)
_LEARNING = Step(
    "Why the learning curve rises",
    "Now the machine is shown data: 000 and 111 make up 0.4 of them each. It learns by comparing. How often are two "
    "units on together in the data, and how often in its dreams? What is seen more often than dreamt **pulls** a "
    "coupling up, what is dreamt more often than seen **pushes** it down. The curve is the **log-likelihood**: take "
    "the probability that the machine gives to an example, take the natural logarithm (ln), and average over the data. "
    "It is counted in **nats**. Where all eight states are equally probable it is ln(1/8) = −2.08; a machine that "
    "knows the shares of the data exactly would have −1.33.",
    Question("All couplings begin at 0. Which way will the coupling of units 1 and 2 go?", ("Up", "Down", "Nowhere")),
    0,
    ThreeUnitsScene(
        "learning",
        ThreeUnits(),
        ("probability",),
        enough=lambda did: did.climbed >= LONG,
        act="learn",
        rows=_ROWS,
    ),
    "Learn a few steps one by one and read the last table; then 100 steps.",
    Question("Did the log-likelihood ever fall on the way?", ("No, it rose at every step", "Yes, at times")),
    lambda did: int(did.fell),
    lambda did: not did.fell and did.machine.w[0] > 0,
    "A pull lowers the energy of what is seen, a push raises the energy of what is only dreamt. A coupling moves by "
    "half of *seen minus dreamt*: that is the way on which the curve rises fastest, and the steps are small enough "
    "that it does rise. It is an average over the data, so a single state may lose: 000 does at first, while 111 gains "
    "more. Why a logarithm? How probable many examples are together is a product, and soon too small to be drawn; "
    "logarithms turn it into a sum. Where seen and dreamt are equal nothing moves any more: then two units are on "
    "together as often as in the data. In large machines seen minus dreamt is only estimated, from a few dreams: their "
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
    _coupling("again sign", -1, ("energy", "probability"), _W13, total=True),
    "Turn the coupling of units 1 and 3 down to −2 or less.",
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
    Question("Which way will the coupling of units 1 and 2 go?", ("Up", "Down", "Nowhere")),
    1,
    ThreeUnitsScene(
        "again learning",
        ThreeUnits(),
        ("probability",),
        enough=lambda did: did.climbed >= LONG,
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
    "In the dream units 1 and 2 are on together at times, in the data never. So each step pushes their coupling down, "
    "until they are hardly ever on together in the dream, either.",
    again=True,
)

ZERO = Lesson(
    "What is a Boltzmann machine?",
    "Three units, eight states: energy, probability, dreaming and learning, with nothing left out.",
    "15 minutes",
    (_ENERGY, _UNNORMALISED, _PARTITION, _SAMPLING, _LEARNING, _AGAIN_SIGN, _AGAIN_LEARNING),
)
