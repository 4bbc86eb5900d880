"""Entries of what the registry holds: models, learners, measures, data sets, and the other parts of a recipe."""

from collections.abc import Mapping

from boltzcore.inference import Inference
from boltzcore.learners.base import Learner
from boltzcore.learners.walkthrough.equations import FAMILIES
from boltzcore.measures import MEASURES
from boltzcore.measures.estimates import Confidence
from boltzcore.measures.measure import Measure
from boltzcore.measures.rows import ROWS
from boltzcore.parameters import Parameters
from boltzcore.registry import DATASETS, LEARNERS, MODELS, OPTIONAL_PARTS, ModelEntry, learners_of
from boltzcore.runs.schedule import Schedule
from boltzcore.runs.worked_examples import STEPS
from boltzcore.runs.worked_step import WorkedStep
from pages.common import entries
from pages.handbook.entry import Entry, Link, facts, fields_of

PARTS: Mapping[str, tuple[str, type[Parameters], str]] = {  # {name in links: (title, declarations, what it is)}
    "schedule": ("Schedule", Schedule, "How long a training is, how often it is measured, and when it ends early."),
    **{name: (part.title, part.kind, "") for name, part in OPTIONAL_PARTS.items()},
    Inference.name: ("Inference", Inference, "How a conditional RBM's pixels are inferred, and when that ends."),
    "confidence": ("Confidence intervals", Confidence, "How sure the intervals of estimates are."),
}
_PHASES = {  # titles of the families of updates; one without goes by its name
    "contrastive": "Data against chains",
    "conditional": "Data against inference, given an input",
    "greedy": "Greedy search for terms",
    "insertion": "Insertion of hidden units",
    "newton": "L-BFGS",
    "sampled": "Pairs against chains",
    "tempering": "Chains that change places",
    "coordinate": "One parameter after the other",
}


def model(name: str, known: ModelEntry) -> Entry:
    """A model, by its name in links."""
    measured = [_to("measure", each, MEASURES[each].title.capitalize()) for each in known.measures]
    return Entry(
        id=entries.entry("model", name),
        title=known.title,
        name=name,
        text=(f"It {known.about}",),
        facts=facts(
            ("Source", known.kind.SOURCE),
            ("Learners", (_to("learner", each, kind.title) for each, kind in learners_of(name).items())),
            ("Measured", measured),
            ("Made for", known.rows),
            ("Work counts", known.work),
        ),
        fields=fields_of(name, known.setup),
        equations=tuple(known.kind.EQUATIONS.items()),
    )


def learner(name: str, kind: type[Learner]) -> Entry:
    """A learner, by its name in links."""
    usual = kind()
    number, unit = kind.length
    own = ", ".join(f"{each} ({unit})" if unit else each for each, unit in kind.extra_metrics.items())
    played = [Link(f"Inside one step: {step.title}", f"step?example={key}") for key, step in _played(name).items()]
    return Entry(
        id=entries.entry("learner", name),
        title=kind.title,
        name=name,
        text=(kind.about,) if kind.about else (),
        facts=facts(
            ("Source", kind.source),
            ("Models", (_to("model", each, MODELS[each].title) for each in kind.models)),
            ("Cost", usual.cost),
            ("Operations", usual.counted),
            ("Ends by itself", usual.stop_reason),
            ("Usual length", f"{number:,} {unit}"),
            ("Also measured", own),
            ("Equations", (_to("update", each, phases_title(each)) for each in _families(name))),
            ("Played", played),
        ),
        fields=fields_of(name, kind),
    )


def measure(known: Measure) -> Entry:
    """A measure."""
    by_unit: dict[str, list[str]] = {}
    for figure, unit in known.units.items():
        by_unit.setdefault(unit, []).append(figure)
    of = [_to("model", name, each.title) for name, each in MODELS.items() if known.takes(each.kind)]
    uses = [_to("part", each, PARTS[each][0]) for each in known.uses if each in PARTS]
    return Entry(
        id=entries.entry("measure", known.name),
        title=known.title.capitalize(),
        name=known.name,
        text=(known.about,) if known.about else (),
        facts=facts(
            ("Models", of),
            *((f"Figures, {unit}" if unit else "Figures", ", ".join(names)) for unit, names in by_unit.items()),
            ("Better", "lower" if known.lower else ""),
            ("Rows", "all" if known.all_rows else f"at most {ROWS:,} of each split"),
            ("Depends on", uses),
        ),
    )


def dataset(name: str) -> Entry:
    """A data set, by its name in links."""
    kind = DATASETS[name]
    columns = "" if kind.n_columns is None else f"{kind.n_columns:,}"
    where = "are fetched when they are first used" if kind.downloadable else ""
    return Entry(
        id=entries.entry("data", name),
        title=kind.title,
        name=name,
        text=(kind.about,),
        facts=facts(("Columns", columns), ("Files", where)),
        fields=fields_of(name, kind),
    )


def part(name: str) -> Entry:
    """Another part of a recipe."""
    title, kind, about = PARTS[name]
    return Entry(
        id=entries.entry("part", name),
        title=title,
        name=name,
        text=(about,) if about else (),
        fields=fields_of(name, kind),
    )


def phases(family: str) -> Entry:
    """The equations of the phases of a family of updates."""
    of = [_to("learner", name, kind.title) for name, kind in LEARNERS.items() if family in _families(name)]
    equations = tuple((kind.capitalize(), equation) for kind, equation in FAMILIES[family].items())
    return Entry(
        id=entries.entry("update", family),
        title=phases_title(family),
        name=family,
        facts=facts(("Learners", of)),
        equations=equations,
    )


def phases_title(family: str) -> str:
    """What a family of updates is called."""
    return _PHASES.get(family, family.capitalize())


def _played(learner: str) -> dict[str, WorkedStep]:
    """The worked examples of a learner."""
    return {key: step for key, step in STEPS.items() if type(step.learner).__name__ == learner}


def _families(learner: str) -> list[str]:
    """The families of a learner's updates, of which its worked examples tell."""
    return list(dict.fromkeys(step.family for step in _played(learner).values()))


def _to(kind: str, name: str, title: str) -> Link:
    return Link(title, entries.entry(kind, name))
