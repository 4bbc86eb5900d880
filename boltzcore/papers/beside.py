"""Studies beside the papers' figures and tables: of what a paper leaves open, and beyond it."""

from boltzcore.papers import STUDIES
from boltzcore.papers.exhibits import EXHIBITS

# {study of no paper of the five: the one whose models and learners it is of}
BEYOND = {"everything-looks-right": "2", "equal-work": "2", "equal-work-mnist": "2"}


def beside(paper: str) -> list[str]:
    """The studies of a paper that none of its figures and tables rests on. Names of studies begin as those of their
    paper's others do.
    """
    kinds = {name.partition("-")[0] for each in EXHIBITS if each.paper == paper for name in each.studies}
    of_exhibits = {name for each in EXHIBITS for name in each.studies}
    mine = [name for name in STUDIES if name.partition("-")[0] in kinds or BEYOND.get(name) == paper]
    return [name for name in mine if name not in of_exhibits]
