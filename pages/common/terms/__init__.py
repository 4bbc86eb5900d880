"""Every term of art that the pages use, explained once, in plain words: a file for each subject."""

from pages.common.terms import inference, insertion, learning, log_linear, measures, models
from pages.common.terms.term import Term

TERMS: dict[str, Term] = {
    **models.TERMS,
    **measures.TERMS,
    **learning.TERMS,
    **inference.TERMS,
    **insertion.TERMS,
    **log_linear.TERMS,
}
