"""Terms of log-linear models."""

from pages.common.terms.term import Term

TERMS: dict[str, Term] = {
    "term": Term(
        "Term",
        "One rule of a log-linear model: if certain columns have certain values together, the row becomes more, or "
        "less, probable by a factor.",
        ("term", "terms"),
    ),
    "bayesian-network": Term(
        "Bayesian network",
        "Variables joined by arrows: each takes its value at random, with probabilities that depend on the variables "
        "its arrows come from.",
        ("Bayesian network",),
    ),
    "spin": Term(
        "Spins",
        "Variables that point up or down, like tiny magnets. Coupled neighbours on a grid tend to point the same way.",
        ("spins", "coupled spins"),
    ),
    "evidence": Term(
        "Evidence",
        "The values given for some columns, on which the answer about all others depends.",
        ("evidence",),
    ),
    "description-length": Term(
        "Description length (MDL)",
        "How many nats it takes to write down the data with the model's help, and the model itself. A rule pays if it "
        "shortens the first by more than it lengthens the second: minimum description length. The figures leave out "
        "the entropy of the data, which every description takes.",
        ("description length", "description", "MDL"),
    ),
    "kl": Term(
        "KL divergence",
        "The extra length, in nats per example, of data described by a wrong model instead of the right one. 0 if "
        "both agree; never negative.",
        ("KL divergence", "KL"),
    ),
    "threshold": Term(
        "Threshold",
        "A limit that decides: a search ends once no step gains more than this; a grey pixel counts as white above "
        "it, as black below.",
        ("threshold",),
    ),
}
