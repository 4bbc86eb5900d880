"""The lesson on conditional machines and belief propagation."""

from boltzcore.data.corruption import Corruption
from boltzcore.restoration import UNLIKE
from pages.lessons.inference import Made, RestorationScene, SwingingScene, TenDigitsScene
from pages.lessons.lesson import Lesson, Question, Step

_SUM, _MEAN, _MIXED = "sum-product", "mean field", "mixed-product"
_NOISE, _MORE = Corruption(rate=0.1), Corruption(rate=0.2)
_HALF = "lower half"
_ALIKE = Question(
    "How many of the hundred look like the most frequent digit?", ("Fewer than 50", "From 50 to 89", "90 or more")
)


def _kinds(made: Made) -> int:
    """Return the number of digits that five or more completions look like."""
    return sum(digit != UNLIKE and count >= 5 for digit, count in made.alike.items())


def _most(made: Made) -> int:
    return max(made.alike.values())


_RESTORED = Step(
    "Restore a digit",
    "A **conditional RBM** learns what is likely *given an input*: here a clean digit, given a damaged one. A tenth of "
    "the pixels, about 80 of 784, are flipped, and the model does not know which.",
    Question(
        "How many pixels will be wrong after restoring?",
        ("About as many: it cannot know which", "About half as many", "Fewer than a quarter as many"),
    ),
    2,
    RestorationScene(("noise-10",), "flip", _NOISE),
    "Run it and compare the numbers of wrong pixels before and after.",
    Question("How many pixels are wrong after restoring?", ("At most 20", "21 to 40", "More than 40")),
    lambda made: 0 if made[0].wrong <= 20 else 1 if made[0].wrong <= 40 else 2,
    lambda made: made[0].wrong < made[0].damaged / 4,
    "A flipped pixel does not fit its neighbours, and hidden units that stand for strokes correct it. The few pixels "
    "that stay wrong lie at the edges of strokes, where even people would have to guess. Most of them are in doubt "
    "(amber): the model knows that it does not know.",
    more="The input shifts the biases of all units; then pixels and **hidden units**, each coupled to many pixels, "
    "have to agree.",
)
_ROUNDS = Step(
    "Belief propagation, step by step",
    "In **belief propagation** each unit sends messages to the units that it is coupled to, combines those that it "
    "receives, and sends again, iteration by iteration. The **residual** is the largest change of any unit's "
    "probability in an iteration.",
    Question(
        "How will the residual change?",
        (
            "It is 0 after the second iteration",
            "It falls, below 0.001 within the 19 iterations allowed",
            "It never becomes small",
        ),
    ),
    1,
    RestorationScene(("noise-10",), "flip", _NOISE, digit=2, inside=True),
    "Run it, step through the iterations, and watch the residual and the images.",
    Question("After how many iterations did it stop?", ("1 to 3", "4 to 18", "19, the limit")),
    lambda made: 0 if made[0].iterations <= 3 else 1 if made[0].iterations < 19 else 2,
    lambda made: 3 < made[0].iterations < 19,
    "In the first iterations strokes appear; later ones only settle pixels in doubt. On trained models belief "
    "propagation usually converges, but this is not guaranteed: messages return to their sender round the loops of the "
    "network.",
    more="To compute how probable each pixel is, you would have to sum over all states of hundreds of units. Belief "
    "propagation avoids this. The current probability that a unit is on is its **belief**.",
)
_SWING = Step(
    "Oscillation and damping",
    "Here is a small model of twelve units with random weights. Large weights make strong messages, which return "
    "round the loops.",
    Question(
        "All weights are multiplied by a growing factor. What happens to belief propagation?",
        (
            "It converges sooner, because beliefs are clearer",
            "Beyond some factor it no longer converges",
            "Nothing changes",
        ),
    ),
    1,
    SwingingScene(0.8),
    "Raise the factor until the residual stays above the dashed line. Then switch on damping at that factor.",
    Question("Did it converge with damping at that factor?", ("Yes", "No")),
    lambda found: int(not found.damped),
    lambda found: found.rests is False and found.damped is True,
    "Coupled units flip in every iteration: each responds to what the other sent one iteration ago. **Damping** keeps "
    "a share of the old message in the new one, so that both move slowly and meet. At still larger factors even "
    "damping does not help, and the beliefs that it converges to need not be right.",
)
_TRAINED_WITH = Step(
    "Train with one, infer with another",
    "The model was trained with **sum-product** belief propagation: its weights were fitted to make *those* beliefs "
    "right. It can also be used with **mean field**, or with **mixed-product**, which looks for the single best image.",
    Question(
        "Ten digits are restored with each. Which makes more mistakes than the inference used in training?",
        ("Mean field, clearly", "Mixed-product, clearly", "None: all find the same"),
    ),
    1,
    TenDigitsScene("noise-10", _NOISE, (_SUM, _MEAN, _MIXED)),
    "Run it and compare the numbers of wrong pixels.",
    Question("Which of the three has the most wrong pixels?", ("Sum-product", "Mean field", "Mixed-product")),
    lambda wrong: (_SUM, _MEAN, _MIXED).index(max(wrong, key=wrong.__getitem__)),
    lambda wrong: wrong[_MIXED] > 1.2 * max(wrong[_SUM], wrong[_MEAN]),
    "The weights were learnt so that the beliefs of *sum-product* are right, pixel by pixel. Mixed-product "
    "answers another question: which whole image is the single best. Mean field comes close here. The rule: train "
    "with the inference that you will use.",
    more="In mean field each unit uses the means of the others in place of their values.",
    further="After a short training, while weights are small, we found mixed-product no worse: the gap appears with "
    "long training for another inference.",
)
_COMPLETED = Step(
    "When several answers are right",
    "The lower half of an 8 is hidden, and a plain RBM, which has no input, knows which pixels are lost. It "
    "samples a hundred completions: the known half is held fixed, and the rest is sampled.",
    Question(
        "Will all completions look like an 8?",
        ("Yes, nearly all", "No, some will look like other digits", "No, none will look like a digit"),
    ),
    1,
    RestorationScene(("rbm",), _HALF, Corruption(), digit=8),
    "Run it and look at the twelve completions and at the counts below them.",
    _ALIKE,
    lambda made: sum(_most(made[0]) >= level for level in (50, 90)),
    lambda made: _most(made[0]) < 90 and _kinds(made[0]) >= 2,
    "The upper half of an 8 also fits a 3 or a 9. A distribution over whole images can express this: it has several "
    "peaks, and sampling visits them. A single best image would hide that, and the mean of all looks like none of "
    "them.",
)
_AGAIN_NOISE = Step(
    "Again: more noise than in training",
    "Now a *fifth* of the pixels are flipped. Two models restore the digit: one trained on a tenth, one trained on a "
    "fifth.",
    Question("Which leaves fewer wrong pixels?", ("The one trained on a tenth", "The one trained on a fifth")),
    1,
    RestorationScene(("noise-10", "noise-20"), "flip", _MORE),
    "Run it and compare the two.",
    Question("Which left fewer wrong pixels?", ("Noise, a tenth flipped", "Noise, a fifth flipped", "Both the same")),
    lambda made: 2 if made[0].wrong == made[1].wrong else int(made[1].wrong < made[0].wrong),
    lambda made: made[1].wrong < made[0].wrong,
    "How much to trust the input is learnt, too. The model that was trained on a tenth trusts it too much.",
)
_AGAIN_HALF = Step(
    "Again: half a 1",
    "As with the 8, but the lower half of a 1 is hidden.",
    Question("Will the completions differ as much?", ("Yes", "No, nearly all will look like a 1")),
    1,
    RestorationScene(("rbm",), _HALF, Corruption(), digit=1),
    "Run it.",
    _ALIKE,
    lambda made: sum(_most(made[0]) >= level for level in (50, 90)),
    lambda made: _most(made[0]) >= 90,
    "Few other digits have an upper half like that of a 1, so the known half leaves one answer. The variety of the "
    "completions shows how much is unknown.",
)

CONDITIONAL = Lesson(
    "Conditional RBMs and belief propagation",
    "Restore a digit, see how inference works and when it oscillates, and what happens when several answers are right.",
    "10 minutes",
    (_RESTORED, _ROUNDS, _SWING, _TRAINED_WITH, _COMPLETED, _AGAIN_NOISE, _AGAIN_HALF),
)
