"""Terms of inference, and of restoring images."""

from pages.common.terms.term import Term

TERMS: dict[str, Term] = {
    "inference": Term(
        "Inference",
        "Working out what is probable, given what is known: here how probable each pixel is on, given the damaged "
        "image and the model. The model itself is not changed.",
        ("inference",),
    ),
    "belief-propagation": Term(
        "Belief propagation (BP)",
        "Pixels and hidden units tell each other, again and again, how probable each thinks the other is on, until "
        "nobody changes their mind. The results are marginals: exact if the units form a tree, else mostly close.",
        ("belief propagation", "sum-product BP", "BP"),
    ),
    "max-product": Term(
        "Max-product BP",
        "Belief propagation that looks for the most probable joint state of pixels and hidden units, not "
        "for the probability of each pixel. Mixed-product looks for the most probable image, summed over all states of "
        "the hidden units.",
        ("max-product BP", "mixed-product BP", "max-product", "mixed-product"),
    ),
    "mean-field": Term(
        "Mean field",
        "A simple inference: every unit goes by the average of the others, as if they were independent, again and "
        "again. Quick, and too sure of itself.",
        ("mean field",),
    ),
    "message": Term(
        "Message",
        "What one unit tells another in belief propagation: how much it thinks the other should be on, from all else "
        "that it has heard.",
        ("message", "messages"),
    ),
    "sigmoid": Term(
        "Sigmoid",
        "The curve that turns an unbounded sum into a probability: far below 0 it is near 0, at 0 it is a half, far "
        "above near 1. It is 1 / (1 + e to minus the sum).",
        ("sigmoid",),
    ),
    "iteration": Term(
        "Iteration",
        "One round of a computation that is repeated until it hardly changes anything; in belief propagation every "
        "unit sends its messages once.",
        ("iteration", "iterations"),
    ),
    "marginal": Term(
        "Marginal",
        "The probability that one pixel is on, whatever all the others are. A pixel with a marginal of 97 % is as good "
        "as certain; at 50 % nobody knows.",
        ("marginal", "marginals"),
    ),
    "log-odds": Term(
        "Log-odds",
        "A probability on an unbounded scale: the logarithm of how much likelier on is than off. 0 is fifty-fifty, "
        "+3 about 95 %, −3 about 5 %.",
        ("log-odds",),
    ),
    "residual": Term(
        "Residual",
        "The largest change of any belief in one iteration. It falls as the inference comes to rest.",
        ("residual", "residuals"),
    ),
    "tolerance": Term(
        "Tolerance",
        "A change small enough to ignore: a computation stops once nothing changes by more than this.",
        ("tolerance",),
    ),
    "converged": Term(
        "Converged",
        "Come to rest: another round would change nothing by more than the tolerance.",
        ("converged", "converges", "converge"),
    ),
    "damping": Term(
        "Damping",
        "How much of the old message is kept when a new one is sent. Messages that swing to and fro come to rest with "
        "some of it; it takes more iterations.",
        ("damping",),
    ),
    "clamped": Term(
        "Clamped",
        "Held fast: the pixels that are known keep their value, and only the others are drawn anew in each Gibbs step. "
        "So the model fills gaps in ways that fit what is there.",
        ("clamped Gibbs", "clamped"),
    ),
    "changed": Term(
        "Changed and All",
        "Two ways to count wrong pixels after restoring. All: of all pixels. Changed: only of those that the damage "
        "had changed, which tells how much of it was repaired.",
        ("Changed error", "All error"),
    ),
}
