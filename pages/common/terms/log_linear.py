"""Terms of log-linear models."""

from pages.common.terms.term import Term

TERMS: dict[str, Term] = {
    "term": Term(
        "Term",
        "One rule of a log-linear model: when certain columns have certain values together, the row becomes more, or "
        "less, probable by a factor.",
        ("term", "terms"),
    ),
    "bayesian-network": Term(
        "Bayesian network",
        "Arrows between things say which depend on which: each takes its value by chance, with odds that depend on the "
        "things its arrows come from.",
        ("Bayesian network",),
    ),
    "spin": Term(
        "Spins",
        "Things that point up or down, as tiny magnets do. Coupled, neighbours on a grid like to point the same way.",
        ("spins", "coupled spins"),
    ),
    "evidence": Term(
        "Evidence",
        "What is given: the values that were chosen for some columns, on which the answer about all others depends.",
        ("evidence",),
    ),
    "description-length": Term(
        "Description length (MDL)",
        "How many nats it takes to write down the data with the model's help, and the model itself. A rule is worth "
        "having if it shortens the first by more than it lengthens the second: minimum description length. The entropy "
        "of the data, which every description takes, is left out of the figures.",
        ("description length", "description", "MDL"),
    ),
    "kl": Term(
        "KL divergence",
        "How much longer data get when written with a wrong model instead of the right one, in nats per example: not "
        "how long they are. 0 where both agree; never negative.",
        ("KL divergence", "KL"),
    ),
    "threshold": Term(
        "Threshold",
        "A limit that decides: a search ends once no step gains more than this; a grey pixel counts as white above "
        "it, as black below.",
        ("threshold",),
    ),
}
