"""Terms of stored trainings."""

from pages.common.terms.term import Term

TERMS: dict[str, Term] = {
    "trace": Term(
        "Trace",
        "All measurements of a training, one per line, as a table for a spreadsheet (CSV).",
        ("trace",),
    ),
    "digest": Term(
        "Digest",
        "A short name computed from a file's content: the same content gives the same digest on any machine, and "
        "other content gives another.",
        ("digest",),
    ),
    "seed": Term(
        "Seed",
        "The number that determines all random draws of a training. The same seed gives the same training to the last "
        "digit; another seed gives another one.",
        ("seed",),
    ),
}
