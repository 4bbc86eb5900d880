"""Every term of art that the pages use, explained once, in plain words: a file for each subject."""

from pages.common.terms import fully_visible, inference, insertion, keeping, learning, log_linear, measures, models
from pages.common.terms.term import Term

TERMS: dict[str, Term] = {
    **models.TERMS,
    **measures.TERMS,
    **learning.TERMS,
    **inference.TERMS,
    **fully_visible.TERMS,
    **insertion.TERMS,
    **log_linear.TERMS,
    **keeping.TERMS,
}
