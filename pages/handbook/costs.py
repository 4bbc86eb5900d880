"""What an update of each learner costs at one size, computed by the learners themselves."""

from boltzcore.learners.base import Learner
from boltzcore.parameters import Parameters
from boltzcore.registry import LEARNERS, MODELS
from pages.handbook.entry import Entry, Table

IMAGES = 200, 784, 500  # rows of a batch, visible and hidden units: large images in the papers
TABLES = 1_000, 20, 0  # rows and columns
TRANSITIONS = 24  # Gibbs steps of an update, as the papers compare learners


def entries_of_costs() -> tuple[Entry, ...]:
    """An entry for each model, with a line for each of its learners."""
    return tuple(_of_model(name) for name in MODELS)


def compared(kind: type[Learner], rows: int) -> Learner:
    """A learner with the fields by which it is compared: a batch of so many rows, and as many Gibbs steps as others."""
    wanted = {"batch_size": rows, **kind.budget_fields(TRANSITIONS)}
    there = {each.name for each in kind.parameters()}
    return kind(**{name: value for name, value in wanted.items() if name in there})


def size(name: str) -> tuple[int, int, int]:
    """(rows, visible, hidden units) at which the learners of a model are compared."""
    return IMAGES if MODELS[name].rows == "images" else TABLES


def _of_model(name: str) -> Entry:
    rows, visible, hidden = size(name)
    at = f"{rows:,} rows a batch, {visible:,} visible and {hidden:,} hidden units" if hidden else ""
    return Entry(
        id=f"cost-{name}",
        title=MODELS[name].title,
        text=(f"At {at or f'{rows:,} rows of {visible:,} columns'}.",),
        table=Table(
            ("Learner", "Operations of an update", "What an update takes"),
            tuple(_row(kind, *size(name)) for kind in LEARNERS.values() if name in kind.models),
        ),
    )


def _row(kind: type[Learner], rows: int, visible: int, hidden: int) -> tuple[str, ...]:
    learner = compared(kind, rows)
    operations = learner.operations_of_update(rows, visible, hidden)
    known = "depend on what it finds" if operations is None else f"{operations:,}"
    return f"{kind.title}{_changed(learner)}", known, learner.cost


def _changed(learner: Parameters) -> str:
    """The fields that a comparison has set, but for the size of the batch."""
    usual = type(learner)().values()
    changed = [each for each in learner.parameters() if usual[each.name] != getattr(learner, each.name)]
    said = [f"{each.symbol} = {getattr(learner, each.name)}" for each in changed if each.name != "batch_size"]
    return f", {', '.join(said)}" if said else ""
