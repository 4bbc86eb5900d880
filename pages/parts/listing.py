"""The trainings as one visitor sees them: the title of each, and the search among them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Self

from boltzcore.jobs.files import Entry
from boltzcore.jobs.snapshot import Snapshot
from boltzcore.measures.merit import last_merit
from boltzcore.registry import info_of

PRIVATE = "their own table"  # in a training of someone else: its name and options are private
DAMAGED = "damaged"


@dataclass(frozen=True)
class Listed:
    """A training in the list of one visitor.

    entry : as the store has it, which lags behind a loaded run
    status, count, merit : present ones
    yours : whether it is this visitor's own; private : whether it learns from another visitor's table
    """

    entry: Entry
    status: str
    count: int
    merit: float | None
    yours: bool
    private: bool

    @classmethod
    def from_entry(cls, entry: Entry, snapshot: Snapshot | None, *, yours: bool, open: bool) -> Self:
        """Return a training as the store has it or, with a snapshot, as it is now."""
        status = DAMAGED if entry.recipe is None else entry.status
        if snapshot is None or snapshot.state is None or entry.recipe is None:
            return cls(entry, status, entry.count, entry.merit, yours, not open)
        judge, reached = last_merit([record.values for record in snapshot.records], entry.recipe.entry.merit)
        entry = replace(entry, damage="", judge=judge)  # its first checkpoint is being written
        return cls(entry, snapshot.status, snapshot.state.count, reached, yours, not open)

    @property
    def usual_title(self) -> str:
        """The title of a training without a name of its own."""
        recipe = self.entry.recipe
        if recipe is None:
            return self.entry.id
        return f"{info_of(recipe.learner).title} on {PRIVATE if self.private else recipe.data.title}"

    @property
    def title(self) -> str:
        """The title of the training."""
        return self.entry.name or self.usual_title

    @property
    def file_name(self) -> str:
        """The name of its files without an ending: its own name as far as any system takes it, and part of its id."""
        name = re.sub(r"[^A-Za-z0-9]+", "-", self.entry.name).strip("-")
        return f"{name}-{self.entry.id[:6]}" if name else self.entry.id

    @property
    def _words(self) -> str:
        """The text that is searched, without anything of another visitor's table."""
        recipe = self.entry.recipe
        words = [self.title, self.status, "" if self.private else self.entry.id]
        if recipe is not None:
            words += [recipe.entry.title, recipe.model.name, *(type(s.learner).__name__ for s in recipe.stages)]
            words += [info_of(stage.learner).title for stage in recipe.stages]
            words += [] if self.private else [recipe.data.title, recipe.data.name]
        return "\n".join(words).casefold()


def matching(trainings: Iterable[Listed], words: str, *, mine: bool = False) -> list[Listed]:
    """Return the trainings with all of these words in their name, their status, the names of their model, learner or
    data, or their id; mine: one's own alone.
    """
    wanted = words.casefold().split()
    return [each for each in trainings if (each.yours or not mine) and all(word in each._words for word in wanted)]
