"""Terms of infinite RBMs, which insert their units."""

from pages.common.terms.term import Term

TERMS: dict[str, Term] = {
    "frank-wolfe": Term(
        "Frank-Wolfe",
        "A way to build a model from pieces: find the one piece (here a hidden unit) that would help most, add it, and "
        "search again. Nothing else has to be decided in advance.",
        ("Frank-Wolfe", "FW"),
    ),
    "norm-ball": Term(
        "Ball of weights",
        "A limit on how large the weights of one unit may be together: their squares add up to C at most. It keeps a "
        "unit from shouting down all others.",
        ("ball of weights", "norm ball"),
    ),
    "penalty": Term(
        "Penalty (λ)",
        "A price on large weights: what is added to the model must help more than it costs. Without a price weights "
        "may grow until they explode.",
        ("penalty", "lambda"),
    ),
    "correction": Term(
        "Corrected counts",
        "After a unit is inserted, how often it and all others count is worked out anew, so that the step is never too "
        "large. Without correction each unit counts once, whether that is too much or not.",
        ("corrected counts", "counts that are corrected", "correction", "corrections"),
    ),
    "alpha": Term(
        "Alpha (α)",
        "The counts of all units added up: how many hidden units there are in effect. If every unit counts once, it is "
        "their number.",
        ("alpha",),
    ),
    "ghost": Term(
        "Ghost",
        "A unit whose count fell to 0 and that has left the model. Its place in the gallery stays, pale and struck "
        "out.",
        ("ghost", "ghosts"),
    ),
    "inner-objective": Term(
        "Inner objective",
        "What the search for a new unit makes as small as it can. Below 0 the unit responds to the data more than "
        "to what the model itself dreams up, so that a little of it makes the data more probable.",
        ("inner objective",),
    ),
    "duality-gap": Term(
        "Duality gap",
        "How much could at most still be gained, which bounds how far the model is from the best one. Here it is an "
        "estimate, often too small: the bound needs the best unit there is, and a search from few starts may miss it.",
        ("duality gap",),
    ),
    "sandwich": Term(
        "Sandwich estimator",
        "A way to work out standard errors that stays right where the objective is not the likelihood itself: how much "
        "the slopes vary from row to row stands between two copies of the inverse of the curvature at the summit.",
        ("sandwich estimator",),
    ),
    "interval": Term(
        "Interval (95 %)",
        "A range worked out from the data so that, with enough rows, it covers the true value 95 times in 100. If "
        "it leaves out 0, chance alone would seldom give such a value. Rows without a best model have no interval.",
        ("95 % interval", "95 % intervals", "confidence interval", "confidence intervals"),
    ),
    "state": Term(
        "State",
        "One value for every unit (pixel, column) at once: a whole possible row. Three units that are 0 or 1 have "
        "eight states, d of them 2 to the power d.",
        ("states", "every state"),
    ),
}
