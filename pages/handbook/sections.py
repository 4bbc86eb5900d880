"""All sections of the reference."""

from collections.abc import Mapping
from functools import cache

from boltzcore.data.source import Source
from boltzcore.inference import Inference
from boltzcore.measures import MEASURES
from boltzcore.measures.measure import ROWS, Measure
from boltzcore.parameters import Parameters
from boltzcore.reference.equations import FAMILIES
from boltzcore.registry import DATASETS, LEARNERS, MODELS, OPTIONAL_PARTS, LearnerInfo, ModelEntry, info_of, learners_of
from boltzcore.training.schedule import Schedule
from pages.common.terms import TERMS
from pages.common.terms.term import Term
from pages.handbook.entry import Entry, Section, entry
from pages.handbook.prose import entries_of_citing, entries_of_manual, entries_of_uploads

PARTS: Mapping[str, tuple[str, type[Parameters], str]] = {  # {name in links: (title, declarations, what it is)}
    "schedule": ("Schedule", Schedule, "Length, measurements and early stopping of a training."),
    **{name: (part.title, part.kind, "") for name, part in OPTIONAL_PARTS.items()},
    Inference.name: ("Inference", Inference, "How a conditional RBM's pixels are inferred, and when inference stops."),
}


@cache
def sections() -> dict[str, Section]:
    """Return {name in addresses: section}, in their order."""
    models = [_model(name, known) for name, known in MODELS.items()]
    learners = [_learner(name, info_of(info.learner())) for name, info in LEARNERS.items()]
    measures = [_measure(known) for known in MEASURES.values()]
    data = [_dataset(name, kind) for name, kind in DATASETS.items()]
    parts = [entry("part", name, title, about, declared=kind) for name, (title, kind, about) in PARTS.items()]
    terms = [_term(key, term) for key, term in TERMS.items()]
    terms.sort(key=lambda each: each.title.casefold())
    phases = [entry("update", family, family.capitalize(), facts=of.items()) for family, of in FAMILIES.items()]
    brackets = "The phases of an update. Brackets are means; sigma is the sigmoid."
    return {
        "manual": Section("User manual", "What each page does.", entries_of_manual()),
        "models": Section("Models", "Probability distributions over rows.", models),
        "learners": Section("Learners", "Algorithms that fit a model.", learners),
        "measures": Section("Measures", "Figures measured during a training.", measures),
        "data": Section("Data sets", "Rows to learn from.", data),
        "settings": Section("Other settings", "Everything else that a training depends on.", parts),
        "glossary": Section("Glossary", "Terms in plain words.", terms, short=True),
        "equations": Section("Equations", brackets, phases),
        "uploads": Section("Uploads", "Where uploads are kept, and for how long.", entries_of_uploads(), short=True),
        "citing": Section("How to cite", "The project and the papers.", entries_of_citing(), short=True),
    }


def _term(key: str, term: Term) -> Entry:
    others = [form for form in term.forms if form.casefold() not in term.title.casefold()]
    return entry("term", key, term.title, term.text, facts=[("Also", others)])


def _model(name: str, known: ModelEntry) -> Entry:
    facts = [
        ("Name", name),
        ("Source", known.kind.SOURCE),
        ("Learners", (each.title for each in learners_of(name).values())),
        ("Measured", (MEASURES[each].title for each in known.measures)),
        ("Made for", known.rows),
        ("Work counts", known.work),
        *known.kind.EQUATIONS.items(),
    ]
    return entry("model", name, known.title, f"It {known.about}", facts=facts, declared=known.setup)


def _learner(name: str, info: LearnerInfo) -> Entry:
    number, unit = info.length
    facts = [
        ("Name", name),
        ("Source", info.source),
        ("Models", (MODELS[each].title for each in info.models)),
        ("Cost", info.cost),
        ("Operations", info.operations),
        ("Stops by itself", info.stop_reason),
        ("Usual length", f"{number:,} {unit}"),
        ("Also measured", (f"{each} ({unit})" if unit else each for each, unit in info.units.items())),
    ]
    return entry("learner", name, info.title, info.about, facts=facts, declared=info.learner)


def _measure(known: Measure) -> Entry:
    facts = [
        ("Name", known.name),
        ("Models", (each.title for each in MODELS.values() if known.takes(each.kind))),
        ("Figures", (f"{figure} ({unit})" if unit else figure for figure, unit in known.units.items())),
        ("Better", "lower" if known.lower else ""),
        ("Rows", "all" if known.all_rows else f"at most {ROWS:,} of each split"),
        ("Depends on", (PARTS[each][0] for each in known.uses if each in PARTS)),
    ]
    return entry("measure", known.name, known.title[:1].upper() + known.title[1:], known.about, facts=facts)


def _dataset(name: str, kind: type[Source]) -> Entry:
    facts = [
        ("Name", name),
        ("Files", "downloaded on first use" if kind.downloadable else ""),
    ]
    return entry("data", name, kind.title, kind.about, facts=facts, declared=kind)
