"""Terms of inference, and of restoring images."""

from pages.common.terms.term import Term

TERMS: dict[str, Term] = {
    "inference": Term(
        "Inference",
        "Computing what is probable, given what is known: here how probable each pixel is on, given the damaged image "
        "and the model. It does not change the model.",
        ("inference",),
    ),
    "belief-propagation": Term(
        "Belief propagation (BP)",
        "Pixels and hidden units repeatedly send each other messages about how probable the receiver is on, until "
        "nothing changes. The results are marginals: exact if the units form a tree, otherwise usually close.",
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
        "A simple inference: every unit repeatedly uses the means of the others in place of their values, as if they "
        "were independent. Fast, but overconfident.",
        ("mean field",),
    ),
    "message": Term(
        "Message",
        "What one unit sends another in belief propagation: the evidence for the other being on, computed from all "
        "messages that the sender has received from its other neighbours.",
        ("message", "messages"),
    ),
    "sigmoid": Term(
        "Sigmoid",
        "The curve that turns any sum into a probability: near 0 far below 0, a half at 0, near 1 far above. It is 1 / "
        "(1 + e to the power of minus the sum).",
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
        "The probability that one pixel is on, whatever the others are. A marginal of 97 % is almost certain; 50 % is "
        "undecided.",
        ("marginal", "marginals"),
    ),
    "log-odds": Term(
        "Log-odds",
        "A probability on an unbounded scale: the logarithm of P(on) / P(off). 0 is fifty-fifty, +3 about 95 %, −3 "
        "about 5 %.",
        ("log-odds",),
    ),
    "residual": Term(
        "Residual",
        "The largest change of any belief in one iteration. It falls as the inference converges.",
        ("residual", "residuals"),
    ),
    "tolerance": Term(
        "Tolerance",
        "A change small enough to ignore: a computation stops once nothing changes by more than this.",
        ("tolerance",),
    ),
    "converged": Term(
        "Converged",
        "Settled: an iteration changes nothing by the tolerance or more.",
        ("converged", "converges", "converge"),
    ),
    "damping": Term(
        "Damping",
        "The share of the old message that is kept in the new one. It lets oscillating messages converge, but takes "
        "more iterations.",
        ("damping",),
    ),
    "clamped": Term(
        "Clamped",
        "Held fixed: known pixels keep their value, and each Gibbs step draws only the others. So the model fills "
        "gaps in ways that fit the known part.",
        ("clamped Gibbs", "clamped"),
    ),
    "changed": Term(
        "Changed and All",
        "Two ways to count wrong pixels after restoring. All: among all pixels. Changed: only among those that the "
        "damage changed, which shows how much of it was repaired.",
        ("Changed error", "All error"),
    ),
}
