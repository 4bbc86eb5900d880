"""The lesson on the energy landscape: energy, temperature, annealing, and spurious valleys."""

from boltzcore.data.drawn import Patterns
from boltzcore.learners import CD
from boltzcore.models import RBMSetup
from boltzcore.training.recipe import Recipe
from boltzcore.training.schedule import Schedule
from pages.figures.terrain import TEMPERATURES, hopfield, three_units
from pages.lessons.lesson import Lesson, Question, Step
from pages.lessons.scenes import TrainingScene, highest, values
from pages.lessons.terrain import MANY, Did, TerrainScene

_COLD, _HOT = TEMPERATURES.index(0.25), TEMPERATURES.index(2.0)
_LETTERS = {"L": "888f", "T": "f666", "O": "f99f"}
_CUBE = three_units(0.5, (0.7, 0.35, -0.3))
_TWO = hopfield({"X": "9669", "=": "f00f"})
_UNEVEN = hopfield({"X": "9669", "=": "f00f", "||": "9999"}, (1.5, 1.0, 1.0))
_SPELT = hopfield(_LETTERS)
_LOWEST = "110"
_LEARNS = Recipe(
    RBMSetup(hidden=8, sigma=0.5),
    Patterns(side=4, bits="".join(_LETTERS.values())),
    CD(rate=0.1, batch_size=0, K=10, chains_per_row=8),
    Schedule(length=1_500, every=50),
)
_BEST = -1.0986  # nats: -ln 3, of the three letters


def _at_lowest(did: Did) -> float:
    """Return the share of the steps at the lowest corner."""
    return did.shares[int(_LOWEST, 2)]


def _of_x(did: Did) -> float:
    """Return the exact probability of X at the present temperature."""
    return float(_TWO.terrain.payload["groups"][0]["p"][did.t])


_CORNERS = Step(
    "Eight corners",
    "Three units have eight **states**, the corners of a cube; the darker a corner, the lower its **energy**. A point "
    "moves along an edge when a unit changes, downhill more readily than uphill.",
    Question(
        "The point starts at 001 and makes 2,000 steps. Where is it most often?",
        ("At the lowest corner, 110", "At the corner where it starts", "Equally often everywhere"),
    ),
    0,
    TerrainScene("corners", _CUBE, lambda did: did.steps >= MANY, points=1, start=4),
    "Step a few times, then press 2,000 steps.",
    Question("For what share of the steps was it at 110?", ("Below 0.2", "From 0.2 to 0.7", "Above 0.7")),
    lambda did: sum(_at_lowest(did) > level for level in (0.2, 0.7)),
    lambda did: _at_lowest(did) == max(did.shares) and did.distance < 0.1,
    "The lower the energy E of a state, the more often it is seen: its probability is exp(−E), divided by the sum of "
    "exp(−E) over all states. Uphill steps happen too, but less often, so the point never comes to rest. After many "
    "steps its shares are close to the exact probabilities.",
    more="Units are off (0) or on (1). At each step one unit is chosen and drawn anew: this is **Gibbs sampling**.",
)
_VALLEYS = Step(
    "Valleys that remember",
    "Sixteen units are the pixels of a picture, and their couplings store an X and an =. The map shows all 65,536 "
    "states by their similarity to each picture.",
    Question(
        "A point starts at an X with three wrong pixels and hardly ever moves uphill. Where does it end?",
        ("At the X", "At the =", "It wanders everywhere"),
    ),
    0,
    TerrainScene(
        "valleys", _TWO, lambda did: did.steps >= MANY, t=_COLD, points=1, start=_TWO.state(0, wrong=(1, 6, 8))
    ),
    "Step a few times, then press 2,000 steps.",
    Question("Where is the point now?", ("At the X", "At the =", "At another state")),
    lambda did: min(did.at, 2),
    lambda did: did.at == 0,
    "Storing a picture digs a valley, and the point runs down into the nearest one: the wrong pixels are corrected. A "
    "network that recalls a stored pattern from a damaged copy is a **Hopfield network** (John Hopfield, 1982). The "
    "pictures with on and off reversed are valleys, too.",
    more="States with equal numbers of pixels in common with X, and with =, share a cell. Its height is −T times "
    "the logarithm of their total probability.",
    further="Each picture raises the coupling of pixels that agree in it and lowers that of pixels that differ (Hebb's "
    "rule). Reversing all pixels, −1 or +1, changes no product of two: the negative has the same energy.",
)
_TEMPERATURE = Step(
    "Temperature",
    "At **temperature** T all energies are divided by T before they become probabilities. At a low temperature, here T "
    "= 0.25, X, = and their reversals have nearly all of the probability.",
    Question("T rises to 2. What happens to the probability of X?", ("It falls", "It rises", "It stays")),
    0,
    TerrainScene("temperature", _TWO, lambda did: did.t >= _HOT, t=_COLD, free=True),
    "Move the temperature to 2 or more, and play to see the points move.",
    Question("What is the exact probability of X now?", ("Above 0.2", "From 0.01 to 0.2", "Below 0.01")),
    lambda did: sum(_of_x(did) < level for level in (0.2, 0.01)),
    lambda did: _of_x(did) < 0.01,
    "Heat levels the ground: X is still one of the likeliest states, but nearly all of the probability is now spread "
    "over the others. The formula, exp(−E/T) divided by Z, is that of Ludwig Boltzmann for the molecules of a gas "
    "(1868). It gave the **Boltzmann machine** its name.",
    further="In a gas, T is the temperature that a thermometer shows. Here it is a number without a unit, and a "
    "machine learns at T = 1. The machine is from 1985: David Ackley, Geoffrey Hinton and Terrence Sejnowski gave "
    "Hopfield's network a temperature, and a way to learn.",
)
_TOO_COLD = Step(
    "Too cold to mix",
    "At T = 0.25, X, = and their two reversals each have a probability of about a quarter. Now 20 points start at X.",
    Question(
        "Where are they in their first 2,000 steps?",
        ("A quarter of the time at each", "Nearly always at X", "Half of the time at X"),
    ),
    1,
    TerrainScene(
        "cold",
        _TWO,
        lambda did: did.steps >= MANY,
        t=_COLD,
        acts=("2,000 steps",),
        start=_TWO.state(0),
    ),
    "Press 2,000 steps and compare the columns Exact and Points.",
    Question("How far are they from the exact distribution?", ("Less than 0.1", "From 0.1 to 0.5", "More than 0.5")),
    lambda did: sum(did.distance > level for level in (0.1, 0.5)),
    lambda did: did.distance > 0.5 and did.shares[0] > 0.9,
    "To leave the valley a point would have to climb, and at a low temperature it hardly ever does. The chain **does "
    "not mix**: its samples look stable but are wrong. At T = 1 the same points reach the exact distribution in time.",
    further="The distance is the total variation: half the sum of the differences between the two columns, 0 if they "
    "are equal and 1 if they have nothing in common.",
)
_ANNEALING = Step(
    "Annealing",
    "X is stored more firmly here, so its valley and the reversed one are the deepest. **Annealing** starts hot and "
    "cools slowly; **quenching** cools at once.",
    Question(
        "Twenty points start at random. After which do more of them end in a deepest valley?",
        ("Quenching", "Annealing", "Both alike"),
    ),
    1,
    TerrainScene("annealing", _UNEVEN, lambda did: len(did.deep or ()) == 2, t=0, acts=("Quench", "Anneal")),
    "Press Quench, then Anneal, and read how many points reach a deepest valley. Both take the same number of steps.",
    Question("How many of the 20 were there after annealing?", ("At most 10", "11 to 17", "18 or more")),
    lambda did: sum(did.deep["Anneal"] > level for level in (10, 17)),
    lambda did: did.deep["Anneal"] >= 18 and did.deep["Anneal"] > did.deep["Quench"],
    "Quenched points stay in the first valley that they reach. While it is warm, points leave shallow valleys more "
    "readily than deep ones; as it cools, most settle in the deepest. The name comes from metalworking, in which "
    "annealing is slow cooling.",
    further="Simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983) solves optimisation problems in this way. "
    "**Annealed importance sampling** uses the same path from hot to cold to estimate Z.",
)
_SPURIOUS = Step(
    "A valley that no one taught",
    "This network stores the letters L, T and O. Twenty points start at random and are quenched.",
    Question(
        "Where do most of them end?",
        ("At a letter", "At a reversed letter", "At a picture that no one stored"),
    ),
    2,
    TerrainScene("spurious", _SPELT, lambda did: "Quench" in (did.deep or ()), t=0, acts=("Quench",)),
    "Press Quench and look at the rows of the table.",
    Question(
        "The deepest valleys are the two false ones. How many points ended there?",
        ("At most 6", "7 to 13", "14 or more"),
    ),
    lambda did: sum(did.deep["Quench"] > level for level in (6, 13)),
    lambda did: did.deep["Quench"] > 10,
    "The couplings are a sum over three letters, and what two letters have in common adds up. The sum has valleys of "
    "its own, **spurious states**, here even deeper than the letters. The reversed letters are spurious, too. With too "
    "many patterns recall fails: a Hopfield network holds about 0.14 patterns per unit.",
)
_DIGGING = Step(
    "Digging and filling",
    "An RBM learns the same letters by **contrastive divergence**. Cells with a blue edge have a larger share of the "
    "data than of the model's probability; for those with an orange edge it is the reverse.",
    Question(
        "What does learning do to the ground?",
        ("It sinks everywhere", "It sinks at blue edges and rises at orange ones", "It rises everywhere"),
    ),
    1,
    TrainingScene(_LEARNS, ("terrain",), pace=150),
    "Run it. Watch the edges, and the share of the three letters (the data) in the table.",
    Question("What was the highest log-likelihood?", ("Below −4", "From −4 to −2", "Above −2")),
    lambda records: sum(highest(records) > level for level in (-4, -2)),
    lambda records: values(records, "train_log_likelihood")[0] < -6 and -2 < highest(records) < _BEST,
    "Learning digs where the data are and fills where the model's own samples are; where both agree, nothing moves. "
    "Samples find the false valleys, and learning fills them: storing alone cannot do this. The rule, *data − "
    "samples*, is that of Ackley, Hinton and Sejnowski (1985).",
    further="The log-likelihood is the mean of ln p over the data: a third for each letter would give ln(1/3) = −1.10. "
    "Its slope in each weight is *data − model*; samples stand in for the model.",
)

LANDSCAPE = Lesson(
    "The energy landscape",
    "Energy as a landscape on which points run downhill: valleys, temperature, annealing, and learning by digging.",
    "20 minutes",
    (_CORNERS, _VALLEYS, _TEMPERATURE, _TOO_COLD, _ANNEALING, _SPURIOUS, _DIGGING),
)
