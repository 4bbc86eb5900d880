"""Terms of infinite RBMs, which insert their units."""

from pages.common.terms.term import Term

TERMS: dict[str, Term] = {
    "frank-wolfe": Term(
        "Frank-Wolfe",
        "A way to build a model from pieces: find the one piece (here a hidden unit) that would help most, add it, "
        "and search again. The number of pieces need not be chosen in advance.",
        ("Frank-Wolfe", "FW"),
    ),
    "norm-ball": Term(
        "Ball of weights",
        "A limit on the weights of one unit: their squares add up to C at most. It keeps a unit from dominating the "
        "others.",
        ("ball of weights", "norm ball"),
    ),
    "penalty": Term(
        "Penalty (λ)",
        "A price on large weights: what is added to the model must help more than it costs. Without it, weights may "
        "grow without bound.",
        ("penalty", "lambda"),
    ),
    "correction": Term(
        "Corrected counts",
        "After a unit is inserted, the counts of all units are recomputed to raise the objective; with exact sums it "
        "never falls. Without correction all units count the same, usually once, even if that is too much.",
        ("corrected counts", "counts that are corrected", "correction", "corrections"),
    ),
    "alpha": Term(
        "Alpha (α)",
        "The sum of the counts of all units: the effective number of hidden units.",
        ("alpha",),
    ),
    "ghost": Term(
        "Ghost",
        "A unit whose count fell to 0 and that was removed from the model. Its place in the gallery stays, pale and "
        "struck out.",
        ("ghost", "ghosts"),
    ),
    "inner-objective": Term(
        "Inner objective",
        "The function that the search for a new unit minimises. Below 0 the unit responds more to the data than to "
        "samples of the model, so that adding a little of it makes the data more probable.",
        ("inner objective",),
    ),
    "duality-gap": Term(
        "Duality gap",
        "A bound on how much could still be gained. Here it is an estimate, often too small: the bound needs the best "
        "unit there is, and a search from few starts may miss it.",
        ("duality gap",),
    ),
    "sandwich": Term(
        "Sandwich estimator",
        "Standard errors that remain valid if the objective is not the likelihood itself: the variation of the slopes "
        "between rows, multiplied on both sides by the inverse curvature at the maximum.",
        ("sandwich estimator",),
    ),
    "interval": Term(
        "Interval (95 %)",
        "A range computed from the data so that, with enough rows, it covers the true value 95 times in 100. If it "
        "excludes 0, chance alone would seldom give such a value. Data without a best model have none.",
        ("95 % interval", "95 % intervals", "confidence interval", "confidence intervals"),
    ),
    "state": Term(
        "State",
        "One value for each unit (pixel, column): a whole possible row. Three units that are 0 or 1 have eight states, "
        "d of them 2 to the power d.",
        ("states", "every state"),
    ),
}
