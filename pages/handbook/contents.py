"""All sections of the reference, and the one list of what there is."""

from functools import cache

from boltzcore.learners.walkthrough.equations import FAMILIES
from boltzcore.measures import MEASURES
from boltzcore.registry import DATASETS, LEARNERS, MODELS
from pages.common import entries
from pages.common.terms import TERMS
from pages.handbook import declared
from pages.handbook.costs import TRANSITIONS, entries_of_costs
from pages.handbook.entry import Entry, Section, facts
from pages.handbook.limits import entries_of_limits
from pages.handbook.prose import entries_of_citing, entries_of_uploads
from pages.handbook.python import entries_of_names


@cache
def sections() -> tuple[Section, ...]:
    """All of it, in its order."""
    return (
        Section(
            "models",
            "Models",
            "What is learnt: a probability distribution over rows, and what follows from it.",
            tuple(declared.model(name, known) for name, known in MODELS.items()),
            also="machines networks",
        ),
        Section(
            "learners",
            "Learners",
            "How a model learns. Each field is a hyper-parameter, with its default and the values it takes.",
            tuple(declared.learner(name, kind) for name, kind in LEARNERS.items()),
            also="algorithms methods optimisers optimizers trainers",
        ),
        Section(
            "measures",
            "Measures",
            "What is measured of a model while it learns, with the names of its figures in traces.",
            tuple(map(declared.measure, MEASURES.values())),
            also="metrics figures scores",
        ),
        Section(
            "data",
            "Data sets",
            "What there is to learn from.",
            tuple(map(declared.dataset, DATASETS)),
            also="datasets samples",
        ),
        Section(
            "settings",
            "Other settings",
            "What a training has besides its model, data and learner, and how inference is set.",
            tuple(map(declared.part, declared.PARTS)),
            also="options parameters",
        ),
        Section(
            "glossary",
            "Glossary",
            "Terms of art in plain words.",
            tuple(sorted(map(_term, TERMS), key=lambda each: each.title.casefold())),
            short=True,
            also="definitions words vocabulary",
        ),
        Section(
            "equations",
            "Equations of an update",
            "What each phase of an update computes, as Inside one step plays it. Brackets are means, over rows of the "
            "data or over states of the model; \N{GREEK SMALL LETTER SIGMA} is the sigmoid.",
            tuple(map(declared.phases, FAMILIES)),
            also="formulas formulae mathematics",
        ),
        Section(
            "costs",
            "What an update costs",
            "Multiplications and additions of one update, as the algorithms are written down, computed by the "
            f"learners: those of RBMs that can take any number of Gibbs steps take {TRANSITIONS}.",
            entries_of_costs(),
            also="complexity operations flops",
        ),
        Section(
            "python",
            "Python",
            "The public names of the library that no section above is about, with what their docstrings say. Learners, "
            "sizes of models, data sets and measures are classes and functions of these packages, too. The classes of "
            "boltzcore.estimators are estimators of scikit-learn.",
            entries_of_names(),
            short=True,
            also="library API functions classes signature import",
        ),
        Section(
            "limits",
            "Limits",
            "How large inputs may be, and how much may run at once.",
            entries_of_limits(),
            short=True,
            also="maximum quotas",
        ),
        Section(
            "uploads",
            "What happens to uploads",
            "Where it is kept, and for how long.",
            entries_of_uploads(),
            also="privacy security personal storage GDPR",
        ),
        Section(
            "citing",
            "How to cite",
            "The project, and the papers that it builds.",
            entries_of_citing(),
            also="citation citations citing bibtex bibliography references authors licence license",
        ),
    )


@cache
def addresses() -> frozenset[str]:
    """The ids of all sections, entries and fields: what an address may name."""
    found = [each.id for each in sections()]
    for entry in (entry for section in sections() for entry in section.entries):
        found += [entry.id, *(field.id for field in entry.fields)]
    return frozenset(found)


@cache
def count() -> int:
    """How many entries there are."""
    return sum(len(section.entries) for section in sections())


def _term(key: str) -> Entry:
    term = TERMS[key]
    others = [form for form in term.forms if form.casefold() not in term.title.casefold()]
    return Entry(
        id=entries.entry("term", key), title=term.title, text=(term.text,), facts=facts(("Also", ", ".join(others)))
    )
