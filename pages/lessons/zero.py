"""Lesson zero: what a Boltzmann machine is, with three units."""

from pages.figures.three_units import STATES, ThreeUnits
from pages.lessons.lesson import Lesson, Question, Step
from pages.lessons.three_units import LONG, MANY, Did, ThreeUnitsScene

_START = ThreeUnits((0.4, -0.3, -0.6))
_COUPLED = ThreeUnits((0.4, -0.3, -0.6), (2.0, 0.0, 0.0))
_W12, _W13 = 3, 4  # the numbers of couplings among the parameters, after the three biases
_TURNED = 2.0  # value that a coupling must reach
_ROWS = (0.4, 0.05, 0.05, 0.0, 0.0, 0.05, 0.05, 0.4)  # 000 and 111 are most frequent
_REPELLED = (0.0, 0.1, 0.4, 0.0, 0.4, 0.1, 0.0, 0.0)  # units 1 and 2 are never on together
_OFF, _BOTH, _ENDS = (STATES.index(x) for x in ((0, 0, 0), (1, 1, 0), (1, 0, 1)))
_CLOSE = 0.05


def _lowest(did: Did) -> int:
    """Return the number of the state of lowest energy."""
    return int(did.machine.energies.argmin())


def _coupling(
    name: str, sign: int, columns: tuple[str, ...], parameter: int = _W12, *, total: bool = False
) -> ThreeUnitsScene:
    return ThreeUnitsScene(
        name,
        _START,
        columns,
        enough=lambda did: did.turned and sign * (*did.machine.b, *did.machine.w)[parameter] >= _TURNED,
        total=total,
        free=(parameter,),
    )


def _learning(name: str, rows: tuple[float, ...]) -> ThreeUnitsScene:
    return ThreeUnitsScene(
        name, ThreeUnits(), ("probability",), enough=lambda did: did.climbed >= LONG, act="learn", rows=rows
    )


_ENERGY = Step(
    "Energy",
    "A **Boltzmann machine** has units that are off (0) or on (1), and each joint **state** has an **energy**: the "
    "lower it is, the more often the machine is in that state. A **coupling** says how strongly two units tend to be "
    "on *together*.",
    Question(
        "How does a positive coupling between units 1 and 2 change the energy of the states in which both are on?",
        ("It rises", "It falls", "It stays the same"),
    ),
    1,
    _coupling("energy", 1, ("energy",)),
    "Raise the coupling between units 1 and 2 to 2 or more and watch the energies.",
    Question("Which state has the lowest energy now?", ("000", "100", "110", "111")),
    lambda did: {"000": 0, "100": 1, "110": 2, "111": 3}["".join(map(str, STATES[_lowest(did)]))],
    lambda did: did.machine.energies[_BOTH] < _START.energies[_BOTH] and _lowest(did) == _BOTH,
    "The coupling between units 1 and 2 is subtracted from the energy of every state in which both are on, and from no "
    "other: 110 and 111 fall together, and 110 is the lowest. It acts like a bias, but on two units at once.",
    more="Three units have eight states: 000, 001, ... 111. Each unit has a **bias**: how strongly it tends to be on "
    "by itself. Here the biases are 0.4, −0.3 and −0.6, the numbers next to the circles. The bias of each unit that is "
    "on is subtracted from the energy: 001 has 0 − (−0.6) = 0.6. All three couplings start at 0, and you can change "
    "one of them.",
    further="The coupling between units 1 and 2 is written w₁₂. The energy *E* of a state is *−(sum of the biases of "
    "units that are on) − (sum of the couplings of pairs that are on)*.",
)
_UNNORMALISED = Step(
    "From energy to probability",
    "A state of low energy should occur often. So each energy E is turned into a positive number, the **unnormalised "
    "probability** of the state: 2.718 to the power −E, written exp(−E).",
    Question(
        "The energy of a state falls by 2. What happens to its unnormalised probability?",
        ("It grows by 2", "It doubles", "It becomes more than seven times as large"),
    ),
    2,
    _coupling("unnormalised", 1, ("energy", "unnormalised")),
    "Raise the coupling to 2 or more and watch the energy and exp(−E) of the state 110.",
    Question(
        "The unnormalised probability of 000 is 1. How large is that of 110 now?",
        ("Below 4", "From 4 to 20", "Above 20"),
    ),
    lambda did: 0 if (found := did.machine.unnormalised(_BOTH)) < 4 else 1 if found <= 20 else 2,
    lambda did: (
        did.machine.unnormalised(_BOTH) / _START.unnormalised(_BOTH)
        > 7 ** ((_START.energies[_BOTH] - did.machine.energies[_BOTH]) / 2)
    ),
    "With a coupling of 2, the energy of 110 falls from −0.1 to −2.1, and exp(−E) rises from 1.11 to 8.17. Lowering "
    "the energy by 1 multiplies exp(−E) by e = 2.72; lowering it by 2 multiplies it by 2.72 × 2.72 = 7.4. Small "
    "differences in energy make large differences in how often states occur.",
    more="An energy of 0 gives 1, −1 gives 2.718, and 1 gives 1 / 2.718 = 0.37. (The number 2.718... is called e.) The "
    "coupling starts at 0 again.",
)
_PARTITION = Step(
    "The partition function",
    "Probabilities must add up to 1, so each unnormalised probability is divided by the sum of all eight, the "
    "**partition function** Z. The bar is that sum, and the probability of a state is its share of the bar.",
    Question(
        "You raise the coupling between units 1 and 2. The unnormalised probability of 000 stays at 1. What happens to "
        "its probability?",
        ("It stays the same", "It falls", "It rises"),
    ),
    1,
    _coupling("partition", 1, ("unnormalised", "probability"), total=True),
    "Raise the coupling to 2 or more and watch Z and the probability of 000.",
    Question("What is the probability of 000 now?", ("Above 0.15", "From 0.05 to 0.15", "Below 0.05")),
    lambda did: 0 if (p := did.machine.probabilities[_OFF]) > 0.15 else 1 if p >= 0.05 else 2,
    lambda did: did.machine.probabilities[_OFF] < _START.probabilities[_OFF],
    "The bar grew because the pieces of 110 and 111 grew. The piece of 000 kept its length, but it is now a smaller "
    "share of a longer bar. If some states become more likely, the others together become less likely.",
    more="The bar above the table has a piece for each state, from 000 on the left to 111 on the right.",
    further="This makes Boltzmann machines hard: with 3 units Z is a sum of 8 terms, with 30 units of a billion, with "
    "784 units (a small image) of more terms than there are atoms in the universe. So in general Z, and with it the "
    "probability of the data (the **likelihood**), can only be *estimated* from some of the states.",
)
_SAMPLING = Step(
    "Sampling without Z",
    "**Gibbs sampling** visits each state as often as its probability says, *without* computing Z. It chooses a unit, "
    "keeps the others as they are, and redraws that unit at random, on or off.",
    Question(
        "Units are redrawn one at a time, starting from 000, and the visits to each state are counted. After about "
        "5,000 draws, how do the shares of the states compare with their probabilities?",
        (
            "They are close",
            "They still favour 000, the start",
            "All eight shares are about equal",
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
    "Draw a few units one by one (the ring shows which one), then 20, then 5,000.",
    Question(
        "How large is the largest error of the shares now? (See below the buttons.)",
        ("Less than 0.05", "From 0.05 to 0.15", "More than 0.15"),
    ),
    lambda did: 0 if did.gap < _CLOSE else 1 if did.gap <= 3 * _CLOSE else 2,
    lambda did: did.gap < _CLOSE and did.gap < did.early,
    "After a few draws the shares are far off; after thousands they are close: the chain of states forgets where it "
    "started. States drawn in this way are **model samples**; large models are sampled in the same way.",
    more="Only two states are then possible, one with that unit off and one with it on. If the second has three times "
    "the exp(−E) of the first, it is drawn three times as often: these two numbers are enough. Then the next unit is "
    "chosen. Here the coupling between units 1 and 2 is 2.",
)
_LEARNING = Step(
    "Why the learning curve rises",
    "Now the machine learns from data in which 000 and 111 are frequent. If two units are on together more often "
    "in the data than in the model, the data **pull** their coupling up; if less often, the model **pushes** it "
    "down.",
    Question("All couplings start at 0. Which way will that between units 1 and 2 go?", ("Up", "Down", "Nowhere")),
    0,
    _learning("learning", _ROWS),
    "Learn a few steps one by one and read the last table; then learn 100 steps.",
    Question("Did the log-likelihood ever fall?", ("No, it rose at every step", "Yes, at times")),
    lambda did: int(did.fell),
    lambda did: not did.fell and did.machine.w[0] > 0,
    "The pull lowers the energy of states in the data; the push raises the energy of states that the model makes too "
    "probable. At each step a coupling moves by half of *data minus model*: this is the direction in which the curve "
    "rises fastest, and the steps are small enough for it to rise.",
    more="000 and 111 make up 0.4 of the data each. The curve is the **log-likelihood**: take the probability that the "
    "machine gives to an example, take the natural logarithm (ln), and average over the data. Its unit is the **nat**. "
    "If all eight states are equally probable, it is ln(1/8) = −2.08; a machine that knows the shares of the data "
    "exactly would have −1.33.",
    further="The curve is an average over the data, so the probability of a single state may fall: that of 000 does at "
    "first, while that of 111 rises more. Why a logarithm? The probability of many examples is a product, and soon too "
    "small to plot; logarithms turn it into a sum. Once data and model agree, nothing moves any more. In large "
    "machines *data minus model* is estimated from a few samples, so their curves are noisy.",
)
_AGAIN_SIGN = Step(
    "Again: a negative coupling",
    "As in the first step, but now move the coupling between units 1 and 3 **down**, below 0.",
    Question(
        "Which states become rarer?",
        ("Those with 1 and 3 both off", "Those with 1 and 3 both on", "Those with just one of them on"),
    ),
    1,
    _coupling("again sign", -1, ("energy", "probability"), _W13, total=True),
    "Move the coupling between units 1 and 3 down to −2 or less.",
    Question("Which of these states is rarest now?", ("000", "101", "110")),
    lambda did: min(range(3), key=lambda k: did.machine.probabilities[(_OFF, _ENDS, _BOTH)[k]]),
    lambda did: did.machine.probabilities[_ENDS] < _START.probabilities[_ENDS],
    "A negative coupling raises the energy of the states in which both units are on, 101 and 111, so they become "
    "rarer. All others become a little more probable, because Z is smaller.",
)
_AGAIN_LEARNING = Step(
    "Again: other data",
    "In these data units 1 and 2 are never on together: most examples are 010 or 100.",
    Question("Which way will the coupling between units 1 and 2 go?", ("Up", "Down", "Nowhere")),
    1,
    _learning("again learning", _REPELLED),
    "Learn 100 steps.",
    Question(
        "Where is the coupling between units 1 and 2 now? (See the last table.)",
        ("Above 0", "Below 0"),
    ),
    lambda did: int(did.machine.w[0] < 0),
    lambda did: did.machine.w[0] < 0 and not did.fell,
    "In the model units 1 and 2 are sometimes on together, in the data never. So each step pushes their coupling down, "
    "until they are hardly ever on together in the model either.",
)

ZERO = Lesson(
    "What is a Boltzmann machine?",
    "Three units, eight states: energy, probability, sampling and learning, with nothing left out.",
    "15 minutes",
    (_ENERGY, _UNNORMALISED, _PARTITION, _SAMPLING, _LEARNING, _AGAIN_SIGN, _AGAIN_LEARNING),
)
