"""Terms of fully visible machines."""

from pages.common.terms.term import Term

TERMS: dict[str, Term] = {
    "sweep": Term(
        "Sweep",
        "One pass over all parameters, each moved in its turn.",
        ("sweep", "sweeps"),
    ),
    "bslm": Term(
        "BSLM",
        "Block successive lower-bound maximisation: below the curve to climb lies a simpler one that touches it. Go to "
        "its top, and the curve to climb cannot have fallen. Repeated, this leads to the summit.",
        ("BSLM",),
    ),
    "gradient-ascent": Term(
        "Gradient ascent (GA)",
        "Walking uphill: each step goes where the curve rises fastest, as far as the step size says.",
        ("gradient ascent", "GA"),
    ),
    "l-bfgs": Term(
        "L-BFGS",
        "A standard way to find the top of a smooth hill: it remembers the last steps to guess how the slope bends, "
        "and so takes far fewer steps than walking straight uphill.",
        ("L-BFGS",),
    ),
}
