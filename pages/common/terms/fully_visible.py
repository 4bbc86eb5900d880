"""Terms of fully visible machines."""

from pages.common.terms.term import Term

TERMS: dict[str, Term] = {
    "sweep": Term(
        "Sweep",
        "One pass over all parameters, one after the other.",
        ("sweep", "sweeps"),
    ),
    "bslm": Term(
        "BSLM",
        "Block successive lower-bound maximisation: below the curve lies a simpler one that touches it at the current "
        "point. Moving to its top cannot lower the curve. Repeated, this leads to the summit.",
        ("BSLM",),
    ),
    "gradient-ascent": Term(
        "Gradient ascent (GA)",
        "Walking uphill: each step goes in the direction in which the curve rises fastest, by a set step size.",
        ("gradient ascent", "GA"),
    ),
    "l-bfgs": Term(
        "L-BFGS",
        "A standard method to find the top of a smooth hill: it uses the last steps to estimate the curvature, and so "
        "needs far fewer steps than gradient ascent.",
        ("L-BFGS",),
    ),
}
