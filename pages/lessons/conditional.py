"""The lesson on conditional machines and belief propagation."""

from collections.abc import Mapping

from boltzcore.data.corruption import Corruption
from boltzcore.restoration import UNLIKE
from pages.lessons.inference import Made, RestorationScene, SwingingScene, TenDigitsScene
from pages.lessons.lesson import Lesson, Question, Step

_SUM, _MEAN, _MIXED = "sum-product", "mean field", "mixed-product"
_NOISE, _MORE = Corruption(rate=0.1), Corruption(rate=0.2)
_HALF = "lower half"


def _read(made: Made) -> Mapping[str, int]:
    """{digit: completions that look like it}, those like none left out."""
    return {digit: count for digit, count in made.alike.items() if digit != UNLIKE}


def _most(made: Made) -> int:
    return max(made.alike.values())


_RESTORED = Step(
    "A digit in, a digit out",
    "A **conditional RBM** learns what is likely *given an input*: here a clean digit, given a damaged one. The input "
    "moves the biases of all units; then pixels and **hidden units**, which are coupled to many pixels and seen by "
    "nobody, have to agree. In this digit a tenth of the pixels, some 80 of 784, are flipped; the machine is not told "
    "which.",
    Question(
        "How many pixels will be wrong after it was restored?",
        ("About as many: it cannot know which", "About half as many", "Less than a quarter as many"),
    ),
    2,
    RestorationScene(("noise-10",), "flip", _NOISE),
    "Run it and read how many pixels are wrong before and after.",
    Question("How many pixels are wrong after it was restored?", ("At most 20", "21 to 40", "More than 40")),
    lambda made: 0 if made[0].wrong <= 20 else 1 if made[0].wrong <= 40 else 2,
    lambda made: made[0].wrong < made[0].damaged / 4,
    "A flipped pixel does not fit its neighbours, and hidden units that stand for strokes say so. The few pixels that "
    "stay wrong lie at the edges of strokes, where even we could not tell; most of them are in doubt (amber), so the "
    "machine knows that it does not know.",
)
_ROUNDS = Step(
    "Belief propagation, round by round",
    "To find out how probable each pixel is, one would have to add up over all settings of hundreds of units. "
    "**Belief propagation** does without: each unit sends a message to every unit that it is coupled to, all take in "
    "what they receive, and send again; that is a round, or iteration. The probability, so far, that a unit is on is "
    "its **belief**, and the **residual** is the largest change of any belief in a round.",
    Question(
        "How will the residual go on?",
        (
            "It is 0 after the second round",
            "It falls from round to round, below 0.001 within some 10 to 30 rounds",
            "It never gets small",
        ),
    ),
    1,
    RestorationScene(("noise-10",), "flip", _NOISE, digit=5, inside=True),
    "Run it, step through the iterations and watch residual and pictures.",
    Question("After how many iterations did it stop?", ("1 to 3", "4 to 30", "More than 30")),
    lambda made: 0 if made[0].iterations <= 3 else 1 if made[0].iterations <= 30 else 2,
    lambda made: 3 < made[0].iterations <= 30,
    "In the first rounds strokes come out, later ones only settle what is in doubt. Nothing guarantees that it comes "
    "to rest: what a unit said comes back to it round the loops of the network. On trained machines it nearly always "
    "does.",
)
_SWING = Step(
    "Make it swing, and calm it",
    "Here is a small machine of twelve units with random weights. Large weights make strong opinions, and strong "
    "opinions come back round the loops.",
    Question(
        "All weights are multiplied by more and more. What happens to belief propagation?",
        (
            "It comes to rest sooner, for opinions are clearer",
            "From some factor on it does not come to rest any more",
            "Nothing changes",
        ),
    ),
    1,
    SwingingScene(0.8),
    "Turn the factor up until the residual stays above the dashed line. Then switch on damping at that factor.",
    Question("And with damping, at that factor?", ("It came to rest", "It did not come to rest")),
    lambda found: int(not found.damped),
    lambda found: found.rests is False and found.damped is True,
    "Units that pull each other to and fro flip in every round: each answers what the other said a round ago. "
    "**Damping** keeps a share of the old message in the new one, so that both move slowly and meet. At still larger "
    "factors damping does not help either, and what it finds there need not be right.",
)
_TRAINED_WITH = Step(
    "Trained with one, asked with another",
    "The machine was trained with **sum-product** belief propagation: its weights make *its* beliefs right. It can be "
    "asked with others: **mean field**, where each unit uses the means of the others in place of their values, or "
    "**mixed-product**, which looks for the single best image.",
    Question(
        "Ten digits are restored with each. Which makes more mistakes than the inference it was trained with?",
        ("Mean field, clearly", "Mixed-product, clearly", "None: inference is inference"),
    ),
    1,
    TenDigitsScene("noise-10", _NOISE, (_SUM, _MEAN, _MIXED)),
    "Run it and compare the numbers of wrong pixels.",
    Question("Which of the three has the most wrong pixels?", ("Sum-product", "Mean field", "Mixed-product")),
    lambda wrong: (_SUM, _MEAN, _MIXED).index(max(wrong, key=wrong.__getitem__)),
    lambda wrong: wrong[_MIXED] > 1.2 * max(wrong[_SUM], wrong[_MEAN]),
    "The weights were learnt so that the beliefs of *sum-product* are right, pixel by pixel. Mixed-product asks them "
    "another question: which whole image is the single best. Mean field comes close here. After a short training, "
    "while weights are small, we found mixed-product no worse: the gap comes with long training for another inference. "
    "The rule: train with the inference that you will use.",
)
_COMPLETED = Step(
    "When several answers are right",
    "Now the lower half of an 8 is hidden, and a plain RBM, which has no input, is told which pixels are lost. It "
    "draws a hundred completions: each time the known half is held, and the rest sampled.",
    Question(
        "Will all completions look like an 8?",
        ("Yes, nearly all", "No, some will be like other digits", "No, none will be like any digit"),
    ),
    1,
    RestorationScene(("rbm",), _HALF, Corruption(), digit=8),
    "Run it and look at the twelve completions and the chart.",
    Question(
        "How many of the hundred look like the digit that comes most often?",
        ("Fewer than 50", "From 50 to 89", "90 or more"),
    ),
    lambda made: 0 if _most(made[0]) < 50 else 1 if _most(made[0]) < 90 else 2,
    lambda made: _most(made[0]) < 90 and len([count for count in _read(made[0]).values() if count >= 5]) >= 2,
    "The upper half of an 8 is that of a 3 or a 9, too. A probability over whole images can say so: it has several "
    "peaks, and sampling visits them. One best image would hide that, and the mean of all is like none of them.",
)
_AGAIN_NOISE = Step(
    "Again: more noise than it was trained for",
    "Now a *fifth* of the pixels is flipped. Two machines restore it: one that was trained on a tenth, one that was "
    "trained on a fifth.",
    Question("Which leaves fewer wrong pixels?", ("The one trained on a tenth", "The one trained on a fifth")),
    1,
    RestorationScene(("noise-10", "noise-20"), "flip", _MORE),
    "Run it and compare the two.",
    Question(
        "Which left fewer wrong pixels?", ("Noise, a tenth flipped", "Noise, a fifth flipped", "Both left as many")
    ),
    lambda made: 2 if made[0].wrong == made[1].wrong else int(made[1].wrong < made[0].wrong),
    lambda made: made[1].wrong < made[0].wrong,
    "How far the input is to be trusted is learnt, too. The machine that has seen a tenth flipped trusts its input too "
    "much.",
    again=True,
)
_AGAIN_HALF = Step(
    "Again: half a 1",
    "As with the 8, but the lower half of a 1 is hidden.",
    Question("Will the completions differ as much?", ("Yes", "No, nearly all are like a 1")),
    1,
    RestorationScene(("rbm",), _HALF, Corruption(), digit=1),
    "Run it.",
    Question(
        "How many of the hundred look like the digit that comes most often?",
        ("Fewer than 50", "From 50 to 89", "90 or more"),
    ),
    lambda made: 0 if _most(made[0]) < 50 else 1 if _most(made[0]) < 90 else 2,
    lambda made: _most(made[0]) >= 90,
    "Few digits begin like a 1, so what is known leaves one answer. How much draws differ is how much is not known.",
    again=True,
)

CONDITIONAL = Lesson(
    "Conditional machines and belief propagation",
    "Damage a digit and restore it; what goes on inside, when it swings, and when several answers are right.",
    "10 minutes",
    (_RESTORED, _ROUNDS, _SWING, _TRAINED_WITH, _COMPLETED, _AGAIN_NOISE, _AGAIN_HALF),
)
