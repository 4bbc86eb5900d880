"""Terms of what is kept of a training."""

from pages.common.terms.term import Term

TERMS: dict[str, Term] = {
    "trace": Term(
        "Trace",
        "All that was measured while a training ran, a line for each measurement, as a table for a spreadsheet (CSV).",
        ("trace",),
    ),
    "digest": Term(
        "Digest",
        "A short name that is worked out from a file's content: on any machine the same content gives the same "
        "digest, and other content gives another.",
        ("digest",),
    ),
    "seed": Term(
        "Seed",
        "The number that all random draws of a training follow from. The same seed gives the same training to the last "
        "digit; another seed gives another one.",
        ("seed",),
    ),
}
